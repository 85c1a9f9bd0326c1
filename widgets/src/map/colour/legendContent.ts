import { formatPrice, onePriceSentence, trans } from "../../text/index.ts";
import { type CaseSession, heaviestBranch, onePrice } from "../../workspace/index.ts";
import type { BranchPaint } from "./branchPaint.ts";
import type { BusPaint } from "./busPaint.ts";
import { responseName, responseTo } from "./colourScale.ts";
import type { LegendContent, LegendScale } from "./legend.ts";
import { BRANCH_QUANTITIES, type BranchQuantity, BUS_QUANTITIES, type Quantity } from "./quantities.ts";
import { columnIsZero } from "../../ui/session/editReadout.ts";

/** What a map shows now. */
export interface Shown {
  quantity: Quantity;
  buses: Pick<BusPaint, "scale" | "outside" | "kept">;
  branchQuantity: BranchQuantity;
  lines: Pick<BranchPaint, "look" | "scale" | "outside" | "kept">;
}

/** The words and numbers of the legend. */
export function legendContent(session: CaseSession, { quantity, buses, branchQuantity, lines }: Shown): LegendContent {
  const { binding, warning } = lines.look.classes;
  const info = BUS_QUANTITIES[quantity];
  return {
    buses: {
      title: busTitle(session, quantity),
      unit: info.unit,
      format: info.format,
      scale: buses.scale,
      uniform: uniformText(session, quantity, binding.length, buses.scale?.range.high ?? null),
      outside: buses.outside,
      kept: buses.kept,
    },
    lines: branchQuantity === "loading" ? null : lineScale(branchQuantity, lines),
    binding: binding.length,
    warning: warning.length,
    before: linesBefore(session, branchQuantity),
  };
}

/** What of the lines is still that of the state before a move: an exact preview knows which of them bind, and no flows. */
function linesBefore({ store }: CaseSession, quantity: BranchQuantity): LegendContent["before"] {
  if (!store.previewing || store.shownShadows === null) {
    return store.previewing ? "lines" : null;
  }
  return quantity === "loading" || quantity === "flow" ? "flows" : null;
}

function lineScale(quantity: Exclude<BranchQuantity, "loading">, lines: Shown["lines"]): LegendScale {
  const { unit, format } = BRANCH_QUANTITIES[quantity];
  const [title, none] = {
    flow: [trans.__("Lines: flow and its direction"), trans.__("No line carries anything")],
    shadow: [trans.__("Lines: shadow price"), trans.__("No line binds")],
    rating_change: [trans.__("Lines: change of the rating"), trans.__("No rating is changed")],
  }[quantity] as [string, string];
  const { scale, outside, kept } = lines;
  return {
    title,
    unit,
    format,
    scale,
    uniform: scale === null ? none : null,
    outside,
    kept,
  };
}

function busTitle(session: CaseSession, quantity: Quantity): string {
  const { selection, reference } = session;
  switch (quantity) {
    case "sensitivity":
      return oneSided(selection === null ? responseName(selection) : responseTo(selection), session);
    case "lmp":
      return previewed(trans.__("Price"), session);
    case "lmp_change":
      return previewed(trans.__("Change from %1", referenceName(reference.state)), session);
    default:
      return BUS_QUANTITIES[quantity].label;
  }
}

function referenceName({ id, label, name }: CaseSession["reference"]["state"]): string {
  return name ?? (id === 0 ? trans.__("the base case") : label);
}

function previewed(title: string, { store, status, passedLimit }: CaseSession): string {
  if (!store.previewing) {
    return title;
  }
  if (status.kind === "previewing" && status.exact) {
    return trans.__("%1, exact preview", title);
  }
  return passedLimit === null ? trans.__("%1, preview", title) : trans.__("%1, preview of what is not feasible", title);
}

/** At a breakpoint the colours are the derivatives to one side. */
function oneSided(title: string, { column, store }: CaseSession): string {
  if (column === null || column.warrant.kind === "regular") {
    return title;
  }
  return store.dense?.right === null ? trans.__("%1, for a decrease", title) : trans.__("%1, for an increase", title);
}

/** What is said where every bus has the same value, or none. */
function uniformText(session: CaseSession, quantity: Quantity, binding: number, high: number | null): string | null {
  switch (quantity) {
    case "lmp":
      return onePriceText(session, binding);
    case "lmp_change":
      return high !== null && high < 1e-6 ? trans.__("No price has changed") : null;
    case "sensitivity":
      return columnIsZero(session) ? trans.__("Zero at every bus") : null;
    default:
      return high === null ? trans.__("No bus has any") : null;
  }
}

function onePriceText({ store, opened }: CaseSession, binding: number): string | null {
  const price = onePrice(store.shownLmp);
  if (price === null) {
    return null;
  }
  if (binding > 0) {
    return trans.__("One price everywhere, %1 $/MWh.", formatPrice(price));
  }
  const row = heaviestBranch(store.columns.loading);
  const branch = opened.branches[row];
  const known = branch !== undefined && !store.previewing; // a preview has no flows
  const nearest = !known ? null : { id: branch.id, loading: store.columns.loading[row] ?? NaN };
  return onePriceSentence(price, nearest, opened);
}
