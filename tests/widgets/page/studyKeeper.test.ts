// When the browser stores a Study: some time after the last change, and never while a slider is held.
import { Signal } from "@lumino/signaling";
import { type KeptStudy, StudyKeeper, type StudyStore } from "@service/widgets/page";
import t from "tap";
import { eventually } from "../../eventually.ts";
import { engine, openThreeBus } from "../session.ts";

const BUS_2 = { kind: "bus", id: 2 } as const;
/** Longer than the keeper waits after a change. */
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2200));

async function keptSession() {
  const { session } = await openThreeBus();
  const writes: number[] = [];
  const store = {
    write(about: Pick<KeptStudy, "id" | "title" | "caseName" | "states">, bytes: Uint8Array, known: number | null) {
      writes.push(about.states);
      return Promise.resolve({ ...about, savedAt: 0, size: bytes.length, version: (known ?? 0) + 1 });
    },
    tell: () => undefined,
  };
  Object.assign(store, { told: new Signal(store) });
  const keeper = new StudyKeeper(session, store as unknown as StudyStore, engine, null);
  return { session, keeper, writes };
}

t.test("a change is stored when it has rested", async (t) => {
  const { session, keeper, writes } = await keptSession();
  t.equal(keeper.state.kind, "unchanged");
  await session.commitElement(BUS_2, 1);
  await session.commitElement(BUS_2, 2);
  await eventually.equal(t, () => Promise.resolve(keeper.state.kind), "kept");
  t.strictSame(writes, [3], "two changes at once, the base case and both states");
  t.ok(keeper.safe);
  keeper.dispose();
});

t.test("while a slider is held nothing is stored; the page that goes stores all the same", async (t) => {
  const { session, keeper, writes } = await keptSession();
  await session.commitElement(BUS_2, 1);
  await session.select(BUS_2);
  session.preview(2);
  await rest();
  t.equal(session.status.kind, "previewing");
  t.strictSame(writes, [], "the hand is on the slider");
  t.notOk(keeper.safe);
  session.cancelPreview();
  await eventually.equal(t, () => Promise.resolve(keeper.state.kind), "kept");
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

t.test("a keeper that is disposed of stores nothing", async (t) => {
  const { session, keeper, writes } = await keptSession();
  await session.commitElement(BUS_2, 1);
  keeper.dispose();
  await rest();
  t.strictSame(writes, []);
});
