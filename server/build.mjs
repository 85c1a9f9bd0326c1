// Builds the server: one ES module for the process, one for the solver threads, the wasm file, the fallback cases and the grids.
import { copyFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { inputsOf, recordBundled } from "../binder/notices/bundled.mjs";
import { buildFallback } from "./scripts/fallback.mjs";
import { packGrids } from "./scripts/grids.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// Some dependencies are CommonJS: inside an ES module bundle they need these names.
const banner = `import { createRequire as __createRequire } from "node:module";
import { fileURLToPath as __fileURLToPath } from "node:url";
const require = __createRequire(import.meta.url);
const __filename = __fileURLToPath(import.meta.url);
const __dirname = __fileURLToPath(new URL(".", import.meta.url));`;

const { metafile } = await build({
  entryPoints: { server: here("src/main.ts"), "solver.worker": here("src/solver/solver.worker.ts") },
  outdir: here("dist"),
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  conditions: ["wattbook-source"],
  // Reading the file is most of a start; names stay as they are for stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  keepNames: true,
  banner: { js: banner },
  legalComments: "linked",
  metafile: true,
  logLevel: "warning",
});
recordBundled("server", [...inputsOf(metafile), createRequire(import.meta.url).resolve("esbuild")]);
await copyFile(here("../engine/wasm/wattbook_engine_bg.wasm"), here("dist/wattbook_engine_bg.wasm"));
await rm(here("dist/fallback"), { recursive: true, force: true });
await buildFallback(here("dist/fallback"));
await packGrids(here("grids"), here("dist/grids"), here("dist/server.mjs"));
