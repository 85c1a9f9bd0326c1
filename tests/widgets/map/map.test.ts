// The parts of the map without a page: basemap, labels, scale bar, search, quantities, saved pictures.
import { existsSync, readFileSync } from "node:fs";
import t from "tap";
import {
  basemapStrata,
  basemapWishes,
  BRANCH_QUANTITIES,
  BranchPaint,
  BUS_QUANTITIES,
  BusPaint,
  Camera,
  colourScale,
  detailScale,
  labelPlaces,
  type LabelWish,
  legendTicks,
  lineKinds,
  mapGeometry,
  lengthText,
  mercator,
  type PackedBasemap,
  type PackedCounties,
  type PackedTopology,
  placeLabels,
  readBasemap,
  readCounties,
  scaleLength,
  type ScaleKind,
  segmentsOf,
  searchElements,
  Substations,
} from "@service/widgets/map";
import type { Theme } from "@service/widgets/ui";
import { lmpComponentRows } from "@service/widgets/text";
import { classifyBranches, OpenedCase } from "@service/widgets/workspace";
import { engine, ingested, LINE_2_AT_40, openThreeBus, PRICES_AT_40 } from "../session.ts";

const LOADING_CLASSES = JSON.parse(
  readFileSync(new URL("../../fixtures/loadingClasses.json", import.meta.url), "utf8"),
) as Record<"shadow" | "binding" | "warning" | "above_rating" | "warning_without_prices" | "within", number[]> & {
  loading: (number | null)[];
  legend: string[];
  legend_without_prices: string[];
};

const baked = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../widgets/basemap/${name}`, import.meta.url), "utf8"));

/** Whether a point lies in one of the shapes: the even-odd rule. */
function inside(shapes: ReturnType<typeof readBasemap>["land"], lonLat: [number, number]): boolean {
  const [x, y] = mercator(lonLat);
  return shapes.some(({ rings }) => rings.filter((ring) => crossings(ring, x, y) % 2 === 1).length % 2 === 1);
}

function crossings(ring: Float64Array, x: number, y: number): number {
  let count = 0;
  for (let k = 0; k < ring.length; k += 2) {
    const [ax, ay] = [ring[k] ?? 0, ring[k + 1] ?? 0];
    const [bx, by] = [ring[(k + 2) % ring.length] ?? 0, ring[(k + 3) % ring.length] ?? 0];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) {
      count += 1;
    }
  }
  return count;
}

t.test("a topology with shared lines, reversed lines and the date line is read", async (t) => {
  // A unit square of two lines: (0,0) (1,0) (1,1), and (0,0) (0,1) (1,1), which the ring takes backwards.
  const square: PackedTopology = {
    scale: [1, 1],
    translate: [0, 0],
    arcs: [
      [0, 0, 1, 0, 0, 1],
      [0, 0, 0, 1, 1, 0],
      [180, 0, 0, 10, -5, 0],
    ],
    areas: { land: [[[0, ~1]]] },
    lines: { coasts: [2] },
  };
  const none = { ...square, areas: { land: [] }, lines: {} };
  const packed: PackedBasemap = {
    schema: "wattbook-basemap",
    version: 1,
    world: square,
    states: { ...none, labels: [["Somewhere", 100, 200, 300]] },
    places: { names: "Small", lon: [1234], lat: [-500], thousands: [60] },
  };
  const { land, coasts, labels } = readBasemap(packed);
  const ring = [...(land[0]?.rings[0] ?? [])];
  t.strictSame(
    ring.filter((_, k) => k % 2 === 0),
    [0, 1, 1, 1, 0, 0],
  );
  t.ok(inside(land, [0.5, 0.5]) && !inside(land, [1.5, 0.5]));
  t.equal(coasts.length, 1, "the stretch along the date line is no coast");
  t.strictSame(
    labels.map(({ text, size }) => [text, size]),
    [
      ["Somewhere", 3],
      ["Small", 0],
    ],
  );
});

t.test("an area across the date line is split in two at the edges of the sheet", async (t) => {
  // From 170 degrees east over the date line to 170 degrees west, 0 to 10 degrees north; a hole in its eastern half.
  const across: PackedTopology = {
    scale: [1, 1],
    translate: [0, 0],
    arcs: [
      [170, 0, -340, 0, 0, 10, 340, 0, 0, -10],
      [-178, 2, 4, 0, 0, 4, -4, 0, 0, -4],
      [175, 1, -350, 0, 2, 1],
    ],
    areas: { land: [[[0], [1]]] },
    lines: { coasts: [2] },
  };
  const none = { ...across, areas: { land: [] }, lines: {} };
  const { land, coasts } = readBasemap({
    schema: "wattbook-basemap",
    version: 1,
    world: across,
    states: { ...none, labels: [] },
    places: { names: "Small", lon: [0], lat: [0], thousands: [1] },
  });
  t.strictSame(
    land.map(({ x0, x1 }) => [x0, x1]),
    [
      [170, 180],
      [-180, -170],
    ],
  );
  t.ok(inside(land, [175, 5]) && inside(land, [-172, 5]) && inside(land, [-179, 5]), "both ends");
  t.notOk(inside(land, [0, 5]) || inside(land, [165, 5]) || inside(land, [-165, 5]), "and nothing between them");
  t.notOk(inside(land, [-176, 4]), "the hole is where it was");
  t.strictSame(
    coasts.map(({ x0, x1 }) => [x0, x1]),
    [[-175, -173]],
    "no line leaps over the world",
  );
});

t.test(
  "the baked basemap",
  { skip: existsSync(new URL("../../../widgets/basemap/basemap.json", import.meta.url)) ? false : "not baked" },
  async (t) => {
    const basemap = readBasemap(baked("basemap.json") as PackedBasemap);
    const dry: [number, number][] = [
      [-80.9, 34.0],
      [-99.1, 31.4],
      [-120, 37],
      [2.35, 48.86],
      [134, -25],
      [-102, 23.6],
      [-106, 56],
    ];
    const wet: [number, number][] = [
      [-77, 32],
      [-94, 27],
      [-125, 36],
      [-30, 40],
      [80, -30],
      [60, 74],
      [0, 69],
      [-10, 66.4],
    ];
    dry.forEach((point) => t.ok(inside(basemap.land, point), `${point.join()} is land`));
    wet.forEach((point) => t.notOk(inside(basemap.land, point), `${point.join()} is not`));
    t.ok(inside(basemap.lakes, [-87, 44]) || !inside(basemap.land, [-87, 44]), "Lake Michigan is water");
    t.ok(inside(basemap.lakes, [33, -1]), "so is Lake Victoria");
    const names = new Map(basemap.labels.map((label) => [label.text, label]));
    t.ok(names.has("Columbia") && names.has("Sacramento") && names.has("Houston") && names.has("South Carolina"));
    const houston = names.get("Houston");
    t.ok(Math.abs((houston?.x ?? 0) + 95.36) < 0.05, "Houston is where it is");
    const { counties } = baked("counties.json") as PackedCounties;
    t.ok(readCounties({ schema: "wattbook-basemap", version: 1, counties }).length > 3000);
    const bytes = readFileSync(new URL("../../../widgets/basemap/basemap.json", import.meta.url)).length;
    t.ok(bytes < 700_000, `${bytes} bytes`);
  },
);

t.test("the drawn layers depend on the scale", async (t) => {
  const empty = { land: [], seam: [], lakes: [], rivers: [], coasts: [], borders: [], states: [], labels: [] };
  const count = (scale: number): number => basemapStrata(empty, [], { scale }, {} as Theme).length;
  t.ok(count(3) < count(10) && count(10) < count(100));
});

t.test("names do not overlap, and important ones have priority", async (t) => {
  const camera = new Camera();
  camera.resize(800, 400);
  camera.fit({ x0: 0, y0: 0, x1: 80, y1: 40 }, 0);
  const wishes: LabelWish[] = Array.from({ length: 500 }, (_, k) => ({
    text: `Place ${k}`,
    x: (k * 37.7) % 80,
    y: (k * 11.3) % 40,
    kind: "place",
    gap: 4,
    offset: 5,
  }));
  const placed = placeLabels(wishes, camera, ({ text }) => 6 * text.length);
  t.ok(placed.length > 20 && placed.length <= 80);
  t.equal(placed[0]?.text, "Place 0");
  const apart = (a: (typeof placed)[number], b: (typeof placed)[number]): boolean =>
    Math.abs(a.sy - b.sy) >= 15 || a.sx + 6 * a.text.length <= b.sx || b.sx + 6 * b.text.length <= a.sx;
  const overlapping = placed.flatMap((a, k) => placed.slice(k + 1).filter((b) => !apart(a, b)));
  t.strictSame(overlapping, []);
  const labels = [
    { text: "Large", x: 18, y: 10, thousands: 9000, size: 0 },
    { text: "Small", x: 21, y: 10, thousands: 60, size: 0 },
    { text: "Elsewhere", x: 400, y: 10, thousands: 9000, size: 0 },
  ];
  const at = (scale: number): string[] => {
    camera.view = { x: 20, y: 10, scale, fitScale: 10 };
    return [...basemapWishes(labels, camera)].map(({ text }) => text);
  };
  t.strictSame(at(30), ["Large"]);
  t.strictSame(at(200), ["Large", "Small"]);
});

t.test("a name covers no mark other than that at its own point", (t) => {
  const camera = new Camera();
  camera.resize(400, 200);
  camera.fit({ x0: 0, y0: 0, x1: 40, y1: 20 }, 0);
  const wish: LabelWish = { text: "Name", x: 20, y: 10, kind: "place", gap: 4, offset: 5 };
  const own = { x: 200, y: 100, half: 9 };
  const at = (...marks: readonly { x: number; y: number; half: number }[]): (string | number)[] =>
    placeLabels([wish], camera, () => 30, { marks }).flatMap(({ anchor, sx }) => [anchor, sx]);
  t.strictSame(at(own), ["start", 205]);
  // To the right the text would reach from 205 to 235, over a mark from 222 to 234.
  t.strictSame(at(own, { x: 228, y: 100, half: 6 }), ["end", 165]);
  t.strictSame(at(own, { x: 242, y: 100, half: 6 }), ["start", 205], "beside the text");
  t.strictSame(at(own, { x: 228, y: 100, half: 6 }, { x: 180, y: 103, half: 2 }), [], "no place is left");
  t.end();
});

t.test("the scale bar has the length of its label", async (t) => {
  const camera = new Camera();
  camera.resize(800, 400);
  for (const [lat, scale] of [
    [0, 10],
    [34, 80],
    [60, 2000],
  ] as const) {
    const [x, y] = mercator([-81, lat]);
    camera.view = { x, y, scale, fitScale: scale };
    const { km, pixels } = scaleLength(camera);
    // On a sphere of 6,378.137 km.
    const kmPerPixel = ((2 * Math.PI * 6378.137) / 360 / scale) * Math.cos((lat * Math.PI) / 180);
    t.ok(Math.abs(pixels * kmPerPixel - km) < 1e-3 * km);
    t.ok(pixels > 38 && pixels <= 96);
  }
  t.strictSame([lengthText(200), lengthText(0.5), lengthText(2000)], ["200 km", "500 m", "2,000 km"]);
});

t.test("every branch has segments, without points that are invisible at the scale", async (t) => {
  const path = Float64Array.from({ length: 202 }, (_, k) => (k % 2 === 0 ? k / 200 : 0.001 * Math.sin(k)));
  const geometry = {
    busX: new Float64Array(),
    busY: new Float64Array(),
    paths: [Float64Array.of(0, 0, 1, 1), path, Float64Array.of(0, 0, NaN, NaN)],
    bounds: { x0: 0, y0: 0, x1: 1, y1: 1 },
  };
  const coarse = segmentsOf(geometry, { x: 0.5, y: 0 }, 16);
  const fine = segmentsOf(geometry, { x: 0.5, y: 0 }, 4096);
  t.strictSame([...new Set(coarse.rows)], [0, 1], "a branch without a place is not drawn");
  t.equal(fine.rows.filter((row) => row === 1).length, 100);
  t.ok(coarse.rows.length < 30);
  t.strictSame([...coarse.ends.subarray(0, 4)], [-0.5, 0, 0.5, 1], "relative to the origin");
  const last = coarse.ends.subarray(-4);
  t.ok(Math.abs((last[2] ?? 0) + 0.5 - (path.at(-2) ?? 0)) < 1e-6, "the end of a way stays its end");
  t.strictSame([...coarse.longestRows], [0, 1], "one arrowhead a branch");
  t.strictSame([detailScale(16), detailScale(17), detailScale(0.3)], [16, 64, 1]);
});

t.test("search by number and name", async (t) => {
  const { session } = await openThreeBus();
  const found = (text: string): string[] => searchElements(session, text).found.map(({ text: name }) => name);
  t.strictSame(found("2").slice(0, 2), ["Bus 2", "Line 2 (2 to 3)"]);
  t.strictSame(found("line 2"), ["Line 2 (2 to 3)"]);
  t.strictSame(found("bus 2"), ["Bus 2"]);
  t.strictSame(found("  "), []);
  t.strictSame(found("nowhere"), []);
  t.strictSame(found("generator 2"), ["Generator 2 at bus 3"]);
});

t.test("quantities of the three-bus network, from its closed form", async (t) => {
  const { session } = await openThreeBus();
  const dispatch = session.state.solution.dispatch;
  await session.commit(LINE_2_AT_40, 0);
  const values = (name: keyof typeof BUS_QUANTITIES): number[] => [...(BUS_QUANTITIES[name].values(session) ?? [])];
  const change = values("lmp_change");
  PRICES_AT_40.forEach((price, row) => t.ok(Math.abs((change[row] ?? NaN) - (price - 11.487179487179487)) < 1e-6));
  const angles = values("angle");
  session.state.solution.va?.forEach(({ value }, row) =>
    t.ok(Math.abs((angles[row] ?? NaN) - (value * 180) / Math.PI) < 1e-9),
  );
  t.not(dispatch, session.state.solution.dispatch);
  const made = values("generation").filter(Number.isFinite);
  const used = values("demand").filter(Number.isFinite);
  const sum = (list: number[]): number => list.reduce((total, mw) => total + mw, 0);
  t.ok(Math.abs(sum(made) - sum(used)) < 1e-6, "what is generated is used");
  t.equal(BUS_QUANTITIES.voltage.values(session), null);
  t.type(BUS_QUANTITIES.voltage.missing(session), "string");
  t.strictSame([...(BRANCH_QUANTITIES.rating_change.values(session) ?? [])], [NaN, 40 - 250, NaN]);
  const shadow = BRANCH_QUANTITIES.shadow.values(session) ?? new Float64Array();
  t.strictSame([...shadow].map(Number.isFinite), [false, true, false], "only the line that binds has a shadow price");

  const paint = new BranchPaint(session);
  paint.update(session, "flow", false);
  const flows = session.store.columns.values("flow_mw") ?? [];
  t.strictSame([...(paint.look.directions ?? [])], [...flows].map(Math.sign), "arrows go with the flow");
  const look = paint.look;
  paint.update(session, "flow", false);
  t.equal(paint.look, look, "nothing changed, nothing is made anew");
  paint.update(session, "shadow", false);
  t.strictSame(
    [...(paint.look.places ?? [])].map((place) => place >= 0),
    [false, true, false],
  );
  t.strictSame(paint.look.classes.binding, [1]);

  const buses = new BusPaint();
  buses.update(session, "lmp_change", false);
  t.equal(buses.scale?.kind, "change");
  t.equal(-(buses.scale?.range.low ?? 0), buses.scale?.range.high, "centred on zero");
});

t.test("the stated parts of a price add up", async (t) => {
  const namer = { nameOf: (kind: string, id: number) => `${kind === "branch" ? "line" : kind} ${id}` };
  const part = (branch: number, value: number) => ({ branch, value, shadow: 1, shift_factor: -value });
  const parts = (congestion: ReturnType<typeof part>[]) =>
    lmpComponentRows({ bus: 1, price: 0, energy: 20.5, reference: "demand", congestion, residual: 0 }, namer);
  t.strictSame(parts([]), [
    ["Energy", "20.50 $/MWh"],
    ["Congestion", "none"],
  ]);
  t.strictSame(parts([part(7, 5.25), part(3, -1), part(4, 0.5), part(5, 0.25), part(9, 0.125), part(8, 0.001)]), [
    ["Energy", "20.50 $/MWh"],
    ["Line 7", "+5.25 $/MWh"],
    ["Line 3", "\u22121.00 $/MWh"],
    ["Line 4", "+0.50 $/MWh"],
    ["2 other lines", "+0.38 $/MWh"],
  ]);
});

t.test("numbers below the colour bar do not overlap, and zero is always marked", async (t) => {
  const at = (kind: ScaleKind, low: number, high: number, format = (value: number): string => value.toFixed(2)) =>
    legendTicks({ format }, colourScale(kind, { low, high }, false));
  t.strictSame(
    at("branch", 0, 130).map(({ text }) => text),
    ["0", "130", "50", "100"],
    "no decimals that say nothing",
  );
  t.strictSame(
    at("price", 0, 38).map(({ text }) => text),
    ["0", "38", "10", "20", "30"],
    "30 has room beside 38",
  );
  t.strictSame(
    at("price", -10, 75).map(({ text, zero }) => [text, zero]),
    [
      ["-10", false],
      ["75", false],
      ["0", true],
      ["50", false],
    ],
  );
  t.strictSame(
    at("price", -0.25, 75, (value) => `${value.toFixed(2)} x`).map(({ text }) => text),
    ["-0.25 x", "75.00 x", "", "40.00 x"],
    "as many decimals as one of them needs; a mark without a number where there is no room",
  );
  t.strictSame(
    at("change", -2, 2).map(({ share, zero }) => [share, zero]),
    [
      [0, false],
      [1, false],
      [0.5, true],
      [0.25, false],
      [0.75, false],
    ],
  );
  t.notOk(
    at("amount", -32, 2).some(({ zero }) => zero),
    "zero means nothing among angles",
  );
});

t.test("lines have the classes of the kernel's pictures", async (t) => {
  // tests/python/map/test_picture.py reads the same file.
  const given = LOADING_CLASSES;
  const loading = Float64Array.from(given.loading, (value) => value ?? NaN);
  const priced = classifyBranches(loading, Float64Array.from(given.shadow));
  t.strictSame([priced.binding, priced.warning], [given.binding, given.warning]);
  const flow = classifyBranches(loading, null);
  t.strictSame([flow.binding, flow.warning], [given.above_rating, given.warning_without_prices]);
  // Lines within substations, which a map does not show, are counted and named.
  const within = (rows: number[]): number => rows.filter((row) => given.within.includes(row)).length;
  const texts = ({ binding, warning }: typeof priced, keepsRatings: boolean): string[] => {
    const hidden = { binding: within(binding), warning: within(warning) };
    const counts = { binding: binding.length, warning: warning.length, within: hidden };
    return lineKinds({ ...counts, keepsRatings, lines: null }).map(({ text }) => text);
  };
  t.strictSame(texts(priced, true), given.legend);
  t.strictSame(texts(flow, false), given.legend_without_prices);
});

t.test("buses of a substation share one mark until there is room for all", async (t) => {
  const opened = OpenedCase.of(ingested, engine);
  await opened.geography.applyLayer(
    new TextEncoder().encode("bus,lat,lon\n1,40,-105\n2,40,-105\n3,39.5,-104.5\n"),
    "places.csv",
  );
  const { map } = opened.geography;
  if (map === null) throw new Error("no positions");
  const geometry = mapGeometry(map, opened);
  const camera = new Camera();
  camera.resize(800, 600);
  camera.fit(geometry.bounds, 20);
  const substations = new Substations(opened);
  const sizes = new Float32Array(3).fill(1);
  const far = substations.merged(sizes, geometry, camera, new Set());
  t.equal([...far].filter((size) => size === 0).length, 1, "one of buses 1 and 2");
  t.equal(far[opened.busRow(3)], 1);
  t.equal(substations.merged(sizes, geometry, camera, new Set([...far.keys()].filter((row) => far[row] === 0)))[0], 1);
  camera.view = { ...camera.view, scale: 200 * camera.scale };
  t.strictSame([...substations.merged(sizes, geometry, camera, new Set())], [1, 1, 1], "zoomed in");
});

t.test("the legend counts the lines within substations", async (t) => {
  const opened = OpenedCase.of(ingested, engine);
  const places = "bus,lat,lon\n1,40,-105\n2,40,-105\n3,39.5,-104.5\n";
  await opened.geography.applyLayer(new TextEncoder().encode(places), "places.csv");
  const within = opened.branches.map((_, row) => opened.geography.isWithinSubstation(row));
  t.strictSame(
    within,
    opened.branches.map(({ from, to }) => from + to === 3),
    "buses 1 and 2, on a ring of 400 m around one place",
  );
  const content = {
    ...{ binding: 1, keepsRatings: true, warning: 1200, within: { binding: 0, warning: 8 }, before: false },
    ...{ lines: null, generators: null },
  };
  t.strictSame(
    lineKinds(content as unknown as Parameters<typeof lineKinds>[0]).map(({ text }) => text),
    ["1 binding", "1,200 more at 80 % or above, 8 in substations"],
  );
});

t.test("labels of a plan do not overlap", async (t) => {
  const marks = [0, 0, 0, 4, 300].map((x) => ({
    ...{ points: [[x, 100] as const], radius: 5, text: "+20.0 MW", label: { x, y: 100, beside: true } },
  }));
  const places = labelPlaces(marks, (text) => 7 * text.length);
  const apart = places.flatMap((a, k) =>
    places.slice(k + 1).map((b) => Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= a.height),
  );
  t.ok(apart.every(Boolean));
  t.equal(places[0]?.y, 100, "the first stays where it belongs");
  t.equal(places[4]?.y, 100, "and so does one that is free");
});
