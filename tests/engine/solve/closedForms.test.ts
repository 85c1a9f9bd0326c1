// The three-bus network with closed-form optima, through the facade on the real wasm.
import t, { type Test } from "tap";
import { createNodeEngine, type BusValue, type SensitivityColumn, type Optimum } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";

const engine = createNodeEngine();
const { module_json } = await engine.ingestCase(await fixture("three_bus.m"), "matpower");

function near(test: Test, found: number, wanted: number, what: string): void {
  test.ok(Math.abs(found - wanted) <= 1e-6, `${what}: ${found}, closed form ${wanted}`);
}

const values = (rows: BusValue[]) => rows.map(({ value }) => value);

function optimum(test: Test, solution: Optimum, prices: number[], dispatch: number[], objective: number): void {
  test.equal(solution.status, "optimal");
  near(test, solution.objective, objective, "objective");
  solution.prices.forEach(({ value, bus }, k) => near(test, value, prices[k] ?? NaN, `price at bus ${bus}`));
  solution.dispatch.forEach(({ mw, gen }, k) => near(test, mw, dispatch[k] ?? NaN, `generator ${gen}`));
  test.strictSame(
    solution.lmp.map(({ usd_per_mwh }) => usd_per_mwh),
    values(solution.prices),
    "lmp repeats prices",
  );
  test.ok(solution.certificate.relative_gap <= 1e-6);
  test.ok((solution.solve_ms ?? -1) >= 0);
}

function column(test: Test, found: SensitivityColumn | null, wanted: number[]): void {
  test.ok(found);
  values(found?.values ?? []).forEach((value, k) => near(test, value, wanted[k] ?? NaN, `column at bus ${k + 1}`));
}

t.test("uncongested", async (t) => {
  const study = await engine.createStudy(module_json, "dcopf");
  const price = 11.487179487179487;
  optimum(
    t,
    await study.currentSolution(),
    [price, price, price],
    [29.487179487179485, 60.51282051282051],
    626.948717948718,
  );
  for (const bus of [1, 2, 3]) {
    column(
      t,
      await study.sensitivity("three", {}, {}, { bus }),
      [0.0958974358974359, 0.0958974358974359, 0.0958974358974359],
    );
  }
  await study.free();
});

t.test("line 2-3 at 40 MW", async (t) => {
  const study = await engine.createStudy(module_json, "dcopf");
  const { solution, sensitivity } = await study.commit("three", {}, { "2": -210 }, { branch: 2 });
  optimum(t, solution, [18.2, 30.1, 6.3], [60, 30], 808.5);
  near(t, solution.flows[1]?.shadow ?? NaN, 35.7, "shadow price");
  near(t, solution.flows[1]?.loading ?? NaN, 1, "loading");
  near(t, Math.abs(solution.flows[1]?.mw ?? NaN), 40, "flow");
  column(t, sensitivity, [-0.66, -1.83, 0.51]);
  column(t, await study.sensitivity("three", {}, { "2": -210 }, { bus: 2 }), [0.44, 1.05, -0.17]);
  await study.free();
});

t.test("line 1-2 at 36 MW", async (t) => {
  const study = await engine.createStudy(module_json, "dcopf");
  const { solution, sensitivity } = await study.commit("three", {}, { "1": -214 }, { branch: 1 });
  optimum(t, solution, [8.96, 17.92, 13.44], [18, 72], 652.68);
  near(t, solution.flows[0]?.shadow ?? NaN, 13.44, "shadow price");
  column(t, sensitivity, [0.66, -1.68, -0.51]);
  await study.free();
});

t.test("stateless solve", async (t) => {
  const response = await engine.solveModule(module_json, { edits: { rates: { "2": -210 } } });
  near(t, response.objective ?? NaN, 808.5, "objective");
  near(t, response.prices?.[1]?.value ?? NaN, 30.1, "price at bus 2");
});
