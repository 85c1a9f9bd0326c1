// Builds the stand-alone page into server/dist/page: static files with content hashes in their names, which the
// companion server serves at `/`, as any static server could. All URLs are relative, so the page works below a prefix.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { build } from "esbuild";
import { inputsOf, recordBundled } from "../binder/notices/bundled.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OUT = here("../server/dist/page");
/** The inputs of a single-file map: its page, and the names of the files of `OUT` that it contains. */
const FILE = here("../server/dist/file");

const ENGINE = ["../engine/lib/engine.worker.js", "../engine/wasm/wattbook_engine_bg.wasm"];
const absent = ENGINE.filter((path) => !existsSync(here(path)));
if (absent.length > 0) {
  console.error(`${absent.map((path) => basename(path)).join(", ")}: not built yet; run \`npm run build\` first.`);
  process.exit(1);
}

/**
 * Replaces `new URL("specifier", import.meta.url)` by the URL of a copy of that file, as Rspack does for JupyterLab, so
 * that the sources name their workers, WebAssembly and data once for both.
 */
const assets = {
  name: "assets",
  setup({ onLoad, onResolve }) {
    const NAMED = /new URL\(\s*("[^"]+")\s*,\s*import\.meta\.url\s*,?\s*\)/g;
    const own = /[\\/](widgets|engine)[\\/]src[\\/].*\.tsx?$/;
    onLoad({ filter: own }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const imports = [];
      const contents = text.replaceAll(NAMED, (_, specifier) => {
        imports.push(`import asset${imports.length} from ${JSON.stringify(`asset:${JSON.parse(specifier)}`)};`);
        return `new URL(asset${imports.length - 1}, import.meta.url)`;
      });
      // Appended, so that line numbers do not change.
      return { contents: [contents, ...imports].join("\n"), loader: path.endsWith("x") ? "tsx" : "ts" };
    });
    onResolve({ filter: /^asset:/ }, ({ path, importer }) => ({
      path: createRequire(importer).resolve(path.slice("asset:".length)),
      namespace: "asset",
    }));
    onLoad({ filter: /.*/, namespace: "asset" }, async ({ path }) => ({
      contents: await readFile(path),
      loader: "file",
    }));
  },
};

const common = {
  bundle: true,
  minify: true,
  sourcemap: true,
  target: "es2022",
  platform: "browser",
  conditions: ["wattbook-source"],
  define: { "process.env.NODE_ENV": '"production"' },
  jsx: "automatic",
  loader: { ".svg": "file", ".png": "file", ".woff2": "file" },
  outdir: OUT,
  entryNames: "assets/[name]-[hash]",
  chunkNames: "assets/[name]-[hash]",
  // Beside the code that names them, because their URLs are relative to it.
  assetNames: "assets/[name]-[hash]",
  legalComments: "linked",
  metafile: true,
  logLevel: "warning",
};

/**
 * The front end of maps as the AMD module that ipywidgets' loaders expect: one file, beside the files that it names.
 */
async function buildAmd() {
  const sheet = await build({
    ...common,
    entryPoints: [here("style/amd.css")],
    sourcemap: false,
    legalComments: "none",
    write: false,
  });
  const styles = {
    name: "styles",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^wattbook:styles$/ }, ({ path }) => ({ path, namespace: "styles" }));
      onLoad({ filter: /.*/, namespace: "styles" }, () => ({ contents: sheet.outputFiles[0].text, loader: "text" }));
    },
  };
  return build({
    ...common,
    entryPoints: [here("src/notebook/amd.ts")],
    format: "cjs",
    external: ["@jupyter-widgets/base"],
    define: { ...common.define, "import.meta.url": "wattbookAddress" },
    // The loader states where it found the module; the names of its files are relative to that.
    banner: {
      js: `define(["module","@jupyter-widgets/base"],function(amd,base){var module={exports:{}},exports=module.exports,require=function(){return base},wattbookAddress=new URL(amd.uri,document.baseURI).href;`,
    },
    footer: { js: "return module.exports});" },
    sourcemap: false,
    plugins: [assets, styles],
  });
}

await rm(OUT, { recursive: true, force: true });
const [page, early, unpack, amd] = await Promise.all([
  build({
    ...common,
    entryPoints: [
      here("../extension/webmcp/src/page.ts"),
      here("src/page/file/main.tsx"),
      here("style/page/index.css"),
    ],
    format: "esm",
    splitting: true,
    plugins: [assets],
  }),
  // Not a module: it runs before the first paint.
  build({ ...common, entryPoints: [here("src/page/early.ts")], format: "iife" }),
  build({
    ...common,
    entryPoints: [here("src/page/file/unpack.ts")],
    format: "iife",
    sourcemap: false,
    legalComments: "none",
    write: false,
  }),
  buildAmd(),
]);

recordBundled("page", [
  ...[page, early, unpack, amd].flatMap(({ metafile }) => inputsOf(metafile)),
  createRequire(import.meta.url).resolve("esbuild"),
]);

/** An output by its entry: its path and its inputs. */
function outputOf({ metafile }, entry) {
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry));
  if (found === undefined) throw new Error(`${entry} was not written.`);
  return found;
}

/** The path of an entry's output, relative to the page. */
function written(built, entry) {
  return fromPage(outputOf(built, entry)[0]);
}

/** The chunks that an entry imports statically, directly or indirectly. */
function chunksOf(built, entry) {
  const found = new Set();
  const follow = ({ imports }) => {
    for (const { path, kind } of imports) {
      if (kind === "import-statement" && !found.has(path)) {
        found.add(path);
        follow(built.metafile.outputs[path]);
      }
    }
  };
  follow(outputOf(built, entry)[1]);
  return [...found].map(fromPage);
}

/** The path of an output relative to the page. */
function fromPage(path) {
  return relative(OUT, join(process.cwd(), path)).replaceAll("\\", "/");
}

/** The path of a copied file that the code names, relative to the page. */
function copied({ metafile }, name) {
  const found = Object.entries(metafile.outputs).find(([, { inputs }]) =>
    Object.keys(inputs).some((path) => basename(path) === name),
  );
  if (found === undefined) throw new Error(`${name} was not written.`);
  return fromPage(found[0]);
}

async function writeIcon() {
  const icon = await readFile(here("src/page/icon.svg"));
  const path = `assets/icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8)}.svg`;
  await writeFile(join(OUT, path), icon);
  return path;
}

const places = {
  icon: await writeIcon(),
  early: written(early, "early.ts"),
  style: written(page, "style/page/index.css"),
  main: written(page, "webmcp/src/page.ts"),
  worker: copied(page, "engine.worker.js"),
};
const template = await readFile(here("src/page/index.html"), "utf8");
const html = template
  .replace(/^( *)\{chunks\}\n/m, (_, indent) =>
    chunksOf(page, "webmcp/src/page.ts")
      .map((path) => `${indent}<link rel="modulepreload" href="./${path}" />\n`)
      .join(""),
  )
  .replaceAll(/\{(\w+)\}/g, (_, name) => `./${places[name]}`);
await writeFile(join(OUT, "index.html"), html);

/** All files that an entry may need, by their role in a single-file page: modules, and the files they name. */
function filesOf(built, entry) {
  const main = outputOf(built, entry)[0];
  const roles = new Map([[main, "main"]]);
  for (const [from] of roles) {
    for (const { path, kind, external } of built.metafile.outputs[from].imports) {
      if (!external && !roles.has(path)) {
        roles.set(path, kind === "file-loader" ? "file" : "module");
      }
    }
  }
  return [...roles].map(([path, role]) => ({ path: fromPage(path), role }));
}

await rm(FILE, { recursive: true, force: true });
await mkdir(FILE);
const [before, after] = (await readFile(here("src/page/file/index.html"), "utf8")).split(
  /(?<=id="unpack">)(?=<\/script>)/,
);
await writeFile(join(FILE, "index.html"), `${before}${unpack.outputFiles[0].text.trim()}${after}`);
const files = [{ path: places.style, role: "style" }, ...filesOf(page, "page/file/main.tsx")];
await writeFile(join(FILE, "files.json"), JSON.stringify(files));

await writeFile(join(FILE, "amd.json"), JSON.stringify(filesOf(amd, "notebook/amd.ts")));

// Compressed once here for servers that send files as they are. Tiles are compressed already.
const LEAST_BYTES = 4096;
for (const { outputs } of [page.metafile, early.metafile, amd.metafile]) {
  for (const [path, { bytes }] of Object.entries(outputs)) {
    if (bytes >= LEAST_BYTES && !/\.(map|pmtiles)$/.test(path)) {
      await writeFile(`${path}.gz`, await promisify(gzip)(await readFile(path), { level: 9 }));
    }
  }
}
