import type { FormulationId, Solution } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { type CaseEdits, sameEdits } from "../edits/edits.ts";
import type { QuantityTable } from "../quantities/quantityTable.ts";
import type { NamedState, StepEvent } from "./stepEvent.ts";
import { StepTrail } from "./stepTrail.ts";

/** An exact state that was published in this session. */
export interface CommittedState extends NamedState {
  /** Rises from 0, the base case, in the order of first publication. */
  readonly id: number;
  /** The state that it was reached from; null for the base case. */
  readonly parent: number | null;
  /** The revision at which it was published first. */
  readonly revision: number;
  readonly edits: CaseEdits;
  readonly formulation: FormulationId;
  /** Whether it was committed elsewhere, in a cell for instance. */
  readonly remote: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** $/h; null where the formulation has no cost. */
  readonly objective: number | null;
  readonly resultSha256: string;
  /** Wall time of the solve, ms; null where nobody measured it. */
  readonly solveMs: number | null;
}

/** The exact result of a state. */
export interface ExactResult {
  readonly solution: Solution;
  readonly columns: QuantityTable;
}

/** A state whose numbers are there. */
export interface ReferenceState {
  readonly state: CommittedState;
  readonly columns: QuantityTable;
}

/** How one comes back to a state that was published before. */
export type VisitKind = "undo" | "redo" | "go";

/** A return to a state; `held` is its result where that is still there. */
export interface Visit {
  readonly kind: VisitKind;
  readonly state: CommittedState;
  readonly held: ExactResult | null;
}

/** What the latest publication was, for a log: `before` is the state that it left. */
export interface LatestStep {
  readonly event: StepEvent;
  readonly remote: boolean;
  /** Whether its result was held, so that nothing was solved. */
  readonly held: boolean;
  readonly before: CommittedState;
}

/** States that are listed besides the base case and those with a name. */
const MOST_STATES = 200;
/** States whose results are kept besides those of the base case and of the reference; the others are solved again. */
const MOST_RESULTS = 8;
/** Characters of a name. */
const LONGEST_NAME = 120;

/** Solves a state again without publishing it. */
export type Recompute = (state: Pick<CommittedState, "edits" | "formulation">) => Promise<ExactResult>;

/**
 * The committed states of one session, the base case first, which of them is the present one, and which changes are measured
 * from. Undo and redo go from one state to another and add none. A state is a function of its edits and its formulation
 * alone, so its numbers may be forgotten and computed again.
 */
export class StateHistory {
  readonly #recompute: Recompute;
  readonly #changed = new Signal<this, void>(this);
  readonly #results = new Map<number, ExactResult>();
  readonly #running = new Map<number, Promise<QuantityTable>>();
  readonly #trail: StepTrail;
  #states: readonly CommittedState[];
  #reference: ReferenceState;
  #latest: LatestStep;
  #lastId = 0;

  constructor(solution: Solution, columns: QuantityTable, edits: CaseEdits, recompute: Recompute) {
    this.#recompute = recompute;
    const event: StepEvent = { kind: "base" };
    const base = committed({ id: 0, parent: null, revision: 0, event, edits, remote: false }, solution);
    this.#states = [base];
    this.#trail = new StepTrail({ id: 0, event });
    this.#results.set(0, { solution, columns });
    this.#reference = { state: base, columns };
    this.#latest = { event, remote: false, held: false, before: base };
  }

  /** Tells of a new state, of another present one, of a name and of another reference. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** The states, the oldest first. */
  get states(): readonly CommittedState[] {
    return this.#states;
  }

  /** The state that is published now: the last one, or one that undo, redo or a choice came back to. */
  get current(): CommittedState {
    return this.stateOf(this.#trail.here.id) ?? this.#reference.state;
  }

  /** The state that changes are measured from: the base case unless another one was chosen. */
  get reference(): ReferenceState {
    return this.#reference;
  }

  /** What was published last. */
  get latest(): LatestStep {
    return this.#latest;
  }

  /** The state that undo goes to, and what it takes back; null at the beginning. */
  get undoable(): { state: CommittedState; event: StepEvent } | null {
    const state = this.stateOf(this.#trail.before?.id);
    return state === null ? null : { state, event: this.#trail.here.event };
  }

  /** The state that redo goes to, and what it does again; null where nothing was taken back. */
  get redoable(): { state: CommittedState; event: StepEvent } | null {
    const { after } = this.#trail;
    const state = this.stateOf(after?.id);
    return state === null || after === null ? null : { state, event: after.event };
  }

  /** A state by its id; null when it is not listed any more. */
  stateOf(id: number | undefined): CommittedState | null {
    return this.#states.find((state) => state.id === id) ?? null;
  }

  /** The return to a state by its id, or by undo or redo; null where there is none. */
  visitOf(where: number | "undo" | "redo"): Visit | null {
    const at = { undo: this.undoable?.state, redo: this.redoable?.state };
    const state = typeof where === "number" ? this.stateOf(where) : (at[where] ?? null);
    const kind = typeof where === "number" ? "go" : where;
    return state === null ? null : { kind, state, held: this.#results.get(state.id) ?? null };
  }

  /** The result of a state with these edits in a formulation, where one is held. */
  held(formulation: FormulationId, edits: CaseEdits): ExactResult | null {
    const state = this.#states.findLast(
      (one) => one.formulation === formulation && sameEdits(one.edits, edits) && this.#results.has(one.id),
    );
    return state === undefined ? null : (this.#results.get(state.id) ?? null);
  }

  /** Adds the state that was just published. */
  add(
    described: Pick<CommittedState, "revision" | "event" | "edits" | "remote">,
    solution: Solution,
    columns: QuantityTable,
  ): void {
    const before = this.current;
    this.#lastId += 1;
    const state = committed({ id: this.#lastId, parent: before.id, ...described }, solution);
    this.#trail.push({ id: state.id, event: state.event });
    this.#states = [...this.#states, state];
    this.#results.set(state.id, { solution, columns });
    this.#latest = { event: state.event, remote: state.remote, held: false, before };
    this.#forgetStates();
    this.#forgetResults();
    this.#changed.emit();
  }

  /** Makes a state that was just published again the present one. */
  returned({ kind, state, held }: Visit, solution: Solution, columns: QuantityTable): void {
    const [before, left] = [this.current, this.#trail.here];
    if (kind === "undo") {
      this.#trail.undo();
    } else if (kind === "redo") {
      this.#trail.redo();
    } else {
      this.#trail.push({ id: state.id, event: { kind: "return", to: state } });
    }
    const { event: here } = this.#trail.here;
    const event: StepEvent = kind === "go" ? here : { kind, of: kind === "undo" ? left.event : here };
    this.#results.delete(state.id); // to the end of the order in which they are forgotten
    this.#results.set(state.id, { solution, columns });
    this.#latest = { event, remote: false, held: held !== null, before };
    this.#forgetResults();
    this.#changed.emit();
  }

  /** Gives a state a name, or takes it away with an empty one. */
  rename(id: number, name: string): void {
    // eslint-disable-next-line no-control-regex -- names are shown as they are
    const plain = name.replace(/[\u0000-\u001f\u007f]+/g, " ").trim();
    const short = [...plain].slice(0, LONGEST_NAME).join("").trimEnd();
    const named = (state: CommittedState): CommittedState => ({ ...state, name: short === "" ? null : short });
    this.#states = this.#states.map((state) => (state.id === id ? named(state) : state));
    this.#reference = { ...this.#reference, state: this.stateOf(this.#reference.state.id) ?? this.#reference.state };
    this.#changed.emit();
  }

  /** The numbers of a state, solved again where they were forgotten. Rejects with EngineError. */
  columnsOf(state: CommittedState): Promise<QuantityTable> {
    const known = this.#results.get(state.id);
    if (known !== undefined) {
      return Promise.resolve(known.columns);
    }
    let running = this.#running.get(state.id);
    if (running === undefined) {
      running = this.#recompute(state).then((result) => {
        this.#results.set(state.id, result);
        this.#forgetResults();
        return result.columns;
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

  #forgetStates(): void {
    const kept = new Set([0, this.#trail.here.id, this.#reference.state.id]);
    const plain = this.#states.filter(({ id, name }) => name === null && !kept.has(id));
    const forgotten = new Set(plain.slice(0, Math.max(0, plain.length - MOST_STATES)).map(({ id }) => id));
    if (forgotten.size > 0) {
      this.#states = this.#states.filter(({ id }) => !forgotten.has(id));
      this.#trail.keepOnly(new Set(this.#states.map(({ id }) => id)));
    }
  }

  #forgetResults(): void {
    const kept = new Set([0, this.#trail.here.id, this.#reference.state.id]);
    const others = [...this.#results.keys()].filter((id) => !kept.has(id));
    for (const id of others.slice(0, Math.max(0, others.length - MOST_RESULTS))) {
      this.#results.delete(id);
    }
  }
}

function committed(
  described: Pick<CommittedState, "id" | "parent" | "revision" | "event" | "edits" | "remote">,
  { formulation, objective, result_sha256, solve_ms }: Solution,
): CommittedState {
  const result = { formulation, objective: objective ?? null, resultSha256: result_sha256, solveMs: solve_ms ?? null };
  return { ...described, name: null, at: Date.now(), ...result };
}
