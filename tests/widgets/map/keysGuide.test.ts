// The list of keys on the map equals that of docs/guides/map.md.
import { readFile } from "node:fs/promises";
import t from "tap";

const text = async (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), "utf8");
/** One space between words; the dots of a typed minus sign and of a code point are the same sign. */
const plain = (words: string) => words.replaceAll("\\u2212", "\u2212").replaceAll(/\s+/g, " ").trim();

t.test("the guide lists the keys of the map", async (t) => {
  const source = await text("widgets/src/map/panels/keysHelp.ts");
  const body = source.slice(source.indexOf("return ["), source.indexOf("];"));
  const words = [...body.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, found = ""]) => plain(found));
  t.ok(words.length >= 20 && words.length % 2 === 0, `${words.length / 2} rows`);
  const guide = await text("docs/guides/map.md");
  const rows = [...guide.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].map(([, keys = "", does = ""]) => [keys, does] as const);
  for (let k = 0; k < words.length; k += 2) {
    const [keys = "", does = ""] = words.slice(k, k + 2);
    const row = rows.find(([name]) => plain(name) === keys);
    t.equal(row?.[1], does, keys);
  }
});
