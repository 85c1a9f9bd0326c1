import { formatCount, trans } from "../words/index.ts";
import { ticks } from "./colourRange.ts";
import type { ColourScale, Outside } from "./colourScale.ts";
import { h } from "./dom.ts";
import type { QuantityInfo } from "./quantities.ts";

/** A scale with what it stands for. */
export interface LegendScale {
  title: string;
  unit: string;
  scale: ColourScale | null;
  format: QuantityInfo["format"];
  /** Said instead of a scale when every element has the same value, or none. */
  uniform: string | null;
  outside: Outside;
  /** Whether the scale is that from before a move under way. */
  kept: boolean;
}

/** What the legend tells. */
export interface LegendContent {
  buses: LegendScale;
  /** Null while the lines are coloured by their class alone. */
  lines: LegendScale | null;
  binding: number;
  warning: number;
  /** What of the lines is of the state before a move under way: nothing, their flows, or which of them bind as well. */
  before: "flows" | "lines" | null;
}

/** The legend at the lower left: quantities, units, scales, values outside the ranges, and the kinds of lines. */
export class Legend {
  readonly node = h("div", { class: "wb-Legend" });
  #shown: LegendContent | null = null;

  /** What stands there. */
  get content(): LegendContent | null {
    return this.#shown;
  }

  /** Shows the content; does nothing when it is what stands there. */
  show(content: LegendContent): void {
    if (this.#shown !== null && sameContent(this.#shown, content)) {
      return;
    }
    this.#shown = content;
    const { buses, lines } = content;
    this.node.replaceChildren(...part(buses), ...(lines === null ? [] : part(lines)), lineKey(content));
  }
}

function sameContent(a: LegendContent, b: LegendContent): boolean {
  return (
    a.binding === b.binding &&
    a.warning === b.warning &&
    a.before === b.before &&
    sameScale(a.buses, b.buses) &&
    sameScale(a.lines, b.lines)
  );
}

function sameScale(a: LegendScale | null, b: LegendScale | null): boolean {
  return a === b || (a !== null && b !== null && flat(a) === flat(b) && a.scale === b.scale && a.format === b.format);
}

/** What is written of a scale besides its colours. */
function flat(content: LegendScale): string {
  const { title, unit, uniform, scale } = content;
  return JSON.stringify([title, unit, uniform, scale === null ? null : outsideText(content, scale)]);
}

function part(content: LegendScale): HTMLElement[] {
  const { title, unit, scale, uniform } = content;
  return [
    h("div", { class: "wb-Legend-title" }, title, " ", h("span", { class: "wb-unit", text: unit })),
    ...(uniform === null && scale !== null ? scaleRows(scale, content) : []),
    ...(uniform === null ? [] : [h("div", { class: "wb-Legend-uniform", text: uniform })]),
  ];
}

function scaleRows(scale: ColourScale, content: LegendScale): HTMLElement[] {
  const bar = h("div", { class: "wb-Legend-bar" });
  bar.style.background = `linear-gradient(to right, ${legendStops(scale).join(", ")})`;
  const labels = legendTicks(content, scale).map(({ text, share, zero }) => {
    const label = h("span", { text });
    label.style.left = `${100 * share}%`;
    label.classList.toggle("wb-mod-zero", zero);
    label.classList.toggle("wb-mod-first", share < 0.01);
    label.classList.toggle("wb-mod-last", share > 0.99);
    return label;
  });
  const ends = clippedEnds(content, scale).map(({ colour, side }) => {
    const end = h("i", { class: `wb-Legend-end wb-mod-${side}` });
    end.style.background = colour;
    return end;
  });
  const outside = outsideText(content, scale);
  return [
    h("div", { class: "wb-Legend-scale" }, bar, ...ends, h("div", { class: "wb-Legend-ticks" }, ...labels)),
    ...(outside === null ? [] : [h("div", { class: "wb-Legend-outside", text: outside })]),
  ];
}

/** Colours of the bar from its left to its right end. */
export function legendStops({ range, palette, place }: ColourScale): string[] {
  const { low, high } = range;
  return Array.from({ length: 33 }, (_, k) => palette[place(low + (k / 32) * (high - low))] ?? "");
}

/** The ends of the bar beyond which values lie, with the colour that those have. */
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

/** Width of the bar and of a letter below it, pixels; the numbers at the ends may stand out by the margin. */
const BAR = { width: 188, margin: 14, letter: 6.6, gap: 6 };

/** A mark on the bar with its number; without text where the numbers beside it leave no room. */
export interface LegendTick {
  text: string;
  share: number;
  zero: boolean;
}

/** What is written below the bar, and where on it: the ends, zero, which is always marked, and round numbers. */
export function legendTicks({ format }: Pick<LegendScale, "format">, { kind, range }: ColourScale): LegendTick[] {
  const { low, high } = range;
  if (!(high > low)) {
    return [{ text: format(low), share: 0.5, zero: false }];
  }
  const taken: [from: number, to: number][] = [];
  const tick = (value: number): LegendTick => {
    const share = (value - low) / (high - low);
    const text = format(value, { signed: kind === "change" });
    const width = BAR.letter * text.length + BAR.gap;
    const free = share * BAR.width - width / 2;
    const from = Math.max(-BAR.margin, Math.min(BAR.width + BAR.margin - width, free));
    const fits = taken.every(([start, end]) => from >= end || from + width <= start);
    if (fits) {
      taken.push([from, from + width]);
    }
    return { text: fits ? text : "", share, zero: value === 0 && (kind === "change" || kind === "price") };
  };
  const marked = low < 0 && high > 0 && (kind === "change" || kind === "price") ? [0] : [];
  const round = ticks(range, 4).filter((value) => value > low && value < high && !marked.includes(value));
  return [low, high, ...marked, ...round].map(tick).filter(({ text, zero }) => text !== "" || zero);
}

/** How many values lie outside the range, and how far; null where none does. */
export function outsideText({ outside, kept, format }: LegendScale, { range }: ColourScale): string | null {
  const { below, above, lowest, highest } = outside;
  const said = [
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
  return said.length === 0 ? null : [...said, ...(kept ? [trans.__("Scale as before the move")] : [])].join("\n");
}

/** The kinds of lines that are counted. */
export function lineKinds({
  binding,
  warning,
  lines,
  before,
}: LegendContent): { kind: "binding" | "warning"; text: string }[] {
  const near = [warning, formatCount(warning)] as const;
  const warned =
    before === "flows"
      ? trans._n("%2 above 80 % before the move", "%2 above 80 % before the move", ...near)
      : trans._n("%2 above 80 %", "%2 above 80 %", ...near);
  return [
    { kind: "binding", text: trans._n("%2 binding", "%2 binding", binding, formatCount(binding)) },
    ...(lines === null ? [{ kind: "warning" as const, text: warned }] : []),
  ];
}

/** Of which state the lines are, where that is not the one whose prices are shown; else null. */
export function linesNote({ before, lines }: LegendContent): string | null {
  if (before === "flows") {
    return lines === null ? null : trans.__("flows before the move");
  }
  return before === null ? null : trans.__("before the move");
}

function lineKey(content: LegendContent): HTMLElement {
  const keys = lineKinds(content).map(({ kind, text }) =>
    h(
      "span",
      { class: "wb-Legend-line" },
      h("i", { class: `wb-mod-${content.lines === null ? kind : "thick"}` }),
      text,
    ),
  );
  const note = linesNote(content);
  return h("div", { class: "wb-Legend-lines" }, ...keys, ...(note === null ? [] : [h("span", { text: note })]));
}
