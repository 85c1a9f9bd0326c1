/** Words for the loading of a line. */

import { EXCEEDED_LOADING, FULL_LOADING, SAME_LOADING, WARNING_LOADING } from "@service/engine";
import { formatPrice } from "../numbers.ts";
import { trans } from "../translation.ts";

/** The loading of a line in tables and files; a limit has a shadow price only where it binds. Not translated. */
export type LoadingState =
  "out of service" | "binds" | "at limit, zero shadow price" | "above its rating" | "heavy" | "";

/** `shadow` is NaN where the formulation does not enforce ratings. */
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

/** The loading of a line in a word or two. */
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

/** A shadow price, $/h per MW without its unit; empty where it is zero. */
export function formatShadow(shadow: number): string {
  return shadow > 0 ? formatPrice(shadow) : "";
}
