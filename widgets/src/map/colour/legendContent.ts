import { trans } from "../../text/index.ts";
import { type CaseSession, SHADOW_PRICE } from "../../workspace/index.ts";
import type { BranchPaint } from "./branchPaint.ts";
import type { BusPaint } from "./busPaint.ts";
import { linkKeys, linkLooks } from "./linkLook.ts";
import { switchKeys, switchLooks } from "./switchLook.ts";
import { type LegendContent, legendKinds, type LegendScale } from "./legend.ts";
import { branchQuantities, type BranchQuantity, busQuantity, LOADING, type Quantity } from "./quantities.ts";
import type { QuantityInfo } from "./quantityInfo.ts";
import type { GeneratorKey } from "../style/generatorSymbols.ts";

/** What a map shows now. */
export interface Shown {
  quantity: Quantity;
  buses: Pick<BusPaint, "scale" | "outside" | "held" | "values">;
  branchQuantity: BranchQuantity;
  lines: Pick<BranchPaint, "look" | "scale" | "outside" | "held">;
}

/** The texts and numbers of the legend. */
export function legendContent(
  session: CaseSession,
  { quantity, buses, branchQuantity, lines }: Shown,
  generators: GeneratorKey | null = null,
  fixed = false,
): LegendContent {
  const { binding, warning } = lines.look.classes;
  const lineInfo = branchQuantities(session).get(branchQuantity);
  const coloured = branchQuantity !== LOADING && lineInfo !== undefined;
  return {
    buses: scaleOf(session, busQuantity(session, quantity), buses, binding.length),
    lines: coloured ? scaleOf(session, lineInfo, lines, binding.length) : null,
    binding: binding.length,
    keepsRatings: session.store.columns.has(SHADOW_PRICE) && session.store.outage === null,
    warning: warning.length,
    links: linkKeys(linkLooks(session)),
    switches: switchKeys(switchLooks(session)),
    within: { binding: countWithin(session, binding), warning: countWithin(session, warning) },
    fixed,
    before: linesBefore(session),
    generators,
  };
}

/** Number of branches in `rows` that lie within one substation. */
function countWithin({ opened }: CaseSession, rows: readonly number[]): number {
  return rows.reduce((count, row) => count + (opened.geography.isWithinSubstation(row) ? 1 : 0), 0);
}

/** Whether the lines still show the state before a move, because a linear estimate only predicts prices. */
function linesBefore({ store }: CaseSession): boolean {
  return store.previewing && !store.previewsFlows;
}

function scaleOf(
  session: CaseSession,
  info: QuantityInfo,
  { scale, outside, held, values }: Pick<LegendScale, "scale" | "outside" | "held"> & { values?: Float64Array },
  binding: number,
): LegendScale {
  const { format, label } = info;
  const unit = info.unitOf?.(session) ?? info.unit;
  const high = scale?.range.high ?? null;
  const nothing = high === null ? trans.__("No bus has any") : null;
  const note = info.note?.(session) ?? null;
  const kinds = scale?.kind === "category" ? legendKinds(scale, kindsOf(values)) : [];
  const uniform = info.uniform === undefined ? nothing : info.uniform(session, { binding, high });
  return { title: info.title?.(session) ?? label, unit, format, scale, uniform, note, outside, held, kinds };
}

/** The distinct values in ascending order. */
function kindsOf(values: Float64Array | undefined): number[] {
  return [...new Set(values)].filter(Number.isFinite).sort((a, b) => a - b);
}
