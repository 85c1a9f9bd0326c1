// What the npm packages contain, and that the first example of the engine's page runs from the packed files.
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { test } from "tap";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

interface Packed {
  name: string;
  version: string;
  filename: string;
  size: number;
  files: { path: string }[];
}

/** Patterns of the files that a package may contain; each has to be there. Nothing else may. */
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

test("the packages", async (t) => {
  const folder = t.testdir({});
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, "binder/pack.mjs"), folder], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
  });
  const answer = JSON.parse(stdout) as Packed[] | Record<string, Packed>;
  const packed = Array.isArray(answer) ? answer : Object.values(answer);
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };

  await t.test("contain what they should and nothing else", async (t) => {
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

  await t.test("the engine runs from its packed file", async (t) => {
    const engine = packed.find(({ name }) => name === "@service/engine");
    const project = t.testdir({});
    const target = join(project, "node_modules/@service/engine");
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", join(folder, engine?.filename ?? ""), "-C", target, "--strip-components=1"]);
    const readme = readFileSync(join(target, "README.md"), "utf8");
    const [, example = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
    const shown =
      "console.log(JSON.stringify([prices, solution.prices].map((rows) => rows.map(({ value }) => value))));";
    writeFileSync(join(project, "example.mjs"), `${example}\n${shown}`);
    const said = execFileSync(process.execPath, [join(project, "example.mjs")], { cwd: project, encoding: "utf8" });
    const rounded = (JSON.parse(said) as number[][]).map((row) => row.map((value) => Math.round(value * 1e6) / 1e6));
    // 60 MW over the line: the unit at bus 2 sets the price there. With 50 MW of demand everything comes from bus 1.
    t.strictSame(rounded, [
      [10, 30],
      [10, 10],
    ]);
  });
});
