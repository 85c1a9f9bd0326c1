// Writes the template of translations (.pot, domain wattbook): `npm run translations -- OUT.pot`.
import { readFileSync, writeFileSync } from "node:fs";
import { main, SetupError } from "./lib/fail.mjs";
import { at } from "./lib/paths.mjs";
import { collectTexts, potOf } from "./lib/translations.mjs";

await main(() => {
  const [out] = process.argv.slice(2);
  if (out === undefined) {
    throw new SetupError("usage: npm run translations -- OUT.pot");
  }
  const texts = collectTexts();
  const { version } = JSON.parse(readFileSync(at("extension", "package.json"), "utf8"));
  writeFileSync(out, potOf(texts, version));
  console.log(`${out}: ${texts.length} texts`);
});
