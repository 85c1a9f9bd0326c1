import { type CaseEdits, NO_EDITS, sameEdits, type IWorkspace } from "../workspace/index.ts";
import type { CaseMapTraits } from "./protocol.ts";

/** The identity of a map. */
type MapIdentity = Pick<CaseMapTraits, "case_sha256" | "options">;

const editsByCase = new WeakMap<IWorkspace, Map<string, CaseEdits>>();

/**
 * Stores the edits of a map whose kernel has gone. The next map of the same case and options offers them, in any
 * formulation, if it begins at the base case. They are never applied silently, because a notebook that is run again
 * must produce what its cells state.
 */
export function keepEdits(workspace: IWorkspace, identity: MapIdentity, edits: CaseEdits): void {
  if (!sameEdits(edits, NO_EDITS)) {
    const table = editsByCase.get(workspace) ?? new Map<string, CaseEdits>();
    editsByCase.set(workspace, table.set(keyOf(identity), edits));
  }
}

/** The edits of the previous map, returned once; null without edits. */
export function takeEdits(workspace: IWorkspace, identity: MapIdentity): CaseEdits | null {
  const table = editsByCase.get(workspace);
  const key = keyOf(identity);
  const edits = table?.get(key) ?? null;
  table?.delete(key);
  return edits;
}

function keyOf({ case_sha256, options }: MapIdentity): string {
  const sorted = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([case_sha256, sorted]);
}
