import { rgbaOf } from "../../ui/cssColour.ts";
import { latin, PdfFile } from "./pdfFile.ts";
import { ENCODING, FONTS, pdfParts, TextMeasure } from "./pdfText.ts";
import { bezierCircle, pdfNumber as n, pdfWay } from "./pdfWay.ts";
import { trans } from "../../text/index.ts";

/** What children have from the elements around them. */
type Look = Readonly<Record<string, string>>;

const INHERITED = [
  ...["fill", "fill-rule", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray"],
  ...["font-size", "font-weight", "text-anchor", "paint-order"],
];
const FIRST: Look = { fill: "#000", stroke: "none", opacity: "1" };
/** From the middle of letters to their baseline, of their size. */
const MIDDLE = 0.36;
/** Parts of which the bar of a scale is made. */
const STRIPS = 96;

/**
 * An SVG of `svgPicture` as a PDF of one page: its shapes and texts are drawn as such, in Helvetica, and its images as pixels. Rejects
 * for letters that the fonts of a PDF do not have.
 */
export async function pdfOf(
  svg: string,
  size: { width: number; height: number },
  widthCm: number,
): Promise<Uint8Array> {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const page = new PdfPage(root);
  await page.draw(root, FIRST);
  const scale = ((widthCm / 2.54) * 72) / size.width;
  const [wide, tall] = [n(scale * size.width), n(scale * size.height)];
  return page.file(`${n(scale)} 0 0 ${n(-scale)} 0 ${tall} cm`, wide, tall);
}

class PdfPage {
  readonly #root: Element;
  readonly #file = new PdfFile();
  readonly #content: string[] = [];
  readonly #measure = new TextMeasure();
  /** Names of opacities, and numbers of images. */
  readonly #opacities = new Map<string, string>();
  readonly #images: number[] = [];

  constructor(root: Element) {
    this.#root = root;
  }

  /** Draws the children of an element. */
  async draw(element: Element, look: Look): Promise<void> {
    for (const child of element.children) {
      await this.#child(child, lookOf(child, look));
    }
  }

  async file(head: string, wide: string, tall: string): Promise<Uint8Array> {
    const content = await this.#file.addStream(latin([head, ...this.#content].join("\n")));
    const fonts = FONTS.map((name, k) => {
      const encoding = name.startsWith("Helvetica") ? ` /Encoding ${ENCODING}` : ""; // the others have one of their own
      return `/F${k + 1} ${this.#file.add(`<< /Type /Font /Subtype /Type1 /BaseFont /${name}${encoding} >>`)} 0 R`;
    });
    const states = [...this.#opacities].map(([value, name]) => `/${name} << /ca ${value} /CA ${value} >>`);
    const images = this.#images.map((image, k) => `/I${k} ${image} 0 R`);
    const resources = `<< /Font << ${fonts.join(" ")} >> /ExtGState << ${states.join(" ")} >> /XObject << ${images.join(" ")} >> >>`;
    const page = this.#file.add(
      `<< /Type /Page /Parent ${this.#file.next + 1} 0 R /MediaBox [0 0 ${wide} ${tall}] ` +
        `/Contents ${content} 0 R /Resources ${resources} >>`,
    );
    const pages = this.#file.add(`<< /Type /Pages /Kids [${page} 0 R] /Count 1 >>`);
    return this.#file.bytes(this.#file.add(`<< /Type /Catalog /Pages ${pages} 0 R >>`));
  }

  async #child(element: Element, look: Look): Promise<void> {
    const matrix = matrixOf(element.getAttribute("transform"));
    const write = this.#content;
    write.push("q", ...(matrix === "" ? [] : [matrix]), ...this.#opacity(look));
    switch (element.localName) {
      case "g":
        await this.draw(element, look);
        break;
      case "use": {
        const used = this.#root.querySelector(element.getAttribute("href") ?? "");
        if (used !== null) {
          await this.draw(used, look);
        }
        break;
      }
      case "rect":
        this.#rect(element, look);
        break;
      case "circle":
        this.#paint(look, bezierCircle(number(element, "cx"), number(element, "cy"), number(element, "r")));
        break;
      case "path":
        this.#paint(look, pdfWay(element.getAttribute("d") ?? ""));
        break;
      case "text":
        this.#text(element, look);
        break;
      case "image":
        await this.#image(element);
    }
    write.push("Q");
  }

  #opacity({ opacity = "1" }: Look): string[] {
    if (Number(opacity) >= 1) {
      return [];
    }
    const name = this.#opacities.get(opacity) ?? `A${this.#opacities.size}`;
    this.#opacities.set(opacity, name);
    return [`/${name} gs`];
  }

  #rect(element: Element, look: Look): void {
    const [x, y, wide, tall] = [
      number(element, "x"),
      number(element, "y"),
      number(element, "width"),
      number(element, "height"),
    ];
    const scale = /^url\((#.*)\)$/.exec(look["fill"] ?? "")?.[1];
    if (scale === undefined) {
      this.#paint(look, `${n(x)} ${n(y)} ${n(wide)} ${n(tall)} re`);
      return;
    }
    const stops = [...(this.#root.querySelector(scale)?.children ?? [])].map((stop) => stop.getAttribute("stop-color"));
    for (let k = 0; k < STRIPS; k += 1) {
      const at = ((stops.length - 1) * (k + 0.5)) / STRIPS;
      const [from, to] = [rgbaOf(stops[Math.floor(at)] ?? ""), rgbaOf(stops[Math.ceil(at)] ?? "")];
      const colour = [0, 1, 2].map((part) => n((from[part] ?? 0) * (1 - (at % 1)) + (to[part] ?? 0) * (at % 1)));
      const left = (wide * k) / STRIPS;
      // Each goes on below the next ones, so that no ground shows between them.
      this.#content.push(`${colour.join(" ")} rg ${n(x + left)} ${n(y)} ${n(wide - left)} ${n(tall)} re f`);
    }
  }

  #paint(look: Look, way: string): void {
    const { fill = "none", stroke = "none" } = look;
    const filled = fill !== "none";
    const stroked = stroke !== "none" && Number(look["stroke-width"] ?? 1) > 0;
    if (way === "" || (!filled && !stroked)) {
      return;
    }
    if (filled && stroked && look["paint-order"] === "stroke") {
      this.#paint({ ...look, fill: "none" }, way);
      this.#paint({ ...look, stroke: "none" }, way);
      return;
    }
    const rule = look["fill-rule"] === "evenodd" ? "*" : "";
    const how = filled && stroked ? `B${rule}` : filled ? `f${rule}` : "S";
    this.#content.push([...this.#pens(look), way, how].join(" "));
  }

  #pens({ fill = "none", stroke = "none", ...look }: Look): string[] {
    const ends = ["stroke-linecap", "stroke-linejoin"].map((name) => (look[name] === "round" ? 1 : 0));
    const dashes = (look["stroke-dasharray"] ?? "none") === "none" ? "" : look["stroke-dasharray"];
    return [
      ...(fill === "none" ? [] : [`${colourOf(fill)} rg`]),
      ...(stroke === "none"
        ? []
        : [
            `${colourOf(stroke)} RG ${n(Number(look["stroke-width"] ?? 1))} w ${ends[0]} J ${ends[1]} j [${dashes}] 0 d`,
          ]),
    ];
  }

  #text(element: Element, look: Look): void {
    const runs = [...element.childNodes].flatMap((node) => {
      const text = (node.textContent ?? "").replace(/\s+/g, " ");
      const own = node.nodeType === Node.ELEMENT_NODE ? lookOf(node as Element, look) : look;
      const bold = Number(own["font-weight"] ?? 400) >= 600;
      return pdfParts(text, bold).map((part) => ({ ...part, look: own, bold }));
    });
    const size = Number.parseFloat(look["font-size"] ?? "11");
    const spacing = number(element, "letter-spacing");
    const widths = runs.map(({ text, bold }) => this.#measure.width(text, size, bold) + spacing * text.length);
    const whole = widths.reduce((sum, width) => sum + width, 0);
    const share = { middle: 0.5, end: 1 }[look["text-anchor"] ?? ""] ?? 0;
    const central = element.getAttribute("dominant-baseline") === "central";
    let x = number(element, "x") - share * whole;
    const y = number(element, "y") + (central ? MIDDLE * size : 0);
    runs.forEach(({ font, string, look: own }, k) => {
      // A rim lies below the letters, so it is drawn first.
      const modes = (own["stroke"] ?? "none") === "none" ? [0] : [1, 0];
      for (const mode of modes) {
        this.#content.push(
          `BT ${this.#pens({ ...own, "stroke-linejoin": "round" }).join(" ")} ${mode} Tr /F${FONTS.indexOf(font) + 1} ${n(size)} Tf ` +
            `${n(spacing)} Tc 1 0 0 -1 ${n(x)} ${n(y)} Tm ${string} Tj ET`,
        );
      }
      x += widths[k] ?? 0;
    });
  }

  async #image(element: Element): Promise<void> {
    const { width, height, colours, alphas } = await pixelsOf(element.getAttribute("href") ?? "");
    const kind = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /Interpolate true`;
    const mask = await this.#file.addStream(alphas, `${kind} /ColorSpace /DeviceGray`);
    const image = await this.#file.addStream(colours, `${kind} /ColorSpace /DeviceRGB /SMask ${mask} 0 R`);
    const [wide, tall] = [number(element, "width"), number(element, "height")];
    // The unit square with its first row above, in coordinates that go down.
    this.#content.push(`${n(wide)} 0 0 ${n(-tall)} 0 ${n(tall)} cm /I${this.#images.length} Do`);
    this.#images.push(image);
  }
}

/** How an element is drawn: what is inherited, and opacity as the product of all of them. */
function lookOf(element: Element, outer: Look): Look {
  const own = INHERITED.flatMap((name) => {
    const value = element.getAttribute(name);
    return value === null ? [] : [[name, value] as const];
  });
  const opacity = ["opacity", "fill-opacity", "stroke-opacity"].map((name) => Number(element.getAttribute(name) ?? 1));
  const product = opacity.reduce((all, one) => all * one, Number(outer["opacity"] ?? 1));
  return { ...outer, ...Object.fromEntries(own), opacity: n(product) };
}

function colourOf(colour: string): string {
  return rgbaOf(colour).slice(0, 3).map(n).join(" ");
}

function number(element: Element, name: string): number {
  return Number.parseFloat(element.getAttribute(name) ?? "0");
}

/** The transformations of an element, from left to right. */
function matrixOf(transform: string | null): string {
  return [...(transform ?? "").matchAll(/(\w+)\(([^)]*)\)/g)]
    .map(([, kind, values = ""]) => {
      const numbers = values.split(/[\s,]+/).map(Number);
      if (kind === "matrix") {
        return `${numbers.join(" ")} cm`;
      }
      const [first = 0, second = 0] = numbers;
      if (kind === "scale") {
        return `${n(first)} 0 0 ${n(first)} 0 0 cm`;
      }
      const angle = (first * Math.PI) / 180;
      const [cos, sin] = [n(Math.cos(angle)), n(Math.sin(angle))];
      return kind === "rotate"
        ? `${cos} ${sin} ${n(-Math.sin(angle))} ${cos} 0 0 cm`
        : `1 0 0 1 ${n(first)} ${n(second)} cm`;
    })
    .join(" ");
}

async function pixelsOf(
  address: string,
): Promise<{ width: number; height: number; colours: Uint8Array; alphas: Uint8Array }> {
  const image = new Image();
  image.src = address;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  if (context === null) {
    throw new Error(trans.__("This browser provides no canvas to draw on."));
  }
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const colours = new Uint8Array(3 * width * height);
  const alphas = new Uint8Array(width * height);
  for (let k = 0; k < alphas.length; k += 1) {
    colours.set(data.subarray(4 * k, 4 * k + 3), 3 * k);
    alphas[k] = data[4 * k + 3] ?? 255;
  }
  return { width, height, colours, alphas };
}
