import t from "tap";
import { CONTRACT_VERSION } from "@service/engine";
import { ElementEdit, Workspace } from "@service/widgets/workspace";
import { connect } from "./connectedKernel.ts";
import { eventually } from "../../eventually.ts";
import { FakeKernel } from "./fakeKernel.ts";
import { difference, engine, LINE_2_AT_40, PRICES_AT_40, shownPrices } from "../session.ts";

t.test("the module is requested once, its parts in any order, and not before a view needs it", async (t) => {
  const { kernel, sync } = connect();
  t.strictSame(kernel.received, []);
  const [session, again] = await Promise.all([sync.session, sync.session]);
  t.equal(session, again, "several views show one session");
  t.strictSame(
    kernel.received.map(({ kind }) => kind),
    ["need_module"],
  );
  t.equal(session.state.revision, 0);
});

t.test("a commit of the page advances the kernel once", async (t) => {
  const { kernel, sync, follow } = connect();
  const session = await sync.session;
  await session.commit(LINE_2_AT_40, 0);
  await follow();
  t.equal(session.state.revision, 1);
  t.equal(kernel.state.revision, 1);
  t.strictSame(kernel.state.rates, LINE_2_AT_40.rates);
  t.equal(session.state.otherSha256, null, "page and kernel have one result");
  const [, commit] = kernel.received;
  t.match(commit, { kind: "commit", base_revision: 0, result_sha256: session.state.solution.result_sha256 });
});

t.test("a commit in the kernel moves the page", async (t) => {
  const { kernel, sync, follow } = connect();
  const session = await sync.session;
  await kernel.commit({}, LINE_2_AT_40.rates);
  await follow();
  t.equal(session.state.revision, 1);
  t.ok(difference(shownPrices(session), PRICES_AT_40) < 1e-9);
  t.equal(session.state.otherSha256, null);
});

t.test("of simultaneous changes the kernel's comes first, and the page takes it and reports that", async (t) => {
  const { kernel, sync, follow } = connect();
  const session = await sync.session;
  const late = session.commit({ deltas: { 2: 10 }, rates: {} }, 0);
  await kernel.commit({}, LINE_2_AT_40.rates);
  await t.rejects(late, { code: "REVISION.STALE" });
  await follow();
  t.equal(session.state.revision, 1);
  t.strictSame(session.state.edits, LINE_2_AT_40);
  t.equal(kernel.state.revision, 1, "nothing was lost or doubled");
});

t.test("a map opened on an edited study starts there", async (t) => {
  const kernel = new FakeKernel();
  await kernel.commit({}, LINE_2_AT_40.rates);
  kernel.state.selection = { kind: "bus", id: 2 };
  const session = await connect(kernel).sync.session;
  t.equal(session.state.revision, 1);
  t.strictSame(session.selection, { kind: "bus", id: 2 });
  t.ok(difference(session.store.column ?? [], [0.44, 1.05, -0.17]) < 1e-9);
});

t.test("selections are synchronised in both directions", async (t) => {
  const { kernel, sync } = connect();
  const session = await sync.session;
  await session.select({ kind: "branch", id: 3 });
  t.strictSame(kernel.state.selection, { kind: "branch", id: 3 });
  kernel.state.selection = { kind: "bus", id: 1 };
  await sync.traitsChanged(["selection"]);
  t.strictSame(session.selection, { kind: "bus", id: 1 });
});

t.test("choices on a map reach the kernel, with its height", async (t) => {
  const { kernel, sync } = connect();
  kernel.state.view = { height: 300, quantity: "lmp" };
  const style = { cmap: "viridis" };
  sync.showing("voltage", "losses", style);
  t.strictSame(kernel.state.view, { height: 300, quantity: "voltage", lines: "losses", style });
  const view = kernel.state.view;
  sync.showing("voltage", "losses", { ...style });
  t.equal(kernel.state.view, view, "once");
});

t.test("all selected elements are synchronised in both directions, the primary one last", async (t) => {
  const [bus, line, other] = [
    { kind: "bus", id: 1 },
    { kind: "branch", id: 3 },
    { kind: "bus", id: 2 },
  ] as const;
  const { kernel, sync } = connect();
  kernel.state.selected = [line, bus];
  kernel.state.selection = bus;
  const session = await sync.session;
  t.strictSame(session.selected, [line, bus], "a map opened on several");
  await session.toggle(other);
  t.strictSame([kernel.state.selected, kernel.state.selection], [[line, bus, other], other]);
  await session.makePrimary(line);
  t.strictSame([kernel.state.selected, kernel.state.selection], [[bus, other, line], line]);

  kernel.state.selected = [other, bus]; // like a cell: the list first, then its last element
  await sync.traitsChanged(["selected"]);
  t.strictSame(session.selected, [other, bus]);
  t.strictSame([kernel.state.selected, kernel.state.selection], [[other, bus], bus]);
  kernel.state.selection = other; // and in the reverse order
  await sync.traitsChanged(["selection"]);
  t.strictSame(session.selected, [bus, other], "one that is selected already becomes the primary");
  t.strictSame(kernel.state.selected, [bus, other], "and the page says the same as the kernel");
  kernel.state.selection = line;
  await sync.traitsChanged(["selection"]);
  t.strictSame(session.selected, [line], "another one is selected alone");
  kernel.state.selection = null;
  await sync.traitsChanged(["selection"]);
  t.strictSame([session.selected, kernel.state.selected], [[], []]);
});

t.test("a kernel of an older version receives the primary element alone", async (t) => {
  const { kernel, sync } = connect();
  delete kernel.state.selected;
  kernel.state.selection = { kind: "bus", id: 1 };
  const session = await sync.session;
  t.strictSame(session.selected, [{ kind: "bus", id: 1 }]);
  await session.toggle({ kind: "bus", id: 2 });
  t.strictSame(kernel.state.selection, { kind: "bus", id: 2 });
  t.notOk("selected" in kernel.state);
});

t.test("a result that differs from the kernel's is reported", async (t) => {
  const { kernel, sync } = connect();
  const session = await sync.session;
  kernel.state.result_sha256 = "f".repeat(64);
  await sync.traitsChanged(["result_sha256"]);
  t.equal(session.state.otherSha256, "f".repeat(64));
});

t.test("when the kernel ends, the page publishes pending changes and continues alone", async (t) => {
  const { kernel, sync } = connect();
  const session = await sync.session;
  kernel.silent = true;
  const waiting = session.commit(LINE_2_AT_40, 0);
  await eventually.equal(t, async () => kernel.received.at(-1)?.kind, "commit");
  kernel.live = false;
  sync.disconnected();
  await waiting;
  t.equal(session.state.revision, 1);
  await session.reset();
  t.equal(session.state.revision, 2);
  t.equal(kernel.received.length, 2, "nothing was sent to a kernel that is gone");
});

t.test("a kernel with another contract is refused with a message", async (t) => {
  const kernel = new FakeKernel();
  kernel.contract = "0".repeat(64);
  await t.rejects(connect(kernel).sync.session, {
    code: "CONTRACT.DIFFERS",
    message: /this page runs Wattbook .* the kernel 9\.9/i,
  });
});

t.test("a kernel with another contract is refused even if the page has the case", async (t) => {
  const workspace = new Workspace(engine);
  await connect(new FakeKernel(), workspace).sync.session;
  const upgraded = new FakeKernel();
  upgraded.state.engine = { version: "9.9", contract_sha256: "0".repeat(64) };
  await t.rejects(connect(upgraded, workspace).sync.session, {
    code: "CONTRACT.DIFFERS",
    message: /this page runs Wattbook .* the kernel 9\.9/i,
  });
  t.strictSame(upgraded.received, [], "the kernel received no request");

  const rebuilt = new FakeKernel();
  rebuilt.state.engine = { version: CONTRACT_VERSION, contract_sha256: "0".repeat(64) };
  await t.rejects(connect(rebuilt, workspace).sync.session, {
    code: "CONTRACT.DIFFERS",
    message: `Page and kernel run different builds of Wattbook ${CONTRACT_VERSION}: restart the kernel and reload the page.`,
  });
});

t.test("errors of the kernel and a missing kernel are reported in the view", async (t) => {
  const other = new FakeKernel();
  other.state.case_sha256 = "0".repeat(64);
  await t.rejects(connect(other).sync.session, { code: "MODULE.UNKNOWN", message: "Another case." });
  const gone = new FakeKernel();
  gone.live = false;
  await t.rejects(connect(gone).sync.session, { code: "KERNEL.GONE" });
});

t.test("answers to other pages are ignored", async (t) => {
  const { kernel, sync } = connect();
  const opening = sync.session;
  kernel.onMessage({ id: "somebody-1", kind: "ack", revision: 5, result_sha256: "" }, []);
  t.equal((await opening).state.revision, 0);
});

t.test("a closed model ends its session", async (t) => {
  const { sync, workspace } = connect();
  await sync.session;
  t.equal(workspace.sessions.length, 1);
  sync.dispose();
  t.equal(workspace.sessions.length, 0);
  await t.rejects(sync.session, { code: "ABORTED" }, "nobody gets it any more");
  const early = connect();
  const opening = early.sync.session;
  early.sync.dispose();
  await t.rejects(opening, { code: "ABORTED" });
  t.equal(early.workspace.sessions.length, 0, "also when it was still opening");
});

t.test("a map that waits for its kernel is cancelled at once, and opened when it is requested again", async (t) => {
  const { kernel, sync, workspace } = connect();
  kernel.silent = true;
  const opening = sync.session;
  sync.cancelOpening();
  await t.rejects(opening, { code: "ABORTED" });
  t.equal(workspace.sessions.length, 0);
  kernel.silent = false;
  t.equal((await sync.session).state.revision, 0);
  sync.cancelOpening();
  t.equal(workspace.sessions.length, 1, "what is open stays");
});

t.test("concurrent changes of several elements from both sides are not lost", async (t) => {
  const { kernel, sync, follow } = connect();
  const session = await sync.session;
  await session.selectMany([
    { kind: "branch", id: 2 },
    { kind: "bus", id: 2 },
  ]);
  const page: Promise<void>[] = [];
  for (let round = 1; round <= 6; round += 1) {
    // A cell moves bus 1 and line 1 while the page moves bus 2, bus 3 and line 2, and adds to the demand of bus 1.
    page.push(session.edit([{ element: { kind: "bus", id: 2 }, mw: round }]));
    page.push(
      session.edit([
        { element: { kind: "branch", id: 2 }, mw: -round },
        { element: { kind: "bus", id: 3 }, mw: 2 * round },
      ]),
    );
    const { deltas, rates } = kernel.state;
    await kernel.commit({ ...deltas, 1: (deltas["1"] ?? 0) + 10 }, { ...rates, 1: -round });
    page.push(session.edit([{ element: { kind: "bus", id: 1 }, mw: 0.5 }], "increment"));
  }
  await Promise.all(page);
  await follow();
  t.strictSame(kernel.state.deltas, { 1: 63, 2: 6, 3: 12 });
  t.strictSame(kernel.state.rates, { 1: -6, 2: -6 });
  t.strictSame(session.state.edits, { deltas: kernel.state.deltas, rates: kernel.state.rates });
  t.equal(session.state.revision, kernel.state.revision);
  t.equal(session.state.otherSha256, null);
});

t.test("a value that a cell has set meanwhile is not overwritten silently", async (t) => {
  const { kernel, sync, follow } = connect();
  const session = await sync.session;
  const late = session.edit([{ element: { kind: "bus", id: 2 }, mw: 10 }]);
  await kernel.commit({ 2: 25 }, {});
  await t.rejects(late, { code: "REVISION.STALE", message: /bus 2/ });
  await follow();
  t.strictSame(session.state.edits.deltas, { 2: 25 });
  t.match(session.status, { kind: "failed", code: "REVISION.STALE" });
  await session.edit([{ element: { kind: "bus", id: 2 }, mw: 10 }]);
  t.strictSame(kernel.state.deltas, { 2: 10 }, "requested again, now that it was seen");
});

t.test("a drag sends one message over the comm, whatever its number of frames", async (t) => {
  const { kernel, sync } = connect();
  const session = await sync.session;
  const one = { kind: "bus", id: 2 } as const;
  await session.selectMany([{ kind: "branch", id: 2 }, one]);
  const before = kernel.received.length;
  let saved = 0;
  const save = kernel.save.bind(kernel);
  kernel.save = (changed) => {
    saved += 1;
    save(changed);
  };
  const hand = new ElementEdit(session, one);
  for (let mw = 1; mw <= 200; mw += 1) {
    hand.move(mw / 10);
  }
  await hand.release(20);
  t.equal(kernel.received.length - before, 1);
  t.equal(saved, 0, "and no trait");
});

t.test("the kernel receives the primary element, and its own selection replaces all others", async (t) => {
  const { kernel, sync } = connect();
  const session = await sync.session;
  const two = [
    { kind: "branch", id: 3 },
    { kind: "bus", id: 1 },
  ] as const;
  await session.selectMany(two);
  t.strictSame(kernel.state.selection, { kind: "bus", id: 1 });
  await sync.traitsChanged(["selection"]);
  t.strictSame(session.selected, two, "an echo changes nothing");
  kernel.state.selection = { kind: "bus", id: 2 };
  await sync.traitsChanged(["selection"]);
  t.strictSame(session.selected, [{ kind: "bus", id: 2 }]);
});

t.test(
  "what a map lost with its kernel is offered to the next map of the case, once and never put in silently",
  async (t) => {
    const first = connect();
    const session = await first.sync.session;
    await session.commitElement({ kind: "branch", id: 2 }, 40 - 250);
    first.kernel.live = false;
    first.sync.disconnected();
    await session.commitElement({ kind: "bus", id: 2 }, 5); // the page continues alone
    const wanted = { deltas: { 2: 5 }, rates: LINE_2_AT_40.rates };
    t.strictSame(session.state.edits, wanted);

    const other = new FakeKernel();
    other.state.options = { dc_convention: "matpower" };
    const elsewhere = connect(other, first.workspace);
    await elsewhere.sync.session;
    t.equal(elsewhere.sync.takeEarlier(), null, "a Study with other options is another");

    const second = connect(new FakeKernel(), first.workspace);
    const again = await second.sync.session;
    t.strictSame(again.state.edits, { deltas: {}, rates: {} }, "a notebook that is run again gives what its cells say");
    t.strictSame(second.sync.takeEarlier(), wanted);
    t.equal(second.sync.takeEarlier(), null);
    await again.commit(wanted, again.state.revision);
    t.strictSame(second.kernel.state.deltas, wanted.deltas);
    t.strictSame(second.kernel.state.rates, wanted.rates);

    const third = connect(new FakeKernel(), first.workspace);
    await third.sync.session;
    t.equal(third.sync.takeEarlier(), null, "offered once");
  },
);

t.test("the page follows a kernel that reconnects after it has continued alone", async (t) => {
  const { kernel, sync } = connect();
  const session = await sync.session;
  await session.commit(LINE_2_AT_40, 0);
  kernel.live = false;
  for (const mw of [1, 2, 3]) {
    await session.edit([{ element: { kind: "bus", id: 2 }, mw }]);
  }
  t.equal(session.state.revision, 4);
  kernel.live = true;
  await sync.traitsChanged(["revision"]);
  t.equal(session.state.revision, 1);
  t.strictSame(session.state.edits, LINE_2_AT_40);
  await session.edit([{ element: { kind: "bus", id: 2 }, mw: 3 }]);
  t.equal(kernel.state.revision, 2, "and is requested again");
});
