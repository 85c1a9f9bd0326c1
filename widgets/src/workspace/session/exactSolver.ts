import type {
  ContingencyRow,
  DenseSensitivity,
  ExplainOptions,
  Explanation,
  LmpComponents,
  SensitivityHead,
  SensTarget,
  Optimum,
  SolveIteration,
  StudyHandle,
  Track,
} from "@service/engine";
import { type CaseEdits, deltaOf, NO_EDITS, sameEdits } from "../edits/edits.ts";
import { type PathRequest, sameCourse } from "../preview/elementPath.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import { reachable } from "../edits/reachable.ts";
import type { Selection } from "../cases/selection.ts";
import { codeOf } from "./errorCode.ts";
import { type ExactPrices, PRICE } from "../quantities/prices.ts";
import { QuantityTable } from "../quantities/quantityTable.ts";

/** How a screening is followed and stopped. */
export type ScreeningOptions = NonNullable<Parameters<StudyHandle["contingencies"]>[0]>;

/** A screening on its way, the edits that it is of, and how a branch is loaded there, as a part of its rating. */
export interface BegunScreening {
  edits: CaseEdits;
  loadingOf: (branch: number) => number;
  rows: Promise<ContingencyRow[]>;
}

/** A sensitivity column with its values by dense bus row (NaN where a bus takes no part). */
export interface DenseColumn {
  /** Name of the quantity that responds. */
  of: string;
  /** As the engine gives it, its interval within what edits can reach. */
  column: SensitivityHead;
  /** What the map shows: at a breakpoint the derivative for an increase, or where there is none, that for a decrease. */
  values: Float64Array;
  /** At a breakpoint the derivatives for a decrease and for an increase; elsewhere both are `values`. */
  left: Float64Array | null;
  right: Float64Array | null;
}

/** An exact state that is solved but not published. */
export interface Candidate {
  edits: CaseEdits;
  solution: Optimum;
  columns: QuantityTable;
  /** Progress of the solve, where the solver reports it. */
  iterations: readonly SolveIteration[];
}

/** A shadow price below this, $/MWh, is rounding: the line binds further on, or did before. */
const LEAST_SHADOW = 1e-9;

/** Asks the Study of a session for exact states; callers keep the calls in order. */
export class ExactSolver {
  readonly #study: StudyHandle;
  readonly #caseId: string;
  readonly #opened: OpenedCase;
  /** The edits that the Study stands at, and the path it holds there. */
  #standsAt: CaseEdits = NO_EDITS;
  #held: PathRequest | null = null;

  constructor(study: StudyHandle, caseId: string, opened: OpenedCase) {
    this.#study = study;
    this.#caseId = caseId;
    this.#opened = opened;
  }

  /** The exact state at absolute `edits`: one message to the engine and back. Rejects with EngineError. */
  async solve(edits: CaseEdits): Promise<Candidate> {
    const { solution, table, iterations } = await this.#commit(edits);
    return { edits, solution, columns: new QuantityTable(table), iterations };
  }

  /** The column of `selection` at absolute `edits`. */
  async sensitivity(edits: CaseEdits, selection: Selection): Promise<DenseColumn> {
    const { deltas, rates } = edits;
    const found = await this.#study.sensitivity(this.#caseId, deltas, rates, targetOf(selection));
    return this.#dense(found.dense, selection, edits);
  }

  /** The module with absolute `edits` stored in it. */
  async saveModule(edits: CaseEdits): Promise<string> {
    await this.#moveTo(edits);
    return this.#study.saveModule();
  }

  /** Follows the exact optimum along one element; the Study holds the path until it is moved. */
  async track(request: PathRequest, signal?: AbortSignal): Promise<Track> {
    const { edits, selection, range } = request;
    if (request.fromHere === true || !sameCourse({ edits: this.#standsAt, selection }, request)) {
      await this.#moveTo(edits); // it is followed to both sides from there
    }
    this.#held = null;
    const options = signal === undefined ? { explain: true } : { explain: true, signal };
    const track = await this.#study.track(targetOf(selection), range.min, range.max, options);
    this.#held = request;
    return track;
  }

  /** Exact prices by dense bus row at a position of a path, $/MWh. */
  trackPrices(request: PathRequest, mw: number): Promise<Float64Array> {
    return this.#onPath(request, () => this.#study.trackPrices(mw));
  }

  /** The same with the lines that bind there. */
  async trackState(request: PathRequest, mw: number): Promise<ExactPrices> {
    const [prices, { binding }] = await this.#onPath(request, () =>
      Promise.all([this.#study.trackPrices(mw), this.#study.trackState(mw)]),
    );
    const priced = binding.filter(({ shadow }) => shadow > LEAST_SHADOW);
    return { prices, shadows: new Map(priced.map(({ branch, shadow }) => [this.#opened.branchRow(branch), shadow])) };
  }

  async #onPath<Answer>(request: PathRequest, ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#held === request) {
      try {
        return await ask();
      } catch (error) {
        if (codeOf(error) !== "TRACK.NONE") {
          throw error;
        } // the Study was lost with its worker and built again, without the path
      }
    }
    await this.track(request);
    return ask();
  }

  /** Begins an N-1 screening at absolute `edits`; it keeps that state, whatever the Study is asked for meanwhile. */
  async beginScreening(edits: CaseEdits, options: ScreeningOptions): Promise<BegunScreening> {
    await this.#moveTo(edits);
    const columns = new QuantityTable(await this.#study.table());
    const loadingOf = (branch: number): number => columns.at("loading", this.#opened.branchRow(branch));
    return { edits, loadingOf, rows: this.#study.contingencies(options) };
  }

  /** What the price of a bus is made of at absolute `edits`. */
  async lmpComponents(edits: CaseEdits, bus: number): Promise<LmpComponents> {
    await this.#moveTo(edits);
    return this.#study.lmpComponents(bus);
  }

  /** Why absolute `edits` have no solution, and the minimum relaxation: a search in steps, whatever the Study does meanwhile. */
  explain(edits: CaseEdits, options: ExplainOptions): Promise<Explanation | null> {
    return this.#study.explain(edits.deltas, edits.rates, options);
  }

  /** Gives up what the Study is asked for; it stays in the state of the last answer. */
  interrupt(): void {
    this.#study.interrupt();
  }

  /** Frees the Study, and gives up what it is asked for. */
  free(): Promise<void> {
    return this.#study.free();
  }

  async #commit(edits: CaseEdits): ReturnType<StudyHandle["commit"]> {
    const result = await this.#study.commit(this.#caseId, edits.deltas, edits.rates);
    this.#standsAt = edits;
    this.#held = null;
    return result;
  }

  /** Moves the Study, which may stand at a candidate that was not published. */
  async #moveTo(edits: CaseEdits): Promise<void> {
    if (!sameEdits(this.#standsAt, edits)) {
      await this.#commit(edits);
    }
  }

  #dense(found: DenseSensitivity, element: Selection, edits: CaseEdits): DenseColumn {
    const column = reachable(found.head, element, this.#opened.baseMw(element), deltaOf(edits, element));
    const { values } = found;
    if (column.warrant.kind === "regular") {
      return { of: PRICE, column, values, left: values, right: values };
    }
    const { left = null, right = null } = found;
    return { of: PRICE, column, values: right ?? left ?? values, left, right };
  }
}

function targetOf(selection: Selection): SensTarget {
  return selection.kind === "bus" ? { bus: selection.id } : { branch: selection.id };
}
