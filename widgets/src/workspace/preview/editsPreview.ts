import type { CaseEdits } from "../edits/edits.ts";
import { isCancelled } from "../concurrency/cancelling.ts";
import { LatestOnly } from "../concurrency/latestOnly.ts";
import { exactStateOf } from "../quantities/prices.ts";
import type { SessionCore } from "../session/sessionCore.ts";
import { failedStatus } from "../session/sessionStatus.ts";
import { codeOf } from "../solving/errorCode.ts";
import type { PreviewMode } from "./reconciliation.ts";

/** Edits to show, and the state that they start from. */
interface Shown {
  readonly edits: CaseEdits;
  readonly mode: PreviewMode;
  readonly revision: number;
}

/** The engine's code for edits of generators that have no estimate. */
const NO_PREVIEW = "GENERATOR.NO_PREVIEW";

/**
 * The prices of edits of many elements before they are committed, for which there is neither a column nor a path: an
 * exact solve of the latest edits, or the engine's linear estimate.
 */
export class EditsPreview {
  readonly #core: SessionCore;
  readonly #requests = new LatestOnly<Shown>((shown) => this.#show(shown));
  #shown: Shown | null = null;
  #refused = false;

  constructor(core: SessionCore) {
    this.#core = core;
  }

  /** Whether the engine has no estimate of the latest edits, so that results follow when they are committed. */
  get refused(): boolean {
    return this.#refused;
  }

  /** Shows the prices of absolute edits; resolves when they, or those of later edits, are on screen. */
  async show(edits: CaseEdits, mode: PreviewMode): Promise<void> {
    const { states, signals } = this.#core;
    if (!states.showsLive || !states.capabilities.has("prices")) {
      return;
    }
    signals.forgetFailure();
    this.#shown = { edits, mode, revision: states.now.revision };
    await this.#requests.request(this.#shown);
  }

  /** Shows the published prices again. */
  end(): void {
    const { states, signals } = this.#core;
    const shown = this.#shown;
    this.#shown = null;
    this.#requests.drop();
    if (shown?.revision === states.now.revision && signals.status.kind === "previewing") {
      states.store.clearPreview();
      signals.setStatus({ kind: "ready" });
      signals.tell("preview");
    }
  }

  async #show(shown: Shown): Promise<void> {
    const { solver, queue, states, signals } = this.#core;
    const { edits, revision } = shown;
    const { formulation } = states.now.solution;
    const isExact = shown.mode === "exact" && states.capabilities.has("paths");
    const current = (): boolean => this.#shown === shown && states.now.revision === revision;
    try {
      await queue.run(async () => {
        if (!current()) {
          return;
        }
        if (isExact) {
          const exact = exactStateOf((await solver.solve(edits)).columns);
          if (exact !== null && current()) {
            states.store.showCandidate(exact);
          }
        } else {
          const changes = await solver.changes(states.now.edits, edits);
          if (current()) {
            states.store.showChanges(changes);
          }
        }
      });
      this.#refused = false;
    } catch (error) {
      if (!current() || isCancelled(error)) {
        return;
      }
      this.#refused = codeOf(error) === NO_PREVIEW;
      if (!this.#refused) {
        signals.setStatus(failedStatus(error, { edits, formulation, ms: null }));
        return;
      }
      states.store.clearPreview();
    }
    if (current()) {
      signals.setStatus({ kind: "previewing", exact: isExact });
      signals.tell("preview");
    }
  }
}
