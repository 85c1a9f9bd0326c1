// Positions of a case: layers, drawings, placement. The electrical side never changes. Over the real engine.
import t from "tap";
import { Scene, type SceneChange } from "@service/widgets/map";
import {
  type CaseSession,
  drawingOfDisplay,
  exportCase,
  type GeographyChange,
  saveGeography,
  saveModule,
  takeIn,
  Workspace,
} from "@service/widgets/workspace";
import { fixture } from "../../../fixtures/cases.ts";
import { displayFile } from "../../../fixtures/displayFile.ts";
import { difference, engine, LINE_2_AT_40, PRICES_AT_40 } from "../../session.ts";

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const PLACES = text("bus,lat,lon\n1,40.0,-105.0\n2,40.5,-104.0\n3,39.5,-104.5\n");
const CENTRE = [-100, 31] as const;

/** A session on the three-bus case opened from its file. */
async function open(): Promise<{ workspace: Workspace; session: CaseSession }> {
  const workspace = new Workspace(engine);
  const bytes = await fixture("three_bus.m");
  const file = {
    name: "three_bus.m",
    size: bytes.length,
    arrayBuffer: () => Promise.resolve(Uint8Array.from(bytes).buffer),
  };
  await takeIn([file], workspace);
  const [session] = workspace.sessions;
  if (session === undefined) {
    throw new Error("The case did not open.");
  }
  return { workspace, session };
}

/** The model that a scene needs of a session, without a page. */
function modelOf({ opened, caseName }: CaseSession): ConstructorParameters<typeof Scene>[0] {
  return {
    name: caseName,
    graph: opened,
    geography: opened.geography,
    sizes: new Float32Array(opened.busCount),
    importance: new Float32Array(opened.busCount),
    branches: { classes: { out: [], calm: [], warning: [], binding: [] }, places: null, palette: [], directions: null },
    selected: null,
    selection: [],
    select: () => undefined,
    card: () => ({ title: "", rows: [] }),
    shortName: (row) => String(opened.busId(row)),
  };
}

t.test("a layer places the case; identity, Study, revision and edits stay", async (t) => {
  const { session } = await open();
  const { geography } = session.opened;
  await session.commit(LINE_2_AT_40, 0);
  const before = { sha256: session.opened.sha256, state: session.state };
  const heard: GeographyChange[] = [];
  geography.changed.connect((_, change) => heard.push(change));
  t.equal(geography.map, null);
  const report = await geography.applyLayer(PLACES, "places.csv");
  t.equal(report.matched_buses, 3);
  t.strictSame([...(geography.map?.x ?? [])], [-105, -104, -104.5]);
  t.strictSame(heard, ["map"]);
  t.equal(geography.synthetic, false);
  t.equal(geography.placeable, false, "real positions are not moved");
  t.equal(session.opened.sha256, before.sha256);
  t.equal(session.state, before.state);
  await session.commit({ deltas: { 2: 1 }, rates: LINE_2_AT_40.rates }, 1);
  t.equal(session.state.revision, 2, "and it goes on");
  await geography.undo();
  t.equal(geography.map, null);
  t.notOk(geography.canUndo);
});

t.test("a layer that matches nothing or cannot be read changes nothing", async (t) => {
  const { session } = await open();
  const { geography } = session.opened;
  await t.rejects(geography.applyLayer(text("bus,lat,lon\n77,1,2\n"), "far.csv"), { code: "INPUT.GEO_NO_MATCH" });
  await t.rejects(geography.applyLayer(text(""), "empty.csv"), { code: /^INPUT\./ });
  t.equal(geography.map, null);
  t.ok(geography.placeable);
  t.notOk(geography.canUndo);
});

t.test("place, move, rescale, reset, undo", async (t) => {
  const { session } = await open();
  const { geography } = session.opened;
  await geography.place(CENTRE);
  const placed = geography.map;
  t.ok(geography.synthetic);
  const placement = await geography.placement();
  t.ok(placement && difference(placement.centre_lon_lat, CENTRE) < 1e-9);
  const automaticKm = placement?.scale_km ?? NaN;

  await geography.place([-99, 31]);
  const east = geography.map;
  t.ok(
    difference(
      [...(east?.x ?? [])],
      [...(placed?.x ?? [])].map((lon) => lon + 1),
    ) < 1e-9,
    "one degree to the east",
  );
  t.ok(difference([...(east?.y ?? [])], [...(placed?.y ?? [])]) < 1e-9);

  await geography.place([-99, 31], 10 * automaticKm);
  t.ok(Math.abs(((await geography.placement())?.scale_km ?? NaN) / automaticKm - 10) < 1e-9);
  await geography.resetToAutomatic();
  t.ok(difference([...(geography.map?.x ?? [])], [...(east?.x ?? [])]) < 1e-9, "its own size where it is");

  for (let steps = 0; steps < 3; steps += 1) {
    await geography.undo();
  }
  t.equal(geography.map, placed);
  await geography.undo();
  t.equal(geography.map, null);
  await geography.undo();
  t.equal(geography.map, null, "there is nothing before the beginning");
});

t.test("a placement that would leave the map is refused and the network stays where it is", async (t) => {
  const { session } = await open();
  const { geography } = session.opened;
  await geography.place(CENTRE);
  const { map } = geography;
  await t.rejects(geography.place([0, 84], 5000), { code: "INPUT.PLACEMENT" });
  await t.rejects(geography.place([0, 89], 1), { code: "INPUT.PLACEMENT" });
  await t.rejects(geography.place([0, 0], -1), { code: "INPUT.PLACEMENT" });
  t.equal(geography.map, map);
});

t.test("the .geo.json of a layout restores its positions, which can still be moved", async (t) => {
  const { session } = await open();
  await session.opened.geography.place(CENTRE, 300);
  const layer = await saveGeography(session.opened);
  t.equal(layer.name, "three_bus.geo.json");
  const other = (await open()).session.opened.geography;
  await other.applyLayer(layer.bytes, layer.name);
  t.strictSame([...(other.map?.x ?? [])], [...(session.opened.geography.map?.x ?? [])]);
  t.strictSame([...(other.map?.y ?? [])], [...(session.opened.geography.map?.y ?? [])]);
  t.ok(other.synthetic);
  t.ok(Math.abs(((await other.placement())?.scale_km ?? NaN) - 300) < 1e-9);
});

t.test("an automatic layout is computed once, can be stopped, and requested again", async (t) => {
  const { session } = await open();
  const { layout, changed } = session.opened.geography;
  let changes = 0;
  changed.connect((_, change) => (changes += change === "layout" ? 1 : 0));
  t.equal(layout.state.kind, "idle");
  layout.ensure();
  layout.cancel();
  await t.rejects(layout.result(), { code: "ABORTED" });
  t.strictSame(layout.state, { kind: "stopped", message: null });
  layout.ensure();
  t.equal(layout.state.kind, "stopped", "what was stopped does not begin by itself");
  const [first, second] = await Promise.all([layout.result(), layout.result()]);
  t.equal(first, second);
  t.equal(layout.state.kind, "done");
  t.equal(first.positions.length, 6);
  t.ok(changes >= 4);
});

t.test("a saved module and an export carry edits and positions", async (t) => {
  const { workspace, session } = await open();
  await session.commit(LINE_2_AT_40, 0);
  await session.opened.geography.applyLayer(PLACES, "places.csv");
  const saved = await engine.inspectModule(new TextDecoder().decode((await saveModule(session)).bytes));
  t.equal(saved.topology.branches[1]?.rate_mw, 40);
  t.strictSame(
    saved.view?.buses.map(({ lon }) => lon),
    [-105, -104, -104.5],
  );
  const study = await engine.createStudy(saved.module_json, "dcopf");
  t.ok(difference((await study.columns()).lmp, PRICES_AT_40) < 1e-9);
  await study.free();

  const made = await exportCase(session, "matpower", workspace.engine);
  t.equal(made.name, "three_bus.m");
  const again = await engine.ingestCase(made.bytes, "matpower");
  t.equal(again.topology.branches[1]?.rate_mw, 40);
  t.equal(session.state.revision, 1, "saving is no change");
});

t.test("an unpublished candidate is not saved", async (t) => {
  const { session } = await open();
  session.previewMode = "exact";
  await session.select({ kind: "bus", id: 2 });
  session.preview(25);
  await session.saveModule();
  while (session.status.kind !== "previewing") {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const saved = await engine.inspectModule(await session.saveModule());
  t.equal(saved.topology.buses[1]?.demand_mw, 90);
});

t.test("symbols of substations place the buses of their name; buses at one position are spread", async (t) => {
  const { session } = await open();
  const { opened } = session;
  const named = opened.forSession();
  named.busName = (row) => ["New Salem 1", "NEW 2", "New Salem 138kV"][row] ?? null;
  const display = {
    substations: [
      { number: 5, name: "NEW", x: 1000, y: 0 },
      { number: 6, name: " new  salem ", x: 0, y: 2000 },
    ],
    buses: [],
    branches: [],
    canvas: null,
    unmatched: [],
  };
  const drawing = drawingOfDisplay(display, named, "s.pwd");
  const { x = new Float64Array(), y = new Float64Array() } = drawing?.positions ?? {};
  t.equal(drawing?.buses, 3);
  t.strictSame([x[1], y[1]], [1000, 0]);
  const apart = Math.hypot((x[0] ?? 0) - (x[2] ?? 0), (y[0] ?? 0) - (y[2] ?? 0));
  t.ok(apart > 20 && apart < 100, `${apart} apart`);
  t.ok(Math.abs((x[0] ?? 0) + (x[2] ?? 0)) < 1e-9, "around their substation");
  t.equal(drawingOfDisplay({ ...display, substations: [] }, named, "s.pwd"), null);
});

t.test("map and diagram do not replace each other, and drawing coordinates are never on the map", async (t) => {
  const { session } = await open();
  const { geography } = session.opened;
  const heard: SceneChange[] = [];
  const scene = new Scene(modelOf(session), (change) => heard.push(change));
  t.equal(scene.plane, "diagram", "what is nowhere is shown as a diagram");
  t.ok(scene.choice);
  await geography.layout.result();
  t.ok(scene.geometry, "by its automatic layout");
  scene.show("map");
  t.equal(scene.geometry, null, "the map is empty until it is placed");

  await geography.place(CENTRE);
  t.equal(scene.plane, "map");
  t.ok(scene.geometry);
  t.notOk(scene.choice, "a placed layout is one picture");
  scene.show("diagram");
  t.equal(scene.plane, "map");

  const display = await engine.parseDisplay(
    displayFile([
      { number: 1, name: "A", x: 20, y: 30 },
      { number: 2, name: "B", x: 60, y: 30 },
      { number: 3, name: "C", x: 40, y: 70 },
    ]),
  );
  const drawing = drawingOfDisplay(display, session.opened, "d.pwd");
  t.ok(drawing);
  const onMap = scene.geometry;
  if (drawing !== null) {
    geography.setDrawing(drawing);
  }
  t.equal(scene.plane, "map");
  t.equal(scene.geometry, onMap, "numbers that could be degrees do not move the map");
  t.ok(scene.choice);
  scene.show("diagram");
  t.strictSame([...(scene.geometry?.busX ?? [])], [20, 60, 40]);
  t.strictSame([...(scene.geometry?.busY ?? [])], [-30, -30, -70], "y points downwards on a screen");
  scene.show("map");
  t.equal(scene.geometry?.busX[0], onMap?.busX[0]);
  t.ok(heard.filter((change) => change === "plane").length >= 3);
  scene.dispose();
});

t.test("a layer marked as a drawing goes to the diagram, whatever its numbers", async (t) => {
  const { session } = await open();
  const { geography } = session.opened;
  await geography.applyLayer(PLACES, "places.csv");
  const { map } = geography;
  const feature = (bus: number, x: number, y: number): object => ({
    type: "Feature",
    properties: { bus_id: bus },
    geometry: { type: "Point", coordinates: [x, y] },
  });
  const layer = {
    type: "FeatureCollection",
    powerio_geo_kind: "drawing",
    features: [feature(1, 10, 20), feature(2, 30, 20), feature(3, 20, 40)],
  };
  const report = await geography.applyLayer(text(JSON.stringify(layer)), "plan.geojson");
  t.equal(report.space, "drawing");
  t.equal(geography.map, map);
  t.strictSame([...(geography.drawing?.positions.x ?? [])], [10, 30, 20]);
  t.equal(geography.drawing?.source, "plan.geojson");
});
