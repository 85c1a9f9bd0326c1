// Positions of cases: geographic layers, stored layouts, and a round trip through a `.geo.json` file.
import t, { type Test } from "tap";
import { createNodeEngine, type IngestedCase, type IngestedNetwork } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";
import { meshedCase } from "./meshes.ts";

const engine = createNodeEngine();
const three = await engine.ingestCase(await fixture("three_bus.m"), "matpower");
const bytes = (text: string) => new TextEncoder().encode(text);

/** Longitude and latitude by bus id. */
function places(network: IngestedNetwork): Record<number, [number, number]> {
  if (network.model !== "balanced") throw new Error("a balanced case is expected");
  return Object.fromEntries((network.view?.buses ?? []).map(({ id, lon, lat }) => [id, [lon, lat]]));
}

function near(t: Test, found: Record<number, [number, number]>, wanted: Record<number, [number, number]>): void {
  t.strictSame(Object.keys(found), Object.keys(wanted));
  for (const [id, [lon, lat]] of Object.entries(wanted)) {
    const [x, y] = found[Number(id)] ?? [NaN, NaN];
    t.ok(Math.abs(x - lon) < 1e-9 && Math.abs(y - lat) < 1e-9, `bus ${id}: ${x} ${y}, wanted ${lon} ${lat}`);
  }
}

t.test("a layer is joined to the case, reported, written out and read again", async (t) => {
  const layer = "bus,lat,lon\n1,35.1,-80.1\n2,35.2,-80.2\n3,35.3,-80.3\n9,36,-81\n";
  const applied = await engine.applyGeo(three.module_json, bytes(layer));
  t.match(applied.report, {
    space: "geographic",
    bus_records: 4,
    matched_buses: 3,
    unmatched_records: 1,
    unplaced_buses: 0,
    warnings_left_out: 0,
  });
  t.match(applied.report.warnings, [{ record: 4, code: "GEO.UNMATCHED" }]);
  t.equal(applied.drawing, null);
  t.match(applied.case, { model: "balanced", has_coords: true, coords_kind: "file" });
  const wanted = { 1: [-80.1, 35.1], 2: [-80.2, 35.2], 3: [-80.3, 35.3] } as const;
  t.strictSame(places(applied.case), wanted);
  t.equal((applied.case as IngestedCase).view?.synthetic_coords, false);
  t.not(applied.case.sha256, three.sha256, "a case with places is another module");
  t.equal((await engine.inspectModule(applied.case.module_json)).sha256, applied.case.sha256);

  const text = await engine.geoJson(applied.case.module_json);
  t.equal((JSON.parse(text) as { type: string }).type, "FeatureCollection");
  const again = await engine.applyGeo(three.module_json, bytes(text));
  t.strictSame(places(again.case), wanted, "the same picture");
});

t.test("a layer that matches no bus is refused and the case stays placeable", async (t) => {
  const layer = bytes("bus,lat,lon\n91,35.1,-80.1\n");
  await t.rejects(engine.applyGeo(three.module_json, layer), { name: "EngineError", code: "INPUT.GEO_NO_MATCH" });
  await t.rejects(engine.applyGeo(three.module_json, bytes("")), { code: /^INPUT\./ });
  t.equal((await engine.layoutModule(three.module_json)).positions.length, 6);
});

t.test("a drawing is returned beside the case", async (t) => {
  const layer = bytes("bus,x,y\n1,10000,20000\n2,11000,20000\n3,12000,25000\n");
  const applied = await engine.applyGeo(three.module_json, layer);
  t.not(applied.report.space, "geographic");
  t.equal((applied.case as IngestedCase).view, null);
  t.match(applied.drawing?.buses, [
    { bus: 1, x: 10000, y: 20000 },
    { bus: 2, x: 11000 },
    { bus: 3, y: 25000 },
  ]);
});

t.test("a layout is stored, recognised, moved and rescaled", async (t) => {
  const { module_json } = await engine.ingestCase(meshedCase(120), "matpower");
  t.equal(await engine.placementOf(module_json), null, "nothing is placed yet");
  const { positions, default_scale_km } = await engine.layoutModule(module_json);
  const placed = await engine.applyLayout(module_json, positions, { centre: [-100, 31] });
  t.match(placed, { model: "balanced", has_coords: true, coords_kind: "synthetic" });
  t.equal((placed as IngestedCase).view?.synthetic_coords, true);
  t.equal((placed as IngestedCase).view?.buses.length, 120);

  const placement = await engine.placementOf(placed.module_json);
  t.ok(placement);
  if (!placement) return;
  t.ok(Math.abs(placement.scale_km - default_scale_km) < 1e-6, `${placement.scale_km} km`);
  t.ok(Math.abs(placement.centre_lon_lat[0] + 100) < 1e-9 && Math.abs(placement.centre_lon_lat[1] - 31) < 1e-9);
  const { centre_lon_lat: centre, scale_km } = placement;
  near(t, places(await engine.applyLayout(module_json, placement.positions, { centre, scale_km })), places(placed));

  const moved = await engine.applyLayout(placed.module_json, placement.positions, { centre: [10, 50], scale_km: 60 });
  const found = await engine.placementOf(moved.module_json);
  t.ok(Math.abs((found?.scale_km ?? NaN) - 60) < 1e-9);
  found?.positions.forEach(([x, y], k) => {
    const [wantedX, wantedY] = placement.positions[k] ?? [NaN, NaN];
    if (Math.hypot(x - wantedX, y - wantedY) > 1e-9) t.fail(`row ${k} has another shape`);
  });

  const layer = await engine.geoJson(placed.module_json);
  const again = await engine.applyGeo(module_json, bytes(layer));
  t.strictSame(places(again.case), places(placed), "re-import of the layer gives the same picture");
  t.match(again.case, { coords_kind: "synthetic", sha256: placed.sha256 });
});

t.test("a layer replaces a layout", async (t) => {
  const { positions } = await engine.layoutModule(three.module_json);
  const placed = await engine.applyLayout(three.module_json, positions, { centre: [-100, 31] });
  const layer = bytes("bus,lat,lon\n1,35.1,-80.1\n2,35.2,-80.2\n3,35.3,-80.3\n");
  const applied = await engine.applyGeo(placed.module_json, layer);
  t.match(applied.case, { coords_kind: "file" });
  t.equal(await engine.placementOf(applied.case.module_json), null, "coordinates of a file are not moved");
});

t.test("wrong placements have a code and leave the module unchanged", async (t) => {
  const { positions } = await engine.layoutModule(three.module_json);
  const centre = [-100, 31] as const;
  const wrong: [unknown, unknown][] = [
    [positions.slice(2), { centre }],
    [Float64Array.from([0, 0, 1, NaN, 1, 1]), { centre }],
    ["positions", { centre }],
    [positions, { centre: [-100, 95] }],
    [positions, { centre: [-100] }],
    [positions, { centre: "here" }],
    [positions, { centre: [-100, NaN] }],
    [positions, { centre, scale_km: 0 }],
    [positions, { centre, scale_km: -5 }],
    [positions, { centre, scale_km: "5" }],
  ];
  for (const [points, place] of wrong) {
    const stamped = engine.applyLayout(three.module_json, points as Float64Array, place as { centre: typeof centre });
    await t.rejects(stamped, { name: "EngineError", code: "INPUT.PLACEMENT" }, JSON.stringify(place));
  }
});
