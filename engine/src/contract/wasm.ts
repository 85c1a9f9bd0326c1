// Types that the DOM library declares and Node.js does not, so that programs in Node.js need no DOM library.

/** A compiled WebAssembly module: `WebAssembly.Module` if the program's types declare it. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : object;

/** The bytes of a file, as `BufferSource`. */
export type Bytes = ArrayBufferView<ArrayBuffer> | ArrayBuffer;
