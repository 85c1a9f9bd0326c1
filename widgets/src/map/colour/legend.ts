import { formatCount, trans } from "../../text/index.ts";
import { logTicks, ticks } from "./legendRange.ts";
import type { ColourScale, Outside } from "./colourScale.ts";
import { button, h } from "../../ui/dom.ts";
import { ICONS } from "../../ui/icons.ts";
import type { LinkKey } from "./linkLook.ts";
import type { SwitchKey } from "./switchLook.ts";
import type { QuantityInfo } from "./quantityInfo.ts";
import type { GeneratorKey } from "../style/generatorSymbols.ts";
import { RememberedChoices } from "../../ui/rememberedChoices.ts";

/** A scale with its meaning. */
export interface LegendScale {
  title: string;
  unit: string;
  scale: ColourScale | null;
  format: QuantityInfo["format"];
  /** Text in place of a scale when every element has the same value, or no element has one. */
  uniform: string | null;
  /** Note below the scale, or null. */
  note: string | null;
  outside: Outside;
  /** Whether the scale is that from before a move under way. */
  held: boolean;
  /** For a scale of categories, those that occur. */
  kinds: readonly LegendKind[];
}

/** The content of the legend. */
export interface LegendContent {
  buses: LegendScale;
  /** Null while the lines are coloured by their class alone. */
  lines: LegendScale | null;
  binding: number;
  /** Whether `binding` counts binding lines; where ratings are not enforced it counts overloaded lines. */
  keepsRatings: boolean;
  warning: number;
  /** Number of these within one substation, which a map of the whole network cannot show. */
  within: { binding: number; warning: number };
  /** The states of HVDC links; absent without links. */
  links?: readonly LinkKey[];
  /** Open and closed switches; absent without switches. */
  switches?: readonly SwitchKey[];
  /** Whether the range of the buses' colours is fixed; otherwise it follows the state. */
  fixed: boolean;
  /** Whether the lines still show the state before a move. */
  before: boolean;
  /** Meaning of the colours of generator symbols; null without symbols. */
  generators: GeneratorKey | null;
  /** The layers that the user draws on the map. */
  overlays?: GeneratorKey | null;
}

/** Events of a legend. */
export interface LegendEvents {
  /** Its size has changed. */
  resized(): void;
  /** The colours should span the values in view, or follow the state again. */
  rangeOfView(on: boolean): void;
}

/** A picture below these sizes, pixels, has a short legend unless the user chose otherwise. */
const SMALL = { width: 560, height: 340 };

/**
 * The legend at the lower left: quantities, units, scales, values outside the ranges, and the kinds of lines; in short
 * form the scales and binding lines. The choice of form is remembered, separately for small pictures.
 */
export class Legend {
  readonly node = h("div", { class: "wb-Legend" });
  readonly #body = h("div", { class: "wb-Legend-body" });
  readonly #button = button(trans.__("Legend"), () => this.toggle(), { icon: ICONS.less, class: "wb-Legend-toggle" });
  readonly #events: LegendEvents;
  readonly #choices = new RememberedChoices("wattbook:legend");
  readonly #observer = new ResizeObserver((entries) => this.#room(entries.at(-1)?.contentRect ?? null));
  #small = false;
  #drawn: { content: LegendContent; whole: boolean } | null = null;
  #shown: LegendContent | null = null;

  constructor(events: LegendEvents) {
    this.#events = events;
    this.node.append(this.#button, this.#body);
  }

  /** The present content. */
  get content(): LegendContent | null {
    return this.#shown;
  }

  /** Follows the size of the picture that it lies on. */
  follow(picture: HTMLElement): void {
    this.#observer.observe(picture);
  }

  dispose(): void {
    this.#observer.disconnect();
  }

  /** Switches between short and full form. */
  toggle(): void {
    this.#choices.set(this.#size, !this.#whole);
    this.#draw();
  }

  /** Shows the content; does nothing if it is already shown. */
  show(content: LegendContent): void {
    this.#shown = content;
    this.#draw();
  }

  /** The button that fits the colours to the view, where there is a scale. */
  #rangeRow({ buses, fixed }: LegendContent): HTMLElement[] {
    if (buses.uniform !== null || buses.scale === null || buses.scale.kind === "category") {
      return [];
    }
    const text = fixed ? trans.__("Automatic range") : trans.__("Range of this view");
    return [button(text, () => this.#events.rangeOfView(!fixed), { class: "wb-mod-link wb-Legend-range" })];
  }

  get #size(): "small" | "large" {
    return this.#small ? "small" : "large";
  }

  get #whole(): boolean {
    return this.#choices.get(this.#size, !this.#small);
  }

  #room(size: { width: number; height: number } | null): void {
    if (size !== null && size.width > 0) {
      this.#small = size.width < SMALL.width || size.height < SMALL.height;
      this.#draw();
    }
  }

  #draw(): void {
    const [content, whole] = [this.#shown, this.#whole];
    const before = this.#drawn;
    if (content === null || (before !== null && before.whole === whole && sameContent(before.content, content))) {
      return;
    }
    this.#drawn = { content, whole };
    const { buses, lines } = content;
    this.#body.replaceChildren(
      ...(whole
        ? [
            ...part(buses),
            ...this.#rangeRow(content),
            ...(lines === null ? [] : part(lines)),
            lineKey(content),
            ...symbolRows(content),
          ]
        : brief(content)),
    );
    if (before?.whole !== whole) {
      this.node.classList.toggle("wb-mod-brief", !whole);
      this.#button.innerHTML = whole ? ICONS.less : ICONS.more; // one of our own icons, never from a file
      this.#button.setAttribute("aria-expanded", String(whole));
      this.#button.title = whole ? trans.__("Shorter legend (l)") : trans.__("Whole legend (l)");
      this.#events.resized();
    }
  }
}

/** The short form: each scale with its ends, and the binding lines. */
function brief(content: LegendContent): HTMLElement[] {
  const [binding] = lineKinds(content);
  const note = linesNote(content);
  const lines =
    binding === undefined ? [] : [lineMark("binding", [binding.text, ...(note === null ? [] : [note])].join(" "))];
  return [
    ...briefScale(content.buses),
    ...(content.lines === null ? [] : briefScale(content.lines)),
    h("div", { class: "wb-Legend-brief" }, ...lines),
  ];
}

/** A scale in two lines: its quantity, and the colours between its ends. */
function briefScale(part: LegendScale): HTMLElement[] {
  const { title, unit, scale, uniform, format } = part;
  const head = h("div", { class: "wb-Legend-title" }, title, " ", h("span", { class: "wb-unit", text: unit }));
  if (uniform !== null || scale === null) {
    return [head, h("div", { text: uniform ?? trans.__("No values") })];
  }
  if (scale.kind === "category") {
    return [head, kindRow(part.kinds.slice(0, 8))];
  }
  const { low, high } = scale.range;
  const bar = h("div", { class: "wb-Legend-scale", attributes: { title: outsideText(part, scale) ?? "" } });
  bar.append(...scaleBar(scale, part));
  const ends = withoutNeedlessDecimals([low, high].map((end) => format(end, { signed: scale.kind === "change" })));
  const [from, to] = ends.map((text) => h("span", { text }));
  return [head, h("div", { class: "wb-Legend-brief" }, from ?? "", bar, to ?? "")];
}

function sameContent(a: LegendContent, b: LegendContent): boolean {
  return (
    a.binding === b.binding &&
    a.keepsRatings === b.keepsRatings &&
    a.warning === b.warning &&
    a.within.binding === b.within.binding &&
    a.within.warning === b.within.warning &&
    textsOf(a.links) === textsOf(b.links) &&
    textsOf(a.switches) === textsOf(b.switches) &&
    a.before === b.before &&
    a.fixed === b.fixed &&
    a.generators === b.generators &&
    a.overlays === b.overlays &&
    sameScale(a.buses, b.buses) &&
    sameScale(a.lines, b.lines)
  );
}

function textsOf(keys: readonly { text: string }[] = []): string {
  return keys.map(({ text }) => text).join();
}

function sameScale(a: LegendScale | null, b: LegendScale | null): boolean {
  return a === b || (a !== null && b !== null && flat(a) === flat(b) && a.scale === b.scale && a.format === b.format);
}

/** The texts of a scale. */
function flat(content: LegendScale): string {
  const { title, unit, uniform, note, scale, kinds } = content;
  const outside = scale === null ? null : outsideText(content, scale);
  return JSON.stringify([title, unit, uniform, note, outside, kinds.length]);
}

function part(content: LegendScale): HTMLElement[] {
  const { title, unit, scale, uniform, note } = content;
  return [
    h("div", { class: "wb-Legend-title" }, title, " ", h("span", { class: "wb-unit", text: unit })),
    ...(uniform === null && scale !== null ? scaleRows(scale, content) : []),
    ...(uniform === null ? [] : [h("div", { class: "wb-Legend-uniform", text: uniform })]),
    ...(note === null ? [] : [h("div", { class: "wb-Legend-outside", text: note })]),
  ];
}

/** The categories of a scale, each with its colour. */
export function legendKinds({ range, palette, place }: ColourScale, kinds: readonly number[]): LegendKind[] {
  return kinds
    .filter((kind) => kind >= range.low && kind <= range.high)
    .map((kind) => ({ text: String(kind), colour: palette[place(kind)] ?? "" }));
}

/** A category with its colour. */
export interface LegendKind {
  readonly text: string;
  readonly colour: string;
}

/** Largest number of categories listed. */
export const MOST_KINDS = 24;

/** Categories in a row, each after a mark in its colour, and the number of further ones. */
function kindRow(kinds: readonly LegendKind[]): HTMLElement {
  const entries = kinds.slice(0, MOST_KINDS).map(({ text, colour }) => {
    const mark = h("i", {});
    mark.style.background = colour;
    return h("span", { class: "wb-Legend-kind" }, mark, text);
  });
  const more = kinds.length - entries.length;
  return h(
    "div",
    { class: "wb-Legend-kinds" },
    ...entries,
    ...(more > 0 ? [trans._n("and %2 more", "and %2 more", more, formatCount(more))] : []),
  );
}

function scaleRows(scale: ColourScale, content: LegendScale): HTMLElement[] {
  if (scale.kind === "category") {
    return [kindRow(content.kinds)];
  }
  const outside = outsideText(content, scale);
  return [
    tickedScale(scale, content),
    ...(outside === null ? [] : [h("div", { class: "wb-Legend-outside", text: outside })]),
  ];
}

/** A colour bar with ticks at the positions of their values. */
export function tickedScale(scale: ColourScale, content: Pick<LegendScale, "format" | "outside">): HTMLElement {
  const labels = legendTicks(content, scale).map(({ text, share, zero }) => {
    const label = h("span", { text });
    label.style.left = `${100 * share}%`;
    label.classList.toggle("wb-mod-zero", zero);
    label.classList.toggle("wb-mod-first", share < 0.01);
    label.classList.toggle("wb-mod-last", share > 0.99);
    return label;
  });
  const ticked = h("div", { class: "wb-Legend-ticks" }, ...labels);
  return h("div", { class: "wb-Legend-scale" }, ...scaleBar(scale, content), ticked);
}

/** The colour bar, with marks beyond its ends where values lie outside. */
function scaleBar(scale: ColourScale, content: Pick<LegendScale, "outside">): HTMLElement[] {
  const bar = h("div", { class: "wb-Legend-bar" });
  bar.style.background = `linear-gradient(to right, ${legendStops(scale).join(", ")})`;
  const ends = clippedEnds(content, scale).map(({ colour, side }) => {
    const end = h("i", { class: `wb-Legend-end wb-mod-${side}` });
    end.style.background = colour;
    return end;
  });
  return [bar, ...ends];
}

/** Colours of the bar from left to right. */
export function legendStops({ palette, place, valueAt }: ColourScale): string[] {
  return Array.from({ length: 33 }, (_, k) => palette[place(valueAt(k / 32))] ?? "");
}

/** The ends of the bar beyond which values lie, with the colour of those values. */
export function clippedEnds(
  { outside }: Pick<LegendScale, "outside">,
  { palette, place }: ColourScale,
): { side: "below" | "above"; colour: string }[] {
  const { below, above, lowest, highest } = outside;
  return [
    ...(below > 0 ? [{ side: "below" as const, colour: palette[place(lowest)] ?? "" }] : []),
    ...(above > 0 ? [{ side: "above" as const, colour: palette[place(highest)] ?? "" }] : []),
  ];
}

/**
 * Width of the bar, pixels; the numbers at the ends may extend by the margin, and a wide font's digit takes `letter`.
 */
const BAR = { width: 188, margin: 14, letter: 7.7, gap: 6 };

/** A mark on the bar with its number; without text where neighbouring numbers leave no room. */
export interface LegendTick {
  text: string;
  share: number;
  zero: boolean;
}

/** Width of a number in letters: points and commas are half as wide as digits. */
function lettersOf(text: string): number {
  return text.length - (text.match(/[.,]/g)?.length ?? 0) / 2;
}

/** A number with decimals, and what follows it. */
const DECIMALS = /^(.*\d)\.(\d+)(\D*)$/;

/** Numbers of one scale with the smallest common number of decimals. */
export function withoutNeedlessDecimals(texts: readonly string[]): string[] {
  const parts = texts.map((text) => DECIMALS.exec(text));
  const needed = Math.max(0, ...parts.map((part) => (part?.[2] ?? "").replace(/0+$/, "").length));
  return texts.map((text, k) => {
    const [, whole = "", decimals = "", rest = ""] = parts[k] ?? [];
    return whole === "" ? text : `${whole}${needed > 0 ? `.${decimals.slice(0, needed)}` : ""}${rest}`;
  });
}

/** The ticks below the bar: the ends, zero, which is always marked, and round numbers. */
export function legendTicks({ format }: Pick<LegendScale, "format">, scale: ColourScale): LegendTick[] {
  const { kind, range, log } = scale;
  const { low, high } = range;
  if (!(high > low)) {
    return [{ text: format(low), share: 0.5, zero: false }];
  }
  const taken: [from: number, to: number][] = [];
  const tick = (value: number, k: number): LegendTick => {
    const share = scale.share(value);
    const text = texts[k] ?? "";
    const width = BAR.letter * lettersOf(text) + BAR.gap;
    const free = share * BAR.width - width / 2;
    const from = Math.max(-BAR.margin, Math.min(BAR.width + BAR.margin - width, free));
    const fits = taken.every(([start, end]) => from >= end || from + width <= start);
    if (fits) {
      taken.push([from, from + width]);
    }
    return { text: fits ? text : "", share, zero: value === middle };
  };
  const middle = kind === "change" || kind === "price" ? 0 : kind === "magnitude" ? 1 : null;
  const marked = middle !== null && low < middle && high > middle ? [middle] : [];
  const round = (log ? logTicks(range) : ticks(range, 4)).filter(
    (value) => value > low && value < high && !marked.includes(value),
  );
  const values = [low, high, ...marked, ...round];
  const texts = withoutNeedlessDecimals(values.map((value) => format(value, { signed: kind === "change" })));
  return values.map(tick).filter(({ text, zero }) => text !== "" || zero);
}

/** How many values lie outside the range, and how far; null if all are inside. */
export function outsideText({ outside, held, format }: LegendScale, { range }: ColourScale): string | null {
  const { below, above, lowest, highest } = outside;
  const sentences = [
    ...(below > 0
      ? [
          trans._n(
            "\u25bc %2 below %3: %4",
            "\u25bc %2 below %3, down to %4",
            below,
            formatCount(below),
            format(range.low),
            format(lowest),
          ),
        ]
      : []),
    ...(above > 0
      ? [
          trans._n(
            "\u25b2 %2 above %3: %4",
            "\u25b2 %2 above %3, up to %4",
            above,
            formatCount(above),
            format(range.high),
            format(highest),
          ),
        ]
      : []),
  ];
  return sentences.length === 0
    ? null
    : [...sentences, ...(held ? [trans.__("Colour scale held while dragging")] : [])].join("\n");
}

/** The kinds of lines with counts. */
export function lineKinds({
  binding,
  keepsRatings,
  warning,
  within,
  lines,
}: Pick<LegendContent, "binding" | "keepsRatings" | "warning" | "within" | "lines">): {
  kind: "binding" | "warning";
  text: string;
}[] {
  const near = formatCount(warning);
  const warned = trans._n("%2 more at 80 % or above", "%2 more at 80 % or above", warning, near);
  const hidden = (text: string, count: number): string =>
    count === 0 ? text : trans.__("%1, %2 in substations", text, formatCount(count));
  const most = keepsRatings
    ? trans._n("%2 binding", "%2 binding", binding, formatCount(binding))
    : trans._n("%2 above its rating", "%2 above their rating", binding, formatCount(binding));
  return [
    { kind: "binding", text: hidden(most, within.binding) },
    ...(lines === null ? [{ kind: "warning" as const, text: hidden(warned, within.warning) }] : []),
  ];
}

/** The state that the lines belong to, where it is not that of the prices; else null. */
export function linesNote({ before }: LegendContent): string | null {
  return before ? trans.__("before the edit") : null;
}

function lineKey(content: LegendContent): HTMLElement {
  const keys = lineKinds(content).map(({ kind, text }) => lineMark(content.lines === null ? kind : "thick", text));
  const note = linesNote(content);
  const links = (content.links ?? []).map(({ state, text }) => lineMark(`link-${state}`, text));
  const switches = (content.switches ?? []).map(({ open, text }) =>
    lineMark(open ? "switch-open" : "switch-closed", text),
  );
  return h(
    "div",
    { class: "wb-Legend-lines" },
    ...keys,
    ...links,
    ...switches,
    ...(note === null ? [] : [h("span", { text: note })]),
  );
}

/** Keys of the colours of symbols and layers. */
export function symbolKeys({ generators, overlays }: LegendContent): readonly GeneratorKey[] {
  return [generators, overlays ?? null].filter((key) => key !== null);
}

function symbolRows(content: LegendContent): HTMLElement[] {
  return symbolKeys(content).flatMap(({ title, entries }) => [
    h("div", { class: "wb-Legend-symbols", text: title }),
    kindRow(entries),
  ]);
}

function lineMark(kind: string, text: string): HTMLElement {
  return h("span", { class: "wb-Legend-line" }, h("i", { class: `wb-mod-${kind}` }), text);
}
