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

/** An element that a solution refuses, and what would let it pass. */
export interface Refused {
  element: string;
  /** Why, and what would have to be modelled. */
  sentence?: Message;
  /** `source_impedance: "branch"` or `controls: "held"`; null where nothing helps. */
  option: string | null;
}

/** What is going on; the result before stays through all of it. */
export type FeederState =
  | { kind: "idle"; cancelled?: boolean }
  | { kind: "solving" }
  | { kind: "refused"; error: Error; refused: readonly Refused[] }
  | { kind: "failed"; error: Error };

/** What changed: the state, the result, or the voltages under a drag. */
export type FeederChange = "state" | "result" | "voltages";

/**
 * The power flow of one multiconductor case: its options, its result, and edits of its loads. A result belongs to the module it was
 * opened with; a solve that is cancelled or fails leaves the result before it.
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
  /** Loads of the solution under way; null while none runs. */
  #solving: McLoads | null = null;
  /** Loads moved since then, of which no solution has been requested yet. */
  #dragged: McLoads = {};
  #running: AbortController | null = null;
  #disposed = false;

  /** `replayed` is a saved result, which is there without a solve. */
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

  /** Chooses an option of the next solution or takes it back; the result stays until then. */
  choose(changed: McOptions): void {
    this.#wanted = { ...this.#wanted, ...changed };
    this.#changed.emit("state");
  }

  /** Loads as they are set, also under a drag. */
  get loads(): McLoads {
    return { ...(this.#solving ?? this.#solution?.result.loads), ...this.#dragged };
  }

  /** Voltages to show: those of a drag, else of the result. */
  get voltages(): { voltage_v: Float64Array; voltage_pu: Float64Array } | null {
    const { voltage_v, voltage_pu } = this.#moved ?? this.#solution?.columns ?? {};
    return voltage_v === undefined || voltage_pu === undefined ? null : { voltage_v, voltage_pu };
  }

  /** Solves the case with the options that are chosen, and more where they are given. */
  async solve(more: McOptions = {}): Promise<void> {
    this.#wanted = { ...this.#wanted, ...more };
    await this.#open(this.loads);
  }

  /** Gives up a running solution. */
  cancel(): void {
    this.#running?.abort();
  }

  /** Moves a load, kW over its phases; the voltages follow. */
  drag(load: string, kw: number): void {
    this.#dragged = { ...this.#dragged, [load]: { p_kw: kw } };
    void this.#previews.request(this.loads);
  }

  /** Takes the move of a load back. */
  putBack(load: string): void {
    this.#dragged = Object.fromEntries(Object.entries(this.#dragged).filter(([name]) => name !== load));
    this.#previews.drop();
    this.#back();
  }

  /** Solves with the loads as they are set, or with these alone. */
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

  /** Solves in a Study of its own, with the options that are chosen. */
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

  /** Runs in place of what ran before; `loads` are those of its solution. */
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

  /** The voltages of the last result again; those of a load that is still moved follow. */
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

  /** Ends what ran, unless something else runs in its place. */
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
      // A commit or a load put back meanwhile has the last word.
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

  /** The engine has the saved result as well: what was replayed is solved there when it is first changed or saved again. */
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

/** What the options that help with a refusal would be; null where some elements are refused in any case. */
export function optionsThatHelp(refused: readonly Refused[]): McOptions | null {
  const all = refused.map(({ option }) => option);
  return all.includes(null)
    ? null
    : {
        ...(all.some((option) => option?.startsWith("source_impedance")) ? { source_impedance: "branch" } : {}),
        ...(all.some((option) => option?.startsWith("controls")) ? { controls: "held" } : {}),
      };
}
