import { clientError } from "../contract/errors.ts";
import type { SensTarget } from "../contract.generated.ts";
import type { JobSpec } from "../contract/protocol.ts";
import { elementKeyJson, targetJson, trackPosition } from "./inputs.ts";
import type { TrackOptions } from "./studyHandle.ts";

export type TrackSpec = Extract<JobSpec, { kind: "track" }>;

/** The specification of a track for the engine. Throws for a position that is not a finite number. */
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

/** The track that the engine stores for a study. */
export class StoredTrack {
  #spec: TrackSpec | undefined;
  /** True after a track was cancelled: the engine holds either that track or the previous one. */
  #unsure = false;

  get spec(): TrackSpec | undefined {
    return this.#spec;
  }

  keep(spec: TrackSpec): void {
    this.#spec = spec;
    this.#unsure = false;
  }

  /** The engine holds no track any more. */
  drop(): void {
    this.#spec = undefined;
  }

  /** It is not known which track the engine holds. */
  doubt(): void {
    this.#spec = undefined;
    this.#unsure = true;
  }

  /** Throws `TRACK.NONE` unless the engine is known to hold a track. */
  require(): void {
    if (this.#unsure) throw clientError("TRACK.NONE", "client.track_cancelled", {});
  }
}
