// Studies through the facade: previews, failed commits, reset, columns, freeing.
import t, { type Test } from "tap";
import { createNodeEngine, EngineError, type StudyHandle } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";

const engine = createNodeEngine();
const three = await engine.ingestCase(await fixture("three_bus.m"), "matpower");
const isolated = await engine.ingestCase(await fixture("three_bus_isolated.m"), "matpower");

async function opened(t: Test, module = three.module_json): Promise<StudyHandle> {
  const study = await engine.createStudy(module, "dcopf");
  t.teardown(() => study.free());
  return study;
}

async function code(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
  return "no error";
}

t.test("ingest describes the case", async (t) => {
  t.match(three, {
    n_bus: 3,
    n_branch: 3,
    n_gen: 2,
    n_analysis_bus: 3,
    n_analysis_branch: 3,
    load_mw: 90,
    base_mva: 100,
  });
  t.equal(three.view, null, "no coordinates, no map view");
  const again = await engine.inspectModule(three.module_json);
  t.strictSame(again.topology, three.topology);
  t.equal(again.sha256, three.sha256, "a module keeps its identity");
});

t.test("the preview inside its interval is the exact change", async (t) => {
  const study = await opened(t);
  const before = await study.currentSolution();
  const preview = await study.preview({ "2": 6 });
  t.equal(preview.exact, true);
  const { solution } = await study.commit("three", { "2": 6 });
  preview.prices?.forEach(({ bus, value }, k) => {
    const change = (solution.prices[k]?.value ?? NaN) - (before.prices[k]?.value ?? NaN);
    t.ok(Math.abs(change - value) < 1e-9, `price change at bus ${bus}`);
    t.ok(Math.abs(value - 6 * 0.0958974358974359) < 1e-9);
  });
  t.ok(Math.abs(solution.objective - before.objective - (preview.objectiveDelta ?? NaN)) < 1e-6);
});

t.test("a preview and a sensitivity change nothing", async (t) => {
  const study = await opened(t);
  const { result_sha256 } = await study.currentSolution();
  await study.preview({ "2": 30 });
  await study.sensitivity("three", { "2": 30 }, {}, { bus: 1 });
  t.equal((await study.currentSolution()).result_sha256, result_sha256);
});

t.test("a failed commit changes nothing", async (t) => {
  const study = await opened(t);
  const { solution } = await study.commit("three", { "2": 10 });
  t.equal(await code(study.commit("three", { "2": 1000 })), "SOLVE.INFEASIBLE");
  t.equal(await code(study.commit("three", { "99": 1 })), "DELTA.UNKNOWN_BUS");
  t.equal(await code(study.commit("three", { "2": -91 })), "DELTA.NEGATIVE_DEMAND");
  t.equal(await code(study.preview({ "99": 1 })), "DELTA.UNKNOWN_BUS", "the same in a preview");
  t.equal((await study.currentSolution()).result_sha256, solution.result_sha256);
});

t.test("reset restores the base case", async (t) => {
  const study = await opened(t);
  const base = await study.currentSolution();
  await study.commit("three", { "2": 10 });
  const { solution } = await study.reset("three");
  t.equal(solution.result_sha256, base.result_sha256);
  t.equal(solution.case, "three");
});

t.test("columns are typed, by dense row, NaN where a row takes no part", async (t) => {
  const study = await opened(t, isolated.module_json);
  const columns = await study.columns();
  t.ok(columns.lmp instanceof Float64Array);
  t.equal(columns.lmp.length, 4);
  t.equal(columns.flow_mw.length, 4);
  t.ok(Math.abs((columns.lmp[1] ?? NaN) - 30.1) < 1e-6);
  t.ok(Number.isNaN(columns.lmp[3]), "the isolated bus has no price");
  t.ok(Number.isNaN(columns.flow_mw[3]), "the line out of service has no flow");
  t.equal(isolated.topology.buses[3]?.in_service, false);
  t.equal(await code(study.commit("three", { "4": 1 })), "DELTA.ISOLATED_BUS");
});

t.test("a freed Study is refused as freed", async (t) => {
  const study = await engine.createStudy(three.module_json, "dcopf");
  await study.free();
  await study.free();
  t.equal(await code(study.currentSolution()), "STUDY.FREED");
  t.equal(await code(study.commit("three", {})), "STUDY.FREED");
  t.equal(await code(study.columns()), "STUDY.FREED");
});

t.test("earlier commits do not matter", async (t) => {
  const [straight, winding] = [await opened(t), await opened(t)];
  const edits = { "2": 25, "3": 5 };
  for (const mw of [40, 80, 3]) await winding.commit("three", { "2": mw }, { "2": -150 });
  const hashes = [await straight.commit("three", edits), await winding.commit("three", edits)];
  t.equal(hashes[0]?.solution.result_sha256, hashes[1]?.solution.result_sha256);
});
