// Explanations of edits without solution, in sentences with names, after a failed change and for a case without a
// Study.
import t from "tap";
import { statusSentence, statusText } from "@service/widgets/ui";
import { type CaseSession, unlessCancelled, Workspace } from "@service/widgets/workspace";
import { noSolutionReason, noSolutionSentence } from "@service/widgets/text";
import { fixture } from "../../../fixtures/cases.ts";
import { engine, ingested, LINE_2_AT_40, openThreeBus, toldActivity } from "../../session.ts";

/** Resolves when the search of a session has a result. */
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

t.test("a failed commit reports its proof at once; the minimum relaxation follows", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  await t.rejects(session.commit({ ...LINE_2_AT_40, deltas: { 2: 140 } }, 1), { code: "SOLVE.INFEASIBLE" });
  t.match(session.status, { kind: "failed", details: { kind: "lines", explanation: undefined } });
  t.equal(statusSentence(session), "No solution: the limit of line 2 (2 to 3) cannot be met; at least 40.0 MW short.");
  t.equal(
    session.status.kind === "failed" && noSolutionReason(session.status, session.opened),
    "No solution: the limit of line 2 (2 to 3) cannot be met.",
    "beside the search, which says how much is short",
  );
  t.match(session.relaxationSearch?.state, { kind: "running", atLeastMw: 40 });
  const first = toldActivity(session).filter(({ failed }) => failed);
  await found(session);
  const { status } = session;
  t.match(status, { kind: "failed", details: { kind: "lines", explanation: { relaxation_total_mw: Number } } });
  const sentence =
    "No solution: the limit of line 2 (2 to 3) cannot be met with generator 2 at bus 3 at its minimum output. " +
    "Minimum relaxation: raise the rating of line 2 (2 to 3) by 40.0 MW. With everything else unchanged, demand at bus 2 can be at most 110.0 MW.";
  t.equal(status.kind === "failed" && noSolutionSentence(status, session.opened), sentence);
  t.equal(
    statusText(session),
    "No solution: the limit of line 2 (2 to 3) cannot be met with generator 2 at bus 3 at its minimum output.",
  );
  t.equal(statusSentence(session), sentence);
  const notDone = toldActivity(session).filter(({ failed }) => failed);
  t.equal(first.length, 1);
  t.strictSame(
    notDone.map(({ label, result }) => [label, result]),
    [["Bus 2 demand +140.0 MW", sentence]],
    "one entry, with what was found out",
  );
  t.equal(session.state.revision, 1);
  await session.commit({ ...LINE_2_AT_40, deltas: { 2: 1 } }, 1);
  t.equal(session.status.kind, "ready");
  t.equal(session.relaxationSearch, null, "another state needs none");
});

t.test("a search is cancelled by the next change or by the user, and can be started again", async (t) => {
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
  t.equal(session.status.kind, "failed", "the reason of the failure is still shown");
  search?.again();
  await found(session);
  t.match(session.status, { details: { explanation: { is_least: true } } });
});

t.test("a case without a solution is opened with the reason", async (t) => {
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
