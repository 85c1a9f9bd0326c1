import type {
  CommitResult,
  DemandDeltas,
  Preview,
  RatingDeltas,
  SensitivityColumn,
  SensTarget,
  Solution,
  SolveOptions,
} from "./contract.generated.ts";
import { EngineError, STUDY_LOST } from "./errors.ts";
import { caseIdText, deltasJson, targetJson } from "./inputs.ts";
import type { Answer, Call, StudyColumns } from "./protocol.ts";
import type { Transport } from "./transport.ts";

/**
 * A solved case that takes edits. All edits are absolute, in MW from the base case, keyed by original id or uid.
 * A failed operation changes nothing. Discarded studies must be freed.
 */
export interface StudyHandle {
  /** The exact optimum of the last commit, or of the base case. */
  currentSolution(): Promise<Solution>;
  /** First-order change of the prices for these edits, no solve; nothing changes. */
  preview(deltas: DemandDeltas, rates?: RatingDeltas): Promise<Preview>;
  /** Exact solve at these edits, optionally with the sensitivity column of `target`. */
  commit(caseId: string, deltas: DemandDeltas, rates?: RatingDeltas, target?: SensTarget | null): Promise<CommitResult>;
  /** Sensitivity column at these edits; the study's state does not change. */
  sensitivity(
    caseId: string,
    deltas: DemandDeltas,
    rates: RatingDeltas,
    target: SensTarget,
  ): Promise<SensitivityColumn>;
  /** Commit of no edits. */
  reset(caseId: string): Promise<CommitResult>;
  /** The current solution as typed arrays by dense row, transferred from the worker. */
  columns(): Promise<StudyColumns>;
  /** Gives the study's memory back. Every later call but this one rejects with `STUDY.FREED`. */
  free(): Promise<void>;
}

/** What a study is built from; enough to build it again. */
export interface StudyRecipe {
  module: string;
  formulation: string;
  options: SolveOptions;
}

let lastStudy = 0;

/**
 * The page's side of a study in the engine. It keeps recipe and edits, so that a study lost with its instance or its worker is
 * built again by the next call, in the same state: a committed state is a function of module, options and absolute edits alone.
 */
export class EngineStudy implements StudyHandle {
  readonly #transport: Transport;
  readonly #recipe: StudyRecipe;
  readonly #id = ++lastStudy;
  #committed: { caseId: string; deltas: string; rates: string } | undefined;
  #solveMs = 0;
  #rebuilding: Promise<void> | undefined;
  #freed = false;

  private constructor(transport: Transport, recipe: StudyRecipe) {
    this.#transport = transport;
    this.#recipe = recipe;
  }

  /** Builds the study in the engine, which solves the base case. */
  static async create(transport: Transport, recipe: StudyRecipe, signal?: AbortSignal): Promise<EngineStudy> {
    const study = new EngineStudy(transport, recipe);
    try {
      study.#solveMs = (await transport.request(study.#creation(), signal)).ms;
    } catch (error) {
      // The engine may build an aborted study yet; it is freed after that. The first error is the one to tell.
      study.#release().catch(() => undefined);
      throw error;
    }
    return study;
  }

  async currentSolution(): Promise<Solution> {
    const answer = await this.#request({ op: "currentSolution", study: this.#id });
    return { ...parsed<Solution>(answer), solve_ms: this.#solveMs };
  }

  async preview(deltas: DemandDeltas, rates?: RatingDeltas): Promise<Preview> {
    return parsed(await this.#request({ op: "preview", study: this.#id, ...editsJson(deltas, rates) }));
  }

  async commit(
    caseId: string,
    deltas: DemandDeltas,
    rates?: RatingDeltas,
    target: SensTarget | null = null,
  ): Promise<CommitResult> {
    const edits = { caseId: caseIdText(caseId), ...editsJson(deltas, rates) };
    const answer = await this.#request({ op: "commit", study: this.#id, ...edits, target: targetJson(target) });
    this.#committed = edits;
    return this.#solved(answer);
  }

  async sensitivity(
    caseId: string,
    deltas: DemandDeltas,
    rates: RatingDeltas,
    target: SensTarget,
  ): Promise<SensitivityColumn> {
    const state = { caseId: caseIdText(caseId), ...editsJson(deltas, rates) };
    return parsed(await this.#request({ op: "sensitivity", study: this.#id, ...state, target: targetJson(target) }));
  }

  async reset(caseId: string): Promise<CommitResult> {
    const answer = await this.#request({ op: "reset", study: this.#id, caseId: caseIdText(caseId) });
    this.#committed = undefined;
    return this.#solved(answer);
  }

  async columns(): Promise<StudyColumns> {
    const { columns } = await this.#request({ op: "columns", study: this.#id });
    return columns as StudyColumns;
  }

  async free(): Promise<void> {
    if (this.#freed) return;
    this.#freed = true;
    await this.#release();
  }

  #creation(): Call {
    const { module, formulation, options } = this.#recipe;
    return { op: "createStudy", study: this.#id, module, formulation, options: JSON.stringify(options) };
  }

  async #release(): Promise<void> {
    await this.#transport.request({ op: "free", study: this.#id });
  }

  #solved(answer: Answer): CommitResult {
    this.#solveMs = answer.ms;
    const result = parsed<CommitResult>(answer);
    result.solution.solve_ms = answer.ms;
    return result;
  }

  async #request(call: Call): Promise<Answer> {
    if (this.#freed) throw freedError();
    try {
      return await this.#transport.request(call);
    } catch (error) {
      if (this.#freed) throw freedError();
      if (!(error instanceof EngineError) || error.code !== STUDY_LOST) throw error;
    }
    await (this.#rebuilding ??= this.#rebuild().finally(() => (this.#rebuilding = undefined)));
    return this.#request(call);
  }

  async #rebuild(): Promise<void> {
    await this.#transport.request(this.#creation());
    if (this.#committed) {
      await this.#transport.request({ op: "commit", study: this.#id, ...this.#committed, target: "null" });
    }
  }
}

function freedError(): EngineError {
  return new EngineError({ code: "STUDY.FREED", message: "This study has been freed: create another." });
}

function editsJson(deltas: DemandDeltas, rates: RatingDeltas = {}): { deltas: string; rates: string } {
  return { deltas: deltasJson(deltas, "demand"), rates: deltasJson(rates, "rating") };
}

function parsed<T>(answer: Answer): T {
  return JSON.parse(answer.json as string) as T;
}
