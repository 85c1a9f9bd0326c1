import type { PlanTrial } from "@service/engine";
import { capitalised, formatPower, type Namer, type PowerUnit, trans } from "../../text/index.ts";
import { trialStep } from "./planMoves.ts";

/** The text of a trial's changes. */
export function trialText(trial: PlanTrial, unit: PowerUnit, namer: Namer): string {
  const step = trialStep(trial);
  const name = (at: number): string => {
    const { kind = "bus", id = NaN } = step[at]?.element ?? {};
    return namer.nameOf(kind, id);
  };
  const amount = (at: number, signed: boolean): string => formatPower(step[at]?.mw ?? NaN, unit, { signed });
  if ("line" in trial) {
    return trans.__("%1 rating %2", capitalised(name(0)), amount(0, true));
  }
  if (trial.places) {
    return trans.__("Demand placed: %1 at %2", amount(0, false), name(0));
  }
  const [to, from] = [step.findIndex(({ mw }) => mw > 0), step.findIndex(({ mw }) => mw < 0)];
  return trans.__("Demand moved: %1 from %2 to %3", amount(to, false), name(from), name(to));
}
