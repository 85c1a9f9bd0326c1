// Limits after outages on the three-bus network with closed-form optima, through the facade on the real wasm.
import t from "tap";
import { createNodeEngine, type Diagnostic, englishMessage, type SolveOptions } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";

const englishOf = ({ sentence }: Diagnostic): string => englishMessage(sentence);
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

t.test("an interface holds the exports of bus 3, and the end of an interval names it", async (t) => {
  const branches = [
    { branch: 2, weight: -1 },
    { branch: 3, weight: -1 },
  ];
  const options: SolveOptions = { limits: { interfaces: [{ name: "Exports", branches, max_mw: 50 }] } };
  const study = await engine.createStudy(module_json, "dcopf", options);
  const { security, prices: found, diagnostics } = await study.currentSolution();
  // Marginal costs at outputs of 40 and 50 MW.
  const prices = [13.8, 13.8, 9.7];
  found?.forEach(({ value }, k) => t.ok(Math.abs(value - (prices[k] ?? NaN)) < 1e-7));
  const [exports] = security?.interfaces ?? [];
  t.match(exports, { name: "Exports", max_mw: 50, excess_mw: 0 });
  t.ok(Math.abs((exports?.shadow_usd_per_mwh ?? NaN) - 4.1) < 1e-7);
  const sentence = "Interface Exports is at its limit of 50.0 MW; its shadow price is 4.10 $/MWh.";
  t.match(diagnostics, [{ code: "INTERFACE.BINDING", message: sentence }]);
  // Without it both units have one marginal cost, at 626.95 $/h.
  const cost =
    "The limits of interfaces cost 21.55 $/h beside the payments for exceeded limits; the objective without them is 626.95 $/h.";
  t.strictSame(diagnostics.map(englishOf), [sentence, cost]);
  const { warrant } = await study.sensitivity("three", {}, {}, { bus: 2 });
  t.match(warrant.ends[0], { event: "line_unbinds", element: { kind: "interface", uid: "Exports" } });
  // Unit 3 at bus 3 gives the 20 MW to unit 1.
  const edits = { interfaces: { Exports: { max_mw: 30 } } };
  const preview = await study.preview({}, {}, edits);
  t.match(preview, { exact: true });
  const { solution } = await study.commit("three", {}, {}, null, edits);
  const edited = [18.2, 18.2, 6.3];
  t.equal(solution.prices?.length, 3);
  solution.prices?.forEach(({ value }, k) => t.ok(Math.abs(value - (edited[k] ?? NaN)) < 1e-7));
  t.match(solution.security?.interfaces, [{ name: "Exports", max_mw: 30 }]);
  await t.rejects(study.commit("three", {}, {}, null, { interfaces: { Imports: { max_mw: 3 } } }), {
    code: "INTERFACE.UNKNOWN",
  });
  await t.rejects(study.commit("three", {}, {}, null, { interfaces: { Exports: { max_mw: NaN } } }), {
    code: "INTERFACE.MALFORMED",
  });
  await study.free();
  const after: SolveOptions = { security: { outages: [1, 2], monitored: [3], emergency: 0.2 } };
  const secured = await engine.createStudy(module_json, "dcopf", after);
  const { warrant: within } = await secured.sensitivity("three", {}, {}, { bus: 2 });
  const element = within.ends[1]?.element;
  t.match(element, { kind: "branch", id: 3, outage: [1] });
  t.equal(
    englishMessage({ key: "event.line_binds", values: element === undefined ? {} : { element: { element } } }),
    "line 3 after the outage of line 1 binds",
  );
  await secured.free();
});
