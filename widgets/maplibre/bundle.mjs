// Bundles the part of MapLibre GL that the maps use into dist/maplibre.js, and its worker into dist/maplibreWorker.js, which the page and
// the JupyterLab extension load with the first map that a graphics card draws:
//
//   node widgets/maplibre/bundle.mjs
//
// Its authors publish a worker of two files, which a bundler would not follow, and controls that no map here has.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { inputsOf, recordBundled } from "../../binder/notices/bundled.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const require = createRequire(import.meta.url);

const common = {
  bundle: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  // The worker's URL is passed explicitly; the library's own guess fits only pages that load its original files.
  define: { "import.meta.url": "globalThis.location.href" },
  minify: true,
  sourcemap: true,
  metafile: true,
  logLevel: "warning",
};
const library = { contents: `export { Map, addProtocol, setWorkerCount, setWorkerUrl } from "maplibre-gl";` };
const [map, worker] = await Promise.all([
  build({
    ...common,
    stdin: { ...library, resolveDir: here("."), sourcefile: "maplibre.js" },
    outfile: here("../dist/maplibre.js"),
  }),
  build({
    ...common,
    entryPoints: [require.resolve("maplibre-gl/dist/maplibre-gl-worker.mjs")],
    outfile: here("../dist/maplibreWorker.js"),
    // Both a module and a script: widgets/src/map/ground/groundLibrary.ts needs the latter for pages from the disk.
    format: "iife",
    // It is copied beside the page without its map.
    sourcemap: false,
    logOverride: { "direct-eval": "silent" },
  }),
]);

/** Folder of a package as resolved from another one. */
function folderOf(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(join(found, "package.json"))) return found;
    if (folder === dirname(folder)) throw new Error(`${name} is not installed.`);
  }
}

/** The packages bundled into the library's files, as listed in its source maps. */
function within(folder) {
  const names = ["maplibre-gl", "maplibre-gl-shared", "maplibre-gl-worker"].flatMap((name) =>
    JSON.parse(readFileSync(join(folder, "dist", `${name}.mjs.map`), "utf8")).sources.flatMap(
      (source) => /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [],
    ),
  );
  return [...new Set(names)].map((name) => folderOf(name, folder));
}

recordBundled("maplibre", [
  ...[map, worker].flatMap(({ metafile }) => inputsOf(metafile)),
  ...within(folderOf("maplibre-gl", here("."))).map((folder) => join(folder, "package.json")),
  require.resolve("esbuild"),
]);
