// Explanations, price components and price intervals through the facade on the real wasm.
import { readFile } from "node:fs/promises";
import t, { type Test } from "tap";
import { createNodeEngine, type StudyHandle } from "@service/engine/node";
import { DATA, fixture } from "../../fixtures/cases.ts";
import { trapping } from "../worker/trapping.ts";

const engine = createNodeEngine();
const source = new TextDecoder().decode(await fixture("three_bus.m"));
const { module_json } = await engine.ingestCase(new TextEncoder().encode(source), "matpower");
/** Line 2-3 at 40 MW. */
const RATED = { "2": -210 };

async function opened(t: Test): Promise<StudyHandle> {
  const study = await engine.createStudy(module_json, "dcopf");
  t.teardown(() => study.free());
  return study;
}

const near = (t: Test, found: number | undefined, wanted: number, what: string, tolerance = 1e-7) =>
  t.ok(Math.abs((found ?? NaN) - wanted) <= tolerance, `${what}: ${found}, wanted ${wanted}`);

t.test("a failed commit reports its proof, its explanation the minimum relaxation", async (t) => {
  const study = await opened(t);
  const before = await study.currentSolution();
  // The flow 3-2 is (p3 + d2) / 3 with p3 at least 10 MW: 80 MW on a line of 40.
  await t.rejects(study.commit("three", { "2": 140 }, RATED), {
    code: "SOLVE.INFEASIBLE",
    message: "No solution: the limit of line 2 cannot be met; at least 40.0 MW short.",
    details: { kind: "lines", shortfall_mw: Number, explanation: undefined },
  });
  const why = await study.explain({ "2": 140 }, RATED);
  t.match(why, {
    kind: "lines",
    message:
      "No solution: the limit of line 2 cannot be met with generator 2 at its minimum output. Minimum relaxation: raise the rating of line 2 by 40.0 MW. " +
      "With everything else unchanged, demand at bus 2 can be at most 110.0 MW.",
    elements: [
      { element: { kind: "branch", id: 2, buses: [2, 3] }, limit: "rating" },
      { element: { kind: "generator", id: 2, buses: [3] }, limit: "minimum" },
    ],
    relaxation: [{ element: { kind: "branch", id: 2 }, limit: "rating" }],
  });
  t.equal(why?.is_least, true);
  near(t, why?.relaxation_total_mw, 40, "minimum relaxation");
  near(t, why?.verified.bound_mw, 40, "proved bound", 1e-4);
  near(t, why?.elements[1]?.weight, 1 / 3, "weight of the generator");
  await t.rejects(study.commit("three", { "2": 140 }, { "2": -210 + 39.96 }), { code: "SOLVE.INFEASIBLE" });
  t.equal((await study.currentSolution()).result_sha256, before.result_sha256, "the state stays");
  await study.commit("three", { "2": 140 }, { "2": -210 + 40.001 });
  t.equal(await study.explain({ "2": 140 }, { "2": -169.999 }), null);
  await t.rejects(study.explain({ "9": 1 }), { code: "DELTA.UNKNOWN_BUS" });
  await t.rejects(study.explain({ "2": NaN }), { code: "DELTA.MALFORMED" });
});

t.test("a module without a solution is explained", async (t) => {
  const file = source.replace(/^(\s*2\s+\d\s+)90\b/m, "$1600");
  t.not(file, source);
  const short = await engine.ingestCase(new TextEncoder().encode(file), "matpower");
  await t.rejects(engine.createStudy(short.module_json, "dcopf"), { code: "SOLVE.INFEASIBLE" });
  const why = await engine.explainModule(short.module_json);
  // The generators supply 520 of 600 MW.
  t.match(why, { kind: "balance", reason: "the demand exceeds the generators' capacity by 80.0 MW" });
  t.equal(await engine.explainModule(module_json), null);
  const edited = await engine.explainModule(module_json, { edits: { deltas: { "2": 140 }, rates: RATED } });
  near(t, edited?.relaxation_total_mw, 40, "with the edits of a request");
  await t.rejects(engine.explainModule(module_json, { formulation: "dcpf" }), { code: "FORMULATION.UNAVAILABLE" });
});

t.test("New England has no solution as published", { skip: DATA === undefined && "no public cases" }, async (t) => {
  const file = await readFile(`${DATA}/new_england250/BaseCase.m`);
  const read = await engine.ingestCase(file, "matpower");
  const why = await engine.explainModule(read.module_json);
  t.equal(why?.kind, "balance");
  // Minimum output of its generators less its demand, as sums over the file.
  const { buses, generators } = read.topology;
  const least = generators.reduce((sum, { p_min_mw, status }) => sum + (status === 1 ? (p_min_mw ?? NaN) : 0), 0);
  const demand = buses.reduce((sum, { demand_mw }) => sum + demand_mw, 0);
  near(t, why?.relaxation_total_mw, least - demand, "what must run beyond the demand", 1e-4);
});

t.test("a track has, on request, the relaxation that reaches its end", async (t) => {
  const study = await opened(t);
  await study.commit("three", {}, RATED);
  const { stopped } = await study.track({ bus: 2 }, 0, 80, { explain: true });
  t.equal(
    stopped?.message,
    "No solution above 110.0 MW at bus 2: the limit of line 2 cannot be met with generator 2 at its minimum output. " +
      "Minimum relaxation to reach 170.0 MW: raise the rating of line 2 by 20.0 MW.",
  );
  near(t, stopped?.explanation?.relaxation_total_mw, 20, "its relaxation");
  const quick = await study.track({ bus: 2 }, 0, 80);
  t.equal(quick.stopped?.message, "No solution above 110.0 MW at bus 2: the limit of line 2 cannot be met.");
  t.equal(quick.stopped?.explanation, undefined);
});

t.test("parts of a price", async (t) => {
  const study = await opened(t);
  await study.commit("three", {}, RATED);
  for (const [bus, price, factor] of [
    [1, 18.2, 1 / 3],
    [2, 30.1, 0],
    [3, 6.3, 2 / 3],
  ] as const) {
    const parts = await study.lmpComponents(bus);
    t.match(parts, { bus, reference: "demand", congestion: [{ branch: 2 }] });
    near(t, parts.price, price, `price at bus ${bus}`);
    near(t, parts.energy, 30.1, "its energy");
    near(t, parts.congestion[0]?.shift_factor, factor, "its shift factor");
    near(t, parts.congestion[0]?.value, -35.7 * factor, "its congestion");
    const sum = parts.congestion.reduce((total, { value }) => total + value, parts.energy);
    near(t, sum, parts.price, "their sum", 1e-9);
  }
  await study.reset("three");
  t.strictSame((await study.lmpComponents("1")).congestion, []);
  await t.rejects(study.lmpComponents(77), { code: "BUS.UNKNOWN" });
  await t.rejects(study.lmpComponents({} as unknown as number), { code: "INPUT.REQUEST" });
});

t.test("a price that is not unique has its interval", async (t) => {
  // Two units of constant costs 5 and 7 $/MWh at one bus; the cheaper one is full at 50 MW.
  const file = source
    .replace(/^(\s*1\s+.*?\s)250(\s+10\b.*)$/m, "$150$2")
    .replace(/2\s+0\s+0\s+3\s+0\.11\s+5\s+0/, "2 0 0 3 0 5 0")
    .replace(/2\s+0\s+0\s+3\s+0\.085\s+1\.2\s+0/, "2 0 0 3 0 7 0");
  const steps = await engine.ingestCase(new TextEncoder().encode(file), "matpower");
  const study = await engine.createStudy(steps.module_json, "dcopf");
  t.teardown(() => study.free());
  const interval = async (mw: number) =>
    (await study.sensitivity("steps", { "2": mw }, {}, { bus: 2 })).warrant.price_interval;
  // Unit 2 stays at its minimum of 10 MW up to 60 MW of demand.
  const [low, high] = (await interval(-30)) ?? [];
  near(t, low ?? NaN, 5, "for a decrease");
  near(t, high ?? NaN, 7, "for an increase");
  t.equal(await interval(-30.5), undefined);
  t.equal(await interval(-29.5), undefined);
  const highest = (await interval(230)) ?? [];
  near(t, highest[0] ?? NaN, 7, "at the whole capacity");
  t.equal(highest[1], null, "nothing beyond");
});

t.test("explanations and parts survive a trap", async (t) => {
  const { instantiate } = trapping();
  const engine = createNodeEngine({ instantiate });
  const study = await engine.createStudy(module_json, "dcopf");
  await study.commit("three", {}, RATED);
  const parts = await study.lmpComponents(3);
  await t.rejects(engine.capabilities(), { code: "INTERNAL" });
  t.strictSame(await study.lmpComponents(3), parts, "the study is built again in its state");
  await t.rejects(engine.capabilities(), { code: "INTERNAL" });
  t.equal((await study.explain({ "2": 140 }, RATED))?.kind, "lines");
});
