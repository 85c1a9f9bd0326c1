import { lstatSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { LABEXTENSION, at } from "../lib/paths.mjs";
import { run } from "../lib/run.mjs";
import { hashOf } from "../lib/stamps.mjs";
import { ensureRustTarget } from "../lib/tools.mjs";

/** Inputs of the compiled engine. */
export const RUST = [
  "engine/Cargo.toml",
  "engine/Cargo.lock",
  "engine/crates",
  "engine/messages",
  "engine/shims",
  "engine/xtask",
];

/** The engine as WebAssembly: for development without link-time optimisation, for distribution with it. */
export const engineWasm = {
  name: "engine-wasm",
  title: "engine as WebAssembly (several minutes the first time)",
  key: () => hashOf(RUST),
  outputs: () =>
    ["wattbook_engine.js", "wattbook_engine.d.ts", "wattbook_engine_bg.wasm"].map((f) => at("engine/wasm", f)),
  async run({ mode }) {
    await ensureRustTarget("wasm32-unknown-unknown");
    const flags = mode === "dev" ? ["--dev"] : [];
    await run("cargo", ["run", "--locked", "--release", "-p", "xtask", "--", "wasm", ...flags], { cwd: at("engine") });
  },
};

/**
 * The engine as the Python module `wattbook._engine`, with the package `wattbook` installed in place (editable).
 *
 * Profile `release`, like `cargo test --release`, so that the parser crates are compiled once for both.
 */
export const enginePython = {
  name: "engine-python",
  title: "engine as a Python module (several minutes the first time)",
  after: ["python-environment", "engine-wasm", "notices"], // it copies the wheel's data
  key: ({ python }) => hashOf([...RUST, "pyproject.toml"], python),
  outputs: ({ prefix }) => [at("widgets/python/wattbook/_engine.abi3.so"), join(prefix, "bin", "wattbook")],
  async run({ python, prefix }) {
    // pip deletes an earlier installation's data files by name; through the link it would delete the built labextension.
    const link = join(prefix, LABEXTENSION);
    if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(link);
    await run(python, ["-m", "maturin", "develop", "--profile", "release", "--locked"], {
      env: {
        VIRTUAL_ENV: prefix,
        CONDA_PREFIX: undefined, // maturin refuses to choose between the two where conda's base is active
        PATH: `${dirname(python)}:${process.env.PATH}`,
        PIP_QUIET: "1",
        PIP_DISABLE_PIP_VERSION_CHECK: "1",
      },
    });
  },
};
