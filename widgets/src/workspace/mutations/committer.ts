import type { FormulationId, Solution, SolveProgress } from "@service/engine";
import { isCancelled, unlessCancelled } from "../concurrency/cancelling.ts";
import { type CaseEdits, canonicalEdits, deltaOf, NO_EDITS, sameEdits } from "../edits/edits.ts";
import { type ElementMove, type MoveMode, withMoves } from "../edits/elementMoves.ts";
import type { Candidate, ExactSolver } from "../solving/exactSolver.ts";
import { type MutationQueue, StaleRevisionError } from "./mutationQueue.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import { type CommitAnswer, type Orderer, pageOrderer } from "./revisionOrderer.ts";
import type { Prediction } from "../preview/reconciliation.ts";
import type { QuantityTable } from "../quantities/quantityTable.ts";
import { RemoteChanges } from "./remoteChanges.ts";
import type { PublishedState, RemoteState } from "../session/sessionState.ts";
import type { ExactResult } from "../history/committedState.ts";
import type { Visit } from "../history/stateHistory.ts";
import { failedStatus, type SessionStatus, type TriedChange } from "../session/sessionStatus.ts";
import { trans } from "../../text/index.ts";
import { sameSelection, type Selection } from "../cases/selection.ts";

/** How often a change is solved again because others committed first, before it is abandoned. */
const MOST_ATTEMPTS = 8;

/** An exact state on its way to be published. */
export interface Publication {
  candidate: Candidate;
  revision: number;
  /** The hash of the same state elsewhere, when it is not ours. */
  otherSha256: string | null;
  /** The prices predicted for it. */
  prediction: Prediction | null;
  /** Whether it was committed elsewhere. */
  remote: boolean;
  /** The state of the history that it comes back to; null for a new one. */
  visit: Visit | null;
}

/** A state that is wanted: its edits, its formulation where that is to be another one, and its result where that is held. */
interface Wanted {
  edits: CaseEdits;
  formulation?: FormulationId;
  held?: ExactResult | null;
  visit?: Visit;
  /** Throws where the solved state is not to be published after all. */
  check?: () => void;
}

/** A change that is made of the state that its turn in the queue finds. */
export interface CheckedChange {
  /** Throws what is wrong with making it now. Asked when its turn has come, and again before it is published. */
  check(): void;
  /** Absolute edits after it. */
  edits(before: CaseEdits): CaseEdits;
  /** The formulation after it; by default that before. */
  readonly formulation?: FormulationId | undefined;
}

/** What the committer needs of its session. */
export interface CommitHost {
  readonly opened: OpenedCase;
  state(): PublishedState;
  /** The result of a state where that is held. */
  held(formulation: FormulationId, edits: CaseEdits): ExactResult | null;
  selection(): Selection | null;
  status(): SessionStatus;
  setStatus(status: SessionStatus): void;
  /** How far the solve of the status is. */
  setProgress(progress: SolveProgress): void;
  /** What the preview says of edits that are about to be solved. */
  predict(edits: CaseEdits): Promise<Prediction | null>;
  /** Shows a candidate that waits for the orderer. */
  showCandidate(columns: QuantityTable): void;
  publish(publication: Publication): void;
  /** The solution of the state that was published has its hash now. */
  hashed(): void;
  /** The state that was published is also known elsewhere, under this hash when it is not ours. */
  compared(otherSha256: string | null): void;
  /** A change ended without one: what was previewed is over. */
  endPreview(): void;
  cancelPreview(): void;
}

/**
 * Brings changes of one case into order: each is solved and published when its turn in the queue has come, under a revision
 * that the orderer gives. A change that fails leaves everything as it was.
 */
export class Committer {
  readonly #host: CommitHost;
  readonly #solver: ExactSolver;
  readonly #queue: MutationQueue;
  readonly #remote = new RemoteChanges();
  /** The latest revision that was told from elsewhere, or given there. */
  #newest = 0;
  /** What the change under way would make, once that is known. */
  #tried: Omit<TriedChange, "ms"> | null = null;
  /** Decides on revisions; a candidate already handed over stays with the one before. */
  orderer: Orderer = pageOrderer;

  constructor(host: CommitHost, solver: ExactSolver, queue: MutationQueue) {
    this.#host = host;
    this.#solver = solver;
    this.#queue = queue;
  }

  /** Solves and publishes absolute `edits`, when the state still is `expectedRevision`. */
  commit(edits: CaseEdits, expectedRevision: number): Promise<void> {
    return this.#change((signal) => this.#commitNow({ edits }, expectedRevision, signal));
  }

  /** Changes some elements, all others as they are when its turn comes; after a stale answer once more on the new state. */
  edit(moves: readonly ElementMove[], mode: MoveMode): Promise<void> {
    const seen = this.#host.state().revision;
    return this.#change(async (signal) => {
      for (let attempt = 1; ; attempt += 1) {
        const { revision, edits, solution } = this.#host.state();
        const moved = withMoves(edits, moves, mode, this.#host.opened);
        if (sameEdits(moved, edits)) {
          if (moves.some(({ element }) => sameSelection(element, this.#host.selection()))) {
            this.#host.cancelPreview();
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
   * Solves and publishes a change of the state that its turn finds, What its `check` throws leaves everything as it is, even the status.
   */
  checked(change: CheckedChange): Promise<void> {
    return this.#queue.run(async (signal) => {
      change.check();
      const { edits, revision, solution } = this.#host.state();
      const { formulation = solution.formulation } = change;
      const wanted = { edits: change.edits(edits), formulation, check: () => change.check() };
      await this.#settle(signal, () => this.#commitNow(wanted, revision, signal));
    });
  }

  /** Back to the base case from whatever state its turn finds. */
  reset(): Promise<void> {
    return this.#change((signal) => this.#commitNow({ edits: NO_EDITS }, this.#host.state().revision, signal));
  }

  /** Solves the edits of whatever state its turn finds in another formulation, after a stale answer those of the new state. */
  formulate(formulation: FormulationId): Promise<void> {
    return this.#change(async (signal) => {
      for (let attempt = 1; this.#host.state().solution.formulation !== formulation; attempt += 1) {
        const { edits, revision } = this.#host.state();
        const held = this.#host.held(formulation, edits);
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
   * Comes back to a state that `choose` names when its turn has come: at once where its result is held, else by a solve; nothing
   * when there is none. Rejects with StaleRevisionError when others have committed since it was asked for.
   */
  visit(choose: () => Visit | null): Promise<void> {
    const seen = this.#host.state().revision;
    return this.#change(async (signal) => {
      const { revision } = this.#host.state();
      if (this.#remote.since(seen)) {
        throw new StaleRevisionError(seen, revision);
      }
      const visit = choose();
      if (visit !== null) {
        const { edits, formulation } = visit.state;
        await this.#commitNow({ edits, formulation, held: visit.held, visit }, revision, signal);
      }
    });
  }

  /**
   * Takes over a state that was committed elsewhere; when it is the one published here, only the hashes are compared. One that
   * others have followed since is passed over.
   */
  adopt(remote: RemoteState): Promise<void> {
    this.#newest = Math.max(this.#newest, remote.revision);
    return this.#queue.run(async () => {
      const { opened } = this.#host;
      const edits = canonicalEdits(remote.edits, opened);
      const state = this.#host.state();
      const { formulation = state.solution.formulation } = remote;
      if (remote.revision < this.#newest) {
        return;
      }
      const same = formulation === state.solution.formulation && sameEdits(edits, state.edits);
      if (remote.revision === state.revision && same) {
        this.#host.compared(differing(remote.resultSha256, state.solution));
        return;
      }
      const begun = performance.now();
      try {
        this.#host.setStatus({ kind: "solving" });
        const candidate = await this.#solver.solve(edits, formulation, {
          onProgress: (progress) => this.#host.setProgress(progress),
        });
        this.#publishRemote(candidate, remote.revision, remote.resultSha256);
      } catch (error) {
        const tried = { edits, formulation, ms: performance.now() - begun };
        this.#host.setStatus(
          failedStatus(error, tried, `${trans.__("The state of the kernel cannot be shown here.")} `),
        );
        throw error;
      }
    });
  }

  /** Gives up the changes that are not published yet: they reject with `ABORTED`, and the state stays the one before. */
  cancel(): void {
    this.#queue.cancel();
    this.#solver.interrupt();
  }

  /** Runs a change in the queue; its failure ends the preview and is told by the status. */
  #change(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    return this.#queue.run((signal) => this.#settle(signal, run));
  }

  async #settle(signal: AbortSignal, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#tried = null;
    const begun = performance.now();
    try {
      await run(signal);
    } catch (error) {
      const tried = this.#tried as Omit<TriedChange, "ms"> | null;
      this.#host.endPreview();
      if (isCancelled(error)) {
        this.#host.setStatus({ kind: "ready" });
        throw error;
      }
      this.#host.setStatus(failedStatus(error, tried && { ...tried, ms: performance.now() - begun }));
      throw error;
    }
  }

  /** Throws when one of the elements was set elsewhere to something that nobody here had seen. */
  #refuseOverwriting(moves: readonly ElementMove[], seen: number): void {
    const { revision, edits } = this.#host.state();
    const { opened } = this.#host;
    const unseen = moves.find(
      ({ element, mw }) => deltaOf(edits, element, opened) !== mw && this.#remote.touched(seen, element, opened),
    );
    if (unseen !== undefined) {
      const { kind, id } = unseen.element;
      throw new StaleRevisionError(seen, revision, opened.nameOf(kind, id));
    }
  }

  async #commitNow(wanted: Wanted, expectedRevision: number, signal: AbortSignal): Promise<void> {
    const host = this.#host;
    const { revision, edits: before, solution } = host.state();
    const { edits, formulation = solution.formulation, held = null, visit = null } = wanted;
    if (expectedRevision !== revision) {
      throw new StaleRevisionError(expectedRevision, revision);
    }
    this.#tried = { edits, formulation };
    const foretold = visit === null && formulation === solution.formulation;
    const prediction = foretold ? await host.predict(edits) : null;
    const onProgress = (progress: SolveProgress): void => host.setProgress(progress);
    const options = { onProgress, hashLater: true };
    const solving =
      held === null ? this.#solver.solve(edits, formulation, options) : { ...held, edits, iterations: [] };
    if (held === null) {
      host.setStatus({ kind: "solving" }); // the engine works already while views show it
    }
    const candidate = await solving;
    const { orderer } = this;
    if (orderer.waitsFor !== null) {
      host.setStatus({ kind: "waiting", waitsFor: orderer.waitsFor });
      host.showCandidate(candidate.columns);
      await this.#solver.hashed;
    }
    wanted.check?.();
    const { result_sha256: resultSha256 } = candidate.solution;
    const ordered = orderer.order({ baseRevision: revision, edits, formulation, resultSha256 });
    const answer = await unlessCancelled(ordered, signal).catch((error: unknown) => {
      if (isCancelled(error)) {
        void ordered.then(
          (late) => this.#takeBack(candidate, late, { edits: before, formulation: solution.formulation }),
          () => undefined, // it was not accepted
        );
      }
      throw error;
    });
    if (answer.kind === "ack") {
      const otherSha256 = differing(answer.resultSha256, candidate.solution);
      // What a page has ordered alone says nothing about revisions elsewhere: a kernel that comes back is followed again.
      this.#newest = orderer.waitsFor === null ? 0 : Math.max(this.#newest, answer.revision);
      host.publish({ candidate, revision: answer.revision, otherSha256, prediction, remote: false, visit });
      if (resultSha256 === "") {
        await this.#solver.hashed; // before the next change, but after the exact prices
        host.hashed();
      }
      return;
    }
    const current = await this.#solver.solve(canonicalEdits(answer.edits, host.opened), answer.formulation);
    this.#publishRemote(current, answer.revision, answer.resultSha256);
    throw new StaleRevisionError(revision, answer.revision);
  }

  /**
   * A change that was cancelled while it waited was accepted all the same, for nothing can be called back from there: it is followed,
   * and taken back by a change of its own unless others have followed it.
   */
  async #takeBack(candidate: Candidate, answer: CommitAnswer, before: Wanted): Promise<void> {
    if (answer.kind !== "ack" || this.orderer.waitsFor === null) {
      return;
    }
    const { revision, resultSha256 } = answer;
    const back = this.#change(async (signal) => {
      if (this.#host.state().revision < revision) {
        this.#publishRemote(candidate, revision, resultSha256);
      }
      if (this.#host.state().revision === revision) {
        await this.#commitNow(before, revision, signal);
      }
    });
    await back.catch(() => undefined); // the status tells
  }

  #publishRemote(candidate: Candidate, revision: number, resultSha256: string): void {
    this.#newest = Math.max(this.#newest, revision);
    this.#remote.note(revision, this.#host.state().edits, candidate.edits);
    const otherSha256 = differing(resultSha256, candidate.solution);
    this.#host.publish({ candidate, revision, otherSha256, prediction: null, remote: true, visit: null });
  }
}

/** A hash from elsewhere when it is known and not that of our solution. */
function differing(otherSha256: string, solution: Solution): string | null {
  return otherSha256 === "" || otherSha256 === solution.result_sha256 ? null : otherSha256;
}
