/**
 * Sentences of the engine's catalogue (`engine/messages/en.json`), in the language of the page and with the names of elements. The
 * English of them without names is what the engine, Python and the command line say: `engine/crates/network/src/message`.
 */

import { MESSAGES, type Message, type MessageValue } from "@service/engine";
import { capitalised } from "./numbers.ts";
import type { Namer } from "./sentences.ts";
import { translatedTemplate } from "./translation.ts";

/** Items of a list that are told one by one; the others are counted. */
const LISTED = 4;

/** A message as a sentence, or as the part of one that it is. */
export function messageText({ key, values = {} }: Message, namer: Namer): string {
  const template = MESSAGES[key];
  if (template === undefined) {
    return key;
  }
  const { count } = values;
  const [one, other] = typeof template === "string" ? [template, template] : template;
  const text = translatedTemplate(one, other, count !== undefined && "count" in count ? count.count : null);
  return text.replace(/\{(\w+):(\w+)\}/g, (placeholder, name: string, kind: string) => {
    const value = values[name];
    if (value === undefined) {
      return placeholder;
    }
    const told = valueText(value, namer);
    return kind === "Element" ? capitalised(told) : told;
  });
}

/** What an error says: its message with names, or its own words where it has none of the catalogue. */
export function errorText(error: unknown, namer: Namer): string {
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

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "key" in value && typeof value.key === "string";
}

function valueText(value: MessageValue, namer: Namer): string {
  if ("text" in value) {
    return value.text;
  }
  if ("number" in value) {
    return value.number.text;
  }
  if ("count" in value) {
    return String(value.count);
  }
  if ("element" in value) {
    return namer.nameOf(value.element.kind, value.element.id);
  }
  return "list" in value ? listText(value.list, namer) : messageText(value.message, namer);
}

/** `a`, `a and b`, `a, b, c, d and 3 more`. */
function listText(items: readonly MessageValue[], namer: Namer): string {
  const more = items.length - LISTED > 1 ? items.length - LISTED : 0;
  const told = items.slice(0, items.length - more).map((item) => valueText(item, namer));
  if (more > 0) {
    told.push(messageText({ key: "list.more", values: { count: { count: more } } }, namer));
  }
  const [first, last] = [told.slice(0, -1).join(", "), told.at(-1) ?? ""];
  return told.length < 2
    ? last
    : messageText({ key: "list.and", values: { first: { text: first }, last: { text: last } } }, namer);
}

/** Elements by kind and number, as the engine names them. */
export const numbered: Namer = {
  nameOf: (kind, id) => messageText({ key: `element.${kind}`, values: { id: { text: String(id) } } }, numbered),
};
