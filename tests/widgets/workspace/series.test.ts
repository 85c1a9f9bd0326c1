// Series in a session: solved, shown step by step in place of the live state, edits refused meanwhile, figures in
// closed form.
import t from "tap";
import {
  bindingLines,
  type CaseSession,
  congestionRents,
  meanPrices,
  priceDuration,
  type Profile,
  seriesCsv,
  type SessionChange,
  type SolvedSeries,
  stepSentence,
  stepTicks,
  stepTime,
} from "@service/widgets/workspace";
import { eventually } from "../../eventually.ts";
import { LINE_2_AT_40, openThreeBus, PRICES_AT_40, shownPrices, toldActivity } from "../session.ts";

/** Demand of bus 2 of 90, 30 and 5,000 MW; the last has no solution. */
const PROFILE: Profile = {
  name: "three steps",
  steps: ["2026-07-08T09:00", "2026-07-08T10:00", "2026-07-08T11:00"],
  buses: [2],
  branches: [],
  changesMw: Float64Array.of(0, -60, 4910),
};

async function solved(session: CaseSession, profile = PROFILE): Promise<SolvedSeries> {
  await session.seriesRun.run(profile);
  const { series } = session.seriesRun;
  if (series === null) {
    throw new Error(JSON.stringify(session.seriesRun.state));
  }
  return series;
}

t.test("steps are exact states at the live edits with the profile in place of their demand", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const sha256 = session.state.solution.result_sha256;
  const series = await solved(session);
  t.equal(series.length, 3);
  t.equal(series.steps[0]?.result_sha256, sha256);
  const [high] = [series.values("lmp", 0)];
  PRICES_AT_40.forEach((price, row) => t.ok(Math.abs((high?.[row] ?? NaN) - price) < 1e-9));
  t.strictSame(series.edits(1), { deltas: { 2: -60 }, rates: LINE_2_AT_40.rates });
  t.equal(series.table(1).at("demand_mw", 1), 30);
  t.ok(Math.abs(series.table(1).at("rating_mw", 1) - 40) < 1e-9);
  t.match(series.failures, [{ step: 2, error: { code: "SOLVE.INFEASIBLE" } }]);
  t.ok(session.seriesRun.isOf(session.live.edits));
  t.equal(session.live.solution.result_sha256, sha256, "the live state is what it was");
});

t.test("rent, duration curve and mean have their closed forms", async (t) => {
  const { session, opened } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const series = await solved(session);
  // At 90 MW line 2 carries its 40 MW. The flow on line 2 is x2 = 40; the difference between the payments of demand and
  // the revenue of units is the rent.
  const paid = 90 * (PRICES_AT_40[1] ?? NaN);
  const dispatch = series.values("dispatch_mw", 0) ?? new Float64Array();
  const earned = (dispatch[0] ?? NaN) * (PRICES_AT_40[0] ?? NaN) + (dispatch[1] ?? NaN) * (PRICES_AT_40[2] ?? NaN);
  const [first, second, third] = congestionRents(series);
  t.ok(Math.abs((first ?? NaN) - (paid - earned)) < 1e-6);
  t.equal(second, 0, "nothing binds at 30 MW");
  t.ok(Number.isNaN(third));
  t.match(bindingLines(series), [{ row: 1, steps: 1, share: 0.5, rent: first }]);
  t.strictSame(priceDuration(Float64Array.of(5, NaN, 7, 6)), [
    { share: 1 / 3, price: 7 },
    { share: 2 / 3, price: 6 },
    { share: 1, price: 5 },
  ]);
  t.ok(Math.abs((meanPrices(series, opened)[0] ?? NaN) - 30.1) < 1e-9, "all demand is at bus 2");
  t.ok(Number.isNaN(meanPrices(series, opened)[2]));
  const lines = seriesCsv(series, "lmp", [1, 2, 3]).split("\r\n");
  t.equal(lines[0], "step,1,2,3");
  t.equal(lines[3], "2026-07-08T11:00,,,");
  t.equal(Number(lines[1]?.split(",")[2]), series.values("lmp", 0)?.[1]);
});

t.test("a step replaces the live state on the map at once, in other views when it stays", async (t) => {
  const { session } = await openThreeBus();
  const live = session.state;
  const series = await solved(session);
  const changes: SessionChange[] = [];
  session.changed.connect((_, change) => changes.push(change));
  session.series.show(series, 0);
  t.notOk(session.showsLive);
  t.strictSame(changes, ["state"], "all views are notified of the first step");
  session.series.show(series, 1);
  t.strictSame(changes, ["state", "step"], "pictures first");
  t.strictSame([...shownPrices(session)], [...(series.values("lmp", 1) ?? [])]);
  t.strictSame([session.state.edits.deltas, session.state.revision], [{ 2: -60 }, live.revision]);
  t.equal(stepSentence(series, 1), "Step 2 of 3, Wed 10:00, exact");
  await eventually.strictSame(t, async () => changes, ["state", "step", "state"]);
  t.notOk(session.capabilities.has("edits"));
  await t.rejects(session.commit(LINE_2_AT_40, 0), { code: "STUDY.INSPECTING", message: /step of the series/ });
  session.series.move(-5);
  t.equal(session.series.shown?.step, 0, "not before the first");
  session.inspection.end();
  t.ok(session.showsLive && session.series.shown === null);
  t.equal(session.state, live);
  t.ok(session.capabilities.has("edits"));
  await session.commit(LINE_2_AT_40, 0);
  t.notOk(session.seriesRun.isOf(session.live.edits), "it belongs to the state before");
});

t.test("the log lists actions, not displayed steps", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const series = await solved(session);
  const labels = () => toldActivity(session).map(({ label }) => label);
  const before = labels();
  for (const step of [0, 1, 2]) {
    const settled = new Promise<void>((resolve) => {
      const heard = (_: CaseSession, change: SessionChange): void => {
        if (change === "state") {
          session.changed.disconnect(heard);
          resolve();
        }
      };
      session.changed.connect(heard);
    });
    session.series.show(series, step);
    await settled;
  }
  t.equal(session.status.kind, "failed", "the last step has no solution");
  session.inspection.end();
  t.strictSame(labels(), before);
  await session.inspection.show(0);
  session.series.show(series, 0);
  session.inspection.end();
  t.strictSame(labels().slice(before.length), ["State inspected: 0: Base case", "Live state shown"]);
});

t.test("a saved state that is solved again is not shown over a step that was requested since", async (t) => {
  const { session } = await openThreeBus();
  for (let mw = 1; mw <= 12; mw += 1) {
    await session.commitElement({ kind: "bus", id: 2 }, mw);
  }
  const series = await solved(session);
  const late = session.inspection.show(1); // whose numbers were dropped
  session.series.show(series, 1);
  await late;
  t.equal(session.inspection.state, null);
  t.equal(session.state, session.series.shown?.state);
  t.strictSame([...shownPrices(session)], [...(series.values("lmp", 1) ?? [])]);
});

t.test("playback stops at the end, and colour ranges cover all steps", async (t) => {
  const { session } = await openThreeBus();
  const series = await solved(session);
  const { series: view } = session;
  view.speed = 60;
  view.show(series, 0);
  view.play();
  t.ok(view.playing);
  await eventually.equal(t, async () => view.shown?.step, 2);
  t.notOk(view.playing);
  const sample = view.sample("bus lmp", () => session.store.shown("lmp"));
  t.equal(sample?.length, 9);
  t.equal(
    view.sample("bus lmp", () => null),
    sample,
    "made once",
  );
  t.equal(session.store.columns, view.shown?.columns, "what is shown stays");
  view.end();
  t.equal(
    view.sample("bus lmp", () => null),
    null,
  );
});

t.test("a cancelled run has its solved steps, and a newer run replaces it", async (t) => {
  const { session } = await openThreeBus();
  const steps = Array.from({ length: 50_000 }, (_, k) => String(k));
  const long: Profile = { ...PROFILE, steps, changesMw: new Float64Array(steps.length) };
  const { seriesRun: run } = session;
  run.changed.connect(() => {
    if (run.state.kind === "running" && run.state.solved > 0) {
      run.cancel();
    }
  });
  const series = await solved(session, long);
  t.ok(series.length > 0 && series.length < steps.length, `${series.length} steps`);
  await run.run({ ...PROFILE, steps: { length: 60_000_000 } as unknown as string[] });
  t.match(run.state, { kind: "failed", message: /more than a page can hold/ });
});

t.test("profiles come from files and the synthetic week, with readable times", async (t) => {
  const { session } = await openThreeBus();
  const { profiles } = session;
  const profile = await profiles.readFile("week.csv", new TextEncoder().encode("time,2\na,80\nb,90\n"));
  t.strictSame([profiles.given, [...profile.changesMw]], [[profile], [-10, 0]]);
  await t.rejects(profiles.readFile("bad.csv", new TextEncoder().encode("time,area 9\na,80\n")), {
    code: "PROFILE.MALFORMED",
    message: /Column 2, area 9/,
  });
  const week = await profiles.synthetic(168);
  t.equal(week.steps.length, 168);
  t.ok(Math.abs(Math.max(...week.changesMw)) < 1e-9, "its peak is the base case");
  t.equal(stepTime("2026-07-08T09:00", 168), "Wed 09:00");
  t.equal(stepTime("2026-07-08 09:00:00", 8760), "Wed 07-08, 09:00");
  t.equal(stepTime("noon", 3), "noon");
});

t.test("an axis of steps has dates and hours", async (t) => {
  const hours = (count: number): string[] =>
    Array.from({ length: count }, (_, k) => new Date(Date.UTC(2024, 0, 1, k)).toISOString().slice(0, 16));
  const texts = (count: number): string[] => stepTicks(hours(count)).map(({ text }) => text);
  // The first of January 2024 was a Monday.
  t.strictSame(texts(24), ["Mon 00:00", "Mon 06:00", "Mon 12:00", "Mon 18:00"]);
  t.strictSame(texts(168), ["Mon 00:00", "Wed 00:00", "Fri 00:00", "Sun 00:00"]);
  t.strictSame(texts(8760)[0], "01-01");
  t.ok(texts(8760).length <= 6);
  t.strictSame(stepTicks(["a", "b"]), [
    { at: 1, text: "a" },
    { at: 2, text: "b" },
  ]);
  const late = stepTicks(hours(175).slice(7));
  t.strictSame(late[0], { at: 18, text: "Tue 00:00" }, "ticks of days are at midnight");
});
