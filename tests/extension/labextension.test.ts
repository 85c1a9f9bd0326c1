// The built extension: the files that JupyterLab finds and loads.
import { readdir, readFile, stat } from "node:fs/promises";
import t from "tap";

const source = new URL("../../extension/", import.meta.url);
const packageOf = async (folder: URL): Promise<Manifest> =>
  JSON.parse(await readFile(new URL("package.json", folder), "utf8")) as Manifest;

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  jupyterlab: { outputDir: string; _build?: { load: string; extension: string; style: string } };
}

const manifest = await packageOf(source);
const built = new URL(`${manifest.jupyterlab.outputDir}/`, source);
const files = await readdir(new URL("static/", built));
const only = (pattern: RegExp): string => {
  const found = files.filter((name) => pattern.test(name));
  t.equal(found.length, 1, `one file ${pattern.source}`);
  return found[0] ?? "";
};
const text = (name: string): Promise<string> => readFile(new URL(`static/${name}`, built), "utf8");

t.test("JupyterLab finds the entry, the plugins and the style", async (t) => {
  const { version, jupyterlab } = await packageOf(built);
  t.equal(version, manifest.version);
  t.match(jupyterlab._build, { extension: "./extension", style: "./style" });
  t.ok(files.includes(jupyterlab._build?.load.replace("static/", "") ?? ""));
});

t.test("worker and wasm are separate files, and the worker needs no other", async (t) => {
  const worker = await text(only(/^engine\.worker\.[0-9a-f]+\.js$/));
  t.notMatch(worker, /\bimport\s*[{*"'(]/, "no import is left in the worker");
  const wasm = only(/^wattbook_engine_bg\.[0-9a-f]+\.wasm$/);
  t.ok((await stat(new URL(`static/${wasm}`, built))).size > 100_000);
});

t.test("start-up loads little: map and widget are loaded with the first map", async (t) => {
  const { jupyterlab } = await packageOf(built);
  const entry = await text(jupyterlab._build?.load.replace("static/", "") ?? "");
  t.ok(entry.length < 60_000, `${entry.length} characters`);
  t.notMatch(entry, "wb-Stage", "the map is not part of the entry");
});

t.test("the File menu gets its entry from a schema that belongs to a plugin", async (t) => {
  const path = new URL("schemas/@service/jupyterlab/files.json", built);
  const schema = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
  t.match(schema["jupyter.lab.menus"], {
    main: [{ id: "jp-mainmenu-file", items: [{ command: "wattbook:open-files" }] }],
  });
  const scripts = await Promise.all(files.filter((name) => name.endsWith(".js")).map(text));
  t.ok(scripts.some((script) => script.includes("@service/jupyterlab:files")));
});

t.test("packages of JupyterLab are not bundled again", async (t) => {
  const scripts = await Promise.all(files.filter((name) => name.endsWith(".js")).map(text));
  for (const mark of ["react.production.min", "Lumino.Widgets", "__SECRET_INTERNALS_DO_NOT_USE"]) {
    t.notOk(
      scripts.some((script) => script.includes(`${mark}={`) || script.includes(`exports.${mark}`)),
      mark,
    );
  }
  for (const own of ["@service/engine", "@service/widgets"]) {
    t.ok(own in manifest.dependencies);
  }
});
