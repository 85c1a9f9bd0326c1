import { button, h } from "../../ui/dom.ts";
import { parseNumber, trans } from "../../text/index.ts";
import type { PictureFormat } from "../svg/savePicture.ts";

/** Options of a figure. */
export interface Figure {
  readonly format: PictureFormat;
  /** Width on paper, cm. */
  readonly widthCm: number;
  /** Pixels per inch of a PNG. */
  readonly dpi: number;
  /** Whether the caption is above the picture. */
  readonly caption: boolean;
  /** Whether it is cropped to the network, with the legend below. */
  readonly crop: boolean;
}

/** The formats of a figure with their labels. */
const FORMATS: readonly (readonly [format: PictureFormat, words: () => string])[] = [
  ["svg", () => trans.__("SVG, vector")],
  ["pdf", () => trans.__("PDF, vector")],
  ["png", () => trans.__("PNG, pixels")],
];

/** A figure of page width at print resolution. */
const USUAL_FIGURE: Figure = { format: "svg", widthCm: 16, dpi: 300, caption: true, crop: false };
/** Valid ranges. */
const LIMITS = { widthCm: [2, 100], dpi: [50, 1200] } as const;
/** Largest side of a PNG that all browsers can make, pixels. */
const MOST_PIXELS = 12_000;

/** Asks for the size and options of a figure, and saves it. */
export class FigurePanel {
  readonly node = h("div", {
    class: "wb-StylePanel",
    attributes: { role: "dialog", "aria-label": trans.__("Save figure"), tabindex: "-1", hidden: "" },
  });
  readonly #save: (figure: Figure) => void;
  readonly #closed: () => void;
  #figure = USUAL_FIGURE;

  constructor(save: (figure: Figure) => void, closed: () => void) {
    this.#save = save;
    this.#closed = closed;
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        this.#close();
      }
    });
  }

  open(): void {
    this.node.hidden = false;
    this.#draw();
    this.node.focus();
  }

  #close(): void {
    this.node.hidden = true;
    this.#closed();
  }

  #draw(): void {
    const { format, widthCm, dpi, caption, crop } = this.#figure;
    const formats = FORMATS.map(([name, words]) => h("option", { text: words(), attributes: { value: name } }));
    const select = h("select", { attributes: { "aria-label": trans.__("Format") } }, ...formats);
    select.value = format;
    const width = numberField(trans.__("Width, cm"), widthCm);
    const sharp = numberField(trans.__("Resolution, dpi"), dpi);
    sharp.disabled = format !== "png";
    const box = h("input", { attributes: { type: "checkbox" } });
    box.checked = caption;
    const cropped = h("input", { attributes: { type: "checkbox" } });
    cropped.checked = crop;
    const problem = h("p", { class: "wb-StylePanel-problem", attributes: { role: "status" } });
    select.addEventListener("change", () => (sharp.disabled = select.value !== "png"));
    const save = (): void => {
      const fields = { format: select.value, width: width.value, dpi: sharp.value };
      const found = figureOf({ ...fields, caption: box.checked, crop: cropped.checked });
      problem.textContent = typeof found === "string" ? found : "";
      if (typeof found !== "string") {
        this.#figure = found;
        this.#close();
        this.#save(found);
      }
    };
    this.node.replaceChildren(
      h(
        "div",
        { class: "wb-StylePanel-head" },
        h("h3", { text: trans.__("Save figure") }),
        button(trans.__("Close"), () => this.#close(), { class: "wb-StylePanel-close" }),
      ),
      row(trans.__("Format"), select),
      row(trans.__("Width, cm"), width),
      row(trans.__("Resolution, dpi"), sharp),
      h("label", { class: "wb-StylePanel-box" }, box, trans.__("Caption above the picture")),
      h("label", { class: "wb-StylePanel-box" }, cropped, trans.__("Crop to the network, legend below")),
      problem,
      button(trans.__("Save"), save, { class: "wb-StylePanel-save" }),
    );
  }
}

/** The entered figure, or a sentence on what is invalid. */
export function figureOf(entered: {
  format: string;
  width: string;
  dpi: string;
  caption: boolean;
  crop: boolean;
}): Figure | string {
  const format = FORMATS.find(([name]) => name === entered.format)?.[0] ?? USUAL_FIGURE.format;
  const { caption, crop } = entered;
  const [widthCm, dpi] = [parseNumber(entered.width), parseNumber(entered.dpi)];
  const within = (value: number | null, [least, most]: readonly [number, number]): value is number =>
    value !== null && value >= least && value <= most;
  if (!within(widthCm, LIMITS.widthCm)) {
    return trans.__("The width is from %1 to %2 cm.", ...LIMITS.widthCm);
  }
  if (format !== "png") {
    return { format, widthCm, dpi: USUAL_FIGURE.dpi, caption, crop };
  }
  if (!within(dpi, LIMITS.dpi)) {
    return trans.__("The resolution is from %1 to %2 dpi.", ...LIMITS.dpi);
  }
  if ((widthCm / 2.54) * dpi > MOST_PIXELS) {
    return trans.__("That is more than %1 pixels; choose a smaller width or resolution.", MOST_PIXELS);
  }
  return { format, widthCm, dpi, caption, crop };
}

function row(label: string, control: HTMLElement): HTMLElement {
  return h("div", { class: "wb-StylePanel-row" }, h("span", { text: label }), control);
}

function numberField(label: string, value: number): HTMLInputElement {
  const input = h("input", {
    class: "wb-StylePanel-number",
    attributes: { type: "text", inputmode: "decimal", "aria-label": label },
  });
  input.value = String(value);
  return input;
}
