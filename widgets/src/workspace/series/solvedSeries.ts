import type { Column, ColumnName, ErrorBody, FormulationId, SeriesResult, SeriesStep, Solution } from "@service/engine";
import type { CaseEdits } from "../edits/edits.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import { type NamedQuantity, QuantityTable } from "../quantities/quantityTable.ts";
import type { PublishedState } from "../session/sessionState.ts";
import { type Profile, stepEdits, widthOf } from "./profile.ts";

/** Quantities stored for each step, where its formulation has them. */
const STORED: readonly ColumnName[] = [
  "lmp",
  "vm_pu",
  "flow_mw",
  "flow_mvar",
  "loading",
  "shadow",
  "dispatch_mw",
  "dispatch_mvar",
  "injection_mw",
];

/** Quantities equal in every step, unless a profile changes them. */
const CONSTANT: readonly string[] = [
  "rating_mw",
  "rating_mva",
  "vm_min_pu",
  "vm_max_pu",
  "q_min_mvar",
  "q_max_mvar",
  "demand_mw",
];

/** Maximum count of numbers in a series, one gigabyte. */
const MOST_NUMBERS = 125_000_000;

/** The quantities that a series stores for a state with these columns. */
export function storedColumns(columns: QuantityTable): ColumnName[] {
  return STORED.filter((name) => columns.has(name));
}

/** Whether a page has memory for so many steps of a state with these columns. */
export function fits(steps: number, columns: QuantityTable): boolean {
  const rows = storedColumns(columns).reduce((sum, name) => sum + (columns.values(name)?.length ?? 0), 0);
  return steps * rows <= MOST_NUMBERS;
}

/** The state a series was solved from, which provides the values that no step changes. */
export interface SeriesOrigin {
  readonly edits: CaseEdits;
  readonly solution: Solution;
  readonly columns: QuantityTable;
}

/** A step of a series on screen. */
export interface ShownStep {
  readonly series: SolvedSeries;
  /** Index from 0. */
  readonly step: number;
  readonly state: PublishedState;
  readonly columns: QuantityTable;
}

/**
 * The solved steps of a profile. Each is the exact state at its edits, with the bits and the hash of a commit of them.
 */
export class SolvedSeries {
  readonly profile: Profile;
  readonly origin: SeriesOrigin;
  readonly steps: readonly SeriesStep[];
  /** Wall time of all solves, ms. */
  readonly ms: number;
  readonly #opened: OpenedCase;
  readonly #columns: readonly Column[];

  constructor(
    profile: Profile,
    origin: SeriesOrigin,
    { steps, columns }: SeriesResult,
    ms: number,
    opened: OpenedCase,
  ) {
    this.profile = profile;
    this.origin = origin;
    this.steps = steps;
    this.ms = ms;
    this.#columns = columns;
    this.#opened = opened;
  }

  /** Number of solved steps, including failed ones; fewer than the profile has after a cancellation. */
  get length(): number {
    return this.steps.length;
  }

  get formulation(): FormulationId {
    return this.origin.solution.formulation;
  }

  /** Whether all of these quantities are stored. */
  has(...names: readonly string[]): boolean {
    return names.every((name) => this.#columns.some((column) => column.name === name));
  }

  /** The stored quantities. */
  get quantities(): readonly Pick<Column, "name" | "element" | "unit">[] {
    return this.#columns;
  }

  /** The values of a quantity in one step by dense row, NaN in a failed step; null where it is not stored. */
  values(name: string, step: number): Float64Array | null {
    const column = this.#columns.find((one) => one.name === name);
    return column === undefined ? null : this.#of(column, step);
  }

  /** A quantity of one element by step. */
  course(name: string, row: number): Float64Array {
    const column = this.#columns.find((one) => one.name === name);
    const rows = column === undefined ? 0 : this.#rows(column);
    return Float64Array.from(this.steps, (_, step) => column?.values[step * rows + row] ?? NaN);
  }

  /** The absolute edits of a step, including those of the state the series was solved from. */
  edits(step: number): CaseEdits {
    return stepEdits(this.profile, step, this.origin.edits);
  }

  /** The error of a step; null where it has a solution. */
  error(step: number): ErrorBody | null {
    return this.steps[step]?.error ?? null;
  }

  /** The steps without a solution. */
  get failures(): readonly { step: number; error: ErrorBody }[] {
    return this.steps.flatMap(({ error }, step) => (error === undefined ? [] : [{ step, error }]));
  }

  /** The quantities of a step: stored ones, demand, and those that no step changes. Views, not copies. */
  table(step: number): QuantityTable {
    const stored = this.#columns.map((column): NamedQuantity => ({ ...column, values: this.#of(column, step) }));
    return new QuantityTable([...this.#constant, ...stored, ...this.#changed(step)]);
  }

  /** The solution of a step without its columns; only the formulation is meaningful for a step without a solution. */
  solution(step: number): Solution {
    const { objective, result_sha256, certificate } = this.steps[step] ?? {};
    const { objective: _ofOrigin, ...others } = this.origin.solution;
    return {
      ...others,
      ...(objective === undefined ? {} : { objective }),
      result_sha256: result_sha256 ?? "",
      certificate: certificate ?? others.certificate,
      solve_ms: this.ms / Math.max(1, this.length),
    };
  }

  get #constant(): NamedQuantity[] {
    const { columns } = this.origin;
    const all = [...columns.of("bus"), ...columns.of("branch"), ...columns.of("generator")];
    return all.filter(({ name }) => CONSTANT.includes(name));
  }

  /** Demand and ratings with the changes of a step. */
  #changed(step: number): NamedQuantity[] {
    const { profile, origin } = this;
    const { buses, branches, changesMw } = profile;
    const from = step * widthOf(profile);
    const changed = (name: string, ids: readonly number[], at: number, kind: "bus" | "branch"): NamedQuantity[] => {
      const known = origin.columns.of(kind).find((quantity) => quantity.name === name);
      if (known === undefined || ids.length === 0) {
        return [];
      }
      const values = known.values.slice();
      ids.forEach((id, k) => {
        const row = this.#opened.rowOf({ kind, id });
        values[row] = this.#opened.baseMw({ kind, id }, origin.edits) + (changesMw[at + k] ?? NaN);
      });
      return [{ ...known, values }];
    };
    return [
      ...changed("demand_mw", buses, from, "bus"),
      ...["rating_mw", "rating_mva"].flatMap((name) => changed(name, branches, from + buses.length, "branch")),
    ];
  }

  #rows(column: Column): number {
    return column.values.length / this.profile.steps.length;
  }

  #of(column: Column, step: number): Float64Array {
    const rows = this.#rows(column);
    return column.values.subarray(step * rows, (step + 1) * rows);
  }
}
