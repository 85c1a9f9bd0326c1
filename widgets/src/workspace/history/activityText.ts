import {
  formatMoney,
  intervalSentence,
  isOneSided,
  noSolutionSentence,
  outagesSentence,
  planEndText,
  trans,
  trialResultText,
} from "../../text/index.ts";
import type { OpenedCase } from "../cases/openedCase.ts";
import { countOutages, worstOutage } from "../screening/outages.ts";
import type { ActivityEvent, ActivityKind, ActivityEntry } from "./activityEvent.ts";
import { trialText } from "../planning/trialText.ts";
import { stateName, stepText } from "./stepText.ts";

/** The text of an event. */
export function activityText(event: ActivityEvent, opened: OpenedCase): ActivityEntry {
  switch (event.kind) {
    case "opened":
      return entry("observation", trans.__("%1 opened", event.caseName));
    case "response": {
      const { element, column, committedMw } = event;
      const atBreakpoint = isOneSided(column);
      const result = atBreakpoint ? trans.__("one-sided, at a breakpoint") : intervalSentence(column, committedMw);
      return entry("observation", trans.__("LMP sensitivity to %1", opened.nameOf(element.kind, element.id)), result);
    }
    case "edited": {
      const { step, revision, held } = event;
      const result = trans.__("revision %1", revision);
      const reached = held === null ? [] : [costText(held.objective), changeText(held.change)];
      return entry("edit", stepText(step, opened), [result, ...reached].filter((text) => text !== "").join(", "));
    }
    case "solved": {
      const { step, objective, change } = event;
      const solved = objective === null ? trans.__("solved") : trans.__("optimal, %1", costText(objective));
      const result = [solved, changeText(change)].filter((text) => text !== "").join(", ");
      return entry("solve", stepText(step, opened), result);
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
    case "inspected":
      return event.state === null
        ? entry("observation", trans.__("Live state shown"))
        : entry("observation", trans.__("State inspected: %1", stateName(event.state, opened)));
    case "planTrial": {
      const { trial, unit } = event;
      const label = trialText(trial, unit, opened);
      const failed = trial.exact_phi_delta === null;
      return { kind: "planning_trial", label, result: trialResultText(trial, opened), failed };
    }
    case "planned": {
      const { goal, candidate, ended } = event;
      const label = trans.__("Plan for %1", goal);
      const best = candidate === null ? [] : [trans.__("recommends %1", stateName(candidate, opened))];
      return entry("decision", label, [planEndText(ended), ...best].join(", "));
    }
    case "decided":
      return entry("decision", event.decision, event.result);
    case "recorded":
      return event.entry;
    case "screened": {
      const result = outagesSentence(countOutages(event.rows), worstOutage(event.rows), opened);
      return entry("observation", trans.__("N-1 outages screened"), result);
    }
    case "screeningFailed":
      return { ...entry("observation", trans.__("N-1 outages"), event.message), failed: true };
  }
}

function entry(kind: ActivityKind, label: string, result = ""): ActivityEntry {
  return { kind, label, result, failed: false };
}

/** The cost in words; empty without one. */
function costText(usdPerHour: number | null): string {
  return usdPerHour === null ? "" : `${formatMoney(usdPerHour)} $/h`;
}

function changeText(usdPerHour: number | null): string {
  return usdPerHour === null ? "" : trans.__("%1 $/h from the state before", formatMoney(usdPerHour, { signed: true }));
}
