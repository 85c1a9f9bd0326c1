import type { PowerUnit } from "../../text/index.ts";

/** The limit of an element that a relaxation changes. */
export type RelaxableLimit = "rating" | "demand" | "minimum" | "maximum";

/** One change of a relaxation, in its unit: ratings of formulations with reactive power are in MVA. */
export interface RelaxedChange {
  /** `bus`, `branch` or `generator`. */
  kind: string;
  id: number;
  limit: RelaxableLimit;
  unit: PowerUnit;
  fromMw: number;
  toMw: number;
}
