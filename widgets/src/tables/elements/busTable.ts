import { columnUnit, formatCount, trans } from "../../text/index.ts";
import { type CaseSession, deltaOf, PRICE, type QuantityTable } from "../../workspace/index.ts";
import type { CaseTable, Sorting } from "./caseTable.ts";
import { angle, change, degrees, derivative, mw, perUnit, price, signedPrice, stateWords } from "./cellTexts.ts";
import { id, listed, needing, number, stated, type TableColumn, text } from "./columns.ts";

/** By price, the highest first; without prices by voltage, the lowest first, or by number. */
function busSorting(columns: QuantityTable): Sorting {
  if (columns.has(PRICE)) {
    return { key: "price_usd_per_mwh", descending: true };
  }
  return { key: columns.has("vm_pu") ? "vm_pu" : "bus", descending: false };
}

/** Area and zone, where the case has more than one. */
function kindColumns(buses: CaseSession["opened"]["buses"]): TableColumn[] {
  const kinds = [
    ["area", trans.__("Area"), buses.map(({ area }) => area)],
    ["zone", trans.__("Zone"), buses.map(({ zone }) => zone)],
  ] as const;
  return kinds
    .filter(([, , values]) => new Set(values.filter((value) => value !== null)).size > 1)
    .map(([name, title, values]) =>
      number(
        name,
        name,
        title,
        "",
        56,
        (row) => values[row] ?? NaN,
        (value) => (Number.isFinite(value) ? String(value) : ""),
      ),
    );
}

/** The buses of a case, star points last. */
export function busTable(session: CaseSession): CaseTable {
  const { opened, store } = session;
  const { buses } = opened;
  const priceChange = (row: number): number => store.shownAt(PRICE, row) - session.reference.columns.at(PRICE, row);
  const demandChange = (row: number): number => deltaOf(session.state.edits, { kind: "bus", id: opened.busId(row) });
  const response = (row: number): number => store.column?.[row] ?? NaN;
  const radians = (row: number): number => store.shownAt("va_rad", row);
  const isStar = (row: number): boolean => buses[row]?.editable === false;
  const state = (row: number): string =>
    isStar(row) ? "star point" : buses[row]?.in_service === false ? "isolated" : "";
  const stars = buses.filter((_, row) => isStar(row)).length;
  const hasStates = buses.some((_, row) => state(row) !== "");
  return {
    kind: "buses",
    count: buses.length,
    sorting: busSorting(store.columns),
    columns: listed(session, "bus", [
      id("bus", trans.__("Bus"), (row) => buses[row]?.id ?? NaN),
      ...(opened.named ? [text("name", trans.__("Name"), 120, (row) => buses[row]?.name ?? "")] : []),
      ...needing(
        PRICE,
        number(
          "price_usd_per_mwh",
          "price",
          trans.__("Price"),
          columnUnit(PRICE),
          78,
          (row) => store.shownAt(PRICE, row),
          price,
          true,
        ),
        number(
          "price_change_usd_per_mwh",
          "change",
          trans.__("Change"),
          columnUnit(PRICE),
          84,
          priceChange,
          signedPrice,
          true,
        ),
        number(
          "sensitivity_usd_per_mwh_per_mw",
          "sensitivity",
          trans.__("LMP sensitivity"),
          columnUnit("lmp_slope"),
          104,
          response,
          derivative,
        ),
      ),
      ...needing(
        "vm_pu",
        number(
          "vm_pu",
          "voltage",
          trans.__("Voltage magnitude"),
          columnUnit("vm_pu"),
          84,
          (row) => store.shownAt("vm_pu", row),
          perUnit,
          true,
        ),
      ),
      ...needing(
        "demand_mw",
        number(
          "demand_mw",
          "demand",
          trans.__("Demand"),
          columnUnit("demand_mw"),
          86,
          (row) => store.shownAt("demand_mw", row),
          mw,
        ),
      ),
      number("demand_change_mw", "edit", trans.__("Demand change"), columnUnit("demand_mw"), 80, demandChange, change),
      number(
        "base_kv",
        "kv",
        trans.__("Base kV"),
        "",
        60,
        (row) => buses[row]?.base_kv ?? NaN,
        (value) => String(value),
      ),
      ...kindColumns(buses),
      {
        ...number("angle_rad", "angle", trans.__("Angle"), trans.__("degrees"), 78, radians, angle, true),
        needs: "va_rad",
        shown: (row) => degrees(radians(row)),
      },
      ...(hasStates ? [stated(state, (row) => stateWords(state(row)))] : []),
    ]),
    elementOf: (row) => (buses[row] === undefined ? null : { kind: "bus", id: opened.busId(row) }),
    rowOf: (element) => (element.kind === "bus" ? opened.busRow(element.id) : -1),
    markOf: (row) => (buses[row]?.in_service === false ? "isolated" : ""),
    leading: 3,
    isLast: isStar,
    ...(stars === 0
      ? {}
      : {
          remark: trans._n(
            "%2 buses and %3 star point of a three-winding transformer, listed last",
            "%2 buses and %3 star points of three-winding transformers, listed last",
            stars,
            formatCount(buses.length - stars),
            formatCount(stars),
          ),
        }),
  };
}
