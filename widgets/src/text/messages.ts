/** Sentences of the engine's catalogue (`engine/messages/en.json`), in the language of the page and with the names of elements. */

import { type Message, formatMessage } from "@service/engine";
import type { Namer } from "./namer.ts";
import { translatedTemplate } from "./translation.ts";

/** A message as a sentence, or as the part of one that it is. */
export function messageText(message: Message, namer: Namer): string {
  const text = formatMessage(message, {
    nameOf: (kind, id) => namer.nameOf(kind, id),
    // Templates before values: a backtick in a name closes nothing.
    template: (one, other, count) => quoted(translatedTemplate(one, other, count)),
  });
  return quoted(text); // values are remarks of readers too, with code of their own
}

/** A text whose code, between backticks as in Markdown, has the quotation marks of the page. */
function quoted(text: string): string {
  return text.replace(/`([^`]*)`/g, "\u201c$1\u201d");
}

/** What an error says: its message with names, elements by number without a namer, or its own words where it has none of the catalogue. */
export function errorText(error: unknown, namer: Namer = numbered): string {
  const sentence = sentenceOf(error);
  return sentence === null ? (error instanceof Error ? error.message : String(error)) : messageText(sentence, namer);
}

/** The message of the catalogue that an error carries; null without. */
export function sentenceOf(error: unknown): Message | null {
  return error instanceof Error && "sentence" in error && isMessage(error.sentence) ? error.sentence : null;
}

/** The message that stands for a placeholder of another one; null without. */
export function partOf({ values = {} }: Message, name: string): Message | null {
  const value = values[name];
  return value !== undefined && "message" in value ? value.message : null;
}

/** Whether a value that came from elsewhere is a message. */
export function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "key" in value && typeof value.key === "string";
}

/** Elements by kind and number, as the engine names them. */
export const numbered: Namer = {
  nameOf: (kind, id) => messageText({ key: `element.${kind}`, values: { id: { text: String(id) } } }, numbered),
};
