import type { CaseSession } from "./caseSession.ts";
import { StaleRevisionError } from "./mutationQueue.ts";

/**
 * A hand on the selected element: every move is a preview, letting go is one exact commit. A release during a running
 * commit waits for it and only the latest one counts.
 */
export class ElementEdit {
  readonly #session: CaseSession;
  #next: number | null = null;
  #running = false;

  constructor(session: CaseSession) {
    this.#session = session;
  }

  /** Shows what a change of `deltaMw` from the base case would do. */
  move(deltaMw: number): void {
    this.#session.preview(deltaMw);
  }

  /**
   * Commits a change of `deltaMw` from the base case. Failures are told through the session's status; the promise ends
   * when everything released so far is settled.
   */
  async release(deltaMw: number): Promise<void> {
    this.#next = deltaMw;
    if (this.#running) {
      return;
    }
    this.#running = true;
    try {
      while (this.#next !== null) {
        await this.#commit(this.#next);
      }
    } finally {
      this.#running = false;
    }
  }

  async #commit(deltaMw: number): Promise<void> {
    const session = this.#session;
    const { selection } = session;
    this.#next = null;
    if (selection === null) {
      return;
    }
    if (deltaMw === session.committedMw) {
      session.cancelPreview();
      return;
    }
    try {
      await session.commitElement(selection, deltaMw);
    } catch (error) {
      if (error instanceof StaleRevisionError) {
        this.#next = null;
      }
    }
  }
}
