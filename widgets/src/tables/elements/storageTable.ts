import type { ColumnName } from "@service/engine";
import { columnUnit, storageState, trans } from "../../text/index.ts";
import type { CaseSession } from "../../workspace/index.ts";
import type { CaseTable } from "./caseTable.ts";
import { mw, price, stateWords } from "./cellTexts.ts";
import { id, listed, needing, number, stated, text } from "./columns.ts";

/** The storage units of a case: power, limits, stored energy, and the prices at which they gain. */
export function storageTable(session: CaseSession): CaseTable {
  const { opened, store } = session;
  const { storage } = opened;
  const at = (name: string) => (row: number) => store.shownAt(name, row);
  const power = at("storage_mw");
  const limit = (value: number): string => (Number.isFinite(value) ? mw(value) : trans.__("no limit"));
  const state = (row: number): string => (Number.isNaN(power(row)) ? "out of service" : storageState(power(row)));
  const priceColumn = (column: ColumnName, key: string, title: string) =>
    needing(column, number(`${key}_usd_per_mwh`, key, title, columnUnit(column), 110, at(column), price));
  return {
    kind: "storage",
    count: storage.length,
    sorting: { key: "storage", descending: false },
    columns: listed(session, "storage", [
      id("storage", trans.__("Storage"), (row) => storage[row]?.id ?? NaN),
      text("bus", trans.__("Bus"), opened.named ? 110 : 64, (row) => opened.placeOf(storage[row]?.bus ?? 0)),
      ...needing(
        "storage_mw",
        number("power_mw", "power", trans.__("Power"), columnUnit("storage_mw"), 84, power, mw, true),
      ),
      stated(state, (row) => stateWords(state(row))),
      number(
        "charge_max_mw",
        "charging",
        trans.__("Charging"),
        "MW",
        84,
        (row) => storage[row]?.p_charge_max_mw ?? NaN,
        limit,
      ),
      number(
        "discharge_max_mw",
        "discharging",
        trans.__("Discharging"),
        "MW",
        94,
        (row) => storage[row]?.p_discharge_max_mw ?? NaN,
        limit,
      ),
      number(
        "energy_mwh",
        "energy",
        trans.__("Stored energy"),
        "MWh",
        104,
        (row) => storage[row]?.energy_mwh ?? NaN,
        mw,
      ),
      ...priceColumn("storage_charges_below", "charges_below", trans.__("Charges below")),
      ...priceColumn("storage_discharges_above", "discharges_above", trans.__("Discharges above")),
    ]),
    elementOf: (row) => (storage[row] === undefined ? null : { kind: "storage", id: storage[row].id }),
    rowOf: (element) => (element.kind === "storage" ? opened.rowOf(element) : -1),
    markOf: () => "",
    leading: 4,
  };
}
