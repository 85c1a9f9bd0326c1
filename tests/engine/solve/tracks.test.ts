// Tracks, screenings and saved solutions through the facade.
import t, { type Test } from "tap";
import { createNodeEngine, EngineError, type StudyHandle } from "@service/engine/node";
import { DATA, fixture } from "../../fixtures/cases.ts";
import { readFile } from "node:fs/promises";
import { trapping } from "../worker/trapping.ts";

const engine = createNodeEngine();
const three = await engine.ingestCase(await fixture("three_bus.m"), "matpower");

async function opened(t: Test, module = three.module_json): Promise<StudyHandle> {
  const study = await engine.createStudy(module, "dcopf");
  t.teardown(() => study.free());
  return study;
}

const near = (t: Test, found: number | undefined, wanted: number, what: string, tolerance = 1e-9) =>
  t.ok(
    Math.abs((found ?? NaN) - wanted) <= tolerance * Math.max(1, Math.abs(wanted)),
    `${what}: ${found}, wanted ${wanted}`,
  );

t.test("every position of a track equals a commit", async (t) => {
  const study = await opened(t);
  await study.commit("three", { "2": 5, "3": 2 }, { "2": -210 });
  const track = await study.track({ bus: 2 }, -60, 120);
  t.ok(track.segments.length > 1 && track.breakpoints.length === track.segments.length - 1);
  t.equal(track.watched_bus, 2);
  const other = await opened(t);
  for (const segment of track.segments) {
    const mw = segment.from_mw + 0.3 * (segment.to_mw - segment.from_mw);
    const prices = await study.trackPrices(mw);
    t.ok(prices instanceof Float64Array);
    const { solution } = await other.commit("three", { "2": mw, "3": 2 }, { "2": -210 });
    solution.prices.forEach(({ value }, row) => near(t, prices[row], value, `price ${row} at ${mw} MW`));
    near(t, segment.price + segment.slope * (mw - segment.from_mw), solution.prices[1]?.value ?? NaN, "its line");
    const state = await study.trackState(mw);
    t.equal(state.exact, true);
    t.notOk(Object.keys(state).includes("columns"), "they lie beside what is JSON");
    const columns = await other.columns();
    for (const [name, values] of Object.entries(state.columns)) {
      const wanted = columns[name as keyof typeof columns] ?? new Float64Array();
      t.equal(values.length, wanted.length, name);
      values.forEach((value, at) => near(t, value, wanted[at] ?? NaN, `${name} ${at} at ${mw} MW`));
    }
    t.strictSame(
      Object.keys(state.columns),
      "lmp va_rad demand_mw flow_mw loading shadow rating_mw dispatch_mw limit_shadow".split(" "),
    );
    near(t, state.objective, solution.objective, "cost");
    const binds = solution.flows.filter(({ shadow = 0 }) => shadow > 1e-7);
    t.strictSame(
      state.binding.map(({ branch }) => branch),
      binds.map(({ branch }) => branch),
      "what binds there",
    );
    binds.forEach(({ shadow }, k) => near(t, state.binding[k]?.shadow, shadow ?? NaN, "its price", 1e-7));
  }
  const before = await study.currentSolution();
  t.equal(
    (await study.commit("three", { "2": 5, "3": 2 }, { "2": -210 })).solution.result_sha256,
    before.result_sha256,
  );
  await t.rejects(study.trackPrices(0), { code: "TRACK.NONE" }, "a commit drops the track");
});

t.test("the end of feasibility ends a track with its reason", async (t) => {
  const study = await opened(t);
  const track = await study.track({ bus: "2" }, 0, 1e4);
  t.match(track.stopped, { reason: "infeasible", message: /^No solution above [\d.]+ MW at bus 2: / });
  const limit = track.stopped?.mw ?? NaN;
  t.ok(limit > 0 && limit < 1e4);
  await t.rejects(study.trackPrices(limit + 1), { code: "TRACK.OUTSIDE" });
  await t.rejects(study.commit("three", { "2": limit + 0.1 }), { code: "SOLVE.INFEASIBLE" });
  await study.commit("three", { "2": limit - 0.1 });
});

t.test("a track of a generator limit has positions in MW of the limit", async (t) => {
  const study = await opened(t);
  await study.commit("three", {}, { "2": -210 });
  // Line 2 binds until unit 2 is limited to 30 of 90 MW; its minimum is 10 MW.
  const track = await study.track({ generator: 2, value: "p_max" }, 100, 0);
  t.match(track, { target: { kind: "generator", id: 2 }, value: "p_max", watched_bus: 3 });
  near(t, track.breakpoints[0]?.mw, 30, "the breakpoint", 1e-7);
  t.equal(track.breakpoints[0]?.event, "generator_reaches_max");
  t.match(track.stopped, { reason: "edit_limit", mw: 10 });
  const state = await study.trackState(20);
  near(t, state.columns.dispatch_mw?.[1], 20, "the unit is at its limit");
  near(t, state.columns.limit_shadow?.[1], 0.22 * 70 + 5 - (0.17 * 20 + 1.2), "the shadow price of it");
  await t.rejects(study.track({ generator: 2, value: "cost" }, 0, 1), { code: "INPUT.REQUEST" });
  await t.rejects(study.track({ generator: 9 }, 0, 1), { code: "GENERATOR.UNKNOWN" });
});

t.test("an invalid track is refused before the engine is called", async (t) => {
  const study = await opened(t);
  for (const mw of [NaN, Infinity, "5" as unknown as number]) {
    await t.rejects(study.track({ bus: 2 }, 0, mw), { code: "INPUT.REQUEST" });
    await t.rejects(study.trackPrices(mw), { code: "INPUT.REQUEST" });
  }
  await t.rejects(study.track({ bus: 99 }, 0, 1), { code: "BUS.UNKNOWN" });
  await t.rejects(study.track({ branch: 2 }, 0, 1, { watch: {} as unknown as string }), { code: "INPUT.REQUEST" });
  t.equal((await study.track({ branch: 2 }, 0, -100, { watch: 3 })).watched_bus, 3);
  const abort = new AbortController();
  abort.abort();
  await t.rejects(study.track({ bus: 2 }, 0, 1, { signal: abort.signal }), { code: "ABORTED" });
  await t.rejects(study.trackState(0), { code: "TRACK.NONE" }, "nobody knows which track the engine keeps");
  await study.track({ bus: 2 }, 0, 1);
  await study.trackState(0.5);
});

t.test("a track and a screening survive a trap", async (t) => {
  const { instantiate } = trapping();
  const engine = createNodeEngine({ instantiate });
  const study = await engine.createStudy(three.module_json, "dcopf");
  await study.commit("three", { "2": 5 });
  await study.track({ bus: 2 }, 0, 20);
  const prices = await study.trackPrices(12);
  const rows = await study.contingencies();
  await t.rejects(engine.capabilities(), { code: "INTERNAL" });
  t.strictSame(await study.trackPrices(12), prices, "the study is built again with its track");
  await t.rejects(engine.capabilities(), { code: "INTERNAL" });
  t.strictSame(await study.contingencies(), rows);
});

const large = { skip: DATA === undefined && "no public cases" };
t.test("a screening reports progress, lets other calls run and can be cancelled", large, async (t) => {
  const file = await readFile(`${DATA}/pglib/pglib_opf_case500_goc.m`);
  const { module_json } = await engine.ingestCase(file, "matpower");
  const study = await opened(t, module_json);
  const fractions: number[] = [];
  let turns = 0;
  const clock = setInterval(() => (turns += 1), 1);
  const rows = await study.contingencies({ onProgress: (fraction) => fractions.push(fraction) });
  clearInterval(clock);
  t.equal(
    rows.length,
    (await engine.inspectModule(module_json)).topology.branches.filter(({ status }) => status === 1).length,
  );
  fractions.slice(1).forEach((fraction, k) => t.ok(fraction > (fractions[k] ?? NaN)));
  t.equal(fractions.at(-1), 1);
  t.ok(turns > 0, `${turns} turns`);
  const abort = new AbortController();
  const cancelled = study.contingencies({ onProgress: () => abort.abort(), signal: abort.signal });
  await t.rejects(cancelled, { code: "ABORTED" });
  // Two parallel screenings, one of them across a commit, use their own states.
  const [before] = await Promise.all([study.contingencies(), study.commit("goc", {}, { "1": 0.5 })]);
  t.strictSame(before, rows);
});

t.test("outages of the three-bus case", async (t) => {
  const study = await opened(t);
  await study.commit("three", {}, { "2": -210 });
  const rows = await study.contingencies();
  t.strictSame(
    rows.map(({ branch, kind }) => [branch, kind]),
    [
      [1, "loading"],
      [2, "loading"],
      [3, "loading"],
    ],
  );
  const worst = rows.map(({ worst_mw, worst_loading }) => [worst_mw, worst_loading]);
  t.ok(worst.flat().every((value) => typeof value === "number" && Number.isFinite(value)));
});

t.test("a saved solution is restored bit for bit without a solve", async (t) => {
  const files: [Uint8Array, string][] = [[await fixture("three_bus.m"), "2"]];
  if (DATA !== undefined) files.push([await readFile(`${DATA}/pglib/pglib_opf_case118_ieee.m`), "59"]);
  for (const [bytes, bus] of files) {
    const case_ = await engine.ingestCase(bytes, "matpower");
    const study = await opened(t, case_.module_json);
    const { solution } = await study.commit("mine", { [bus]: 3.25 }, { "1": 1.5 });
    const text = await study.saveSolutionModule();
    const saved = await engine.readSolutionModule(text);
    const { solve_ms, ...numbers } = solution;
    t.ok((solve_ms ?? NaN) >= 0);
    t.strictSame(saved.solution, numbers);
    t.strictSame([saved.case_sha256, saved.deltas, saved.rates], [case_.sha256, { [bus]: 3.25 }, { "1": 1.5 }]);
    t.equal(saved.module_json, await study.saveModule());
    const tampered = text.replace(/"objective": [\d.]+/, '"objective": 1.5');
    t.not(tampered, text);
    await t.rejects(engine.readSolutionModule(tampered), { code: "MODULE.TAMPERED" });
  }
  await t.rejects(engine.readSolutionModule(three.module_json), { code: "MODULE.KIND" });
  const bytes = new Uint8Array() as unknown as string;
  await t.rejects(engine.readSolutionModule(bytes), EngineError);
});

t.test("columns have the state past their ends", async (t) => {
  const study = await opened(t);
  const { warrant, left, right } = await study.sensitivity("three", {}, { "2": -210 }, { bus: 2 });
  t.equal(warrant.kind, "regular");
  t.same([left, right], [undefined, undefined]);
  const [low, high] = warrant.ends;
  t.ok(low !== null && high !== null);
  for (const end of [low, high]) t.ok(end?.no_solution_beyond || end?.price_jump === null || end?.watched_bus === 2);
});
