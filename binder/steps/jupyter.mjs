import { lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LABEXTENSION, WHEEL_DATA } from "../lib/paths.mjs";

const SERVER_CONFIG = join("etc", "jupyter", "jupyter_server_config.d", "wattbook.json");
const PAGE_CONFIG = join("etc", "jupyter", "labconfig", "page_config.json");
/** JupyterLab's own news prompt, which requires the network at the first start. */
const NEWS = "@jupyterlab/apputils-extension:announcements";

function linkTarget(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : null;
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {}; // absent or unreadable: written again
  }
}

/** Links for Jupyter in the environment, so that a rebuild takes effect after reloading the page. */
const links = (prefix) =>
  [LABEXTENSION, SERVER_CONFIG].map((path) => ({ from: join(prefix, path), to: join(WHEEL_DATA, path) }));

const newsIsOff = (prefix) => readJson(join(prefix, PAGE_CONFIG)).disabledExtensions?.[NEWS] === true;

/** The labextension and the server extension's configuration, linked into the environment. */
export const jupyterLinks = {
  name: "jupyter-links",
  title: "extensions linked into JupyterLab",
  after: ["labextension", "engine-python"],
  current: ({ prefix }) => newsIsOff(prefix) && links(prefix).every(({ from, to }) => linkTarget(from) === to),
  async run({ prefix }) {
    for (const { from, to } of links(prefix)) {
      rmSync(from, { recursive: true, force: true });
      mkdirSync(dirname(from), { recursive: true });
      symlinkSync(to, from);
    }
    const path = join(prefix, PAGE_CONFIG);
    const config = readJson(path);
    mkdirSync(dirname(path), { recursive: true });
    const disabledExtensions = { ...config.disabledExtensions, [NEWS]: true };
    writeFileSync(path, `${JSON.stringify({ ...config, disabledExtensions }, null, 2)}\n`);
  },
};
