import t from "tap";
import { MapSync } from "@service/widgets/notebook/kernel";
import { type CaseSession, Workspace, type WorkspaceEngine } from "@service/widgets/workspace";
import { FakeKernel } from "../../notebook/fakeKernel.ts";
import {
  BASE_PRICE,
  difference,
  engine,
  LINE_2_AT_40,
  openThreeBus,
  PRICES_AT_40,
  shownPrices,
  toldActivity,
} from "../../session.ts";

const BUS_2 = { kind: "bus", id: 2 } as const;
const LINE_2 = { kind: "branch", id: 2 } as const;

/** A session whose Study counts its commits. */
async function counted(): Promise<{ session: CaseSession; solves: () => number }> {
  let solves = 0;
  const counting: WorkspaceEngine = {
    ...engine,
    createStudy: async (...recipe) => {
      const study = await engine.createStudy(...recipe);
      const commit = study.commit.bind(study);
      study.commit = (...change) => {
        solves += 1;
        return commit(...change);
      };
      return study;
    },
  };
  const { session } = await openThreeBus(counting);
  return { session, solves: () => solves };
}

t.test(
  "undo and redo go between states of the history: exact, at once, and under revisions of their own",
  async (t) => {
    const { session, solves } = await counted();
    const { history } = session;
    t.strictSame([history.undoable, history.redoable], [null, null]);
    await session.undo();
    t.equal(session.state.revision, 0, "nothing to take back is no edit");
    await session.commit(LINE_2_AT_40, 0);
    await session.commitElement(BUS_2, 1);
    t.match(history.undoable, {
      state: { id: 1 },
      event: { kind: "edit", before: { deltas: {} }, after: { deltas: { 2: 1 } } },
    });

    const before = solves();
    await session.undo();
    t.equal(session.state.revision, 3, "it is an edit");
    t.strictSame(session.state.edits, LINE_2_AT_40);
    t.ok(difference(shownPrices(session), PRICES_AT_40) < 1e-9, "closed form");
    t.equal(session.state.solution.result_sha256, history.states[1]?.resultSha256);
    t.equal(history.current.id, 1);
    t.match([history.undoable, history.redoable], [{ state: { id: 0 } }, { state: { id: 2 } }]);
    await session.undo();
    t.strictSame(session.state.edits, { deltas: {}, rates: {} });
    t.ok(Math.abs((shownPrices(session)[0] ?? 0) - BASE_PRICE) < 1e-9);
    t.equal(history.undoable, null);
    await session.redo();
    await session.redo();
    t.strictSame(session.state.edits, { deltas: { 2: 1 }, rates: { 2: -210 } });
    t.ok(difference(shownPrices(session), [18.64, 31.15, 6.13]) < 1e-9);
    t.equal(solves(), before, "held results are shown without a solve");
    t.equal(session.state.revision, 6);
    t.strictSame(
      history.states.map(({ id }) => id),
      [0, 1, 2],
      "no state was added",
    );
    const activity = toldActivity(session)
      .filter(({ kind }) => kind === "edit")
      .map(({ label }) => label);
    t.strictSame(activity.slice(2), [
      "Undo: Bus 2 demand +1.0 MW",
      "Undo: Line 2 (2 to 3) rating \u2212210.0 MW",
      "Redo: Line 2 (2 to 3) rating \u2212210.0 MW",
      "Redo: Bus 2 demand +1.0 MW",
    ]);
  },
);

t.test("after an undo column, path and saved module are those of the displayed state", async (t) => {
  const { session } = await openThreeBus();
  await session.select(BUS_2);
  await session.commit(LINE_2_AT_40, 0);
  await session.commit({ deltas: {}, rates: {} }, 1);
  await session.undo();
  await until(() => session.column !== null && session.path !== null);
  t.ok(difference(session.store.column ?? [], [0.44, 1.05, -0.17]) < 1e-9, "closed form with the line at its limit");
  t.ok(Math.abs((session.path?.priceAt(0) ?? NaN) - 30.1) < 1e-9);
  const read = await engine.inspectModule(await session.saveModule());
  t.equal(read.topology.branches[1]?.rate_mw, 40);
});

t.test("an edit after an undo starts a branch, and the undone states stay listed", async (t) => {
  const { session } = await openThreeBus();
  await session.commitElement(BUS_2, 1);
  await session.commitElement(BUS_2, 2);
  await session.undo();
  await session.commitElement(LINE_2, -210);
  t.equal(session.history.redoable, null);
  t.strictSame(session.state.edits, { deltas: { 2: 1 }, rates: { 2: -210 } });
  t.strictSame(
    session.history.states.map(({ event }) => session.stepText(event)),
    ["Base case", "Bus 2 demand +1.0 MW", "Bus 2 demand +2.0 MW", "Line 2 (2 to 3) rating \u2212210.0 MW"],
  );
  await session.goTo(2);
  t.strictSame(session.state.edits, { deltas: { 2: 2 }, rates: {} });
  await session.undo();
  t.strictSame(session.state.edits, { deltas: { 2: 1 }, rates: { 2: -210 } }, "a choice is a step too");
});

t.test("every press in quick succession counts; a state without a stored result is solved again", async (t) => {
  const { session, solves } = await counted();
  for (let mw = 1; mw <= 14; mw += 1) {
    await session.commitElement(BUS_2, mw);
  }
  const before = solves();
  await Promise.all(Array.from({ length: 12 }, () => session.undo()));
  t.strictSame(session.state.edits.deltas, { 2: 2 });
  t.equal(session.state.revision, 26);
  const again = solves() - before;
  t.ok(again > 0 && again < 12, `${again} of 12 were solved again`);
  t.equal(session.state.solution.result_sha256, session.history.states[2]?.resultSha256, "to the same bits");
  await Promise.all([session.redo(), session.redo(), session.undo(), session.redo()]);
  t.strictSame(session.state.edits.deltas, { 2: 4 });
});

t.test("an unreleased move is cancelled first", async (t) => {
  const { session } = await openThreeBus();
  await session.select(BUS_2);
  await session.commitElement(BUS_2, 5);
  session.preview(9);
  await session.undo();
  t.equal(session.previewMw, null);
  t.equal(session.state.revision, 1, "the commit before it stays");
  await session.undo();
  t.strictSame(session.state.edits.deltas, {});
});

t.test("states have permanent names", async (t) => {
  const { session } = await openThreeBus();
  const { history } = session;
  let heard = 0;
  history.changed.connect(() => (heard += 1));
  await session.commitElement(BUS_2, 1);
  const committed = heard;
  history.rename(1, "  One\nmore MW  ");
  t.equal(heard, committed + 1);
  t.equal(history.current.name, "One more MW");
  t.equal(session.stateName(history.current), "1: One more MW", "beside their number");
  t.equal(session.stateName(history.states[0] ?? history.current), "0: Base case");
  await session.setReference(history.current);
  history.rename(1, "x".repeat(500));
  t.equal(history.reference.state.name?.length, 120);
  for (let mw = 2; mw <= 205; mw += 1) {
    await session.commitElement(BUS_2, mw / 10);
  }
  t.ok(history.stateOf(1), "a state with a name is not forgotten");
  t.equal(history.stateOf(2), null, "others are, the oldest first");
  history.rename(1, " ");
  t.equal(history.stateOf(1)?.name, null);
  while (history.undoable !== null) {
    await session.undo();
  }
  t.equal(history.current.id, 0, "undo passes over states that are gone");
});

t.test("a kernel orders undo as an edit, and its own commits are never lost", async (t) => {
  const kernel = new FakeKernel();
  const sync = new MapSync(new Workspace(engine), kernel);
  let following: Promise<unknown> = Promise.resolve();
  kernel.onMessage = (message, buffers) => sync.receive(message, buffers);
  kernel.onTraits = (names) => {
    following = sync.traitsChanged(names);
  };
  const session = await sync.session;
  await session.commitElement(BUS_2, 5);
  await session.undo();
  t.match(kernel.received.at(-1), { kind: "commit", base_revision: 1, edits: { deltas: {}, rates: {} } });
  t.equal(kernel.state.revision, 2);
  await session.redo();
  t.strictSame(kernel.state.deltas, { 2: 5 });

  const late = session.undo();
  await kernel.commit({ 1: 3 }, {});
  await t.rejects(late, { code: "REVISION.STALE" });
  await following;
  t.strictSame(kernel.state.deltas, { 1: 3 }, "the kernel's commit stands");
  t.strictSame(session.state.edits.deltas, { 1: 3 });
  await session.undo();
  t.strictSame(kernel.state.deltas, { 2: 5 }, "once it is seen it can be taken back like any other");
});

async function until(done: () => boolean): Promise<void> {
  while (!done()) {
    await new Promise((resolve) => setTimeout(resolve));
  }
}
