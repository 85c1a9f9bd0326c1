import { clientError } from "../contract/errors.ts";
import type { SensTarget } from "../contract.generated.ts";
import type { JobSpec } from "../contract/protocol.ts";
import { elementKeyJson, targetJson, trackPosition } from "./inputs.ts";
import type { TrackOptions } from "./studyHandle.ts";

export type TrackSpec = Extract<JobSpec, { kind: "track" }>;

/** What is asked of the engine for a track. Throws for a position that is no finite number. */
export function trackSpec(
  target: SensTarget,
  fromMw: number,
  toMw: number,
  { watch, explain = false }: TrackOptions,
): TrackSpec {
  const positions = { fromMw: trackPosition(fromMw), toMw: trackPosition(toMw) };
  const how = { watch: elementKeyJson(watch ?? null), explain: explain === true };
  return { kind: "track", target: targetJson(target), ...how, ...positions };
}

/** The track that the engine keeps for a study. */
export class KeptTrack {
  #spec: TrackSpec | undefined;
  /** A track was cancelled: the engine keeps that one or the one before it. */
  #unsure = false;

  get spec(): TrackSpec | undefined {
    return this.#spec;
  }

  keep(spec: TrackSpec): void {
    this.#spec = spec;
    this.#unsure = false;
  }

  /** The engine keeps none any more. */
  drop(): void {
    this.#spec = undefined;
  }

  /** Nobody knows which one the engine keeps. */
  doubt(): void {
    this.#spec = undefined;
    this.#unsure = true;
  }

  /** Throws `TRACK.NONE` where it is not known what the engine keeps. */
  require(): void {
    if (this.#unsure) throw clientError("TRACK.NONE", "client.track_cancelled", {});
  }
}
