import { parsed } from "../contract/answers.ts";
import type {
  Column,
  ColumnName,
  McInput,
  McLoads,
  McOptions,
  McPreview,
  McReplay,
  McResult,
  McRows,
} from "../contract.generated.ts";
import { objectGiven } from "./inputs.ts";
import { clientError, EngineError, freedError, isAborted, STUDY_LOST } from "../contract/errors.ts";
import type { Answer, Call } from "../contract/protocol.ts";
import type { Transport } from "../transport/transport.ts";
import { byName, type ColumnsByName } from "./rows.ts";

/** A power flow of a feeder. `columns` have the rows of `rows`; `table` holds the same with element and unit. */
export interface McSolution {
  result: McResult;
  rows: McRows;
  columns: ColumnsByName;
  table: readonly Column[];
  /** Wall time of the call in the engine, ms. */
  solve_ms: number;
}

/** A stored result that was opened and checked. */
export interface McReplayed extends McSolution {
  input: McInput;
  options: McOptions;
}

/** Voltages by terminal row during a drag of a load. */
export interface McVoltages extends McPreview {
  voltage_v: Float64Array;
  voltage_pu: Float64Array;
}

/**
 * A solved feeder in a worker of its own. Loads are absolute values that replace those of the case. A call that fails
 * or is cancelled leaves the previous result.
 */
export interface McStudyHandle {
  /** The committed result. */
  readonly current: McSolution;
  /** Solves with these loads (all others as in the case) and commits the result. */
  commit(loads: McLoads, signal?: AbortSignal): Promise<McSolution>;
  /** Voltages with these loads; the committed result does not change. */
  preview(loads: McLoads, signal?: AbortSignal): Promise<McVoltages>;
  /** The committed result with its input as the text of a file (`McStudyFile`). */
  save(signal?: AbortSignal): Promise<string>;
  free(): Promise<void>;
}

let lastFeeder = 0;

/**
 * A feeder as the page sees it. It stores module and loads, so that a feeder that was lost with its worker can be
 * created again.
 */
export class EngineFeeder implements McStudyHandle {
  readonly #transport: Transport;
  readonly #module: string;
  readonly #options: string;
  readonly #id = ++lastFeeder;
  #current!: McSolution;
  /** True after a commit was cancelled: the engine may hold a state other than the committed one. */
  #unsure = false;
  #freed = false;

  private constructor(transport: Transport, module: string, options: McOptions) {
    this.#transport = transport;
    this.#module = module;
    this.#options = JSON.stringify(options);
  }

  static async create(
    transport: Transport,
    module: string,
    options: McOptions = {},
    loads: McLoads = {},
    signal?: AbortSignal,
  ): Promise<EngineFeeder> {
    const feeder = new EngineFeeder(transport, module, options);
    try {
      feeder.#current = opened(await transport.request(feeder.#opening(loads), signal));
    } catch (error) {
      // The engine may still create an aborted feeder, which is then freed. The first error is the one to report.
      feeder.free().catch(() => undefined);
      throw error;
    }
    return feeder;
  }

  get current(): McSolution {
    return this.#current;
  }

  async commit(loads: McLoads, signal?: AbortSignal): Promise<McSolution> {
    const call = { op: "mcCommit", feeder: this.#id, loads: loadsJson(loads) } as const;
    try {
      const answer = await this.#request(call, signal);
      this.#unsure = false;
      this.#current = this.#with(answer);
    } catch (error) {
      this.#unsure ||= isAborted(error);
      throw error;
    }
    return this.#current;
  }

  async preview(loads: McLoads, signal?: AbortSignal): Promise<McVoltages> {
    const answer = await this.#request({ op: "mcPreview", feeder: this.#id, loads: loadsJson(loads) }, signal);
    const { voltage_v, voltage_pu } = byName(answer.columns) as Required<ColumnsByName>;
    return { ...parsed<McPreview>(answer), voltage_v, voltage_pu };
  }

  async save(signal?: AbortSignal): Promise<string> {
    if (this.#unsure) await this.commit(this.#current.result.loads, signal);
    const { json } = await this.#request({ op: "mcSave", feeder: this.#id, module: this.#module }, signal);
    return json as string;
  }

  async free(): Promise<void> {
    if (this.#freed) return;
    this.#freed = true;
    await this.#transport.request({ op: "mcFree", feeder: this.#id });
  }

  #opening(loads: McLoads): Call {
    const of = { module: this.#module, options: this.#options };
    return { op: "mcOpen", feeder: this.#id, ...of, loads: loadsJson(loads) };
  }

  /** Sends a call to the feeder; a lost feeder is first created again. */
  async #request(call: Call, signal?: AbortSignal): Promise<Answer> {
    if (this.#freed) throw freedError();
    try {
      return await this.#transport.request(call, signal);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== STUDY_LOST) throw error;
    }
    await this.#transport.request(this.#opening(this.#current.result.loads), signal);
    return this.#transport.request(call, signal);
  }

  #with(answer: Answer): McSolution {
    const { rows, table } = this.#current;
    const naming = table.filter(({ name }) => NAMING.has(name));
    return solution(parsed<McResult>(answer), rows, [...naming, ...(answer.columns ?? [])], answer.ms);
  }
}

/** Columns that name the rows: they are part of every result. */
const NAMING: ReadonlySet<ColumnName> = new Set<ColumnName>([
  "nominal_v",
  "distance_m",
  "terminal_bus",
  "is_phase",
  "conductor_element",
  "conductor_end",
  "conductor_terminal",
  "source_bus",
  "load_bus",
]);

function solution(result: McResult, rows: McRows, table: readonly Column[], ms: number): McSolution {
  return { result, rows, columns: byName(table), table, solve_ms: ms };
}

function opened(answer: Answer): McSolution {
  const { rows, result } = parsed<{ rows: McRows; result: McResult }>(answer);
  return solution(result, rows, answer.columns ?? [], answer.ms);
}

/** A stored result as the engine opens it. */
export function replayed(answer: Answer): McReplayed {
  const { rows, result, input, options } = parsed<McReplay>(answer);
  return { ...solution(result, rows, answer.columns ?? [], answer.ms), input, options };
}

/** Loads as JSON. Refuses numbers that are not finite, which JSON would turn into null. */
function loadsJson(loads: McLoads): string {
  for (const [load, power] of Object.entries(objectGiven(loads, "EDIT.LOAD_POWER", "loads"))) {
    const { p_kw = 0, q_kvar = 0 } = objectGiven(power, "EDIT.LOAD_POWER", `loads[${load}]`);
    if (!Number.isFinite(p_kw) || !Number.isFinite(q_kvar)) {
      throw clientError("EDIT.LOAD_POWER", "client.load_not_finite", { load: { text: load } });
    }
  }
  return JSON.stringify(loads);
}
