import { formatCount, formatDerivative, formatPrice } from "../words/index.ts";
import { ticks } from "./colourRange.ts";
import type { ColourScale } from "./colourScale.ts";
import { h } from "./dom.ts";

/** What the legend tells. */
export interface LegendContent {
  title: string;
  unit: string;
  scale: ColourScale | null;
  /** Said instead of a scale when every bus has the same value. */
  uniform: string | null;
  below: number;
  above: number;
  binding: number;
  warning: number;
}

/** The legend at the lower left: quantity, unit, scale, values outside the range, and the kinds of lines. */
export class Legend {
  readonly node = h("div", { class: "wb-Legend" });
  #shown: LegendContent | null = null;

  /** Shows the content; does nothing when it is what stands there. */
  show(content: LegendContent): void {
    const { title, unit, scale, uniform } = content;
    if (this.#shown !== null && sameContent(this.#shown, content)) {
      return;
    }
    this.#shown = content;
    this.node.replaceChildren(
      h("div", { class: "wb-Legend-title" }, title, " ", h("span", { class: "wb-unit", text: unit })),
      ...(uniform === null && scale !== null ? scaleRows(scale, content) : []),
      ...(uniform === null ? [] : [h("div", { class: "wb-Legend-uniform", text: uniform })]),
      lineKey(content),
    );
  }
}

function sameContent(a: LegendContent, b: LegendContent): boolean {
  return (Object.keys(a) as (keyof LegendContent)[]).every((key) => a[key] === b[key]);
}

function scaleRows(scale: ColourScale, content: LegendContent): HTMLElement[] {
  const { low, high } = scale.range;
  const format = scale.quantity === "lmp" ? formatPrice : formatDerivative;
  const stops = Array.from({ length: 33 }, (_, k) => scale.palette[scale.place(low + (k / 32) * (high - low))] ?? "");
  const bar = h("div", { class: "wb-Legend-bar" });
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  const labels = tickValues(scale).map((value) => {
    const label = h("span", { text: format(value, { signed: scale.quantity === "sensitivity" }) });
    label.style.left = `${(100 * (value - low)) / (high - low || 1)}%`;
    label.classList.toggle("wb-mod-zero", value === 0);
    return label;
  });
  const outside = [
    ...(content.below > 0 ? [`\u25bc ${formatCount(content.below)} below ${format(low)}`] : []),
    ...(content.above > 0 ? [`\u25b2 ${formatCount(content.above)} above ${format(high)}`] : []),
  ];
  return [
    h("div", { class: "wb-Legend-scale" }, bar, h("div", { class: "wb-Legend-ticks" }, ...labels)),
    ...(outside.length > 0 ? [h("div", { class: "wb-Legend-outside", text: outside.join("   ") })] : []),
  ];
}

/** The ends, zero where it lies between them, and round numbers that leave room for each other. */
function tickValues({ range }: ColourScale): number[] {
  const { low, high } = range;
  const span = high - low;
  const fixed = low < 0 && high > 0 ? [low, 0, high] : [low, high];
  const between = ticks(range, 4).filter((value) => fixed.every((end) => Math.abs(value - end) > 0.22 * span));
  return [...fixed, ...(fixed.length === 2 ? between.slice(0, 2) : [])];
}

function lineKey({ binding, warning }: LegendContent): HTMLElement {
  const line = (kind: string, text: string): HTMLElement =>
    h("span", { class: "wb-Legend-line" }, h("i", { class: `wb-mod-${kind}` }), text);
  return h(
    "div",
    { class: "wb-Legend-lines" },
    line("binding", `${formatCount(binding)} binding`),
    line("warning", `${formatCount(warning)} above 80 %`),
  );
}
