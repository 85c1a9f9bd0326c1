import { EngineError, type LmpComponents } from "@service/engine";
import { cancelledError } from "../concurrency/cancelling.ts";
import { otherIds } from "../edits/added.ts";
import { type MarginalUnit, marginalUnits, priceParts, type PriceParts } from "../quantities/priceParts.ts";
import type { SessionCore } from "../session/sessionCore.ts";
import type { CommittedState } from "./committedState.ts";

/** The generators that set a price; null at a breakpoint, where they are not unique. */
export type SettingUnits = readonly MarginalUnit[] | null;

/** Codes of derivatives that do not exist or leave the range of numbers. */
const NO_DERIVATIVE = /^(SENS|SOLVE)\./;

/** Answers that are stored. */
const MOST = 16;

/** Why prices differ between saved states. The states do not change: what a price is made of is computed on the session's Studies. */
export class PriceChanges {
  readonly #core: SessionCore;
  readonly #components = new Stored<LmpComponents>();
  readonly #units = new Stored<SettingUnits>();

  constructor(core: SessionCore) {
    this.#core = core;
  }

  /**
   * What the price of a bus is made of in two states, each in its own formulation. Rejects with EngineError: `FORMULATION.UNAVAILABLE`
   * where a formulation has no prices.
   */
  async between(bus: number, from: CommittedState, to: CommittedState): Promise<PriceParts> {
    const apart = otherIds("branches", this.#core.opened.rowsOfCase, from.edits.added, to.edits.added);
    return priceParts(await this.#componentsOf(bus, from), await this.#componentsOf(bus, to), apart);
  }

  /**
   * The generators that set the price of a bus in a state; null at a breakpoint, where they differ for an increase and a decrease. Each
   * takes a turn in the queue, so that changes do not wait for all. Rejects with EngineError, and with `ABORTED` when the signal fires.
   */
  async units(bus: number, state: CommittedState, signal: AbortSignal): Promise<SettingUnits> {
    const key = keyOf(bus, state);
    const known = this.#units.get(key);
    if (known !== undefined) {
      return known;
    }
    const components = await this.#componentsOf(bus, state);
    const found = marginalUnits(await this.#participations(bus, state, signal), components);
    this.#units.set(key, found);
    return found;
  }

  async #componentsOf(bus: number, state: CommittedState): Promise<LmpComponents> {
    const { queue, solver } = this.#core;
    const key = keyOf(bus, state);
    const found = this.#components.get(key) ?? (await queue.run(() => solver.componentsAt(state, bus)));
    this.#components.set(key, found);
    return found;
  }

  async #participations(bus: number, state: CommittedState, signal: AbortSignal): Promise<MarginalUnit[]> {
    const { queue, solver } = this.#core;
    const units: MarginalUnit[] = [];
    for (const unit of await queue.run(() => solver.betweenLimits(state))) {
      if (signal.aborted) {
        throw cancelledError();
      }
      const participation = await queue
        .run(() => solver.participation(state, bus, unit.generator))
        .catch((error: unknown) => {
          if (error instanceof EngineError && NO_DERIVATIVE.test(error.code)) {
            return NaN;
          }
          throw error;
        });
      units.push({ ...unit, participation });
    }
    return units;
  }
}

function keyOf(bus: number, { id }: CommittedState): string {
  return `${id} ${bus}`;
}

/** Answers by key; the one that was used longest ago is dropped. */
class Stored<Answer> {
  readonly #known = new Map<string, Answer>();

  get(key: string): Answer | undefined {
    const found = this.#known.get(key);
    if (found !== undefined) {
      this.set(key, found);
    }
    return found;
  }

  set(key: string, answer: Answer): void {
    this.#known.delete(key);
    this.#known.set(key, answer);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) {
      this.#known.delete(oldest);
    }
  }
}
