import type { SolvingOptions } from "../jobs/solving.ts";
import type { ExportedFile } from "../contract/answers.ts";
import type { Optimum, StudyColumns } from "../contract/contract.ts";
import type {
  AddedElements,
  Column,
  ColumnName,
  ContingencyRow,
  DemandDeltas,
  ElementKey,
  Explanation,
  IngestedCase,
  LmpComponents,
  Loadability,
  LoadabilityTarget,
  PlanSpecJson,
  RatingDeltas,
  SensTarget,
  Solution,
  SolveOptions,
  Track,
} from "../contract.generated.ts";
import type { PlanOptions, PlanOutcomeOf } from "../jobs/planning.ts";
import type { ContingencyOptions } from "../jobs/contingencies.ts";
import type { ExplainOptions } from "../jobs/explaining.ts";
import type { DayOptions, DayRequest, DayResult } from "../jobs/day.ts";
import type { LoadabilityOptions } from "../jobs/loadability.ts";
import type { SeriesOptions, SeriesRequest, SeriesResult } from "../jobs/series.ts";
import type { FurtherEdits } from "./inputs.ts";
import type { DemandProfile } from "./studyAnalyses.ts";
import type { Committed, StudyPreview, StudySensitivity, StudyTrackState } from "./rows.ts";

/** Options of a track. */
export interface TrackOptions {
  /**
   * The bus whose prices the segments report; by default the target bus, or for a rating the bus whose price changes
   * most.
   */
  watch?: ElementKey;
  /**
   * If the track stops where the problem becomes infeasible, also computes the minimum relaxation that would reach the
   * requested end: two further searches.
   */
  explain?: boolean;
  /** Called with the progress, at most every 50 ms and once at the end. */
  onProgress?: (progress: TrackProgress) => void;
  /** Cancels the track, which rejects with `ABORTED`. */
  signal?: AbortSignal;
}

/** Progress of a track. */
export interface TrackProgress {
  /** Part of the work, rising from 0 to 1. */
  fraction: number;
  /**
   * The current position, MW from the base case: from the committed state down to the lower end, then up from the
   * committed state.
   */
  at_mw: number;
}

/** Edits of a commit other than demand and ratings, and how to follow, cancel and answer it. */
export interface CommitOptions extends SolvingOptions, FurtherEdits {
  /** The answer does not wait for the result hash: `result_sha256` is empty until `hashed` settles. */
  hashLater?: boolean;
}

/**
 * A solved case that accepts edits. All edits are absolute, keyed by original id or uid: changes of demand (`deltas`) and ratings
 * (`rates`) in MW from the base case, and `FurtherEdits`. A change of the `status` of a generator has no preview
 * (`GENERATOR.NO_PREVIEW`). A failed operation changes nothing. Free a Study after use.
 */
export interface StudyHandle<S extends Solution = Optimum> {
  /** The exact optimum of the last commit, or of the base case. */
  currentSolution(): Promise<S>;
  /**
   * The case with further elements, whose ids follow those of the case: the rows of results with `added` edits. Its module text is
   * empty.
   */
  networkWith(added: AddedElements): Promise<IngestedCase>;
  /**
   * The first-order change of the prices for these edits, without a solve; for a power flow the change of its voltages,
   * by chord steps. The state does not change.
   */
  preview(deltas: DemandDeltas, rates?: RatingDeltas, further?: FurtherEdits): Promise<StudyPreview>;
  /**
   * Solves exactly at these edits, optionally with the sensitivity column of `target`. While an iterative formulation
   * solves, the study answers other calls in the previous state; for the others the result hash may follow in a
   * separate message (`hashLater`).
   */
  commit(
    caseId: string,
    deltas: DemandDeltas,
    rates?: RatingDeltas,
    target?: SensTarget | null,
    options?: CommitOptions,
  ): Promise<Committed<S>>;
  /** Sensitivity column at these edits; the study's state does not change. */
  sensitivity(
    caseId: string,
    deltas: DemandDeltas,
    rates: RatingDeltas,
    target: SensTarget,
    further?: FurtherEdits,
  ): Promise<StudySensitivity>;
  /**
   * Explains why these edits have no solution: the conflicting limits, and the minimum relaxation in MW, both verified
   * on the data; null if a solution exists. The state does not change. A failed commit reports at once what is certain;
   * this is a search in steps, during which the study answers other calls.
   */
  explain(
    deltas: DemandDeltas,
    rates?: RatingDeltas,
    options?: ExplainOptions & FurtherEdits,
  ): Promise<Explanation | null>;
  /**
   * The price of a bus at the committed state as energy and congestion by line, without a solve. The split depends on a
   * reference, which the answer names.
   */
  lmpComponents(bus: ElementKey): Promise<LmpComponents>;
  /**
   * Flows after the outage of one branch at the committed state, MW by dense branch row (NaN for branches outside the
   * problem), with dispatch and demand fixed. Rejects with `OUTAGE.ISLANDING` if the outage splits an island.
   */
  outageFlows(branch: ElementKey): Promise<Float64Array>;
  /**
   * What changes after the outage of one branch at the committed state, as columns of a result by dense row: `flow_mw`
   * and `loading`, and in an AC power flow also `flow_mvar`, `flow_to_mw`, `flow_to_mvar`, `vm_pu` and `va_rad`.
   * Rejects with `OUTAGE.ISLANDING` if the outage splits an island, with `SOLVE.NOT_CONVERGED` if no power flow is
   * found.
   */
  outageColumns(branch: ElementKey): Promise<{ [name in ColumnName]?: Float64Array }>;
  /**
   * Follows a demand or rating exactly from one edit to another (MW from the base case), or `p_max` or `p_min` of a
   * generator from one value to another (MW), through every breakpoint; other committed edits stay. The path is
   * available to `trackPrices` and `trackState` until the next track or commit.
   */
  track(target: SensTarget, fromMw: number, toMw: number, options?: TrackOptions): Promise<Track>;
  /**
   * Exact prices at a position of the track, $/MWh by dense bus row (NaN for buses outside the problem), without a
   * solve.
   */
  trackPrices(mw: number): Promise<Float64Array>;
  /**
   * Exact cost at a position of the track, the binding branches with their shadow prices, and all columns that a commit
   * there has, flows, loading and dispatch among them.
   */
  trackState(mw: number): Promise<StudyTrackState>;
  /**
   * How far the demand of a bus, an area or the system can grow from the committed state of an AC power flow before
   * voltages collapse: the margin in MW, the PV curve, and the buses whose voltages fall first. The state does not
   * change.
   */
  loadability(target: LoadabilityTarget, options?: LoadabilityOptions): Promise<Loadability>;
  /**
   * Searches for rating increases, or for demand to add or move, that lower weighted prices from the committed state:
   * bounded trials in the order of their derivatives, each solved exactly on a clone. Returns an unapplied proposal,
   * the best verified candidate within the budget. `signal` ends the search after the running solve; completed trials
   * and the best candidate stay.
   */
  plan<S extends PlanSpecJson>(spec: S, signal?: AbortSignal, options?: PlanOptions<S>): Promise<PlanOutcomeOf<S>>;
  /**
   * N-1 screening of the committed state: the worst loading and the new overloads after each single outage, in an AC
   * power flow with the voltages and the estimate of the distribution factors. Outages that split an island, have no
   * power flow or are left to their estimate are listed as such.
   */
  contingencies(options?: ContingencyOptions): Promise<ContingencyRow[]>;
  /**
   * Solves many steps exactly in short calls: demand and ratings of some elements by step, all other edits as
   * committed. Each step has the bits and the hash of a commit of its edits. A step without a solution is recorded, and
   * the series continues. The state does not change, and the study answers other calls meanwhile.
   */
  series(request: SeriesRequest, options?: SeriesOptions): Promise<SeriesResult>;
  /**
   * Solves many hours as one program from the committed state of a DC OPF: storage units move energy between them, and
   * `ramps` limit how fast outputs change. A price is what one more MWh at a bus and in a step costs over the whole day.
   * The state does not change.
   */
  day(request: DayRequest, options?: DayOptions): Promise<DayResult>;
  /**
   * A synthetic demand profile by hour for `series`: daily, weekly and yearly shape, with a variation of each area
   * (`seed`). `start` is read as UTC in the clock of the case. The numbers are those of `case.synthetic_demand` in
   * Python.
   */
  syntheticDemand(start: Date, hours: number, seed?: number): Promise<DemandProfile>;
  /**
   * Reads a demand profile, MW, from a text table: labels of the steps in the first column, then a column for each bus
   * (`30`), area (`area 2`) or zone (`zone 5`), or one for the `system`. Rejects with `PROFILE.MALFORMED` and
   * `BUS.UNKNOWN`, which name row and column.
   */
  readProfile(bytes: Uint8Array): Promise<DemandProfile>;
  /** Commits without edits. */
  reset(caseId: string): Promise<Committed<S>>;
  /** The current solution as typed arrays by dense row, transferred from the worker. */
  columns(): Promise<StudyColumns>;
  /** The current solution as a table: the same columns with element and unit. */
  table(): Promise<readonly Column[]>;
  /** The current solution and its table, in one request. */
  current(): Promise<Pick<Committed<S>, "solution" | "table">>;
  /**
   * A new case: the module with the committed edits stored as demands and ratings, so that its base state is this
   * state.
   */
  saveModule(): Promise<string>;
  /** The committed result with its network, as the text of a module that `readSolutionModule` reads. */
  saveSolutionModule(): Promise<string>;
  /** The edited case as a file of one of `exportFormats()`, with warnings for data that the format cannot represent. */
  export(format: string): Promise<ExportedFile>;
  /**
   * Cancels all requests that have not been answered: they reject with `ABORTED` at once, and the study is in the state
   * of the last answered commit.
   */
  interrupt(): void;
  /** Frees the study's memory and cancels its requests. Every later call except `free` rejects with `STUDY.FREED`. */
  free(): Promise<void>;
}

/** All data from which a study can be built again. */
export interface StudyRecipe {
  module: string;
  sha256?: string;
  formulation: string;
  options: SolveOptions;
}
