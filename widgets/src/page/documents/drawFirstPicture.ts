import { robustRange } from "../../map/colour/legendRange.ts";
import { priceScale } from "../../map/colour/colourScale.ts";
import { inkOf, type Pixels, wordOf } from "../../map/raster/pixels.ts";
import { capsule, disc } from "../../map/raster/shapes.ts";
import { mercatorY } from "../../map/view/geometry.ts";
import type { FirstPicture } from "../catalogue/firstPicture.ts";

/** Margin on each side as a fraction of the size. */
const MARGIN = 0.06;

/**
 * Draws lines and buses coloured by their base prices, at the displayed size of the canvas. It sets pixels, as maps do,
 * because thousands of canvas paths take several times as long without a graphics card.
 */
export function drawFirstPicture(canvas: HTMLCanvasElement, picture: FirstPicture, dark: boolean): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  if (context === null || canvas.width === 0 || canvas.height === 0) {
    return;
  }
  const image = new ImageData(canvas.width, canvas.height);
  const pixels: Pixels = { width: image.width, height: image.height, words: new Uint32Array(image.data.buffer) };
  const { color, backgroundColor } = getComputedStyle(canvas);
  pixels.words.fill(wordOf(inkOf(backgroundColor)));
  const frame = frameOf(picture.places, pixels);
  drawLines(pixels, placed(picture.corners, frame), picture.ends, 0.35 * ratio, color);
  const radius = ratio * Math.max(1.2, Math.min(3.2, Math.sqrt((width * height) / picture.prices.length) / 7));
  drawBuses(pixels, placed(picture.places, frame), picture.prices, radius, { dark, color });
  context.putImageData(image, 0, 0);
}

// Uses plain numeric loops, because the page's code is not optimised yet at this time.

function drawLines(pixels: Pixels, corners: Float64Array, ends: Uint32Array, half: number, colour: string): void {
  const ink = inkOf(colour);
  let at = 0;
  for (const end of ends) {
    for (; at + 2 < end; at += 2) {
      const [ax, ay] = [corners[at] as number, corners[at + 1] as number];
      capsule(pixels, ax, ay, corners[at + 2] as number, corners[at + 3] as number, half, ink);
    }
    at = end;
  }
}

function drawBuses(
  pixels: Pixels,
  places: Float64Array,
  prices: Float64Array,
  radius: number,
  { dark, color }: { dark: boolean; color: string },
): void {
  const range = robustRange(prices);
  if (range === null) {
    return;
  }
  const scale = priceScale(range, dark);
  const [inks, other] = [scale.palette.map(inkOf), inkOf(color)];
  for (let row = 0; row < prices.length; row += 1) {
    const ink = inks[scale.place(prices[row] as number)] ?? other;
    disc(pixels, places[2 * row] as number, places[2 * row + 1] as number, radius, ink);
  }
}

/** From the map's projection to pixels. */
interface PictureFrame {
  scale: number;
  left: number;
  top: number;
}

/** The frame that fits all places inside the margins. */
function frameOf(places: Float64Array, { width, height }: Pixels): PictureFrame {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let at = 0; at < places.length; at += 2) {
    const [x, y] = [places[at] as number, mercatorY(places[at + 1] as number)];
    x0 = Math.min(x0, x);
    x1 = Math.max(x1, x);
    y0 = Math.min(y0, y);
    y1 = Math.max(y1, y);
  }
  const inner = 1 - 2 * MARGIN;
  const scale = Math.min((inner * width) / (x1 - x0 || 1e-9), (inner * height) / (y1 - y0 || 1e-9));
  return { scale, left: (width - scale * (x0 + x1)) / 2, top: (height - scale * (y0 + y1)) / 2 };
}

/** Converts longitudes and latitudes to pixels. */
function placed(points: Float64Array, { scale, left, top }: PictureFrame): Float64Array {
  const found = new Float64Array(points.length);
  for (let at = 0; at < points.length; at += 2) {
    found[at] = left + scale * (points[at] as number);
    found[at + 1] = top + scale * mercatorY(points[at + 1] as number);
  }
  return found;
}
