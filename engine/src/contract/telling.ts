// How a message of the catalogue becomes text. Knows no templates itself, so that the worker need not carry them all.
import type { Message, MessageValue } from "../contract.generated.ts";

/** Items of a list that are told one by one; the others are counted. */
const LISTED = 4;

/** A template, or its forms for a count of 1 and for all others. */
export type Template = string | readonly [one: string, other: string];

/** Templates by key. */
export type Catalogue = Readonly<Record<string, Template>>;

/** How messages are told: in which language, and with which names of elements. */
export interface MessageStyle {
  /** `line 12`, or a name that people use. */
  nameOf(kind: string, id: number): string;
  /** A template in the language; of two forms that of the count, null without a count. */
  template(one: string, other: string, count: number | null): string;
}

/** Names of the placeholders of a template. */
type Placeholders<T> = T extends `${string}{${infer Name}:${string}}${infer Rest}` ? Name | Placeholders<Rest> : never;

/** The values that a template takes. */
export type ValuesOf<T extends Template> = Readonly<
  Record<Placeholders<T extends readonly [string, infer Other] ? Other : T>, MessageValue>
>;

/** A message as a sentence, or as the part of one that it is: `crates/network/src/message` makes the English of it. */
export function tellFrom(catalogue: Catalogue, { key, values = {} }: Message, style: MessageStyle): string {
  const forms = catalogue[key];
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
    const told = tellValue(catalogue, value, style);
    return kind === "Element" ? told.charAt(0).toUpperCase() + told.slice(1) : told;
  });
}

/** In English, elements by their numbers: what the engine itself says. */
export function englishFrom(catalogue: Catalogue, message: Message): string {
  const english: MessageStyle = {
    nameOf: (kind, id) =>
      tellFrom(catalogue, { key: `element.${kind}`, values: { id: { text: String(id) } } }, english),
    template: (one, other, count) => (count === 1 ? one : other),
  };
  return tellFrom(catalogue, message, english);
}

function tellValue(catalogue: Catalogue, value: MessageValue, style: MessageStyle): string {
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
  return "list" in value ? tellList(catalogue, value.list, style) : tellFrom(catalogue, value.message, style);
}

/** `a`, `a and b`, `a, b, c, d and 3 more`. */
function tellList(catalogue: Catalogue, items: readonly MessageValue[], style: MessageStyle): string {
  const more = items.length - LISTED > 1 ? items.length - LISTED : 0;
  const told = items.slice(0, items.length - more).map((item) => tellValue(catalogue, item, style));
  if (more > 0) {
    told.push(tellFrom(catalogue, { key: "list.more", values: { count: { count: more } } }, style));
  }
  const [first, last] = [told.slice(0, -1).join(", "), told.at(-1) ?? ""];
  return told.length < 2
    ? last
    : tellFrom(catalogue, { key: "list.and", values: { first: { text: first }, last: { text: last } } }, style);
}
