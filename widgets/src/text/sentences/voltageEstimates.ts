/** Sentences about linear estimates of voltages, which are never called exact. */

import type { SensitivityHead } from "@service/engine";
import { capitalised, formatMw } from "../numbers.ts";
import type { Namer } from "../namer.ts";
import { trans } from "../translation.ts";

/** `Linear estimate of voltages: error below 0.001 pu from −12.0 to +42.0 MW.`, as changes from the base case. */
export function voltageEstimateSentence({ warrant }: SensitivityHead, committedMw: number): string {
  const { error_below_pu: error, valid_mw: valid } = warrant;
  const [low, high] = valid.map((mw) => (mw === null ? null : formatMw(committedMw + mw, { signed: true })));
  if (error === undefined) {
    return trans.__("Linear estimate of voltages.");
  }
  const size = String(error);
  if (low == null && high == null) {
    return trans.__("Linear estimate of voltages: error below %1 pu.", size);
  }
  if (low == null) {
    return trans.__("Linear estimate of voltages: error below %1 pu up to %2 MW.", size, high ?? "");
  }
  return high == null
    ? trans.__("Linear estimate of voltages: error below %1 pu from %2 MW.", size, low)
    : trans.__("Linear estimate of voltages: error below %1 pu from %2 to %3 MW.", size, low, high);
}

/** Number of buses that a sentence names. */
const NAMED = 3;

/**
 * Where voltages collapse, and which fall first: `Voltages collapse beyond +310.0 MW; bus 12 (Ash) and bus 14 (Elm)
 * fall first.`, with `near` where that is only an estimate. Empty where it is not known.
 */
export function collapseSentence(
  ahead: { mw: number; traced: boolean; buses: readonly number[] } | null,
  namer: Namer,
): string {
  if (ahead === null) {
    return "";
  }
  const at = formatMw(ahead.mw, { signed: true });
  const names = ahead.buses.slice(0, NAMED).map((bus) => namer.nameOf("bus", bus));
  const last = names.pop();
  const where = ahead.traced
    ? trans.__("voltages collapse beyond %1 MW", at)
    : trans.__("voltages collapse near %1 MW", at);
  if (last === undefined) {
    return capitalised(trans.__("%1.", where));
  }
  return names.length === 0
    ? capitalised(trans.__("%1; %2 falls first.", where, last))
    : capitalised(trans.__("%1; %2 and %3 fall first.", where, names.join(", "), last));
}

/** The text at an end of a slider where voltages collapse. */
export function collapseBeyond(): string {
  return trans.__("Voltages collapse");
}
