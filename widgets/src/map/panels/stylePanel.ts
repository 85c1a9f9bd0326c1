import { MAP_CHOICES, MAP_SIZES } from "@service/engine";
import { button, h } from "../../ui/dom.ts";
import { parseNumber, trans } from "../../text/index.ts";
import { COLOUR_MAP_NAMES, colourMapLabel } from "../colour/colourMaps.ts";
import type { LegendRange } from "../colour/legendRange.ts";
import { GROUND_CHOICES, type GroundChoice, mapSettings } from "../ground/mapSettings.ts";
import type { MapStyle } from "../style/mapStyle.ts";
import type { MapOverlays } from "../overlay/mapOverlays.ts";
import { overlayRows } from "../overlay/overlayRows.ts";
import { basemapRows } from "../userBasemap/basemapRows.ts";
import { ServerList } from "../userBasemap/serverList.ts";
import type { ChosenBasemap } from "../userBasemap/chosenBasemap.ts";
import type { CaseSession } from "../../workspace/index.ts";

/** Objects and actions of the panel. */
export interface StylePanelParts {
  readonly session: CaseSession;
  readonly basemap: ChosenBasemap;
  readonly overlays: MapOverlays;
  style(): MapStyle;
  /** Applies a change of the style. */
  change(part: Partial<MapStyle>): void;
  /** The present range of the buses' colours, and its unit. */
  range(): { range: LegendRange | null; unit: string };
  closed(): void;
}

/** With more categories than this there are no checkboxes. */
const MOST_BOXES = 40;

/**
 * Layers and style of one map: what is drawn, and how. It lies over the picture, which follows every change at once.
 */
export class StylePanel {
  readonly node = h("div", {
    class: "wb-StylePanel",
    attributes: { role: "dialog", "aria-label": trans.__("Layers and style"), tabindex: "-1", hidden: "" },
  });
  readonly #parts: StylePanelParts;
  readonly #servers = new ServerList();

  constructor(parts: StylePanelParts) {
    this.#parts = parts;
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        this.toggle(false);
      }
    });
  }

  dispose(): void {
    this.#servers.dispose();
  }

  get open(): boolean {
    return !this.node.hidden;
  }

  toggle(open = this.node.hidden): void {
    if (open === this.open) {
      return;
    }
    this.node.hidden = !open;
    if (open) {
      this.#draw();
      this.node.focus();
    } else {
      this.#parts.closed();
    }
  }

  /** Shows changes made elsewhere. */
  update(): void {
    if (this.open && !this.node.contains(document.activeElement)) {
      this.#draw();
    }
  }

  #change(part: Partial<MapStyle>, redraw = false): void {
    this.#parts.change(part);
    if (redraw) {
      this.#draw();
    }
  }

  #draw(): void {
    const style = this.#parts.style();
    this.node.replaceChildren(
      h(
        "div",
        { class: "wb-StylePanel-head" },
        h("h3", { text: trans.__("Layers and style") }),
        button(trans.__("Close"), () => this.toggle(false), { class: "wb-StylePanel-close" }),
      ),
      ...this.#layers(style),
      ...this.#colours(style),
      ...this.#sizes(style),
      heading(trans.__("All maps")),
      ...basemapRows(this.#parts.basemap, this.#servers),
      choice(
        trans.__("Basemap drawn by"),
        GROUND_CHOICES,
        mapSettings.ground,
        groundLabel,
        (ground) => (mapSettings.ground = ground),
      ),
    );
  }

  #layers(style: MapStyle): HTMLElement[] {
    const { buses } = this.#parts.session.opened;
    const kinds = (values: readonly (number | null)[]): number[] =>
      [...new Set(values)].filter((value) => value !== null).sort((a, b) => b - a);
    const [levels, areas, zones] = [
      kinds(buses.map(({ base_kv }) => base_kv)),
      kinds(buses.map(({ area }) => area)).toReversed(),
      kinds(buses.map(({ zone }) => zone)).toReversed(),
    ];
    return [
      heading(trans.__("Layers")),
      choice(trans.__("Values"), MAP_CHOICES.surface, style.surface, surfaceLabel, (surface) =>
        this.#change({ surface }),
      ),
      choice(trans.__("Generators"), MAP_CHOICES.generators, style.generators, generatorsLabel, (generators) =>
        this.#change({ generators }),
      ),
      ...overlayRows(this.#parts.overlays, () => this.#draw()),
      ...this.#boxes(trans.__("Voltage levels"), levels, style.levels, (levels) => this.#change({ levels }), " kV"),
      ...this.#boxes(trans.__("Areas"), areas, style.areas, (areas) => this.#change({ areas })),
      ...this.#boxes(trans.__("Zones"), zones, style.zones, (zones) => this.#change({ zones })),
    ];
  }

  /** A checkbox for each category; with all checked nothing is hidden. */
  #boxes(
    title: string,
    kinds: readonly number[],
    chosen: readonly number[] | null,
    change: (kinds: readonly number[] | null) => void,
    unit = "",
  ): HTMLElement[] {
    if (kinds.length < 2 || kinds.length > MOST_BOXES) {
      return [];
    }
    const inputs = kinds.map((kind) => {
      const input = h("input", { attributes: { type: "checkbox" } });
      input.checked = chosen === null || chosen.includes(kind);
      return { kind, input };
    });
    const taken = (): void => {
      const marked = inputs.filter(({ input }) => input.checked).map(({ kind }) => kind);
      change(marked.length === kinds.length || marked.length === 0 ? null : marked);
      if (marked.length === 0) {
        inputs.forEach(({ input }) => (input.checked = true)); // at least one must be checked
      }
    };
    inputs.forEach(({ input }) => input.addEventListener("change", taken));
    const labels = inputs.map(({ kind, input }) => h("label", {}, input, `${kind}${unit}`));
    return [h("fieldset", { class: "wb-StylePanel-boxes" }, h("legend", { text: title }), ...labels)];
  }

  #colours(style: MapStyle): HTMLElement[] {
    const { range, unit } = this.#parts.range();
    const ends =
      style.range !== "fixed"
        ? []
        : [
            row(
              unit === "" ? trans.__("From, to") : trans.__("From, to (%1)", unit),
              this.#end(trans.__("Lower end"), style.vmin ?? range?.low ?? null, (vmin) => this.#change({ vmin })),
              this.#end(trans.__("Upper end"), style.vmax ?? range?.high ?? null, (vmax) => this.#change({ vmax })),
            ),
          ];
    return [
      heading(trans.__("Colours")),
      choice(trans.__("Palette"), COLOUR_MAP_NAMES, style.cmap, colourMapLabel, (cmap) => this.#change({ cmap })),
      choice(trans.__("Range"), MAP_CHOICES.range, style.range, rangeLabel, (chosen) =>
        this.#change(
          chosen === "fixed"
            ? { range: chosen, vmin: range?.low ?? null, vmax: range?.high ?? null }
            : { range: chosen },
          true,
        ),
      ),
      ...ends,
      box(trans.__("Keep the present range"), style.locked, (locked) => this.#change({ locked })),
      box(trans.__("Log scale"), style.log, (log) => this.#change({ log })),
    ];
  }

  #sizes(style: MapStyle): HTMLElement[] {
    return [
      heading(trans.__("Sizes")),
      choice(trans.__("Line width by"), MAP_CHOICES.width, style.width, widthLabel, (width) => this.#change({ width })),
      slider(trans.__("Buses"), style.busSize, (busSize) => this.#change({ busSize })),
      slider(trans.__("Lines"), style.lineSize, (lineSize) => this.#change({ lineSize })),
    ];
  }

  /** One end of a fixed range; invalid text is marked and ignored. */
  #end(label: string, value: number | null, take: (value: number) => void): HTMLInputElement {
    const input = h("input", {
      class: "wb-StylePanel-number",
      attributes: { type: "text", inputmode: "decimal", "aria-label": label },
    });
    input.value = value === null ? "" : String(Number(value.toPrecision(6)));
    input.addEventListener("change", () => {
      const number = parseNumber(input.value);
      input.setAttribute("aria-invalid", String(number === null));
      if (number !== null) {
        take(number);
      }
    });
    return input;
  }
}

function heading(text: string): HTMLElement {
  return h("h4", { text });
}

function row(label: string, ...controls: HTMLElement[]): HTMLElement {
  return h("div", { class: "wb-StylePanel-row" }, h("span", { text: label }), ...controls);
}

function choice<T extends string>(
  label: string,
  all: readonly T[],
  chosen: T,
  words: (one: T) => string,
  take: (one: T) => void,
): HTMLElement {
  const options = all.map((one) => h("option", { text: words(one), attributes: { value: one } }));
  const select = h("select", { attributes: { "aria-label": label } }, ...options);
  select.value = chosen;
  select.addEventListener("change", () => take(select.value as T));
  return row(label, select);
}

function box(label: string, on: boolean, take: (on: boolean) => void): HTMLElement {
  const input = h("input", { attributes: { type: "checkbox" } });
  input.checked = on;
  input.addEventListener("change", () => take(input.checked));
  return h("label", { class: "wb-StylePanel-box" }, input, label);
}

/** Factors in equal ratios, with 1 in the middle. */
function slider(label: string, factor: number, take: (factor: number) => void): HTMLElement {
  const most = Math.log2(MAP_SIZES.high);
  const input = h("input", {
    attributes: { type: "range", min: String(-most), max: String(most), step: "0.25", "aria-label": label },
  });
  const value = h("output", { attributes: { "aria-live": "off" } }); // the slider announces its own value
  const showValue = (): void => {
    value.textContent = trans.__("\u00d7%1", (2 ** Number(input.value)).toPrecision(2));
    input.setAttribute("aria-valuetext", value.textContent);
  };
  input.value = String(Math.log2(factor));
  input.addEventListener("input", () => {
    showValue();
    take(2 ** Number(input.value));
  });
  showValue();
  return row(label, input, value);
}

function surfaceLabel(surface: MapStyle["surface"]): string {
  return surface === "dots" ? trans.__("Dots") : trans.__("Contours");
}

function generatorsLabel(colour: MapStyle["generators"]): string {
  switch (colour) {
    case "none":
      return trans.__("Hidden");
    case "fuel":
      return trans.__("By energy source");
    case "cost":
      return trans.__("By marginal cost");
  }
}

function groundLabel(ground: GroundChoice): string {
  switch (ground) {
    case "auto":
      return trans.__("Graphics card, if there is one");
    case "always":
      return trans.__("WebGL");
    case "never":
      return trans.__("Processor");
  }
}

function rangeLabel(range: MapStyle["range"]): string {
  switch (range) {
    case "auto":
      return trans.__("Automatic");
    case "quantile":
      return trans.__("5th to 95th percentile");
    case "fixed":
      return trans.__("Fixed");
  }
}

function widthLabel(width: MapStyle["width"]): string {
  switch (width) {
    case "class":
      return trans.__("Loading class");
    case "rating":
      return trans.__("Rating");
    case "kv":
      return trans.__("Voltage level");
  }
}
