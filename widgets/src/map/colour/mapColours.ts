import { type CaseSession, PRICE } from "../../workspace/index.ts";
import { BranchPaint } from "./branchPaint.ts";
import { BusPaint } from "./busPaint.ts";
import type { LegendContent } from "./legend.ts";
import { legendContent } from "./legendContent.ts";
import { RESPONSE } from "./priceQuantities.ts";
import { type BranchQuantity, busQuantities, type Quantity } from "./quantities.ts";
import { columnIsZero } from "../../ui/session/editReadout.ts";

/** Whether a quantity that was asked for stays when something is selected: price and response take turns. */
function stays(quantity: Quantity): boolean {
  return quantity !== PRICE && quantity !== RESPONSE;
}

/** What the buses and lines of one map are coloured by, and their colours. */
export class MapColours {
  readonly buses = new BusPaint();
  readonly lines: BranchPaint;
  branchQuantity: BranchQuantity;
  readonly #session: CaseSession;
  #wanted: Quantity;
  /** Whether the user chose a quantity: then it changes only by choosing another. */
  #chosen: boolean;

  constructor(session: CaseSession, quantity: Quantity, branchQuantity: BranchQuantity) {
    this.#session = session;
    this.#wanted = quantity;
    this.#chosen = stays(quantity);
    this.branchQuantity = branchQuantity;
    this.lines = new BranchPaint(session);
  }

  /**
   * What the colours mean now: a response can be shown once its column is known. One to a line that is zero everywhere,
   * as for every line that does not bind, is shown only to a user who asked for it.
   */
  get quantity(): Quantity {
    const session = this.#session;
    const known = busQuantities(session);
    const wanted = known.get(this.#wanted);
    const nothing =
      this.#wanted === RESPONSE && !this.#chosen && session.selection?.kind === "branch" && columnIsZero(session);
    if (wanted !== undefined && wanted.missing(session) === null && !nothing) {
      return this.#wanted;
    }
    // The first that the state has: the price where there is one.
    return [...known].find(([, { missing }]) => missing(session) === null)?.[0] ?? PRICE;
  }

  /** Takes what a hand chose. */
  choose(quantity: Quantity): void {
    this.#chosen = true;
    this.#wanted = quantity;
  }

  /** Takes what a program asks for; price and response go on taking turns. */
  ask(quantity: Quantity): void {
    this.#chosen ||= stays(quantity);
    this.#wanted = quantity;
  }

  /** Another selection: its response, unless something was chosen. */
  selectionChanged(): void {
    if (!this.#chosen) {
      this.#wanted = this.#session.selection === null ? PRICE : RESPONSE;
    }
  }

  /** The selected element moves: prices, unless something was chosen. */
  previewMoved(): void {
    if (this.#session.previewMw !== null && !this.#chosen) {
      this.#wanted = PRICE;
    }
  }

  /** Colours buses by the present numbers of the session. */
  updateBuses(dark: boolean): void {
    this.buses.update(this.#session, this.quantity, dark);
  }

  /** Colours buses and lines by the present numbers of the session. */
  update(dark: boolean): void {
    this.updateBuses(dark);
    this.lines.update(this.#session, this.branchQuantity, dark);
  }

  get legend(): LegendContent {
    const { quantity, buses, branchQuantity, lines } = this;
    return legendContent(this.#session, { quantity, buses, branchQuantity, lines });
  }

  /** How many lines bind. */
  get binding(): number {
    return this.lines.look.classes.binding.length;
  }
}
