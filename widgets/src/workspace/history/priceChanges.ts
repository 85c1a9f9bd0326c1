import { priceParts, type PriceParts, type PriceState } from "../quantities/priceParts.ts";
import type { SessionCore } from "../session/sessionCore.ts";
import type { CommittedState } from "./committedState.ts";

/** The price of a bus in two states, and what its difference is made of. */
export interface PriceChange {
  readonly parts: PriceParts;
  readonly states: readonly [before: PriceState, after: PriceState];
}

/** Prices that are stored. */
const MOST = 16;

/** Why prices differ between saved states. The states do not change: what a price is made of is computed on the session's Studies. */
export class PriceChanges {
  readonly #core: SessionCore;
  /** By state and bus, the one used last at the end. */
  readonly #known = new Map<string, Promise<PriceState>>();

  constructor(core: SessionCore) {
    this.#core = core;
  }

  /**
   * What the price of a bus is made of in two states, each in its own formulation. Rejects with EngineError: `FORMULATION.UNAVAILABLE`
   * where a formulation has no prices.
   */
  async between(bus: number, from: CommittedState, to: CommittedState): Promise<PriceChange> {
    const before = await this.#at(bus, from);
    const after = await this.#at(bus, to);
    return { parts: priceParts(before, after), states: [before, after] };
  }

  #at(bus: number, { id, edits, formulation }: CommittedState): Promise<PriceState> {
    const key = `${id} ${bus}`;
    const { queue, solver } = this.#core;
    const found = this.#known.get(key) ?? queue.run(() => solver.priceState({ edits, formulation }, bus));
    this.#known.delete(key);
    this.#known.set(key, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) {
      this.#known.delete(oldest);
    }
    found.catch(() => this.#known.delete(key)); // the next request tries again
    return found;
  }
}
