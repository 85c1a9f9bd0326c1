import t from "tap";
import { lab, rgb } from "d3-color";
import {
  BusPaint,
  Camera,
  COLOUR_MAP_NAMES,
  colourScale,
  Crowding,
  DEFAULT_STYLE,
  distances,
  extremes,
  Field,
  figureOf,
  type Geometry,
  legendTicks,
  onPaper,
  partOf,
  Picker,
  rampOf,
  robustRange,
  SceneLook,
  shownBuses,
  spacing,
  styleOf,
} from "@service/widgets/map";
import { NO_EDITS } from "@service/widgets/workspace";
import { LINE_2_AT_40, openThreeBus, PRICES_AT_40 } from "../session.ts";

/** A network of buses without lines. */
function buses(points: readonly (readonly [x: number, y: number])[]): Geometry {
  const [busX, busY] = [Float64Array.from(points, ([x]) => x), Float64Array.from(points, ([, y]) => y)];
  const bounds = {
    x0: Math.min(...busX),
    x1: Math.max(...busX),
    y0: Math.min(...busY),
    y1: Math.max(...busY),
  };
  return { busX, busY, paths: [], bounds };
}

/** Linear RGB as seen without the cones for long or for medium waves (Vienot, Brettel and Mollon, 1999). */
const DICHROMATS: Record<"protanopia" | "deuteranopia", readonly (readonly number[])[]> = {
  protanopia: [
    [0.1124, 0.8876, 0],
    [0.1124, 0.8876, 0],
    [0.004, -0.004, 1],
  ],
  deuteranopia: [
    [0.2928, 0.7072, 0],
    [0.2928, 0.7072, 0],
    [-0.0223, 0.0223, 1],
  ],
};

function seenBy(kind: keyof typeof DICHROMATS, colour: string): string {
  const linear = (v: number): number => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const coded = (v: number): number => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);
  const { r, g, b } = rgb(colour);
  const own = [r, g, b].map((v) => linear(v / 255));
  const [red = 0, green = 0, blue = 0] = DICHROMATS[kind].map((row) =>
    Math.max(
      0,
      Math.min(
        1,
        row.reduce((sum, part, k) => sum + part * (own[k] ?? 0), 0),
      ),
    ),
  );
  return rgb(255 * coded(red), 255 * coded(green), 255 * coded(blue)).formatHex();
}

function difference(a: string, b: string): number {
  const [one, other] = [lab(a), lab(b)];
  return Math.hypot(one.l - other.l, one.a - other.a, one.b - other.b);
}

for (const dark of [false, true]) {
  for (const kind of ["protanopia", "deuteranopia"] as const) {
    t.test(`prices are distinguishable with ${kind} on a ${dark ? "dark" : "light"} ground`, async (t) => {
      const ramp = rampOf("market", dark);
      const seen = Array.from({ length: 7 }, (_, k) => seenBy(kind, ramp(k / 6)));
      seen.forEach((colour, k) =>
        seen.slice(k + 1).forEach((other, n) => {
          const apart = difference(colour, other);
          t.ok(apart > 10, `${k} and ${k + 1 + n} differ by ${apart.toFixed(1)}`);
        }),
      );
    });
  }
}

t.test("each palette of prices has its own order", async (t) => {
  const range = { low: 20, high: 60 };
  const palettes = COLOUR_MAP_NAMES.map((cmap) => colourScale("price", range, false, { cmap, log: false }).palette[0]);
  t.equal(new Set(palettes).size, COLOUR_MAP_NAMES.length);
});

t.test("equal ratios are equidistant on a log scale", async (t) => {
  const scale = colourScale("amount", { low: 1, high: 100 }, false, { cmap: "market", log: true });
  t.ok(Math.abs(scale.share(10) - 0.5) < 1e-12);
  t.ok(Math.abs(scale.valueAt(0.5) - 10) < 1e-9);
  t.ok(Math.abs(scale.place(10) - scale.palette.length / 2) <= 1);
  const texts = legendTicks({ format: String }, scale).map(({ text, share }) => [text, Math.round(100 * share)]);
  t.strictSame(
    texts.filter(([text]) => text === "10"),
    [["10", 50]],
    "the legend has them where they are",
  );
  const around = colourScale("price", { low: -50, high: 500 }, false, { cmap: "market", log: true });
  t.ok([-50, -1, 0, 1, 50, 500].every((value) => Number.isFinite(around.share(value))));
});

t.test("ranges: fixed, quantile, locked", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const paint = new BusPaint();
  const range = (style: object): { low: number; high: number } | undefined => {
    paint.update(session, "lmp", false, styleOf(style));
    return paint.scale?.range;
  };
  t.strictSame(range({ vmin: 5, vmax: 50 }), { low: 5, high: 50 });
  t.equal(styleOf({ vmin: 5 }).range, "fixed", "an end alone fixes it too");
  const auto = range({});
  t.strictSame(auto, robustRange(Float64Array.from(PRICES_AT_40)));
  t.strictSame(range({ vmax: 99 }), { low: auto?.low, high: 99 }, "the other end is that of the values");
  await session.commit(NO_EDITS, 1);
  t.strictSame(range({ locked: true }), auto, "a locked range stays whatever the state");
  t.equal(range({})?.low, range({})?.high, "without congestion there is one price");
});

t.test("invalid parts of a style have their defaults", async (t) => {
  t.strictSame(styleOf({ cmap: "none such", busSize: 99, levels: ["a"], width: 7 }), {
    ...DEFAULT_STYLE,
    busSize: 4,
  });
  t.strictSame(styleOf(null), DEFAULT_STYLE);
});

t.test("only the visible part is drawn and found", async (t) => {
  const { session } = await openThreeBus();
  const { opened } = session;
  t.equal(shownBuses(opened, DEFAULT_STYLE), null);
  const levels = opened.buses.map(({ base_kv }, row) => (row === 0 ? base_kv + 1 : base_kv));
  const given = { buses: opened.buses.map((bus, row) => ({ ...bus, base_kv: levels[row] ?? 0 })) };
  const shown = shownBuses(given, { ...DEFAULT_STYLE, levels: [levels[1] ?? 0] });
  t.strictSame([...(shown ?? [])], [0, 1, 1]);
  const whole = buses([
    [0, 0],
    [1, 0],
    [0, 1],
  ]);
  whole.paths = Array.from(opened.fromRow, (from, row) => {
    const to = opened.toRow[row] ?? 0;
    return Float64Array.of(whole.busX[from] ?? 0, whole.busY[from] ?? 0, whole.busX[to] ?? 0, whole.busY[to] ?? 0);
  });
  const part = partOf(whole, opened, shown ?? new Uint8Array());
  t.strictSame(
    part.paths.map((path, row) => [path.length > 0, opened.fromRow[row] !== 0 && opened.toRow[row] !== 0]),
    part.paths.map((path) => [path.length > 0, path.length > 0]),
    "lines with an end that is not drawn are not drawn",
  );
  const picker = new Picker(part);
  t.equal(picker.busAt(0, 0, 0.1), -1, "nor is it found");
  t.equal(picker.busAt(1, 0, 0.1), 1);
});

t.test("marks shrink in a crowd, except those of the highest and lowest prices", async (t) => {
  const crowd = Array.from({ length: 400 }, (_, k): [number, number] => [(k % 20) / 100, Math.floor(k / 20) / 100]);
  const geometry = buses([...crowd, [10, 10], [12, 10], [10, 12], [12, 12], [11, 14]]);
  const camera = new Camera();
  camera.resize(800, 600);
  camera.fit(geometry.bounds, 20);
  const values = Float64Array.from(geometry.busX, (_, row) => (row === 7 ? 500 : row === 9 ? -50 : 30));
  const exempt = extremes(values, 1);
  t.strictSame([...exempt].sort(), [7, 9]);
  const base = new Float32Array(geometry.busX.length).fill(1);
  const crowding = new Crowding();
  const sizes = crowding.sizes(base, geometry, camera, exempt);
  t.ok((sizes[55] ?? 1) < 0.5, "in the town");
  t.equal(sizes[400], 1, "in the country");
  t.ok((sizes[7] ?? 0) >= 1 && (sizes[9] ?? 0) >= 1, "extremes");
  camera.zoomAt(64, 400, 300);
  t.ok((crowding.sizes(base, geometry, camera, exempt)[55] ?? 0) > 0.9, "near enough there is room for all");
  t.ok(
    Math.abs(
      (spacing(
        buses([
          [0, 0],
          [3, 4],
        ]),
      )[0] ?? 0) - 5,
    ) < 1e-12,
  );
});

t.test("the distance to the neighbours equals that of an exhaustive search", async (t) => {
  let state = 7;
  const random = (): number => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const town = (k: number): [number, number] => [(k % 3) + 1e-3 * random(), (k % 2) + 1e-3 * random()];
  const grids: Record<string, [number, number][]> = {
    spread: Array.from({ length: 300 }, () => [random(), random()]),
    towns: Array.from({ length: 300 }, (_, k) => (k % 4 === 0 ? [3 * random(), random()] : town(k))),
    "one line": Array.from({ length: 50 }, (_, k) => [k * k, 2]),
    "one place": Array.from({ length: 12 }, () => [4, 4]),
    "some nowhere": Array.from({ length: 40 }, (_, k) => [k % 5 === 0 ? NaN : random(), random()]),
    three: [
      [0, 0],
      [1, 0],
      [0, 9],
    ],
    one: [[1, 1]],
    none: [],
  };
  for (const [name, points] of Object.entries(grids)) {
    const known = points.filter(([x]) => Number.isFinite(x));
    const expected = points.map(([x, y]) => {
      const others = known.map(([a, b]) => Math.hypot(a - x, b - y)).sort((a, b) => a - b);
      const near = others.slice(1, 5); // the first is itself
      return Number.isFinite(x) && near.length > 0 ? near.reduce((sum, d) => sum + d, 0) / near.length : NaN;
    });
    const off = [...spacing(buses(points))].map((found, row) =>
      Object.is(found, expected[row]) ? 0 : Math.abs(found - (expected[row] ?? NaN)),
    );
    t.ok(
      off.every((by) => by < 1e-12),
      name,
    );
  }
});

t.test("distances to marked cells equal those of an exhaustive search", async (t) => {
  const [width, height] = [23, 17];
  const marked = new Uint8Array(width * height);
  for (const at of [5, 77, 200, 333]) {
    marked[at] = 1;
  }
  const found = distances(marked, width, height);
  let worst = 0;
  found.forEach((distance, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const least = Math.min(...[5, 77, 200, 333].map((m) => Math.hypot(x - (m % width), y - Math.floor(m / width))));
    worst = Math.max(worst, Math.abs(distance - least));
  });
  t.ok(worst < 1e-9);
});

t.test("a field interpolates its buses within their range and ends at the footprint", async (t) => {
  const points = Array.from({ length: 100 }, (_, k): [number, number] => [k % 10, Math.floor(k / 10)]);
  const geometry = buses(points);
  const field = new Field(geometry, 10_000);
  const values = Float64Array.from(points, ([x, y]) => 20 + 3 * x + y);
  const shown = field.valuesOf(values);
  const at = (x: number, y: number): number => {
    const { box, width, height } = field;
    const i = Math.floor(((x - box.x0) / (box.x1 - box.x0)) * width);
    const j = Math.floor(((y - box.y0) / (box.y1 - box.y0)) * height);
    return j * width + i;
  };
  for (const [x, y] of [
    [3, 4],
    [7, 2],
    [5, 5],
  ] as const) {
    t.ok(Math.abs((shown[at(x, y)] ?? NaN) - (20 + 3 * x + y)) < 0.2, `bus at ${x}, ${y}`);
  }
  const inside = [...shown].filter((value) => !Number.isNaN(value));
  t.ok(Math.min(...inside) >= 20 && Math.max(...inside) <= 20 + 27 + 9, "never beyond the values");
  let step = 0;
  for (let x = 1; x < 8; x += 0.05) {
    step = Math.max(step, Math.abs((shown[at(x + 0.1, 4.5)] ?? NaN) - (shown[at(x, 4.5)] ?? NaN)));
  }
  t.ok(step < 2, `without steps: at most ${step.toFixed(2)} within a tenth`);
  t.ok((field.cover[at(4.5, 4.5)] ?? 0) === 255, "gaps between buses are covered");
  t.equal(field.cover[0], 0, "corners beyond the network are not");
  values[44] = NaN;
  t.ok(Number.isFinite(field.valuesOf(values)[at(4, 4)]), "a bus without a value is passed over");
});

t.test("the look of a session: symbols of generators by source and cost", async (t) => {
  const { session } = await openThreeBus();
  const style = { ...DEFAULT_STYLE };
  const look = new SceneLook(session, new BusPaint(), () => style);
  t.strictSame(look.generators(false), []);
  Object.assign(style, { generators: "cost" });
  const symbols = look.generators(false);
  const { generators } = session.opened.ingested.topology;
  t.strictSame(
    symbols.map(({ row }) => row).sort(),
    [...new Set(generators.filter(({ status }) => status === 1).map(({ bus }) => session.opened.busRow(bus)))].sort(),
  );
  t.ok(symbols.every(({ size }) => size > 0));
  t.match(look.generatorKey(false)?.title, /marginal cost/);
  t.equal(look.generators(false), symbols, "made once for a state");
});

t.test("a figure has its size on paper, and invalid entries are refused", async (t) => {
  const entered = { format: "png" as const, width: "16", dpi: "300", caption: false, crop: false };
  t.strictSame(figureOf(entered), { format: "png", widthCm: 16, dpi: 300, caption: false, crop: false });
  t.match(figureOf({ ...entered, width: "1" }), /from 2 to 100 cm/);
  t.match(figureOf({ ...entered, dpi: "sharp" }), /from 50 to 1200 dpi/);
  t.match(figureOf({ ...entered, width: "90", dpi: "1200" }), /12000 pixels/);
  const svg = '<svg width="800" height="600" viewBox="0 0 800 600">';
  t.equal(onPaper(svg, { width: 800, height: 600 }, 16), '<svg width="16cm" height="12cm" viewBox="0 0 800 600">');
});

t.test("the extremes are those of the present values", async (t) => {
  const { session } = await openThreeBus();
  const paint = new BusPaint();
  const look = new SceneLook(session, paint, () => DEFAULT_STYLE);
  t.equal(look.extremes.size, 0, "nothing is coloured yet");
  paint.update(session, "lmp", false);
  t.equal(look.extremes.size, 3);
});
