import type {
  CommitOptions,
  ContingencyRow,
  DemandProfile,
  DenseSensitivity,
  ExplainOptions,
  Explanation,
  FormulationId,
  LmpComponents,
  Loadability,
  LoadabilityOptions,
  LoadabilityTarget,
  PlanOutcomeJson,
  SensitivityHead,
  SensTarget,
  SeriesOptions,
  SeriesResult,
  Solution,
  SolveIteration,
  SolvingOptions,
  StudyHandle,
  Track,
} from "@service/engine";
import { reachable } from "../edits/editRange.ts";
import { type CaseEdits, deltaOf, isEdited, NO_EDITS, sameEdits } from "../edits/edits.ts";
import { type PathRequest, sameCourse, shifted } from "../preview/elementPath.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import { type EditedElement, isBranchValue } from "../cases/selection.ts";
import { isOneSided } from "../../text/index.ts";
import type { Profile } from "../series/profile.ts";
import { storedColumns, type SeriesOrigin } from "../series/solvedSeries.ts";
import { codeOf } from "./errorCode.ts";
import { generatorAt } from "../edits/generatorValues.ts";
import { marginalCost } from "../quantities/generatorCosts.ts";
import type { MarginalUnit } from "../quantities/priceParts.ts";
import { type ExactState, PRICE } from "../quantities/prices.ts";
import { QuantityTable } from "../quantities/quantityTable.ts";

/** Creates a Study of the case in a formulation. Rejects with EngineError. */
export type CreateStudy = (
  formulation: FormulationId,
  signal: AbortSignal,
  onProgress?: SolvingOptions["onProgress"],
) => Promise<StudyHandle<Solution>>;

/** The parts of a new solver. */
export interface SolverInit {
  opened: OpenedCase;
  caseId: string;
  /** Formulation of `study`. */
  formulation: FormulationId;
  study: StudyHandle<Solution>;
  /** Creates Studies of the same case in other formulations. */
  createStudy: CreateStudy;
  /** Names of the options that a formulation ignores. */
  leftOut?(formulation: FormulationId): readonly string[];
}

/** Progress callback and cancellation of a screening. */
export type ScreeningOptions = NonNullable<Parameters<StudyHandle["contingencies"]>[0]>;

/** A running screening with the edits it started from, and the loading of a branch there relative to its rating. */
export interface BegunScreening {
  edits: CaseEdits;
  loadingOf: (branch: number) => number;
  rows: Promise<ContingencyRow[]>;
}

/** A sensitivity column with its values by dense bus row (NaN for buses outside the problem). */
export interface DenseColumn {
  /** Name of the responding quantity. */
  of: string;
  /** The engine's column, with its interval cut to the range of edits. */
  column: SensitivityHead;
  /**
   * The values of the map: at a breakpoint the derivative for an increase, or where that does not exist for a decrease.
   */
  values: Float64Array;
  /** At a breakpoint the derivatives for a decrease and for an increase; elsewhere both are `values`. */
  left: Float64Array | null;
  right: Float64Array | null;
}

/**
 * The response of voltage magnitudes to an element, per unit per MW by dense bus row, and the range of the estimate.
 */
export interface VoltageEstimate {
  head: SensitivityHead;
  values: Float64Array;
}

/** An exact state that is solved but not published. */
export interface Candidate {
  edits: CaseEdits;
  solution: Solution;
  columns: QuantityTable;
  /** Progress of the solve, where the solver reports it. */
  iterations: readonly SolveIteration[];
}

/** A generator with its marginal cost. */
export type CostOfUnit = Omit<MarginalUnit, "participation">;

/** The arguments that determine a state. */
export type StateOfStudy = Pick<Candidate, "edits"> & { readonly formulation: FormulationId };

/** Shadow prices below this, $/MWh, are rounding: the line binds in an adjacent segment. */
const LEAST_SHADOW = 1e-9;

/**
 * The solver of a session: exact states and their derived results, from one Study for each formulation in use. Callers
 * run calls in sequence, in the queue. All calls are in the formulation of the published state, except `solve` and
 * `explain`, which take any.
 */
export class ExactSolver {
  /** The formulation of the published state. */
  formulation: FormulationId;
  readonly #studies: Studies;
  readonly #caseId: string;
  readonly #opened: OpenedCase;
  readonly #leftOut: SolverInit["leftOut"];
  #hashed: Promise<void> = Promise.resolve();

  constructor({ opened, caseId, formulation, study, createStudy, leftOut }: SolverInit) {
    this.#studies = new Studies(createStudy, formulation, study);
    this.formulation = formulation;
    this.#caseId = caseId;
    this.#opened = opened;
    this.#leftOut = leftOut;
  }

  /** Names of the session's options that a formulation ignores. */
  leftOut(formulation: FormulationId): readonly string[] {
    return this.#leftOut?.(formulation) ?? [];
  }

  /** Resolves when the latest solution has its hash, or its Study was freed first. */
  get hashed(): Promise<void> {
    return this.#hashed;
  }

  /**
   * The exact state at absolute `edits`: one message to the engine and back, or for an iterating formulation a job with
   * progress. With `hashLater` the hash may follow (`hashed`). Rejects with EngineError.
   */
  async solve(
    edits: CaseEdits,
    formulation = this.formulation,
    options: Pick<CommitOptions, "onProgress" | "hashLater"> = {},
  ): Promise<Candidate> {
    const known = this.#studies.known(formulation);
    const open = known ?? (await this.#studies.of(formulation, options.onProgress));
    const base = known === null ? await open.study.currentSolution() : null;
    const { solution, table, iterations } = await this.#commit(open, edits, options);
    await this.#opened.learn(edits.added, (added) => open.study.networkWith(added));
    if (base?.solve_ms !== undefined) {
      // A new Study first solves the base case, which is the whole result without edits.
      solution.solve_ms = isEdited(edits) ? base.solve_ms + (solution.solve_ms ?? 0) : base.solve_ms;
    }
    return { edits, solution, columns: new QuantityTable(table), iterations };
  }

  /** The column of `selection` at absolute `edits`. */
  async sensitivity(edits: CaseEdits, selection: EditedElement): Promise<DenseColumn> {
    return this.#dense(await this.#column(edits, selection), selection, edits);
  }

  /** As `sensitivity`, after moving the Study there: from another state each of many columns would require a solve. */
  async sensitivityThere(edits: CaseEdits, selection: EditedElement): Promise<DenseColumn> {
    await this.#moveTo(edits);
    return this.sensitivity(edits, selection);
  }

  /**
   * The response of AC power-flow voltages to the demand of a bus at absolute `edits`: an estimate that is exact
   * nowhere else.
   */
  async voltageEstimate(edits: CaseEdits, selection: EditedElement): Promise<VoltageEstimate> {
    const { head, values } = await this.#column(edits, selection);
    return { head, values };
  }

  /** The estimated results at other edits, from those at absolute `edits`; nothing is committed. */
  async preview(edits: CaseEdits, to: CaseEdits): ReturnType<StudyHandle["preview"]> {
    const { study } = await this.#moveTo(edits);
    const { deltas, rates, ...further } = to;
    return study.preview(deltas, rates, further);
  }

  /**
   * The estimated changes of power-flow voltages and flows at other edits, by name, from those at absolute `edits`;
   * nothing is committed.
   */
  async changes(edits: CaseEdits, to: CaseEdits): Promise<ReadonlyMap<string, Float64Array>> {
    const { columns } = await this.preview(edits, to);
    return new Map(Object.entries(columns));
  }

  /** The module with absolute `edits` stored in it. */
  async saveModule(edits: CaseEdits): Promise<string> {
    const { study } = await this.#moveTo(edits);
    return study.saveModule();
  }

  /** The solution module of the exact state at absolute `edits`, and the hash of its result. */
  async solutionModule(edits: CaseEdits, formulation: FormulationId): Promise<{ text: string; result_sha256: string }> {
    const { solution } = await this.solve(edits, formulation);
    const { study } = await this.#studies.of(formulation);
    return { text: await study.saveSolutionModule(), result_sha256: solution.result_sha256 };
  }

  /** Follows the exact optimum along one element; the Study stores the path until it is moved. */
  async track(request: PathRequest, signal?: AbortSignal): Promise<Track> {
    const { edits, selection, range } = request;
    const open = await this.#open();
    if (request.fromHere === true || !sameCourse({ edits: open.edits, selection }, request)) {
      await this.#moveTo(edits); // the path extends in both directions from there
    }
    open.held = null;
    const options = signal === undefined ? { explain: true } : { explain: true, signal };
    const origin = this.#originOf(selection);
    const [from, to] = [range.min + origin, range.max + origin];
    const track = await open.study.track(targetOf(selection), from, to, options);
    open.held = request;
    open.reach = [track.segments[0]?.from_mw ?? from, track.segments.at(-1)?.to_mw ?? to];
    return origin === 0 ? track : shifted(track, -origin);
  }

  /**
   * The position on a track at the base case, MW or degrees: tracks of limits of generators and links and of phase shifts
   * use the values themselves, not changes.
   */
  #originOf(selection: EditedElement): number {
    const { kind } = selection;
    return kind === "generator" || kind === "link" || isBranchValue(selection) ? this.#opened.baseMw(selection) : 0;
  }

  /** Whether the Study still stores a path: otherwise a state on it requires following it again. */
  holdsPath(path: { readonly request: PathRequest } | null): boolean {
    return path !== null && this.#studies.known(this.formulation)?.held === path.request;
  }

  /** The exact state at a position of a path, with the binding lines. */
  async trackState(request: PathRequest, mw: number): Promise<ExactState> {
    const origin = this.#originOf(request.selection);
    const { binding, columns } = await this.#onPath(request, ({ study, reach: [low, high] }) =>
      study.trackState(origin === 0 ? mw : Math.max(low, Math.min(high, mw + origin))),
    );
    const priced = binding.filter(({ shadow }) => shadow > LEAST_SHADOW);
    return {
      columns: new Map(Object.entries(columns)),
      shadows: new Map(priced.map(({ branch, shadow }) => [this.#opened.branchRow(branch), shadow])),
    };
  }

  async #onPath<Answer>(request: PathRequest, ask: (open: OpenStudy) => Promise<Answer>): Promise<Answer> {
    const open = await this.#open();
    if (open.held === request) {
      try {
        return await ask(open);
      } catch (error) {
        if (codeOf(error) !== "TRACK.NONE") {
          throw error;
        } // the Study was lost with its worker and rebuilt without the path
      }
    }
    await this.track(request);
    return ask(open);
  }

  /** Starts an N-1 screening at absolute `edits`, which later calls of the Study do not affect. */
  async beginScreening(edits: CaseEdits, options: ScreeningOptions): Promise<BegunScreening> {
    const { study } = await this.#moveTo(edits);
    const columns = new QuantityTable(await study.table());
    const loadingOf = (branch: number): number => columns.at("loading", this.#opened.branchRow(branch));
    return { edits, loadingOf, rows: study.contingencies(options) };
  }

  /** Starts the growth of a demand at absolute `edits`, which later calls of the Study do not affect. */
  async beginLoadability(
    edits: CaseEdits,
    target: LoadabilityTarget,
    options: LoadabilityOptions,
  ): Promise<{ edits: CaseEdits; curve: Promise<Loadability> }> {
    const { study } = await this.#moveTo(edits);
    return { edits, curve: study.loadability(target, options) };
  }

  /** Starts the steps of a profile at a state, which later calls of the Study do not affect. */
  async beginSeries(
    { edits, columns }: SeriesOrigin,
    { buses, branches, changesMw }: Profile,
    options: SeriesOptions,
  ): Promise<{ result: Promise<SeriesResult> }> {
    const { study } = await this.#moveTo(edits);
    const request = { buses, branches, changesMw, columns: storedColumns(columns) };
    const result = study.series(request, options);
    result.catch(() => undefined); // it may fail before its caller waits for it
    return { result };
  }

  /** A synthetic demand profile of the case, by hour. */
  async syntheticDemand(start: Date, hours: number): Promise<DemandProfile> {
    const { study } = await this.#open();
    return study.syntheticDemand(start, hours);
  }

  /** Reads a demand profile from a table of text. */
  async readProfile(bytes: Uint8Array): Promise<DemandProfile> {
    const { study } = await this.#open();
    return study.readProfile(bytes);
  }

  /** Starts a plan at absolute `edits`, which later calls of the Study do not affect. */
  async beginPlan(
    edits: CaseEdits,
    ...plan: Parameters<StudyHandle["plan"]>
  ): Promise<{ outcome: Promise<PlanOutcomeJson> }> {
    const { study } = await this.#moveTo(edits);
    const outcome = study.plan(...plan);
    outcome.catch(() => undefined); // it may fail before its caller waits for it
    return { outcome };
  }

  /** The components of the price of a bus at absolute `edits`. */
  async lmpComponents(edits: CaseEdits, bus: number): Promise<LmpComponents> {
    const { study } = await this.#moveTo(edits);
    return study.lmpComponents(bus);
  }

  /** What the price of a bus is made of in any state; nothing is published. */
  async componentsAt({ edits, formulation }: StateOfStudy, bus: number): Promise<LmpComponents> {
    const { study } = await this.#moveTo(edits, formulation);
    return study.lmpComponents(bus);
  }

  /** The generators between their limits in any state, with their marginal costs: only these follow a change of demand. */
  async betweenLimits({ edits, formulation }: StateOfStudy): Promise<readonly CostOfUnit[]> {
    const { study } = await this.#moveTo(edits, formulation);
    return this.#betweenLimits(edits, new QuantityTable(await study.table()));
  }

  /**
   * How much a generator gives of one more MW of demand at a bus in any state, MW per MW: the derivative of the price by its marginal
   * cost, which by symmetry of the optimality conditions is that of its output by the demand. NaN at a breakpoint.
   */
  async participation({ edits, formulation }: StateOfStudy, bus: number, generator: number): Promise<number> {
    const { study } = await this.#moveTo(edits, formulation);
    const { deltas, rates, ...further } = edits;
    const target: SensTarget = { generator, value: "cost" };
    const { head, values } = (await study.sensitivity(this.#caseId, deltas, rates, target, further)).dense;
    return isOneSided(head) ? NaN : (values[this.#opened.busRow(bus)] ?? NaN);
  }

  #betweenLimits(edits: CaseEdits, columns: QuantityTable): CostOfUnit[] {
    return this.#opened.generators.flatMap((_, row) => {
      const unit = generatorAt(this.#opened, edits, row);
      return unit?.status !== 1 || columns.at("limit_shadow", row) !== 0
        ? []
        : [{ generator: unit.id, costUsdPerMwh: marginalCost(unit, columns.at("dispatch_mw", row)) }];
    });
  }

  /** What changes after the outage of a branch at absolute `edits`, as columns by dense row. */
  async outageColumns(edits: CaseEdits, branch: number): Promise<ReadonlyMap<string, Float64Array>> {
    const { study } = await this.#moveTo(edits);
    return new Map(Object.entries(await study.outageColumns(branch)));
  }

  /**
   * The explanation why absolute `edits` have no solution, with the minimum relaxation: a search in steps, which other
   * calls of the Study do not affect.
   */
  async explain(edits: CaseEdits, formulation: FormulationId, options: ExplainOptions): Promise<Explanation | null> {
    const { study } = this.#studies.known(formulation) ?? (await this.#studies.of(formulation));
    const { deltas, rates, ...further } = edits;
    return study.explain(deltas, rates, { ...options, ...further });
  }

  /** Cancels the calls of all Studies; each stays in the state of its last answer. */
  interrupt(): void {
    this.#studies.interrupt();
  }

  /** Frees the Studies and cancels their calls. */
  free(): Promise<void> {
    return this.#studies.free();
  }

  /** The Study of a formulation, by default of that of the published state. */
  async #open(formulation = this.formulation): Promise<OpenStudy> {
    return this.#studies.known(formulation) ?? (await this.#studies.of(formulation));
  }

  async #commit(
    open: OpenStudy,
    edits: CaseEdits,
    options: Pick<CommitOptions, "onProgress" | "hashLater"> = {},
  ): ReturnType<StudyHandle<Solution>["commit"]> {
    const { deltas, rates, ...further } = edits;
    const result = await open.study.commit(this.#caseId, deltas, rates, null, { ...further, ...options });
    this.#hashed = result.hashed?.catch(() => undefined) ?? Promise.resolve(); // a freed Study leaves the hash unknown
    open.edits = edits;
    open.held = null;
    return result;
  }

  async #column(edits: CaseEdits, selection: EditedElement): Promise<DenseSensitivity> {
    const { study } = await this.#open();
    const { deltas, rates, ...further } = edits;
    return (await study.sensitivity(this.#caseId, deltas, rates, targetOf(selection), further)).dense;
  }

  /** The Study moved to some edits; it may have been left at an unpublished candidate. */
  async #moveTo(edits: CaseEdits, formulation = this.formulation): Promise<OpenStudy> {
    const open = await this.#open(formulation);
    if (!sameEdits(open.edits, edits)) {
      await this.#commit(open, edits);
    }
    return open;
  }

  #dense(found: DenseSensitivity, element: EditedElement, edits: CaseEdits): DenseColumn {
    const opened = this.#opened;
    const column = reachable(found.head, element, opened.baseMw(element, edits), deltaOf(edits, element, opened));
    const { values } = found;
    if (!isOneSided(column)) {
      return { of: PRICE, column, values, left: values, right: values };
    }
    const { left = null, right = null } = found;
    return { of: PRICE, column, values: right ?? left ?? values, left, right };
  }
}

function targetOf(selection: EditedElement): SensTarget {
  switch (selection.kind) {
    case "bus":
      return { bus: selection.id };
    case "branch":
      return selection.value === "shift" ? { branch: selection.id, value: "shift" } : { branch: selection.id };
    case "generator":
      return { generator: selection.id, value: selection.value ?? "p_max" };
    case "link":
      return { link: selection.id, value: "p_max" };
  }
}

/** A Study, the edits of its state, and the path that it holds there. */
interface OpenStudy {
  readonly study: StudyHandle<Solution>;
  edits: CaseEdits;
  held: PathRequest | null;
  /** Beginning and end of the track of that path, MW. */
  reach: readonly [low: number, high: number];
}

/** The Studies of one case, one for each formulation in use, so that a formulation finds its Study unchanged. */
class Studies {
  readonly #create: CreateStudy;
  readonly #open = new Map<FormulationId, OpenStudy>();
  #creating = new AbortController();
  #freed = false;

  constructor(create: CreateStudy, first: FormulationId, study: StudyHandle<Solution>) {
    this.#create = create;
    this.#open.set(first, { study, edits: NO_EDITS, held: null, reach: [NaN, NaN] });
  }

  /** The Study of a formulation; null before it is created. */
  known(formulation: FormulationId): OpenStudy | null {
    return this.#open.get(formulation) ?? null;
  }

  /** The Study of a formulation, created on first use. Callers run calls in sequence. Rejects with EngineError. */
  async of(formulation: FormulationId, onProgress?: SolvingOptions["onProgress"]): Promise<OpenStudy> {
    const known = this.known(formulation);
    if (known !== null) {
      return known;
    }
    const { signal } = this.#creating;
    const study = await this.#create(formulation, signal, onProgress);
    const open: OpenStudy = { study, edits: NO_EDITS, held: null, reach: [NaN, NaN] };
    if (this.#freed) {
      void study.free();
    } else {
      this.#open.set(formulation, open);
    }
    return open;
  }

  /** Cancels the calls of all Studies; each stays in the state of its last answer. */
  interrupt(): void {
    this.#creating.abort();
    this.#creating = new AbortController();
    this.#open.forEach(({ study }) => study.interrupt());
  }

  /** Frees the Studies and cancels their calls. */
  async free(): Promise<void> {
    this.#freed = true;
    this.#creating.abort();
    await Promise.all([...this.#open.values()].map(({ study }) => study.free()));
  }
}
