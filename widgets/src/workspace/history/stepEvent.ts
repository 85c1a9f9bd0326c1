import type { FormulationId } from "@service/engine";
import type { CaseEdits } from "../edits/edits.ts";

/** The step that led to a state, without text, which is made where it is shown. */
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
  /** The user returned to a state of the history; its revision and its label at that time. */
  | { readonly kind: "return"; readonly to: NamedState };

/** The label of a state in lists: its revision, and its name or the event that led to it. */
export interface NamedState {
  /** The revision at which it was first published; null for a candidate. */
  readonly revision: number | null;
  /** The name that a user gave it; null without one. */
  readonly name: string | null;
  readonly event: StepEvent;
}
