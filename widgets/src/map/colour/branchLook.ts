import type { LoadingClass } from "../../workspace/index.ts";

/** Everything that a frame shows of the branches, by dense row. A change creates a new object. */
export interface BranchLook {
  /** Rows of the branches of each class. */
  readonly classes: Record<LoadingClass, readonly number[]>;
  /** Palette index of every branch, -1 for none; null while lines are coloured by their class alone. */
  readonly places: Int16Array | null;
  readonly palette: readonly string[];
  /** 1 for a flow from the from end to the to end, -1 for the reverse, 0 for none; null without arrows. */
  readonly directions: Int8Array | null;
  /** Width factor of every branch; null or absent where all have that of their class. */
  readonly widths?: Float32Array | null;
}

const CODES: Record<LoadingClass, number> = { out: 0, calm: 1, warning: 2, binding: 3 };

/** The class of every branch as a number: 0 out of service, 1 calm, 2 warning, 3 binding. */
export function classCodes(look: BranchLook, count: number): Uint8Array {
  const codes = new Uint8Array(count);
  for (const [name, rows] of Object.entries(look.classes) as [LoadingClass, readonly number[]][]) {
    for (const row of rows) {
      codes[row] = CODES[name];
    }
  }
  return codes;
}
