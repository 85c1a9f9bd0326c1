import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VENV, at } from "../lib/paths.mjs";
import { ask, run } from "../lib/run.mjs";
import { hashOf } from "../lib/stamps.mjs";
import { findPython } from "../lib/tools.mjs";

/**
 * JupyterLab's scripts for Node.js, such as its yarn, are CommonJS. In `.venv` they would be treated as ES modules,
 * because of the repository's package.json, and every start of JupyterLab would print their failure.
 */
const NODE_SCRIPTS = join(VENV, "package.json");

/** The Python environment with JupyterLab; the project's own `.venv` is created where no other environment is given. */
export const pythonEnvironment = {
  name: "python-environment",
  title: "Python environment with JupyterLab",
  key: ({ python }) => hashOf(["binder/requirements.txt", "binder/constraints.txt"], python),
  outputs: ({ python, prefix }) => [
    python,
    join(prefix, "bin", "jupyter-lab"),
    ...(prefix === VENV ? [NODE_SCRIPTS] : []),
  ],
  async run({ python, prefix }) {
    if (prefix === VENV && (await ask(python, ["-c", "import pip"])) === null) {
      const base = await findPython();
      await run(base, ["-m", "venv", ...(existsSync(VENV) ? ["--clear"] : []), VENV]);
    }
    await run(python, [
      "-m",
      "pip",
      "install",
      "--disable-pip-version-check",
      "-q",
      "-r",
      at("binder", "requirements.txt"),
    ]);
    if (prefix === VENV) {
      writeFileSync(NODE_SCRIPTS, '{ "type": "commonjs" }\n');
    }
  },
};
