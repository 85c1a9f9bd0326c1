/** Names of the formulations. */

import { FORMULATIONS } from "@service/engine";
import { trans } from "./translation.ts";

/** Name of a formulation. */
export function formulationName(id: string): string {
  return id === "acpf" ? trans.__("AC power flow") : (FORMULATIONS.find((one) => one.id === id)?.label ?? id);
}

/** What a formulation is, in a sentence; empty for one that is not known. */
export function formulationHint(id: string): string {
  switch (id) {
    case "dcopf":
      return trans.__("Linearised network: cheapest dispatch, prices and exact sensitivities.");
    case "socwr":
      return trans.__("Second-order cone relaxation of the AC optimal power flow.");
    case "acpf":
      return trans.__("Voltages and flows for given injections: no dispatch, no prices.");
    default:
      return "";
  }
}
