// Packs the npm packages as they are published: `npm run pack -- FOLDER [--dry-run]`. Prints each with its files, as JSON. Everything
// has to be built. Licence and notices lie in the packages only while they are packed.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { main, SetupError } from "./lib/fail.mjs";
import { ROOT, at } from "./lib/paths.mjs";

const TEXTS = ["LICENSE", "THIRD-PARTY-NOTICES.txt"];
/** Those with third-party code in them; that of the server has its notices in `dist`, the others are our own code alone. */
const WITH_NOTICES = ["engine", "widgets"];

await main(() => {
  const { values, positionals } = parseArgs({ options: { "dry-run": { type: "boolean" } }, allowPositionals: true });
  const [folder] = positionals;
  if (folder === undefined) throw new SetupError("usage: npm run pack -- FOLDER [--dry-run]");
  mkdirSync(folder, { recursive: true });
  const { workspaces } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  const texts = workspaces.flatMap((one) =>
    TEXTS.filter((text) => text === "LICENSE" || WITH_NOTICES.includes(one)).map((text) => [at(text), at(one, text)]),
  );
  try {
    for (const [from, to] of texts) copyFileSync(from, to);
    const options = ["--json", "--pack-destination", folder, ...(values["dry-run"] ? ["--dry-run"] : [])];
    const chosen = workspaces.flatMap((one) => ["--workspace", one]);
    const npm = spawnSync("npm", ["pack", ...options, ...chosen], { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26 });
    if (npm.status !== 0) throw new SetupError(npm.stderr);
    console.log(npm.stdout.slice(npm.stdout.search(/^[[{]/m)));
  } finally {
    for (const [, to] of texts) rmSync(join(to), { force: true });
  }
});
