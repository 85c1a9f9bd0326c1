import { type ISignal, Signal } from "@lumino/signaling";
import { SESSION_ID } from "../proposals/proposal.ts";

/** The answer of a tool. */
export type ToolAnswer =
  | { readonly ok: true; readonly data: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

/** A predicted number beside the exact one. There is no relative error without a change. */
export interface PredictedNumber {
  readonly predicted: number;
  readonly exact: number;
  readonly absolute_error: number;
  readonly relative_error?: number;
}

/**
 * A preview beside the update with the same edits of the same state: changes of the cost, $/h, and of prices, $/MWh.
 */
export interface PredictionCheck {
  /** The call that made the preview. */
  readonly preview: number;
  readonly objective_change?: PredictedNumber;
  /** At the bus where preview and result differ most. */
  readonly price_change?: PredictedNumber & { readonly bus: number };
}

/** A completed call of a tool. */
export interface JournalRecord {
  readonly id: number;
  readonly tool: string;
  /** ISO 8601. */
  readonly started_at: string;
  readonly finished_at: string;
  /** `mcp` for a call of an MCP client through the Jupyter server; absent for agents in the browser. */
  readonly via?: "mcp";
  /** Absent for an invalid request. */
  readonly input?: unknown;
  readonly response: ToolAnswer;
  readonly prediction_check?: PredictionCheck;
}

/** The journal as a file. It is only a record: nothing in it is executed, approved or restored. */
export interface JournalExport {
  readonly schema: "wattbook-journal";
  readonly version: 1;
  readonly session: string;
  readonly exported_at: string;
  /** Number of discarded older records. */
  readonly dropped_records: number;
  readonly records: readonly JournalRecord[];
}

/** The completed tool calls of agents in one page, the oldest first, and the reasons why tools were unavailable. */
export class AgentJournal {
  readonly #most: number;
  readonly #changed = new Signal<this, void>(this);
  #records: readonly JournalRecord[] = [];
  #problems: readonly string[] = [];
  #last = 0;
  #dropped = 0;

  /** Stores the last `most` records. */
  constructor(most = 100) {
    this.#most = most;
  }

  /** Emitted with a new record or problem. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  get records(): readonly JournalRecord[] {
    return this.#records;
  }

  /** Number of discarded older records. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The reasons why tools were unavailable to agents. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** The number of a new call. */
  begin(): number {
    this.#last += 1;
    return this.#last;
  }

  /** Records a completed call. */
  add(record: JournalRecord): void {
    const records = [...this.#records, record];
    const over = Math.max(0, records.length - this.#most);
    this.#dropped += over;
    this.#records = records.slice(over);
    this.#changed.emit();
  }

  /** Records a reason why tools are unavailable, which the user sees; each sentence once. */
  tell(problem: string): void {
    if (!this.#problems.includes(problem)) {
      this.#problems = [...this.#problems, problem];
      this.#changed.emit();
    }
  }

  /** The journal as a file. */
  export(): JournalExport {
    return {
      schema: "wattbook-journal",
      version: 1,
      session: SESSION_ID,
      exported_at: new Date().toISOString(),
      dropped_records: this.#dropped,
      records: this.#records,
    };
  }
}
