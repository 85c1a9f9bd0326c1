// Inputs that the facade refuses, and names of files.
import t from "tap";
import { createNodeEngine, EngineError, FORMULATIONS, formatOf, isDisplayFile } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";

const engine = createNodeEngine();
const bytes = await fixture("three_bus.m");

t.test("a file given as a string is refused: bytes are needed", async (t) => {
  const text = bytes.toString("utf8") as unknown as Uint8Array;
  const { module_json } = await engine.ingestCase(bytes, "matpower");
  const refused: [what: string, call: () => Promise<unknown>][] = [
    ["client.case_file", () => engine.ingestCase(text, "matpower")],
    ["client.case_file", () => engine.ingestDistribution(text, "dss")],
    ["client.case_file", () => engine.ingestJsonDrop(text)],
    ["client.case_file", () => engine.classifyJson(text)],
    ["client.display_file", () => engine.parseDisplay(text)],
    ["client.geographic_layer", () => engine.applyGeo(module_json, text)],
    ["client.companion_file", () => engine.ingestDistribution(bytes, "dss", { "codes.dss": text })],
  ];
  for (const [what, call] of refused) {
    await t.rejects(call(), {
      name: "EngineError",
      code: "INPUT.NOT_BYTES",
      sentence: { key: "client.not_bytes", values: { what: { message: { key: what } }, type: { text: "string" } } },
    });
  }
});

t.test("a distribution case given as a balanced one is refused with the right function", async (t) => {
  for (const format of ["dss", "bmopf-json", "pmd-json"]) {
    await t.rejects(engine.ingestCase(bytes, format), { code: "INPUT.FORMAT", message: /ingestDistribution/ });
  }
});

t.test("other invalid inputs have codes and sentences", async (t) => {
  const { module_json } = await engine.ingestCase(bytes, "matpower");
  await t.rejects(engine.inspectModule(bytes as unknown as string), { code: "INPUT.NOT_MODULE" });
  const readers: ((module: string) => Promise<unknown>)[] = [
    engine.inspectModule,
    engine.inspectDistribution,
    (module) => engine.applyGeo(module, Buffer.from("bus,lat,lon\n1,31,-100\n")),
    engine.geoJson,
    engine.layoutModule,
    (module) => engine.applyLayout(module, new Float64Array(6), { centre: [0, 0] }),
    engine.placementOf,
    (module) => engine.exportModule(module, "matpower"),
  ];
  for (const wrong of ["{}", "", "no module"]) {
    for (const read of readers) await t.rejects(read(wrong), { name: "EngineError", code: /^MODULE\./ });
  }
  await t.rejects(engine.exportModule(module_json, "pwb"), { code: "EXPORT.FORMAT" });
  await t.rejects(engine.exportModule(module_json, 7 as unknown as string), { code: "INPUT.NOT_TEXT" });
  await t.rejects(engine.parseDisplay(bytes), { code: "INPUT.DISPLAY" });
  await t.rejects(engine.ingestCase(Buffer.from("no case at all"), "matpower"), { code: /^INPUT\./ });
  await t.rejects(engine.createStudy(module_json, "acopf" as "socwr"), { code: "FORMULATION.UNAVAILABLE" });
  const study = await engine.createStudy(module_json, "dcopf");
  await t.rejects(study.commit("three", { "2": NaN }), { code: "DELTA.MALFORMED" });
  await t.rejects(study.preview({}, { "1": Infinity }), { code: "RATE.MALFORMED" });
  await t.rejects(study.commit(7 as unknown as string, {}), { code: "INPUT.NOT_TEXT" });
  const absent = undefined as never;
  await t.rejects(study.commit("three", absent), { code: "DELTA.MALFORMED" });
  await t.rejects(study.preview(absent), { code: "DELTA.MALFORMED" });
  await t.rejects(study.explain({}, [] as never), { code: "RATE.MALFORMED" });
  await t.rejects(study.preview({}, {}, { generators: { "1": { p_max: NaN } } }), {
    ...{ code: "GENERATOR.MALFORMED", message: "The value p_max of generator 1 is not a finite number." },
  });
  await t.rejects(study.preview({}, {}, { generators: { "1": 80 as never } }), { code: "GENERATOR.MALFORMED" });
  await t.rejects(study.plan(absent), { code: "PLAN.SPEC" });
  await t.rejects(study.series({ columns: ["lmp"] } as never), { code: "INPUT.REQUEST" });
  await t.rejects(study.series({ changesMw: new Float64Array() } as never), { code: "INPUT.REQUEST" });
  await t.rejects(study.syntheticDemand(0 as never, 24), { code: "PROFILE.MALFORMED" });
  await t.rejects(study.syntheticDemand(new Date(NaN), 24), { code: "PROFILE.MALFORMED" });
  await t.rejects(study.syntheticDemand(new Date(0), 1.5), { code: "PROFILE.MALFORMED" });
  await t.rejects(study.readProfile("time,2\n1,2\n" as never), { code: "INPUT.NOT_BYTES" });
  await t.rejects(study.loadability(absent), { code: "INPUT.REQUEST" });
  await t.rejects(study.sensitivity("three", {}, {}, { bus: 99 }), { code: "BUS.UNKNOWN" });
  await t.rejects(study.sensitivity("three", {}, {}, { branch: 99 }), { code: "BRANCH.UNKNOWN" });
  await study.free();
});

t.test("an infeasible case names an element", async (t) => {
  const { module_json } = await engine.ingestCase(bytes, "matpower");
  const request = { edits: { deltas: { "2": 1000 } } };
  const error = await engine.solveModule(module_json, request).catch((thrown: unknown) => thrown);
  t.ok(error instanceof EngineError);
  t.equal((error as EngineError).code, "SOLVE.INFEASIBLE");
});

t.test("capabilities list what is available", async (t) => {
  const { formulations } = await engine.capabilities();
  const dcopf = formulations.find(({ formulation }) => formulation === "dcopf");
  t.equal(dcopf?.available, true);
  t.ok(dcopf?.blocks.includes("prices"));
  const known = formulations.map(({ formulation }) => formulation as string);
  t.ok(FORMULATIONS.every(({ id }) => known.includes(id)));
});

t.test("formats by file name", async (t) => {
  const names = [
    "a.m",
    "A.RAW",
    "x.y.aux",
    "c.pwb",
    "d.epc",
    "e.rawx",
    "f.CDF",
    "g.uct",
    "h.xiidm",
    "i.iidm",
    "j.zip",
    "k.XML",
    "Feeder.DSS",
    "case",
    "a.json",
    ".m",
    "a.",
  ];
  t.strictSame(names.map(formatOf), [
    "matpower",
    "psse",
    "powerworld",
    "pwb",
    "pslf",
    "psse-rawx",
    "ieee-cdf",
    "ucte",
    "xiidm",
    "xiidm",
    "cgmes",
    "cgmes",
    "dss",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  t.equal(formatOf("a.constructor"), undefined);
  t.equal(isDisplayFile("Drawing.PWD"), true);
  t.equal(isDisplayFile("drawing.m"), false);
});

t.test("an abort signal that has fired rejects the call", async (t) => {
  const signal = AbortSignal.abort();
  await t.rejects(engine.ingestCase(bytes, "matpower", signal), { name: "EngineError", code: "ABORTED" });
  const { module_json } = await engine.ingestCase(bytes, "matpower");
  await t.rejects(engine.createStudy(module_json, "dcopf", {}, signal), { code: "ABORTED" });
  await t.rejects(engine.solveModule(module_json, {}, signal), { code: "ABORTED" });
});
