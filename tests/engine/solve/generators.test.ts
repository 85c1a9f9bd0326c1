// Limits, cost and status of generators as edits: closed forms of the three-bus network, rebuilding a worker's Study,
// refusals.
import t from "tap";
import type { GeneratorEdits } from "@service/engine";
import { createNodeEngine } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";

const engine = createNodeEngine();
const { module_json } = await engine.ingestCase(new Uint8Array(await fixture("three_bus.m")), "matpower");

/** Unit 1 costs 0.11 p^2 + 5 p at bus 1, unit 2 costs 0.085 p^2 + 1.2 p at bus 3; 90 MW of demand, no line binds. */
const PRICES: [GeneratorEdits, number][] = [
  [{ 2: { p_max: 50 } }, 0.22 * 40 + 5],
  [{ 1: { p_min: 60 } }, 0.17 * 30 + 1.2],
  [{ 1: { cost: 10 } }, 10],
  [{ 2: { status: false } }, 0.22 * 90 + 5],
];

t.test("each edit has its closed-form prices, and the base case is restored", async (t) => {
  const study = await engine.createStudy(module_json, "dcopf");
  const base = (await study.currentSolution()).result_sha256;
  for (const [generators, price] of PRICES) {
    const { solution } = await study.commit("three", {}, {}, null, { generators });
    for (const { value } of solution.prices ?? []) {
      t.ok(Math.abs((value ?? NaN) - price) < 1e-6, `${JSON.stringify(generators)}: ${value}`);
    }
  }
  t.equal((await study.commit("three", {})).solution.result_sha256, base);
  await study.free();
});

t.test("a stateless solve and a saved module have the edits", async (t) => {
  const generators = { 2: { p_max: 50, status: true } };
  const solved = await engine.solveModule(module_json, { edits: { generators } });
  const study = await engine.createStudy(module_json, "dcopf");
  const committed = await study.commit("three", {}, {}, null, { generators });
  t.equal(solved.result_sha256, committed.solution.result_sha256);
  const saved = await engine.materializeModule(module_json, {}, {}, { generators });
  const written = await engine.createStudy(saved, "dcopf");
  t.equal((await written.currentSolution()).result_sha256, solved.result_sha256);
  await Promise.all([study.free(), written.free()]);
});

t.test("impossible edits are refused by name, and the state stays", async (t) => {
  const study = await engine.createStudy(module_json, "dcopf");
  const before = (await study.currentSolution()).result_sha256;
  const refused: [GeneratorEdits, string][] = [
    [{ 9: { p_max: 5 } }, "GENERATOR.UNKNOWN"],
    [{ 1: { p_max: 5 } }, "GENERATOR.LIMITS"],
    [{ 1: { p_max: 1e12 } }, "GENERATOR.MALFORMED"],
    [{ 1: { cost: NaN } }, "GENERATOR.MALFORMED"],
  ];
  for (const [generators, code] of refused) {
    await t.rejects(study.commit("three", {}, {}, null, { generators }), { code });
  }
  await t.rejects(study.preview({}, {}, { generators: { 2: { status: false } } }), { code: "GENERATOR.NO_PREVIEW" });
  t.equal((await study.currentSolution()).result_sha256, before);
  await study.free();
});
