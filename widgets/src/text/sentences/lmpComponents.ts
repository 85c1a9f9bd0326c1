/** LMP components: energy, losses and voltage limits where the formulation has them, and congestion by line. */

import type { CongestionPart, LmpComponents } from "@service/engine";
import { capitalised, formatCount, formatPrice } from "../numbers.ts";
import { elementText } from "../messages.ts";
import type { Namer } from "../namer.ts";
import { trans } from "../translation.ts";

/** Number of lines named; the others are summed. */
const NAMED = 3;
/** Components below this, $/MWh, would read as zero. */
const LEAST_PART = 0.005;

/**
 * Terms and values of the LMP components, the largest lines first: `Energy`, `Line 17 (Ash to Birch)`, `8 other lines`.
 */
export function lmpComponentRows(
  { energy, losses, voltage, congestion }: LmpComponents,
  namer: Namer,
): [term: string, value: string][] {
  const parts = congestion.filter(({ value }) => Math.abs(value) >= LEAST_PART);
  const named = parts.length === NAMED + 1 ? parts : parts.slice(0, NAMED);
  const others = parts.slice(named.length);
  const sum = others.reduce((total, { value }) => total + value, 0);
  const signed = (value: number): string => `${formatPrice(value, { signed: true })} $/MWh`;
  return [
    [trans.__("Energy"), `${formatPrice(energy)} $/MWh`],
    ...(losses === undefined ? [] : [[trans.__("Losses"), signed(losses)] as [string, string]]),
    ...(voltage === undefined ? [] : [[trans.__("Voltage limits"), signed(voltage)] as [string, string]]),
    ...named.map((part): [string, string] => [capitalised(limitName(part, namer)), signed(part.value)]),
    ...(others.length > 0
      ? [
          [trans._n("%2 other line", "%2 other lines", others.length, formatCount(others.length)), signed(sum)] as [
            string,
            string,
          ],
        ]
      : []),
    ...(parts.length === 0 ? [[trans.__("Congestion"), trans.__("none")] as [string, string]] : []),
  ];
}

/** The limit of a branch, after an outage or before any, or of an interface. */
export type NamedLimit = Pick<CongestionPart, "branch" | "outage" | "generators_out" | "interface">;

/** `line 12`, `line 12 after the outage of line 40`, `interface North`. */
export function limitName(
  { branch, outage = [], generators_out = [], interface: uid }: NamedLimit,
  namer: Namer,
): string {
  const element = uid === undefined ? { kind: "branch", id: branch } : { kind: "interface", id: branch, uid };
  return elementText({ ...element, outage, generators_out }, namer);
}
