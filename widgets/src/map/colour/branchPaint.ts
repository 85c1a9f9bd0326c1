import { type CaseSession, classifyBranches, SHADOW_PRICE } from "../../workspace/index.ts";
import type { BranchLook } from "./branchLook.ts";
import { centredRange, type LegendRange, robustRange, SeriesRange } from "./legendRange.ts";
import { colourScale, type ColourScale, NOTHING_OUTSIDE, type Outside, outsideOf } from "./colourScale.ts";
import { branchQuantities, type BranchQuantity, LOADING } from "./quantities.ts";
import type { QuantityInfo } from "./quantityInfo.ts";
import { lineWidths } from "../style/lineWidths.ts";
import { DEFAULT_STYLE, type MapStyle } from "../style/mapStyle.ts";

/** Flows below this, MW or MVAr, have no direction. */
const NO_FLOW = 1e-6;

/** The flow whose direction each quantity shows. */
const DIRECTED: Readonly<Record<BranchQuantity, string | undefined>> = { flow: "flow_mw", reactive_flow: "flow_mvar" };

/** The look of the lines: by loading class, or by the colours of a quantity. */
export class BranchPaint {
  look: BranchLook;
  /** Null while the lines are coloured by their class alone. */
  scale: ColourScale | null = null;
  outside: Outside = NOTHING_OUTSIDE;
  /** Whether the colours use the range from before the edit under way. */
  held = false;
  #key: readonly unknown[] = [];
  #classes: { key: readonly unknown[]; rows: BranchLook["classes"] } | null = null;
  #range: { of: BranchQuantity; range: LegendRange } | null = null;
  readonly #series = new SeriesRange();

  constructor(session: CaseSession) {
    this.look = { classes: this.#classesOf(session), places: null, palette: [], directions: null };
  }

  /**
   * Takes the present exact state of a session and, during an exact preview, the lines that bind there; does nothing if
   * that is already shown.
   */
  update(session: CaseSession, quantity: BranchQuantity, dark: boolean, style: MapStyle = DEFAULT_STYLE): void {
    const { columns, shownShadows } = session.store;
    const classes = this.#classesOf(session);
    const key = [
      columns,
      quantity === LOADING ? null : session.store.shown(LOADING), // the classes show all of the loading
      session.showsLive ? session.state.edits : null, // edits of another state belong to its numbers
      quantity,
      dark,
      classes,
      style.width,
      style.lineSize,
      quantity === SHADOW_PRICE ? shownShadows : null,
    ];
    if (sameParts(key, this.#key)) {
      return;
    }
    this.#key = key;
    this.scale = null;
    this.outside = NOTHING_OUTSIDE;
    const widths = lineWidths(session, style);
    const info = branchQuantities(session).get(quantity);
    if (quantity === LOADING || info === undefined) {
      this.look = { classes, places: null, palette: [], directions: null, widths };
      return;
    }
    const values = info.values(session) ?? new Float64Array();
    const range = this.#rangeOf(session, quantity, info, values);
    const scale = range === null ? null : colourScale(info.scale, range, dark);
    this.scale = scale;
    this.outside = outsideOf(values, scale);
    const places = Int16Array.from(values, (value) => scale?.place(value) ?? -1);
    const flowing = DIRECTED[quantity];
    const flows = flowing === undefined ? null : session.store.shown(flowing);
    const directions = flows && Int8Array.from(flows, directionOf);
    this.look = { classes, places, palette: scale?.palette ?? [], directions, widths };
  }

  /** The rows of each class; the same object for the same rows. */
  #classesOf({ store, opened }: CaseSession): BranchLook["classes"] {
    const { columns, shownShadows, outage } = store;
    const shown = store.shown(LOADING);
    const key = [columns, shown, shownShadows === null ? null : [...shownShadows.keys()].join()];
    if (this.#classes === null || !sameParts(key, this.#classes.key)) {
      const loading = shown ?? new Float64Array(opened.branches.length);
      // After an outage no limit binds: branches above their rating are overloaded.
      const shadows = outage === null ? columns.values(SHADOW_PRICE) : null;
      const rows = classifyBranches(loading, shadows, outage === null ? shownShadows : null);
      const same = this.#classes !== null && sameRows(rows, this.#classes.rows);
      this.#classes = { key, rows: same && this.#classes !== null ? this.#classes.rows : rows };
    }
    return this.#classes.rows;
  }

  /** The range of the colours, constant during a drag and over all steps of a series. */
  #rangeOf(
    session: CaseSession,
    quantity: BranchQuantity,
    info: QuantityInfo,
    values: Float64Array,
  ): LegendRange | null {
    const { store, series } = session;
    const sampled = series.sample(`line ${quantity}`, () => info.values(session));
    if (sampled !== null) {
      return this.#series.of(sampled, () => (info.scale === "change" ? centredRange(sampled) : robustRange(sampled)));
    }
    this.held = store.previewing && this.#range?.of === quantity;
    if (!this.held || this.#range === null) {
      const range = info.scale === "change" ? centredRange(values) : robustRange(values);
      this.#range = range === null ? null : { of: quantity, range };
    }
    return this.#range?.range ?? null;
  }
}

function sameParts(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((part, k) => part === b[k]);
}

function sameRows(a: BranchLook["classes"], b: BranchLook["classes"]): boolean {
  return sameParts(a.binding, b.binding) && sameParts(a.warning, b.warning) && sameParts(a.calm, b.calm);
}

function directionOf(mw: number): number {
  return Math.abs(mw) > NO_FLOW ? Math.sign(mw) : 0;
}
