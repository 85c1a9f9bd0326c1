import { errorText } from "../../text/index.ts";
import type { Engine, LayoutResult } from "@service/engine";

/** The state of a layout computation. `stopped` has no message when the user stopped it. */
export type LayoutState =
  | { kind: "idle" }
  | { kind: "running"; fraction: number }
  | { kind: "done"; result: LayoutResult }
  | { kind: "stopped"; message: string | null };

/** The synthetic layout of one network, computed by the engine in its worker at most once. */
export class AutomaticLayout {
  readonly #engine: Pick<Engine, "layoutModule">;
  readonly #moduleJson: string;
  readonly #changed: () => void;
  #state: LayoutState = { kind: "idle" };
  #run: Promise<LayoutResult> | null = null;
  #abort: AbortController | null = null;

  /** `changed` is called whenever the state changes. */
  constructor(engine: Pick<Engine, "layoutModule">, moduleJson: string, changed: () => void) {
    this.#engine = engine;
    this.#moduleJson = moduleJson;
    this.#changed = changed;
  }

  get state(): LayoutState {
    return this.#state;
  }

  /** Starts the computation unless it is running, done or stopped; `state` has its result. */
  ensure(): void {
    if (this.#state.kind === "idle") {
      this.result().catch(() => undefined);
    }
  }

  /** The layout: computed now, or again after it was stopped. Rejects with EngineError. */
  result(): Promise<LayoutResult> {
    this.#run ??= this.#compute();
    return this.#run;
  }

  /** Cancels a running computation. */
  cancel(): void {
    this.#abort?.abort();
  }

  async #compute(): Promise<LayoutResult> {
    const abort = (this.#abort = new AbortController());
    this.#set({ kind: "running", fraction: 0 });
    try {
      const result = await this.#engine.layoutModule(this.#moduleJson, {
        onProgress: (fraction) => this.#set({ kind: "running", fraction }),
        signal: abort.signal,
      });
      this.#set({ kind: "done", result });
      return result;
    } catch (error) {
      this.#run = null;
      const message = errorText(error);
      this.#set({ kind: "stopped", message: abort.signal.aborted ? null : message });
      throw error;
    } finally {
      this.#abort = null;
    }
  }

  #set(state: LayoutState): void {
    this.#state = state;
    this.#changed();
  }
}
