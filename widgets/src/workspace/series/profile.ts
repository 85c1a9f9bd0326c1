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
  const { buses, branches } = profile;
  const deltas = changed(committed.deltas, buses, mw);
  const rates = changed(committed.rates, branches, (k) => mw(buses.length + k));
  return { ...committed, deltas, rates };
}

/** A table of changes with some in place of its own; neither holds zeros. */
function changed(table: CaseEdits["deltas"], ids: readonly number[], mw: (k: number) => number): CaseEdits["deltas"] {
  const all = { ...table, ...Object.fromEntries(ids.map((id, k) => [id, mw(k)])) };
  return Object.fromEntries(Object.entries(all).filter(([, change]) => change !== 0));
}
