/** Words for how full a line is. */

import { EXCEEDED_LOADING, FULL_LOADING, SAME_LOADING, WARNING_LOADING } from "@service/engine";
import { formatPrice } from "../numbers.ts";
import { trans } from "../translation.ts";

/** How full a line is, as tables and files write it: its limit carries a price only where it binds. Not translated. */
export type LoadingState =
  "out of service" | "binds" | "at limit, zero shadow price" | "above its rating" | "heavy" | "";

/** `shadow` is NaN where the formulation keeps no ratings. */
export function loadingState(loading: number, shadow: number): LoadingState {
  if (!Number.isFinite(loading)) {
    return "out of service";
  }
  if (shadow > 0) {
    return "binds";
  }
  if (Number.isNaN(shadow) && loading > EXCEEDED_LOADING) {
    return "above its rating";
  }
  if (loading >= FULL_LOADING && !Number.isNaN(shadow)) {
    return "at limit, zero shadow price";
  }
  return loading >= WARNING_LOADING - SAME_LOADING ? "heavy" : "";
}

/** How full a line is, in a word or two. */
export function loadingWords(loading: number, shadow: number): string {
  switch (loadingState(loading, shadow)) {
    case "out of service":
      return trans.__("out of service");
    case "binds":
      return trans.__("binds");
    case "at limit, zero shadow price":
      return trans.__("at limit, zero shadow price");
    case "above its rating":
      return trans.__("above its rating");
    case "heavy":
      return trans.__("heavy");
    case "":
      return "";
  }
}

/** The most that one more MW of rating saves, $/h without its unit; empty where it saves nothing. */
export function formatShadow(shadow: number): string {
  return shadow > 0 ? formatPrice(shadow) : "";
}
