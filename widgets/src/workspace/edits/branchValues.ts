import type { BranchEdit, TopologyBranch } from "@service/engine";
import type { OpenedCase } from "../cases/openedCase.ts";
import type { Selection } from "../cases/selection.ts";
import type { CaseEdits } from "./edits.ts";

/** Whether a branch is in service at a state; false where the case has no such branch. */
export function isInService(opened: OpenedCase, edits: CaseEdits, id: number): boolean {
  const branch: TopologyBranch | undefined = opened.branches[opened.branchRow(id)];
  return edits.branches?.[String(id)]?.status ?? branch?.status === 1;
}

/** The edit of the status of a branch that turns it on or off; `undefined` where the case has that status. */
export function statusEdit(
  opened: OpenedCase,
  id: number,
  on: boolean,
): Pick<BranchEdit, "status"> | { status: undefined } {
  const base = opened.branches[opened.branchRow(id)]?.status === 1;
  return { status: on === base ? undefined : on };
}

/** Whether an element is a branch that can be edited: the arms of three-winding transformers cannot. */
export function isEditableBranch(opened: OpenedCase, { kind, id }: Selection): boolean {
  return kind === "branch" && opened.branches[opened.branchRow(id)]?.editable === true;
}
