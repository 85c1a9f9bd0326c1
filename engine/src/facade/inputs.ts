// Checks of arguments of JavaScript callers before they become JSON, which has no NaN and hides wrong types.
import type { DemandDeltas, RatingDeltas, SensTarget } from "../contract.generated.ts";
import { EngineError } from "../contract/errors.ts";
import type { EditTexts } from "../contract/protocol.ts";

function refuse(code: string, message: string): never {
  throw new EngineError({ code, message });
}

/** The bytes of a file. A string is refused: reading a file as text may already have damaged it. */
export function caseBytes(value: unknown, what = "case file"): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (Object.prototype.toString.call(value) === "[object Uint8Array]") return value as Uint8Array;
  const given = typeof value === "string" ? "a string" : typeof value === "object" ? "another object" : typeof value;
  return refuse("INPUT.NOT_BYTES", `A ${what} is given as bytes (a Uint8Array), not as ${given}.`);
}

/** The files that a feeder includes, as pairs of relative path and bytes. */
export function companionFiles(companions: Record<string, Uint8Array>): [string, Uint8Array][] {
  return Object.entries(companions).map(([name, bytes]) => [name, caseBytes(bytes, `companion file (${name})`)]);
}

/** A retained module, as `ingestCase` returned it. */
export function moduleText(value: unknown): string {
  if (typeof value === "string") return value;
  return refuse("INPUT.NOT_MODULE", "A module is given as the text that ingestCase returned in module_json.");
}

/** A format token or a case id. */
export function tokenText(value: unknown, what: string): string {
  if (typeof value === "string") return value;
  return refuse("INPUT.NOT_TEXT", `The ${what} is given as a string.`);
}

/** The name under which a case appears in results. */
export function caseIdText(value: unknown): string {
  return tokenText(value, "case id");
}

/** Edits as JSON; values that are not finite numbers are refused here because JSON would turn them into null. */
function deltasJson(deltas: DemandDeltas | RatingDeltas, code: string, what: string, unit: string): string {
  for (const [key, value] of Object.entries(deltas)) {
    if (typeof value !== "number" || !Number.isFinite(value)) {
      refuse(code, `The ${what} change at ${key} must be a finite number of ${unit}.`);
    }
  }
  return JSON.stringify(deltas);
}

/** Changes of demand and ratings in MW, and of the reactive demand of buses that do not keep their power factor in MVAr. */
export function editsJson(deltas: DemandDeltas, rates: RatingDeltas = {}, reactive: DemandDeltas = {}): EditTexts {
  return {
    deltas: deltasJson(deltas, "DELTA.MALFORMED", "demand", "MW"),
    rates: deltasJson(rates, "RATE.MALFORMED", "rating", "MW"),
    reactive: deltasJson(reactive, "DELTA.MALFORMED", "reactive demand", "MVAr"),
  };
}

/** A sensitivity target as JSON; null asks for no column. */
export function targetJson(target: SensTarget | null): string {
  return JSON.stringify(target);
}

/** A bus by its number or uid as JSON; null for none. */
export function elementKeyJson(key: number | string | null): string {
  if (key === null || typeof key === "number" || typeof key === "string") return JSON.stringify(key);
  return refuse("INPUT.REQUEST", "A bus to watch is named by its number or its uid.");
}

/** A finite number of MW; JavaScript callers may pass anything. */
export function megawatts(value: unknown, what: string): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  return refuse("INPUT.REQUEST", `The ${what} must be a finite number of MW.`);
}

/** Positions as the engine takes them, from those of a layout or of a placement. */
export function flatPositions(value: Float64Array | readonly (readonly [number, number])[]): Float64Array {
  if (Object.prototype.toString.call(value) === "[object Float64Array]") return value as Float64Array;
  if (Array.isArray(value)) return Float64Array.from((value as [number, number][]).flat());
  const message = "Positions are given as layoutModule returned them (a Float64Array) or as placementOf did (pairs).";
  return refuse("INPUT.PLACEMENT", message);
}

/** A centre and a scale on the map; the engine checks their ranges. */
export function layoutPlace(place: { centre: readonly [number, number]; scale_km?: number }): {
  lon: number;
  lat: number;
  scaleKm?: number;
} {
  const { centre, scale_km } = place;
  if (!Array.isArray(centre) || centre.length !== 2 || !centre.every((degrees) => typeof degrees === "number")) {
    refuse("INPUT.PLACEMENT", "The centre is given as [longitude, latitude] in degrees.");
  }
  if (scale_km !== undefined && typeof scale_km !== "number") {
    refuse("INPUT.PLACEMENT", "The scale is given as a number of kilometres.");
  }
  const [lon, lat] = centre;
  return { lon, lat, ...(scale_km !== undefined && { scaleKm: scale_km }) };
}
