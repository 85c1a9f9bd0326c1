/** Sentences about linear estimates of voltages, which are never called exact. */

import type { SensitivityHead } from "@service/engine";
import { capitalised, formatMw } from "./numbers.ts";
import type { Namer } from "./namer.ts";
import { trans } from "./translation.ts";

/** `Linear estimate of voltages: error below 0.001 p.u. from −12.0 to +42.0 MW.`, as changes from the base case. */
export function voltageEstimateSentence({ warrant }: SensitivityHead, committedMw: number): string {
  const { error_below_pu: error, valid_mw: valid } = warrant;
  const [low, high] = valid.map((mw) => (mw === null ? null : formatMw(committedMw + mw, { signed: true })));
  if (error === undefined) {
    return trans.__("Linear estimate of voltages.");
  }
  const size = String(error);
  if (low == null && high == null) {
    return trans.__("Linear estimate of voltages: error below %1 p.u.", size);
  }
  if (low == null) {
    return trans.__("Linear estimate of voltages: error below %1 p.u. up to %2 MW.", size, high ?? "");
  }
  return high == null
    ? trans.__("Linear estimate of voltages: error below %1 p.u. from %2 MW.", size, low)
    : trans.__("Linear estimate of voltages: error below %1 p.u. from %2 to %3 MW.", size, low, high);
}

/** Where voltages collapse, and which fall first: `Voltages collapse near +310.0 MW, first at bus 12 (Ash).` Empty without an end ahead. */
export function collapseSentence({ collapse }: SensitivityHead, committedMw: number, namer: Namer): string {
  if (collapse === undefined) {
    return "";
  }
  const at = formatMw(committedMw + collapse.mw, { signed: true });
  const [first] = collapse.buses;
  return first === undefined
    ? trans.__("Voltages collapse near %1 MW.", at)
    : capitalised(trans.__("voltages collapse near %1 MW, first at %2.", at, namer.nameOf("bus", first)));
}
