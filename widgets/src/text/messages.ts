/**
 * Messages of the engine's catalogue (`engine/messages/en.json`), in the language of the page and with the names of
 * elements.
 */

import { type Element, formatElement, formatMessage, type Message, type MessageStyle } from "@service/engine";
import type { Namer } from "./namer.ts";
import { translatedTemplate } from "./translation.ts";

/** A message as a sentence or a part of one. */
export function messageText(message: Message, namer: Namer): string {
  return quoted(formatMessage(message, styleOf(namer))); // values may be remarks of readers with code of their own
}

/** The name of an element, or of its limit after an outage: `line 12 (Ash to Birch) after the outage of line 40`. */
export function elementText(element: Element, namer: Namer): string {
  return formatElement(element, styleOf(namer));
}

function styleOf(namer: Namer): MessageStyle {
  return {
    nameOf: (kind, id) => namer.nameOf(kind, id),
    // Templates are quoted before values are filled in, so that a backtick in a name has no effect.
    template: (one, other, count) => quoted(translatedTemplate(one, other, count)),
  };
}

/** Replaces backticks around code, as in Markdown, by the quotation marks of the page. */
function quoted(text: string): string {
  return text.replace(/`([^`]*)`/g, "\u201c$1\u201d");
}

/** The text of an error: its catalogue message with names (numbers without a namer), or else its own message. */
export function errorText(error: unknown, namer: Namer = numbered): string {
  const sentence = sentenceOf(error);
  return sentence === null ? (error instanceof Error ? error.message : String(error)) : messageText(sentence, namer);
}

/** The catalogue message of an error, or null. */
export function sentenceOf(error: unknown): Message | null {
  return error instanceof Error && "sentence" in error && isMessage(error.sentence) ? error.sentence : null;
}

/** The message that fills a placeholder of another one, or null. */
export function partOf({ values = {} }: Message, name: string): Message | null {
  const value = values[name];
  return value !== undefined && "message" in value ? value.message : null;
}

/** Whether a foreign value is a message. */
export function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "key" in value && typeof value.key === "string";
}

/** Elements by kind and number, as the engine names them. */
export const numbered: Namer = {
  nameOf: (kind, id) => messageText({ key: `element.${kind}`, values: { id: { text: String(id) } } }, numbered),
};
