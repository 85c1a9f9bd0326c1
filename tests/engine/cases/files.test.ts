// JSON documents by content, distribution cases, drawings.
import { readFile } from "node:fs/promises";
import t from "tap";
import { createNodeEngine, type JsonDropKind } from "@service/engine/node";
import { DATA, fixture } from "../../fixtures/cases.ts";

const engine = createNodeEngine();
const three = await engine.ingestCase(await fixture("three_bus.m"), "matpower");
const bytes = (text: string) => new TextEncoder().encode(text);

const PM = `{"baseMVA":100,"bus":{"1":{}},"branch":{"1":{}},"gen":{}}`;

/** Documents with the kind and format given by the specification. */
const DOCUMENTS: [text: string, kind: JsonDropKind, format: string | null][] = [
  [three.module_json, "module", null],
  [`{"schema":"pio-ir","version":1}`, "module", null],
  [PM, "transmission", "powermodels-json"],
  [`\uFEFF${PM}`, "transmission", "powermodels-json"],
  [`{"elements":{},"system":{}}`, "transmission", "egret-json"],
  [`{"bus":{"a":{}},"line":{"l":{}},"linecode":{}}`, "distribution", "bmopf-json"],
  [`{"data_model":"ENGINEERING","bus":{"a":{}},"load":{"l":{}}}`, "distribution", "pmd-json"],
  [`{"baseMVA":1,"bus":{"1":{}},"branch":{"1":{}},"line":{"l":{}}}`, "ambiguous", null],
  [`{"name":"retired","base_mva":100.0,"buses":[{"id":1}],"branches":[]}`, "unknown", null],
  [`{"type":"FeatureCollection","features":[]}`, "unknown", null],
  [`{"bus":[{"bus_i":1,"lat":1,"lon":2}]}`, "unknown", null],
  ["{}", "unknown", null],
  ["not json", "unknown", null],
  ["", "unknown", null],
];

t.test("documents are classified by content", async (t) => {
  for (const [text, kind, format] of DOCUMENTS) {
    t.strictSame(await engine.classifyJson(bytes(text)), { kind, format }, text.slice(0, 60));
  }
});

t.test("a document that is no case is refused", async (t) => {
  for (const [text, kind] of DOCUMENTS) {
    if (kind !== "ambiguous" && kind !== "unknown") continue;
    t.strictSame(await engine.ingestJsonDrop(bytes(text)), { kind, format: null, payload: null }, text);
  }
});

t.test("dropped documents are read as their cases", async (t) => {
  const module = await engine.ingestJsonDrop(bytes(three.module_json));
  t.match(module, { kind: "module", format: null, payload: { model: "balanced", sha256: three.sha256 } });
  for (const format of ["powermodels-json", "egret-json", "pandapower-json"]) {
    const file = await engine.exportModule(three.module_json, format);
    const dropped = await engine.ingestJsonDrop(file.bytes);
    const direct = await engine.ingestCase(file.bytes, format);
    t.match(dropped, { kind: "transmission", format, payload: { model: "balanced", n_bus: 3, load_mw: 90 } });
    t.equal(dropped.payload?.sha256, direct.sha256, `${format}: as if the format had been named`);
  }
  const older = engine.ingestJsonDrop(bytes(`{"schema":"pio-ir","version":1}`));
  await t.rejects(older, { name: "EngineError", code: "MODULE.INVALID" });
  await t.rejects(engine.ingestJsonDrop(bytes(PM)), { name: "EngineError", code: /^INPUT\./ }, "a case without values");
  const signal = AbortSignal.abort();
  await t.rejects(engine.ingestJsonDrop(bytes(PM), signal), { code: "ABORTED" });
});

/** One source, one line, 300 kW; the line code is in another file. */
const FEEDER = `Clear
New Circuit.feeder basekv=12.47 pu=1.0 phases=3 bus1=source
Redirect codes/lines.dss
New Line.l1 bus1=source bus2=end linecode=overhead length=2 units=km
New Load.d1 bus1=end phases=3 conn=wye kv=12.47 kw=300 kvar=100
`;
const CODES = { "codes/lines.dss": bytes("New Linecode.overhead nphases=3 r1=0.3 x1=0.4 r0=0.6 x0=1.2 units=km\n") };

t.test("a feeder is read with its companion file", async (t) => {
  const feeder = await engine.ingestDistribution(bytes(FEEDER), "dss", CODES);
  t.match(feeder, { model: "multiconductor", load_kw: 300, coords_space: "none", coords_kind: "synthetic_pending" });
  t.match(feeder.counts, { lines: 1, loads: 1, sources: 1 });
  const end = feeder.graph.buses.find(({ id }) => id === "end");
  t.match(end, { load_kw: 300, has_source: false });
  t.match(
    feeder.graph.edges.find(({ id }) => id === "l1"),
    { kind: "line", from: "source", to: "end", n_phases: 3, closed: true },
  );
  const again = await engine.inspectDistribution(feeder.module_json);
  t.equal(again.sha256, feeder.sha256);
  t.strictSame(again.graph, feeder.graph);
  const dropped = await engine.ingestJsonDrop(bytes(feeder.module_json));
  t.match(dropped, { kind: "module", payload: { model: "multiconductor", sha256: feeder.sha256 } });
  await t.rejects(engine.ingestDistribution(bytes(FEEDER), "dss"), { name: "EngineError", code: /^INPUT\./ });
  await t.rejects(engine.inspectModule(feeder.module_json), { code: "MODULE.KIND" });
  await t.rejects(engine.inspectDistribution(three.module_json), { code: "MODULE.KIND" });
  await t.rejects(engine.createStudy(feeder.module_json, "dcopf"), { code: "MODULE.KIND" });
});

t.test("a feeder gets a layout and positions", async (t) => {
  const { module_json, graph } = await engine.ingestDistribution(bytes(FEEDER), "dss", CODES);
  const { positions } = await engine.layoutModule(module_json);
  t.equal(positions.length, 2 * graph.buses.length);
  const placed = await engine.applyLayout(module_json, positions, { centre: [-100, 31] });
  t.match(placed, { model: "multiconductor", coords_kind: "synthetic", coords_space: "geographic" });
  const applied = await engine.applyGeo(module_json, bytes("bus,lat,lon\nsource,31,-100\nEND,31.01,-100.02\n"));
  t.match(applied.case, { model: "multiconductor", coords_kind: "file" });
  t.equal(applied.report.matched_buses, 2);
});

t.test("a drawing", { skip: DATA === undefined && "no folder of public cases" }, async (t) => {
  const display = await engine.parseDisplay(await readFile(`${DATA}/activsg200/ACTIVSg200.pwd`));
  t.ok(display.substations.length > 100, `${display.substations.length} substations`);
  t.ok(display.substations.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)));
  t.ok(
    display.substations.some(({ x, y }) => Math.abs(x) > 360 || Math.abs(y) > 360),
    "in its own units",
  );
  await t.rejects(engine.parseDisplay(bytes("nothing")), { name: "EngineError", code: "INPUT.DISPLAY" });
});
