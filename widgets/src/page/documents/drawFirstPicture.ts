import { robustRange } from "../../map/colour/legendRange.ts";
import { priceScale } from "../../map/colour/colourScale.ts";
import { inkOf, type Pixels, wordOf } from "../../map/raster/pixels.ts";
import { capsule, disc } from "../../map/raster/shapes.ts";
import { mercator } from "../../map/view/geometry.ts";
import type { FirstPicture } from "../catalogue/caseService.ts";

/** Share of the size that stays free at each side. */
const MARGIN = 0.06;

/**
 * Draws lines and buses coloured by their base prices, as large as the canvas is shown: pixel by pixel as maps are, which takes a
 * fraction of what thousands of canvas paths take where there is no graphics card.
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
  const image = context.createImageData(canvas.width, canvas.height);
  const pixels: Pixels = { width: image.width, height: image.height, words: new Uint32Array(image.data.buffer) };
  const { color, backgroundColor } = getComputedStyle(canvas);
  pixels.words.fill(wordOf(inkOf(backgroundColor)));
  const place = fitted(picture, pixels.width, pixels.height);
  const line = inkOf(color);
  for (const points of picture.lines) {
    const ends = points.map(([lon, lat]) => place(lon, lat));
    for (let k = 1; k < ends.length; k += 1) {
      const [[ax, ay], [bx, by]] = [ends[k - 1], ends[k]] as [Point, Point];
      capsule(pixels, ax, ay, bx, by, 0.35 * ratio, line);
    }
  }
  const range = robustRange(Float64Array.from(picture.buses, ({ lmp }) => lmp));
  if (range !== null) {
    const scale = priceScale(range, dark);
    const inks = scale.palette.map(inkOf);
    const radius = ratio * Math.max(1.2, Math.min(3.2, Math.sqrt((width * height) / picture.buses.length) / 7));
    for (const { lon, lat, lmp } of picture.buses) {
      const [x, y] = place(lon, lat);
      disc(pixels, x, y, radius, inks[scale.place(lmp)] ?? line);
    }
  }
  context.putImageData(image, 0, 0);
}

type Point = readonly [x: number, y: number];

/** The map's own projection, with everything inside the margins. */
function fitted({ buses }: FirstPicture, width: number, height: number): (lon: number, lat: number) => Point {
  const points = buses.map(({ lon, lat }) => mercator([lon, lat]));
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const span = (values: number[]): [number, number] => [
    values.reduce((a, b) => Math.min(a, b), Infinity),
    values.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  const [[x0, x1], [y0, y1]] = [span(xs), span(ys)];
  const inner = 1 - 2 * MARGIN;
  const scale = Math.min((inner * width) / (x1 - x0 || 1e-9), (inner * height) / (y1 - y0 || 1e-9));
  const [left, top] = [(width - scale * (x1 - x0)) / 2, (height - scale * (y1 - y0)) / 2];
  return (lon, lat) => {
    const [x, y] = mercator([lon, lat]);
    return [left + scale * (x - x0), top + scale * (y - y0)];
  };
}
