/**
 * A network as rows and keys, for positions, drawings and pictures of any model. Row k of the buses and branches is
 * dense row k of every column.
 */
export interface NetworkGraph {
  /** Number of bus rows; star points of lowered three-winding transformers come last. */
  readonly busCount: number;
  /** Number of bus rows that the module has itself, without star points. */
  readonly moduleBuses: number;
  /** Dense bus row at each end of every branch. */
  readonly fromRow: Int32Array;
  readonly toRow: Int32Array;
  /** Dense bus rows at the from and to ends of every HVDC link; absent without links. */
  readonly linkEnds?: readonly (readonly [from: number, to: number])[];
  /** Number of a bus, or its name in a multiconductor network. */
  busId(row: number): number | string;
  /** Name of a bus besides its number; null without one. */
  busName(row: number): string | null;
  /** Dense row of a bus by its id, -1 when there is none. */
  busKeyRow(key: number | string): number;
  /** Dense row of a branch by its 1-based row, or the line's name in a multiconductor network; -1 when there is none. */
  branchKeyRow(key: number | string): number;
}
