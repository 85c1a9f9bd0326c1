import t from "tap";
import { addedName, editsText, listAdded, NO_EDITS, PRICE } from "@service/widgets/workspace";
import { LINE_2_AT_40, openThreeBus } from "../../session.ts";

t.test("an added circuit has rows and edits, which are removed with it", async (t) => {
  const { session } = await openThreeBus();
  const { opened } = session;
  await session.commit(LINE_2_AT_40, 0);
  const before = [0, 1, 2].map((row) => session.store.shownAt(PRICE, row));
  await session.add({ branches: [{ copy_of: 2, rating: 25, name: "second circuit" }] });
  t.equal(opened.branches.length, 4);
  t.match(opened.branches[3], { id: 4, uid: "second circuit", rate_mw: 25 });
  t.strictSame([opened.branchRow(4), opened.fromRow.length, opened.rowsOfCase.branches.length], [3, 4, 3]);
  // It carries half of 0.8 p3 + 0.4 p1, which it holds at 50 MW.
  t.ok(Math.abs(session.store.shownAt("dispatch_mw", 1) - 35) < 1e-6);
  t.equal(session.store.columns.at("rating_mw", 3), 25);
  const element = { kind: "branch", id: 4 } as const;
  await session.select(element);
  t.strictSame(session.selection, element);
  await session.commitElement(element, 5);
  t.ok(Math.abs(session.store.shownAt("dispatch_mw", 1) - 60) < 1e-6);
  const name = opened.nameOf("branch", 2);
  t.equal(
    editsText(NO_EDITS, { ...NO_EDITS, added: session.state.edits.added ?? {} }, opened, "dcopf"),
    `Parallel circuit \u201csecond circuit\u201d of ${name} added`,
  );
  // Undone and redone with its rows; a selection of what is gone ends.
  await session.undo();
  await session.undo();
  t.equal(opened.branches.length, 3);
  t.equal(session.selection, null);
  await session.redo();
  t.equal(opened.branches.length, 4);
  await session.redo();
  const [circuit] = listAdded(session.state.edits.added);
  if (circuit === undefined) throw new Error("no circuit");
  await session.remove(circuit);
  t.strictSame(session.state.edits, LINE_2_AT_40);
  t.strictSame(
    [0, 1, 2].map((row) => session.store.shownAt(PRICE, row)),
    before,
  );
});

t.test("edits follow the ids of their elements", async (t) => {
  const { session } = await openThreeBus();
  await session.add({ generators: [{ bus: 2, p_max: 5, cost: 40 }] });
  await session.add({ generators: [{ bus: 2, p_max: 60, cost: 0, name: "peaker" }], loads: [{ bus: 2, p: 1 }] });
  await session.setGenerator(4, { p_max: 50 });
  const [first] = listAdded(session.state.edits.added);
  if (first === undefined) throw new Error("no generator");
  await session.remove(first);
  t.strictSame(session.state.edits.generators, { 3: { p_max: 50 } });
  t.strictSame(session.opened.generators[2]?.uid, "peaker");
  t.strictSame(
    listAdded(session.state.edits.added).map((element) => addedName(element, session.opened)),
    ["generator \u201cpeaker\u201d at bus 2, 60.0 MW", "load of 1.0 MW at bus 2"],
  );
});

t.test("a refused element leaves the state", async (t) => {
  const { session } = await openThreeBus();
  const { edits } = session.state;
  await t.rejects(session.add({ branches: [{ from: 1, to: 2 }] }), { code: "ADDED.MALFORMED" });
  await t.rejects(session.add({ loads: [{ bus: 2, p: 1e6 }] }), { code: "SOLVE.INFEASIBLE" });
  t.equal(session.state.edits, edits);
  t.equal(session.opened.branches.length, 3);
});

t.test("two sessions of one case have rows of their own", async (t) => {
  const { session, workspace } = await openThreeBus();
  const other = await workspace.openSession({
    opened: session.opened,
    caseId: "other",
    caseName: "",
    formulation: "dcopf",
  });
  await session.add({ branches: [{ copy_of: 1 }] });
  t.equal(session.opened.branches.length, 4);
  t.equal(other.opened.branches.length, 3);
  t.equal(other.geography, session.geography);
});
