import type { SolvingOptions } from "../jobs/solving.ts";
import type { ExportedFile } from "../contract/answers.ts";
import type { Optimum, StudyColumns } from "../contract/contract.ts";
import type {
  Column,
  ContingencyRow,
  DemandDeltas,
  ElementKey,
  Explanation,
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
import type { LoadabilityOptions } from "../jobs/loadability.ts";
import type { SeriesOptions, SeriesRequest, SeriesResult } from "../jobs/series.ts";
import type { FurtherEdits } from "./inputs.ts";
import type { DemandProfile } from "./studyAnalyses.ts";
import type { Committed, StudyPreview, StudySensitivity, StudyTrackState } from "./rows.ts";

/** What a track looks at, and how it is stopped. */
export interface TrackOptions {
  /** The bus whose prices the segments tell; by itself the target, or for a rating the bus whose price changes most. */
  watch?: ElementKey;
  /** Adds to a stop without a solution beyond the minimum relaxation that would reach the end asked for: two more searches. */
  explain?: boolean;
  /** Called with what is done, at most every 50 ms and once at the end. */
  onProgress?: (progress: TrackProgress) => void;
  /** Cancels the track, which rejects with `ABORTED`. */
  signal?: AbortSignal;
}

/** How far a track was followed. */
export interface TrackProgress {
  /** Part of the work, rising from 0 to 1. */
  fraction: number;
  /** Where it is, MW from the base case: down from the committed state to the lower end, then up from it. */
  at_mw: number;
}

/** Edits of a commit other than demand and ratings, and how it is followed, cancelled and answered. */
export interface CommitOptions extends SolvingOptions, FurtherEdits {
  /** The answer does not wait for the hash of the result: `result_sha256` is empty until `hashed` resolves. */
  hashLater?: boolean;
}

/**
 * A solved case that takes edits. All edits are absolute, keyed by original id or uid: changes of demand (`deltas`) and ratings
 * (`rates`) in MW from the base case, and `FurtherEdits`. A change of the `status` of a generator has no preview
 * (`GENERATOR.NO_PREVIEW`). A failed operation changes nothing. Discarded studies must be freed.
 */
export interface StudyHandle<S extends Solution = Optimum> {
  /** The exact optimum of the last commit, or of the base case. */
  currentSolution(): Promise<S>;
  /** First-order change of the prices for these edits, no solve; of a power flow its voltages, by chord steps; nothing changes. */
  preview(deltas: DemandDeltas, rates?: RatingDeltas, further?: FurtherEdits): Promise<StudyPreview>;
  /**
   * Exact solve at these edits, optionally with the sensitivity column of `target`. Where the formulation iterates the study answers
   * other calls meanwhile, in the state before; elsewhere the hash of the result may follow in a message of its own.
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
   * Why these edits have no solution: the elements that contradict each other, and the minimum relaxation in MW, both verified on
   * the data; null where they have a solution. The study's state does not change. A failed commit says at once what is certain; this
   * is a search in steps, during which the study answers other calls.
   */
  explain(
    deltas: DemandDeltas,
    rates?: RatingDeltas,
    options?: ExplainOptions & FurtherEdits,
  ): Promise<Explanation | null>;
  /**
   * The price of a bus at the committed state as energy and congestion by line, without a solve of the problem. The split
   * belongs to a reference, which the answer names.
   */
  lmpComponents(bus: ElementKey): Promise<LmpComponents>;
  /**
   * Flow of every branch after the outage of one at the committed state, MW by dense branch row (NaN where a branch takes no part),
   * with dispatch and demand fixed. Rejects with `OUTAGE.ISLANDING` where the outage splits an island.
   */
  outageFlows(branch: ElementKey): Promise<Float64Array>;
  /**
   * Follows one demand or rating exactly from one edit to another (MW from the base case), or `p_max` or `p_min` of a generator from one
   * value to another (MW), through every breakpoint; the other committed edits stay. The path is kept for `trackPrices` and `trackState` until the next track or commit.
   */
  track(target: SensTarget, fromMw: number, toMw: number, options?: TrackOptions): Promise<Track>;
  /** Exact prices at a position of the track, $/MWh by dense bus row (NaN for buses outside the problem), without a solve. */
  trackPrices(mw: number): Promise<Float64Array>;
  /**
   * Exact cost at a position of the track, the branches that bind there with what one more MW saves, and beside them all columns that
   * a commit there has: flows, loading and dispatch among them.
   */
  trackState(mw: number): Promise<StudyTrackState>;
  /**
   * How much the demand of a bus, an area or the system can grow from the committed state of an AC power flow before voltages
   * collapse: the margin in MW, the PV curve, and the buses whose voltages fall first. The study's state does not change.
   */
  loadability(target: LoadabilityTarget, options?: LoadabilityOptions): Promise<Loadability>;
  /**
   * Raises ratings, or places or moves demand, from the committed state so that weighted prices fall: bounded trials in the order of
   * their derivatives, each solved exactly on a clone. Gives an unapplied proposal, the best candidate that was verified within the budget. `signal` ends it
   * once the running solve is over; completed trials and the best candidate stay.
   */
  plan<S extends PlanSpecJson>(spec: S, signal?: AbortSignal, options?: PlanOptions<S>): Promise<PlanOutcomeOf<S>>;
  /** N-1 screening of the committed state: worst loading and new overloads after each single outage, islanding ones named. */
  contingencies(options?: ContingencyOptions): Promise<ContingencyRow[]>;
  /**
   * Solves many steps exactly, one after the other in short calls: demand and ratings of some elements by step, all other edits as
   * committed. Each step has the bits and the hash of a commit of its edits; one without a solution is recorded and stops no
   * other. The study's state does not change, and it answers other calls meanwhile.
   */
  series(request: SeriesRequest, options?: SeriesOptions): Promise<SeriesResult>;
  /**
   * A synthetic demand profile by hour, no measurements, for `series`: daily, weekly and yearly shape with a variation of each area
   * (`seed`). The clock of the case reads `start` in UTC. The same numbers as `case.synthetic_demand` in Python.
   */
  syntheticDemand(start: Date, hours: number, seed?: number): Promise<DemandProfile>;
  /**
   * Reads a demand profile, MW, from a table of text: labels of the steps in the first column, then a column for each bus (`30`), area
   * (`area 2`) or zone (`zone 5`), or one for the `system`. Rejects with `PROFILE.MALFORMED` and `BUS.UNKNOWN`, which name row and column.
   */
  readProfile(bytes: Uint8Array): Promise<DemandProfile>;
  /** Commit of no edits. */
  reset(caseId: string): Promise<Committed<S>>;
  /** The current solution as typed arrays by dense row, transferred from the worker. */
  columns(): Promise<StudyColumns>;
  /** The same with the element and the unit of each, whatever the formulation gives. */
  table(): Promise<readonly Column[]>;
  /** The current solution and its table, asked for once. */
  current(): Promise<Pick<Committed<S>, "solution" | "table">>;
  /** The module with the committed edits stored as demands and ratings: a case of its own, whose base state this state is. */
  saveModule(): Promise<string>;
  /** The committed result with the network it solves, as the text of a module that `readSolutionModule` reads. */
  saveSolutionModule(): Promise<string>;
  /** The same case as a file of one of `exportFormats()`, with what the format cannot carry. */
  export(format: string): Promise<ExportedFile>;
  /**
   * Gives up what was asked for so far and is not done: those calls reject with `ABORTED` at once, and the study is in the state
   * of the last commit that was answered.
   */
  interrupt(): void;
  /** Gives the study's memory back and gives up what is not done. Every later call but this one rejects with `STUDY.FREED`. */
  free(): Promise<void>;
}

/** What a study is built from; enough to build it again. */
export interface StudyRecipe {
  module: string;
  sha256?: string;
  formulation: string;
  options: SolveOptions;
}
