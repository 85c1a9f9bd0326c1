// Names of files in sentences, and allowed characters in an SVG.
import t from "tap";
import { xmlText } from "@service/widgets/map";
import { visibleJson, visibleText } from "@service/widgets/text";

/** The same pairs as in the tests of the engine (engine/crates/network/src/message/visible.rs) and of the Python package. */
const PAIRS: [string, string][] = [
  ["plain name [1]", "plain name [1]"],
  ["\u202eevil\u202c", "evil"],
  ["a\u2066b\u2069c\u200e\u200f\u061c", "abc"],
  ["tab\there", "tab here"],
  ["two\nlines\r\n", "two lines  "],
  ["sep\u2028a\u2029b\u0085c", "sep a b c"],
  ["bell\u0007\u0000\u001b[31m\u009b", "bell[31m"],
  ["\ufeffzero\u200bwidth\u2060", "zerowidth"],
  ["joi\u200dner", "joiner"],
  ["\u0645\u200d\u200c\u0645\u200d\u200dx\u200c", "\u0645\u200c\u0645x"],
  ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
  ["Z\u00fcrich \u5317\u4eac \u05ea\u05dc \u0627\u0644", "Z\u00fcrich \u5317\u4eac \u05ea\u05dc \u0627\u0644"],
  ["no\uffffchar\u{e0041}", "nochar"],
  ["half \ud83d, whole \u{1f600}", "half , whole \u{1f600}"],
];

t.test("names have their letters and no invisible characters", async (t) => {
  for (const [name, expected] of PAIRS) {
    t.equal(visibleText(name), expected);
    t.equal(visibleText(expected), expected);
  }
});

t.test("no character that XML forbids reaches an SVG", async (t) => {
  t.equal(xmlText('a\u0000\u0007<b> & "\u{1f600}\ud800\ufffe\uffff\t'), 'a&lt;b&gt; &amp; "\u{1f600}\t');
});

t.test("an exported record has every character, with invisible ones escaped", async (t) => {
  const value = { "\u202ekey": ["a\u200bb", "bell\u0007\u{e0041}", "two\nlines", "Z\u00fcrich \u{1f600}"] };
  const text = visibleJson(value);
  t.strictSame(JSON.parse(text), value);
  t.match(text, '"\\u202ekey"');
  t.match(text, "Z\u00fcrich \u{1f600}");
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  t.notMatch(text, /[\u0000-\u0009\u200b\u202e\u{e0041}]/u);
});
