import { type CaseSession, type OpenedCase, planWeights, PRICE, type Selection } from "@service/widgets/workspace";
import { label, rounded } from "../answers.ts";

/**
 * The weight of each priced bus in the mean price: its share of the demand, or of the buses where there is no demand.
 */
function shares({ opened, store: { columns } }: CaseSession): Map<number, number> {
  const of = (weights: "demand" | "equal") => planWeights({ scope: { kind: "network" }, weights }, opened, columns);
  const byDemand = of("demand");
  const rows = byDemand.length > 0 ? byDemand : of("equal");
  return new Map(rows.map(({ bus, weight }) => [opened.busRow(Number(bus)), weight]));
}

/** The demand-weighted mean of values by dense bus row; null without prices. */
export function meanOf(session: CaseSession, values: Float64Array | null): number | null {
  if (values === null || session.store.columns.values(PRICE) === null) {
    return null;
  }
  let sum = 0;
  shares(session).forEach((weight, row) => {
    const value = values[row] ?? NaN;
    sum += Number.isFinite(value) ? weight * value : 0;
  });
  return rounded(sum);
}

/** The mean price of the state. */
export const meanPrice = (session: CaseSession): number | null => meanOf(session, session.store.columns.values(PRICE));

/** The objective of a plan for the mean price. */
export function meanWeights(session: CaseSession): { bus: number; weight: number }[] {
  return [...shares(session)].map(([row, weight]) => ({ bus: session.opened.busId(row), weight }));
}

/** The ids of the binding lines, the highest shadow price first. */
export function bindingLines({ opened, store: { columns } }: CaseSession): number[] {
  const shadow = (row: number): number => columns.at("shadow", row);
  const rows = opened.branches.map((_, row) => row).filter((row) => shadow(row) > 0);
  return rows.sort((a, b) => shadow(b) - shadow(a) || a - b).map((row) => opened.branches[row]?.id ?? 0);
}

/**
 * The name of an element; for a branch or link those of its ends, for a generator or storage unit that of its bus. Empty where the case has no
 * names.
 */
export function titleOf(opened: OpenedCase, kind: Selection["kind"], row: number): string {
  if (kind === "bus") {
    return opened.busName(row) ?? "";
  }
  if (kind === "generator" || kind === "storage") {
    const units = kind === "generator" ? opened.generators : opened.storage;
    return opened.busName(opened.busRow(units[row]?.bus ?? -1)) ?? "";
  }
  const { from = -1, to = -1 } = (kind === "link" ? opened.links : opened.branches)[row] ?? {};
  const ends = [from, to];
  const names = ends.map((id) => opened.busName(opened.busRow(id)) ?? "");
  return names.some((name) => name !== "") ? names.map((name, k) => name || String(ends[k])).join(" to ") : "";
}

/** The label of an element beside its number, where the case has one. */
export function named(opened: OpenedCase, kind: Selection["kind"], row: number): { label?: string } {
  const title = titleOf(opened, kind, row);
  return title === "" ? {} : { label: label(title) };
}
