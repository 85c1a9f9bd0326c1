import type { EnergySource } from "@service/engine";
import type { CaseSession } from "../session/caseSession.ts";
import { type EditRange, editRange } from "./editRange.ts";
import type { CaseEdits } from "./edits.ts";
import { EditsSlider } from "./editsSlider.ts";
import { type FuelCost, fuelCosts, type FuelMode, withFuelCost } from "./fuelCosts.ts";

/** Highest factor of a slider, and the step of an arrow key: $/MWh, or a share of the cost. */
const HIGHEST_FACTOR = 3;
const STEPS: Readonly<Record<FuelMode, number>> = { change: 1, factor: 0.01 };

/** The slider of the cost of all generators of a fuel. Positions are changes in $/MWh, or factors. */
export class FuelSlider extends EditsSlider {
  readonly #source: EnergySource;
  readonly #mode: FuelMode;

  constructor(session: CaseSession, source: EnergySource, mode: FuelMode, moved: (at: number | null) => void) {
    super(session, moved);
    this.#source = source;
    this.#mode = mode;
  }

  /** A cost goes to zero and to twice its mean, a factor from zero to three. */
  get range(): EditRange {
    const { baseCost } = this.#fuel;
    const { committed } = this;
    return this.#mode === "change"
      ? editRange("cost", baseCost, committed, null, -Math.max(0, baseCost))
      : { min: Math.min(0, committed), max: Math.max(HIGHEST_FACTOR, committed) };
  }

  /** The position of the base case where the generators have no common one. */
  get committed(): number {
    return this.#fuel[this.#mode] ?? (this.#mode === "change" ? 0 : 1);
  }

  protected get step(): number {
    return STEPS[this.#mode];
  }

  protected editsAt(at: number): CaseEdits {
    const { opened, live } = this.session;
    return withFuelCost(live.edits, opened, this.#fuel, this.#mode, at);
  }

  protected publish(at: number): Promise<void> {
    return this.session.setFuelCost(this.#fuel, this.#mode, at);
  }

  get #fuel(): FuelCost {
    const { opened, live } = this.session;
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
}
