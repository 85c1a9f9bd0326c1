import type { FormulationId, Solution } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { trans } from "../../text/index.ts";
import { type CaseEdits, isEdited, sameEdits } from "../edits/edits.ts";
import type { QuantityTable } from "../quantities/quantityTable.ts";
import {
  type CommittedState,
  type DescribedState,
  type ExactResult,
  plainName,
  plainNote,
  type ReferenceState,
  solvedState,
} from "./committedState.ts";
import type { StepEvent } from "./stepEvent.ts";
import { StepTrail } from "./stepTrail.ts";

/** How an earlier published state becomes live again. */
export type VisitKind = "undo" | "redo" | "go";

/** A return to a state; `held` is its result where that is stored. */
export interface Visit {
  readonly kind: VisitKind;
  readonly state: CommittedState;
  readonly held: ExactResult | null;
}

/** The latest publication, for the log: `before` is the previous state. */
export interface LatestStep {
  readonly event: StepEvent;
  readonly remote: boolean;
  /** Whether its result was stored, so that nothing was solved. */
  readonly held: boolean;
  readonly before: CommittedState;
}

/** Maximum number of listed states besides the base case and those with a name. */
const MOST_STATES = 200;
/** Number of stored results besides those of the base case and of the reference; other states are solved again. */
const MOST_RESULTS = 8;

/** Solves a state again without publishing it. */
export type Recompute = (state: Pick<CommittedState, "edits" | "formulation">) => Promise<ExactResult>;

/**
 * The saved states of one session, the first one first. They form a tree: each names the state it was reached from. One
 * state is live, a plan may recommend one, and changes are measured from one. Undo and redo move between states and add
 * none. A state is a function of its edits and its formulation, so its numbers may be dropped and computed again.
 */
export class StateHistory {
  readonly #recompute: Recompute;
  readonly #changed = new Signal<this, void>(this);
  readonly #results = new Map<number, ExactResult>();
  readonly #running = new Map<number, Promise<ExactResult>>();
  readonly #trail: StepTrail;
  #states: readonly CommittedState[];
  #reference: ReferenceState;
  /** Number of times a reference was chosen. */
  #choice = 0;
  #latest: LatestStep;
  #recommended: number | null = null;
  #lastId = 0;
  #needed: () => readonly number[] = () => [];

  constructor(solution: Solution, columns: QuantityTable, edits: CaseEdits, recompute: Recompute) {
    this.#recompute = recompute;
    const event: StepEvent = { kind: "base" };
    const base = solvedState({ id: 0, parent: null, revision: 0, event, edits, remote: false }, solution);
    this.#states = [base];
    this.#trail = new StepTrail({ id: 0, event });
    this.#results.set(0, { solution, columns });
    this.#reference = { state: base, columns };
    this.#latest = { event, remote: false, held: false, before: base };
  }

  /** Emitted with a new state, another current state, a name, and another reference. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** The states, the oldest first. */
  get states(): readonly CommittedState[] {
    return this.#states;
  }

  /** The published state: the last one, or one that undo, redo or the user returned to. */
  get current(): CommittedState {
    return this.stateOf(this.#trail.here.id) ?? this.#reference.state;
  }

  /** The best candidate of the latest plan; null without one. It is applied only when it becomes the live state. */
  get recommended(): CommittedState | null {
    return this.stateOf(this.#recommended ?? undefined);
  }

  /** The state that changes are measured from: the base case unless another one was chosen. */
  get reference(): ReferenceState {
    return this.#reference;
  }

  /** What was published last. */
  get latest(): LatestStep {
    return this.#latest;
  }

  /** The state that undo leads to and the step it reverts; null at the beginning. */
  get undoable(): { state: CommittedState; event: StepEvent } | null {
    const state = this.stateOf(this.#trail.before?.id);
    return state === null ? null : { state, event: this.#trail.here.event };
  }

  /** The state that redo leads to and the step it repeats; null where nothing was undone. */
  get redoable(): { state: CommittedState; event: StepEvent } | null {
    const { after } = this.#trail;
    const state = this.stateOf(after?.id);
    return state === null || after === null ? null : { state, event: after.event };
  }

  /** A state by its id; null when it is no longer listed. */
  stateOf(id: number | undefined): CommittedState | null {
    return this.#states.find((state) => state.id === id) ?? null;
  }

  /**
   * The return to a state by its id, or by undo or redo; null where there is none. Only its plan publishes a candidate.
   */
  visitOf(where: number | "undo" | "redo"): Visit | null {
    const at = { undo: this.undoable?.state, redo: this.redoable?.state };
    const state = typeof where === "number" ? this.stateOf(where) : (at[where] ?? null);
    const kind = typeof where === "number" ? "go" : where;
    return state === null || state.revision === null
      ? null
      : { kind, state, held: this.#results.get(state.id) ?? null };
  }

  /** The stored result of a state with these edits in a formulation; null without one. */
  held(formulation: FormulationId, edits: CaseEdits): ExactResult | null {
    const state = this.#states.findLast(
      (one) => one.formulation === formulation && sameEdits(one.edits, edits) && this.#results.has(one.id),
    );
    return state === undefined ? null : (this.#results.get(state.id) ?? null);
  }

  /**
   * Adds the state that was just published; a candidate with the same edits, reached from the live state, becomes that
   * state.
   */
  add(described: DescribedState, solution: Solution, columns: QuantityTable): void {
    const before = this.current;
    const candidate = this.#states.find(
      ({ revision, parent, edits, formulation }) =>
        revision === null &&
        parent === before.id &&
        formulation === solution.formulation &&
        sameEdits(edits, described.edits),
    );
    const id = candidate?.id ?? this.#nextId();
    const fresh = solvedState({ id, parent: before.id, ...described }, solution);
    const state = candidate === undefined ? fresh : { ...fresh, name: candidate.name, note: candidate.note };
    this.#trail.push({ id: state.id, event: state.event });
    this.#states = [...this.#states.filter((one) => one.id !== id), state];
    this.#results.set(state.id, { solution, columns });
    this.#latest = { event: state.event, remote: state.remote, held: false, before };
    this.#forgetStates();
    this.#forgetResults();
    this.#changed.emit();
  }

  /** Makes a state that was published again the current one. */
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
    this.#results.delete(state.id); // the most recently used result is dropped last
    this.#results.set(state.id, { solution, columns });
    this.#latest = { event, remote: false, held: held !== null, before };
    this.#forgetResults();
    this.#changed.emit();
  }

  /** Sets the name of a state, or removes it with an empty one. */
  rename(id: number, name: string): void {
    this.#rewrite(id, { name: plainName(name) });
  }

  /** Sets the note of a state, or removes it with an empty text. */
  annotate(id: number, note: string): void {
    this.#rewrite(id, { note: plainNote(note) });
  }

  /**
   * Adds the best candidate of a plan and recommends it, or recommends an existing state with its edits. Nothing is
   * published.
   */
  recommend(candidate: Pick<CommittedState, "parent" | "edits" | "formulation" | "objective">): CommittedState {
    const known = this.#states.findLast(
      ({ formulation, edits }) => formulation === candidate.formulation && sameEdits(edits, candidate.edits),
    );
    const state = known ?? this.#candidate(candidate);
    this.#recommended = state.id;
    this.#changed.emit();
    return state;
  }

  /** Sets the states that are never dropped because other records refer to them. */
  keepAlso(needed: () => readonly number[]): void {
    this.#needed = needed;
  }

  /** Sets the hash of the live state from its solution. */
  hashed({ result_sha256: resultSha256 }: Solution): void {
    this.#rewrite(this.#trail.here.id, { resultSha256 });
  }

  /** Replaces the states with those of a Study. The live state, which is already published, has the id `live`. */
  restore(states: readonly CommittedState[], live: number, recommended: number | null): void {
    const [base] = this.#states;
    const [baseResult, liveResult] = [this.#results.get(0), this.#results.get(this.#trail.here.id)];
    const now = states.find(({ id }) => id === live);
    if (now === undefined || base === undefined || baseResult === undefined || liveResult === undefined) {
      throw new Error(trans.__("The live state is not among the saved states."));
    }
    this.#states = states;
    this.#lastId = Math.max(...states.map(({ id }) => id));
    this.#recommended = recommended;
    this.#trail.restart({ id: live, event: now.event });
    this.#results.clear();
    this.#results.set(live, liveResult);
    const start = states.find(({ formulation, edits }) => formulation === base.formulation && !isEdited(edits)) ?? now;
    const reference = start === now ? liveResult : baseResult;
    this.#results.set(start.id, reference);
    this.#choice += 1; // cancels a choice among the replaced states
    this.#reference = { state: start, columns: reference.columns };
    this.#latest = { event: now.event, remote: false, held: true, before: now };
    this.#changed.emit();
  }

  /** The numbers of a state, solved again where they were dropped. Rejects with EngineError. */
  async columnsOf(state: CommittedState): Promise<QuantityTable> {
    return (await this.resultOf(state)).columns;
  }

  /**
   * The result of a state, solved again where it was dropped; all callers share one solve. Rejects with EngineError.
   */
  resultOf(state: CommittedState): Promise<ExactResult> {
    const known = this.#results.get(state.id);
    if (known !== undefined) {
      return Promise.resolve(known);
    }
    let running = this.#running.get(state.id);
    if (running === undefined) {
      running = this.#recompute(state).then((result) => {
        this.#results.set(state.id, result);
        this.#forgetResults();
        const { result_sha256: resultSha256, solve_ms: solveMs = null } = result.solution;
        if (state.resultSha256 === "") {
          this.#rewrite(state.id, { resultSha256, solveMs });
        }
        return result;
      });
      this.#running.set(state.id, running);
      const done = (): void => void this.#running.delete(state.id);
      running.then(done, done);
    }
    return running;
  }

  /**
   * Measures changes from another state, unless the user chooses yet another one while it is solved. Rejects with
   * EngineError.
   */
  async setReference(state: CommittedState): Promise<void> {
    this.#choice += 1;
    const choice = this.#choice;
    if (state.id === this.#reference.state.id) {
      return;
    }
    const columns = await this.columnsOf(state);
    if (choice === this.#choice) {
      this.#reference = { state: this.stateOf(state.id) ?? state, columns };
      this.#changed.emit();
    }
  }

  dispose(): void {
    Signal.clearData(this);
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #candidate(of: Pick<CommittedState, "parent" | "edits" | "formulation" | "objective">): CommittedState {
    const before = this.stateOf(of.parent ?? undefined)?.edits ?? of.edits;
    const event: StepEvent = { kind: "edit", before, after: of.edits, formulation: of.formulation };
    const unsolved = { revision: null, resultSha256: "", solveMs: null };
    const plain = { event, remote: false, name: null, note: null, at: Date.now() };
    const state = { ...of, ...plain, ...unsolved, id: this.#nextId() };
    this.#states = [...this.#states, state];
    this.#forgetStates();
    return state;
  }

  #rewrite(id: number, part: Partial<CommittedState>): void {
    this.#states = this.#states.map((state) => (state.id === id ? { ...state, ...part } : state));
    this.#reference = { ...this.#reference, state: this.stateOf(this.#reference.state.id) ?? this.#reference.state };
    this.#changed.emit();
  }

  #forgetStates(): void {
    const needed = new Set([0, this.#trail.here.id, this.#reference.state.id, this.#recommended, ...this.#needed()]);
    const plain = this.#states.filter(({ id, name, note }) => name === null && note === null && !needed.has(id));
    const forgotten = new Set(plain.slice(0, Math.max(0, plain.length - MOST_STATES)).map(({ id }) => id));
    if (forgotten.size > 0) {
      this.#states = withoutStates(this.#states, forgotten);
      this.#trail.keepOnly(new Set(this.#states.map(({ id }) => id)));
    }
  }

  #forgetResults(): void {
    const needed = new Set([0, this.#trail.here.id, this.#reference.state.id]);
    const others = [...this.#results.keys()].filter((id) => !needed.has(id));
    for (const id of others.slice(0, Math.max(0, others.length - MOST_RESULTS))) {
      this.#results.delete(id);
    }
  }
}

/** The states without the removed ones, whose children become children of their parents. */
function withoutStates(states: readonly CommittedState[], gone: ReadonlySet<number>): CommittedState[] {
  const byId = new Map(states.map((state) => [state.id, state]));
  const left = (id: number | null): number | null =>
    id === null || !gone.has(id) ? id : left(byId.get(id)?.parent ?? null);
  return states.filter(({ id }) => !gone.has(id)).map((state) => ({ ...state, parent: left(state.parent) }));
}
