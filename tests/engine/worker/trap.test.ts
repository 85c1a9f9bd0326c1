// A trap inside wasm is reported as INTERNAL, the instance is replaced, and Studies return in their committed state.
import t from "tap";
import { createNodeEngine } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";
import { trapping } from "./trapping.ts";

t.test("the engine survives a trap", async (t) => {
  const { made, traps, instantiate } = trapping();
  const engine = createNodeEngine({ instantiate });
  const { module_json } = await engine.ingestCase(await fixture("three_bus.m"), "matpower");
  const edited = await engine.createStudy(module_json, "dcopf");
  const plain = await engine.createStudy(module_json, "dcopf", { dc_convention: "matpower" });
  const before = await edited.commit("three", { "2": 10 }, { "2": -210 });
  const base = await plain.currentSolution();

  await t.rejects(engine.capabilities(), { name: "EngineError", code: "INTERNAL", message: /report the file/ });
  t.ok(traps[0] instanceof WebAssembly.RuntimeError, "a real trap");
  t.equal(made.length, 1);

  const [after, again] = await Promise.all([edited.currentSolution(), edited.columns()]);
  t.equal(made.length, 2, "one new instance");
  t.equal(after.result_sha256, before.solution.result_sha256, "the committed state is back");
  t.ok(again.lmp.length === 3);
  t.equal((await plain.currentSolution()).result_sha256, base.result_sha256);
  t.equal((await plain.currentSolution()).dc_convention, "matpower", "options are preserved");
  const { solution } = await edited.reset("three");
  t.ok(Math.abs(solution.objective - 626.948717948718) < 1e-6);
});

t.test("a freed Study is not rebuilt", async (t) => {
  const { instantiate } = trapping();
  const engine = createNodeEngine({ instantiate });
  const { module_json } = await engine.ingestCase(await fixture("three_bus.m"), "matpower");
  const study = await engine.createStudy(module_json, "dcopf");
  await t.rejects(engine.capabilities(), { code: "INTERNAL" });
  await study.free();
  await t.rejects(study.currentSolution(), { code: "STUDY.FREED" });
});

t.test("an instance that cannot be created is reported, and created at the next call", async (t) => {
  let attempts = 0;
  const { instantiate } = trapping();
  const engine = createNodeEngine({
    instantiate: (module) => (++attempts === 1 ? Promise.reject(new Error("no memory")) : instantiate(module)),
  });
  await t.rejects(engine.preloadEngine(), { code: "INTERNAL", message: /could not be loaded/ });
  await engine.preloadEngine();
  t.equal(attempts, 2);
});
