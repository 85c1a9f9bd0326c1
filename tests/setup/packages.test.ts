// The content of the npm packages, and the examples of their pages, run from the packed files.
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import t, { test } from "tap";
import {
  engineInNode,
  engineInPages,
  installedAlone,
  serverStages,
  typesInNode,
  webmcpInPage,
  widgetsInPage,
} from "./packedExamples.ts";
import { packedProject } from "./packedProject.ts";

t.setTimeout(900_000); // packing builds, and the grids are solved

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

interface Packed {
  name: string;
  version: string;
  filename: string;
  size: number;
  files: { path: string }[];
}

/** Patterns of the allowed files of a package; each must match at least one file. */
const CODE = /^lib\/.*\.(js|d\.ts)$/;
const COMMON = [/^package\.json$/, /^README\.md$/, /^LICENSE$/];
const NOTICES = /^THIRD-PARTY-NOTICES\.txt$/;
const CONTENTS: Record<string, RegExp[]> = {
  "@service/engine": [CODE, /^wasm\/\w+(\.wasm)?(\.d\.ts|\.js)$/, /^wasm\/wattbook_engine_bg\.wasm$/, NOTICES],
  "@service/server": [
    CODE,
    /^bin\/wattbook-server\.mjs$/,
    /^dist\/(server|solver\.worker)\.mjs$/,
    /^dist\/[\w.]+\.LEGAL\.txt$/,
    /^dist\/THIRD-PARTY-NOTICES\.txt$/,
    /^dist\/fallback\/[\w.]+\.json$/,
    /^dist\/grids\/(LICENSE|[\w.]+\.json(\.gz)?|base\/[\w-]+\.base)$/,
    /^dist\/page\/(index\.html|THIRD-PARTY-NOTICES\.txt)(\.gz)?$/,
    /^dist\/page\/assets\/[\w.-]+-\w{8}\.(js|mjs|css|json|svg|png|woff2|pmtiles)(\.gz|\.LEGAL\.txt)?$/,
    /^dist\/page\/assets\/wattbook_engine_bg-\w+\.wasm$/,
  ],
  "@service/widgets": [
    CODE,
    /^basemap\/\w+\.(json|pmtiles)$/,
    /^dist\/[\w-]+\.(js|mjs|css)$/,
    /^src\/[\w/]+\.d\.ts$/,
    /^style\/.*\.css$/,
    NOTICES,
  ],
  "@service/svelte": [/^lib\/\w+\.svelte$/, /^lib\/[\w.]+\.(js|d\.ts)$/],
  "@service/webmcp": [CODE],
  "@service/jupyterlab": [CODE, /^schema\/[\w-]+\.json$/, /^style\/.*\.(css|js)$/],
};

interface Manifest {
  name: string;
  engines?: { node?: string };
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** A package imported by a file, with any form of import. */
const IMPORTED = /(?:\bfrom\s+|\bimport\s*\(\s*|^\s*import\s+)["']((?:@[\w.-]+\/)?[a-z][\w.-]*)[/"']/gm;
/** Excludes the comments that a bundled library writes into other files. */
const SOURCE_MAP = /^(?:\/\/|\/\*)# sourceMappingURL=(\S+)/gm;

const found = (folder: string, pattern: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => pattern.test(path));

test("the packages", { timeout: 900_000 }, async (t) => {
  const folder = t.testdir({});
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, "binder/pack.mjs"), folder], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
  });
  const answer = JSON.parse(stdout) as Packed[] | Record<string, Packed>;
  const packed = Array.isArray(answer) ? answer : Object.values(answer);
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };

  await t.test("contain exactly the expected files", async (t) => {
    t.strictSame(packed.map(({ name }) => name).sort(), Object.keys(CONTENTS).sort());
    for (const one of packed) {
      const paths = one.files.map(({ path }) => path);
      const allowed = [...COMMON, ...(CONTENTS[one.name] ?? [])];
      const others = paths.filter((path) => !allowed.some((pattern) => pattern.test(path)));
      t.strictSame(others, [], `${one.name}: nothing else`);
      const absent = allowed.filter((pattern) => !paths.some((path) => pattern.test(path)));
      t.strictSame(absent.map(String), [], `${one.name}: everything`);
      t.equal(one.version, version);
    }
  });

  await t.test("run the examples of their pages in an empty project", async (t) => {
    const files = packed.map(({ name, filename }) => ({ name, path: join(folder, filename) }));
    const project = packedProject(t, files);
    for (const { name } of packed) {
      const folder = join(project, "node_modules", name);
      const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
      t.equal(manifest.engines?.node, ">=20", `${name} states the versions of Node.js`);
      const declared = { ...manifest.dependencies, ...manifest.peerDependencies, [name]: "", node: "" };
      for (const path of found(folder, /\.(m?js|d\.ts|svelte|css)$/)) {
        const text = readFileSync(join(folder, path), "utf8");
        const maps = [...text.matchAll(SOURCE_MAP)].map(([, map = ""]) => map);
        const absent = maps.filter((map) => !existsSync(join(folder, dirname(path), map)));
        if (absent.length > 0) t.fail(`${name}/${path} names ${absent.join()}, which is not in the package`);
        if (!path.startsWith("lib")) continue; // bundles import nothing
        const packages = [...text.matchAll(IMPORTED)].map(([, one = ""]) => one);
        const unknown = packages.filter((one) => !Object.hasOwn(declared, one) && !isBuiltin(one));
        if (unknown.length > 0) t.fail(`${name}/${path} imports ${unknown.join()}, which the package does not declare`);
      }
      const pinned = Object.keys(declared).filter((one) => one.startsWith("plotly.js"));
      t.strictSame(pinned, [], `${name} bundles plotly.js`);
    }
    typesInNode(t, project);
    engineInNode(t, project);
    serverStages(t, project);
    await engineInPages(t, project);
    await widgetsInPage(t, project);
    await webmcpInPage(t, project);
  });

  const more = process.env.WATTBOOK_EXTRAS ? false : "installs from the registry; part of `npm test -- --all`";
  await t.test("install from files beside each other as documented", { skip: more }, async (t) => {
    const files = packed.map(({ name, filename }) => ({ name, path: join(folder, filename) }));
    await installedAlone(t, files);
  });
});
