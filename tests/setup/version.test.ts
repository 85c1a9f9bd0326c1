// The version in package.json equals that of every other place, and one command changes all of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "tap";
// @ts-expect-error plain JavaScript, which runs before TypeScript is installed
import { setVersion, versionsElsewhere } from "../../binder/lib/versions.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const { version, workspaces } = JSON.parse(read("package.json")) as { version: string; workspaces: string[] };

type Place = { path: string; version: string };
const places = (from: (path: string) => string) => versionsElsewhere(from) as Place[];

test("every place has the version of package.json", async (t) => {
  const found = places(read);
  t.strictSame(
    found.filter((place) => place.version !== version),
    [],
  );
  const paths = new Set(found.map(({ path }) => path));
  t.ok(paths.has("pyproject.toml") && paths.has("engine/Cargo.lock") && paths.has("package-lock.json"));
  for (const folder of workspaces) t.ok(paths.has(`${folder}/package.json`), folder);
});

test("one command writes exactly these places", async (t) => {
  const written = new Map<string, string>();
  const now = (path: string) => written.get(path) ?? read(path);
  setVersion("7.6.5", { read: now, write: (path: string, text: string) => written.set(path, text) });
  t.strictSame([...new Set(places(now).map((place) => place.version))], ["7.6.5"]);
  t.equal(places(now).length, places(read).length);
  for (const [path, text] of written) {
    t.notOk(/"@service\/\w+": "(?!7\.6\.5)/.test(text), `${path}: our own packages`);
    t.equal(text.replaceAll("7.6.5", version), read(path), `${path}: only versions`);
  }
  for (const wrong of ["1.2", "v1.2.3", "1.2.3 && rm"]) {
    t.throws(() => setVersion(wrong, { read, write: () => t.fail() }), { message: /three numbers/ });
  }
});

test("the changelog begins with this or a later version", async (t) => {
  const [, first] = /^## (\d+\.\d+\.\d+)( \(unreleased\)| - \d{4}-\d\d-\d\d)$/m.exec(read("CHANGELOG.md")) ?? [];
  t.equal(first, version);
});
