/** Words for how full a line is. */

import { formatPrice } from "./numbers.ts";
import { trans } from "./translation.ts";

/** From this share of its rating a line is told as heavily loaded. */
const HEAVY = 0.8;
/** From this share of its rating a line is full. */
const FULL = 0.9995;

/** How full a line is, in a word or two: its limit carries a price only where it binds. */
export function loadingWords(loading: number, shadow: number): string {
  if (!Number.isFinite(loading)) {
    return trans.__("out of service");
  }
  if (shadow > 0) {
    return trans.__("binds");
  }
  if (loading >= FULL) {
    return trans.__("full, no price");
  }
  return loading >= HEAVY ? trans.__("heavy") : "";
}

/** What one more MW of rating saves, $/h without its unit; empty where it saves nothing. */
export function formatShadow(shadow: number): string {
  return shadow > 0 ? formatPrice(shadow) : "";
}
