import { trans } from "../../text/index.ts";
import type { CommittedState } from "../history/committedState.ts";
import type { PublishedStates } from "../history/publishedStates.ts";

/** A change was asked for while a saved state or a step of a series is shown: it would have been of a state that nobody sees. */
export class InspectingError extends Error {
  readonly code = "STUDY.INSPECTING";

  /** `ofSeries` where it is a step of a series. */
  constructor(ofSeries = false) {
    super(
      ofSeries
        ? trans.__("A step of the series is shown. Return to the live state to change it.")
        : trans.__("A saved state is shown. Return to the live state to change it."),
    );
    this.name = "InspectingError";
  }
}

/** What an inspection needs of its session. */
export interface InspectionHost {
  /** Ends a preview: it is of the live state. */
  cancelPreview(): void;
  /** Ends that a step of a series is shown. */
  leaveSeries(): void;
  /** Another state is shown, by whose name; null for the live one. */
  shown(state: CommittedState | null): void;
  /** A change was refused. */
  refused(error: InspectingError): void;
}

/** Shows saved states of a session in its views, while the live one stays what it is. */
export class Inspection {
  readonly #states: PublishedStates;
  readonly #host: InspectionHost;
  #wanted = 0;

  constructor(states: PublishedStates, host: InspectionHost) {
    this.#states = states;
    this.#host = host;
  }

  /** The saved state that views show; null while they show the live one. */
  get state(): CommittedState | null {
    return this.#states.inspected;
  }

  /** Shows a saved state, the live one by its own; solved again where its numbers were forgotten. Rejects with EngineError. */
  async show(id: number): Promise<void> {
    const { history } = this.#states;
    const state = history.stateOf(id);
    if (state === null || id === history.current.id) {
      this.end();
      return;
    }
    this.#wanted += 1;
    const wanted = this.#wanted;
    this.#host.leaveSeries();
    const result = await history.resultOf(state);
    if (wanted === this.#wanted) {
      this.#host.cancelPreview();
      this.#states.inspect(state, result);
      this.#host.shown(state);
    }
  }

  /** Shows the live state again. */
  end(): void {
    this.#wanted += 1;
    this.#host.leaveSeries();
    if (this.state !== null) {
      this.#states.showLive();
      this.#host.shown(null);
    }
  }

  /** Something else is shown: what was asked for before is not shown over it. */
  supersede(): void {
    this.#wanted += 1;
  }

  /** Makes a change of the live state. Rejects with InspectingError while another one is shown. */
  live<T>(change: () => Promise<T>): Promise<T> {
    if (this.#states.showsLive) {
      this.supersede();
      return change();
    }
    const error = new InspectingError(this.state === null);
    this.#host.refused(error);
    return Promise.reject(error);
  }
}
