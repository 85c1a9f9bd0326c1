/** LMP components: energy, losses and voltage limits where the formulation has them, and congestion by line. */

import type { LmpComponents } from "@service/engine";
import { capitalised, formatCount, formatPrice } from "../numbers.ts";
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
    ...named.map(({ branch, outage = [], value }): [string, string] => {
      const line = capitalised(namer.nameOf("branch", branch));
      return [outage.length === 0 ? line : `${line} ${afterOutage(outage, namer)}`, signed(value)];
    }),
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

/** `after the outage of line 40`, of branches that are out of service together. */
export function afterOutage(outage: readonly number[], namer: Namer): string {
  const names = outage.map((branch) => namer.nameOf("branch", branch));
  return trans.__("after the outage of %1", names.join(trans.__(" and ")));
}
