import type { Solution, StudyColumns } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import type { CaseEdits } from "./edits.ts";

/** An exact state that was published in this session. */
export interface CommittedState {
  /** Rises from 0, the base case, in the order of publication. */
  readonly id: number;
  readonly revision: number;
  /** What was done to reach it. */
  readonly label: string;
  readonly edits: CaseEdits;
  /** Whether it was committed elsewhere, in a cell for instance. */
  readonly remote: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** $/h. */
  readonly objective: number;
  readonly resultSha256: string;
  /** Wall time of the solve, ms; null where nobody measured it. */
  readonly solveMs: number | null;
}

/** A state whose numbers are there. */
export interface ReferenceState {
  readonly state: CommittedState;
  readonly columns: StudyColumns;
}

/** States that are listed besides the base case. */
const MOST_STATES = 200;
/** States whose columns are kept besides those of the base case and of the reference; the others are solved again. */
const MOST_COLUMNS = 8;

/** Solves a state again without publishing it. */
export type Recompute = (edits: CaseEdits) => Promise<StudyColumns>;

/**
 * The committed states of one session, the base case first, and which of them changes are measured from. A state is a function
 * of its edits alone, so its numbers may be forgotten and computed again.
 */
export class StateHistory {
  readonly #recompute: Recompute;
  readonly #changed = new Signal<this, void>(this);
  readonly #columns = new Map<number, StudyColumns>();
  readonly #running = new Map<number, Promise<StudyColumns>>();
  #states: readonly CommittedState[];
  #reference: ReferenceState;

  constructor(solution: Solution, columns: StudyColumns, edits: CaseEdits, recompute: Recompute) {
    this.#recompute = recompute;
    const base = committed({ id: 0, revision: 0, label: "Base case", edits, remote: false }, solution);
    this.#states = [base];
    this.#columns.set(0, columns);
    this.#reference = { state: base, columns };
  }

  /** Tells of a new state, and of another reference. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** The states, the oldest first. */
  get states(): readonly CommittedState[] {
    return this.#states;
  }

  /** The state that is published now. */
  get current(): CommittedState {
    return this.#states.at(-1) ?? this.#reference.state;
  }

  /** The state that changes are measured from: the base case unless another one was chosen. */
  get reference(): ReferenceState {
    return this.#reference;
  }

  /** Adds the state that was just published. */
  add(
    described: Pick<CommittedState, "revision" | "label" | "edits" | "remote">,
    solution: Solution,
    columns: StudyColumns,
  ): void {
    const state = committed({ id: this.current.id + 1, ...described }, solution);
    const [base, ...others] = this.#states;
    this.#states = [...(base === undefined ? [] : [base]), ...others.slice(1 - MOST_STATES), state];
    this.#columns.set(state.id, columns);
    this.#forgetColumns();
    this.#changed.emit();
  }

  /** The numbers of a state, solved again where they were forgotten. Rejects with EngineError. */
  columnsOf(state: CommittedState): Promise<StudyColumns> {
    const known = this.#columns.get(state.id);
    if (known !== undefined) {
      return Promise.resolve(known);
    }
    let running = this.#running.get(state.id);
    if (running === undefined) {
      running = this.#recompute(state.edits).then((columns) => {
        this.#columns.set(state.id, columns);
        this.#forgetColumns();
        return columns;
      });
      this.#running.set(state.id, running);
      const done = (): void => void this.#running.delete(state.id);
      running.then(done, done);
    }
    return running;
  }

  /** Measures changes from another state. Rejects with EngineError. */
  async setReference(state: CommittedState): Promise<void> {
    if (state.id !== this.#reference.state.id) {
      this.#reference = { state, columns: await this.columnsOf(state) };
      this.#changed.emit();
    }
  }

  dispose(): void {
    Signal.clearData(this);
  }

  #forgetColumns(): void {
    const kept = new Set([0, this.current.id, this.#reference.state.id]);
    const others = [...this.#columns.keys()].filter((id) => !kept.has(id));
    for (const id of others.slice(0, Math.max(0, others.length - MOST_COLUMNS))) {
      this.#columns.delete(id);
    }
  }
}

function committed(
  described: Pick<CommittedState, "id" | "revision" | "label" | "edits" | "remote">,
  { objective, result_sha256, solve_ms }: Solution,
): CommittedState {
  return { ...described, at: Date.now(), objective, resultSha256: result_sha256, solveMs: solve_ms ?? null };
}
