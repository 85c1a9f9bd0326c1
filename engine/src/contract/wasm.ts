// What the DOM library names and the types of Node.js do not: programs in Node.js need no DOM library for the types of this package.

/** A compiled WebAssembly module: `WebAssembly.Module` where the types of the program know it. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : object;

/** The bytes of a file: `BufferSource`. */
export type Bytes = ArrayBufferView<ArrayBuffer> | ArrayBuffer;
