// Plans through the facade: trials as they arrive, a cancel that retains completed trials, and the outcome of the
// native engine to the last digit.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import t, { type Test } from "tap";
import type { CapacityPlanSpecJson, CapacityPlanTrial, DemandPlanSpecJson, FormulationId } from "@service/engine";
import { createNodeEngine } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";

const engine = createNodeEngine();
const python = fileURLToPath(new URL("../../../.venv/bin/python", import.meta.url));

/** Line 2, from bus 2 to bus 3, binds at 40 MW, and prices are those of quadratic costs. */
const text = new TextDecoder().decode(await fixture("three_bus.m"));
const { module_json: module } = await engine.ingestCase(
  new TextEncoder().encode(text.replace("2\t3\t0.01\t0.1\t0\t250", "2\t3\t0.01\t0.1\t0\t40")),
  "matpower",
);

const SPEC: CapacityPlanSpecJson = {
  objective: { kind: "weighted_lmp", weights: [{ bus: 2, weight: 1 }] },
  candidates: [1, 2, 3],
  max_increase_per_branch_mw: 10,
  budget_mw: 10,
  increment_mw: 2,
  max_changed_lines: 3,
  exact_solve_budget: 32,
};

const PLACE: DemandPlanSpecJson = {
  kind: "demand_placement",
  objective: SPEC.objective,
  candidates: [1, 2, 3],
  max_change_per_bus_mw: 20,
  budget_mw: 30,
  increment_mw: 5,
  max_changed_buses: 3,
  exact_solve_budget: 16,
};

async function opened(t: Test, formulation: FormulationId = "dcopf") {
  const study = await engine.createStudy(module, formulation);
  t.teardown(() => study.free());
  return study;
}

t.test("a commit confirms the proposal of a plan", async (t) => {
  const study = await opened(t);
  const before = await study.currentSolution();
  const trials: CapacityPlanTrial[] = [];
  const plan = await study.plan(SPEC, undefined, { onTrial: (trial) => trials.push(trial) });
  t.strictSame(plan.proposal, [{ branch: 2, delta_mw: 10 }]);
  t.strictSame(trials, plan.trials, "each trial is reported once");
  t.equal(plan.exact_solves, 6);
  t.equal((await study.currentSolution()).result_sha256, before.result_sha256, "the study stays as it is");
  const { solution } = await study.commit("three", {}, { "2": 10 });
  t.equal(plan.best.phi, solution.prices?.[1]?.value);
  t.equal(plan.best.objective, solution.objective);
});

t.test("demand is placed, or moved with a constant total, and a commit confirms it", async (t) => {
  const study = await opened(t);
  for (const kind of ["demand_placement", "demand_redistribution"] as const) {
    const plan = await study.plan({ ...PLACE, kind });
    t.equal(plan.kind, kind);
    const sum = (changes: typeof plan.proposal): number => changes.reduce((total, one) => total + one.delta_mw, 0);
    const total = kind === "demand_placement" ? 30 : 0;
    for (const trial of plan.trials.filter(({ places }) => !places)) t.equal(sum(trial.delta_mw), total);
    t.equal(sum(plan.proposal), total);
    t.ok(plan.proposal.length > 0);
    const deltas = Object.fromEntries(plan.proposal.map(({ bus, delta_mw }) => [bus, delta_mw]));
    const other = await opened(t);
    const { solution } = await other.commit("three", deltas, {});
    t.equal(plan.best.phi, solution.prices?.[1]?.value);
    t.equal(plan.best.objective, solution.objective);
  }
});

t.test("a cancel keeps completed trials and the best of them", async (t) => {
  const study = await opened(t);
  const stop = new AbortController();
  const plan = await study.plan(SPEC, stop.signal, { onTrial: ({ exact_solve: n }) => n === 3 && stop.abort() });
  t.match(plan, { ended: "cancelled", exact_solves: 3, proposal: [{ branch: 2, delta_mw: 4 }] });
  t.equal(plan.trials.length, 2);
});

t.test("invalid plans are refused", async (t) => {
  const study = await opened(t);
  await t.rejects(study.plan({ ...SPEC, budget_mw: 3 }), { code: "PLAN.SPEC" });
  await t.rejects(study.plan({ ...SPEC, candidates: [9] }), { code: "BRANCH.UNKNOWN" });
  await t.rejects((await opened(t, "acpf")).plan(SPEC), { code: "FORMULATION.UNAVAILABLE" });
});

/** Reads {module, formulation, spec}; prints the outcome. */
const SCRIPT = `
import json, sys
from wattbook import _engine
job = json.load(sys.stdin)
study = _engine.Study(_engine.Case("0" * 64, job["module"]), job["formulation"], "{}")
plan = _engine.Job.plan(study, json.dumps(job["spec"]))
while not json.loads(plan.step(1))["done"]:
    pass
print(plan.finish()[0])
`;

const skip = !existsSync(python) && "the Python module is not installed";
t.test("the native engine plans the same", { skip }, async (t) => {
  const demand = (["demand_placement", "demand_redistribution"] as const).map((kind) => ({ ...PLACE, kind }));
  for (const [formulation, spec] of (["dcopf", "socwr"] as const).flatMap((one) =>
    [SPEC, ...demand].map((spec) => [one, spec] as const),
  )) {
    const study = await opened(t, formulation);
    const native = new Promise<string>((resolve, reject) => {
      const child = execFile(python, ["-c", SCRIPT], (error, out) => (error ? reject(error) : resolve(out)));
      child.stdin?.end(JSON.stringify({ module, formulation, spec }));
    });
    t.strictSame(await study.plan(spec), JSON.parse(await native), formulation);
  }
});
