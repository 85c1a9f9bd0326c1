// Messages of the whole catalogue, for pages, the server and whoever shows what the engine says.
import type { Message } from "../contract.generated.ts";
import { MESSAGES } from "../messages.generated.ts";
import { englishFrom, type MessageStyle, tellFrom } from "./telling.ts";

/** A message as a sentence, or as the part of one that it is, in a language and with names. */
export function tellMessage(message: Message, style: MessageStyle): string {
  return tellFrom(MESSAGES, message, style);
}

/** In English, elements by their numbers: what the engine itself says. */
export function englishMessage(message: Message): string {
  return englishFrom(MESSAGES, message);
}
