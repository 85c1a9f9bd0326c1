import type { CapacityPlanEnd, ContingencyRow, PlanTrial, SensitivityHead } from "@service/engine";
import type { PowerUnit } from "../../text/index.ts";
import type { Selection } from "../cases/selection.ts";
import type { SessionStatus } from "../session/sessionStatus.ts";
import type { NamedState, StepEvent } from "./stepEvent.ts";

/** What happened: something was looked at, changed, solved, tried by a plan, or decided. */
export type ActivityKind = "observation" | "edit" | "solve" | "planning_trial" | "decision";

/** An entry of the log in words. */
export interface ToldActivity {
  readonly kind: ActivityKind;
  readonly label: string;
  /** The result; may be empty. */
  readonly result: string;
  readonly failed: boolean;
}

type FailedStatus = SessionStatus & { kind: "failed" };

/** What an entry of a Study that was opened refers to, by ids of its document. */
export interface RecordedLinks {
  readonly state?: string;
  readonly goal?: string;
  readonly trial?: number;
  /** The decision, in the words in which it was saved. */
  readonly decision?: {
    readonly label: string;
    readonly result: string;
    readonly at: string;
    readonly note?: string;
    readonly goal?: string;
    readonly state?: string;
  };
}

/** What happened, without words: `activityText` makes them where it is shown. */
export type ActivityEvent =
  | { readonly kind: "opened"; readonly caseName: string }
  /** The response of prices to an element was looked at. */
  | {
      readonly kind: "response";
      readonly element: Selection;
      readonly column: SensitivityHead;
      readonly committedMw: number;
    }
  /** A state was published; `held` is its objective and the change of it, $/h, where nothing had to be solved; null without a cost. */
  | {
      readonly kind: "edited";
      readonly step: StepEvent;
      readonly revision: number;
      readonly held: { readonly objective: number | null; readonly change: number | null } | null;
    }
  /** An exact state was found; `objective` is null where it has no cost, `change` also where the state before has none, $/h. */
  | {
      readonly kind: "solved";
      readonly step: StepEvent;
      readonly objective: number | null;
      readonly change: number | null;
    }
  /** A change failed; `step` is what it would have done, null where that is not known. */
  | {
      readonly kind: "failed";
      readonly step: StepEvent | null;
      readonly failure: Pick<FailedStatus, "code" | "message" | "sentence" | "details">;
    }
  /** A saved state was shown; null for the live one. */
  | { readonly kind: "inspected"; readonly state: NamedState | null }
  /** A plan solved a candidate exactly. */
  | { readonly kind: "planTrial"; readonly trial: PlanTrial; readonly unit: PowerUnit }
  /** A plan was begun, or it ended with a candidate that is recommended; null without one. */
  | {
      readonly kind: "planned";
      readonly goal: string;
      readonly candidate: NamedState | null;
      readonly ended: CapacityPlanEnd;
    }
  /** A decision on a proposal. */
  | { readonly kind: "decided"; readonly decision: string; readonly result: string }
  /** An entry of a Study that was opened, in the words in which it was saved. */
  | { readonly kind: "recorded"; readonly told: ToldActivity; readonly links: RecordedLinks }
  | { readonly kind: "screened"; readonly rows: readonly ContingencyRow[] }
  | { readonly kind: "screeningFailed"; readonly message: string };

/** One thing that happened in a session. */
export interface Activity {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** How long it took, ms; null for what takes no time or was not measured. */
  readonly ms: number | null;
  /** Whether it was done elsewhere, in a cell for instance. */
  readonly remote: boolean;
  readonly event: ActivityEvent;
}
