import type { CapacityPlanEnd, ContingencyRow, PlanTrial, SensitivityHead } from "@service/engine";
import type { PowerUnit } from "../../text/index.ts";
import type { Selection } from "../cases/selection.ts";
import type { SessionStatus } from "../session/sessionStatus.ts";
import type { NamedState, StepEvent } from "./stepEvent.ts";

/** The kind of an entry: an observation, an edit, a solve, a planning trial, or a decision. */
export type ActivityKind = "observation" | "edit" | "solve" | "planning_trial" | "decision";

/** The text of a log entry. */
export interface ActivityEntry {
  readonly kind: ActivityKind;
  readonly label: string;
  /** The result; may be empty. */
  readonly result: string;
  readonly failed: boolean;
}

type FailedStatus = SessionStatus & { kind: "failed" };

/** References of an entry from an opened Study, by ids of its document. */
export interface RecordedLinks {
  readonly state?: string;
  readonly goal?: string;
  readonly trial?: number;
  /** The decision, in its saved wording. */
  readonly decision?: {
    readonly label: string;
    readonly result: string;
    readonly at: string;
    readonly note?: string;
    readonly goal?: string;
    readonly state?: string;
  };
}

/** An event without text, which `activityText` makes where it is shown. */
export type ActivityEvent =
  | { readonly kind: "opened"; readonly caseName: string }
  /** The user viewed the response of prices to an element. */
  | {
      readonly kind: "response";
      readonly element: Selection;
      readonly column: SensitivityHead;
      readonly committedMw: number;
    }
  /**
   * A state was published; `held` has its objective and the change of it, $/h, where its result was stored and nothing
   * was solved; null without a cost.
   */
  | {
      readonly kind: "edited";
      readonly step: StepEvent;
      readonly revision: number;
      readonly held: { readonly objective: number | null; readonly change: number | null } | null;
    }
  /**
   * An exact state was found; `objective` is null where it has no cost, `change`, $/h, also where the previous state
   * has none.
   */
  | {
      readonly kind: "solved";
      readonly step: StepEvent;
      readonly objective: number | null;
      readonly change: number | null;
    }
  /** A change failed; `step` is the attempted step, null where that is not known. */
  | {
      readonly kind: "failed";
      readonly step: StepEvent | null;
      readonly failure: Pick<FailedStatus, "code" | "message" | "sentence" | "details">;
    }
  /** A saved state was shown; null for the live state. */
  | { readonly kind: "inspected"; readonly state: NamedState | null }
  /** A plan solved a candidate exactly. */
  | { readonly kind: "planTrial"; readonly trial: PlanTrial; readonly unit: PowerUnit }
  /** A plan started, or ended with a recommended candidate; null without one. */
  | {
      readonly kind: "planned";
      readonly goal: string;
      readonly candidate: NamedState | null;
      readonly ended: CapacityPlanEnd;
    }
  /** A decision on a proposal. */
  | { readonly kind: "decided"; readonly decision: string; readonly result: string }
  /** An entry of an opened Study, in its saved wording. */
  | { readonly kind: "recorded"; readonly entry: ActivityEntry; readonly links: RecordedLinks }
  | { readonly kind: "screened"; readonly rows: readonly ContingencyRow[] }
  | { readonly kind: "screeningFailed"; readonly message: string };

/** One entry of a session's log. */
export interface Activity {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Duration, ms; null where it takes no time or was not measured. */
  readonly ms: number | null;
  /** Whether it happened elsewhere, in a cell for instance. */
  readonly remote: boolean;
  readonly event: ActivityEvent;
}
