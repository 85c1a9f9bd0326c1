import type { ExplainOptions, Explanation } from "@service/engine";
import { type ISignal, Signal } from "@lumino/signaling";
import { isCancelled } from "../concurrency/cancelling.ts";
import { errorText, trans } from "../../text/index.ts";

/** The state of a search. While it runs or ends with the best so far, `atLeastMw` is certain to be short, MW, and rises. */
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

  /** Begins at once; `details` are those of the refusal, which may say what is certain to be short. */
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

  /** The explanation that was found; null without one. */
  get explanation(): Explanation | null {
    return this.#state.kind === "found" ? this.#state.explanation : null;
  }

  /** Ends a search that runs, at once and without a result. */
  cancel(): void {
    this.#signals?.cancel.abort();
  }

  /** Ends a search that runs with the best relaxation so far. */
  stop(): void {
    if (this.#state.kind === "running" && this.#signals !== null) {
      this.#signals.enough.abort();
      this.#show({ ...this.#state, kind: "stopping" });
    }
  }

  /** Searches again, after it was cancelled or has failed. */
  again(): void {
    if (this.#state.kind === "cancelled" || this.#state.kind === "failed") {
      const atLeastMw = this.#state.kind === "cancelled" ? this.#state.atLeastMw : 0;
      this.#show({ kind: "running", fraction: 0, atLeastMw });
      void this.#run();
    }
  }

  /** Nobody wants to know any more. */
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

/** What the details of a refusal say is certain to be short, MW; 0 where they do not. */
function shortfallIn(details: unknown): number {
  const { shortfall_mw } = (details ?? {}) as { shortfall_mw?: unknown };
  return typeof shortfall_mw === "number" ? shortfall_mw : 0;
}
