// Formats any message of the catalogue, for pages and for the server.
import type { Element, Message } from "../contract.generated.ts";
import { MESSAGES } from "../messages.generated.ts";
import { elementFrom, englishFrom, type MessageStyle, formatFrom } from "./formatting.ts";

/** Formats a message, which may be a whole sentence or a part of one, in the language and with the names of `style`. */
export function formatMessage(message: Message, style: MessageStyle): string {
  return formatFrom(MESSAGES, message, style);
}

/** The name of an element, or of its limit after an outage. */
export function formatElement(element: Element, style: MessageStyle): string {
  return elementFrom(MESSAGES, element, style);
}

/** A message in English with elements by number, as the engine writes it. */
export function englishMessage(message: Message): string {
  return englishFrom(MESSAGES, message);
}
