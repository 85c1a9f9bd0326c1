import { type BaseValues, type CaseEdits, deltaOf } from "../edits/edits.ts";
import type { Selection } from "../cases/selection.ts";

/** Changes that are remembered. */
const MOST = 64;

/**
 * What others changed, by the revision at which it came: a change asked for here must not overwrite one of the same element
 * that the user had not seen.
 */
export class RemoteChanges {
  readonly #changes: { revision: number; before: CaseEdits; after: CaseEdits }[] = [];

  /** Remembers a state that came from elsewhere. */
  note(revision: number, before: CaseEdits, after: CaseEdits): void {
    this.#changes.push({ revision, before, after });
    this.#changes.splice(0, this.#changes.length - MOST);
  }

  /** Whether anything came from elsewhere after revision `since`. */
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
