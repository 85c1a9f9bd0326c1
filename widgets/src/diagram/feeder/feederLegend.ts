import { type ColourScale, NOTHING_OUTSIDE, tickedScale, ticks } from "../../map/index.ts";
import { BUS_VOLTAGES, type BusVoltage } from "../../workspace/index.ts";
import { h } from "../../ui/index.ts";
import { trans } from "../../text/index.ts";
import { markName } from "../networkColours.ts";
import type { FeederColours } from "./feederColours.ts";

/** A voltage of a bus in words. */
function voltageName(which: BusVoltage): string {
  switch (which) {
    case "lowest":
      return trans.__("Lowest phase");
    case "highest":
      return trans.__("Highest phase");
    case "neutral":
      return trans.__("Neutral");
    default:
      return trans.__("Phase %1", which);
  }
}

/** The legend of voltages: the choice of voltage, the colours, and their range. */
export class FeederLegend {
  readonly node = h("div", { class: "wb-FeederLegend", attributes: { hidden: "" } });
  readonly #colours: FeederColours;
  readonly #place = h("div");
  readonly #title = h("span");

  constructor(colours: FeederColours, chosen: () => void) {
    this.#colours = colours;
    const select = h(
      "select",
      {
        attributes: { "aria-label": trans.__("Voltage shown") },
        on: {
          change: () => {
            colours.show(select.value as BusVoltage);
            chosen();
          },
        },
      },
      ...BUS_VOLTAGES.map((which) => h("option", { text: voltageName(which), attributes: { value: which } })),
    );
    this.node.append(h("label", { class: "wb-Legend-title" }, this.#title, select), this.#place);
    const source = h(
      "span",
      { class: "wb-Legend-line" },
      h("i", { class: "wb-mod-bus wb-mod-source" }),
      markName("source"),
    );
    this.node.append(source);
  }

  /** Shows the present scale, or nothing without a scale. */
  update(): void {
    const { scale, which } = this.#colours;
    this.node.hidden = scale === null;
    if (scale === null) {
      return;
    }
    const neutral = which === "neutral";
    this.#title.textContent = neutral ? trans.__("Voltage, V") : trans.__("Voltage, pu");
    const decimals = neutral ? 1 : decimalsOf(scale);
    const format = (value: number): string => value.toFixed(decimals);
    this.#place.replaceChildren(tickedScale(scale, { format, outside: NOTHING_OUTSIDE }));
  }
}

/**
 * Two decimals if they show every tick of a per-unit scale exactly, else three: short numbers leave room for more
 * ticks.
 */
function decimalsOf({ range }: ColourScale): 2 | 3 {
  const short = [range.low, range.high, ...ticks(range, 4)].every(
    (value) => Math.abs(100 * value - Math.round(100 * value)) < 1e-6,
  );
  return short ? 2 : 3;
}
