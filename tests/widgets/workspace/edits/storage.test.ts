// Storage units in the page: added, held and valued, out of service, and in saved Studies. Over the real engine.
import t from "tap";
import {
  addedName,
  editedValue,
  editsText,
  listAdded,
  NO_EDITS,
  PRICE,
  saveStudy,
  storageOffer,
  Workspace,
} from "@service/widgets/workspace";
import { engine, LINE_2_AT_40, openThreeBus } from "../../session.ts";

const BATTERY = { bus: 2, p: 10, p_charge_max: 20, p_discharge_max: 30 };
const UNIT = { kind: "storage", id: 1 } as const;

type Session = Awaited<ReturnType<typeof openThreeBus>>["session"];

const prices = (session: Session): number[] => [0, 1, 2].map((row) => session.store.shownAt(PRICE, row));
const close = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((value, k) => Math.abs(value - (b[k] ?? NaN)) < 1e-6);

/** The prices with less demand at bus 2. */
async function without(mw: number): Promise<number[]> {
  const { session } = await openThreeBus();
  await session.commit({ ...LINE_2_AT_40, deltas: mw === 0 ? {} : { 2: -mw } }, 0);
  return prices(session);
}

t.test("a storage unit is held at its power, moved by its slider, and taken out of service", async (t) => {
  const { session } = await openThreeBus();
  const { opened } = session;
  await session.commit(LINE_2_AT_40, 0);
  await session.add({ storage: [BATTERY] });
  t.match(opened.storage, [{ id: 1, bus: 2, p_mw: 10, p_discharge_max_mw: 30 }]);
  t.equal(opened.nameOf("storage", 1), "storage 1 at bus 2");
  t.ok(close(prices(session), await without(10)), "10 MW less of demand");
  t.equal(session.store.columns.at("storage_mw", 0), 10);

  await session.select(UNIT);
  t.equal(editedValue(UNIT), "injection");
  t.strictSame(session.rangeOf(UNIT), { min: -30, max: 20 }, "from its largest charging to its largest discharging");
  await session.commitElement(UNIT, -15);
  t.strictSame(session.state.edits.storage, { 1: { p: -5 } });
  t.ok(close(prices(session), await without(-5)), "it charges 5 MW");
  t.match(session.stepText(session.history.current.event), "Storage 1 at bus 2 held power \u22125.0 MW");

  await session.setStatus(UNIT, false);
  t.ok(close(prices(session), await without(0)));
  t.equal(session.stepText(session.history.current.event), "Storage 1 at bus 2 out of service");
  await session.undo();
  await session.setStorage(1, { p: undefined });
  t.equal(session.state.edits.storage, undefined);
  const [element] = listAdded(session.state.edits.added);
  if (element === undefined) throw new Error("no storage");
  t.equal(addedName(element, opened), "storage at bus 2");
  t.equal(
    editsText(NO_EDITS, { ...NO_EDITS, added: session.state.edits.added ?? {} }, opened, "dcopf"),
    "Storage at bus 2 added",
  );
  await session.remove(element);
  t.strictSame(session.state.edits, LINE_2_AT_40);
  t.equal(opened.storage.length, 0);
});

t.test("storage is dispatched by the value of its energy where that is asked", async (t) => {
  const { session, workspace } = await openThreeBus();
  t.equal(storageOffer(session), null, "without storage there is nothing to dispatch");
  await session.commit(LINE_2_AT_40, 0);
  await session.add({ storage: [{ ...BATTERY, energy_value: 1, discharge_efficiency: 0.5 }] });
  t.equal(session.store.columns.at("storage_mw", 0), 10, "held");
  const offer = storageOffer(session);
  t.match(offer, { label: "Dispatch storage by the value of its energy", options: { storage: "valued" } });
  const valued = await workspace.openOffer(offer as never);
  t.ok(Math.abs(valued.store.columns.at("storage_mw", 0) - 30) < 1e-6, "it gains by each MWh above 1 / 0.5 $/MWh");
  t.equal(valued.store.columns.at("storage_discharges_above", 0), 2);
  // Above every price it charges as much as it can.
  await valued.setStorage(1, { energy_value: 500 });
  t.ok(Math.abs(valued.store.columns.at("storage_mw", 0) + 20) < 1e-6);
  t.match(storageOffer(valued), { label: "Hold storage at its power", options: {} });
});

t.test("a saved Study has its storage units and their edits", async (t) => {
  const { session } = await openThreeBus();
  await session.add({ storage: [BATTERY] });
  await session.setStorage(1, { p: 20 });
  const { bytes } = await saveStudy(session, engine);
  const opened = await new Workspace(engine).openStudy(await engine.readStudyBundle(bytes));
  t.strictSame(opened.state.edits, session.state.edits);
  t.equal(opened.state.solution.result_sha256, session.state.solution.result_sha256);
  t.equal(opened.opened.storage.length, 1);
});
