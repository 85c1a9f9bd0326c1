import { columnUnit, formatDecimals, formatMw, quantityWords, trans } from "../../text/index.ts";
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
import { always, type QuantityInfo } from "./quantityInfo.ts";
import { CONE_QUANTITY, RELAXATION_QUANTITIES } from "./relaxationQuantities.ts";
import { VOLTAGE_QUANTITIES } from "./voltageQuantities.ts";

/** Name of what the buses are coloured by: one of `BUS_QUANTITIES`, or of a quantity that the formulation has besides. */
export type Quantity = string;

/** Name of what the lines are coloured by, likewise. */
export type BranchQuantity = string;

/** What the lines are coloured by unless something else is chosen: the class of their loading. */
export const LOADING = "loading";

/** The quantities of the buses that have rules of their own, in the order of the menu. */
export const BUS_QUANTITIES = {
  ...PRICE_QUANTITIES,
  ...RELAXATION_QUANTITIES,
  ...VOLTAGE_QUANTITIES,
  angle: {
    needs: ["va_rad"],
    get label() {
      return trans.__("Voltage angle");
    },
    get unit() {
      return trans.__("degrees");
    },
    scale: "amount",
    format: (value) => formatDecimals(value, 1),
    values: ({ store }) => store.shown("va_rad")?.map((angle) => (angle * 180) / Math.PI) ?? null,
    missing: always,
  },
  demand: {
    needs: ["demand_mw"],
    get label() {
      return trans.__("Demand");
    },
    unit: columnUnit("demand_mw"),
    scale: "amount",
    format: formatMw,
    values: ({ store }) => store.shown("demand_mw")?.map((mw) => (mw === 0 ? NaN : mw)) ?? null,
    missing: always,
  },
  reactive_demand: {
    needs: ["demand_mvar"],
    get label() {
      return trans.__("Reactive demand");
    },
    unit: columnUnit("demand_mvar"),
    scale: "change",
    format: formatMw,
    values: ({ store }) => store.shown("demand_mvar")?.map((mvar) => (mvar === 0 ? NaN : mvar)) ?? null,
    missing: always,
  },
  generation: {
    needs: ["dispatch_mw"],
    get label() {
      return trans.__("Generation");
    },
    unit: columnUnit("dispatch_mw"),
    scale: "amount",
    format: formatMw,
    values: (session) => generationByBus(session, "dispatch_mw"),
    missing: always,
  },
  net_injection: {
    needs: ["dispatch_mw", "demand_mw"],
    covers: ["injection_mw"],
    get label() {
      return trans.__("Net injection");
    },
    unit: columnUnit("injection_mw"),
    scale: "change",
    format: formatMw,
    values: netInjections,
    missing: always,
  },
  area: {
    needs: ["demand_mw"],
    get label() {
      return trans.__("Area");
    },
    unit: "",
    scale: "category",
    format: String,
    values: ({ opened }) => Float64Array.from(opened.buses, ({ area }) => area ?? NaN),
    missing: ({ opened }) =>
      opened.buses.some(({ area }) => area !== null) ? null : trans.__("The case has no areas."),
  },
  zone: {
    needs: ["demand_mw"],
    get label() {
      return trans.__("Zone");
    },
    unit: "",
    scale: "category",
    format: String,
    values: ({ opened }) => Float64Array.from(opened.buses, ({ zone }) => zone ?? NaN),
    missing: ({ opened }) =>
      opened.buses.some(({ zone }) => zone !== null) ? null : trans.__("The case has no zones."),
  },
  reactive_generation: {
    needs: ["dispatch_mvar"],
    get label() {
      return trans.__("Reactive generation");
    },
    unit: columnUnit("dispatch_mvar"),
    scale: "change",
    format: formatMw,
    values: (session) => generationByBus(session, "dispatch_mvar"),
    missing: always,
  },
} satisfies Record<string, QuantityInfo>;

/** The quantities of the lines that have rules of their own, in the order of the menu. */
export const BRANCH_QUANTITIES = {
  [LOADING]: {
    needs: ["loading"],
    covers: ["rating_mva"],
    get label() {
      return trans.__("Loading");
    },
    get unit() {
      return trans.__("of the rating");
    },
    scale: "branch",
    format: (value) => formatDecimals(value, 2),
    values: ({ store }) => store.shown("loading"),
    missing: always,
  },
  flow: {
    needs: ["flow_mw"],
    get label() {
      return trans.__("Flow and its direction");
    },
    unit: columnUnit("flow_mw"),
    scale: "branch",
    format: formatMw,
    values: ({ store }) => store.shown("flow_mw")?.map(Math.abs) ?? null,
    missing: always,
    title: () => trans.__("Lines: flow and its direction"),
    uniform: (_, { high }) => (high === null ? trans.__("No line carries power") : null),
  },
  reactive_flow: {
    needs: ["flow_mvar"],
    covers: ["flow_to_mvar"],
    get label() {
      return trans.__("Reactive flow and its direction");
    },
    unit: columnUnit("flow_mvar"),
    scale: "branch",
    format: formatMw,
    values: ({ store }) => store.shown("flow_mvar")?.map(Math.abs) ?? null,
    missing: always,
    title: () => trans.__("Lines: reactive flow and its direction"),
    uniform: (_, { high }) => (high === null ? trans.__("No line carries power") : null),
  },
  losses: {
    needs: ["flow_mw", "flow_to_mw"],
    get label() {
      return trans.__("Losses");
    },
    unit: columnUnit("flow_mw"),
    scale: "branch",
    format: formatMw,
    values: ({ store }) => branchLosses((name) => store.shown(name)),
    missing: always,
    title: () => trans.__("Lines: losses"),
    uniform: (_, { high }) => (high === null ? trans.__("No line has losses") : null),
  },
  [CONE_GAP]: CONE_QUANTITY,
  [SHADOW_PRICE]: SHADOW_QUANTITY,
  rating_change: {
    needs: ["loading"],
    covers: ["rating_mw"],
    get label() {
      return trans.__("Change of the rating");
    },
    unit: columnUnit("rating_mw"),
    unitOf: ({ store }) => ratingUnit(store.columns),
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
    title: () => trans.__("Lines: change of the rating"),
    uniform: (_, { high }) => (high === null ? trans.__("No rating is changed") : null),
  },
} satisfies Record<string, QuantityInfo>;

/** What the buses of a session can be coloured by, by name, in the order of the menu. */
export function busQuantities(session: CaseSession): ReadonlyMap<Quantity, QuantityInfo> {
  return offered(session, BUS_QUANTITIES, "bus");
}

/** The rules of one of these; without one of that name those of the price. */
export function busQuantity(session: CaseSession, name: Quantity): QuantityInfo {
  return busQuantities(session).get(name) ?? PRICE_QUANTITIES[PRICE];
}

/** What the lines of a session can be coloured by, by name, in the order of the menu. */
export function branchQuantities(session: CaseSession): ReadonlyMap<BranchQuantity, QuantityInfo> {
  return offered(session, BRANCH_QUANTITIES, "branch");
}

/** Those with rules of their own that the state has, or whose absence is explained; then the others of the state. */
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

/** A quantity without rules of its own: an amount, under its name and in its unit. */
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

/** Generation minus demand by dense bus row, MW; NaN at buses outside the problem. */
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
