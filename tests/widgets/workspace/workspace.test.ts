import t from "tap";
import { canonicalEdits, listChanges, NO_EDITS, OpenedCase, sameEdits, Workspace } from "@service/widgets/workspace";
import { engine, ingested, openThreeBus } from "../session.ts";

t.test("a case is fetched once for all sessions and released with the last", async (t) => {
  const workspace = new Workspace(engine);
  let fetched = 0;
  const open = (): Promise<OpenedCase> =>
    workspace.openCase(ingested.sha256, () => {
      fetched += 1;
      return Promise.resolve(ingested.module_json);
    });
  const [first, second] = await Promise.all([open(), open()]);
  t.equal(first, second);
  t.equal(fetched, 1);
  const request = { opened: first, caseId: "c", caseName: "c", formulation: "dcopf" } as const;
  const [a, b] = [await workspace.openSession(request), await workspace.openSession(request)];
  workspace.closeSession(a);
  await open();
  t.equal(fetched, 1);
  workspace.closeSession(b);
  await open();
  t.equal(fetched, 2);
});

t.test("a module with another hash is refused, and may be requested again", async (t) => {
  const workspace = new Workspace(engine);
  const wrong = (): Promise<string> => Promise.resolve(ingested.module_json);
  await t.rejects(workspace.openCase("0".repeat(64), wrong), { message: /SHA-256 differs/ });
  t.ok(await workspace.openCase(ingested.sha256, wrong));
});

t.test("one session is in front, and its successor when it ends", async (t) => {
  const { workspace, opened, session } = await openThreeBus();
  const other = await workspace.openSession({ opened, caseId: "b", caseName: "b", formulation: "dcopf" });
  const heard: string[] = [];
  workspace.changed.connect((_, change) => heard.push(change));
  workspace.activate(session);
  workspace.activate(session);
  workspace.activate(other);
  t.equal(workspace.active, other);
  workspace.closeSession(other);
  t.equal(workspace.active, session);
  t.strictSame(heard, ["active", "active", "sessions", "active"]);
  workspace.activate(other);
  t.equal(workspace.active, session, "an ended session cannot come to the front");
  workspace.closeSession(session);
  t.equal(workspace.active, null);
});

t.test("elements have names and rows", async (t) => {
  const { opened } = await openThreeBus();
  t.equal(opened.nameOf("bus", 2), "bus 2");
  t.equal(opened.nameOf("branch", 2), "line 2 (2 to 3)");
  t.equal(opened.nameOf("generator", 2), "generator 2 at bus 3");
  t.equal(opened.busRow(3), 2);
  t.equal(opened.busRow(4), -1);
  t.equal(opened.baseMw({ kind: "bus", id: 2 }), 90);
  t.equal(opened.baseMw({ kind: "branch", id: 1 }), 250);
  t.strictSame([...opened.fromRow], [0, 1, 0]);
});

t.test(
  "edits: two spellings of one element add up, zeros go away, the unknown stays to be refused by name",
  async (t) => {
    const buses = ingested.topology.buses.map((bus) => ({ ...bus, uid: `load-${bus.id}` }));
    const opened = OpenedCase.of({ ...ingested, topology: { ...ingested.topology, buses } }, engine);
    const canonical = canonicalEdits({ deltas: { "load-2": 5, 2: 7, 1: 0, nobody: 3 }, rates: { 1: 4 } }, opened);
    t.ok(sameEdits(canonical, { deltas: { 2: 12, nobody: 3 }, rates: { 1: 4 } }));
    t.notOk(sameEdits(canonical, NO_EDITS));
    t.notOk("reactive" in canonical, "reactive demand is not mentioned");
    const reactive = canonicalEdits({ ...NO_EDITS, reactive: { "load-2": 5, 2: -5 } }, opened);
    t.strictSame(reactive.reactive, { 2: 0 }, "a zero is a change of its own");
    t.notOk(sameEdits(reactive, NO_EDITS));
    t.strictSame(listChanges({ deltas: { 2: 12, 1: -1 }, rates: { 3: 4 } }, opened), [
      { kind: "bus", id: 1, baseMw: 0, deltaMw: -1 },
      { kind: "bus", id: 2, baseMw: 90, deltaMw: 12 },
      { kind: "branch", id: 3, baseMw: 250, deltaMw: 4 },
    ]);
  },
);
