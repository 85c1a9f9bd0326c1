/** Names of the formulations. */

import { FORMULATIONS, type Solution } from "@service/engine";
import { trans } from "../translation.ts";

/** Name of a formulation. */
export function formulationName(id: string): string {
  switch (id) {
    case "acpf":
      return trans.__("AC power flow");
    case "dcpf":
      return trans.__("DC power flow");
    case "socwr":
      return trans.__("SOC relaxation");
    default:
      return FORMULATIONS.find((one) => one.id === id)?.label ?? id;
  }
}

/** Options that a formulation does not read, in a sentence. */
export function leftOutSentence(id: string, options: readonly string[]): string {
  return trans._n(
    "The option %2 has no effect in the formulation %3; it is kept for those that read it.",
    "The options %2 have no effect in the formulation %3; they are kept for those that read them.",
    options.length,
    options.join(", "),
    formulationName(id),
  );
}

/** The formulation of a result, with the susceptance convention of its lines where there is one. */
export function modelText({ formulation, dc_convention }: Pick<Solution, "formulation" | "dc_convention">): string {
  const name = formulationName(formulation);
  return dc_convention === undefined ? name : trans.__("%1, susceptance %2", name, susceptanceText(dc_convention));
}

/** The susceptance of a line in a convention of DC models, as in docs/explanation/conventions.md. */
export function susceptanceText(convention: string): string {
  switch (convention) {
    case "service":
      return "x/(r\u00b2 + x\u00b2)";
    case "matpower":
      return "1/(x\u00b7tap)";
    case "powermodels":
      return trans.__("x/(r\u00b2 + x\u00b2), no phase shifts");
    default:
      return convention;
  }
}

/** A formulation explained in a sentence; empty for an unknown one. */
export function formulationHint(id: string): string {
  switch (id) {
    case "dcopf":
      return trans.__("Linearised network: cheapest dispatch, prices and exact sensitivities.");
    case "socwr":
      return trans.__("Second-order cone relaxation of AC optimal power flow.");
    case "dcpf":
      return trans.__("Linearised network: flows for given injections, no dispatch, no prices.");
    case "acpf":
      return trans.__("Voltages, flows and losses of a given dispatch; no prices.");
    default:
      return "";
  }
}
