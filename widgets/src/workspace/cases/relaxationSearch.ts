import type { ExplainOptions, Explanation } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { isCancelled } from "../concurrency/cancelling.ts";
import { errorText, trans } from "../../text/index.ts";

/**
 * The state of a search. While it runs, or when it ends with the best relaxation so far, `atLeastMw` is a proven lower
 * bound of the shortfall, MW, and rises.
 */
export type SearchState =
  | { kind: "running" | "stopping"; fraction: number; atLeastMw: number }
  | { kind: "found"; explanation: Explanation }
  | { kind: "cancelled"; atLeastMw: number }
  | { kind: "failed"; message: string };

/** Requests the contradicting limits and the minimum relaxation from the engine. */
type RequestExplanation = (options: ExplainOptions) => Promise<Explanation | null>;

/** The search for the minimum relaxation of one problem without solution: it can be cancelled, or ended with the best so far. */
export class RelaxationSearch {
  readonly #request: RequestExplanation;
  readonly #changed = new Signal<this, void>(this);
  #state: SearchState;
  #signals: { cancel: AbortController; enough: AbortController } | null = null;

  /** Starts at once; `details` are those of the failure, which may contain a lower bound of the shortfall. */
  constructor(request: RequestExplanation, details: unknown) {
    this.#request = request;
    this.#state = { kind: "running", fraction: 0, atLeastMw: shortfallIn(details) };
    void this.#run();
  }

  /** Emitted when the state changes. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get state(): SearchState {
    return this.#state;
  }

  /** The explanation; null until one is found. */
  get explanation(): Explanation | null {
    return this.#state.kind === "found" ? this.#state.explanation : null;
  }

  /** Cancels a running search at once, without a result. */
  cancel(): void {
    this.#signals?.cancel.abort();
  }

  /** Ends a running search with the best relaxation so far. */
  stop(): void {
    if (this.#state.kind === "running" && this.#signals !== null) {
      this.#signals.enough.abort();
      this.#show({ ...this.#state, kind: "stopping" });
    }
  }

  /** Searches again after a cancellation or a failure. */
  again(): void {
    if (this.#state.kind === "cancelled" || this.#state.kind === "failed") {
      const atLeastMw = this.#state.kind === "cancelled" ? this.#state.atLeastMw : 0;
      this.#show({ kind: "running", fraction: 0, atLeastMw });
      void this.#run();
    }
  }

  /** Ends the search when its result is no longer needed. */
  dispose(): void {
    this.cancel();
    Signal.clearData(this);
  }

  async #run(): Promise<void> {
    const signals = { cancel: new AbortController(), enough: new AbortController() };
    this.#signals = signals;
    let atLeastMw = this.#state.kind === "running" ? this.#state.atLeastMw : 0;
    try {
      const explanation = await this.#request({
        onProgress: ({ fraction, at_least_mw }) => {
          atLeastMw = Math.max(atLeastMw, at_least_mw);
          if (!signals.cancel.signal.aborted) {
            this.#show({ kind: signals.enough.signal.aborted ? "stopping" : "running", fraction, atLeastMw });
          }
        },
        signal: signals.cancel.signal,
        enough: signals.enough.signal,
      });
      this.#show(
        explanation === null
          ? { kind: "failed", message: trans.__("No limits contradict each other: try again.") }
          : { kind: "found", explanation },
      );
    } catch (error) {
      const message = errorText(error);
      this.#show(isCancelled(error) ? { kind: "cancelled", atLeastMw } : { kind: "failed", message });
    } finally {
      this.#signals = null;
    }
  }

  #show(state: SearchState): void {
    this.#state = state;
    this.#changed.emit();
  }
}

/** The lower bound of the shortfall in the details of a failure, MW; 0 without one. */
function shortfallIn(details: unknown): number {
  const { shortfall_mw } = (details ?? {}) as { shortfall_mw?: unknown };
  return typeof shortfall_mw === "number" ? shortfall_mw : 0;
}
