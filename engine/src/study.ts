import { exportedFile, parsed, type ExportedFile } from "./answers.ts";
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
import { caseIdText, deltasJson, targetJson, tokenText } from "./inputs.ts";
import type { Answer, Call, EditTexts, StudyColumns } from "./protocol.ts";
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
  /** The module with the committed edits stored as demands and ratings: a case of its own, whose base state this state is. */
  saveModule(): Promise<string>;
  /** The same case as a file of one of `exportFormats()`, with what the format cannot carry. */
  export(format: string): Promise<ExportedFile>;
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
  #committed: ({ caseId: string } & EditTexts) | undefined;
  /** Settles with the last commit or reset that was asked for. */
  #changing: Promise<unknown> = Promise.resolve();
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
    return this.#change({ op: "commit", study: this.#id, ...edits, target: targetJson(target) }, edits);
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
    return this.#change({ op: "reset", study: this.#id, caseId: caseIdText(caseId) }, undefined);
  }

  async columns(): Promise<StudyColumns> {
    const { columns } = await this.#request({ op: "columns", study: this.#id });
    return columns as StudyColumns;
  }

  async saveModule(): Promise<string> {
    const edits = await this.#edits();
    if (!edits) return this.#recipe.module;
    const { json } = await this.#request({ op: "materialize", module: this.#recipe.module, ...edits });
    return json as string;
  }

  async export(format: string): Promise<ExportedFile> {
    const token = tokenText(format, "format");
    const edits = await this.#edits();
    const call = { op: "exportModule", module: this.#recipe.module, format: token, ...(edits && { edits }) } as const;
    return exportedFile(await this.#request(call));
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

  /** The edits of the state that the calls so far lead to. */
  async #edits(): Promise<EditTexts | undefined> {
    if (this.#freed) throw freedError();
    await this.#changing;
    return this.#committed && { deltas: this.#committed.deltas, rates: this.#committed.rates };
  }

  /** Asks for another state; `edits` are what that state is, undefined for the base case. */
  async #change(call: Call, edits: ({ caseId: string } & EditTexts) | undefined): Promise<CommitResult> {
    const changed = this.#request(call).then((answer) => {
      this.#committed = edits;
      return this.#solved(answer);
    });
    this.#changing = changed.catch(() => undefined);
    return changed;
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

function editsJson(deltas: DemandDeltas, rates: RatingDeltas = {}): EditTexts {
  return { deltas: deltasJson(deltas, "demand"), rates: deltasJson(rates, "rating") };
}
