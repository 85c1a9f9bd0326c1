import { existsSync } from "node:fs";
import { join } from "node:path";
import { VENV, at } from "../lib/paths.mjs";
import { ask, run } from "../lib/run.mjs";
import { hashOf } from "../lib/stamps.mjs";
import { findPython } from "../lib/tools.mjs";

/** The Python environment with JupyterLab; the project's own `.venv` is made where no other environment is given. */
export const pythonEnvironment = {
  name: "python-environment",
  title: "Python environment with JupyterLab",
  key: ({ python }) => hashOf(["binder/requirements.txt", "binder/constraints.txt"], python),
  outputs: ({ python, prefix }) => [python, join(prefix, "bin", "jupyter-lab")],
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
  },
};
