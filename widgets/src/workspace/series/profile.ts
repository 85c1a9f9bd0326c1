import type { DemandProfile } from "@service/engine";
import type { CaseEdits } from "../edits/edits.ts";
import type { OpenedCase } from "../cases/openedCase.ts";

/** Demand and ratings of some elements by step, as changes from the base case in MW. */
export interface Profile {
  /** Display name. */
  readonly name: string;
  /** Labels of the steps: ISO 8601 times, or the labels of a file or notebook. */
  readonly steps: readonly string[];
  /** Original ids. */
  readonly buses: readonly number[];
  readonly branches: readonly number[];
  /** Changes step by step: the buses first, then the lines. */
  readonly changesMw: Float64Array;
}

/** A profile made or read by the engine, which has demands rather than changes. */
export function profileOf({ steps, buses, demand_mw }: DemandProfile, name: string, opened: OpenedCase): Profile {
  const base = buses.map((id) => opened.baseMw({ kind: "bus", id }));
  const changesMw = demand_mw.map((mw, k) => mw - (base[k % base.length] ?? NaN));
  return { name, steps, buses, branches: [], changesMw };
}

/** Number of changes in each step. */
export function widthOf({ buses, branches }: Profile): number {
  return buses.length + branches.length;
}

/** The edits of a step: those of its profile, and the committed edits of all other elements. */
export function stepEdits(profile: Profile, step: number, committed: CaseEdits): CaseEdits {
  const from = step * widthOf(profile);
  const mw = (k: number): number => profile.changesMw[from + k] ?? NaN;
  const { buses, branches } = profile;
  const deltas = changed(committed.deltas, buses, mw);
  const rates = changed(committed.rates, branches, (k) => mw(buses.length + k));
  return { ...committed, deltas, rates };
}

/** A table of changes with some entries replaced; neither contains zeros. */
function changed(table: CaseEdits["deltas"], ids: readonly number[], mw: (k: number) => number): CaseEdits["deltas"] {
  const all = { ...table, ...Object.fromEntries(ids.map((id, k) => [id, mw(k)])) };
  return Object.fromEntries(Object.entries(all).filter(([, change]) => change !== 0));
}
