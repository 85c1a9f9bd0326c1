import { ticks } from "../../map/index.ts";
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

/** The legend of voltages: which of each bus, the colours, and their range. */
export class FeederLegend {
  readonly node = h("div", { class: "wb-FeederLegend", attributes: { hidden: "" } });
  readonly #colours: FeederColours;
  readonly #bar = h("div", { class: "wb-FeederLegend-bar" });
  readonly #ticks = h("div", { class: "wb-FeederLegend-ticks" });
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
    this.node.append(h("label", { class: "wb-Legend-title" }, this.#title, select), this.#bar, this.#ticks);
    const source = h(
      "span",
      { class: "wb-Legend-line" },
      h("i", { class: "wb-mod-bus wb-mod-source" }),
      markName("source"),
    );
    this.node.append(source);
  }

  /** Shows the present scale, or nothing while there is none. */
  update(): void {
    const { scale, which } = this.#colours;
    this.node.hidden = scale === null;
    if (scale === null) {
      return;
    }
    const neutral = which === "neutral";
    this.#title.textContent = neutral ? trans.__("Voltage, V") : trans.__("Voltage, p.u.");
    const { low, high } = scale.range;
    const stops = Array.from({ length: 9 }, (_, k) => scale.palette[scale.place(low + ((high - low) * k) / 8)] ?? "");
    this.#bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
    const shown = neutral ? ticks(scale.range, 3) : [low, ...(low < 1 && high > 1 ? [1] : []), high];
    const text = (value: number): string => (neutral ? value.toFixed(1) : value.toFixed(3));
    this.#ticks.replaceChildren(...shown.map((value) => h("span", { text: text(value) })));
  }
}
