// Applying the minimum relaxation of an explanation: as an edit of a session, and as a new case.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import type { EngineError, Explanation } from "@service/engine/node";
import { changeName, commitPlan, relaxedMw } from "@service/widgets/ui";
import { cornerSentence } from "@service/widgets/text";
import {
  explanationIn,
  isEdit,
  type LocalOpening,
  type OpenedCase,
  planRelaxation,
  type RelaxationPlan,
  type ViewedNetwork,
  Workspace,
} from "@service/widgets/workspace";
import { DATA, fixture } from "../../../fixtures/cases.ts";
import { deferred, engine, LINE_2_AT_40, openThreeBus } from "../../session.ts";

function made(plan: RelaxationPlan | string): RelaxationPlan {
  if (typeof plan === "string") {
    throw new Error(plan);
  }
  return plan;
}

t.test("the relaxation of edits without a solution is one more edit, and has a solution", async (t) => {
  const { session, opened } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  const explained = deferred<Explanation>();
  session.changed.connect(({ status }) => {
    const explanation = status.kind === "failed" ? explanationIn(status.details) : null;
    if (explanation !== null) {
      explained.resolve(explanation);
    }
  });
  const tried = { ...LINE_2_AT_40, deltas: { 2: 140 } };
  await t.rejects(session.commit(tried, 1));
  const plan = made(planRelaxation(await explained.promise, opened, tried));
  t.ok(isEdit(plan));
  // Line 2 has to carry 80 MW, 40 more than its held rating.
  t.match(plan.changes, [{ kind: "branch", id: 2, limit: "rating", fromMw: 40 }]);
  t.ok(Math.abs((plan.changes[0]?.toMw ?? NaN) - 80) < 0.002);
  const [change] = plan.changes;
  t.equal(change && changeName(change, opened), "Line 2 (2 to 3): rating");
  t.match(change && relaxedMw(change), /^\+40\.00\d$/);
  t.equal(plan.edits.deltas["2"], 140, "what was tried stays");
  t.equal(plan.edits.rates["2"], -170, "without the dust of floating point");
  await commitPlan(session, plan);
  t.equal(session.status.kind, "ready");
  const { warrant } = await session.columnOf({ kind: "branch", id: 2 });
  t.not(warrant.kind, "regular", "line 2 carries just what is needed");
  t.equal(session.state.remark, cornerSentence({ warrant }));
  t.match(session.state.remark, /^(This result lies on a breakpoint|Degenerate optimum)/);
  await session.reset();
  t.equal(session.state.remark, undefined, "it was of that state alone");
});

/** Three buses with other numbers in the rows with these prefixes. */
async function unsolved(
  from: RegExp,
  to: string,
): Promise<{ workspace: Workspace; opened: OpenedCase; plan: RelaxationPlan }> {
  const text = new TextDecoder().decode(await fixture("three_bus.m")).replace(from, to);
  const workspace = new Workspace(engine);
  const read = await engine.ingestCase(new TextEncoder().encode(text), "matpower");
  const opened = await workspace.caseOf(read, "Contradiction");
  const error = (await workspace.openLocalSession(opened).catch((thrown: unknown) => thrown)) as EngineError;
  const explanation = await engine.explainModule(read.module_json);
  if (explanation === null) {
    throw new Error(`not explained: ${error.message}`);
  }
  return { workspace, opened, plan: made(planRelaxation(explanation, opened)) };
}

t.test("demand beyond generators and lines: the relaxation is a new case with less demand", async (t) => {
  const { workspace, opened, plan } = await unsolved(/^(\s*2\s+\d\s+)90\b/m, "$1600");
  const [demand, ...others] = plan.changes;
  t.match(demand, { kind: "bus", id: 2, limit: "demand", fromMw: 600 });
  t.strictSame(others, []);
  t.ok(Math.abs((demand?.toMw ?? NaN) - 500) < 0.002, "the two lines to the bus carry 250 MW each");
  const session = await workspace.openRelaxed(opened, plan);
  t.equal(session.caseName, "Contradiction, relaxed");
  t.not(session.opened.sha256, opened.sha256);
  t.match(session.opened.origin, { name: "Contradiction", changes: plan.changes });
  t.equal(session.opened.baseMw({ kind: "bus", id: 2 }), demand?.toMw);
  t.equal(session.state.solution.status, "optimal");
  t.equal(opened.origin, null);
});

t.test("generators that cannot run low enough: the relaxation changes their limits in the data", async (t) => {
  const { workspace, opened, plan } = await unsolved(/250\t10;/, "250\t150;");
  t.notOk(isEdit(plan), "limits of generators are no edits");
  t.ok(plan.changes.every(({ kind, limit }) => kind === "generator" && limit === "minimum"));
  const less = plan.changes.reduce((sum, { fromMw, toMw }) => sum + fromMw - toMw, 0);
  t.ok(Math.abs(less - 70) < 0.003, "150 and 10 MW at least, 90 MW of demand");
  const session = await workspace.openRelaxed(opened, plan);
  for (const { id, toMw } of plan.changes) {
    t.equal(session.opened.ingested.topology.generators[id - 1]?.p_min_mw, toMw);
  }
  t.equal(session.state.solution.status, "optimal");
});

t.test("a relaxation that cannot be carried out is reported", async (t) => {
  const { opened } = await openThreeBus();
  const verified = { bound_mw: 0, margin_mw: 0 };
  const angle = { element: { kind: "branch", id: 2 }, limit: "angle", mw: 0, angle_deg: 3 };
  const explanation = { verified, relaxation: [angle] } as unknown as Explanation;
  t.equal(
    planRelaxation(explanation, opened),
    "It widens the angle-difference limit of line 2 (2 to 3), which cannot be changed here.",
  );
  for (const [limit, sentence] of [
    ["voltage_maximum", "It raises the maximum voltage of bus 2, which cannot be changed here."],
    ["voltage_minimum", "It lowers the minimum voltage of bus 2, which cannot be changed here."],
    ["reactive_supply", "It supplies reactive power at bus 2, which cannot be added here."],
    ["reactive_absorption", "It absorbs reactive power at bus 2, which cannot be added here."],
    ["injection", "It absorbs power at bus 2, which cannot be added here."],
  ]) {
    const relaxation = [{ element: { kind: "bus", id: 2 }, limit, mw: 0, rounded_mw: 0, voltage_pu: 0.02 }];
    t.equal(planRelaxation({ verified, relaxation } as unknown as Explanation, opened), sentence);
  }
  t.equal(planRelaxation({ verified, relaxation: [] } as unknown as Explanation, opened), "No relaxation is known.");
});

const newEngland = join(DATA ?? "", "new_england250", "BaseCase.m");
const absent = (DATA === undefined || !existsSync(newEngland)) && "no data";

t.test("New England, whose generators cannot run low enough, is relaxed and opens", { skip: absent }, async (t) => {
  const workspace = new Workspace(engine);
  const opening: LocalOpening[] = [];
  workspace.opening.connect((_, one) => opening.push(one));
  const bytes = new Uint8Array(await readFile(newEngland));
  const file = {
    name: "BaseCase.m",
    size: bytes.length,
    arrayBuffer: () => Promise.resolve(bytes.buffer.slice(0)),
  };
  await workspace.intake.take([file]);
  const network = opening[0]?.kind === "network" ? opening[0].network : null;
  const { unsolved } = network as ViewedNetwork;
  t.ok(unsolved !== null);
  if (unsolved === null) {
    return;
  }
  const { search } = unsolved;
  t.equal(search.state.kind, "running", "it is shown at once, and explained while other work goes on");
  await new Promise<void>((resolve) => search.changed.connect(() => search.explanation !== null && resolve()));
  const plan = made(planRelaxation(search.explanation as Explanation, unsolved.opened));
  const total = plan.changes.reduce((sum, { fromMw, toMw }) => sum + fromMw - toMw, 0);
  // 327.02 MW are needed; each unit is named with its reduction.
  t.ok(total >= 327.02 && total < 327.4, `${total} MW less minimum output`);
  t.ok(
    plan.changes.every(({ toMw }) => toMw >= 0),
    "no unit has to take up power",
  );
  const session = await workspace.openRelaxed(unsolved.opened, plan);
  t.equal(session.state.solution.status, "optimal");
  t.equal(opening.length, 2);
});
