import { formatDerivative, formatMw, formatPrice, type SignOption, trans } from "../../text/index.ts";
import type { CaseSession } from "../../workspace/index.ts";
import type { ScaleKind } from "./colourScale.ts";
import { columnIsZero } from "../../ui/session/editReadout.ts";

/** What the buses are coloured by. `sensitivity` is the response of the prices to the selected element. */
export type Quantity = "lmp" | "lmp_change" | "sensitivity" | "voltage" | "angle" | "demand" | "generation";

/** What the lines are coloured by. */
export type BranchQuantity = "loading" | "flow" | "shadow" | "rating_change";

/** A quantity as the map tells it. */
export interface QuantityInfo {
  label: string;
  unit: string;
  scale: ScaleKind;
  format(value: number, options?: SignOption): string;
  /** One value a row, NaN for an element without one; null while there are none. */
  values(session: CaseSession): Float64Array | null;
  /** Why it cannot be shown now, in words; null when it can. */
  missing(session: CaseSession): string | null;
}

const always = (): null => null;

/** The quantities of the buses, in the order of the menu. */
export const BUS_QUANTITIES: Record<Quantity, QuantityInfo> = {
  lmp: {
    get label() {
      return trans.__("Price");
    },
    unit: "$/MWh",
    scale: "price",
    format: formatPrice,
    values: ({ store }) => store.shownLmp,
    missing: always,
  },
  lmp_change: {
    get label() {
      return trans.__("Change in price");
    },
    unit: "$/MWh",
    scale: "change",
    format: formatChange,
    values: ({ store, reference }) => {
      const before = reference.columns.lmp;
      return store.shownLmp.map((price, row) => price - (before[row] ?? NaN));
    },
    missing: always,
  },
  sensitivity: {
    get label() {
      return trans.__("LMP sensitivity");
    },
    unit: "($/MWh)/MW",
    scale: "change",
    format: formatDerivative,
    values: (session) => {
      const { column } = session.store;
      return column !== null && columnIsZero(session) ? levelled(column, 0) : column;
    },
    missing: ({ store, selection, columnProblem }) =>
      store.column !== null
        ? null
        : selection === null
          ? trans.__("Select a bus or a line first.")
          : (columnProblem ?? trans.__("It is being computed.")),
  },
  voltage: {
    get label() {
      return trans.__("Voltage magnitude");
    },
    unit: "p.u.",
    scale: "amount",
    format: (value) => value.toFixed(3),
    values: (session) => magnitudes(session),
    missing: (session) =>
      magnitudes(session) === null ? trans.__("The DC model takes every voltage magnitude as 1 p.u.") : null,
  },
  angle: {
    get label() {
      return trans.__("Voltage angle");
    },
    get unit() {
      return trans.__("degrees");
    },
    scale: "amount",
    format: (value) => fixed(value, 1),
    values: ({ store }) => store.columns.va_rad.map((angle) => (angle * 180) / Math.PI),
    missing: always,
  },
  demand: {
    get label() {
      return trans.__("Demand");
    },
    unit: "MW",
    scale: "amount",
    format: formatMw,
    values: ({ store }) => store.columns.demand_mw.map((mw) => (mw === 0 ? NaN : mw)),
    missing: always,
  },
  generation: {
    get label() {
      return trans.__("Generation");
    },
    unit: "MW",
    scale: "amount",
    format: formatMw,
    values: (session) => generationByBus(session),
    missing: always,
  },
};

/** The quantities of the lines, in the order of the menu. */
export const BRANCH_QUANTITIES: Record<BranchQuantity, QuantityInfo> = {
  loading: {
    get label() {
      return trans.__("Loading");
    },
    get unit() {
      return trans.__("of the rating");
    },
    scale: "branch",
    format: (value) => fixed(value, 2),
    values: ({ store }) => store.columns.loading,
    missing: always,
  },
  flow: {
    get label() {
      return trans.__("Flow and its direction");
    },
    unit: "MW",
    scale: "branch",
    format: formatMw,
    values: ({ store }) => store.columns.flow_mw.map(Math.abs),
    missing: always,
  },
  shadow: {
    get label() {
      return trans.__("Shadow price");
    },
    unit: "$/MWh",
    scale: "branch",
    format: formatPrice,
    values: ({ store }) => shadowPrices(store),
    missing: ({ store }) => (shadowPrices(store).some(Number.isFinite) ? null : trans.__("No line binds.")),
  },
  rating_change: {
    get label() {
      return trans.__("Change of the rating");
    },
    unit: "MW",
    scale: "change",
    format: formatMw,
    values: ({ state, opened }) => {
      const values = new Float64Array(opened.branches.length).fill(NaN);
      for (const [id, mw] of Object.entries(state.edits.rates)) {
        values[opened.branchRow(Number(id))] = mw ?? NaN;
      }
      return values;
    },
    missing: ({ state }) => (Object.keys(state.edits.rates).length > 0 ? null : trans.__("No rating is changed.")),
  },
};

/** Whether a name is that of a quantity of the buses. */
export function isQuantity(name: unknown): name is Quantity {
  return typeof name === "string" && Object.hasOwn(BUS_QUANTITIES, name);
}

/** Whether a name is that of a quantity of the lines. */
export function isBranchQuantity(name: unknown): name is BranchQuantity {
  return typeof name === "string" && Object.hasOwn(BRANCH_QUANTITIES, name);
}

/** Output of the generators by dense bus row, MW; NaN at a bus without one. */
export function generationByBus({ opened, store }: CaseSession): Float64Array {
  const sums = new Float64Array(opened.busCount).fill(NaN);
  opened.ingested.topology.generators.forEach(({ bus, status }, row) => {
    const at = opened.busRow(bus);
    const mw = store.columns.dispatch_mw[row] ?? NaN;
    if (status === 1 && at >= 0 && Number.isFinite(mw)) {
      sums[at] = (Number.isNaN(sums[at]) ? 0 : (sums[at] ?? 0)) + mw;
    }
  });
  return sums;
}

/** Shadow prices of the lines that bind now, $/MWh by dense row; NaN at the others. */
function shadowPrices({ columns, shownShadows }: CaseSession["store"]): Float64Array {
  return columns.shadow.map((price, row) => {
    const now = shownShadows === null ? price : (shownShadows.get(row) ?? 0);
    return now > 0 ? now : NaN;
  });
}

/** `values` without their rounding: every finite one is `level`. */
export function levelled(values: Float64Array, level: number): Float64Array {
  return values.map((value) => (Number.isFinite(value) ? level : NaN));
}

/** Voltage magnitudes where the formulation has them. */
function magnitudes({ store }: CaseSession): Float64Array | null {
  const { vm_pu } = store.columns as { vm_pu?: Float64Array };
  return vm_pu ?? null;
}

/** A change of a price: 2 decimals, or 3 digits where those would read as nothing. */
function formatChange(value: number, options?: SignOption): string {
  return Math.abs(value) < 0.1 ? formatDerivative(value, options) : formatPrice(value, options);
}

function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : text.replace("-", "\u2212");
}
