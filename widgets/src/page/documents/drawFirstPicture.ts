import { robustRange } from "../../map/colour/legendRange.ts";
import { priceScale } from "../../map/colour/colourScale.ts";
import { mercator } from "../../map/view/geometry.ts";
import type { FirstPicture } from "../catalogue/caseService.ts";

/** Share of the size that stays free at each side. */
const MARGIN = 0.06;

/** Draws lines and buses coloured by their base prices, as large as the canvas is shown. */
export function drawFirstPicture(canvas: HTMLCanvasElement, picture: FirstPicture, dark: boolean): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  if (context === null || width === 0) {
    return;
  }
  context.scale(ratio, ratio);
  const place = fitted(picture, width, height);
  context.strokeStyle = getComputedStyle(canvas).color;
  context.lineWidth = 0.7;
  context.beginPath();
  for (const line of picture.lines) {
    line.forEach(([lon, lat], k) => {
      const [x, y] = place(lon, lat);
      context[k === 0 ? "moveTo" : "lineTo"](x, y);
    });
  }
  context.stroke();
  const range = robustRange(Float64Array.from(picture.buses, ({ lmp }) => lmp));
  if (range === null) {
    return;
  }
  const scale = priceScale(range, dark);
  const radius = Math.max(1.2, Math.min(3.2, Math.sqrt((width * height) / picture.buses.length) / 7));
  for (const { lon, lat, lmp } of picture.buses) {
    const [x, y] = place(lon, lat);
    context.fillStyle = scale.palette[scale.place(lmp)] ?? context.strokeStyle;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }
}

/** The map's own projection, with everything inside the margins. */
function fitted(
  { buses }: FirstPicture,
  width: number,
  height: number,
): (lon: number, lat: number) => readonly [number, number] {
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
