import type { CaseSession } from "../../workspace/index.ts";
import type { BusPaint } from "../colour/busPaint.ts";
import { Contour, type FieldImage } from "../contour/contour.ts";
import type { Camera } from "../view/camera.ts";
import type { Geometry } from "../view/geometry.ts";
import type { StyledLook } from "../view/sceneModel.ts";
import { Crowding, extremes } from "./crowding.ts";
import { type GeneratorKey, type GeneratorSymbol, generatorSymbols } from "./generatorSymbols.ts";
import type { MapStyle } from "./mapStyle.ts";
import { shownBuses } from "./shownPart.ts";
import { Substations } from "./substations.ts";

/** Size factor of marks above a field. */
const FAINT = 0.3;

/** The look of a session in a style, for any renderer: visible part of the network, sizes, field, symbols. */
export class SceneLook implements StyledLook {
  readonly #session: CaseSession;
  readonly #buses: BusPaint;
  readonly #style: () => MapStyle;
  readonly #crowding = new Crowding();
  readonly #contour = new Contour();
  readonly #substations: Substations;
  #shown: { key: readonly unknown[]; rows: Uint8Array | null } = { key: [], rows: null };
  #scaled: { key: readonly unknown[]; sizes: Float32Array } = { key: [], sizes: new Float32Array() };
  #cached: { key: readonly unknown[]; rows: ReadonlySet<number> } = { key: [], rows: new Set() };
  #symbols: { key: readonly unknown[]; made: ReturnType<typeof generatorSymbols> } = {
    key: [],
    made: { symbols: [], key: null },
  };

  constructor(session: CaseSession, buses: BusPaint, style: () => MapStyle) {
    this.#session = session;
    this.#substations = new Substations(session.opened);
    this.#buses = buses;
    this.#style = style;
  }

  /** Whether every bus is drawn, by row; null where all are. */
  get shown(): Uint8Array | null {
    const { levels, areas, zones } = this.#style();
    this.#shown = renewed(this.#shown, [levels, areas, zones], (key) => ({
      key,
      rows: shownBuses(this.#session.opened, this.#style()),
    }));
    return this.#shown.rows;
  }

  /** Size factors of the buses in a view; zero for those that another bus of their substation represents. */
  sizes(base: Float32Array, geometry: Geometry, camera: Camera): Float32Array {
    const { busSize, surface } = this.#style();
    this.#scaled = renewed(this.#scaled, [base, busSize], (key) => ({
      key,
      sizes: busSize === 1 ? base : base.map((size) => busSize * size),
    }));
    const others = surface === "contour" ? FAINT : 1;
    const sizes = this.#crowding.sizes(this.#scaled.sizes, geometry, camera, this.extremes, others);
    return this.#substations.merged(sizes, geometry, camera, this.extremes);
  }

  /** The rows of the lowest and highest values. */
  get extremes(): ReadonlySet<number> {
    this.#cached = renewed(this.#cached, [this.#buses.values], (key) => {
      const [before, rows] = [this.#cached.rows, extremes(this.#buses.values)];
      return { key, rows: sameRows(before, rows) ? before : rows };
    });
    return this.#cached.rows;
  }

  /** The field between the buses; null where only marks are drawn. */
  field(geometry: Geometry): FieldImage | null {
    if (this.#style().surface !== "contour" || this.#buses.scale?.kind === "category") {
      this.#contour.release();
      return null;
    }
    return this.#contour.show(geometry, this.#buses.values, this.#buses.scale);
  }

  /** The symbols of the generators. */
  generators(dark: boolean): readonly GeneratorSymbol[] {
    return this.#generators(dark).symbols;
  }

  /** The legend of their colours; null without symbols. */
  generatorKey(dark: boolean): GeneratorKey | null {
    return this.#generators(dark).key;
  }

  #generators(dark: boolean): ReturnType<typeof generatorSymbols> {
    const style = this.#style();
    const { store } = this.#session;
    const key = [style.generators, store.columns, store.shown("dispatch_mw"), dark];
    this.#symbols = renewed(this.#symbols, key, (key) => ({
      key,
      made: generatorSymbols(this.#session, style, dark),
    }));
    return this.#symbols.made;
  }
}

function sameRows(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && [...a].every((row) => b.has(row));
}

/** A cached value, recomputed when one of its inputs changes. */
function renewed<Made extends { key: readonly unknown[] }>(
  before: Made,
  key: readonly unknown[],
  make: (key: readonly unknown[]) => Made,
): Made {
  const same = before.key.length === key.length && key.every((part, k) => part === before.key[k]);
  return same ? before : make(key);
}
