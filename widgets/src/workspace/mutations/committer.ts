import type { FormulationId, Solution, SolveProgress } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { leftOutSentence, trans } from "../../text/index.ts";
import { sameSelection, type Selection } from "../cases/selection.ts";
import { isCancelled, unlessCancelled } from "../concurrency/cancelling.ts";
import {
  type BaseValues,
  canonicalEdits,
  type CaseEdits,
  deltaOf,
  type ElementMove,
  type MoveMode,
  NO_EDITS,
  sameEdits,
  withMoves,
} from "../edits/edits.ts";
import type { SelectedElements } from "../edits/selectedElements.ts";
import type { ExactResult } from "../history/committedState.ts";
import type { Publication } from "../history/publishedStates.ts";
import type { LatestStep, Visit } from "../history/stateHistory.ts";
import { exactStateOf } from "../quantities/prices.ts";
import type { QuantityTable } from "../quantities/quantityTable.ts";
import { AVAILABLE_FORMULATIONS } from "../session/capabilities.ts";
import type { Inspection } from "../session/inspection.ts";
import type { SessionCore } from "../session/sessionCore.ts";
import type { PublishedState, RemoteState } from "../session/sessionState.ts";
import { failedStatus, type TriedChange } from "../session/sessionStatus.ts";
import type { Candidate } from "../solving/exactSolver.ts";
import { StaleRevisionError } from "./mutationQueue.ts";
import { type CommitAnswer, type Orderer, pageOrderer } from "./revisionOrderer.ts";

/** How often a change is solved again because others committed first, before it is abandoned. */
const MOST_ATTEMPTS = 8;

/** A requested state: its edits, its formulation where that changes, and its result where it is stored. */
interface Wanted {
  edits: CaseEdits;
  formulation?: FormulationId;
  held?: ExactResult | null;
  visit?: Visit;
  /** Throws where the solved state must not be published after all. */
  check?: () => void;
}

/** A change of the state that is live when its turn in the queue comes. */
export interface CheckedChange {
  /** Throws where the change is not allowed now. Called when its turn comes, and again before it is published. */
  check(): void;
  /** Absolute edits after the change. */
  edits(before: CaseEdits): CaseEdits;
  /** The formulation after the change; by default unchanged. */
  readonly formulation?: FormulationId | undefined;
}

/**
 * The gate for changes of one case: each is solved and published in its turn, at a revision given by the orderer. A
 * failed change leaves the state unchanged, and no change is made while views show a state other than the live one.
 */
export class Committer {
  readonly #core: SessionCore;
  readonly #elements: SelectedElements;
  readonly #inspection: Inspection;
  readonly #published = new Signal<this, LatestStep>(this);
  readonly #remote = new RemoteChanges();
  /** The latest revision known elsewhere. */
  #newest = 0;
  /** The attempted change under way, once it is known. */
  #tried: Omit<TriedChange, "ms"> | null = null;
  /** Assigns revisions; a candidate already handed over stays with the previous orderer. */
  orderer: Orderer = pageOrderer;

  constructor(core: SessionCore, elements: SelectedElements, inspection: Inspection) {
    this.#core = core;
    this.#elements = elements;
    this.#inspection = inspection;
  }

  /** Emitted when a state was published, before views are notified. */
  get published(): ISignal<this, LatestStep> {
    return this.#published;
  }

  /**
   * The formulations that the state can change to, including the present one: those that the orderer accepts, and only
   * the present one while a saved state or a step of a series is shown.
   */
  get formulations(): readonly FormulationId[] {
    const { states } = this.#core;
    const taken = states.showsLive ? this.orderer.formulations : [];
    const { formulation } = states.shown.solution;
    return AVAILABLE_FORMULATIONS.filter((one) => one === formulation || taken?.includes(one) !== false);
  }

  /**
   * Solves and publishes absolute `edits`. Rejects with StaleRevisionError when the state is no longer
   * `expectedRevision`, and with EngineError when there is no solution.
   */
  commit(edits: CaseEdits, expectedRevision: number): Promise<void> {
    return this.#change((signal) => this.#commitNow({ edits }, expectedRevision, signal));
  }

  /**
   * Changes some elements of the state that is live in its turn, and retries once on the new state after a stale
   * answer. Rejects with StaleRevisionError where one of the elements was changed elsewhere to a value unknown here,
   * and with EngineError.
   */
  edit(moves: readonly ElementMove[], mode: MoveMode): Promise<void> {
    const { opened } = this.#core;
    const seen = this.#state.revision;
    return this.#change(async (signal) => {
      for (let attempt = 1; ; attempt += 1) {
        const { revision, edits, solution } = this.#state;
        const moved = withMoves(edits, moves, mode, opened);
        if (sameEdits(moved, edits)) {
          const { preview, primary } = this.#elements;
          if (moves.some(({ element }) => sameSelection(element, primary))) {
            preview.cancel();
          }
          return;
        }
        this.#tried = { edits: moved, formulation: solution.formulation };
        if (mode === "set") {
          this.#refuseOverwriting(moves, seen);
        }
        try {
          return await this.#commitNow({ edits: moved }, revision, signal);
        } catch (error) {
          if (!(error instanceof StaleRevisionError) || attempt === MOST_ATTEMPTS) {
            throw error;
          }
        }
      }
    });
  }

  /**
   * Solves and publishes a change of the state that is live in its turn. Rejects with the error of its `check`, which
   * leaves even the status unchanged, and with EngineError.
   */
  checked(change: CheckedChange): Promise<void> {
    return this.#inspection.live(() =>
      this.#core.queue.run(async (signal) => {
        change.check();
        const { edits, revision, solution } = this.#state;
        const { formulation = solution.formulation } = change;
        const wanted = { edits: change.edits(edits), formulation, check: () => change.check() };
        await this.#settle(signal, () => this.#commitNow(wanted, revision, signal));
      }),
    );
  }

  /** Goes back to the base case. */
  reset(): Promise<void> {
    return this.#change((signal) => this.#commitNow({ edits: NO_EDITS }, this.#state.revision, signal));
  }

  /** Solves the present edits in another formulation, or after a stale answer those of the new state. */
  formulate(formulation: FormulationId): Promise<void> {
    return this.#change(async (signal) => {
      for (let attempt = 1; this.#state.solution.formulation !== formulation; attempt += 1) {
        const { edits, revision } = this.#state;
        const held = this.#core.states.history.held(formulation, edits);
        try {
          return await this.#commitNow({ edits, formulation, held }, revision, signal);
        } catch (error) {
          if (!(error instanceof StaleRevisionError) || attempt === MOST_ATTEMPTS) {
            throw error;
          }
        }
      }
    });
  }

  /**
   * Returns to a state of the history by its id, or by undo or redo: at once where its result is stored, else by a
   * solve. A preview ends, in which case undo does nothing else. Rejects with StaleRevisionError when others have
   * committed since the call.
   */
  async visit(where: number | "undo" | "redo"): Promise<void> {
    await this.#inspection.live(async () => {
      const { states, signals } = this.#core;
      const { preview } = this.#elements;
      if (preview.mw !== null && signals.status.kind === "previewing") {
        preview.cancel();
        if (where === "undo") {
          return;
        }
      }
      const seen = this.#state.revision;
      await this.#queued(async (signal) => {
        const { revision } = this.#state;
        if (this.#remote.since(seen)) {
          throw new StaleRevisionError(seen, revision);
        }
        const visit = states.history.visitOf(where);
        if (visit !== null) {
          const { edits, formulation } = visit.state;
          await this.#commitNow({ edits, formulation, held: visit.held, visit }, revision, signal);
        }
      });
    });
  }

  /**
   * Publishes a state that was committed elsewhere; only the hashes are compared when it is already published here. A
   * state that is no longer the latest is ignored.
   */
  adopt(remote: RemoteState): Promise<void> {
    this.#newest = Math.max(this.#newest, remote.revision);
    const { opened, solver, queue, states, signals } = this.#core;
    return queue.run(async () => {
      const edits = canonicalEdits(remote.edits, opened);
      const state = this.#state;
      const { formulation = state.solution.formulation } = remote;
      if (remote.revision < this.#newest) {
        return;
      }
      const same = formulation === state.solution.formulation && sameEdits(edits, state.edits);
      if (remote.revision === state.revision && same) {
        states.compared(differing(remote.resultSha256, state.solution));
        signals.tell("status");
        return;
      }
      const begun = performance.now();
      try {
        signals.setStatus({ kind: "solving" });
        const candidate = await solver.solve(edits, formulation, {
          onProgress: (progress) => signals.setProgress(progress),
        });
        this.#publishRemote(candidate, remote.revision, remote.resultSha256);
      } catch (error) {
        const tried = { edits, formulation, ms: performance.now() - begun };
        signals.setStatus(failedStatus(error, tried, `${trans.__("The state of the kernel cannot be shown here.")} `));
        throw error;
      }
    });
  }

  /**
   * Cancels the changes that are not published yet: they reject with `ABORTED`, and the state stays the previous one.
   */
  cancel(): void {
    this.#core.queue.cancel();
    this.#core.solver.interrupt();
  }

  dispose(): void {
    Signal.clearData(this);
  }

  get #state(): PublishedState {
    return this.#core.states.now;
  }

  #change(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    return this.#inspection.live(() => this.#queued(run));
  }

  /** Runs a change in the queue; a failure ends the preview and is shown by the status. */
  #queued(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    return this.#core.queue.run((signal) => this.#settle(signal, run));
  }

  async #settle(signal: AbortSignal, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signals } = this.#core;
    this.#tried = null;
    const begun = performance.now();
    try {
      await run(signal);
    } catch (error) {
      const tried = this.#tried as Omit<TriedChange, "ms"> | null;
      this.#elements.preview.end();
      if (isCancelled(error)) {
        signals.setStatus({ kind: "ready" });
        throw error;
      }
      signals.setStatus(failedStatus(error, tried && { ...tried, ms: performance.now() - begun }));
      throw error;
    }
  }

  /** Throws when one of the elements was changed elsewhere to a value that the user had not seen. */
  #refuseOverwriting(moves: readonly ElementMove[], seen: number): void {
    const { revision, edits } = this.#state;
    const { opened } = this.#core;
    const unseen = moves.find(
      ({ element, mw }) => deltaOf(edits, element, opened) !== mw && this.#remote.touched(seen, element, opened),
    );
    if (unseen !== undefined) {
      const { kind, id } = unseen.element;
      throw new StaleRevisionError(seen, revision, opened.nameOf(kind, id));
    }
  }

  async #commitNow(wanted: Wanted, expectedRevision: number, signal: AbortSignal): Promise<void> {
    const { solver, states, signals } = this.#core;
    const { preview } = this.#elements;
    const { revision, edits: before, solution } = this.#state;
    const { edits, formulation = solution.formulation, held = null, visit = null } = wanted;
    if (expectedRevision !== revision) {
      throw new StaleRevisionError(expectedRevision, revision);
    }
    this.#tried = { edits, formulation };
    const predictable = visit === null && formulation === solution.formulation;
    const prediction = predictable ? await preview.predict(edits) : null;
    const onProgress = (progress: SolveProgress): void => signals.setProgress(progress);
    const options = { onProgress, hashLater: true };
    const solving = held === null ? solver.solve(edits, formulation, options) : { ...held, edits, iterations: [] };
    if (held === null) {
      signals.setStatus({ kind: "solving" }); // the engine works already while views show it
    }
    const candidate = await solving;
    const { orderer } = this;
    if (orderer.waitsFor !== null) {
      signals.setStatus({ kind: "waiting", waitsFor: orderer.waitsFor });
      this.#showCandidate(candidate.columns);
      await solver.hashed;
    }
    wanted.check?.();
    const { result_sha256: resultSha256 } = candidate.solution;
    const ordered = orderer.order({ baseRevision: revision, edits, formulation, resultSha256 });
    const answer = await unlessCancelled(ordered, signal).catch((error: unknown) => {
      if (isCancelled(error)) {
        void ordered.then(
          (late) => this.#takeBack(candidate, late, { edits: before, formulation: solution.formulation }),
          () => undefined, // the change was not accepted
        );
      }
      throw error;
    });
    if (answer.kind === "ack") {
      const otherSha256 = differing(answer.resultSha256, candidate.solution);
      // Revisions assigned by the page are unrelated to those elsewhere: a kernel that returns is followed again.
      this.#newest = orderer.waitsFor === null ? 0 : Math.max(this.#newest, answer.revision);
      this.#publish({ candidate, revision: answer.revision, otherSha256, prediction, remote: false, visit });
      if (resultSha256 === "") {
        await solver.hashed; // before the next change, but after the exact prices
        states.hashed();
        signals.tell("status");
      }
      return;
    }
    const current = await solver.solve(canonicalEdits(answer.edits, this.#core.opened), answer.formulation);
    this.#publishRemote(current, answer.revision, answer.resultSha256);
    throw new StaleRevisionError(revision, answer.revision);
  }

  /**
   * Reverts a change that was cancelled while it waited for the orderer and was accepted all the same: it is published
   * and then reverted by another change, unless others have committed since.
   */
  async #takeBack(candidate: Candidate, answer: CommitAnswer, before: Wanted): Promise<void> {
    if (answer.kind !== "ack" || this.orderer.waitsFor === null) {
      return;
    }
    const { revision, resultSha256 } = answer;
    const back = this.#queued(async (signal) => {
      if (this.#state.revision < revision) {
        this.#publishRemote(candidate, revision, resultSha256);
      }
      if (this.#state.revision === revision) {
        await this.#commitNow(before, revision, signal);
      }
    });
    await back.catch(() => undefined); // the status shows the failure
  }

  #publishRemote(candidate: Candidate, revision: number, resultSha256: string): void {
    this.#newest = Math.max(this.#newest, revision);
    this.#remote.note(revision, this.#state.edits, candidate.edits);
    const otherSha256 = differing(resultSha256, candidate.solution);
    this.#publish({ candidate, revision, otherSha256, prediction: null, remote: true, visit: null });
  }

  /** Shows a candidate that waits for the orderer. */
  #showCandidate(columns: QuantityTable): void {
    const exact = exactStateOf(columns);
    if (exact !== null) {
      this.#core.states.store.showCandidate(exact);
      this.#core.signals.tell("preview");
    }
  }

  /** Makes a state the live one. */
  #publish(publication: Publication): void {
    const { solver, states, signals } = this.#core;
    const { preview } = this.#elements;
    const before = solver.formulation;
    states.publish(publication);
    const { formulation } = states.now.solution;
    solver.formulation = formulation;
    if (formulation !== before) {
      preview.drop(); // a move under way belongs to the previous formulation
      const unread = solver.leftOut(formulation);
      if (unread.length > 0) {
        states.remark(states.now.revision, leftOutSentence(formulation, unread));
      }
    }
    signals.setQuietly({ kind: "ready" });
    this.#elements.restart();
    preview.published();
    this.#published.emit(states.history.latest);
    signals.tell("state");
    preview.show();
    this.#elements.follow();
  }
}

/** A hash from elsewhere where it is known and differs from that of our solution; null otherwise. */
function differing(otherSha256: string, solution: Solution): string | null {
  return otherSha256 === "" || otherSha256 === solution.result_sha256 ? null : otherSha256;
}

/** Maximum number of stored changes from elsewhere. */
const MOST_CHANGES = 64;

/**
 * Changes made elsewhere, by revision: a change made here must not overwrite one of the same element that the user had
 * not seen.
 */
class RemoteChanges {
  readonly #changes: { revision: number; before: CaseEdits; after: CaseEdits }[] = [];

  /** Records a state from elsewhere. */
  note(revision: number, before: CaseEdits, after: CaseEdits): void {
    this.#changes.push({ revision, before, after });
    this.#changes.splice(0, this.#changes.length - MOST_CHANGES);
  }

  /** Whether any change came from elsewhere after revision `since`. */
  since(since: number): boolean {
    return this.#changes.some(({ revision }) => revision > since);
  }

  /** Whether an element was changed elsewhere after revision `since`. */
  touched(since: number, element: Selection, base: BaseValues): boolean {
    return this.#changes.some(
      ({ revision, before, after }) =>
        revision > since && deltaOf(before, element, base) !== deltaOf(after, element, base),
    );
  }
}
