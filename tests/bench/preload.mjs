// `node preload.mjs GLUE WASM`: prints the milliseconds from the bytes of the engine to its first answer.
import { readFileSync } from "node:fs";

const [glue, file] = process.argv.slice(2);
const { createInstance } = await import(glue);
const bytes = readFileSync(file);
const start = performance.now();
const engine = createInstance();
await engine.default({ module_or_path: await WebAssembly.compile(bytes) });
engine.contract_version();
console.log(performance.now() - start);
