import type { TopologyGenerator } from "@service/engine";
import { columnUnit, energySourceWord, isDispatchableLoad, trans } from "../../text/index.ts";
import { type CaseSession, generatorAt, hasAssumedCosts, marginalCost, PRICE } from "../../workspace/index.ts";
import type { CaseTable } from "./caseTable.ts";
import { mw, price, stateWords } from "./cellTexts.ts";
import { id, listed, needing, number, stated, text } from "./columns.ts";

/** The generators of a case, each at its bus. */
export function generatorTable(session: CaseSession): CaseTable {
  const { opened, store } = session;
  const { generators } = opened;
  /** Includes the edits of the state at the time of the call. */
  const unitAt = (row: number): TopologyGenerator | undefined => generatorAt(opened, session.state.edits, row);
  const limit = (value: number): string => (Number.isFinite(value) ? mw(value) : trans.__("no limit"));
  const output = (row: number): number => store.shownAt("dispatch_mw", row);
  const busRow = (row: number): number => opened.busRow(generators[row]?.bus ?? -1);
  const lowest = (row: number): number => unitAt(row)?.p_min_mw ?? NaN;
  const highest = (row: number): number => unitAt(row)?.p_max_mw ?? NaN;
  const known = generators.some((unit) => unit.energy_source !== "other" || isDispatchableLoad(unit));
  const sourceOf = (row: number): string => {
    const unit = generators[row];
    const isLoad = unit !== undefined && isDispatchableLoad(unit);
    return isLoad ? trans.__("dispatchable load") : energySourceWord(unit?.energy_source ?? "other");
  };
  const costTitle = hasAssumedCosts(opened.ingested) ? trans.__("Marginal cost, assumed") : trans.__("Marginal cost");
  const costOf = (row: number): number => {
    const unit = unitAt(row);
    return unit === undefined ? NaN : marginalCost(unit, output(row));
  };
  const headroom = (row: number): number => highest(row) - output(row);
  const state = (row: number): string => {
    if (unitAt(row)?.status !== 1) {
      return "out of service";
    }
    return generatorWords(output(row), lowest(row), highest(row));
  };
  return {
    kind: "generators",
    count: generators.length,
    sorting: { key: "dispatch_mw", descending: true },
    columns: listed(session, "generator", [
      id("generator", trans.__("Generator"), (row) => generators[row]?.id ?? NaN),
      text("bus", trans.__("Bus"), opened.named ? 120 : 64, (row) => opened.placeOf(generators[row]?.bus ?? 0)),
      ...needing(
        "dispatch_mw",
        number("dispatch_mw", "dispatch", trans.__("Dispatch"), columnUnit("dispatch_mw"), 92, output, mw),
      ),
      stated(state, (row) => stateWords(state(row))),
      number("p_min_mw", "min", trans.__("Pmin"), columnUnit("p_min_mw"), 70, lowest, limit),
      number("p_max_mw", "max", trans.__("Pmax"), columnUnit("p_max_mw"), 70, highest, limit),
      ...(known ? [text("source", trans.__("Energy source"), 90, (row) => sourceOf(row))] : []),
      number("marginal_cost_usd_per_mwh", "cost", costTitle, "$/MWh", 104, costOf, price),
      number("headroom_mw", "headroom", trans.__("Headroom"), "MW", 84, headroom, mw),
      ...needing(
        "limit_shadow",
        number(
          "limit_shadow_usd_per_mwh",
          "shadow",
          trans.__("Shadow price of the limit"),
          columnUnit("limit_shadow"),
          104,
          (row) => store.shownAt("limit_shadow", row),
          price,
        ),
      ),
      ...needing(
        PRICE,
        number(
          "price_usd_per_mwh",
          "price",
          trans.__("LMP"),
          columnUnit(PRICE),
          104,
          (row) => store.shownAt(PRICE, busRow(row)),
          price,
          true,
        ),
      ),
    ]),
    elementOf: (row) => (busRow(row) < 0 ? null : { kind: "generator", id: generators[row]?.id ?? 0 }),
    busOf: (row) => generators[row]?.bus ?? 0,
    rowOf: (element) =>
      element.kind === "generator"
        ? opened.rowOf(element)
        : element.kind === "bus"
          ? (opened.generatorsAt(element.id)[0] ?? -1)
          : -1,
    markOf: () => "",
    leading: 3,
  };
}

/** Outputs this close to a limit, MW, count as at the limit. */
const AT_LIMIT_MW = 1e-6;

function generatorWords(output: number, lowest: number, highest: number): string {
  if (output >= highest - AT_LIMIT_MW) {
    return "at Pmax";
  }
  return output <= lowest + AT_LIMIT_MW ? "at Pmin" : "between";
}
