import type { FormulationId } from "@service/engine";
import type { CaseEdits } from "../edits/edits.ts";

/** What was done to come to a state, without words: they are made where it is shown. */
export type StepEvent =
  | { readonly kind: "base" }
  /** Edits were committed in a formulation; both are absolute. */
  | {
      readonly kind: "edit";
      readonly before: CaseEdits;
      readonly after: CaseEdits;
      readonly formulation: FormulationId;
    }
  /** The edits were solved in another formulation. */
  | { readonly kind: "formulation"; readonly before: FormulationId; readonly after: FormulationId }
  | { readonly kind: "undo" | "redo"; readonly of: StepEvent }
  /** A state of the history was opened again: its revision and what it was called then. */
  | { readonly kind: "return"; readonly to: NamedState };

/** What a state is named by in lists: its revision, and its name or the event that led to it. */
export interface NamedState {
  /** The revision at which it was published first; null for a candidate, which was not. */
  readonly revision: number | null;
  /** The name that a user gave it; null without one. */
  readonly name: string | null;
  readonly event: StepEvent;
}
