// The times when the browser stores a Study: some time after the last change, and never while a slider is held.
import { Signal } from "@lumino/signaling";
import { type StoredStudy, StudyChangedError, StudySaver, type StudyStore } from "@service/widgets/page";
import { StudyWriter, Workspace } from "@service/widgets/workspace";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { engine, openThreeBus } from "../session.ts";

const BUS_2 = { kind: "bus", id: 2 } as const;
/** Longer than the saver waits after a change. */
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2200));

/** An empty browser, and the number of states it was given with every Study. */
function emptyStore() {
  const writes: number[] = [];
  const versions = new Map<string, number>();
  const store = {
    write(about: Pick<StoredStudy, "id" | "title" | "caseName" | "states">, bytes: Uint8Array, known: number | null) {
      if ((versions.get(about.id) ?? null) !== known) {
        return Promise.reject(new StudyChangedError(about.id));
      }
      const version = (known ?? 0) + 1;
      versions.set(about.id, version);
      writes.push(about.states);
      return Promise.resolve({ ...about, savedAt: 0, size: bytes.length, version });
    },
    send: () => undefined,
  };
  Object.assign(store, { received: new Signal(store) });
  /** Another window stores the Study of this id. */
  const overtake = (id: string): unknown => versions.set(id, (versions.get(id) ?? 0) + 1);
  return { store: store as unknown as StudyStore, writes, overtake };
}

async function storedSession() {
  const { session } = await openThreeBus();
  const { store, writes } = emptyStore();
  const keeper = new StudySaver(session, store, engine, null);
  return { session, keeper, writes };
}

t.test("a change is stored after a pause", async (t) => {
  const { session, keeper, writes } = await storedSession();
  t.equal(keeper.state.kind, "unchanged");
  await session.commitElement(BUS_2, 1);
  await session.commitElement(BUS_2, 2);
  await eventually.equal(t, () => Promise.resolve(keeper.state.kind), "stored");
  t.strictSame(writes, [3], "two changes at once, the base case and both states");
  t.ok(keeper.safe);
  keeper.dispose();
});

t.test("nothing is stored while a slider is held, except when the page closes", async (t) => {
  const { session, keeper, writes } = await storedSession();
  await session.commitElement(BUS_2, 1);
  await session.select(BUS_2);
  session.preview(2);
  await rest();
  t.equal(session.status.kind, "previewing");
  t.strictSame(writes, [], "the hand is on the slider");
  t.notOk(keeper.safe);
  session.cancelPreview();
  await eventually.equal(t, () => Promise.resolve(keeper.state.kind), "stored");
  t.strictSame(writes, [2], "as soon as it let go");

  await session.commitElement(BUS_2, 3);
  session.preview(4);
  await keeper.save();
  t.strictSame(writes, [2, 3]);
  t.ok(keeper.safe);
  await rest();
  t.strictSame(writes, [2, 3], "once");
  keeper.dispose();
});

t.test("a disposed saver stores nothing", async (t) => {
  const { session, keeper, writes } = await storedSession();
  await session.commitElement(BUS_2, 1);
  keeper.dispose();
  await rest();
  t.strictSame(writes, []);
});

t.test("a Study that cannot be stored under its id becomes a copy with a notice", async (t) => {
  const { session } = await openThreeBus();
  const bytes = await engine.writeStudyBundle(await new StudyWriter(session).bundle({ id: "study-1", title: "Three" }));
  const { store, overtake } = emptyStore();
  const workspace = new Workspace(engine);
  /** Opens the file and stores a change of it. */
  const changed = async (mw: number) => {
    const opened = await workspace.openStudy(await engine.readStudyBundle(bytes));
    const keeper = new StudySaver(opened, store, engine, null);
    t.teardown(() => keeper.dispose());
    await opened.commitElement(BUS_2, mw);
    await keeper.save();
    return { opened, keeper };
  };
  const { opened, keeper } = await changed(1);
  t.match(keeper, { stored: { id: "study-1", version: 1 }, notice: null });
  const again = await changed(2);
  t.match(again.keeper.stored, { title: "Three (copy)", version: 1 });
  t.equal(again.keeper.notice, "This browser already keeps Three. What you changed here is kept as Three (copy).");

  overtake("study-1");
  await opened.commitElement(BUS_2, 3);
  await keeper.save();
  t.match(keeper.stored, { title: "Three (copy)", version: 1 });
  t.match(keeper.notice, /^Another window has changed Three\./);
});
