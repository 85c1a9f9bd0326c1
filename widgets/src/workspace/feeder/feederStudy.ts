import { type ISignal, Signal } from "@lumino/signaling";
import type {
  Engine,
  McLoads,
  McOptions,
  McReplayed,
  McSolution,
  McStudyHandle,
  McVoltages,
  Message,
} from "@service/engine";
import { isCancelled } from "../concurrency/cancelling.ts";
import { LatestOnly } from "../concurrency/latestOnly.ts";

/** The part of the engine that solves feeders. */
export type FeederEngine = Pick<Engine, "createMcStudy">;

/** An element that a solution does not support, and the option that would allow it. */
export interface Refused {
  element: string;
  /** The reason, and what would have to be modelled. */
  sentence?: Message;
  /** `source_impedance: "branch"` or `controls: "held"`; null where no option helps. */
  option: string | null;
}

/** The work under way; the previous result stays throughout. */
export type FeederState =
  | { kind: "idle"; cancelled?: boolean }
  | { kind: "solving" }
  | { kind: "refused"; error: Error; refused: readonly Refused[] }
  | { kind: "failed"; error: Error };

/** What changed: the state, the result, or the voltages during a drag. */
export type FeederChange = "state" | "result" | "voltages";

/**
 * The power flow of one multiconductor case: its options, its result, and edits of its loads. A result belongs to the
 * module of the case; a cancelled or failed solve leaves the previous result.
 */
export class FeederStudy {
  readonly #engine: FeederEngine;
  readonly #module: string;
  readonly #changed = new Signal<this, FeederChange>(this);
  readonly #previews = new LatestOnly<McLoads>((loads) => this.#preview(loads));
  #options: McOptions = {};
  /** Options of the next solution. */
  #wanted: McOptions = {};
  #state: FeederState = { kind: "idle" };
  #handle: McStudyHandle | null = null;
  #solution: McSolution | null = null;
  #moved: McVoltages | null = null;
  /** Loads of the running solution; null while none runs. */
  #solving: McLoads | null = null;
  /** Loads moved since then, for which no solution has been requested yet. */
  #dragged: McLoads = {};
  #running: AbortController | null = null;
  #disposed = false;

  /** `replayed` is a saved result, available without a solve. */
  constructor(engine: FeederEngine, moduleJson: string, replayed?: McReplayed) {
    this.#engine = engine;
    this.#module = moduleJson;
    if (replayed !== undefined) {
      this.#options = this.#wanted = replayed.options;
      this.#take(replayed);
    }
  }

  get changed(): ISignal<this, FeederChange> {
    return this.#changed;
  }

  get state(): FeederState {
    return this.#state;
  }

  /** The last result; null before the first. */
  get solution(): McSolution | null {
    return this.#solution;
  }

  /** Options of the result. */
  get options(): McOptions {
    return this.#options;
  }

  /** Options of the next solution. */
  get wanted(): McOptions {
    return this.#wanted;
  }

  /** Sets or clears an option of the next solution; the result stays until then. */
  choose(changed: McOptions): void {
    this.#wanted = { ...this.#wanted, ...changed };
    this.#changed.emit("state");
  }

  /** The loads as set, including a drag. */
  get loads(): McLoads {
    return { ...(this.#solving ?? this.#solution?.result.loads), ...this.#dragged };
  }

  /** The voltages on screen: those of a drag, else of the result. */
  get voltages(): { voltage_v: Float64Array; voltage_pu: Float64Array } | null {
    const { voltage_v, voltage_pu } = this.#moved ?? this.#solution?.columns ?? {};
    return voltage_v === undefined || voltage_pu === undefined ? null : { voltage_v, voltage_pu };
  }

  /** Solves the case with the chosen options and `more`. */
  async solve(more: McOptions = {}): Promise<void> {
    this.#wanted = { ...this.#wanted, ...more };
    await this.#open(this.loads);
  }

  /** Cancels a running solution. */
  cancel(): void {
    this.#running?.abort();
  }

  /** Moves a load, kW over its phases; the voltages follow. */
  drag(load: string, kw: number): void {
    this.#dragged = { ...this.#dragged, [load]: { p_kw: kw } };
    void this.#previews.request(this.loads);
  }

  /** Undoes the move of a load. */
  putBack(load: string): void {
    this.#dragged = Object.fromEntries(Object.entries(this.#dragged).filter(([name]) => name !== load));
    this.#previews.drop();
    this.#back();
  }

  /** Solves with the loads as set, or with the given ones alone. */
  async commit(loads: McLoads = this.loads): Promise<void> {
    this.#previews.drop();
    const handle = this.#handle;
    if (handle !== null) {
      await this.#run(loads, async (signal) => this.#take(await handle.commit(loads, signal)));
    } else if (this.#solution !== null) {
      await this.#open(loads);
    }
  }

  /** The result with its input, as the text of a file. */
  async save(): Promise<string | null> {
    if (this.#handle === null && this.#solution !== null) {
      await this.#reopen();
    }
    return (await this.#handle?.save()) ?? null;
  }

  dispose(): void {
    this.#disposed = true;
    this.#dragged = {};
    this.cancel();
    void this.#handle?.free();
    this.#handle = null;
    Signal.clearData(this);
  }

  /** Solves in a new Study with the chosen options. */
  async #open(loads: McLoads): Promise<void> {
    const options = this.#wanted;
    await this.#run(loads, async (signal) => {
      const handle = await this.#engine.createMcStudy(this.#module, options, signal, loads);
      if (this.#disposed || signal.aborted) {
        void handle.free();
        return;
      }
      void this.#handle?.free();
      this.#handle = handle;
      this.#options = options;
      this.#take(handle.current);
    });
  }

  /** Replaces the running work; `loads` are those of its solution. */
  async #run(loads: McLoads, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#running?.abort();
    const running = (this.#running = new AbortController());
    this.#solving = loads;
    this.#dragged = {};
    this.#tell({ kind: "solving" });
    try {
      await work(running.signal);
      this.#settle(running, { kind: "idle" });
    } catch (error) {
      this.#settle(running, isCancelled(error) ? { kind: "idle", cancelled: true } : stateOf(error));
    }
  }

  /** Restores the voltages of the last result, or previews those of a load that is still moved. */
  #back(): void {
    if (this.#moved !== null) {
      this.#moved = null;
      this.#changed.emit("voltages");
    }
    if (this.#dragging) {
      void this.#previews.request(this.loads);
    }
  }

  get #dragging(): boolean {
    return Object.keys(this.#dragged).length > 0;
  }

  /** Ends the running work, unless other work has replaced it. */
  #settle(running: AbortController, state: FeederState): void {
    if (this.#running === running) {
      this.#running = null;
      this.#solving = null;
      this.#back();
      this.#tell(state);
    }
  }

  #take(solution: McSolution): void {
    this.#solution = solution;
    this.#moved = null;
    this.#changed.emit("result");
  }

  async #preview(loads: McLoads): Promise<void> {
    try {
      await this.#reopen();
      const found = (await this.#handle?.preview(loads)) ?? null;
      // A commit or a restored load in the meantime takes precedence.
      if (this.#running === null && this.#dragging && !this.#disposed) {
        this.#moved = found;
        this.#changed.emit("voltages");
      }
    } catch (error) {
      if (!this.#disposed) {
        this.#tell(stateOf(error));
      }
    }
  }

  /** Opens the saved result in the engine, which solves a replayed one when it is first changed or saved again. */
  async #reopen(): Promise<void> {
    if (this.#handle !== null || this.#solution === null) {
      return;
    }
    const { loads } = this.#solution.result;
    const handle = await this.#engine.createMcStudy(this.#module, this.#options, undefined, loads);
    if (this.#disposed || this.#handle !== null) {
      void handle.free();
    } else {
      this.#handle = handle;
    }
  }

  #tell(state: FeederState): void {
    this.#state = state;
    this.#changed.emit("state");
  }
}

function stateOf(thrown: unknown): FeederState {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const details = "details" in error ? (error.details as { refused?: Refused[] } | null | undefined) : undefined;
  return details?.refused === undefined
    ? { kind: "failed", error }
    : { kind: "refused", error, refused: details.refused };
}

/** The options that would allow the refused elements; null where some of them are never supported. */
export function optionsThatHelp(refused: readonly Refused[]): McOptions | null {
  const all = refused.map(({ option }) => option);
  return all.includes(null)
    ? null
    : {
        ...(all.some((option) => option?.startsWith("source_impedance")) ? { source_impedance: "branch" } : {}),
        ...(all.some((option) => option?.startsWith("controls")) ? { controls: "held" } : {}),
      };
}
