// Formats messages of a catalogue. It imports no templates, so that the worker does not have to carry all of them.
import type { Element, Message, MessageValue } from "../contract.generated.ts";

/** A template, or its two forms: for a count of 1, and for all other counts. */
export type Template = string | readonly [one: string, other: string];

/** Templates by key. */
export type Catalogue = Readonly<Record<string, Template>>;

/** The language of formatted messages, and the names of elements. */
export interface MessageStyle {
  /** The name of an element, for instance `line 12`. */
  nameOf(kind: string, id: number): string;
  /** The translated template. `count` selects between the two forms; null if the template has one form. */
  template(one: string, other: string, count: number | null): string;
}

/** Names of the placeholders of a template. */
type Placeholders<T> = T extends `${string}{${infer Name}:${string}}${infer Rest}` ? Name | Placeholders<Rest> : never;

/** The values that a template needs. */
export type ValuesOf<T extends Template> = Readonly<
  Record<Placeholders<T extends readonly [string, infer Other] ? Other : T>, MessageValue>
>;

/**
 * Formats a message, which may be a whole sentence or a part of one. `crates/network/src/message` does the same in
 * English.
 */
export function formatFrom(catalogue: Catalogue, { key, values = {} }: Message, style: MessageStyle): string {
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
    const text = formatValue(catalogue, value, style);
    return kind === "Element" ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  });
}

/** A message in English with elements by number, as the engine writes it. */
export function englishFrom(catalogue: Catalogue, message: Message): string {
  const english: MessageStyle = {
    nameOf: (kind, id) =>
      formatFrom(catalogue, { key: `element.${kind}`, values: { id: { text: String(id) } } }, english),
    template: (one, other, count) => (count === 1 ? one : other),
  };
  return formatFrom(catalogue, message, english);
}

function formatValue(catalogue: Catalogue, value: MessageValue, style: MessageStyle): string {
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
    return elementFrom(catalogue, value.element, style);
  }
  return "list" in value ? formatList(catalogue, value.list, style) : formatFrom(catalogue, value.message, style);
}

/** `line 12`, `interface North`, `line 12 after the outage of line 40 and generator 3`. */
export function elementFrom(catalogue: Catalogue, element: Element, style: MessageStyle): string {
  const { kind, id, uid, outage = [], generators_out = [] } = element;
  if (outage.length + generators_out.length > 0) {
    const outages = [
      ...outage.map((branch) => ({ element: { kind: "branch", id: branch } })),
      ...generators_out.map((generator) => ({ element: { kind: "generator", id: generator } })),
    ];
    const before = { element: { kind, id, ...(uid === undefined ? {} : { uid }) } };
    return formatFrom(
      catalogue,
      { key: "element.after_outage", values: { element: before, outages: { list: outages } } },
      style,
    );
  }
  return kind === "interface"
    ? formatFrom(catalogue, { key: "element.interface", values: { id: { text: uid ?? String(id) } } }, style)
    : style.nameOf(kind, id);
}

/** `a`, `a and b`, `a, b, c, d and 3 more`; the engine has shortened the list. */
function formatList(catalogue: Catalogue, items: readonly MessageValue[], style: MessageStyle): string {
  const text = items.map((item) => formatValue(catalogue, item, style));
  const [first, last] = [text.slice(0, -1).join(", "), text.at(-1) ?? ""];
  return text.length < 2
    ? last
    : formatFrom(catalogue, { key: "list.and", values: { first: { text: first }, last: { text: last } } }, style);
}
