/** A colour as four parts from 0 to 1, not premultiplied. */
export type Rgba = [red: number, green: number, blue: number, alpha: number];

const known = new Map<string, Rgba>();
let probe: CanvasRenderingContext2D | null = null;

/** The parts of any CSS colour, as the browser parses it. Results are cached. */
export function rgbaOf(colour: string): Rgba {
  let parts = known.get(colour);
  if (parts === undefined) {
    parts = plain(colour) ?? probed(colour);
    known.set(colour, parts);
  }
  return parts;
}

/** A CSS colour in a form that every program reads: `#2f7fb8`, or `rgb(47 127 184 / 0.5)` with an alpha. */
export function plainColour(colour: string): string {
  const [r, g, b, alpha] = rgbaOf(colour);
  const bytes = [r, g, b].map((part) => Math.round(255 * part));
  return alpha === 1
    ? `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`
    : `rgba(${bytes.join(", ")}, ${Number(alpha.toFixed(3))})`;
}

function plain(colour: string): Rgba | null {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  if (hex !== null) {
    const part = (k: number): number => parseInt(hex[k] ?? "0", 16) / 255;
    return [part(1), part(2), part(3), 1];
  }
  const rgb = /^rgb\(\s*([\d.]+)[ ,]+([\d.]+)[ ,]+([\d.]+)\s*\)$/.exec(colour);
  return rgb === null ? null : [Number(rgb[1]) / 255, Number(rgb[2]) / 255, Number(rgb[3]) / 255, 1];
}

function probed(colour: string): Rgba {
  if (probe === null) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    probe = canvas.getContext("2d", { willReadFrequently: true });
  }
  if (probe === null) {
    return [0, 0, 0, 1];
  }
  probe.clearRect(0, 0, 1, 1);
  probe.fillStyle = "#000";
  probe.fillStyle = colour;
  probe.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, alpha = 0] = probe.getImageData(0, 0, 1, 1).data;
  return [r / 255, g / 255, b / 255, alpha / 255];
}
