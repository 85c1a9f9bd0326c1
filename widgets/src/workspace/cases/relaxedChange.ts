/** What of an element a relaxation changes. */
export type RelaxableLimit = "rating" | "demand" | "minimum" | "maximum";

/** One change of a relaxation, MW. */
export interface RelaxedChange {
  /** `bus`, `branch` or `generator`. */
  kind: string;
  id: number;
  limit: RelaxableLimit;
  fromMw: number;
  toMw: number;
}
