// Packs the npm packages as they are published: `npm run pack -- FOLDER [--dry-run]`. Prints each with its files, as
// JSON. Everything has to be built. Each package is assembled in a temporary folder: with licence and notices, and
// without references to source maps, which are not published.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { main, SetupError } from "./lib/fail.mjs";
import { ROOT, at } from "./lib/paths.mjs";

/**
 * Packages with third-party code; that of the server has its notices in `dist`, the others contain only our own code.
 */
const WITH_NOTICES = ["engine", "widgets"];
const textsOf = (workspace) => ["LICENSE", ...(WITH_NOTICES.includes(workspace) ? ["THIRD-PARTY-NOTICES.txt"] : [])];

/** A line of a script or a style sheet with the name of a source map. */
const MAP = /^(?:\/\/|\/\*)# sourceMappingURL=.*\n?/gm;

/** The output of `npm pack`: one entry for each package. */
function pack(cwd, ...args) {
  const npm = spawnSync("npm", ["pack", "--json", ...args], { cwd, encoding: "utf8", maxBuffer: 2 ** 26 });
  if (npm.status !== 0) throw new SetupError(npm.stderr);
  return Object.values(JSON.parse(npm.stdout.slice(npm.stdout.search(/^[[{]/m))));
}

function stage({ files }, workspace, folder) {
  for (const [from, path] of [
    ...files.map(({ path }) => [at(workspace, path), path]),
    ...textsOf(workspace).map((text) => [at(text), text]),
  ]) {
    const to = join(folder, path);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
    if (!/\.(?:m?js|css|d\.ts)$/.test(path)) continue;
    const text = readFileSync(from, "utf8");
    writeFileSync(to, text.replace(MAP, ""));
  }
}

await main(() => {
  const { values, positionals } = parseArgs({ options: { "dry-run": { type: "boolean" } }, allowPositionals: true });
  const [folder] = positionals;
  if (folder === undefined) throw new SetupError("usage: npm run pack -- FOLDER [--dry-run]");
  mkdirSync(folder, { recursive: true });
  const { workspaces } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  const listed = pack(ROOT, "--dry-run", ...workspaces.flatMap((one) => ["--workspace", one]));
  const temporary = mkdtempSync(join(tmpdir(), "wattbook-pack-"));
  try {
    const stages = workspaces.map((workspace) => {
      const { name } = JSON.parse(readFileSync(at(workspace, "package.json"), "utf8"));
      const one = listed.find((account) => account.name === name);
      const target = join(temporary, workspace.replaceAll("/", "-"));
      stage(one, workspace, target);
      return target;
    });
    // Builds before packing have already run for the listing above.
    const options = ["--ignore-scripts", "--pack-destination", resolve(folder)];
    const packed = pack(temporary, ...options, ...(values["dry-run"] ? ["--dry-run"] : []), ...stages);
    console.log(JSON.stringify(packed, null, 2));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
});
