import type { CapacityPlanEnd, PlanTrial } from "@service/engine";
import { messageText } from "../messages.ts";
import type { Namer } from "../namer.ts";
import { formatPriceChange, formatShare } from "../numbers.ts";
import { trans } from "../translation.ts";

/** Why a Study cannot be reset to its base case. */
export function resetUnavailable(): string {
  return trans.__("Reset is unavailable: this Study was saved without its base input.");
}

/** A change of the objective of a plan, $/MWh. */
export function formatPhi(change: number): string {
  return formatPriceChange(change, { signed: true });
}

/** The outcome of a trial: its exact change beside the prediction, or why it was not accepted. */
export function trialResultText(trial: PlanTrial, namer: Namer): string {
  const { exact_phi_delta: exact, predicted_phi_delta: predicted, accepted } = trial;
  if (exact === null) {
    return trialReason(trial, namer);
  }
  const changes = trans.__("exact %1, predicted %2 $/MWh", formatPhi(exact), formatPhi(predicted));
  return accepted ? trans.__("accepted, %1", changes) : trans.__("rejected, %1", changes);
}

/** Why a trial was not accepted; empty for an accepted one. */
export function trialReason({ reason }: Pick<PlanTrial, "reason">, namer: Namer): string {
  return reason === null ? "" : messageText(reason.sentence, namer);
}

/** The error of a first-order prediction relative to the exact change. */
export function relativeErrorText(relative: number | null, exact: number | null): string {
  if (exact === null) {
    return trans.__("no exact result");
  }
  return relative === null ? trans.__("not defined (exact change is zero)") : formatShare(relative);
}

/** Why a plan ended. */
export function planEndText(ended: CapacityPlanEnd): string {
  switch (ended) {
    case "solve_budget":
      return trans.__("exact solve budget used");
    case "capacity_budget":
      return trans.__("capacity budget used");
    case "demand_budget":
      return trans.__("no further move within the limits lowers the objective");
    case "element_limit":
      return trans.__("largest number of changes reached");
    case "change_limit":
      return trans.__("largest change of an element reached");
    case "not_placed":
      return trans.__("no candidate can take the rest of the demand");
    case "no_improvement":
      return trans.__("no candidate left that lowers the objective");
    case "cancelled":
      return trans.__("cancelled");
  }
}
