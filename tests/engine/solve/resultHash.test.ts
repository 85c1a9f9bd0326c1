// The hash of a commit may follow its answer: it belongs to the committed state, whatever is requested meanwhile.
import t from "tap";
import { createNodeEngine } from "@service/engine/node";
import { fixture } from "../../fixtures/cases.ts";

t.test("the hash follows its commit", async (t) => {
  const engine = createNodeEngine();
  const { module_json } = await engine.ingestCase(await fixture("three_bus.m"), "matpower");
  const study = await engine.createStudy(module_json, "dcopf");
  const later = { hashLater: true };
  const committed = (mw: number, options = {}) => study.commit("three", { "2": mw }, {}, null, options);

  const hashes: string[] = [];
  for (const mw of [5, 9]) {
    const { solution, hashed } = await committed(mw);
    t.match(solution.result_sha256, /^[0-9a-f]{64}$/, "at once unless it may follow");
    t.equal(hashed, undefined);
    hashes.push(solution.result_sha256);
  }
  t.not(hashes[0], hashes[1]);

  await study.reset("three");
  const both = [committed(5, later), committed(9, later)];
  const found: string[] = [];
  for (const one of both) {
    const { solution, hashed } = await one;
    await hashed;
    found.push(solution.result_sha256);
  }
  t.strictSame(found, hashes, "each has the hash of its own state, though both were requested together");

  const [answered] = await Promise.all([committed(5, later), study.commit("three", { "2": 9 })]);
  await answered.hashed;
  t.equal(answered.solution.result_sha256, hashes[0], "another kind of commit waits as well");
  t.equal((await study.currentSolution()).result_sha256, hashes[1]);

  const last = await committed(5, later);
  t.equal(last.solution.result_sha256, "", "not there with the answer");
  await last.hashed;
  t.equal(last.solution.result_sha256, hashes[0]);
  await study.free();
});
