// A sentence for each key of the engine's catalogue is equal from page and engine, with names, and in another language.
import { readFile } from "node:fs/promises";
import t from "tap";
import { type Message, MESSAGES } from "@service/engine";
import { messageText, numbered, sentenceOf, setTranslation } from "@service/widgets/text";
import { pseudo, pseudoTranslation } from "../../fixtures/pseudo.ts";

interface Sample {
  text: string;
  sentence: Message;
}

const samples = JSON.parse(
  await readFile(new URL("../../fixtures/sentences.json", import.meta.url), "utf8"),
) as readonly Sample[];

t.test("page and engine format the same sentence for every key, with quotation marks around code", async (t) => {
  t.strictSame([...new Set(samples.map(({ sentence }) => sentence.key))].sort(), Object.keys(MESSAGES).sort());
  for (const { text, sentence } of samples) {
    const shown = messageText(sentence, numbered);
    t.equal(shown, text.replace(/`([^`]*)`/g, "\u201c$1\u201d"), sentence.key);
    t.notMatch(shown, "`", sentence.key);
  }
});

t.test("code in a warning has quotation marks too", async (t) => {
  const cause = { text: "`baseMVA` is missing" };
  t.match(
    messageText({ key: "study_file.unreadable", values: { cause } }, numbered),
    "(\u201cbaseMVA\u201d is missing)",
  );
  const format = { text: "a`b" };
  t.equal(
    messageText({ key: "file.format_unknown", values: { format } }, numbered),
    "\u201ca`b\u201d is not a format of balanced case files.",
  );
});

t.test("elements have their names, with a capital at the beginning of a sentence", async (t) => {
  const namer = { nameOf: (kind: string, id: number) => `${kind} ${id} (Ash)` };
  const branch = { element: { kind: "branch", id: 12 } };
  t.equal(
    messageText({ key: "edit.branch_out_of_service", values: { branch } }, namer),
    "Branch 12 (Ash) is out of service; its rating has no effect.",
  );
});

t.test("every template is translated, and values stay", async (t) => {
  t.teardown(() => setTranslation(null));
  setTranslation(pseudoTranslation);
  const sentence = {
    key: "request.needs_target",
    values: { what: { text: "a" }, bus: { text: "b" }, branch: { text: "c" } },
  };
  const template = MESSAGES["request.needs_target"];
  t.ok(typeof template === "string");
  const want = pseudo(String(template)).replace(
    /\{(\w+):\w+\}/g,
    (_, name: string) => ({ what: "a", bus: "b", branch: "c" })[name] ?? "",
  );
  t.equal(messageText(sentence, numbered), want);
  t.notMatch(messageText({ key: "list.more", values: { count: { count: 3 } } }, numbered), "more");
});

t.test("a key of another version stays readable, and other errors have no sentence", async (t) => {
  t.equal(messageText({ key: "of.tomorrow" }, numbered), "of.tomorrow");
  t.equal(sentenceOf(new Error("x")), null);
});
