import {
  formatMoney,
  intervalSentence,
  isOneSided,
  noSolutionSentence,
  outagesSentence,
  trans,
} from "../../text/index.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import { countOutages, worstOutage } from "../screening/outages.ts";
import type { ActivityEvent } from "./activityLog.ts";
import { stepText } from "./stepText.ts";

/** What happened: something was looked at, changed, or solved. */
export type ActivityKind = "observation" | "edit" | "solve";

/** An entry of the log in words. */
export interface ToldActivity {
  readonly kind: ActivityKind;
  readonly label: string;
  /** What came of it; empty where there is nothing to say. */
  readonly result: string;
  readonly failed: boolean;
}

/** What happened, in words. */
export function activityText(event: ActivityEvent, opened: OpenedCase): ToldActivity {
  switch (event.kind) {
    case "opened":
      return told("observation", trans.__("%1 opened", event.caseName));
    case "response": {
      const { element, column, committedMw } = event;
      const atBreakpoint = isOneSided(column);
      const result = atBreakpoint ? trans.__("one-sided, at a breakpoint") : intervalSentence(column, committedMw);
      return told("observation", trans.__("LMP sensitivity to %1", opened.nameOf(element.kind, element.id)), result);
    }
    case "edited": {
      const { step, revision, held } = event;
      const result = trans.__("revision %1", revision);
      const reached = held === null ? [] : [costText(held.objective), changeText(held.change)];
      return told("edit", stepText(step, opened), [result, ...reached].filter((text) => text !== "").join(", "));
    }
    case "solved": {
      const { step, objective, change } = event;
      const solved = objective === null ? trans.__("solved") : trans.__("optimal, %1", costText(objective));
      const result = [solved, changeText(change)].filter((text) => text !== "").join(", ");
      return told("solve", stepText(step, opened), result);
    }
    case "failed": {
      const { step, failure } = event;
      return {
        kind: failure.code === "REVISION.STALE" ? "edit" : "solve",
        label: step === null ? trans.__("Not done") : stepText(step, opened),
        result: noSolutionSentence(failure, opened),
        failed: true,
      };
    }
    case "screened": {
      const result = outagesSentence(countOutages(event.rows), worstOutage(event.rows), opened);
      return told("observation", trans.__("N-1 outages screened"), result);
    }
    case "screeningFailed":
      return { ...told("observation", trans.__("N-1 outages"), event.message), failed: true };
  }
}

function told(kind: ActivityKind, label: string, result = ""): ToldActivity {
  return { kind, label, result, failed: false };
}

/** Empty where there is no cost. */
function costText(usdPerHour: number | null): string {
  return usdPerHour === null ? "" : `${formatMoney(usdPerHour)} $/h`;
}

function changeText(usdPerHour: number | null): string {
  return usdPerHour === null ? "" : trans.__("%1 $/h from the state before", formatMoney(usdPerHour, { signed: true }));
}
