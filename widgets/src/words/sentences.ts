/** Sentences about results: short, concrete, with unit and name. Used by the map, the panel and the status pill. */

import type { BreakpointEvent, Certificate, Element, SensitivityColumn, Solution, WarrantEnd } from "@service/engine";
import { formatLoading, formatMoney, formatMw, formatPrice, formatResidual } from "./numbers.ts";

/** Gives elements the names people use; a case implements it. */
export interface Namer {
  /** `bus 12 (Ash)`, `line 17 (Ash to Birch)`, `generator 3`. */
  nameOf(kind: string, id: number): string;
}

const EVENTS: Record<BreakpointEvent, string> = {
  generator_reaches_max: "reaches its maximum",
  generator_reaches_min: "reaches its minimum",
  generator_reaches_breakpoint: "reaches the next step of its cost",
  generator_leaves_limit: "leaves its limit",
  line_binds: "binds",
  line_unbinds: "stops binding",
  edit_limit: "reaches zero",
};

/** What happens at a position: the end of an interval, or a breakpoint of a path. */
export type EventPlace = Pick<WarrantEnd, "mw" | "event" | "element"> & Partial<WarrantEnd>;

/** What ends an interval: `line 17 (Ash to Birch) binds`, `the demand reaches zero`. */
export function eventSentence(end: Pick<EventPlace, "event" | "element">, namer: Namer): string {
  if (end.event === "edit_limit") {
    return `the ${end.element.kind === "bus" ? "demand" : "rating"} ${EVENTS.edit_limit}`;
  }
  return `${elementName(end.element, namer)} ${EVENTS[end.event]}`;
}

/** An element of an answer by its name. */
export function elementName(element: Element, namer: Namer): string {
  return namer.nameOf(element.kind, element.id);
}

/** `exact from −12.0 to +34.2 MW`, as changes from the base case; `offsetMw` is the change at the present state. */
export function intervalSentence(column: SensitivityColumn, offsetMw: number): string {
  const [low, high] = column.warrant.valid_mw;
  if (low === null && high === null) {
    return "exact for any change";
  }
  if (low === null) {
    return `exact up to ${formatMw(offsetMw + (high ?? 0), { signed: true })} MW`;
  }
  if (high === null) {
    return `exact from ${formatMw(offsetMw + low, { signed: true })} MW upwards`;
  }
  return `exact from ${formatMw(offsetMw + low, { signed: true })} to ${formatMw(offsetMw + high, { signed: true })} MW`;
}

/**
 * What happens at one end of the exact interval: `+34.2 MW, then line 17 (Ash to Birch) binds`, and whether the price jumps
 * there or no solution is left beyond.
 */
export function endSentence(end: EventPlace, offsetMw: number, namer: Namer, link = "then"): string {
  const at = `${formatMw(offsetMw + end.mw, { signed: true })} MW, ${link} ${eventSentence(end, namer)}`;
  if (end.no_solution_beyond === true) {
    return `${at} and there is no solution beyond`;
  }
  return jumps(end.price_jump) ? `${at} and ${jumpSentence(end.price_jump)}` : at;
}

/** Jumps below this, $/MWh, are rounding. */
const LEAST_JUMP = 1e-6;

/** Whether a price jumps. */
export function jumps(jump: number | null | undefined): jump is number {
  return typeof jump === "number" && Math.abs(jump) > LEAST_JUMP;
}

/** `the price jumps by +2.10 $/MWh`. */
export function jumpSentence(jump: number): string {
  return `the price jumps by ${formatPrice(jump, { signed: true })} $/MWh`;
}

/** Why nothing moves when a column is zero, and until where. */
export function zeroColumnSentence(column: SensitivityColumn, offsetMw: number, namer: Namer): string {
  const [low, high] = column.warrant.ends;
  const parts: string[] = [];
  if (high) {
    parts.push(`until ${endSentence(high, offsetMw, namer)}`);
  }
  if (low) {
    parts.push(`down to ${endSentence(low, offsetMw, namer)}`);
  }
  return parts.length === 0 ? "Prices do not move with this change." : `Prices do not move ${parts.join("; ")}.`;
}

/** From this share of its rating a line reads `100 %`. */
const FULL_LOADING = 0.9995;

/** Why one price holds everywhere: no line binds, and which comes nearest. */
export function onePriceSentence(price: number, nearest: { id: number; loading: number } | null, namer: Namer): string {
  const everywhere = `One price everywhere, ${formatPrice(price)} $/MWh: no line binds`;
  if (nearest === null) {
    return `${everywhere}.`;
  }
  const line = namer.nameOf("branch", nearest.id);
  return nearest.loading >= FULL_LOADING
    ? `${everywhere}; ${line} is full but costs nothing.`
    : `${everywhere}; the nearest is ${line} at ${formatLoading(nearest.loading)}.`;
}

/** One line of the certificate in plain words. */
export interface CertificateLine {
  term: string;
  meaning: string;
}

/** The certificate of an optimum in plain words. */
export function certificateLines(solution: Solution, namer: Namer): CertificateLine[] {
  const certificate: Certificate = solution.certificate;
  const worst = certificate.worst_element;
  const exceeded =
    certificate.worst_violation_mw <= 0
      ? "No limit is exceeded."
      : `No limit is exceeded by more than ${formatResidual(certificate.worst_violation_mw)} MW` +
        (worst ? ` (worst: ${elementName(worst, namer)}).` : ".");
  return [
    { term: "Objective", meaning: `${formatMoney(solution.objective)} $/h, the least cost that meets the demand.` },
    {
      term: "Balance",
      meaning: `At every bus, power in equals power out to ${formatResidual(certificate.primal_residual_mw)} MW.`,
    },
    { term: "Limits", meaning: exceeded },
    {
      term: "Prices",
      meaning: `Marginal costs and prices agree to ${formatResidual(certificate.stationarity_usd_per_mwh)} $/MWh.`,
    },
    {
      term: "Complementarity",
      meaning: `Only limits that are reached carry a price, to ${formatResidual(certificate.complementarity_usd_per_h)} $/h.`,
    },
    {
      term: "Optimality",
      meaning:
        `No dispatch is cheaper by more than ${formatResidual(Math.abs(certificate.duality_gap_usd_per_h))} $/h ` +
        `(${formatResidual(Math.abs(certificate.relative_gap))} of the objective).`,
    },
  ];
}

/** A code at the end of a message: `(EMIT.FIELD_DROPPED)`. */
const TRAILING_CODE = /\s*\([A-Z0-9_]+(?:\.[A-Z0-9_]+)+\)\s*$/;

/** A message as a sentence: those of other people's readers begin small, end with a code or leave the full stop out. */
export function asSentence(message: string): string {
  const text = message.replace(TRAILING_CODE, "").trim();
  const begun = /^[a-z]+[ -]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.?!)]$/.test(begun) ? begun : `${begun.replace(/[,;:]$/, "")}.`;
}
