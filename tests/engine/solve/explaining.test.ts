// The search for the minimum relaxation as a job: progress, turns of other calls, cancelling, the best so far, lost
// engines.
import t, { type Test } from "tap";
import { createNodeEngine, type Engine, type ExplainProgress } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";
import { meshedCase } from "../cases/meshes.ts";
import { trapping } from "../worker/trapping.ts";

const BUSES = 3000;
/** One generator behind one line of 250 MW, and 1 MW of demand at every other bus. */
const SHORT_MW = BUSES - 1 - 250;

async function mesh(engine: Engine): Promise<string> {
  return (await engine.ingestCase(meshedCase(BUSES), "matpower")).module_json;
}

function rising(t: Test, reports: readonly ExplainProgress[]): void {
  for (const key of ["fraction", "at_least_mw"] as const) {
    const values = reports.map((one) => one[key]);
    t.strictSame(
      values,
      values.toSorted((a, b) => a - b),
      `${key} rises`,
    );
  }
}

t.test("progress rises to the end, and other calls run in between", async (t) => {
  const engine = createNodeEngine();
  const module = await mesh(engine);
  const reports: ExplainProgress[] = [];
  const order: string[] = [];
  const searching = engine.explainModule(module, {}, { onProgress: (progress) => reports.push(progress) });
  const between = engine.ingestCase(await fixture("three_bus.m"), "matpower").then(() => order.push("read"));
  const why = await searching;
  order.push("found");
  await between;
  t.strictSame(order, ["read", "found"]);
  t.ok(reports.length > 2, `${reports.length} times`);
  rising(t, reports);
  t.equal(reports.at(-1)?.fraction, 1);
  t.equal(why?.is_least, true);
  t.ok(Math.abs((why?.relaxation_total_mw ?? 0) - SHORT_MW) < 0.01, `${why?.relaxation_total_mw} MW`);
  const certain = reports.at(-1)?.at_least_mw ?? 0;
  t.ok(certain <= SHORT_MW + 1e-6 && certain > SHORT_MW - 1, `${certain} MW are certain`);
});

t.test("a search ended early returns the best relaxation so far with its gap", async (t) => {
  const engine = createNodeEngine();
  const module = await mesh(engine);
  const enough = new AbortController();
  const ways = [{ budgetMs: 0 }, { enough: enough.signal, onProgress: () => enough.abort() }];
  for (const options of ways) {
    const best = await engine.explainModule(module, {}, options);
    t.equal(best?.is_least, false);
    const total = best?.relaxation_total_mw ?? 0;
    const { bound_mw = NaN, gap_mw = NaN } = best?.verified ?? {};
    t.ok(total >= SHORT_MW - 1e-6, `${total} MW are enough`);
    t.ok(bound_mw <= SHORT_MW + 1e-6, `${bound_mw} MW are certain`);
    t.ok(Math.abs(total - bound_mw - gap_mw) < 1e-6, `a gap of ${gap_mw} MW`);
  }
});

t.test("a cancelled search rejects and leaves the Study unchanged", async (t) => {
  const engine = createNodeEngine();
  const { module_json } = await engine.ingestCase(await fixture("three_bus.m"), "matpower");
  const study = await engine.createStudy(module_json, "dcopf");
  const { solution } = await study.commit("three", { "2": 10 });
  const abort = new AbortController();
  const searching = study.explain({ "2": 1000 }, {}, { signal: abort.signal });
  abort.abort();
  await t.rejects(searching, { code: "ABORTED" });
  t.equal((await study.currentSolution()).result_sha256, solution.result_sha256);
  t.equal((await study.explain({ "2": 1000 }))?.is_least, true, "and can be begun again");
});

t.test("a search lost with its engine starts again", async (t) => {
  const { instantiate, made } = trapping();
  const engine = createNodeEngine({ instantiate });
  const module = await mesh(engine);
  const reports: ExplainProgress[] = [];
  let lost: Promise<unknown> | undefined;
  const onProgress = (progress: ExplainProgress) => {
    reports.push(progress);
    if (reports.length === 2) lost = engine.capabilities().catch((error: { code: string }) => error.code);
  };
  const why = await engine.explainModule(module, {}, { onProgress });
  t.equal(await lost, "INTERNAL");
  t.equal(made.length, 2, "one new instance");
  t.ok(Math.abs((why?.relaxation_total_mw ?? 0) - SHORT_MW) < 0.01);
  rising(t, reports);
});
