/**
 * Number formats: prices with 2 decimals, MW with 1 (3 below 1), derivatives with 3 significant digits, commas between
 * thousands and a true minus sign. For the screen only; exports stay locale-neutral.
 */

import { trans } from "./translation.ts";

const MINUS = "\u2212";

/** Options of a number shown as a change. */
export interface SignOption {
  /** Put a plus sign before positive numbers. */
  signed?: boolean;
}

/** A price, $/MWh without its unit: `1,034.20`. */
export function formatPrice(usdPerMwh: number, options: SignOption = {}): string {
  return formatDecimals(usdPerMwh, 2, options);
}

/** Power in MW without its unit: 1 decimal, 3 below 1 MW. */
export function formatMw(mw: number, options: SignOption = {}): string {
  const size = Math.abs(mw);
  return formatDecimals(mw, size > 0 && size < 0.9995 ? 3 : 1, options);
}

/** Power with 3 decimals, for changes that are applied as they are shown. */
export function formatExactMw(mw: number, options: SignOption = {}): string {
  return formatDecimals(mw, 3, options);
}

/** A voltage magnitude or a difference of two, per unit without its unit: 4 decimals. */
export function formatPerUnit(pu: number, options: SignOption = {}): string {
  return formatDecimals(pu, 4, options);
}

/** An angle in radians in the degrees of the screen, without their sign: 2 decimals. */
export function formatAngle(radians: number, options: SignOption = {}): string {
  return formatDecimals((radians * 180) / Math.PI, 2, options);
}

/** An angle in degrees, without their sign: 2 decimals. */
export function formatDegrees(degrees: number): string {
  return formatDecimals(degrees, 2, {});
}

/** A number with at most so many decimals, without zeros at its end: `1,034.2`. */
export function formatUpTo(value: number, decimals: number, options: SignOption = {}): string {
  const places = Number.isFinite(value) ? (/\.(\d*?)0*$/.exec(Math.abs(value).toFixed(decimals))?.[1]?.length ?? 0) : 0;
  return formatDecimals(value, places, options);
}

/** A power and its new value, MW without unit: `61.2 → 81.2`; 3 decimals where the two would look alike. */
export function formatMwChange(from: number, to: number): string {
  const [before, after] = [formatMw(from), formatMw(to)];
  const formatted =
    before === after && from !== to ? [formatDecimals(from, 3, {}), formatDecimals(to, 3, {})] : [before, after];
  return formatted.join(" \u2192 ");
}

/** Money per hour without its unit, 2 decimals. */
export function formatMoney(usdPerHour: number, options: SignOption = {}): string {
  return formatDecimals(usdPerHour, 2, options);
}

/** A derivative with 3 significant digits; powers of ten below 0.0001. */
export function formatDerivative(value: number, options: SignOption = {}): string {
  if (!Number.isFinite(value)) {
    return trans.__("not defined");
  }
  if (value === 0) {
    return "0";
  }
  if (Math.abs(value) < 1e-4) {
    return sign(value, options) + Math.abs(value).toExponential(2).replace("-", MINUS);
  }
  const rounded = Number(Math.abs(value).toPrecision(3));
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(rounded)));
  return sign(value, options) + group(rounded.toFixed(decimals));
}

/** A number of a quantity without rules of its own, 4 significant digits. */
export function formatSignificant(value: number, options: SignOption = {}): string {
  if (!Number.isFinite(value) || value === 0) {
    return formatDecimals(value, 0, options);
  }
  const rounded = Number(Math.abs(value).toPrecision(4));
  return rounded < 1e-4
    ? sign(value, options) + rounded.toExponential(3).replace("-", MINUS)
    : formatDecimals(value, Math.max(0, 3 - Math.floor(Math.log10(rounded))), options);
}

/** A change of a price, $/MWh without its unit: 2 decimals, or 3 significant digits for small changes. */
export function formatPriceChange(usdPerMwh: number, options: SignOption = {}): string {
  return Math.abs(usdPerMwh) < 0.1 ? formatDerivative(usdPerMwh, options) : formatPrice(usdPerMwh, options);
}

/**
 * An error of a price, $/MWh without its unit: 2 decimals, 2 significant digits for small errors, the order of
 * magnitude for rounding.
 */
export function formatError(usdPerMwh: number): string {
  if (usdPerMwh > 0 && usdPerMwh < 1e-6) {
    return formatResidual(usdPerMwh);
  }
  return usdPerMwh > 0 && usdPerMwh < 0.005 ? plainDigits(usdPerMwh) : formatPrice(usdPerMwh);
}

/** A number of at least 1e-6 with 2 significant digits and no power of ten: `0.0021`, `0.0000034`. */
function plainDigits(value: number): string {
  return value.toFixed(1 - Math.floor(Math.log10(Number(value.toPrecision(2)))));
}

/** A fraction in per cent with 2 significant digits: `0.43 %`, `2e−11 %`. */
export function formatShare(part: number): string {
  const percent = 100 * part;
  if (percent > 0 && percent < 0.001) {
    return `${formatResidual(percent)} %`;
  }
  return `${group(percent >= 10 ? percent.toFixed(0) : String(Number(percent.toPrecision(2))))} %`;
}

/** Loading as a percentage of the rating: `97 %`. */
export function formatLoading(loading: number): string {
  if (!Number.isFinite(loading)) {
    return trans.__("not defined");
  }
  const percent = loading * 100;
  const text = percent > 99 && percent < 99.95 ? percent.toFixed(1) : percent.toFixed(0);
  return `${group(text)} %`;
}

/** A difference of two loadings in percentage points: `+166`, `+0.4`, `\u2212` before a fall. */
export function formatPoints(difference: number): string {
  const points = 100 * difference;
  return formatDecimals(points, Math.abs(points) < 9.95 ? 1 : 0, { signed: true });
}

/** A residual or another small number of which only the order of magnitude matters: `2e−11`. */
export function formatResidual(value: number): string {
  return value === 0 ? "0" : value.toExponential(0).replace("-", MINUS).replace("+", "");
}

/** A whole number with thousands separators. */
export function formatCount(count: number): string {
  return group(count.toFixed(0));
}

/** A duration: `8.3 ms`, `410 ms`, `1.2 s`. */
export function formatDuration(ms: number): string {
  if (ms >= 1000) {
    return `${(ms / 1000).toFixed(1)} s`;
  }
  return ms >= 100 ? `${ms.toFixed(0)} ms` : `${ms.toFixed(1)} ms`;
}

/** A text that begins a sentence or stands alone: `bus 12` becomes `Bus 12`. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Parses a typed number; both minus signs, a plus sign and commas between thousands are accepted. */
export function parseNumber(text: string): number | null {
  const plain = text
    .trim()
    .replace(/\u2212/g, "-")
    .replace(/,(?=\d{3}(\D|$))/g, "");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : null;
}

/** A unit in which powers are edited: that of demands, and of ratings of active or of apparent power. */
export type PowerUnit = "MW" | "MVA";

/** Units of the values of a branch besides its rating: reactance, tap ratio, phase shift. */
type BranchUnit = "pu" | "" | "\u00b0";

/** A unit in which elements are edited: those of powers, of marginal costs, and of other values of branches. */
export type EditUnit = PowerUnit | "$/MWh" | "$/MW\u00b2h" | BranchUnit;

/** Significant digits of reactances and tap ratios, and their most decimals. */
const VALUE_DIGITS = 6;
const VALUE_DECIMALS = 12;
/** Decimals of phase shifts, degrees. */
const DEGREE_DECIMALS = 3;

/**
 * An edited amount without its unit: a power as by `formatMw`, a cost as a price, degrees with up to 3 decimals, other
 * values with 6 significant digits.
 */
export function formatAmount(value: number, unit: EditUnit, options: SignOption = {}): string {
  switch (unit) {
    case "$/MWh":
      return formatPrice(value, options);
    case "MW":
    case "MVA":
      return formatMw(value, options);
    case "\u00b0":
      return formatUpTo(value, DEGREE_DECIMALS, options);
    default: {
      const whole = value === 0 ? 1 : 1 + Math.floor(Math.log10(Math.abs(value)));
      return formatUpTo(value, Math.max(0, Math.min(VALUE_DIGITS - whole, VALUE_DECIMALS)), options);
    }
  }
}

/** An amount with its unit: `12.5 MW`, `+4.0 MVA`, `21.40 $/MWh`, `0.05 pu`, `0.97`, `2.5\u00b0`. */
export function formatPower(value: number, unit: EditUnit, options: SignOption = {}): string {
  return withUnit(formatAmount(value, unit, options), unit);
}

/** A formatted amount with its unit. */
export function withUnit(amount: string, unit: EditUnit): string {
  return unit === "" || unit === "\u00b0" ? `${amount}${unit}` : `${amount} ${unit}`;
}

/** MW or MVA in units of power that can be typed. */
const UNITS: Record<string, number> = { kw: 1e-3, mw: 1, gw: 1e3, kva: 1e-3, mva: 1, gva: 1e3 };
/** Decimals of a converted power. */
const POWER_DIGITS = 9;

/**
 * Parses a typed power, in `power`: a number as for `parseNumber`, alone or followed by that unit, with kilo or giga
 * prefixes. Other amounts may be followed by their own unit.
 */
export function parsePower(text: string, power: EditUnit): number | null {
  switch (power) {
    case "$/MWh":
      return parseNumber(text.replace(/\s*\$\/mwh\s*$/i, ""));
    case "pu":
      return parseNumber(text.replace(/\s*pu\s*$/i, ""));
    case "\u00b0":
      return parseNumber(text.replace(/\s*(\u00b0|deg|degrees)\s*$/i, ""));
    case "":
      return parseNumber(text);
    default:
  }
  const pattern = power === "MW" ? /(?<=[\d.\s])[kmg]w\s*$/i : /(?<=[\d.\s])[kmg]va\s*$/i;
  const unit = pattern.exec(text)?.[0] ?? "";
  const value = parseNumber(text.slice(0, text.length - unit.length));
  const factor = unit === "" ? 1 : (UNITS[unit.trim().toLowerCase()] ?? NaN);
  return value === null ? null : Number((value * factor).toFixed(POWER_DIGITS));
}

/** Parses a typed power, MW: `12.5`, `20 kW`. */
export function parseMw(text: string): number | null {
  return parsePower(text, "MW");
}

/** The accepted forms of an amount. */
function acceptedPower(unit: EditUnit = "MW"): string {
  switch (unit) {
    case "$/MWh":
      return trans.__("Type a number in $/MWh, for instance 12.5 or \u22123.");
    case "$/MW\u00b2h":
      return trans.__("Type a number in $/MW\u00b2h, for instance 0.02.");
    case "MW":
      return trans.__("Type MW, or a number with kW, MW or GW, for instance 12.5, \u22123 or 20 kW.");
    case "MVA":
      return trans.__("Type MVA, or a number with kVA, MVA or GVA, for instance 12.5, \u22123 or 20 kVA.");
    case "pu":
      return trans.__("Type a number in per unit, for instance 0.05 or \u22120.01.");
    case "":
      return trans.__("Type a number, for instance 0.02 or \u22120.01.");
    case "\u00b0":
      return trans.__("Type a number in degrees, for instance 2.5 or \u221230.");
  }
}

/** Why typed text was refused; for a decimal comma, how to write the number. */
export function notPowerSentence(text: string, unit: EditUnit = "MW"): string {
  const pointed = text.trim().replace(",", ".");
  if (unit === "") {
    return trans.__("\u201c%1\u201d is not a number. %2", text.trim(), acceptedPower(unit));
  }
  if (text.includes(",") && parsePower(pointed, unit) !== null) {
    return trans.__(
      "\u201c%1\u201d is not a valid value in %3. Write decimals with a point: %2.",
      text.trim(),
      pointed,
      unit,
    );
  }
  return trans.__("\u201c%1\u201d is not a valid value in %3. %2", text.trim(), acceptedPower(unit), unit);
}

/** A number with a fixed count of decimals. */
export function formatDecimals(value: number, decimals: number, options: SignOption = {}): string {
  if (!Number.isFinite(value)) {
    return trans.__("not defined");
  }
  const text = rounded(Math.abs(value), decimals);
  const shown = Number(text) === 0 ? 0 : value;
  return sign(shown, options) + group(text);
}

/** Significant digits of sums of published numbers; further digits are rounding. */
const DIGITS = 13;

/** A number with so many decimals. Decimal halves are rounded up, whatever the summation order: 3175.55 is 3175.6. */
function rounded(size: number, decimals: number): string {
  const written = size.toPrecision(DIGITS);
  const shifted = Number(`${written}e${decimals}`);
  return Number.isFinite(shifted) && shifted < Number.MAX_SAFE_INTEGER
    ? (Math.round(shifted) / 10 ** decimals).toFixed(decimals)
    : size.toFixed(decimals);
}

function sign(value: number, options: SignOption): string {
  if (value < 0) {
    return MINUS;
  }
  return options.signed && value > 0 ? "+" : "";
}

/** Formats by number of decimals, English in every language, as in reports and exports of the same numbers. */
const GROUPING: Intl.NumberFormat[] = [];

/** Commas between the thousands of a rounded number, as text because Intl would round its binary value. */
function group(text: string): string {
  const decimals = text.split(".")[1]?.length ?? 0;
  const format = (GROUPING[decimals] ??= new Intl.NumberFormat("en-US", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }));
  return format.format(text as `${number}`);
}
