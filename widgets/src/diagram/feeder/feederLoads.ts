import { button, h, listenSlider } from "../../ui/index.ts";
import { formatCount, formatUpTo, trans } from "../../text/index.ts";
import type { FeederStudy } from "../../workspace/index.ts";

/** Number of loads listed at a time. */
const SHOWN = 50;

/** Upper end of a slider, as a multiple of the load of the case. */
const MOST = 3;

/** The loads as sliders, kW over all phases. Voltages follow a drag, and releasing solves and certifies. */
export class FeederLoads {
  readonly node = h("div", { class: "wb-FeederLoads" });
  readonly #study: FeederStudy;
  readonly #list = h("div", { class: "wb-FeederLoads-list" });
  readonly #search: HTMLInputElement;
  readonly #reset: HTMLButtonElement;
  readonly #count = h("p", { class: "wb-FeederLoads-count" });
  /** The displayed rows by load. */
  readonly #shown = new Map<string, (kw: number) => void>();
  /** kW of the case by load, from the first result without edits of it. */
  readonly #base = new Map<string, number>();
  #dragged: string | null = null;

  constructor(study: FeederStudy) {
    this.#study = study;
    const label = trans.__("Find a load");
    this.#search = h("input", {
      attributes: { type: "search", placeholder: label, "aria-label": label },
      on: { input: () => this.update() },
    });
    this.#reset = button(trans.__("Loads of the case"), () => void study.commit({}));
    this.node.append(h("div", { class: "wb-FeederLoads-tools" }, this.#search, this.#reset), this.#count, this.#list);
  }

  /** Shows the present loads. A row that is being dragged is not changed. */
  update(): void {
    const { solution, loads } = this.#study;
    this.#reset.disabled = Object.keys(loads).length === 0;
    if (solution === null || this.#dragged !== null) {
      return;
    }
    const { rows, columns, result } = solution;
    rows.loads.forEach((name, row) => {
      if (!(name in result.loads) && !this.#base.has(name)) {
        this.#base.set(name, columns.load_kw?.[row] ?? 0);
      }
    });
    const wanted = this.#search.value.trim().toLowerCase();
    const found = rows.loads.flatMap((name, row) => (name.toLowerCase().includes(wanted) ? [row] : []));
    const more = found.length - SHOWN;
    this.#count.textContent =
      more > 0 ? trans.__("%1 of %2 loads; search for others", formatCount(SHOWN), formatCount(found.length)) : "";
    const listed = found.slice(0, SHOWN);
    const kw = (row: number): number => loads[rows.loads[row] ?? ""]?.p_kw ?? columns.load_kw?.[row] ?? 0;
    if (listed.map((row) => rows.loads[row]).join("\n") !== [...this.#shown.keys()].join("\n")) {
      this.#shown.clear();
      const bus = (row: number): string => rows.buses[columns.load_bus?.[row] ?? -1] ?? "";
      this.#list.replaceChildren(...listed.map((row) => this.#row(rows.loads[row] ?? "", bus(row), kw(row))));
    }
    // Rows are reused, which preserves the focus.
    for (const row of listed) {
      this.#shown.get(rows.loads[row] ?? "")?.(kw(row));
    }
  }

  #row(name: string, bus: string, kw: number): HTMLElement {
    const base = this.#base.get(name) ?? kw;
    const most = MOST * Math.max(Math.abs(base), Math.abs(kw) / MOST, 1);
    const own = name.replace(/^load\./, "");
    const value = h("output", { text: kilowatts(kw) });
    const slider = h("input", {
      attributes: {
        type: "range",
        min: String(Math.min(0, base * MOST)),
        max: String(most),
        step: String(most / 300),
        value: String(kw),
        "aria-label": trans.__("Load %1, kW", own),
      },
    });
    let shown = slider.value;
    listenSlider(slider, {
      slideTo: (kw) => {
        this.#dragged = name;
        value.textContent = kilowatts(kw);
        slider.setAttribute("aria-valuetext", kilowatts(kw));
        this.#study.drag(name, kw);
      },
      release: async (kw) => {
        if (this.#dragged !== name) {
          return; // only touched, or released already
        }
        this.#dragged = null;
        if (slider.value !== shown) {
          await this.#study.commit({ ...this.#study.loads, [name]: { p_kw: kw } });
        } else {
          this.#study.putBack(name); // back at the start, for which there is no `change` event
          this.update();
        }
      },
    });
    const line = h(
      "label",
      { class: "wb-FeederLoads-row", attributes: { title: trans.__("Load %1 at bus %2", own, bus) } },
      h("span", { text: own }),
      slider,
      value,
    );
    this.#shown.set(name, (present) => {
      slider.value = String(present);
      shown = slider.value;
      slider.setAttribute("aria-valuetext", kilowatts(present));
      value.textContent = kilowatts(present);
      line.classList.toggle("wb-mod-changed", name in this.#study.loads);
    });
    return line;
  }
}

function kilowatts(kw: number): string {
  return `${formatUpTo(kw, Math.abs(kw) < 100 ? 1 : 0)} kW`;
}
