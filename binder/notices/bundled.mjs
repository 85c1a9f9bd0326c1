// Records which npm packages a build bundles. Each bundling build writes its record here, from which the licence
// notices are made.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { SetupError } from "../lib/fail.mjs";
import { ROOT, at } from "../lib/paths.mjs";

/** The builds that bundle packages. */
export const BUNDLES = ["worker", "plotly", "maplibre", "basemap", "server", "page", "labextension"];

/** The record of one build. */
export const recordOf = (bundle) => at(".setup", "bundled", `${bundle}.json`);

/**
 * Folders of the npm packages in a bundle, relative to the repository's top folder.
 *
 * @throws {SetupError} when it is not built
 */
export function readRecord(bundle) {
  const path = recordOf(bundle);
  if (!existsSync(path)) throw new SetupError(`The ${bundle} is not built yet: run \`npm run build\`.`);
  return JSON.parse(readFileSync(path, "utf8"));
}

/**
 * Records the npm packages of a bundle.
 *
 * @param {string} bundle  one of `BUNDLES`
 * @param {Iterable<string>} files  absolute paths of its inputs, and of the bundler, whose helpers are in the output;
 * files that belong to no package are our own
 */
export function recordBundled(bundle, files) {
  const folders = new Set([...files].map(packageFolder).filter((folder) => folder !== null));
  mkdirSync(dirname(recordOf(bundle)), { recursive: true });
  writeFileSync(recordOf(bundle), `${JSON.stringify([...folders].sort(), null, 2)}\n`);
}

/** Folder of a file's npm package, relative to the repository's top folder; null for our own files. */
export function packageFolder(file) {
  const path = relative(ROOT, file).split(sep).join("/");
  const [, folder] = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)(?:\/|$)/.exec(path) ?? [];
  return folder ?? null;
}

/** Absolute paths of the files with any content in an output of esbuild, from its metafile. */
export function inputsOf({ outputs }, folder = process.cwd()) {
  const used = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  // Files of plugins have a namespace prefix.
  return used.map(([path]) => resolve(folder, path.replace(/^\(?[a-z-]{2,}\)?:/, "")));
}
