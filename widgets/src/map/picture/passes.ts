import { classCodes } from "../colour/branchLook.ts";
import type { Frame } from "./frame.ts";

/** Flags in the code of a branch besides its class. */
const FLAGS = { hovered: 4, selected: 8 };
/** The class of binding lines, and the mask of all classes. */
export const BINDING = 3;

/** The branches of a frame that are marked. */
export interface MarkedBranches {
  chosen: readonly number[];
  /** -1 without one. */
  hovered: number;
}

export function markedBranches({ selection, hovered }: Pick<Frame, "selection" | "hovered">): MarkedBranches {
  return {
    chosen: selection.flatMap(({ kind, row }) => (kind === "branch" ? [row] : [])),
    hovered: hovered?.kind === "branch" ? hovered.row : -1,
  };
}

/** Class and flags of every branch in one number. */
export function branchCodes(
  { branches, geometry }: Pick<Frame, "branches" | "geometry">,
  { chosen, hovered }: MarkedBranches,
): Uint8Array {
  const codes = classCodes(branches, geometry.paths.length);
  for (const row of chosen) {
    codes[row] = (codes[row] ?? 0) | FLAGS.selected;
  }
  if (hovered >= 0) {
    codes[hovered] = (codes[hovered] ?? 0) | FLAGS.hovered;
  }
  return codes;
}

/** Whether a code is that of a selected branch. */
export function isSelectedCode(code: number): boolean {
  return (code & FLAGS.selected) !== 0;
}

/** The passes in order: calm lines, cased lines (near their rating, then binding), and marked lines on top. */
export const PASSES = ["base", "cased", "marked"] as const;

export type Pass = (typeof PASSES)[number];

/** The segments of each pass, by index; `rows` holds the branch of each segment. */
export function segmentsOfPasses(rows: ArrayLike<number>, codes: Uint8Array): Record<Pass, number[]> {
  const kinds: [number[], number[], number[], number[]] = [[], [], [], []];
  const marked: number[] = [];
  for (let k = 0; k < rows.length; k += 1) {
    const code = codes[rows[k] ?? -1] ?? 0;
    kinds[code & BINDING]?.push(k);
    if (code > BINDING) {
      marked.push(k);
    }
  }
  const [out, calm, warning, binding] = kinds;
  return { base: [...out, ...calm], cased: [...warning, ...binding], marked };
}
