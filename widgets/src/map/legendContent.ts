import { formatPrice, onePriceSentence } from "../words/index.ts";
import type { CaseSession } from "../workspace/index.ts";
import type { BranchPaint } from "./branchPaint.ts";
import type { BusPaint } from "./busPaint.ts";
import { responseName } from "./colourScale.ts";
import type { LegendContent, LegendScale } from "./legend.ts";
import { heaviestBranch, onePrice } from "./loading.ts";
import { BRANCH_QUANTITIES, type BranchQuantity, BUS_QUANTITIES, type Quantity } from "./quantities.ts";
import { columnIsZero } from "./readout.ts";

/** What a map shows now. */
export interface Shown {
  quantity: Quantity;
  buses: Pick<BusPaint, "scale" | "below" | "above">;
  branchQuantity: BranchQuantity;
  lines: Pick<BranchPaint, "look" | "scale" | "below" | "above">;
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
      below: buses.below,
      above: buses.above,
    },
    lines: branchQuantity === "loading" ? null : lineScale(branchQuantity, lines),
    binding: binding.length,
    warning: warning.length,
  };
}

function lineScale(quantity: Exclude<BranchQuantity, "loading">, lines: Shown["lines"]): LegendScale {
  const { label, unit, format } = BRANCH_QUANTITIES[quantity];
  const none = {
    flow: "No line carries anything",
    shadow: "No line binds",
    rating_change: "No rating is changed",
  }[quantity];
  const { scale, below, above } = lines;
  return {
    title: `Lines: ${label.toLowerCase()}`,
    unit,
    format,
    scale,
    uniform: scale === null ? none : null,
    below,
    above,
  };
}

function busTitle(session: CaseSession, quantity: Quantity): string {
  const { selection, store, status, reference } = session;
  switch (quantity) {
    case "sensitivity": {
      const at = selection === null ? "" : `, ${selection.kind === "bus" ? "bus" : "line"} ${selection.id}`;
      return `${responseName(selection)}${at}${side(session)}`;
    }
    case "lmp":
      return `Price${preview(store.previewing, status)}`;
    case "lmp_change":
      return `Change from ${lowered(reference.state.label)}${preview(store.previewing, status)}`;
    default:
      return BUS_QUANTITIES[quantity].label;
  }
}

function lowered(label: string): string {
  return label === "Base case" ? "the base case" : label;
}

function preview(previewing: boolean, status: CaseSession["status"]): string {
  if (!previewing) {
    return "";
  }
  return status.kind === "previewing" && status.exact ? ", exact preview" : ", preview";
}

/** At a breakpoint the colours are the derivatives to one side. */
function side({ column, store }: CaseSession): string {
  if (column === null || column.warrant.kind === "regular") {
    return "";
  }
  return store.dense?.right === null ? ", for a decrease" : ", for an increase";
}

/** What is said where every bus has the same value, or none. */
function uniformText(session: CaseSession, quantity: Quantity, binding: number, high: number | null): string | null {
  switch (quantity) {
    case "lmp":
      return onePriceText(session, binding);
    case "lmp_change":
      return high !== null && high < 1e-6 ? "No price has changed" : null;
    case "sensitivity":
      return columnIsZero(session) ? "Zero at every bus" : null;
    default:
      return high === null ? "No bus has any" : null;
  }
}

function onePriceText({ store, opened }: CaseSession, binding: number): string | null {
  const price = onePrice(store.shownLmp);
  if (price === null) {
    return null;
  }
  if (binding > 0) {
    return `One price everywhere, ${formatPrice(price)} $/MWh.`;
  }
  const row = heaviestBranch(store.columns.loading);
  const branch = opened.branches[row];
  const nearest = branch === undefined ? null : { id: branch.id, loading: store.columns.loading[row] ?? NaN };
  return onePriceSentence(price, nearest, opened);
}
