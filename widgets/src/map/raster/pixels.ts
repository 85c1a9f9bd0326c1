import { type Rgba, rgbaOf } from "../../ui/cssColour.ts";

/** An opaque picture in memory: one word per pixel with the bytes red, green, blue, 255. */
export interface Pixels {
  width: number;
  height: number;
  words: Uint32Array;
}

/** A colour prepared for blending into pixels. */
export interface Ink {
  /** Red and blue, and green, at their positions in a word. */
  rb: number;
  g: number;
  /** Opacity of the colour, 0 to 256. */
  weight: number;
}

/** Bytes 0 and 2 of a word, byte 1, and byte 3, which is 255 in every pixel. */
const RB = 0x00ff00ff;
const G = 0x0000ff00;
const OPAQUE = 0xff000000;
/** Rounding terms for products with 256ths, in the bytes 0 and 2, and in byte 1. */
const HALF_RB = 0x00800080;
const HALF_G = 0x00008000;

const inks = new Map<string, Ink>();

/** The ink of a CSS colour. */
export function inkOf(colour: string): Ink {
  let ink = inks.get(colour);
  if (ink === undefined) {
    const [r, g, b, alpha]: Rgba = rgbaOf(colour);
    const [red, green, blue] = [r, g, b].map((part) => Math.round(255 * part)) as [number, number, number];
    ink = { rb: red | (blue << 16), g: green << 8, weight: Math.round(256 * alpha) };
    inks.set(colour, ink);
  }
  return ink;
}

/** Blends an ink into a pixel; `weight` is the share of the ink, 0 to 256. */
export function mixed(word: number, rb: number, g: number, weight: number): number {
  const part = weight | 0;
  const rest = 256 - part;
  const newRb = ((Math.imul(word & RB, rest) + Math.imul(rb, part) + HALF_RB) >>> 8) & RB;
  const newG = ((Math.imul(word & G, rest) + Math.imul(g, part) + HALF_G) >>> 8) & G;
  return OPAQUE | newG | newRb;
}

/** One word of an opaque colour. */
export function wordOf({ rb, g }: Ink): number {
  return (OPAQUE | g | rb) >>> 0;
}
