// The texts by which tests find elements of the page are those of the page.
import { readdir, readFile } from "node:fs/promises";
import t from "tap";
// @ts-expect-error plain JavaScript, as all of the set-up
import { collectTexts } from "../../binder/lib/translations.mjs";
import { pattern, sentence, sentencePattern, type Template, pageText, type TextKey, TEXTS } from "./catalogue.ts";

t.test("every text occurs in the page, and a test uses it", async (t) => {
  const texts = collectTexts() as { text: string; plural: string }[];
  const page = new Map(texts.map((one) => [one.text, one.plural]));
  const here = new URL(".", import.meta.url);
  const names = (await readdir(here, { recursive: true })).filter((name) => /\.ts$/.test(name));
  const sources = await Promise.all(
    names.filter((name) => !/catalogue/.test(name)).map((name) => readFile(new URL(name, here), "utf8")),
  );
  const tests = sources.join("\n");
  for (const [key, template] of Object.entries<Template>(TEXTS)) {
    const [one, many] = typeof template === "string" ? [template, ""] : template;
    t.equal(page.get(one), many, `"${one}" of ${key} is a text of the page, in these forms`);
    t.ok(tests.includes(`"${key}"`), `a test looks for ${key}`);
  }
});

t.test("values replace their placeholders", async (t) => {
  t.equal(pageText("inDownloads", "case.json"), "case.json is in your downloads.");
  t.equal(pageText("binding", 1, "1"), "1 binding");
  t.throws(() => pageText("inDownloads"), /%1/);
  t.match("Here: a (b).m is in your downloads. And", pattern("inDownloads", "a (b).m"));
  t.notMatch("a (c).m is in your downloads.", pattern("inDownloads", "a (b).m"));
  t.notMatch("it is in your downloads, all of it", pattern("inDownloads"), "a full stop is one");
  t.match("12 binding", pattern("binding", 12, /\d+/));
  t.throws(() => pattern("tomorrow" as TextKey));
  t.equal(sentence("event.line_binds", { element: "line 2" }), "line 2 binds");
  t.throws(() => sentence("event.line_binds"), /element/);
  t.throws(() => sentence("event.tomorrow"), /no sentence/);
  t.match("Passed +3 MW, where line 7 binds.", sentencePattern("event.line_binds", { element: /line \d+/ }));
});
