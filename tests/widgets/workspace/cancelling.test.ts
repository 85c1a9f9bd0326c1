// Cancel takes effect at once and leaves the previous state; a hanging call delays no others.
import t from "tap";
import type { StudyHandle } from "@service/engine/node";
import {
  type CommitAnswer,
  type CommitRequest,
  isCancelled,
  type OpenedCase,
  unlessCancelled,
  Workspace,
  type WorkspaceEngine,
} from "@service/widgets/workspace";
import { fixture } from "../../fixtures/cases.ts";
import { deferred, engine, ingested, LINE_2_AT_40, openThreeBus } from "../session.ts";

const CASE = await fixture("three_bus.m");

function file(name: string, bytes: Uint8Array): { name: string; size: number; arrayBuffer(): Promise<ArrayBuffer> } {
  return { name, size: bytes.length, arrayBuffer: () => Promise.resolve(Uint8Array.from(bytes).buffer) };
}

/** Never settles, but rejects with `ABORTED` when the signal fires, like calls of the engine in a hanging worker. */
function hanging<T>(signal: AbortSignal | undefined): Promise<T> {
  return unlessCancelled(new Promise<T>(() => undefined), signal);
}

/** Rejects for a promise that is not settled soon. */
async function soon<T>(promise: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("not at once")), 200));
  return Promise.race([promise, late]);
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

t.test("a hanging file is cancelled at once, and others open meanwhile", async (t) => {
  for (const stage of ["reading", "solving"] as const) {
    let hangs = true;
    const begun = deferred<true>();
    const hang = <T>(signal: AbortSignal | undefined): Promise<T> => {
      begun.resolve(true);
      return hanging(signal);
    };
    const stuck: WorkspaceEngine = {
      ...engine,
      ingestCase: (bytes, format, signal) =>
        hangs && stage === "reading" ? hang(signal) : engine.ingestCase(bytes, format, signal),
      createStudy: (module, formulation, options, signal) =>
        hangs && stage === "solving" ? hang(signal) : engine.createStudy(module, formulation, options, signal),
    };
    const workspace = new Workspace(stuck);
    const slow = workspace.intake.take([file("slow.m", CASE)]);
    await begun.promise;
    t.equal(workspace.intake.running[0]?.progress.stage, stage, "what is being done is called so");
    hangs = false;
    const other = Buffer.from(CASE.toString("utf8").replace(/90\b/, "91"));
    const [outcome] = await workspace.intake.take([file("other.m", other)]);
    t.equal(outcome?.outcome, "case", `${stage}: another file is read and solved`);
    t.equal(workspace.sessions.length, 1);
    workspace.intake.running[0]?.cancel();
    t.match(await soon(slow), [{ name: "slow.m", outcome: "refused", code: "ABORTED" }]);
    t.strictSame(workspace.intake.running, []);
    t.equal(workspace.sessions.length, 1, "nothing of it stays");
    const again = await workspace.intake.take([file("slow.m", CASE)]);
    t.equal(again[0]?.outcome, "case", "it can be tried again");
  }
});

t.test("coordinates without a case wait for the case of the previous batch", async (t) => {
  const workspace = new Workspace(engine);
  const places = Buffer.from("bus,lat,lon\n1,35,-80\n2,36,-81\n3,37,-82\n");
  workspace.opening.connect((_, opening) => opening.kind === "case" && workspace.activate(opening.session));
  const first = workspace.intake.take([file("three.m", CASE)]);
  const second = workspace.intake.take([file("places.csv", places)]);
  t.match(await first, [{ outcome: "case" }]);
  t.match(await second, [{ outcome: "geography" }]);
});

t.test("a batch that waits for another one is cancelled at once as well", async (t) => {
  const workspace = new Workspace({ ...engine, ingestCase: (_bytes, _format, signal) => hanging(signal) });
  const first = workspace.intake.take([file("three.m", CASE)]);
  const second = workspace.intake.take([file("places.csv", Buffer.from("bus,lat,lon\n1,35,-80\n"))]);
  await turn();
  workspace.intake.running[1]?.cancel();
  t.match(await soon(second), [{ code: "ABORTED" }]);
  t.equal(workspace.intake.running.length, 1);
  workspace.intake.running[0]?.cancel();
  t.match(await soon(first), [{ code: "ABORTED" }]);
});

/** A study whose commits hang while `stuck` is set, until it is interrupted. */
function stubborn(study: StudyHandle): { study: StudyHandle; hang: boolean } {
  let calls = new AbortController();
  const made = { hang: false, study: Object.create(study) as StudyHandle };
  made.study.interrupt = () => {
    const before = calls;
    calls = new AbortController();
    before.abort();
  };
  const names = [
    "current",
    "currentSolution",
    "columns",
    "table",
    "sensitivity",
    "track",
    "trackState",
    "free",
  ] as const;
  for (const name of names) {
    Object.assign(made.study, { [name]: (study[name] as () => unknown).bind(study) });
  }
  made.study.commit = (...edits) => (made.hang ? hanging(calls.signal) : study.commit(...edits));
  return made;
}

t.test("a hanging change is cancelled at once: the state stays, and the next change is made", async (t) => {
  const studies: ReturnType<typeof stubborn>[] = [];
  const workspace = new Workspace({
    ...engine,
    createStudy: async (...request) => {
      const made = stubborn((await engine.createStudy(...request)) as StudyHandle);
      studies.push(made);
      return made.study as never;
    },
  });
  const opened = await workspace.openCase(ingested.sha256, () => Promise.resolve(ingested.module_json));
  const session = await workspace.openSession({ opened, caseId: "t", caseName: "t", formulation: "dcopf" });
  const [made] = studies;
  if (made === undefined) {
    throw new Error("a study was requested");
  }
  const before = session.state;
  made.hang = true;
  const changing = session.commit(LINE_2_AT_40, 0);
  const behind = session.commitElement({ kind: "bus", id: 2 }, 5);
  await turn();
  t.equal(session.status.kind, "solving");
  session.cancel();
  await t.rejects(soon(changing), { code: "ABORTED" });
  await t.rejects(soon(behind), { code: "ABORTED" }, "and what waited behind it");
  t.equal(session.state, before);
  t.equal(session.status.kind, "ready");
  t.equal(session.activity.entries.filter(({ event }) => event.kind === "failed").length, 0, "no failure to tell");
  made.hang = false;
  await session.commit(LINE_2_AT_40, 0);
  t.equal(session.state.revision, 1);
  made.hang = true;
  const late = session.commit({ ...LINE_2_AT_40, deltas: { 2: 1 } }, 1);
  await turn();
  workspace.closeSession(session);
  await t.rejects(soon(late), { code: "ABORTED" }, "a session that is closed in the middle of a solve ends at once");
});

t.test("reading a case for two callers ends only when both have cancelled", async (t) => {
  let signals: AbortSignal[] = [];
  const workspace = new Workspace({
    ...engine,
    inspectModule: (module, signal) => {
      signals.push(signal as AbortSignal);
      return signals.length === 1 ? hanging(signal) : engine.inspectModule(module, signal);
    },
  });
  const controls = [new AbortController(), new AbortController()];
  const open = (signal?: AbortSignal): Promise<OpenedCase> =>
    workspace.openCase(ingested.sha256, () => Promise.resolve(ingested.module_json), signal);
  const waiting = controls.map(({ signal }) => open(signal).then(() => false, isCancelled));
  await turn();
  t.equal(signals.length, 1, "read once for both");
  controls[0]?.abort();
  t.equal(await soon(waiting[0] ?? Promise.resolve(false)), true);
  t.equal(signals[0]?.aborted, false);
  controls[1]?.abort();
  t.equal(await soon(waiting[1] ?? Promise.resolve(false)), true);
  t.equal(signals[0]?.aborted, true);
  t.equal((await open()).sha256, ingested.sha256, "the next one reads it again");
  signals = [];
  await open();
  t.strictSame(signals, [], "which then stays");
});

t.test("open sessions have nothing to cancel", async (t) => {
  const { session } = await openThreeBus();
  session.cancel();
  await session.commit(LINE_2_AT_40, 0);
  t.equal(session.state.revision, 1);
});

t.test(
  "a change that is cancelled while it waits for the kernel is over at once, and taken back if it was accepted",
  async (t) => {
    const { session } = await openThreeBus();
    const [first, second] = [deferred<CommitAnswer>(), deferred<CommitAnswer>()];
    const answers = [first, second];
    const requests: CommitRequest[] = [];
    const ordered = [deferred<null>(), deferred<null>()];
    session.setOrderer({
      formulations: null,
      waitsFor: "the kernel",
      order: (request) => {
        ordered[requests.length]?.resolve(null);
        requests.push(request);
        return answers[requests.length - 1]?.promise ?? Promise.reject(new Error("nothing requested this"));
      },
    });
    const commit = session.commit(LINE_2_AT_40, 0);
    await ordered[0]?.promise;
    session.cancel();
    await t.rejects(soon(commit), { code: "ABORTED" });
    await turn();
    t.equal(session.status.kind, "ready", "the kernel has not answered yet");
    t.equal(session.store.previewing, false);

    const base = session.state.solution.result_sha256;
    first.resolve({ kind: "ack", revision: 1, resultSha256: "" });
    await ordered[1]?.promise;
    t.match(requests[1], { baseRevision: 1, edits: { deltas: {}, rates: {} }, resultSha256: base });
    second.resolve({ kind: "ack", revision: 2, resultSha256: "" });
    await turn();
    t.match(session.state, { revision: 2, edits: { deltas: {}, rates: {} } });
    t.strictSame(
      session.history.states.map(({ remote }) => remote),
      [false, true, false],
      "the history has both, as the kernel",
    );
  },
);
