import type { DemandProfile } from "@service/engine";
import type { CaseEdits } from "../edits/edits.ts";
import type { OpenedCase } from "../cases/openedCase.ts";

/** Demand and ratings of some elements by step, as changes from the base case in MW. */
export interface Profile {
  /** What a person calls it. */
  readonly name: string;
  /** Labels of the steps: times as ISO 8601 writes them, or what a file or notebook calls them. */
  readonly steps: readonly string[];
  /** Original ids. */
  readonly buses: readonly number[];
  readonly branches: readonly number[];
  /** Those of the buses, then those of the lines, step by step. */
  readonly changesMw: Float64Array;
}

/** A profile of demand that the engine made or read, which has the demand itself. */
export function profileOf({ steps, buses, demand_mw }: DemandProfile, name: string, opened: OpenedCase): Profile {
  const base = buses.map((id) => opened.baseMw({ kind: "bus", id }));
  const changesMw = demand_mw.map((mw, k) => mw - (base[k % base.length] ?? NaN));
  return { name, steps, buses, branches: [], changesMw };
}

/** Elements of a profile: changes that a step has. */
export function widthOf({ buses, branches }: Profile): number {
  return buses.length + branches.length;
}

/** The edits of a step: those of its profile, all others as committed. */
export function stepEdits(profile: Profile, step: number, committed: CaseEdits): CaseEdits {
  const from = step * widthOf(profile);
  const mw = (k: number): number => profile.changesMw[from + k] ?? NaN;
  const tables = { deltas: { ...committed.deltas }, rates: { ...committed.rates } };
  profile.buses.forEach((id, k) => change(tables.deltas, id, mw(k)));
  profile.branches.forEach((id, k) => change(tables.rates, id, mw(profile.buses.length + k)));
  return { ...committed, ...tables };
}

function change(table: Record<string, number | undefined>, id: number, mw: number): void {
  if (mw === 0) {
    delete table[String(id)];
  } else {
    table[String(id)] = mw;
  }
}
