// Builds what the TypeScript compiler does not: the factory around the wasm-bindgen glue and the worker.
//
// `wasm/instance.js`: wasm-bindgen's glue keeps its one instance in module variables, so an instance that trapped could never be
// replaced. Wrapped into a function, each call gives fresh glue.
//
// `lib/engine.worker.js`: bundlers that make workers themselves produce workers that die when they import a shared package,
// therefore the worker is built beforehand, self-contained, and consumers emit it as a plain asset. The wasm file is not part
// of the bundle: its URL arrives in the init message.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { inputsOf, recordBundled } from "../binder/notices/bundled.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const glue = here("wasm/wattbook_engine.js");
if (!existsSync(glue)) {
  console.error("engine/wasm is not built yet: run `cargo run -p xtask --release -- wasm` in engine/ first.");
  process.exit(1);
}

await build({
  entryPoints: [glue],
  outfile: here("wasm/instance.js"),
  bundle: true,
  format: "iife",
  globalName: "glue",
  platform: "neutral",
  target: "es2022",
  banner: { js: "export function createInstance() {" },
  footer: { js: "return glue;\n}" },
  logLevel: "warning",
});
// The types of the glue without those of the DOM, which Node.js does not have: an instance is made of a compiled module alone.
const types = await readFile(here("wasm/wattbook_engine.d.ts"), "utf8");
const ownTypes = types.slice(0, types.indexOf("export type InitInput"));
await writeFile(
  here("wasm/glue.d.ts"),
  `${ownTypes}export default function init(options: { module_or_path: object }): Promise<unknown>;\n`,
);
await writeFile(
  here("wasm/instance.d.ts"),
  `/** Fresh wasm-bindgen glue, to be initialised by its default export before use. */
export declare function createInstance(): typeof import("./glue.js");
`,
);

const { metafile } = await build({
  entryPoints: [here("src/transport/worker.ts")],
  outfile: here("lib/engine.worker.js"),
  bundle: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  conditions: ["wattbook-source"],
  sourcemap: true,
  metafile: true,
  logLevel: "warning",
});
recordBundled("worker", [...inputsOf(metafile), createRequire(import.meta.url).resolve("esbuild")]);
