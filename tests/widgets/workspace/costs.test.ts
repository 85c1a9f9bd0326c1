// Costs that a case lacks: the offer, cost tables in batches, and new cases with costs. Over the real engine.
import t from "tap";
import {
  answerNotices,
  type CaseSession,
  costsMark,
  costsNotice,
  type FileOutcome,
  fuelCosts,
  FuelSlider,
  isFree,
  lacksCosts,
  NO_EDITS,
  saveStudy,
  takeIn,
  Workspace,
} from "@service/widgets/workspace";
import { fixture } from "../../fixtures/cases.ts";
import { engine } from "../session.ts";
import { file } from "./intakeFile.ts";

const CASE = new TextDecoder().decode(await fixture("three_bus.m"));
/** Two units of 250 and 270 MW without costs. */
const FREE = CASE.replace(/mpc\.gencost = \[[^\]]*\];/, "");
const FUELS = `${FREE}\nmpc.genfuel = {\n 'coal';\n 'ng';\n};\n`;

interface Taken {
  workspace: Workspace;
  sessions: CaseSession[];
  outcomes: FileOutcome[];
}

async function take(files: Record<string, string>, workspace = new Workspace(engine)): Promise<Taken> {
  const sessions: CaseSession[] = [];
  const listen = (_: unknown, opening: { kind: string; session?: CaseSession }): void => {
    if (opening.session !== undefined) sessions.push(opening.session);
  };
  workspace.opening.connect(listen);
  const batch = Object.entries(files).map(([name, text]) => file(name, text));
  const target = () => Promise.resolve(workspace.active?.opened ?? workspace.sessions.at(-1)?.opened ?? null);
  const outcomes = await takeIn(batch, workspace, { target });
  workspace.opening.disconnect(listen);
  return { workspace, sessions, outcomes };
}

/** Prices of a session, $/MWh. */
function prices(session: CaseSession | undefined): number[] {
  return (session?.state.solution.prices ?? []).map(({ value }) => value);
}

t.test("typical costs are offered at once, as one change of the Study", async (t) => {
  const { workspace, sessions, outcomes } = await take({ "free.m": FREE });
  const session = sessions[0] as CaseSession;
  const read = session.opened.ingested;
  t.ok(isFree(read) && lacksCosts(session.opened, NO_EDITS));
  t.equal(costsMark(read), "The case has no costs");
  t.strictSame(prices(session), [0, 0, 0]);
  t.equal(outcomes[0]?.offer?.label, "Use typical costs");
  t.equal(await outcomes[0]?.offer?.take(), session);
  t.equal(workspace.sessions.length, 1, "no other case");
  // Units of unknown fuel count as gas of their size: from 100 MW on 33.25 $/MWh at half of the output.
  const { generators = {} } = session.state.edits;
  for (const [id, capacity] of [["1", 250] as const, ["2", 270] as const]) {
    const { cost = NaN, c2 = NaN } = generators[id] ?? {};
    t.ok(Math.abs(c2 * capacity + cost - 33.25) < 1e-9, "at half of the output");
    t.ok(Math.abs(2 * c2 * capacity - 0.1 * 33.25) < 1e-9, "the marginal cost rises by a tenth");
  }
  t.notOk(lacksCosts(session.opened, session.state.edits));
  t.equal(costsNotice(read, session.state.edits), "The case has no costs: those of all generators are edits.");
  t.equal(costsMark(read, session.state.edits), "Costs given by edits");
  t.ok(prices(session).every((price) => price > 30));
  t.match(session.stepText(session.history.current.event), /^Typical costs of /);
  await session.undo();
  t.strictSame(prices(session), [0, 0, 0]);
  await session.redo();
  t.strictSame(session.state.edits.generators, generators);
});

t.test("a cost that an edit gives stays beside typical costs", async (t) => {
  const { workspace, sessions } = await take({ "free.m": FREE });
  const session = sessions[0] as CaseSession;
  await session.setGenerator(1, { cost: 90 });
  await workspace.giveCosts(session, "typical");
  t.strictSame(session.state.edits.generators?.[1], { cost: 90 });
  t.ok((session.state.edits.generators?.[2]?.c2 ?? 0) > 0);
});

t.test("the price of a fuel moves from its typical costs", async (t) => {
  const { workspace, sessions } = await take({ "free.m": FREE });
  const session = sessions[0] as CaseSession;
  t.match(fuelCosts(session.opened, NO_EDITS), [{ assumed: false, baseCost: 0, change: 0, factor: 1 }]);
  await workspace.giveCosts(session, "typical");
  const { generators: typical = {} } = session.state.edits;
  const before = prices(session);
  const [fuel] = fuelCosts(session.opened, session.state.edits);
  t.match(fuel, { assumed: true, change: 0, factor: 1, curves: 0 });
  t.ok(Math.abs((fuel?.baseCost ?? 0) - 33.25) < 0.1, "the mean of the marginal costs from Pmin to Pmax");
  const slider = new FuelSlider(session, fuel?.source as never, "change", () => undefined);
  await slider.commit(5);
  t.match(fuelCosts(session.opened, session.state.edits), [{ assumed: true, change: 5 }]);
  t.ok(
    prices(session).every((price, k) => Math.abs(price - (before[k] ?? 0) - 5) < 1e-6),
    "all prices rise by it",
  );
  await new FuelSlider(session, fuel?.source as never, "factor", () => undefined).commit(2);
  t.match(fuelCosts(session.opened, session.state.edits), [{ assumed: true, change: null, factor: 2 }]);
  t.ok(
    prices(session).every((price, k) => Math.abs(price - 2 * (before[k] ?? 0)) < 1e-6),
    "all prices double",
  );
  await slider.commit(0);
  t.strictSame(session.state.edits.generators, typical, "no change gives the typical costs back");
});

t.test("costs with a constant term, which edits do not have, make a case of its own that says so", async (t) => {
  const { workspace, sessions } = await take({ "free.m": FREE });
  const free = sessions[0] as CaseSession;
  const given = [{ generator: 1, c1: 20, c0: 100 }];
  const priced = await workspace.giveCosts(free, given);
  t.not(priced.opened.sha256, free.opened.sha256);
  t.match(costsNotice(priced.opened.ingested), /^The costs of 1 of 2 units are assumed: given by unit or fuel/);
  t.equal(costsMark(priced.opened.ingested), "Assumed costs");
  t.equal(priced.opened.ingested.warnings[0]?.code, "COST.ASSUMED");
  t.strictSame(prices(free), [0, 0, 0], "the case as read does not change");
  t.equal(await workspace.openAsRead(priced.opened), free, "and is there to go back to");
  t.equal(await workspace.giveCosts(free, given), priced, "equal costs are the same case");
  workspace.closeSession(free);
  const again = await workspace.openAsRead(priced.opened);
  t.equal(again.opened.sha256, free.opened.sha256, "also after it was closed");
});

t.test("costs by fuel are one change of the Study, with a notice", async (t) => {
  const { workspace, sessions } = await take({ "fuels.m": FUELS });
  const session = sessions[0] as CaseSession;
  const read = session.opened.ingested;
  const given = [
    { fuel: "coal", c1: 25 },
    { fuel: "gas", c1: 40 },
  ];
  t.equal(await workspace.giveCosts(session, given), session, "no other case");
  t.equal(workspace.sessions.length, 1);
  t.strictSame(session.state.edits, { ...NO_EDITS, generators: { 1: { cost: 25 }, 2: { cost: 40 } } });
  t.strictSame(prices(session).map(Math.round), [25, 25, 25], "coal is enough for 90 MW");
  t.equal(costsNotice(read, session.state.edits), "The case has no costs: those of all generators are edits.");
  t.equal(costsMark(read, session.state.edits), "Costs given by edits");
  t.equal(
    answerNotices(read, true, NO_EDITS)[0],
    "The case has no costs: all generation costs are zero until you add costs.",
  );
  // Another cost of one fuel alone; the cost of the case itself is no edit.
  await workspace.giveCosts(session, [{ fuel: "coal", c1: 60 }]);
  t.strictSame(prices(session).map(Math.round), [40, 40, 40]);
  await workspace.giveCosts(session, [{ fuel: "coal", c1: 0 }]);
  t.strictSame(session.state.edits.generators, { 2: { cost: 40 } });
  t.equal(
    costsNotice(read, session.state.edits),
    "The case has no costs: that of 1 generator is an edit, and all others are zero.",
  );
  const { revision } = session.state;
  await t.rejects(workspace.giveCosts(session, [{ fuel: "peat", c1: 1 }]), { code: "COST.MALFORMED" });
  t.equal(session.state.revision, revision, "the state before stays");
  await session.undo();
  await session.undo();
  t.strictSame(session.state.edits.generators, { 1: { cost: 25 }, 2: { cost: 40 } }, "a step each");
  t.equal(await workspace.giveCosts(session, [{ fuel: "coal", c2: 0.01, c1: 25 }]), session);
  t.strictSame(session.state.edits.generators, { 1: { cost: 25, c2: 0.01 }, 2: { cost: 40 } });
  // Coal serves 80 MW beside the 10 MW of gas at its minimum: 2 c2 p + c1 = 26.60 $/MWh.
  t.ok(prices(session).every((price) => Math.abs(price - 26.6) < 1e-9));
});

t.test("a cost table applies to the case of its batch", async (t) => {
  const { sessions, outcomes } = await take({ "costs.csv": "fuel,cost\ncoal,25\ngas,40\n", "own.m": FUELS });
  t.equal(sessions.length, 1);
  t.strictSame(prices(sessions[0]).map(Math.round), [25, 25, 25], "coal is enough for 90 MW");
  t.match(outcomes[0], { outcome: "costs", sentence: /^The costs of 2 of 2 units are assumed: given by unit or fuel/ });
  t.match(outcomes[1]?.sentence, /^Opened own\.m: 3 buses, 3 lines, 2 generators\. /);
  t.equal(outcomes[1]?.offer, undefined);
});

t.test("a cost table without a case gives the costs of the displayed case, as one change of the Study", async (t) => {
  const { workspace, sessions } = await take({ "own.m": FUELS });
  const session = sessions[0] as CaseSession;
  const later = await take({ "costs.csv": "generator;cost\n1;20,5\n2;90\n" }, workspace);
  t.equal(later.sessions.length, 0);
  t.match(later.outcomes[0], {
    outcome: "costs",
    sentence: "The costs of three_bus are those of the file, as one change of the Study.",
  });
  t.strictSame(session.state.edits, { ...NO_EDITS, generators: { 1: { cost: 20.5 }, 2: { cost: 90 } } });
  t.strictSame(
    prices(session).map((price) => price.toFixed(1)),
    ["20.5", "20.5", "20.5"],
  );
  await session.undo();
  t.strictSame(prices(session), [0, 0, 0]);
});

t.test("a case made by costs with constants has the fuels of the file", async (t) => {
  const { workspace } = await take({ "own.m": FUELS });
  const later = await take({ "costs.csv": "generator,cost,cost_c0\n1,20.5,7\n2,90,0\n" }, workspace);
  t.match(later.outcomes[0]?.sentence, /^Opened .*, assumed costs, a case of its own\. The costs of 2 of 2 units/);
  const opened = later.sessions[0]?.opened as never;
  const rows = await workspace.unitsByFuel(opened);
  t.strictSame(
    rows.map(({ fuel, units, free }) => [fuel, units, free]),
    [
      ["ng", 1, 0],
      ["coal", 1, 0],
    ],
  );
});

t.test("an invalid table is refused by its row, and the case opens as read", async (t) => {
  const { sessions, outcomes } = await take({ "costs.csv": "generator,cost\n1,20\n7,30\n", "own.m": FUELS });
  t.match(outcomes[0], {
    outcome: "refused",
    code: "GENERATOR.UNKNOWN",
    sentence: "Row 3 of the costs: There is no generator 7 in this case: its numbers go from 1 to 2.",
  });
  t.match(outcomes[1], { outcome: "case" });
  t.strictSame(prices(sessions[0]), [0, 0, 0]);
  const alone = await take({ "costs.csv": "generator,cost\n1,20\n" });
  t.match(alone.outcomes[0], { outcome: "refused", code: "INPUT.NO_CASE" });
});

t.test("a saved Study has the typical costs of its state", async (t) => {
  const { outcomes, sessions } = await take({ "free.m": FREE });
  const session = sessions[0] as CaseSession;
  await outcomes[0]?.offer?.take();
  const { bytes } = await saveStudy(session, engine);
  const workspace = new Workspace(engine);
  const opened = await workspace.openStudy(await engine.readStudyBundle(bytes));
  t.strictSame(opened.state.edits, session.state.edits);
  t.equal(opened.state.solution.result_sha256, session.state.solution.result_sha256);
  t.match(fuelCosts(opened.opened, opened.state.edits), [{ assumed: true, change: 0 }], "fuels move from them");
  await opened.reset();
  t.strictSame(prices(opened), [0, 0, 0]);
});
