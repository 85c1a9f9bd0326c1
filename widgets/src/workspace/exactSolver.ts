import type { SensitivityColumn, SensTarget, Solution, StudyColumns, StudyHandle } from "@service/engine";
import type { CaseEdits } from "./edits.ts";
import type { OpenedCase, Selection } from "./openedCase.ts";

/** A sensitivity column with its values by dense bus row (NaN where a bus takes no part). */
export interface DenseColumn {
  column: SensitivityColumn;
  values: Float64Array;
}

/** An exact state that is solved but not published. */
export interface Candidate {
  edits: CaseEdits;
  solution: Solution;
  columns: StudyColumns;
  /** The element whose column was solved along, and the column. */
  selection: Selection | null;
  sensitivity: DenseColumn | null;
}

/** Asks the Study of a session for exact states; callers keep the calls in order. */
export class ExactSolver {
  readonly #study: StudyHandle;
  readonly #caseId: string;
  readonly #opened: OpenedCase;

  constructor(study: StudyHandle, caseId: string, opened: OpenedCase) {
    this.#study = study;
    this.#caseId = caseId;
    this.#opened = opened;
  }

  /** The exact state at absolute `edits`, with the column of `selection`. Rejects with EngineError. */
  async solve(edits: CaseEdits, selection: Selection | null): Promise<Candidate> {
    const result = await this.#study.commit(this.#caseId, edits.deltas, edits.rates, targetOf(selection));
    const columns = await this.#study.columns();
    const sensitivity = result.sensitivity === null ? null : this.#dense(result.sensitivity);
    return { edits, solution: result.solution, columns, selection, sensitivity };
  }

  /** The column of `selection` at absolute `edits`. */
  async sensitivity(edits: CaseEdits, selection: Selection): Promise<DenseColumn> {
    const { deltas, rates } = edits;
    return this.#dense(await this.#study.sensitivity(this.#caseId, deltas, rates, targetOf(selection)));
  }

  /** The module with absolute `edits` stored in it. */
  async saveModule(edits: CaseEdits): Promise<string> {
    // The Study may stand at a candidate that was not published.
    await this.#study.commit(this.#caseId, edits.deltas, edits.rates, null);
    return this.#study.saveModule();
  }

  /** Frees the Study. */
  free(): Promise<void> {
    return this.#study.free();
  }

  #dense(column: SensitivityColumn): DenseColumn {
    const values = new Float64Array(this.#opened.buses.length).fill(NaN);
    for (const { bus, value } of column.values) {
      values[this.#opened.busRow(bus)] = value;
    }
    return { column, values };
  }
}

function targetOf(selection: Selection): SensTarget;
function targetOf(selection: Selection | null): SensTarget | null;
function targetOf(selection: Selection | null): SensTarget | null {
  if (selection === null) {
    return null;
  }
  return selection.kind === "bus" ? { bus: selection.id } : { branch: selection.id };
}
