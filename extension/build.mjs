// Builds the prebuilt extension into the wheel's data folder (package.json, jupyterlab.outputDir). Requires built
// TypeScript packages and the engine's worker and wasm. `--development` retains names and source maps.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const require = createRequire(import.meta.url);
const core = join(dirname(require.resolve("@jupyterlab/core-meta/package.json")), "core.package.json");
const builder = join(dirname(require.resolve("@jupyter/builder/package.json")), "lib", "build-labextension.js");
const development = process.argv.includes("--development") ? ["--development"] : [];

const { status } = spawnSync(process.execPath, [builder, "--core-package-file", core, ...development, here], {
  cwd: here,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
