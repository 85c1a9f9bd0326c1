// The template of translations: the texts collected from sources and schemas, and the form of its entries.
import { test } from "tap";
// @ts-expect-error plain JavaScript, as all of the set-up
import { collectTexts, potOf } from "../../binder/lib/translations.mjs";

interface Text {
  context: string;
  text: string;
  plural: string;
  places: string[];
}

test("all texts can be collected: literals with matching placeholders and one plural each", async (t) => {
  const texts = collectTexts() as Text[];
  const found = (context: string, text: string): Text | undefined =>
    texts.find((one) => one.context === context && one.text === text);
  t.match(found("", "%1 binds at %2 MW; shadow price %3 $/MWh."), {
    plural: "",
    places: [/^widgets\/src\/text\/sentences\/results\.ts:\d+$/],
  });
  t.match(found("", "%2 bus"), { plural: "%2 buses" });
  t.ok(found("", "Show Study Panel"), "of the extension");
  t.ok(found("search", "line"), "with a context");
  t.ok(found("settings", "While dragging"), "of the settings");
  t.ok(found("schema", "Wattbook Case Files"));
  t.equal(new Set(texts.map(({ context, text }) => `${context}|${text}`)).size, texts.length);
});

test("the entries of the template", async (t) => {
  const pot: string = potOf(
    [
      { context: "", text: 'A "b"\nc', plural: "", places: ["a.ts:1", "b.ts:2"] },
      { context: "filter", text: "%1 row", plural: "%1 rows", places: ["c.ts:3"] },
    ],
    "1.2.3",
  );
  t.match(pot, '"Project-Id-Version: wattbook 1.2.3\\n"');
  t.match(pot, '#: a.ts:1\n#: b.ts:2\nmsgid "A \\"b\\"\\nc"\nmsgstr ""\n');
  t.match(pot, 'msgctxt "filter"\nmsgid "%1 row"\nmsgid_plural "%1 rows"\nmsgstr[0] ""\nmsgstr[1] ""\n');
});
