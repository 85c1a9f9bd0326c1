import { trans } from "../../text/index.ts";
import type { SelectedElements } from "../edits/selectedElements.ts";
import type { CommittedState } from "../history/committedState.ts";
import type { SeriesView } from "../series/seriesView.ts";
import type { SessionCore } from "./sessionCore.ts";
import { failedStatus } from "./sessionStatus.ts";

/**
 * A change was requested while views show a saved state or a step of a series: it would change a state that the user
 * does not see.
 */
export class InspectingError extends Error {
  readonly code = "STUDY.INSPECTING";

  /** `ofSeries` is set for a step of a series. */
  constructor(ofSeries = false) {
    super(
      ofSeries
        ? trans.__("A step of the series is shown. Return to the live state to change it.")
        : trans.__("A saved state is shown. Return to the live state to change it."),
    );
    this.name = "InspectingError";
  }
}

/** Shows saved states of a session in its views without changing the live state. */
export class Inspection {
  readonly #core: SessionCore;
  readonly #elements: SelectedElements;
  readonly #series: SeriesView;
  /** Number of requested views: a state whose numbers arrive after a later request is not shown. */
  #wanted = 0;

  constructor(core: SessionCore, elements: SelectedElements, series: SeriesView) {
    this.#core = core;
    this.#elements = elements;
    this.#series = series;
    series.changed.connect(() => {
      if (series.shown !== null) {
        this.#wanted += 1;
      }
    });
  }

  /** The inspected state; null while views show the live one. */
  get state(): CommittedState | null {
    return this.#core.states.inspected;
  }

  /**
   * Shows the saved state with this id, solved again where its numbers were dropped; the id of the live state ends the
   * inspection. Rejects with EngineError.
   */
  async show(id: number): Promise<void> {
    const { states } = this.#core;
    const { history } = states;
    const state = history.stateOf(id);
    if (state === null || id === history.current.id) {
      this.end();
      return;
    }
    this.#wanted += 1;
    const wanted = this.#wanted;
    this.#series.end();
    const result = await history.resultOf(state);
    if (wanted === this.#wanted) {
      this.#elements.preview.cancel();
      states.inspect(state, result);
      this.#elements.shownChanged();
    }
  }

  /** Shows the live state again. */
  end(): void {
    this.#wanted += 1;
    this.#series.end();
    if (this.state !== null) {
      this.#core.states.showLive();
      this.#elements.shownChanged();
    }
  }

  /** Runs a change of the live state. Rejects with InspectingError while views show another state. */
  live<T>(change: () => Promise<T>): Promise<T> {
    if (this.#core.states.showsLive) {
      this.#wanted += 1;
      return change();
    }
    const error = new InspectingError(this.state === null);
    this.#core.signals.setStatus(failedStatus(error, null));
    return Promise.reject(error);
  }
}
