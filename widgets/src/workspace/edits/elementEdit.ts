import type { CaseSession } from "../session/caseSession.ts";
import { LatestOnly } from "../concurrency/latestOnly.ts";
import { StaleRevisionError } from "../mutations/mutationQueue.ts";
import { sameSelection, type Selection } from "../cases/selection.ts";

interface Release {
  element: Selection;
  deltaMw: number;
}

/**
 * A hand on one selected element, or on the primary one: every move is a preview, letting go is one exact commit. A release
 * during a running commit waits for it and only the latest one counts.
 */
export class ElementEdit {
  readonly #session: CaseSession;
  readonly #element: Selection | null;
  readonly #releases = new LatestOnly<Release>((release) => this.#commit(release));

  /** Without an `element` it is a hand on whatever is the primary at the time. */
  constructor(session: CaseSession, element: Selection | null = null) {
    this.#session = session;
    this.#element = element;
  }

  /** Shows what a change of `deltaMw` from the base case would do (of a cost $/MWh); the element becomes the primary, which previews follow. */
  move(deltaMw: number): void {
    const session = this.#session;
    if (this.#element !== null && !sameSelection(this.#element, session.selection)) {
      void session.makePrimary(this.#element);
      if (!sameSelection(this.#element, session.selection)) {
        return; // it is not selected any more
      }
    }
    session.preview(deltaMw);
  }

  /**
   * Commits a change of `deltaMw` from the base case; ends when everything released so far is settled. Failures are told
   * through the session's status.
   */
  async release(deltaMw: number): Promise<void> {
    const element = this.#element ?? this.#session.selection;
    if (element !== null) {
      await this.#releases.request({ element, deltaMw });
    }
  }

  async #commit({ element, deltaMw }: Release): Promise<void> {
    try {
      await this.#session.commitElement(element, deltaMw);
    } catch (error) {
      if (error instanceof StaleRevisionError) {
        this.#releases.drop(); // it was meant for the state that is gone
      }
    }
  }
}
