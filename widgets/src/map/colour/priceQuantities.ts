import { SAME_PRICE } from "@service/engine";
import { columnUnit, formatPrice, isOneSided, onePriceSentence, trans } from "../../text/index.ts";
import {
  type CaseSession,
  hasDerivative,
  heaviestBranch,
  onePrice,
  PRICE,
  PRICE_CHANGE,
  type QuantityTable,
  ratingUnit,
  SHADOW_PRICE,
} from "../../workspace/index.ts";
import { columnIsZero } from "../../ui/session/editReadout.ts";
import { responseName, responseTo } from "./colourScale.ts";
import { type DrawnQuantity, type QuantityInfo, tableQuantity } from "./quantityInfo.ts";

/** Name of the response of the prices to the selected element. */
export const RESPONSE = "sensitivity";

/** Name of the change of the prices in the move under way, or in the last one. */
export const MOVE_CHANGE = "lmp_move";

/** Bus quantities of formulations with prices, in the order of the menu. */
export const PRICE_QUANTITIES: Record<
  typeof PRICE | typeof PRICE_CHANGE | typeof MOVE_CHANGE | typeof RESPONSE,
  QuantityInfo
> = {
  [PRICE]: tableQuantity(PRICE, {
    live: true,
    values: ({ store }) => store.shown(PRICE),
    title: (session) => previewed(trans.__("Price"), session),
    uniform: (session, { binding }) => onePriceText(session, binding),
  }),
  [PRICE_CHANGE]: tableQuantity(PRICE_CHANGE, {
    live: true,
    values: ({ store, reference }) => changes(store.shown(PRICE), reference.columns),
    title: (session) => previewed(trans.__("Change from %1", referenceName(session)), session),
    uniform: noChange,
  }),
  [MOVE_CHANGE]: tableQuantity(MOVE_CHANGE, {
    live: true,
    grows: true,
    values: ({ store }) => (store.beforeMove === null ? null : changes(store.shown(PRICE), store.beforeMove)),
    missing: ({ store }) => (store.beforeMove === null ? trans.__("Move a slider first.") : null),
    title: (session) => previewed(trans.__("Change by this move"), session),
    uniform: noChange,
  }),
  [RESPONSE]: tableQuantity(RESPONSE, {
    unitOf: ({ column }) => column?.units ?? columnUnit("lmp_slope"),
    values: (session) => {
      const { column } = session.store;
      return column !== null && columnIsZero(session) ? levelled(column, 0) : column;
    },
    missing: ({ store, selection, columnProblem }) =>
      store.column !== null
        ? null
        : selection === null
          ? trans.__("Select a bus, a line or a generator first.")
          : (columnProblem ?? trans.__("It is being computed.")),
    choice: ({ selection }) => trans.__("LMP sensitivity, %1", responseName(selection)),
    title: (session) => {
      const { selection } = session;
      return oneSided(
        selection !== null && hasDerivative(selection) ? responseTo(selection) : responseName(null),
        session,
      );
    },
    uniform: (session) => (columnIsZero(session) ? trans.__("Zero at every bus") : null),
  }),
};

function noChange(_: CaseSession, { high }: DrawnQuantity): string | null {
  return high !== null && high < SAME_PRICE ? trans.__("No price has changed") : null;
}

/** Shadow prices of the binding lines. */
export const SHADOW_QUANTITY: QuantityInfo = tableQuantity(SHADOW_PRICE, {
  unitOf: ({ store }) => `$/${ratingUnit(store.columns)}h`,
  values: ({ store }) => shadowPrices(store),
  missing: ({ store }) => (shadowPrices(store)?.some(Number.isFinite) ? null : trans.__("No line binds.")),
  uniform: (_, { high }) => (high === null ? trans.__("No line binds") : null),
});

/** Shadow prices of the binding lines, $/MWh by dense row; NaN for the others. */
function shadowPrices({ columns, shownShadows }: CaseSession["store"]): Float64Array | null {
  const shadow = columns.values(SHADOW_PRICE);
  return (
    shadow?.map((price, row) => {
      const now = shownShadows === null ? price : (shownShadows.get(row) ?? 0);
      return now > 0 ? now : NaN;
    }) ?? null
  );
}

/** `values` without rounding differences: every finite value becomes `level`. */
export function levelled(values: Float64Array, level: number): Float64Array {
  return values.map((value) => (Number.isFinite(value) ? level : NaN));
}

/** Price changes from another state, NaN where either has no price; null where prices are not known. */
function changes(now: Float64Array | null, from: QuantityTable): Float64Array | null {
  const before = from.values(PRICE);
  const found = now?.slice() ?? null;
  for (let row = 0; found !== null && row < found.length; row += 1) {
    found[row] = (found[row] as number) - (before?.[row] ?? NaN);
  }
  return found;
}

function referenceName(session: CaseSession): string {
  const { id, event, name } = session.reference.state;
  return name ?? (id === 0 ? trans.__("the base case") : session.stepText(event));
}

function previewed(title: string, { store, status, passedLimit }: CaseSession): string {
  if (!store.previewing) {
    return title;
  }
  if (status.kind === "previewing" && status.exact) {
    return trans.__("%1, exact preview", title);
  }
  return passedLimit === null ? trans.__("%1, preview", title) : trans.__("%1, preview of an infeasible edit", title);
}

/** At a breakpoint the colours are one-sided derivatives. */
function oneSided(title: string, { column, store }: CaseSession): string {
  if (column === null || !isOneSided(column)) {
    return title;
  }
  return store.dense?.right === null ? trans.__("%1, for a decrease", title) : trans.__("%1, for an increase", title);
}

function onePriceText({ store, opened }: CaseSession, binding: DrawnQuantity["binding"]): string | null {
  const price = onePrice(store.shown(PRICE) ?? new Float64Array());
  if (price === null) {
    return null;
  }
  if (binding > 0) {
    return trans.__("One price everywhere, %1 $/MWh.", formatPrice(price));
  }
  const row = heaviestBranch(store.columns.values("loading") ?? new Float64Array());
  const branch = opened.branches[row];
  const known = branch !== undefined && !store.previewing; // a preview has no flows
  const nearest = !known ? null : { id: branch.id, loading: store.columns.at("loading", row) };
  return onePriceSentence(price, nearest, opened);
}
