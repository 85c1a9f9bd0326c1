import { parsed } from "../contract/answers.ts";
import type {
  ContingencyRow,
  ElementKey,
  LmpComponents,
  Loadability,
  LoadabilityTarget,
  PlanSpecJson,
  ProfileHead,
} from "../contract.generated.ts";
import type { Answer, Call } from "../contract/protocol.ts";
import { type ContingencyOptions, runContingencies } from "../jobs/contingencies.ts";
import { type DayOptions, type DayRequest, type DayResult, runDay } from "../jobs/day.ts";
import { type LoadabilityOptions, runLoadability } from "../jobs/loadability.ts";
import { type PlanOptions, type PlanOutcomeOf, runPlanning } from "../jobs/planning.ts";
import { runSeries, type SeriesOptions, type SeriesRequest, type SeriesResult } from "../jobs/series.ts";
import type { Transport } from "../transport/transport.ts";
import { caseBytes, changesGiven, listGiven, objectGiven, secondsOf, targetJson, wholeNumber } from "./inputs.ts";
import { byName, type ColumnsByName } from "./rows.ts";

/** A demand profile: labels of the steps, original ids of the buses, and the demand of all buses step by step, MW. */
export interface DemandProfile extends ProfileHead {
  demand_mw: Float64Array;
}

/** Analyses of a study's committed state and case; they change neither. */
export abstract class StudyAnalyses {
  readonly #transport: Transport;
  protected readonly id: number;

  protected constructor(transport: Transport, id: number) {
    this.#transport = transport;
    this.id = id;
  }

  /** Sends a call to the engine; a lost study is rebuilt there first. */
  protected abstract ask(call: Call, signal?: AbortSignal): Promise<Answer>;

  /** Runs long work that `interrupt`, `free` and `signal` can cancel. */
  protected abstract during<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>;

  /** Number of commits and resets that have been answered. */
  protected abstract get changes(): number;

  async lmpComponents(bus: ElementKey): Promise<LmpComponents> {
    return parsed(await this.ask({ op: "lmpComponents", study: this.id, target: targetJson({ bus }) }));
  }

  async outageFlows(branch: ElementKey): Promise<Float64Array> {
    const call = { op: "outageFlows", study: this.id, target: targetJson({ branch }) } as const;
    return (await this.ask(call)).flows as Float64Array;
  }

  async outageColumns(branch: ElementKey): Promise<ColumnsByName> {
    const call = { op: "outageColumns", study: this.id, target: targetJson({ branch }) } as const;
    return byName((await this.ask(call)).columns);
  }

  async contingencies(options: ContingencyOptions = {}): Promise<ContingencyRow[]> {
    return this.during(options.signal, (signal) =>
      runContingencies(this.#transport, this.id, this.#start(signal), { ...options, signal }),
    );
  }

  async loadability(target: LoadabilityTarget, options: LoadabilityOptions = {}): Promise<Loadability> {
    const checked = JSON.stringify(objectGiven(target, "INPUT.REQUEST", "target"));
    return this.during(options.signal, (signal) => {
      const control = { study: this.id, start: this.#start(signal) };
      return runLoadability(this.#transport, checked, { ...options, signal }, control);
    });
  }

  async day(request: DayRequest, options: DayOptions = {}): Promise<DayResult> {
    const { values } = objectGiven(request, "INPUT.REQUEST", "request");
    const checked = { ...request, values: changesGiven(values) };
    return this.during(options.signal, (signal) => {
      const control = { study: this.id, start: this.#start(signal) };
      return runDay(this.#transport, checked, { ...options, signal }, control);
    });
  }

  async plan<S extends PlanSpecJson>(
    spec: S,
    signal?: AbortSignal,
    options: PlanOptions<S> = {},
  ): Promise<PlanOutcomeOf<S>> {
    const checked = objectGiven(spec, "PLAN.SPEC", "spec");
    return this.during(undefined, (given) => {
      const control = { study: this.id, start: this.#start(signal ?? given), given };
      return runPlanning(this.#transport, checked, options, signal, control);
    });
  }

  async series(request: SeriesRequest, options: SeriesOptions = {}): Promise<SeriesResult> {
    const { changesMw, columns } = objectGiven(request, "INPUT.REQUEST", "request");
    const checked = { ...request, changesMw: changesGiven(changesMw), columns: listGiven(columns, "columns") };
    return this.during(options.signal, (signal) => {
      const control = { study: this.id, start: this.#start(signal), changes: () => this.changes };
      return runSeries(this.#transport, checked, { ...options, signal }, control);
    });
  }

  async syntheticDemand(start: Date, hours: number, seed = 0): Promise<DemandProfile> {
    const clock = { startS: secondsOf(start), hours: wholeNumber(hours, "hours"), seed: wholeNumber(seed, "seed") };
    return profileOf(await this.ask({ op: "syntheticDemand", study: this.id, ...clock }));
  }

  async readProfile(bytes: Uint8Array): Promise<DemandProfile> {
    const call = { op: "readProfile", study: this.id, bytes: caseBytes(bytes, "client.profile") } as const;
    return profileOf(await this.ask(call));
  }

  #start(signal: AbortSignal): (call: Call) => Promise<Answer> {
    return (call) => this.ask(call, signal);
  }
}

function profileOf(answer: Answer): DemandProfile {
  const demand_mw = answer.columns?.[0]?.values ?? new Float64Array();
  return { ...parsed<ProfileHead>(answer), demand_mw };
}
