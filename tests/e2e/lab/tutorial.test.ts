// The pictures of the tutorial can be regenerated from its code, and those in the repository are up to date.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import t from "tap";
import { PICTURES, tutorialPictures } from "../tutorialPictures.ts";

t.setTimeout(300_000); // a JupyterLab, and four pictures that must settle

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TUTORIAL = join(ROOT, "docs", "guides", "tutorial.md");
/** Maximum size of a picture on a page of the documentation. */
const MOST_BYTES = 150_000;

t.test("every picture is shown and small", (t) => {
  const shown = [...readFileSync(TUTORIAL, "utf8").matchAll(/!\[[^\]]+\]\(\.\.\/images\/([\w-]+)\.png\)/g)];
  t.strictSame(
    shown.map(([, name]) => name),
    [...PICTURES],
  );
  for (const name of readdirSync(join(ROOT, "docs", "images"))) {
    t.ok(statSync(join(ROOT, "docs", "images", name)).size < MOST_BYTES, name);
  }
  t.end();
});

t.test("the pictures can be regenerated", async (t) => {
  const folder = t.testdir({});
  await tutorialPictures(TUTORIAL, folder);
  t.strictSame(readdirSync(folder).sort(), PICTURES.map((name) => `${name}.png`).sort());
  for (const name of PICTURES) {
    const png = readFileSync(join(folder, `${name}.png`));
    t.ok(png.length < MOST_BYTES, `${name} is small`);
    t.ok(png.readUInt32BE(16) > 600, `${name} shows a map of a readable width`);
  }
});
