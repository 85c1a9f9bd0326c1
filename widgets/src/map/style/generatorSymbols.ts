import { interpolateLab, piecewise } from "d3-interpolate";
import type { EnergySource } from "@service/engine";
import { type CaseSession, editedGenerators, isInService, marginalCost } from "../../workspace/index.ts";
import { energySourceWord, trans } from "../../text/index.ts";
import type { MapStyle } from "./mapStyle.ts";

/** The generators, or the storage units, at a bus as one symbol: a square around the bus, by capacity. */
export interface GeneratorSymbol {
  /** Dense row of the bus. */
  readonly row: number;
  /** Half of the side beyond the mark of the bus, pixels in the fitted view. */
  readonly size: number;
  readonly colour: string;
  /** Output relative to capacity, 0 to 1; NaN if unknown. */
  readonly running: number;
}

/** Colours of energy sources, distinct with colour vision deficiencies. */
const SOURCES: Readonly<Record<EnergySource, { light: string; dark: string }>> = {
  thermal: { light: "#7a4a1f", dark: "#d39a63" },
  coal: { light: "#3f3a36", dark: "#8f8177" },
  gas: { light: "#c2410c", dark: "#fb9a6b" },
  nuclear: { light: "#8b3fa8", dark: "#d48cf0" },
  hydro: { light: "#1f6fc4", dark: "#6db4ff" },
  wind: { light: "#0f8f86", dark: "#4fd8cc" },
  solar: { light: "#c28a00", dark: "#ffd34d" },
  other: { light: "#5a6672", dark: "#a9b4bf" },
};

/** The colour of storage units, a hue of its own. */
const STORAGE = { light: "#b0257a", dark: "#ff8ccb" };
/** Distance of the square of storage beyond that of the generators at its bus, pixels. */
const STORAGE_APART = 3.5;

const COSTS = {
  light: piecewise(interpolateLab, ["#27408f", "#5fb0c9", "#d8c65c", "#e8902b", "#86102f"]),
  dark: piecewise(interpolateLab, ["#5a78e8", "#6fc9dc", "#f0e07c", "#f8a63f", "#d93b5e"]),
};
/** Quantile of the marginal costs at which the colour is warmest: the 95th percentile. */
const TOP_SHARE = 0.95;
/** Pixels of the half side per square root of a MW. */
const PIXELS = 0.28;
const MOST_PIXELS = 13;
const LEAST_PIXELS = 2;

/** The legend of the symbols' colours. */
export interface GeneratorKey {
  /** Empty without a heading. */
  readonly title: string;
  readonly entries: readonly { readonly colour: string; readonly text: string }[];
}

/** The symbols of generators by the map style, those of storage units, which every style has, and their legend. */
export function generatorSymbols(
  session: CaseSession,
  style: Pick<MapStyle, "generators">,
  dark: boolean,
): { symbols: readonly GeneratorSymbol[]; key: GeneratorKey | null } {
  const units = unitSymbols(session, style, dark);
  const storage = storageSymbols(session, units.symbols, dark);
  if (storage.length === 0) {
    return units;
  }
  const entries = [{ colour: STORAGE[dark ? "dark" : "light"], text: trans.__("Storage") }];
  return {
    symbols: [...units.symbols, ...storage],
    key: units.key === null ? { title: "", entries } : { ...units.key, entries: [...units.key.entries, ...entries] },
  };
}

/** The storage units in service as symbols by bus, around those of the generators there. */
function storageSymbols(
  { opened, store, state }: CaseSession,
  units: readonly GeneratorSymbol[],
  dark: boolean,
): GeneratorSymbol[] {
  const inner = new Map(units.map(({ row, size }) => [row, size + STORAGE_APART]));
  const byBus = new Map<number, { mw: number; power: number }>();
  opened.storage.forEach(({ id, bus, p_charge_max_mw, p_discharge_max_mw }, row) => {
    const at = opened.busRow(bus);
    if (at < 0 || !isInService(opened, state.edits, { kind: "storage", id })) {
      return;
    }
    const power = Math.abs(store.columns.at("storage_mw", row)) || 0;
    const before = byBus.get(at) ?? { mw: 0, power: 0 };
    const mw = Math.max(p_charge_max_mw ?? 0, p_discharge_max_mw ?? 0, power);
    byBus.set(at, { mw: before.mw + mw, power: before.power + power });
  });
  return [...byBus].map(([row, { mw, power }]) => ({
    row,
    size: Math.max(inner.get(row) ?? 0, Math.min(MOST_PIXELS, Math.max(LEAST_PIXELS, PIXELS * Math.sqrt(mw)))),
    colour: STORAGE[dark ? "dark" : "light"],
    running: mw > 0 ? power / mw : 0,
  }));
}

function unitSymbols(
  session: CaseSession,
  { generators }: Pick<MapStyle, "generators">,
  dark: boolean,
): { symbols: readonly GeneratorSymbol[]; key: GeneratorKey | null } {
  if (generators === "none") {
    return { symbols: [], key: null };
  }
  const { opened, store, state } = session;
  const units = editedGenerators(opened, state.edits);
  const side = dark ? "dark" : "light";
  const costs = units.map((unit, row) => marginalCost(unit, store.columns.at("dispatch_mw", row)));
  const sorted = costs.filter(Number.isFinite).sort((a, b) => a - b);
  const [low, high] = [sorted[0] ?? 0, sorted[Math.floor(TOP_SHARE * (sorted.length - 1))] ?? 0];
  const byBus = new Map<number, { mw: number; running: number; largest: number; colour: string }>();
  units.forEach((unit, row) => {
    const at = opened.busRow(unit.bus);
    const capacity = unit.p_max_mw ?? Math.max(0, store.columns.at("dispatch_mw", row));
    if (unit.status !== 1 || at < 0 || !(capacity > 0)) {
      return;
    }
    const cost = costs[row] ?? NaN;
    const share = high > low ? Math.max(0, Math.min(1, (cost - low) / (high - low))) : 0.5;
    const colour = generators === "fuel" ? SOURCES[unit.energy_source][side] : COSTS[side](share);
    const before = byBus.get(at) ?? { mw: 0, running: 0, largest: 0, colour };
    byBus.set(at, {
      mw: before.mw + capacity,
      running: before.running + store.shownAt("dispatch_mw", row),
      largest: Math.max(before.largest, capacity),
      colour: capacity > before.largest ? colour : before.colour,
    });
  });
  const symbols = [...byBus].map(([row, { mw, running, colour }]) => ({
    row,
    size: Math.min(MOST_PIXELS, PIXELS * Math.sqrt(mw)),
    colour,
    running: running / mw,
  }));
  const sources = [...new Set(units.filter(({ status }) => status === 1).map((unit) => unit.energy_source))];
  const order = Object.keys(SOURCES);
  const key: GeneratorKey =
    generators === "fuel"
      ? {
          title: trans.__("Generators by energy source"),
          entries: sources
            .sort((a, b) => order.indexOf(a) - order.indexOf(b))
            .map((source) => ({ colour: SOURCES[source][side], text: energySourceWord(source) })),
        }
      : {
          title: trans.__("Generators by marginal cost, $/MWh"),
          entries: [0, 0.5, 1].map((share) => ({
            colour: COSTS[side](share),
            text: (low + share * (high - low)).toFixed(0),
          })),
        };
  return { symbols, key };
}
