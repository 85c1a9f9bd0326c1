// The contract as the packages use it: the types generated from Rust, and the names that exist in TypeScript only.
import type {
  BranchFlow,
  Certificate,
  DCOPF_COLUMNS,
  FormulationId,
  GeneratorDispatch,
  InjectionRow,
  PowerFlowCertificate,
  Solution,
} from "../contract.generated.ts";

export * from "../contract.generated.ts";

/** Formulations offered for studies. The engine can also create a study of a DC power flow. */
export type BrowserFormulation = Exclude<FormulationId, "dcpf">;

/**
 * Columns of a study's solution by dense row in topology order, with lowered rows last; NaN for rows outside the
 * problem. `ColumnName` documents each.
 */
export type StudyColumns = { [name in (typeof DCOPF_COLUMNS)[number]]: Float64Array };

/** The solution of an optimal power flow, with cost, prices and dispatch. */
export type Optimum = Omit<Solution, "flows" | "certificate"> &
  Required<Pick<Solution, "dc_convention" | "objective" | "prices" | "lmp" | "va" | "dispatch">> & {
    flows: Required<BranchFlow>[];
    certificate: Certificate;
  };

/**
 * The solution of an AC power flow: voltages, flows at both ends, outputs and injections, but neither cost nor prices.
 */
export type AcFlow = Omit<Solution, "flows" | "dispatch" | "injections" | "certificate"> &
  Required<Pick<Solution, "vm" | "va" | "slack" | "power_flow">> & {
    flows: Required<Omit<BranchFlow, "shadow">>[];
    dispatch: Required<GeneratorDispatch>[];
    injections: (InjectionRow & { q: number })[];
    certificate: PowerFlowCertificate;
  };

/** The type of the solutions of a formulation. */
export type SolutionOf<F extends FormulationId> = F extends "dcopf" ? Optimum : F extends "acpf" ? AcFlow : Solution;

/**
 * A retained module with its hash, as `ingestCase` and similar calls return it. The hash lets the engine reuse a case
 * that is already open.
 */
export interface CaseModule {
  module_json: string;
  sha256: string;
}

/** Formulations of a study with their label and hint. `capabilities()` says which are available. */
export const FORMULATIONS: ReadonlyArray<{ id: BrowserFormulation; label: string; hint: string }> = [
  { id: "dcopf", label: "DC OPF", hint: "Linearised network: cheapest dispatch, prices and exact sensitivities." },
  { id: "socwr", label: "SOCWR", hint: "Second-order cone relaxation of the AC optimal power flow." },
  { id: "acpf", label: "AC power flow", hint: "Voltages, flows and losses of a given dispatch; no prices." },
];

export const DEFAULT_FORMULATION: BrowserFormulation = "dcopf";
