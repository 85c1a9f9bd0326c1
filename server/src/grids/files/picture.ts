// A picture of a grid: outline, lines, binding lines and the price at every bus, as SVG.
import { bindingRows } from "../operation/congest.ts";
import type { BuiltGrid } from "../build.ts";
import { Plane, round, type LonLat, type Point } from "../numerics/geometry.ts";
import { quantile } from "./metrics.ts";

const WIDTH = 1200;
const MARGIN = 24;
const LEGEND = 56;

/** Colours from low to high price: viridis, perceptual and safe for the colour-blind, at eight places. */
const COLOURS = ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725"].map((hex) =>
  [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)),
);

function colourAt(part: number): string {
  const at = Math.max(0, Math.min(1, part)) * (COLOURS.length - 1);
  const i = Math.min(Math.floor(at), COLOURS.length - 2);
  const [low, high] = [COLOURS[i] as number[], COLOURS[i + 1] as number[]];
  return `rgb(${low.map((v, k) => Math.round(v + ((high[k] as number) - v) * (at - i))).join(",")})`;
}

/** The picture as the text of an SVG file, with its size in pixels. */
export function pictureOf({ spec, grid, outline, solution }: BuiltGrid): {
  svg: string;
  width: number;
  height: number;
} {
  const plane = new Plane(spec.origin);
  const all = [...outline.flat(), ...grid.plan.substations.map(({ at }) => at)].map((at) => plane.toPlane(at));
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const least = (values: number[]): number => values.reduce((a, b) => Math.min(a, b));
  const [west, east, south, north] = [least(xs), -least(xs.map((x) => -x)), least(ys), -least(ys.map((y) => -y))];
  const scale = (WIDTH - 2 * MARGIN) / (east - west);
  const height = Math.round((north - south) * scale + 2 * MARGIN + LEGEND);
  const place = (at: LonLat): Point => {
    const [x, y] = plane.toPlane(at);
    return [round(MARGIN + (x - west) * scale, 1), round(MARGIN + (north - y) * scale, 1)];
  };
  const path = (points: readonly LonLat[]): string =>
    points.map((at, i) => `${i === 0 ? "M" : "L"}${place(at).join(" ")}`).join("");

  const binding = new Set(bindingRows(solution));
  const lowest = grid.plan.levels[0]?.kv;
  const lines = { low: [] as string[], high: [] as string[], top: [] as string[], binding: [] as string[] };
  grid.branches.forEach((branch, row) => {
    if (branch.kind !== "line") return;
    const ends = [branch.from, branch.to].map((i) => grid.buses[i]?.at as LonLat);
    const kind = binding.has(row) ? "binding" : branch.kv >= 500 ? "top" : branch.kv === lowest ? "low" : "high";
    lines[kind].push(path(branch.route ?? ends));
  });

  const prices = solution.prices.map(({ value }) => value);
  const [low, high] = [quantile(prices, 0.02), quantile(prices, 0.98)];
  const radius = grid.buses.length > 3000 ? 2.1 : grid.buses.length > 1000 ? 3.2 : 5;
  const dots = grid.buses.flatMap(({ role, kv, at }, row) => {
    if (role !== "network" || kv !== lowest) return [];
    const [x, y] = place(at);
    const fill = colourAt(((prices[row] as number) - low) / (high - low));
    return [`<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`];
  });
  const stroke = (kind: keyof typeof lines, colour: string, width: number): string =>
    `<path d="${lines[kind].join("")}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linejoin="round"/>`;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="15">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    `<path d="${outline.map((ring) => `${path(ring)}Z`).join("")}" fill="#f3f2ee" stroke="#8b8b86" fill-rule="evenodd"/>`,
    stroke("low", "#c6c9ce", 0.8),
    stroke("high", "#8d95a3", 1.6),
    stroke("top", "#4b5568", 2.4),
    ...dots,
    stroke("binding", "#d7263d", 3.2),
    legend(height, low, high, binding.size, spec.name),
    "</svg>",
  ].join("\n");
  return { svg, width: WIDTH, height };
}

function legend(height: number, low: number, high: number, binding: number, name: string): string {
  const y = height - 30;
  const steps = Array.from(
    { length: 120 },
    (_, k) => `<rect x="${MARGIN + 2 * k}" y="${y - 14}" width="2.5" height="14" fill="${colourAt(k / 119)}"/>`,
  );
  const text = `${round(low, 1)} to ${round(high, 1)} $/MWh (2 to 98 %)`;
  return [
    ...steps,
    `<text x="${MARGIN + 252}" y="${y - 2}" fill="#22262d">${text}</text>`,
    `<path d="M${MARGIN + 530} ${y - 7}h36" stroke="#d7263d" stroke-width="3.2"/>`,
    `<text x="${MARGIN + 574}" y="${y - 2}" fill="#22262d">binding (${binding})</text>`,
    `<text x="${WIDTH - MARGIN}" y="${y - 2}" fill="#22262d" text-anchor="end">${name}. Places: GeoNames, CC BY 4.0</text>`,
  ].join("");
}
