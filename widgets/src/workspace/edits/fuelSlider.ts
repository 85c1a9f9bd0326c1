import type { EnergySource } from "@service/engine";
import type { CaseSession } from "../session/caseSession.ts";
import { LatestOnly } from "../concurrency/latestOnly.ts";
import { type EditRange, editRange, keyedValue, snapped } from "./editRange.ts";
import { type FuelCost, fuelCosts, type FuelMode, withFuelCost } from "./fuelCosts.ts";

/** Successive key presses are one change, committed after this pause. */
const KEY_PAUSE_MS = 350;
/** Highest factor of a slider, and the step of an arrow key: $/MWh, or a share of the cost. */
const HIGHEST_FACTOR = 3;
const STEPS: Readonly<Record<FuelMode, number>> = { change: 1, factor: 0.01 };

/**
 * The slider of a fuel's cost without its appearance: every move is a preview, the release is one exact commit of all
 * generators of the fuel. Positions are changes in $/MWh, or factors.
 */
export class FuelSlider {
  readonly #session: CaseSession;
  readonly #source: EnergySource;
  readonly #mode: FuelMode;
  readonly #moved: (at: number | null) => void;
  readonly #commits = new LatestOnly<number>((at) => this.#commit(at));
  #at: number | null = null;
  #pause: ReturnType<typeof setTimeout> | undefined;

  /** `moved` is called with the position of a move, and with null when it is at rest. */
  constructor(session: CaseSession, source: EnergySource, mode: FuelMode, moved: (at: number | null) => void) {
    this.#session = session;
    this.#source = source;
    this.#mode = mode;
    this.#moved = moved;
  }

  /** The ends of the slider: a cost goes to zero and to twice its mean, a factor from zero to three. */
  get range(): EditRange {
    const { baseCost } = this.#fuel;
    const { committed } = this;
    return this.#mode === "change"
      ? editRange("cost", baseCost, committed, null, -Math.max(0, baseCost))
      : { min: Math.min(0, committed), max: Math.max(HIGHEST_FACTOR, committed) };
  }

  /** The committed position; that of the base case where the generators have no common one. */
  get committed(): number {
    return this.#fuel[this.#mode] ?? (this.#mode === "change" ? 0 : 1);
  }

  /** Previews a position. */
  slideTo(value: number): void {
    const at = snapped(this.range, value);
    this.#at = at;
    this.#moved(at);
    const { opened, live, previewMode } = this.#session;
    void this.#session.editsPreview.show(withFuelCost(live.edits, opened, this.#fuel, this.#mode, at), previewMode);
  }

  /** Commits the position of a move; nothing when the slider was only touched. */
  async release(value: number): Promise<void> {
    if (this.#at !== null) {
      await this.commit(snapped(this.range, value));
    }
  }

  /** Commits a position; resolves when it is settled. The session's status shows failures. */
  async commit(at: number): Promise<void> {
    clearTimeout(this.#pause);
    this.#at = null;
    await this.#commits.request(at);
  }

  /** Handles a key pressed on the slider; false for keys that do not move it. The position is committed after a pause. */
  key(key: string, shift: boolean): boolean {
    const at = keyedValue(this.range, this.#at ?? this.committed, key, shift, STEPS[this.#mode]);
    if (at === null) {
      return false;
    }
    this.slideTo(at);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.commitKeys(), KEY_PAUSE_MS);
    return true;
  }

  /** Commits the position reached by keys, without the pause. */
  commitKeys(): void {
    if (this.#at !== null) {
      void this.commit(this.#at);
    }
  }

  /** Drops a move that is not committed yet. */
  letGo(): void {
    clearTimeout(this.#pause);
    this.#at = null;
    this.#moved(null);
    this.#session.editsPreview.end();
  }

  get #fuel(): FuelCost {
    const { opened, live } = this.#session;
    const found = fuelCosts(opened, live.edits).find(({ source }) => source === this.#source);
    return (
      found ?? {
        source: this.#source,
        units: [],
        assumed: false,
        baseCost: 0,
        curves: 0,
        change: 0,
        factor: 1,
        cost: null,
      }
    );
  }

  async #commit(at: number): Promise<void> {
    try {
      await this.#session.setFuelCost(this.#fuel, this.#mode, at);
    } catch {
      this.#session.editsPreview.end(); // the status shows the reason
    } finally {
      this.#moved(this.#at);
    }
  }
}
