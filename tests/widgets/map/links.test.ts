import t from "tap";
import {
  BranchPaint,
  Camera,
  caseSceneModel,
  type Frame,
  LINK_DASHES,
  linkKeys,
  linkLooks,
  linkMarks,
  Scene,
  searchElements,
  type SavedPicture,
  svgPicture,
} from "@service/widgets/map";
import { caseTable, compareTable } from "@service/widgets/tables";
import { type CaseSession, ElementSlider, NO_EDITS, type Selection, Workspace } from "@service/widgets/workspace";
import { engine } from "../session.ts";

/**
 * 20 $/MWh at bus 1, 50 $/MWh at bus 2 with 90 MW. Link 1 has 60 MW, loses 4 MW and 10 %, and costs 3 $/MWh: 50 MW
 * arrive, the price difference is 30 $/MWh, one MW more is worth 0.9 * 50 - 20 - 3 = 22 $/h, and its rent is 50 * 50 -
 * 60 * 20 = 1300 $/h. Link 2 is out of service.
 */
const APART = `function mpc = apart
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
	1	3	30	0	0	0	1	1	0	230	1	1.1	0.9;
	2	3	90	0	0	0	1	1	0	230	1	1.1	0.9;
	3	1	0	0	0	0	1	1	0	230	1	1.1	0.9;
];
mpc.gen = [
	1	90	0	99	-99	1	100	1	200	0;
	2	40	0	99	-99	1	100	1	200	0;
];
mpc.branch = [
	1	3	0.01	0.1	0	200	0	0	0	0	1	-60	60;
];
mpc.gencost = [
	2	0	0	2	20	0;
	2	0	0	2	50	0;
];
mpc.dcline = [
	1	2	1	50	0	0	0	1	1	0	60	-9	9	-9	9	4	0.1;
	1	3	0	50	0	0	0	1	1	0	60	-9	9	-9	9	4	0.1;
];
mpc.dclinecost = [
	2	0	0	2	3	0;
	2	0	0	2	0	0;
];
`;

/** The case on the map: buses 1, 2 and 3 at longitudes 0, 10 and 5 on the equator. */
async function openApart(): Promise<CaseSession> {
  const ingested = await engine.ingestCase(new TextEncoder().encode(APART), "matpower");
  const layer = new TextEncoder().encode("id,lon,lat\n1,0,0\n2,10,0\n3,5,0\n");
  const { case: placed } = await engine.applyGeo(ingested.module_json, layer);
  const workspace = new Workspace(engine);
  const opened = await workspace.openCase(placed.sha256, () => Promise.resolve(placed.module_json));
  return workspace.openSession({ opened, caseId: "apart", caseName: "Apart", formulation: "dcopf" });
}

const LIGHT = {
  ...{ text: "#111", ground: "#fff", casing: "#eee", idle: "#999", branch: "#bbb", warning: "#444", binding: "#000" },
  ...{ land: "#fff", water: "#def", border: "#ccc", rim: "#fff", arrow: "#333", muted: "#666", font: "sans-serif" },
} as Frame["theme"];

function framed(session: CaseSession, selection: Frame["selection"] = []): { scene: Scene; frame: Frame } {
  const model = caseSceneModel(session, new BranchPaint(session));
  const scene = new Scene(model, () => undefined);
  const { geometry } = scene;
  if (geometry === null) {
    throw new Error("the case has positions");
  }
  const camera = new Camera();
  camera.resize(800, 400);
  camera.fit(geometry.bounds, 50);
  const frame: Frame = {
    ...{ geometry, camera, theme: LIGHT, palette: [], sizes: model.sizes, branches: model.branches },
    ...{ places: new Int16Array(3), sides: new Int8Array(3), hovered: null, selection, graticule: false },
    links: model.links ?? [],
  };
  return { scene, frame };
}

t.test("a link is a dashed line between the marks of its buses with the direction of its power", async (t) => {
  const session = await openApart();
  t.strictSame(linkLooks(session), [
    { state: "limit", direction: 1 },
    { state: "out", direction: 0 },
  ]);
  const { scene, frame } = framed(session);
  const [first, second] = linkMarks(frame);
  const way = first?.ways[0] ?? [];
  const { camera } = frame;
  const [x1 = NaN, x2 = NaN] = [way[0], way.at(-2)];
  t.ok(
    x1 > camera.screenX(0, 0) && x1 < x2 && x2 < camera.screenX(10, 0),
    "it ends at the marks of the buses, not below them",
  );
  t.ok(first?.arrow?.every(([x]) => x > x1 && x < x2));
  t.ok((first?.arrow?.[0]?.[0] ?? NaN) > (first?.arrow?.[1]?.[0] ?? NaN), "the arrow points to bus 2");
  t.equal(second?.arrow, null);
  t.ok((first?.width ?? 0) > (second?.width ?? 0), "a link at a limit is thicker");
  // Link 2 passes line 1, which joins the same buses, and is an arc beside it.
  const arc = second?.ways[0] ?? [];
  t.ok(Math.abs((arc[arc.length / 2] ?? NaN) - (arc[1] ?? NaN)) > 10);

  t.strictSame(scene.targetAt({ x: camera.screenX(8, 0), y: camera.screenY(8, 0) }, 5, camera), {
    kind: "link",
    row: 0,
  });
  t.strictSame(scene.targetAt({ x: camera.screenX(10, 0), y: camera.screenY(10, 0) }, 5, camera), {
    kind: "bus",
    row: 1,
  });
  camera.tiltTo(40);
  t.strictSame(scene.targetAt({ x: camera.screenX(8, 0), y: camera.screenY(8, 0) }, 5, camera)?.kind, "link");
});

t.test("figures and legend contain links that are distinct without colours", async (t) => {
  const session = await openApart();
  const { frame } = framed(session, [{ kind: "link", row: 0 }]);
  const picture: SavedPicture = {
    ...{ frame, labels: [], legend: null, title: "Apart", caption: [], notes: [] },
    ground: { drawn: null, attribution: "", onMap: true },
  };
  const group = /<g id="links".*?<\/g>/s.exec(svgPicture(picture).text)?.[0] ?? "";
  t.equal(group.split(`stroke-dasharray="${LINK_DASHES.join(" ")}"`).length - 1, 2);
  t.match(group, /stroke-opacity="0.35"/, "the halo of the selected link");
  t.strictSame(
    linkKeys(linkLooks(session)).map(({ text }) => text),
    ["1 HVDC link at a limit", "1 HVDC link out of service"],
  );
});

t.test("card, table and search have the closed-form numbers of a link", async (t) => {
  const session = await openApart();
  const model = caseSceneModel(session, new BranchPaint(session));
  const card = model.card({ kind: "link", row: 0 });
  t.equal(card.title, "HVDC link 1 (1 to 2)");
  const rows = new Map(card.rows);
  t.equal(rows.get("Power at bus 1"), "60.0 MW");
  t.equal(rows.get("Delivered at bus 2"), "50.0 MW");
  t.equal(rows.get("Losses"), "10.0 MW");
  t.equal(rows.get("Shadow price"), "22.00 $/MWh");
  t.equal(rows.get("Price difference over the link"), "30.00 $/MWh");
  t.match(rows.get("Congestion rent of the link"), /^1,?300/);
  t.strictSame(model.card({ kind: "link", row: 1 }).rows, [["State", "out of service"]]);

  const table = caseTable(session, "links");
  const texts = (key: string): string[] =>
    [0, 1].map((row) => table.columns.find((column) => column.key === key)?.text(row) ?? "no such column");
  t.strictSame(texts("power_mw"), ["60.0", ""]);
  t.strictSame(texts("losses_mw"), ["10.0", ""]);
  t.strictSame(texts("state"), ["at limit", "out of service"]);
  t.strictSame(texts("price_difference_usd_per_mwh"), ["30.00", ""]);
  t.strictSame(texts("shadow_usd_per_mwh"), ["22.00", ""]);
  t.strictSame(table.elementOf(0), { kind: "link", id: 1 });
  t.equal(table.rowOf({ kind: "link", id: 2 }), 1);
  const before = session.store.columns;
  await session.commit({ ...NO_EDITS, deltas: { 2: -60 } }, 0);
  // 30 MW of demand for 34 / 0.9 MW sent.
  const change = compareTable(session, "links", before, session.store.columns).columns.find(
    ({ key }) => key === "change_mw",
  );
  t.ok(Math.abs(Number(change?.value(0)) - (34 / 0.9 - 60)) < 1e-9);

  t.strictSame(
    searchElements(session, "link 1").found.map(({ element }) => element),
    [{ kind: "link", id: 1 }],
  );
});

t.test("the upper limit of a link has a column and an exact path", async (t) => {
  const session = await openApart();
  await session.select({ kind: "link", id: 1 });
  t.strictSame(session.selection, { kind: "link", id: 1 });
  await session.columnSettled;
  t.equal(session.column?.link, 1);
  t.equal(session.columnProblem, null);
  // At 94 / 0.9 MW the link alone meets the demand at bus 2, whose price falls from 50 to 23 / 0.9 $/MWh.
  const full = 94 / 0.9;
  const [low = NaN, high = NaN] = session.column?.warrant.valid_mw ?? [];
  t.ok(
    Math.abs((low ?? NaN) + 60) < 1e-9 && Math.abs((high ?? NaN) - (full - 60)) < 1e-9,
    `${String(low)} ${String(high)}`,
  );
  await session.pathSettled;
  const { path } = session;
  t.equal(path?.watchedBus, 2);
  t.equal(path?.min, -60);
  t.ok(Math.abs((path?.priceAt(20) ?? NaN) - 50) < 1e-9);
  t.ok(Math.abs((path?.priceAt(60) ?? NaN) - 23 / 0.9) < 1e-9);
  session.preview(60);
  await session.pathSettled;
  const slider = new ElementSlider(session, { kind: "link", id: 1 }, (run) => (run(), () => undefined));
  await slider.commit(60);
  t.ok(Math.abs(session.store.shownAt("lmp", 1) - 23 / 0.9) < 1e-9);
  t.strictSame(session.state.edits.links, { "1": { p_max: 120 } });
});

t.test("schedules, links out of service and limits in reverse have neither", async (t) => {
  const session = await openApart();
  const has = async (element: Selection): Promise<unknown[]> => {
    await session.select(element);
    await session.columnSettled;
    return [session.column, session.path, session.columnProblem];
  };
  t.strictSame(await has({ kind: "link", id: 1, value: "p" }), [null, null, null]);
  t.strictSame(await has({ kind: "link", id: 2 }), [null, null, null]);
  // With losses the other direction would open at zero.
  await session.commit({ ...NO_EDITS, links: { "1": { p_min: -20, p_max: 0 } } }, 0);
  t.strictSame(await has({ kind: "link", id: 1 }), [null, null, null]);
  await session.selectMany([{ kind: "link", id: 7 }]);
  t.equal(session.selection, null, "a case without this link");
});
