import type { CaseSession } from "./caseSession.ts";
import { deltaOf } from "./edits.ts";
import { LatestOnly } from "./latestOnly.ts";
import { StaleRevisionError } from "./mutationQueue.ts";
import { sameSelection, type Selection } from "./openedCase.ts";

interface Release {
  element: Selection;
  deltaMw: number;
}

/**
 * A hand on the selected element: every move is a preview, letting go is one exact commit. A release during a running
 * commit waits for it and only the latest one counts.
 */
export class ElementEdit {
  readonly #session: CaseSession;
  readonly #releases = new LatestOnly<Release>((release) => this.#commit(release));

  constructor(session: CaseSession) {
    this.#session = session;
  }

  /** Shows what a change of `deltaMw` from the base case would do. */
  move(deltaMw: number): void {
    this.#session.preview(deltaMw);
  }

  /**
   * Commits a change of `deltaMw` from the base case to the element selected now; ends when everything released so far is
   * settled. Failures are told through the session's status.
   */
  async release(deltaMw: number): Promise<void> {
    const element = this.#session.selection;
    if (element !== null) {
      await this.#releases.request({ element, deltaMw });
    }
  }

  async #commit({ element, deltaMw }: Release): Promise<void> {
    const session = this.#session;
    if (deltaMw === deltaOf(session.state.edits, element)) {
      if (sameSelection(element, session.selection)) {
        session.cancelPreview();
      }
      return;
    }
    try {
      await session.commitElement(element, deltaMw);
    } catch (error) {
      if (error instanceof StaleRevisionError) {
        this.#releases.drop(); // it was meant for the state that is gone
      }
    }
  }
}
