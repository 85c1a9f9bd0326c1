import type { BranchEdit } from "@service/engine";

/** Fields of an edit of a branch, in the order in which they are listed. */
export const BRANCH_FIELDS = ["status", "rating", "x", "tap", "shift"] as const satisfies (keyof BranchEdit)[];
