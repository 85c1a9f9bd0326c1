/** The kinds of element a person can select and edit. */
export type SelectableKind = "bus" | "branch";

/** A selected element by its original id. */
export interface Selection {
  kind: SelectableKind;
  id: number;
}

/** Whether two selections name the same element, or both none. */
export function sameSelection(a: Selection | null, b: Selection | null): boolean {
  return a?.kind === b?.kind && a?.id === b?.id;
}
