import { type ISignal, Signal } from "@lumino/signaling";
import { trans } from "../../text/index.ts";
import type { SessionCore } from "../session/sessionCore.ts";
import { type Profile, profileOf } from "./profile.ts";

/** Lengths of the offered synthetic profiles, hours. */
export const SYNTHETIC_HOURS = [24, 168, 8760] as const;

/** Monday, 6 July 2026: the first hour of synthetic profiles, as in Python. */
const START = new Date(Date.UTC(2026, 6, 6));

/** The profiles of one session: synthetic ones, made on request, and those of files and notebooks. */
export class Profiles {
  readonly #core: SessionCore;
  readonly #changed = new Signal<this, void>(this);
  #given: readonly Profile[] = [];

  constructor(core: SessionCore) {
    this.#core = core;
  }

  /** Emitted when a profile is added. */
  get changed(): ISignal<this, void> {
    return this.#changed;
  }

  /** Profiles of files and notebooks, in the order in which they were added. */
  get given(): readonly Profile[] {
    return this.#given;
  }

  /** A synthetic profile of `hours` hours. Rejects with EngineError. */
  async synthetic(hours: number): Promise<Profile> {
    const { opened, solver, queue } = this.#core;
    return profileOf(await queue.run(() => solver.syntheticDemand(START, hours)), syntheticName(hours), opened);
  }

  /** Reads a file and adds its profile. Rejects with EngineError, whose message has row and column. */
  async readFile(name: string, bytes: Uint8Array): Promise<Profile> {
    const { opened, solver, queue } = this.#core;
    const profile = profileOf(await queue.run(() => solver.readProfile(bytes)), name, opened);
    this.give(profile);
    return profile;
  }

  /** Adds a profile in place of one with the same name. */
  give(profile: Profile): void {
    this.#given = [...this.#given.filter(({ name }) => name !== profile.name), profile];
    this.#changed.emit();
  }

  dispose(): void {
    Signal.clearData(this);
  }
}

/** Name of a synthetic profile of `hours` hours. */
export function syntheticName(hours: number): string {
  switch (hours) {
    case 24:
      return trans.__("Synthetic day, 24 hours");
    case 168:
      return trans.__("Synthetic week, 168 hours");
    case 8760:
      return trans.__("Synthetic year, 8,760 hours");
    default:
      return trans._n("Synthetic profile, %2 hour", "Synthetic profile, %2 hours", hours, hours);
  }
}
