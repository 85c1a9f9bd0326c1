import type { Message, MessageValue } from "../contract.generated.ts";
import { MESSAGES } from "../messages.generated.ts";

/** Items of a list that are told one by one; the others are counted. */
const LISTED = 4;

/** How messages are told: in which language, and with which names of elements. */
export interface MessageStyle {
  /** `line 12`, or a name that people use. */
  nameOf(kind: string, id: number): string;
  /** A template in the language; of two forms that of the count, null without a count. */
  template(one: string, other: string, count: number | null): string;
}

/** A message as a sentence, or as the part of one that it is: `crates/network/src/message` makes the English of it. */
export function tellMessage({ key, values = {} }: Message, style: MessageStyle): string {
  const forms = MESSAGES[key];
  if (forms === undefined) {
    return key;
  }
  const { count } = values;
  const [one, other] = typeof forms === "string" ? [forms, forms] : forms;
  const text = style.template(one, other, count !== undefined && "count" in count ? count.count : null);
  return text.replace(/\{(\w+):(\w+)\}/g, (placeholder, name: string, kind: string) => {
    const value = values[name];
    if (value === undefined) {
      return placeholder;
    }
    const told = tellValue(value, style);
    return kind === "Element" ? told.charAt(0).toUpperCase() + told.slice(1) : told;
  });
}

/** In English, elements by their numbers: what the engine itself says. */
export function englishMessage(message: Message): string {
  return tellMessage(message, english);
}

const english: MessageStyle = {
  nameOf: (kind, id) => tellMessage({ key: `element.${kind}`, values: { id: { text: String(id) } } }, english),
  template: (one, other, count) => (count === 1 ? one : other),
};

function tellValue(value: MessageValue, style: MessageStyle): string {
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
    return style.nameOf(value.element.kind, value.element.id);
  }
  return "list" in value ? tellList(value.list, style) : tellMessage(value.message, style);
}

/** `a`, `a and b`, `a, b, c, d and 3 more`. */
function tellList(items: readonly MessageValue[], style: MessageStyle): string {
  const more = items.length - LISTED > 1 ? items.length - LISTED : 0;
  const told = items.slice(0, items.length - more).map((item) => tellValue(item, style));
  if (more > 0) {
    told.push(tellMessage({ key: "list.more", values: { count: { count: more } } }, style));
  }
  const [first, last] = [told.slice(0, -1).join(", "), told.at(-1) ?? ""];
  return told.length < 2
    ? last
    : tellMessage({ key: "list.and", values: { first: { text: first }, last: { text: last } } }, style);
}
