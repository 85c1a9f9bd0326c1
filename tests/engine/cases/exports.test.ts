// Cases written in other formats and read again, and studies saved with their edits.
import t from "tap";
import { createNodeEngine, type IngestedCase, type StudyHandle } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";

const engine = createNodeEngine();
const three = await engine.ingestCase(await fixture("three_bus.m"), "matpower");

/** The reader of a written format; the other formats are only written. */
const READERS: Record<string, string> = {
  matpower: "matpower",
  psse: "psse",
  psse34: "psse",
  psse35: "psse",
  powerworld: "powerworld",
  pslf: "pslf",
  "powermodels-json": "powermodels-json",
  "egret-json": "egret-json",
  "pandapower-json": "pandapower-json",
};

/** Formats with generator costs, whose optimum is the same. */
const WITH_COSTS = ["matpower", "powermodels-json", "egret-json"];

const electrical = ({ topology, load_mw, base_mva }: IngestedCase) => ({
  base_mva,
  load_mw,
  buses: topology.buses.map(({ id, demand_mw, base_kv }) => ({ id, demand_mw, base_kv })),
  branches: topology.branches.map(({ from, to, rate_mw, status }) => ({ from, to, rate_mw, status })),
});

t.test("every format is written, and its reader, if any, reads the same network", async (t) => {
  const formats = await engine.exportFormats();
  t.ok(formats.every(({ format, label, extension }) => format && label && /^[^.]\S*$/.test(extension)));
  const written = formats.map(({ format }) => format);
  t.strictSame(
    Object.keys(READERS).filter((format) => !written.includes(format)),
    [],
  );
  const { objective } = await engine.solveModule(three.module_json);
  for (const { format, extension } of formats) {
    const file = await engine.exportModule(three.module_json, format);
    t.ok(file.bytes instanceof Uint8Array && file.bytes.length > 0, format);
    t.equal(file.file_name, `three_bus.${extension}`);
    t.ok(file.warnings.every(({ code, message }) => code === "EXPORT.LOSS" && message));
    const reader = READERS[format];
    if (reader === undefined) continue;
    const again = await engine.ingestCase(file.bytes, reader);
    t.strictSame(electrical(again), electrical(three), format);
    if (!WITH_COSTS.includes(format)) continue;
    const solved = await engine.solveModule(again.module_json);
    t.ok(Math.abs((solved.objective ?? NaN) - (objective ?? NaN)) < 1e-6, `${format}: ${solved.objective}`);
  }
  const { warnings } = await engine.exportModule(three.module_json, "psse");
  t.ok(
    warnings.some(({ message }) => /cost/.test(message)),
    "costs have no place in RAW files",
  );
});

const demand = (module: IngestedCase, bus: number) => module.topology.buses.find(({ id }) => id === bus)?.demand_mw;
const rating = (module: IngestedCase, row: number) => module.topology.branches.find(({ id }) => id === row)?.rate_mw;

async function saved(study: StudyHandle): Promise<IngestedCase> {
  return engine.inspectModule(await study.saveModule());
}

t.test("a saved module is the committed state", async (t) => {
  const study = await engine.createStudy(three.module_json, "dcopf");
  t.teardown(() => study.free());
  t.equal(await study.saveModule(), three.module_json, "without edits it is the module itself");

  const { solution } = await study.commit("three", { "2": 5, "3": 2 }, { "2": -210 });
  const state = await saved(study);
  t.strictSame([demand(state, 1), demand(state, 2), demand(state, 3)], [0, 95, 2]);
  t.strictSame([rating(state, 1), rating(state, 2), rating(state, 3)], [250, 40, 250]);
  t.not(state.sha256, three.sha256);
  const fresh = await engine.createStudy(state.module_json, "dcopf");
  t.teardown(() => fresh.free());
  const base = await fresh.currentSolution();
  t.ok(Math.abs(base.objective - solution.objective) < 1e-6, `${base.objective} ${solution.objective}`);
  base.prices.forEach(({ value }, k) => t.ok(Math.abs(value - (solution.prices[k]?.value ?? NaN)) < 1e-6));

  await t.rejects(study.commit("three", { "2": 1000 }), { code: "SOLVE.INFEASIBLE" });
  t.equal((await saved(study)).sha256, state.sha256, "a failed commit is not saved");
  const pending = study.commit("three", { "2": 7 });
  t.equal(demand(await saved(study), 2), 97, "a commit requested before is part of it");
  await pending;
  await study.reset("three");
  t.equal(await study.saveModule(), three.module_json);
});

t.test("an exported study is the committed state", async (t) => {
  const study = await engine.createStudy(three.module_json, "dcopf");
  await study.commit("three", { "2": 5 }, { "2": -210 });
  const file = await study.export("matpower");
  const again = await engine.ingestCase(file.bytes, "matpower");
  t.strictSame([demand(again, 2), rating(again, 2)], [95, 40]);
  t.equal(file.file_name, "three_bus.m");
  await t.rejects(study.export("pwb"), { code: "EXPORT.FORMAT" });
  await study.free();
  await t.rejects(study.export("matpower"), { code: "STUDY.FREED" });
  await t.rejects(study.saveModule(), { code: "STUDY.FREED" });
});
