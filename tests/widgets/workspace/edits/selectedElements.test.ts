import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import t from "tap";
import { searchElements } from "@service/widgets/map";
import {
  type CaseSession,
  ElementEdit,
  ElementSlider,
  groupMoves,
  NO_EDITS,
  type SelectedList,
  type Selection,
  selectionColumns,
  type SessionChange,
  Workspace,
} from "@service/widgets/workspace";
import { difference, engine, LINE_2_AT_40, openThreeBus, PRICES_AT_40, shownPrices } from "../../session.ts";

const BUS_1: Selection = { kind: "bus", id: 1 };
const BUS_2: Selection = { kind: "bus", id: 2 };
const LINE_2: Selection = { kind: "branch", id: 2 };

t.test("several elements are selected, the last one is the primary", async (t) => {
  const { session } = await openThreeBus();
  const heard: SessionChange[] = [];
  session.changed.connect((_, change) => heard.push(change));
  await session.selectMany([BUS_2, { kind: "bus", id: 77 }, LINE_2, BUS_2, BUS_1]);
  t.strictSame(session.selected, [LINE_2, BUS_2, BUS_1], "each once, where it is named last; the unknown is left out");
  t.strictSame(session.selection, BUS_1);
  t.equal(heard.filter((change) => change === "selection").length, 1);

  await session.toggle(BUS_1);
  t.strictSame(session.selection, BUS_2);
  t.strictSame(session.column?.bus, 2);
  await session.toggle(BUS_1);
  t.strictSame(session.selected, [LINE_2, BUS_2, BUS_1]);
  await session.makePrimary(LINE_2);
  t.strictSame(session.selected, [BUS_2, BUS_1, LINE_2]);
  await session.makePrimary({ kind: "bus", id: 3 });
  t.strictSame(session.selected, [BUS_2, BUS_1, LINE_2], "what is not selected does not become the primary");
  await session.select(BUS_2);
  t.strictSame(session.selected, [BUS_2], "one alone");
  await session.select(null);
  t.strictSame(session.selected, []);
  t.equal(session.selection, null);
});

t.test("every selected element has its column, also after a commit: closed forms", async (t) => {
  const { session } = await openThreeBus();
  await session.selectMany([LINE_2, BUS_2]);
  await session.commit(LINE_2_AT_40, 0);
  await columnOf(session, LINE_2);
  t.ok(difference(session.responseOf(BUS_2)?.dense?.values ?? [], [0.44, 1.05, -0.17]) < 1e-9);
  t.ok(difference(session.responseOf(LINE_2)?.dense?.values ?? [], [-0.66, -1.83, 0.51]) < 1e-9);
  t.equal(session.store.dense, session.responseOf(BUS_2)?.dense, "maps show that of the primary");
  void session.makePrimary(LINE_2);
  t.equal(session.store.dense, session.responseOf(LINE_2)?.dense, "known already: no wait");
});

t.test("edits of several elements are one commit, and one exact state", async (t) => {
  const { session } = await openThreeBus();
  const other = (await openThreeBus()).session;
  await session.selectMany([LINE_2, BUS_2]);
  await session.edit([
    { element: LINE_2, mw: -210 },
    { element: BUS_2, mw: 1 },
  ]);
  t.equal(session.state.revision, 1);
  t.strictSame(session.state.edits, { deltas: { 2: 1 }, rates: { 2: -210 } });
  await other.commit({ deltas: { 2: 1 }, rates: { 2: -210 } }, 0);
  t.equal(session.state.solution.result_sha256, other.state.solution.result_sha256);
  t.ok(difference(shownPrices(session), [18.64, 31.15, 6.13]) < 1e-9);

  await session.edit([{ element: BUS_2, mw: 0.1 }], "increment");
  await session.edit([{ element: BUS_2, mw: 0.2 }], "increment");
  t.strictSame(session.state.edits.deltas, { 2: 1.3 }, "sums are free of binary dust");
  await session.edit([{ element: BUS_2, mw: -1.3 }], "increment");
  t.strictSame(session.state.edits, { deltas: {}, rates: { 2: -210 } });
  t.equal(session.state.revision, 4);
  await session.edit([{ element: BUS_2, mw: 0 }]);
  t.equal(session.state.revision, 4, "no change is no commit");
});

t.test("no edit in quick succession is lost", async (t) => {
  const { session } = await openThreeBus();
  await Promise.all([
    session.edit([{ element: BUS_2, mw: 5 }]),
    session.edit([{ element: BUS_1, mw: 3 }]),
    session.edit([{ element: LINE_2, mw: -10 }]),
    session.edit([{ element: BUS_2, mw: 2 }], "increment"),
  ]);
  t.strictSame(session.state.edits, { deltas: { 1: 3, 2: 7 }, rates: { 2: -10 } });
  t.equal(session.state.revision, 4);
});

t.test("one invalid edit of several refuses all of them", async (t) => {
  const { session } = await openThreeBus();
  const before = session.state;
  const moves = [
    { element: BUS_1, mw: 3 },
    { element: BUS_2, mw: -500 },
  ];
  await t.rejects(session.edit(moves), { code: "DELTA.NEGATIVE_DEMAND", message: /bus 2/ });
  t.equal(session.state, before);
});

t.test("a drag of a row makes its element the primary one with the preview", async (t) => {
  const { session } = await openThreeBus();
  await session.commit(LINE_2_AT_40, 0);
  await session.selectMany([BUS_2, LINE_2]);
  await columnOf(session, BUS_2);
  const hand = new ElementEdit(session, BUS_2);
  hand.move(1);
  t.strictSame(session.selection, BUS_2);
  t.strictSame(session.selected, [LINE_2, BUS_2], "the others stay selected");
  t.ok(difference(shownPrices(session), [18.64, 31.15, 6.13]) < 1e-9, "from a column that was there");
  await session.toggle(LINE_2);
  t.equal(session.previewMw, 1, "the primary is still the same");
  await session.toggle(BUS_1);
  t.equal(session.previewMw, null, "another primary ends it");
  t.ok(difference(shownPrices(session), PRICES_AT_40) < 1e-9);
  await session.select(BUS_1);
  hand.move(2);
  t.equal(session.previewMw, null, "an element that is not selected any more has no hand on it");
});

t.test("columns of a previous state are ignored", async (t) => {
  const { session } = await openThreeBus();
  const published: (Selection | null)[] = [];
  session.changed.connect((_, change) => {
    if (change === "responses") {
      published.push(session.state.revision === 1 ? LINE_2 : null);
    }
  });
  void session.selectMany([LINE_2, BUS_2]);
  await session.commit(LINE_2_AT_40, 0);
  await columnOf(session, LINE_2);
  t.ok(difference(session.responseOf(LINE_2)?.dense?.values ?? [], [-0.66, -1.83, 0.51]) < 1e-9);
  t.strictSame(published.at(-1), LINE_2);
});

t.test(
  "star points and windings of three-winding transformers cannot be edited, and the search has them last",
  async (t) => {
    const texas = await readFile(new URL("../../../../server/grids/texas.json.gz", import.meta.url));
    const workspace = new Workspace(engine);
    const opened = await workspace.caseOf(await engine.inspectModule(gunzipSync(texas).toString()), "Texas");
    const session = await workspace.openSession({ opened, caseId: "texas", caseName: "Texas", formulation: "dcopf" });
    const starPoint: Selection = { kind: "bus", id: 6701 };
    const winding: Selection = { kind: "branch", id: 7771 };
    const reasons: [Selection, string][] = [
      [starPoint, "This is a transformer's internal node and cannot be edited."],
      [winding, "This is a winding of a three-winding transformer and cannot be edited."],
    ];
    for (const [element, reason] of reasons) {
      await session.select(element);
      t.equal(session.columnProblem, reason);
      t.equal(new ElementSlider(session, element, () => () => undefined).problem, reason, "its controls are disabled");
      await session.pathSettled;
      t.strictSame([session.path, session.pathProblem], [null, null], "no path is requested");
    }
    await session.select({ kind: "bus", id: 1 });
    t.equal(session.columnProblem, null);

    t.equal(opened.busName(opened.busRow(6701)), "Houston", "the name of the star point is the text itself");
    const found = searchElements(session, "houston", 10_000).found.map(({ element }) => element);
    const buses = found.filter(({ kind }) => kind === "bus").map(({ id }) => opened.isEditable({ kind: "bus", id }));
    const first = buses.indexOf(false);
    t.ok(first > 0 && buses.slice(first).every((editable) => !editable), "all buses of Houston come before it");
    t.strictSame(searchElements(session, "6701", 1).found[0]?.element, starPoint, "its number finds it");
    session.dispose();
  },
);

/** Resolves when the column of an element at the published state is known. */
async function columnOf(session: CaseSession, element: Selection): Promise<void> {
  while (session.responseOf(element) === null) {
    await new Promise((resolve) => setTimeout(resolve));
  }
}

t.test("a selection changes its values as study.changes of Python does", async (t) => {
  const { session } = await openThreeBus();
  const { opened } = session;
  const columns = (selected: SelectedList): unknown =>
    selectionColumns(opened, session.state.edits, selected).map(({ column, elements, implied }) => [
      column,
      elements.map(({ id }) => id),
      implied,
    ]);
  t.strictSame(
    columns([
      { kind: "bus", id: 2 },
      { kind: "bus", id: 3 },
    ]),
    [
      ["demand", [2, 3], false],
      ["rating", [2], true],
      ["branch_status", [2], true],
      ["capacity", [2], true],
      ["p_min", [2], true],
      ["cost", [2], true],
      ["generator_status", [2], true],
    ],
    "the line between the buses, and the generator at one of them",
  );
  await session.setStatus({ kind: "branch", id: 1 }, false);
  t.strictSame(
    columns([
      { kind: "branch", id: 1 },
      { kind: "branch", id: 3, value: "shift" },
    ]),
    [
      ["rating", [3], false],
      ["branch_status", [1, 3], false],
    ],
    "a line out of service has no rating to change",
  );
  await session.undo();
  // study.changes("demand", factor=1.1) at +10 MW on 90 MW: 110 MW, and nothing where there is no demand.
  await session.edit([{ element: { kind: "bus", id: 2 }, mw: 10 }]);
  const buses: SelectedList = [1, 2, 3].map((id) => ({ kind: "bus", id }));
  const factor = groupMoves(opened, session.state.edits, buses, "factor", 1.1);
  t.strictSame(factor, { moves: [{ element: { kind: "bus", id: 2 }, mw: 20 }], as: "set" });
  const units: SelectedList = [1, 2].map((id) => ({ kind: "generator", id }));
  const { moves, as } = groupMoves(opened, session.state.edits, units, "factor", 0.9);
  const states = session.history.states.length;
  await session.edit(moves, as);
  t.strictSame(session.state.edits.generators, { 1: { p_max: 225 }, 2: { p_max: 243 } });
  t.equal(session.history.states.length, states + 1, "one step");
  const floors: SelectedList = [1, 2].map((id) => ({ kind: "generator", id, value: "p_min" }));
  await session.edit(groupMoves(opened, session.state.edits, floors, "value", 30).moves);
  t.strictSame(session.state.edits.generators, { 1: { p_max: 225, p_min: 30 }, 2: { p_max: 243, p_min: 30 } });
  await session.edit(groupMoves(opened, session.state.edits, floors, "add", 5).moves, "increment");
  t.match(session.state.edits.generators, { 1: { p_min: 35 }, 2: { p_min: 35 } });
  await t.rejects(session.edit(groupMoves(opened, session.state.edits, floors, "value", 300).moves), {
    code: "GENERATOR.LIMITS",
  });
  t.match(session.state.edits.generators, { 1: { p_min: 35 }, 2: { p_min: 35 } }, "the state before stays");
});

t.test("statuses of several elements are one step, or none if nothing changes", async (t) => {
  const { session } = await openThreeBus();
  const both: SelectedList = [
    { kind: "generator", id: 2 },
    { kind: "branch", id: 3 },
  ];
  await session.setStatusOf(both, false);
  t.strictSame(session.state.edits, {
    deltas: {},
    rates: {},
    generators: { 2: { status: false } },
    branches: { 3: { status: false } },
  });
  const { revision } = session.state;
  await session.setStatusOf(both, false);
  t.equal(session.state.revision, revision);
  await session.setStatusOf(both, null);
  t.strictSame(session.state.edits, NO_EDITS);
});
