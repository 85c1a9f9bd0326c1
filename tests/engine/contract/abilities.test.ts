// Studies of a formulation have the abilities that the contract lists, and refuse all others with their code.
import t from "tap";
import { ABILITIES, type Ability, createNodeEngine, FORMULATION_IDS, type StudyHandle } from "@service/engine/node";
import type { Solution } from "@service/engine";
import { fixture } from "../../fixtures/cases.ts";

const engine = createNodeEngine();
const { module_json } = await engine.ingestCase(await fixture("three_bus.m"), "matpower");
const LACKS = "FORMULATION.UNAVAILABLE";

/** One call for each ability; progress has no call of its own. */
const CALLS: Record<Exclude<Ability, "progress">, (study: StudyHandle<Solution>) => Promise<unknown>> = {
  edits: (study) => study.commit("three", { 2: 1 }, { 2: -10 }),
  sensitivities: (study) => study.sensitivity("three", {}, {}, { bus: 2 }),
  paths: (study) => study.track({ bus: 2 }, -1, 1),
  outages: (study) => study.contingencies(),
  explanations: (study) => study.explain({ 2: 5000 }),
  lmp_components: (study) => study.lmpComponents(2),
  loadability: (study) => study.loadability({ bus: 2 }),
  plans: (study) =>
    study.plan({
      objective: { kind: "weighted_lmp", weights: [{ bus: 2, weight: 1 }] },
      candidates: [1, 2, 3],
      max_increase_per_branch_mw: 10,
      budget_mw: 10,
      increment_mw: 5,
      max_changed_lines: 2,
      exact_solve_budget: 3,
    }),
};

for (const formulation of FORMULATION_IDS) {
  const abilities = ABILITIES[formulation];
  await t.test(`${formulation}: ${abilities.join(", ") || "no Studies"}`, async (t) => {
    if (abilities.length === 0) {
      await t.rejects(engine.createStudy(module_json, formulation), { code: LACKS });
      return;
    }
    const study = await engine.createStudy<typeof formulation>(module_json, formulation);
    t.equal((await study.currentSolution()).formulation, formulation);
    for (const [ability, call] of Object.entries(CALLS) as [keyof typeof CALLS, (typeof CALLS)[keyof typeof CALLS]][]) {
      if (abilities.includes(ability)) {
        await t.resolves(call(study), ability);
      } else {
        await t.rejects(call(study), { code: LACKS }, `no ${ability}`);
      }
    }
    const iterations: number[] = [];
    await study.commit("three", { 2: 2 }, {}, null, { onProgress: ({ iteration }) => iterations.push(iteration) });
    t.equal(iterations.length > 0, abilities.includes("progress"), "progress");
    await study.free();
  });
}
