// Equipment by voltage class: conductors and transformers.
import { round } from "../numerics/geometry.ts";

/** MVA base of all per-unit values. */
export const BASE_MVA = 100;

/** A conductor on its towers: ohm/km, X/R, uS/km and thermal rating in MVA. */
export interface Conductor {
  ohmPerKm: number;
  xOverR: number;
  microSiemensPerKm: number;
  mva: number;
}

const conductor = (ohmPerKm: number, xOverR: number, microSiemensPerKm: number, mva: number): Conductor => ({
  ohmPerKm,
  xOverR,
  microSiemensPerKm,
  mva,
});

/** Conductors of each class, weaker ones first; within the ranges of Birchfield et al. 2017, tables IV to VI. */
const CONDUCTORS: Readonly<Record<number, readonly Conductor[]>> = {
  115: [conductor(0.5, 4.6, 3.4, 120), conductor(0.48, 6.2, 3.5, 175), conductor(0.45, 7.8, 3.7, 230)],
  138: [conductor(0.49, 5, 3.4, 145), conductor(0.47, 6.8, 3.6, 210), conductor(0.44, 8, 3.8, 290)],
  230: [conductor(0.49, 7.4, 3.4, 360), conductor(0.47, 9, 3.6, 500), conductor(0.37, 12, 4.5, 740)],
  345: [conductor(0.37, 10, 4.4, 950), conductor(0.36, 12.5, 4.6, 1200), conductor(0.33, 15.5, 5, 1480)],
  500: [conductor(0.285, 13, 5.2, 1900), conductor(0.27, 18, 5.5, 2500), conductor(0.25, 25, 6, 3300)],
};

export function conductorsOf(kv: number): readonly Conductor[] {
  const found = CONDUCTORS[kv];
  if (!found) throw new Error(`There are no conductors for ${kv} kV.`);
  return found;
}

/**
 * Largest angle difference that a rating allows, radians: long lines are limited by stability, not by heat (St. Clair 1953;
 * Dunlop et al. 1979). At 22.9 degrees no flow within its rating breaks the limit of 25 degrees in `metrics.ts`, in any convention.
 */
const LARGEST_ANGLE = 0.4;

/** Per-unit series impedance, charging and rating of a line. */
export function lineParameters(
  kv: number,
  km: number,
  kind: Conductor,
): { r: number; x: number; b: number; mva: number } {
  const ohms = (kv * kv) / BASE_MVA;
  const length = Math.max(km, 0.8);
  const x = round((kind.ohmPerKm * length) / ohms, 6);
  const r = round(x / kind.xOverR, 6);
  const b = round(kind.microSiemensPerKm * 1e-6 * length * ohms, 6);
  return { r, x, b, mva: Math.min(kind.mva, Math.floor((LARGEST_ANGLE * BASE_MVA) / x)) };
}

/** Per-unit series impedance of a transformer from its reactance and X/R on its own base. */
export function transformerParameters(ownX: number, xOverR: number, mva: number): { r: number; x: number } {
  const x = round((ownX * BASE_MVA) / mva, 6);
  return { x, r: round(x / xOverR, 6) };
}

/** Sizes in which network transformers are made, MVA, by the voltage of their high side. */
export function networkTransformerMva(kv: number): number {
  return kv >= 500 ? 840 : kv >= 345 ? 400 : 250;
}

/** The next standard size of a distribution or step-up transformer, MVA. */
export function standardMva(mva: number): number {
  const sizes = [
    5, 7.5, 10, 15, 20, 30, 40, 50, 60, 75, 90, 100, 125, 150, 200, 250, 300, 400, 500, 600, 750, 900, 1100, 1300, 1500,
  ];
  const found = sizes.find((size) => size >= mva);
  if (found === undefined) throw new Error(`No transformer is made for ${mva} MVA.`);
  return found;
}

/** Lines of a class are not longer than this where a shorter way exists, km. */
export function longestLineKm(kv: number): number {
  return kv >= 500 ? 260 : kv >= 345 ? 150 : kv >= 230 ? 120 : 75;
}
