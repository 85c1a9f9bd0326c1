import { quantityWords, trans } from "../../text/index.ts";
import {
  branchLosses,
  type CaseSession,
  CONE_GAP,
  editedGenerators,
  type NamedQuantity,
  PRICE,
  ratingUnit,
  SHADOW_PRICE,
} from "../../workspace/index.ts";
import { PRICE_QUANTITIES, SHADOW_QUANTITY } from "./priceQuantities.ts";
import { always, type QuantityInfo, tableQuantity } from "./quantityInfo.ts";
import { CONE_QUANTITY, FURTHER_PRICES } from "./furtherQuantities.ts";
import { VOLTAGE_QUANTITIES } from "./voltageQuantities.ts";

/** Name of the quantity that colours the buses: one of `BUS_QUANTITIES`, or another quantity of the formulation. */
export type Quantity = string;

/** Name of the quantity that colours the lines, likewise. */
export type BranchQuantity = string;

/** The default of the lines: their loading class. */
export const LOADING = "loading";

/** The bus quantities with rules of their own, in the order of the menu. */
export const BUS_QUANTITIES = {
  ...PRICE_QUANTITIES,
  ...FURTHER_PRICES,
  ...VOLTAGE_QUANTITIES,
  angle: tableQuantity("angle", {
    values: ({ store }) => store.shown("va_rad")?.map((angle) => (angle * 180) / Math.PI) ?? null,
  }),
  demand: tableQuantity("demand", {
    values: ({ store }) => store.shown("demand_mw")?.map((mw) => (mw === 0 ? NaN : mw)) ?? null,
  }),
  reactive_demand: tableQuantity("reactive_demand", {
    values: ({ store }) => store.shown("demand_mvar")?.map((mvar) => (mvar === 0 ? NaN : mvar)) ?? null,
  }),
  generation: tableQuantity("generation", { values: (session) => generationByBus(session, "dispatch_mw") }),
  net_injection: tableQuantity("net_injection", { values: netInjections }),
  area: tableQuantity("area", {
    values: ({ opened }) => Float64Array.from(opened.buses, ({ area }) => area ?? NaN),
    missing: ({ opened }) =>
      opened.buses.some(({ area }) => area !== null) ? null : trans.__("The case has no areas."),
  }),
  zone: tableQuantity("zone", {
    values: ({ opened }) => Float64Array.from(opened.buses, ({ zone }) => zone ?? NaN),
    missing: ({ opened }) =>
      opened.buses.some(({ zone }) => zone !== null) ? null : trans.__("The case has no zones."),
  }),
  reactive_generation: tableQuantity("reactive_generation", {
    values: (session) => generationByBus(session, "dispatch_mvar"),
  }),
} satisfies Record<string, QuantityInfo>;

/** The line quantities with rules of their own, in the order of the menu. */
export const BRANCH_QUANTITIES = {
  [LOADING]: tableQuantity(LOADING, { values: ({ store }) => store.shown("loading") }),
  flow: tableQuantity("flow", {
    values: ({ store }) => store.shown("flow_mw")?.map(Math.abs) ?? null,
    title: () => trans.__("Lines: flow and its direction"), // unlike figures, the map draws arrows
    uniform: (_, { high }) => (high === null ? trans.__("No line carries power") : null),
  }),
  reactive_flow: tableQuantity("reactive_flow", {
    values: ({ store }) => store.shown("flow_mvar")?.map(Math.abs) ?? null,
    title: () => trans.__("Lines: reactive flow and its direction"),
    uniform: (_, { high }) => (high === null ? trans.__("No line carries power") : null),
  }),
  losses: tableQuantity("losses", {
    values: ({ store }) => branchLosses((name) => store.shown(name)),
    uniform: (_, { high }) => (high === null ? trans.__("No line has losses") : null),
  }),
  [CONE_GAP]: CONE_QUANTITY,
  [SHADOW_PRICE]: SHADOW_QUANTITY,
  rating_change: tableQuantity("rating_change", {
    unitOf: ({ store }) => ratingUnit(store.columns),
    values: ({ state, opened }) => {
      const values = new Float64Array(opened.branches.length).fill(NaN);
      for (const [id, mw] of Object.entries(state.edits.rates)) {
        values[opened.branchRow(Number(id))] = mw ?? NaN;
      }
      return values;
    },
    missing: ({ state }) => (Object.keys(state.edits.rates).length > 0 ? null : trans.__("No rating is changed.")),
    uniform: (_, { high }) => (high === null ? trans.__("No rating is changed") : null),
  }),
} satisfies Record<string, QuantityInfo>;

/** The bus quantities of a session by name, in the order of the menu. */
export function busQuantities(session: CaseSession): ReadonlyMap<Quantity, QuantityInfo> {
  return offered(session, BUS_QUANTITIES, "bus");
}

/** The rules of a bus quantity; for an unknown name those of the price. */
export function busQuantity(session: CaseSession, name: Quantity): QuantityInfo {
  return busQuantities(session).get(name) ?? PRICE_QUANTITIES[PRICE];
}

/** The line quantities of a session by name, in the order of the menu. */
export function branchQuantities(session: CaseSession): ReadonlyMap<BranchQuantity, QuantityInfo> {
  return offered(session, BRANCH_QUANTITIES, "branch");
}

/** The quantities with rules that the state has, or whose absence is explained; then the state's other quantities. */
function offered(
  session: CaseSession,
  ruled: Readonly<Record<string, QuantityInfo>>,
  element: NamedQuantity["element"],
): Map<string, QuantityInfo> {
  const { columns } = session.store;
  const own = Object.entries(ruled).filter(
    ([, { needs, absence }]) => columns.has(...needs) || (absence?.(session) ?? null) !== null,
  );
  const covered = new Set(Object.values(ruled).flatMap(({ needs, covers = [] }) => [...needs, ...covers]));
  const others = columns.of(element).filter(({ name }) => !covered.has(name));
  return new Map([...own, ...others.map((quantity) => [quantity.name, plainQuantity(quantity)] as const)]);
}

/** A quantity without rules of its own: an amount, with its own name and unit. */
function plainQuantity({ name, element, unit }: NamedQuantity): QuantityInfo {
  const words = quantityWords(name, unit);
  const ofLines: Partial<QuantityInfo> = {
    title: () => trans.__("Lines: %1", words.label),
    uniform: (_, { high }) => (high === null ? trans.__("No values") : null),
  };
  return {
    ...words,
    needs: [name],
    scale: element === "branch" ? "branch" : "amount",
    values: ({ store }) => store.shown(name),
    missing: always,
    ...(element === "branch" ? ofLines : {}),
  };
}

/** Generation minus demand by dense bus row, MW; NaN at buses that are not energised. */
function netInjections(session: CaseSession): Float64Array | null {
  const demand = session.store.shown("demand_mw");
  const generation = generationByBus(session, "dispatch_mw");
  return demand?.map((mw, row) => (Number.isFinite(generation[row]) ? (generation[row] ?? 0) : 0) - mw) ?? null;
}

/** Output of the generators by dense bus row, MW or MVAr; NaN at a bus without one. */
export function generationByBus(
  { opened, store, state }: CaseSession,
  output: "dispatch_mw" | "dispatch_mvar",
): Float64Array {
  const sums = new Float64Array(opened.busCount).fill(NaN);
  editedGenerators(opened, state.edits).forEach(({ bus, status }, row) => {
    const at = opened.busRow(bus);
    const power = store.shownAt(output, row);
    if (status === 1 && at >= 0 && Number.isFinite(power)) {
      sums[at] = (Number.isNaN(sums[at]) ? 0 : (sums[at] ?? 0)) + power;
    }
  });
  return sums;
}
