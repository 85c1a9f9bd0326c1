// Limits after outages on the three-bus network with closed-form optima, through the facade on the real wasm.
import t from "tap";
import { createNodeEngine, type SolveOptions } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";

const engine = createNodeEngine();
const { module_json } = await engine.ingestCase(await fixture("three_bus.m"), "matpower");

t.test("line 3 carries at most 50 MW after the outage of line 2", async (t) => {
  const options: SolveOptions = {
    security: { outages: [2], monitored: [3], emergency: 0.2 },
  };
  const study = await engine.createStudy(module_json, "dcopf", options);
  const solution = await study.currentSolution();
  t.ok(Math.abs((solution.objective ?? NaN) - 648.5) < 1e-6, `${solution.objective}`);
  const prices = [13.8, 13.8, 9.7];
  solution.prices?.forEach(({ value }, k) => t.ok(Math.abs(value - (prices[k] ?? NaN)) < 1e-7));
  const [limit] = solution.security?.binding ?? [];
  t.match(limit, { branch: 3, outage: [2] });
  t.ok(Math.abs((limit?.shadow_usd_per_mwh ?? NaN) - 4.1) < 1e-7);
  t.match(
    solution.diagnostics.map(({ code }) => code),
    ["SECURITY.RULE", "SECURITY.BINDING"],
  );
  const components = await study.lmpComponents(1);
  t.strictSame(
    components.congestion.map(({ branch, outage }) => [branch, outage]),
    [[3, [2]]],
  );
  await study.free();
});
