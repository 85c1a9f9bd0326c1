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

/** Whether a requested quantity persists when something is selected: price and response alternate. */
function stays(quantity: Quantity): boolean {
  return quantity !== PRICE && quantity !== RESPONSE;
}

/** A change of all prices below this share of their scale is hardly visible in its colours. */
const LITTLE = 0.25;

/** The quantities that colour the buses and lines of one map, and their colours. */
export class MapColours {
  readonly buses = new BusPaint();
  readonly lines: BranchPaint;
  branchQuantity: BranchQuantity;
  readonly #session: CaseSession;
  #wanted: Quantity;
  #moving = false;
  /** Changes up to this, $/MWh, are hardly visible in the colours at the start of the move. */
  #little = 0;
  /** Whether the user chose the quantity, which then changes only by another choice. */
  #chosen: boolean;

  /** The style of the map. */
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
   * The present quantity. A response can be shown once its column is known. A zero response to a line or generator,
   * whose limit does not bind, is shown only if the user chose it.
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
    // The first quantity that the state has: the price, if it has prices.
    return [...known].find(([, { missing }]) => missing(session) === null)?.[0] ?? PRICE;
  }

  /** Applies the user's choice. */
  choose(quantity: Quantity): void {
    this.#chosen = true;
    this.#wanted = quantity;
  }

  /** Applies a program's choice; price and response continue to alternate. */
  ask(quantity: Quantity): void {
    this.#chosen ||= stays(quantity);
    this.#wanted = quantity;
  }

  /** Shows the response to a new selection, unless the user chose a quantity. */
  selectionChanged(): void {
    if (!this.#chosen) {
      this.#wanted = this.#session.selection === null ? PRICE : RESPONSE;
    }
  }

  /**
   * Shows prices while the selected element moves, unless the user chose a quantity. Where prices move little against
   * their scale, their change gets a scale of its own to be visible; within a move colours only switch from changes to
   * prices.
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

  /** A new exact state: the change made by a finished move is shown until the next action. */
  stateChanged(): void {
    this.#moving = this.#session.previewMw !== null;
  }

  /**
   * Whether prices move little against the range of their colours; false where all prices were equal, because the scale
   * then begins with the move.
   */
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

  /** The present range of the buses' colours, and its unit. */
  get busRange(): { range: LegendRange | null; unit: string } {
    return { range: this.buses.scale?.range ?? null, unit: this.legend.buses.unit };
  }

  get legend(): LegendContent {
    return this.legendWith(null);
  }

  /** `generators` explains the colours of their symbols. */
  legendWith(generators: GeneratorKey | null): LegendContent {
    const { quantity, buses, branchQuantity, lines } = this;
    return legendContent(
      this.#session,
      { quantity, buses, branchQuantity, lines },
      generators,
      this.style.range === "fixed",
    );
  }

  /** Number of binding lines. */
  get binding(): number {
    return this.lines.look.classes.binding.length;
  }
}
