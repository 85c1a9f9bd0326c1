// The contract as the packages see it: the types generated from Rust, and the names that exist on this side only.
import type { FormulationId } from "./contract.generated.ts";

export * from "./contract.generated.ts";

/** Formulations that a study may have; DC power flow exists through the stateless solve only. */
export type BrowserFormulation = Exclude<FormulationId, "dcpf">;

/** Formulations of a study with the words that people read. `capabilities()` says which are available. */
export const FORMULATIONS: ReadonlyArray<{ id: BrowserFormulation; label: string; hint: string }> = [
  { id: "dcopf", label: "DC OPF", hint: "Linearised network: cheapest dispatch, prices and exact sensitivities." },
  { id: "socwr", label: "SOCWR", hint: "Second-order cone relaxation of the AC optimal power flow." },
  { id: "acpf", label: "AC power flow", hint: "Voltages and flows for given injections: no dispatch, no prices." },
];

export const DEFAULT_FORMULATION: BrowserFormulation = "dcopf";
