import type { LegendRange } from "./legendRange.ts";
import { type CaseSession, PRICE } from "../../workspace/index.ts";
import { BranchPaint } from "./branchPaint.ts";
import { BusPaint } from "./busPaint.ts";
import type { LegendContent } from "./legend.ts";
import { legendContent } from "./legendContent.ts";
import { robustRange } from "./legendRange.ts";
import { MOVE_CHANGE, RESPONSE } from "./priceQuantities.ts";
import { type BranchQuantity, busQuantities, type Quantity } from "./quantities.ts";
import type { GeneratorKey } from "../style/generatorSymbols.ts";
import { DEFAULT_STYLE, type MapStyle } from "../style/mapStyle.ts";
import { columnIsZero } from "../../ui/session/editReadout.ts";

/** Whether a quantity that was asked for stays when something is selected: price and response take turns. */
function stays(quantity: Quantity): boolean {
  return quantity !== PRICE && quantity !== RESPONSE;
}

/** A change of all prices below this share of their scale is hardly seen in its colours. */
const LITTLE = 0.25;

/** What the buses and lines of one map are coloured by, and their colours. */
export class MapColours {
  readonly buses = new BusPaint();
  readonly lines: BranchPaint;
  branchQuantity: BranchQuantity;
  readonly #session: CaseSession;
  #wanted: Quantity;
  #moving = false;
  /** Changes up to here, $/MWh, are hardly seen in the colours that prices had when the move began. */
  #little = 0;
  /** Whether the user chose a quantity: then it changes only by choosing another. */
  #chosen: boolean;

  /** How a map draws what it shows. */
  style: MapStyle;

  constructor(
    session: CaseSession,
    quantity: Quantity,
    branchQuantity: BranchQuantity,
    style: MapStyle = DEFAULT_STYLE,
  ) {
    this.style = style;
    this.#session = session;
    this.#wanted = quantity;
    this.#chosen = stays(quantity);
    this.branchQuantity = branchQuantity;
    this.lines = new BranchPaint(session);
  }

  /**
   * What the colours mean now: a response can be shown once its column is known. One to a line or generator that is zero
   * everywhere, as where its limit does not bind, is shown only to a user who asked for it.
   */
  get quantity(): Quantity {
    const session = this.#session;
    const known = busQuantities(session);
    const wanted = known.get(this.#wanted);
    const nothing =
      this.#wanted === RESPONSE &&
      !this.#chosen &&
      session.selection !== null &&
      session.selection.kind !== "bus" &&
      columnIsZero(session);
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

  /**
   * The selected element moves: prices, unless something was chosen. Where they move little against their scale, the change from before
   * has a scale of its own, so that it can be seen; within a move colours go from changes to prices only.
   */
  previewMoved(): void {
    if (this.#chosen) {
      return;
    }
    const { previewMw, store } = this.#session;
    const begins = previewMw !== null && !this.#moving;
    this.#moving = previewMw !== null;
    if (previewMw === null || (!begins && this.#wanted !== MOVE_CHANGE)) {
      this.#wanted = PRICE;
      return;
    }
    if (begins) {
      const range = robustRange(store.columns.values(PRICE) ?? new Float64Array());
      this.#little = range === null ? 0 : LITTLE * (range.high - range.low);
    }
    this.#wanted = this.#movesLittle() ? MOVE_CHANGE : PRICE;
  }

  /** A new exact state: a move that reached it is over, and what it changed is shown until something else is done. */
  stateChanged(): void {
    this.#moving = this.#session.previewMw !== null;
  }

  /** Whether prices move little against the range of their colours; never where there was one price, whose scale begins with the move. */
  #movesLittle(): boolean {
    const { store } = this.#session;
    const [now, before] = [store.shown(PRICE), store.columns.values(PRICE)];
    const moved = (price: number, row: number): boolean => Math.abs(price - (before?.[row] ?? NaN)) > this.#little;
    return this.#little > 0 && now !== null && !now.some(moved);
  }

  /** Colours buses by the present numbers of the session. */
  updateBuses(dark: boolean): void {
    this.buses.update(this.#session, this.quantity, dark, this.style);
  }

  /** Colours buses and lines by the present numbers of the session. */
  update(dark: boolean): void {
    this.updateBuses(dark);
    this.lines.update(this.#session, this.branchQuantity, dark, this.style);
  }

  /** The range that the colours of the buses have now, and its unit. */
  get busRange(): { range: LegendRange | null; unit: string } {
    return { range: this.buses.scale?.range ?? null, unit: this.legend.buses.unit };
  }

  get legend(): LegendContent {
    return this.legendWith(null);
  }

  /** `generators` says what the colours of their symbols mean. */
  legendWith(generators: GeneratorKey | null): LegendContent {
    const { quantity, buses, branchQuantity, lines } = this;
    return legendContent(
      this.#session,
      { quantity, buses, branchQuantity, lines },
      generators,
      this.style.range === "fixed",
    );
  }

  /** How many lines bind. */
  get binding(): number {
    return this.lines.look.classes.binding.length;
  }
}
