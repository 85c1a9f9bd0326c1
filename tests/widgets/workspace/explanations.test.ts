// Why edits have no solution, in words with names, when they fail and when a case makes no Study at all.
import t from "tap";
import type { Explanation } from "@service/engine/node";
import { statusSentence, statusText } from "@service/widgets/ui";
import { type CaseSession, unlessCancelled, Workspace } from "@service/widgets/workspace";
import { explanationSentence, named, noSolutionSentence } from "@service/widgets/text";
import { fixture } from "../../fixtures/cases.ts";
import { engine, ingested, LINE_2_AT_40, openThreeBus } from "../session.ts";

const namer = {
  nameOf: (kind: string, id: number): string =>
    kind === "branch" ? `line ${id} (Ash to Birch)` : `${kind} ${id} (Ash)`,
};

/** Ends when the search of a session has found something. */
function found(session: CaseSession): Promise<void> {
  const search = session.relaxationSearch;
  return new Promise((resolve) => {
    const look = (): void => {
      if (search?.state.kind === "found") {
        resolve();
      }
    };
    search?.changed.connect(look);
    look();
  });
}

t.test("a failed commit says what is certain at once; the minimum relaxation follows", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  await t.rejects(session.commit({ ...LINE_2_AT_40, deltas: { 2: 140 } }, 1), { code: "SOLVE.INFEASIBLE" });
  t.match(session.status, { kind: "failed", details: { kind: "lines", explanation: undefined } });
  t.equal(statusSentence(session), "No solution: line 2 (2 to 3) cannot be held; at least 40.0 MW short.");
  t.match(session.relaxationSearch?.state, { kind: "running", atLeastMw: 40 });
  const first = session.activity.entries.filter(({ failed }) => failed);
  await found(session);
  const { status } = session;
  t.match(status, { kind: "failed", details: { kind: "lines", explanation: { relaxation_total_mw: Number } } });
  const told =
    "No solution: the limit of line 2 (2 to 3) cannot be met with generator 2 at bus 3 at its minimum output. " +
    "Least relaxation: 40.0 MW on line 2 (2 to 3). With everything else as it is, the most that bus 2 can take is 110.0 MW.";
  t.equal(status.kind === "failed" && noSolutionSentence(status.message, status.details, session.opened), told);
  t.equal(
    statusText(session),
    "No solution: the limit of line 2 (2 to 3) cannot be met with generator 2 at bus 3 at its minimum output.",
  );
  t.equal(statusSentence(session), told);
  const notDone = session.activity.entries.filter(({ failed }) => failed);
  t.equal(first.length, 1);
  t.strictSame(
    notDone.map(({ label, result }) => [label, result]),
    [["Bus 2 demand +140.0 MW", told]],
    "one entry, with what was found out",
  );
  t.equal(session.state.revision, 1);
  await session.commit({ ...LINE_2_AT_40, deltas: { 2: 1 } }, 1);
  t.equal(session.status.kind, "ready");
  t.equal(session.relaxationSearch, null, "another state needs none");
});

t.test("a search is cancelled when the user goes on, or cancels it; it can be begun again", async (t) => {
  const signals: (AbortSignal | undefined)[] = [];
  const workspace = new Workspace({
    ...engine,
    createStudy: async (...request) => {
      const study = await engine.createStudy(...request);
      const explain = study.explain.bind(study);
      study.explain = (deltas, rates, options = {}) => {
        signals.push(options.signal);
        return signals.length < 3
          ? unlessCancelled(new Promise(() => undefined), options.signal)
          : explain(deltas, rates, options);
      };
      return study;
    },
  });
  const opened = await workspace.openCase(ingested.sha256, () => Promise.resolve(ingested.module_json));
  const session = await workspace.openSession({ opened, caseId: "t", caseName: "t", formulation: "dcopf" });
  const fail = (): Promise<unknown> =>
    session.commit({ ...LINE_2_AT_40, deltas: { 2: 140 } }, 0).catch(() => undefined);
  await fail();
  session.forgetFailure();
  t.equal(signals[0]?.aborted, true);
  t.equal(session.relaxationSearch, null);
  await fail();
  const search = session.relaxationSearch;
  search?.cancel();
  await new Promise((resolve) => setTimeout(resolve));
  t.match(search?.state, { kind: "cancelled", atLeastMw: 40 });
  t.equal(session.status.kind, "failed", "why it failed is still told");
  search?.again();
  await found(session);
  t.match(session.status, { details: { explanation: { is_least: true } } });
});

t.test("a case without a solution says why when it is opened", async (t) => {
  const text = new TextDecoder().decode(await fixture("three_bus.m")).replace(/^(\s*2\s+\d\s+)90\b/m, "$1600");
  const short = await engine.ingestCase(new TextEncoder().encode(text), "matpower");
  const workspace = new Workspace(engine);
  const opened = await workspace.caseOf(short, "short");
  const opening = workspace.openSession({ opened, caseId: "short", caseName: "short", formulation: "dcopf" });
  await t.rejects(opening, {
    code: "SOLVE.INFEASIBLE",
    message: /^No solution: .*; at least \d+\.0 MW short\.$/,
  });
  t.strictSame(workspace.sessions, []);
});

t.test("sentences of the engine get names", async (t) => {
  t.equal(
    named("No solution above 110.0 MW at bus 2: lines 12 and 40 cannot both be held. 4.1 MW on line 12.", namer),
    "No solution above 110.0 MW at bus 2 (Ash): line 12 (Ash to Birch) and line 40 (Ash to Birch) cannot both be held. " +
      "4.1 MW on line 12 (Ash to Birch).",
  );
  t.equal(
    named("lines 1, 2 and 81 more cannot all be held", namer),
    "line 1 (Ash to Birch), line 2 (Ash to Birch) and 81 more cannot all be held",
  );
  t.equal(named("lines 1, 2 and 3 cannot all be held", namer).match(/Ash/g)?.length, 3);
  t.equal(named("branch 12 carries at most 250 MW", namer), "line 12 (Ash to Birch) carries at most 250 MW");
  t.equal(named("2 lines are held at 12 MW", namer), "2 lines are held at 12 MW");
});

t.test("an explanation in words, with names", async (t) => {
  const limit = (kind: string, id: number, held = "rating"): object => ({
    element: { kind, id },
    limit: held,
    weight: 1,
  });
  const told = (elements: object[], more: Partial<Explanation> = {}): string => {
    const explanation = {
      kind: "lines",
      reason: "engine",
      remedy: "Least relaxation: 4.1 MW on line 12.",
      is_least: true,
      ...more,
    };
    return explanationSentence({ ...explanation, elements } as unknown as Explanation, namer);
  };
  const remedy = "Least relaxation: 4.1 MW on line 12 (Ash to Birch).";
  t.equal(
    told([limit("branch", 12), limit("branch", 40)]),
    `No solution: the limits of line 12 (Ash to Birch) and line 40 (Ash to Birch) cannot both be met. ${remedy}`,
  );
  t.equal(
    told([limit("branch", 12), limit("generator", 3, "minimum"), limit("generator", 4, "maximum")]),
    "No solution: the limit of line 12 (Ash to Birch) cannot be met with generator 3 (Ash) at its minimum output and " +
      `generator 4 (Ash) at its maximum output. ${remedy}`,
  );
  const many = [1, 2, 3, 4, 5, 6].map((id) => limit("branch", id));
  t.match(told(many), "line 4 (Ash to Birch) and 2 more cannot all be met. ");
  const rest = [7, 8, 9].map((id) => limit("generator", id, "maximum"));
  t.notMatch(told([...many, ...rest]), "generator", "many generators are the rest of the balance");
  t.equal(
    told([], {
      kind: "balance",
      reason: "the demand of the island at bus 5 exceeds the generators' capacity by 3.0 MW",
    }),
    `No solution: the demand of the island at bus 5 (Ash) exceeds the generators' capacity by 3.0 MW. ${remedy}`,
  );
});
