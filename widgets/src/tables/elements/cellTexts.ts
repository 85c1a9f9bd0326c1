/** Numbers and states of elements as cell texts, empty without a value. */
import {
  formatAngle,
  formatDerivative,
  formatMw,
  formatPerUnit,
  formatPrice,
  formatPriceChange,
  trans,
} from "../../text/index.ts";

export const price = (value: number): string => (Number.isFinite(value) ? formatPrice(value) : "");
export const change = (value: number): string => (value === 0 || Number.isNaN(value) ? "" : formatMw(value, SIGNED));
export const mw = (value: number): string => (Number.isFinite(value) ? formatMw(value) : "");
export const perUnit = (value: number): string => (Number.isFinite(value) ? formatPerUnit(value) : "");
const SIGNED = { signed: true };

export function signedPrice(value: number): string {
  return Number.isFinite(value) ? formatPriceChange(value, SIGNED) : "";
}

export function derivative(value: number): string {
  return Number.isFinite(value) ? formatDerivative(value, SIGNED) : "";
}

export function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}

/** An angle in rad, as in files, in degrees for the screen. */
export function angle(value: number): string {
  return Number.isFinite(value) ? formatAngle(value) : "";
}

/** A state of a bus or generator in words. */
export function stateWords(state: string): string {
  switch (state) {
    case "star point":
      return trans.__("star point");
    case "isolated":
      return trans.__("isolated");
    case "out of service":
      return trans.__("out of service");
    case "at Pmax":
      return trans.__("at Pmax");
    case "at Pmin":
      return trans.__("at Pmin");
    case "at limit":
      return trans.__("at limit");
    case "charging":
      return trans.__("charging");
    case "discharging":
      return trans.__("discharging");
    case "at rest":
      return trans.__("at rest");
    case "between":
      return trans.__("between");
    default:
      return state;
  }
}
