import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LABEXTENSION, WHEEL_DATA, at } from "../lib/paths.mjs";
import { recordOf } from "../notices/bundled.mjs";
import { run } from "../lib/run.mjs";
import { hashOf } from "../lib/stamps.mjs";

const WORKSPACES = ["engine", "server", "widgets", "extension/webmcp", "extension"];
const COMMON = [
  "package-lock.json",
  "tsconfig.base.json",
  "engine/wasm/wattbook_engine.js",
  "engine/wasm/wattbook_engine.d.ts",
];
const WASM = ["engine/wasm/wattbook_engine_bg.wasm"];
const ENGINE = ["engine/src", "engine/package.json", "engine/tsconfig.json", "engine/build.mjs"];
const SERVER = [
  "server/src",
  "server/bin",
  "server/scripts",
  "server/grids",
  "server/package.json",
  "server/tsconfig.json",
  "server/build.mjs",
];
const BASEMAP = ["widgets/basemap/basemap.json", "widgets/basemap/counties.json", "widgets/basemap/earth.pmtiles"];
const PLOTLY = ["widgets/dist/plotly.js"];
const MAPLIBRE = ["widgets/dist/maplibre.js", "widgets/dist/maplibreWorker.js"];
const WIDGETS = ["widgets/src", "widgets/style", "widgets/package.json", "widgets/tsconfig.json"];

const WEBMCP = ["extension/webmcp/src", "extension/webmcp/package.json", "extension/webmcp/tsconfig.json"];

/** The extension's sources and its configuration files, whatever their names. */
function extensionInputs() {
  const built = new Set(["lib", "dist", "node_modules", "webmcp"]);
  return readdirSync(at("extension"))
    .filter((name) => !built.has(name) && !name.startsWith(".") && !name.endsWith(".tsbuildinfo"))
    .sort()
    .map((name) => `extension/${name}`);
}

const built = (...parts) => join(WHEEL_DATA, LABEXTENSION, ...parts);

/** Land, borders and names of the map, baked from public geography, so that no map contacts a tile service. */
export const basemap = {
  name: "basemap",
  title: "basemap",
  after: ["node-packages"],
  key: () =>
    hashOf([
      "package-lock.json",
      ...["bake", "topology", "tiles", "pmtiles"].map((name) => `widgets/basemap/${name}.mjs`),
      "widgets/basemap/natural_earth",
    ]),
  outputs: () => [...BASEMAP.map((path) => at(path)), recordOf("basemap")],
  async run() {
    await run(process.execPath, [at("widgets/basemap/bake.mjs")]);
    await run(process.execPath, [at("widgets/basemap/tiles.mjs")]);
  },
};

/** The engine's worker bundle and wasm factory, then TypeScript to JavaScript and declarations. */
export const typescript = {
  name: "typescript",
  title: "TypeScript packages",
  after: ["node-packages", "engine-wasm"],
  key: () => hashOf([...COMMON, ...ENGINE, ...SERVER, ...WIDGETS, ...WEBMCP, ...extensionInputs()]),
  outputs: () => [
    at("engine/wasm/instance.js"),
    at("engine/lib/engine.worker.js"),
    recordOf("worker"),
    ...[
      "engine/lib/index.js",
      "server/lib/index.js",
      "widgets/lib",
      "extension/webmcp/lib/index.js",
      "extension/lib/index.js",
    ].map((path) => at(path)),
  ],
  async run() {
    await run(process.execPath, [at("engine/build.mjs")]);
    await run(at("node_modules", ".bin", "tsc"), ["-b", ...WORKSPACES]);
  },
};

/** The part of plotly.js that the charts use. */
export const plotly = {
  name: "plotly",
  title: "plotly.js for the charts",
  after: ["node-packages"],
  key: () => hashOf(["package-lock.json", "widgets/plotly"]),
  outputs: () => [...PLOTLY.map((path) => at(path)), recordOf("plotly")],
  run: () => run(process.execPath, [at("widgets/plotly/bundle.mjs")]),
};

/** The part of MapLibre GL that the maps use, and its worker. */
export const maplibre = {
  name: "maplibre",
  title: "MapLibre GL for the maps",
  after: ["node-packages"],
  key: () => hashOf(["package-lock.json", "widgets/maplibre"]),
  outputs: () => [...MAPLIBRE.map((path) => at(path)), recordOf("maplibre")],
  run: () => run(process.execPath, [at("widgets/maplibre/bundle.mjs")]),
};

/**
 * The Fastify server as one file, with the solved grids and the public benchmark cases that it serves when none are
 * staged.
 */
export const server = {
  name: "server",
  title: "companion server with its grids",
  after: ["typescript", "python-environment"],
  key: () => hashOf([...COMMON, ...WASM, ...ENGINE, ...SERVER, "binder/requirements.txt"]),
  outputs: () => [
    recordOf("server"),
    ...[
      "server.mjs",
      "solver.worker.mjs",
      "wattbook_engine_bg.wasm",
      "fallback/catalogue.json",
      "grids/catalogue.json",
    ].map((f) => at("server/dist", f)),
  ],
  run: ({ python }) => run(process.execPath, [at("server/build.mjs")], { env: { WATTBOOK_PYTHON: python } }),
};

/** The stand-alone page, beside the server that serves it; the wheel includes both. */
export const page = {
  name: "page",
  title: "stand-alone page",
  after: ["typescript", "plotly", "maplibre", "basemap"],
  key: () =>
    hashOf([
      ...COMMON,
      ...WASM,
      ...ENGINE,
      ...WIDGETS,
      ...WEBMCP,
      ...PLOTLY,
      ...MAPLIBRE,
      ...BASEMAP,
      "widgets/build.mjs",
    ]),
  outputs: () => [at("server/dist/page/index.html"), at("server/dist/file/index.html"), recordOf("page")],
  run: () => run(process.execPath, [at("widgets/build.mjs")]),
};

/** The prebuilt JupyterLab extension, in the folder that becomes part of the wheel. */
export const labextension = {
  name: "labextension",
  title: "JupyterLab extension",
  after: ["typescript", "plotly", "maplibre", "basemap", "python-environment"],
  key: () =>
    hashOf([
      ...COMMON,
      ...WASM,
      ...ENGINE,
      ...WIDGETS,
      ...WEBMCP,
      ...PLOTLY,
      ...MAPLIBRE,
      ...BASEMAP,
      ...extensionInputs(),
    ]),
  outputs: () => [built("package.json"), built("install.json"), built("static"), recordOf("labextension")],
  async run() {
    await run(process.execPath, [at("extension/build.mjs")]);
    copyFileSync(at("extension/install.json"), built("install.json")); // names the Python package to JupyterLab
  },
};
