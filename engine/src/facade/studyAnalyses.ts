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
import { type LoadabilityOptions, runLoadability } from "../jobs/loadability.ts";
import { type PlanOptions, type PlanOutcomeOf, runPlanning } from "../jobs/planning.ts";
import { runSeries, type SeriesOptions, type SeriesRequest, type SeriesResult } from "../jobs/series.ts";
import type { Transport } from "../transport/transport.ts";
import { targetJson } from "./inputs.ts";

/** A demand profile: labels of the steps, original ids of buses, and the demand of all buses step by step, MW. */
export interface DemandProfile extends ProfileHead {
  demand_mw: Float64Array;
}

/** What a study finds out about its committed state and its case, which stay as they are. */
export abstract class StudyAnalyses {
  readonly #transport: Transport;
  protected readonly id: number;

  protected constructor(transport: Transport, id: number) {
    this.#transport = transport;
    this.id = id;
  }

  /** Sends a call to the engine, where the study is built again if it was lost. */
  protected abstract ask(call: Call, signal?: AbortSignal): Promise<Answer>;

  /** Commits and resets that were answered. */
  protected abstract get changes(): number;

  async lmpComponents(bus: ElementKey): Promise<LmpComponents> {
    return parsed(await this.ask({ op: "lmpComponents", study: this.id, target: targetJson({ bus }) }));
  }

  async outageFlows(branch: ElementKey): Promise<Float64Array> {
    const call = { op: "outageFlows", study: this.id, target: targetJson({ branch }) } as const;
    return (await this.ask(call)).flows as Float64Array;
  }

  async contingencies(options: ContingencyOptions = {}): Promise<ContingencyRow[]> {
    return runContingencies(this.#transport, this.id, this.#start(options.signal), options);
  }

  async loadability(target: LoadabilityTarget, options: LoadabilityOptions = {}): Promise<Loadability> {
    const control = { study: this.id, start: this.#start(options.signal) };
    return runLoadability(this.#transport, JSON.stringify(target), options, control);
  }

  async plan<S extends PlanSpecJson>(
    spec: S,
    signal?: AbortSignal,
    options: PlanOptions<S> = {},
  ): Promise<PlanOutcomeOf<S>> {
    const control = { study: this.id, start: this.#start(signal) };
    return runPlanning(this.#transport, spec, options, signal, control);
  }

  async series(request: SeriesRequest, options: SeriesOptions = {}): Promise<SeriesResult> {
    const control = { study: this.id, start: this.#start(options.signal), changes: () => this.changes };
    return runSeries(this.#transport, request, options, control);
  }

  async syntheticDemand(start: Date, hours: number, seed = 0): Promise<DemandProfile> {
    const call = { op: "syntheticDemand", study: this.id, startS: start.getTime() / 1000, hours, seed } as const;
    return profileOf(await this.ask(call));
  }

  async readProfile(bytes: Uint8Array): Promise<DemandProfile> {
    return profileOf(await this.ask({ op: "readProfile", study: this.id, bytes }));
  }

  #start(signal: AbortSignal | undefined): (call: Call) => Promise<Answer> {
    return (call) => this.ask(call, signal);
  }
}

function profileOf(answer: Answer): DemandProfile {
  const demand_mw = answer.columns?.[0]?.values ?? new Float64Array();
  return { ...parsed<ProfileHead>(answer), demand_mw };
}
