// Generated from engine/crates/study/src/contract by its test `contract`; do not edit.

export const CONTRACT_VERSION = "0.1.0";
export const CONTRACT_SOURCE_SHA256 = "8b68e3d4491ffb6e948e8c43adb5f84640e5cdf856179ccbce4590f9dfc6319d";
export const FORMULATION_IDS = ["dcpf", "dcopf", "acpf", "socwr"] as const;
export const SOLVE_STATUSES = ["optimal", "feasible"] as const;
export const DCOPF_COLUMNS = ["lmp", "va_rad", "demand_mw", "flow_mw", "loading", "shadow", "rating_mw", "dispatch_mw", "limit_shadow"] as const;
export const DCPF_COLUMNS = ["va_rad", "flow_mw", "loading", "injection_mw"] as const;
export const ACPF_COLUMNS = ["vm_pu", "va_rad", "demand_mw", "demand_mvar", "flow_mw", "flow_mvar", "flow_to_mw", "flow_to_mvar", "loading", "rating_mva", "dispatch_mw", "dispatch_mvar", "injection_mw", "injection_mvar", "vm_min_pu", "vm_max_pu", "q_min_mvar", "q_max_mvar"] as const;
export const SOCWR_COLUMNS = ["lmp", "lmp_q", "lmp_energy", "lmp_losses", "lmp_congestion", "lmp_voltage", "slack_weight", "vm_pu", "demand_mw", "demand_mvar", "flow_mw", "flow_mvar", "flow_to_mw", "flow_to_mvar", "product_real", "product_imag", "cone_gap", "loading", "shadow", "rating_mva", "dispatch_mw", "dispatch_mvar", "limit_shadow", "vm_min_pu", "vm_max_pu", "q_min_mvar", "q_max_mvar"] as const;
export const SOLUTION_ROWS = [["prices","value","lmp"], ["lmp","usd_per_mwh","lmp"], ["vm","value","vm_pu"], ["va","value","va_rad"], ["flows","mw","flow_mw"], ["flows","loading","loading"], ["flows","shadow","shadow"], ["flows","mvar","flow_mvar"], ["flows","mw_to","flow_to_mw"], ["flows","mvar_to","flow_to_mvar"], ["dispatch","mw","dispatch_mw"], ["dispatch","mvar","dispatch_mvar"], ["injections","p","injection_mw"], ["injections","q","injection_mvar"]] as const;
export const RESPONSE_ROWS = [["prices","value","lmp"], ["vm","value","vm_pu"], ["va","value","va_rad"], ["flows","pf","flow_mw"], ["flows","loading","loading"], ["flows","shadow","shadow"], ["flows","qf","flow_mvar"], ["flows","pt","flow_to_mw"], ["flows","qt","flow_to_mvar"], ["dispatch","pg","dispatch_mw"], ["dispatch","qg","dispatch_mvar"], ["injections","p","injection_mw"], ["injections","q","injection_mvar"]] as const;

/** The columns of results: what their rows are, and the unit of their numbers. */
export const COLUMNS: { readonly [name in ColumnName]: { element: ColumnElement; unit: string } } = {
  lmp: { element: "bus", unit: "$/MWh" },
  lmp_q: { element: "bus", unit: "$/MVArh" },
  lmp_energy: { element: "bus", unit: "$/MWh" },
  lmp_losses: { element: "bus", unit: "$/MWh" },
  lmp_congestion: { element: "bus", unit: "$/MWh" },
  lmp_voltage: { element: "bus", unit: "$/MWh" },
  slack_weight: { element: "bus", unit: "1" },
  vm_pu: { element: "bus", unit: "pu" },
  va_rad: { element: "bus", unit: "rad" },
  demand_mw: { element: "bus", unit: "MW" },
  demand_mvar: { element: "bus", unit: "MVAr" },
  flow_mw: { element: "branch", unit: "MW" },
  flow_mvar: { element: "branch", unit: "MVAr" },
  flow_to_mw: { element: "branch", unit: "MW" },
  flow_to_mvar: { element: "branch", unit: "MVAr" },
  product_real: { element: "branch", unit: "pu^2" },
  product_imag: { element: "branch", unit: "pu^2" },
  cone_gap: { element: "branch", unit: "1" },
  loading: { element: "branch", unit: "fraction of rating" },
  shadow: { element: "branch", unit: "$/MWh" },
  rating_mw: { element: "branch", unit: "MW" },
  rating_mva: { element: "branch", unit: "MVA" },
  dispatch_mw: { element: "generator", unit: "MW" },
  dispatch_mvar: { element: "generator", unit: "MVAr" },
  limit_shadow: { element: "generator", unit: "$/MWh" },
  link_mw: { element: "link", unit: "MW" },
  link_to_mw: { element: "link", unit: "MW" },
  link_price_difference: { element: "link", unit: "$/MWh" },
  link_shadow: { element: "link", unit: "$/MWh" },
  link_rent: { element: "link", unit: "$/h" },
  injection_mw: { element: "bus", unit: "MW" },
  injection_mvar: { element: "bus", unit: "MVAr" },
  vm_min_pu: { element: "bus", unit: "pu" },
  vm_max_pu: { element: "bus", unit: "pu" },
  q_min_mvar: { element: "generator", unit: "MVAr" },
  q_max_mvar: { element: "generator", unit: "MVAr" },
  lmp_change: { element: "bus", unit: "$/MWh" },
  vm_change: { element: "bus", unit: "pu" },
  va_change: { element: "bus", unit: "rad" },
  flow_change: { element: "branch", unit: "MW" },
  flow_mvar_change: { element: "branch", unit: "MVAr" },
  flow_to_change: { element: "branch", unit: "MW" },
  flow_to_mvar_change: { element: "branch", unit: "MVAr" },
  loading_change: { element: "branch", unit: "fraction of rating" },
  lmp_slope: { element: "bus", unit: "($/MWh)/MW" },
  lmp_slope_left: { element: "bus", unit: "($/MWh)/MW" },
  lmp_slope_right: { element: "bus", unit: "($/MWh)/MW" },
  vm_slope: { element: "bus", unit: "pu/MW" },
  va_slope: { element: "bus", unit: "rad/MW" },
  flow_slope: { element: "branch", unit: "MW/MW" },
  flow_mvar_slope: { element: "branch", unit: "MVAr/MW" },
  layout_x: { element: "bus", unit: "longer side" },
  layout_y: { element: "bus", unit: "longer side" },
  bus_id: { element: "bus", unit: "" },
  branch_id: { element: "branch", unit: "" },
  generator_id: { element: "generator", unit: "" },
  generator_bus: { element: "generator", unit: "" },
  link_id: { element: "link", unit: "" },
  link_from_bus: { element: "link", unit: "" },
  link_to_bus: { element: "link", unit: "" },
  link_in_service: { element: "link", unit: "" },
  link_min_mw: { element: "link", unit: "MW" },
  link_max_mw: { element: "link", unit: "MW" },
  from_bus: { element: "branch", unit: "" },
  to_bus: { element: "branch", unit: "" },
  gen_mw: { element: "bus", unit: "MW" },
  base_kv: { element: "bus", unit: "kV" },
  area: { element: "bus", unit: "" },
  zone: { element: "bus", unit: "" },
  bus_in_service: { element: "bus", unit: "" },
  branch_in_service: { element: "branch", unit: "" },
  generator_in_service: { element: "generator", unit: "" },
  bus_editable: { element: "bus", unit: "" },
  branch_editable: { element: "branch", unit: "" },
  rating_is_fallback: { element: "branch", unit: "" },
  p_min_mw: { element: "generator", unit: "MW" },
  p_max_mw: { element: "generator", unit: "MW" },
  map_longitude: { element: "bus", unit: "deg" },
  map_latitude: { element: "bus", unit: "deg" },
  route_corners: { element: "branch", unit: "" },
  corner_longitude: { element: "corner", unit: "deg" },
  corner_latitude: { element: "corner", unit: "deg" },
  longitude: { element: "bus", unit: "deg" },
  latitude: { element: "bus", unit: "deg" },
  r_pu: { element: "branch", unit: "pu" },
  x_pu: { element: "branch", unit: "pu" },
  b_pu: { element: "branch", unit: "pu" },
  tap: { element: "branch", unit: "" },
  shift_deg: { element: "branch", unit: "deg" },
  cost_c2: { element: "generator", unit: "$/MW²h" },
  cost_c1: { element: "generator", unit: "$/MWh" },
  cost_c0: { element: "generator", unit: "$/h" },
  voltage_v: { element: "terminal", unit: "V" },
  voltage_deg: { element: "terminal", unit: "deg" },
  voltage_pu: { element: "terminal", unit: "pu" },
  current_a: { element: "conductor", unit: "A" },
  current_deg: { element: "conductor", unit: "deg" },
  loss_w: { element: "element", unit: "W" },
  loss_var: { element: "element", unit: "var" },
  source_w: { element: "source", unit: "W" },
  source_var: { element: "source", unit: "var" },
  emf_w: { element: "source", unit: "W" },
  emf_var: { element: "source", unit: "var" },
  drawn_w: { element: "load", unit: "W" },
  drawn_var: { element: "load", unit: "var" },
  load_kw: { element: "load", unit: "kW" },
  load_kvar: { element: "load", unit: "kvar" },
  vuf: { element: "bus", unit: "1" },
  nominal_v: { element: "bus", unit: "V" },
  distance_m: { element: "bus", unit: "m" },
  terminal_bus: { element: "terminal", unit: "" },
  is_phase: { element: "terminal", unit: "" },
  conductor_element: { element: "conductor", unit: "" },
  conductor_end: { element: "conductor", unit: "" },
  conductor_terminal: { element: "conductor", unit: "" },
  source_bus: { element: "source", unit: "" },
  load_bus: { element: "load", unit: "" },
};

/** What Studies of each formulation do; nothing where this engine has none. */
export const ABILITIES: { readonly [id in FormulationId]: readonly Ability[] } = {
  dcpf: ["edits"],
  dcopf: ["edits", "sensitivities", "paths", "outages", "explanations", "lmp_components", "plans"],
  acpf: ["edits", "sensitivities", "loadability"],
  socwr: ["edits", "sensitivities", "explanations", "lmp_components", "plans", "progress"],
};

/** The solve options that each formulation reads; it refuses the others. */
export const OPTIONS: { readonly [id in FormulationId]: readonly (keyof SolveOptions)[] } = {
  dcpf: ["dc_convention", "assumed_ratings"],
  dcopf: ["dc_convention", "assumed_ratings"],
  acpf: ["dc_convention", "dispatch", "slack", "q_limits", "set_point_pu", "assumed_ratings"],
  socwr: ["dc_convention", "assumed_ratings", "lifted_cuts"],
};

/** Demand changes in MW from the base case, by bus id or uid. */
export type DemandDeltas = { [key in string]: number };

/** Rating changes in MW from the base case, by branch row or uid. */
export type RatingDeltas = { [key in string]: number };

/** Values of generators in place of those of the case, by generator row or uid. */
export type GeneratorEdits = { [key in string]: GeneratorEdit };

/** Loads that are not as in the case, by name in any letter case (`load.` before it or not). */
export type McLoads = { [key in string]: McLoadPower };

export type FormulationId = "dcpf" | "dcopf" | "acpf" | "socwr";

export type SolveStatus = "optimal" | "feasible";

/**
 * How a branch susceptance is formed: `service` b = x/(r^2+x^2), shifts and shunt conductance counted; `powermodels` the same
 * without shifts; `matpower` b = 1/(x tau), shifts and shunt conductance counted.
 */
export type DcConvention = "service" | "powermodels" | "matpower";

export type SolveOptions = { dc_convention?: DcConvention, 
/**
 * AC power flow: the schedule of active power, by default the file's. The DC OPF has the demand and ratings of the base case, and
 * generators as they are edited.
 */
dispatch?: DispatchSource, 
/**
 * AC power flow: who supplies what the schedule lacks. By default the references for the file's schedule, all generators for
 * that of the DC OPF.
 */
slack?: SlackRule, 
/**
 * AC power flow: keep the reactive limits of the units that hold a voltage. By default they are not kept.
 */
q_limits?: boolean, 
/**
 * AC power flow: one set-point for all generators, per unit, at most the upper limit of each bus. By default the file's.
 */
set_point_pu?: number, 
/**
 * Whether branches without a rating in the source have the one that the reader assumes for them, which follows from the
 * angle-difference limit and the voltage limits. By default they do; without it nothing limits their flow but those.
 */
assumed_ratings?: boolean, 
/**
 * Conic relaxation: lifted nonlinear cuts tighten it. By default they do.
 */
lifted_cuts?: boolean, };

/**
 * Where the schedule of active power comes from.
 */
export type DispatchSource = "file" | "dcopf";

/**
 * Who supplies what a schedule lacks: each reference for itself, or all generators of an island in proportion to their capacity.
 */
export type SlackRule = "single" | "distributed";

/**
 * Values of a generator in place of those of the case; what is absent stays as it is.
 */
export type GeneratorEdit = { 
/**
 * Lower limit of active power, MW.
 */
p_min?: number, 
/**
 * Upper limit of active power, MW.
 */
p_max?: number, 
/**
 * Marginal cost, $/MWh, the same at every output: it replaces the cost curve.
 */
cost?: number, 
/**
 * Whether it is in service.
 */
status?: boolean, };

/**
 * A value of a generator that prices are differentiated by.
 */
export type GeneratorValue = "p_min" | "p_max" | "cost";

export type Edits = { deltas?: DemandDeltas, 
/**
 * Reactive demand of its own, MVAr from the base case by bus: buses that are not named keep their power factor. Refused
 * where the formulation has no reactive power.
 */
reactive?: DemandDeltas, rates?: RatingDeltas, generators?: { [key in string]: GeneratorEdit }, };

/**
 * Request of the stateless solve; `{}` is the base DC OPF.
 */
export type SolveRequest = { formulation?: FormulationId, edits?: Edits, sensitivities?: Array<SensRequest>, options?: SolveOptions, };

export type Power = "Active" | "Reactive";

export type FlowEnd = "From" | "To";

export type VoltageKind = "Magnitude" | "Angle" | "Squared" | "ProductReal" | "ProductImag";

/**
 * What a sensitivity is of.
 */
export type Operand = { "Price": Power } | { "Dispatch": Power } | { "Flow": { power: Power, end: FlowEnd, } } | { "Voltage": VoltageKind };

export type CostTerm = "Quadratic" | "Linear";

export type AdmittancePart = "Conductance" | "Susceptance";

export type Bound = "Min" | "Max";

export type TransformerPart = "Ratio" | "PhaseShift";

/**
 * What a sensitivity is with respect to.
 */
export type Parameter = { "Demand": Power } | { "Cost": CostTerm } | "LineLimit" | { "SeriesAdmittance": AdmittancePart } | { "ShuntAdmittance": AdmittancePart } | { "VoltageBound": Bound } | { "GenBound": { power: Power, bound: Bound, } } | { "Transformer": TransformerPart } | "Switching";

export type Mode = "Forward" | "Adjoint" | "Auto";

export type SensRequest = { operand: Operand, parameter: Parameter, 
/**
 * Dense 0-based columns; absent or null for all.
 */
indices?: Array<number> | null, mode?: Mode, };

/**
 * Names one element in an answer.
 */
export type Element = { 
/**
 * `bus`, `branch`, `generator`, `switch`, `storage`, `hvdc`, `transformer3w`.
 */
kind: string, id: number, uid?: string, };

/**
 * A sentence or a part of one: a key of the catalogue `engine/messages/en.json`, and what stands in place of its placeholders. Whoever
 * shows it in other words than the English of `message` (other languages, names of elements) makes it from this.
 */
export type Message = { key: string, values?: { [key in string]: MessageValue }, };

export type MessageValue = { "text": string } | { "number": { value?: number, text: string, } } | { "count": number } | { "element": Element } | { "list": Array<MessageValue> } | { "message": Message };

export type Diagnostic = { code: string, message: string, 
/**
 * What `message` says.
 */
sentence: Message, element?: Element, 
/**
 * The element of a multiconductor case, `class.name`: those have names and no numbers.
 */
element_name?: string, };

/**
 * A value at a bus.
 */
export type BusValue = { bus: number, uid?: string, value: number, };

/**
 * Locational marginal price at a bus in $/MWh (repeats `prices` for older readers).
 */
export type BusPrice = { bus: number, usd_per_mwh: number, };

/**
 * Flow of a branch: MW at the from end, |flow| / rating, multiplier of its binding limit in $/MWh (>= 0) where the formulation has
 * prices.
 */
export type BranchFlow = { branch: number, mw: number, loading: number, shadow?: number, 
/**
 * AC: MVAr at the from end, MW and MVAr into the branch at the to end.
 */
mvar?: number, mw_to?: number, mvar_to?: number, };

export type GeneratorDispatch = { gen: number, bus: number, mw: number, mvar?: number, };

/**
 * Independent check of an optimum, in physical units (`docs/contract.md`, section 3).
 */
export type Certificate = { 
/**
 * Largest nodal balance residual, MW.
 */
primal_residual_mw: number, 
/**
 * Largest violation of a limit, MW.
 */
worst_violation_mw: number, worst_element?: Element, stationarity_usd_per_mwh: number, complementarity_usd_per_h: number, duality_gap_usd_per_h: number, relative_gap: number, 
/**
 * Conic relaxation: the rest of the check, taken from the case's rows and the published columns alone. Largest nodal imbalance
 * of reactive power, MVAr.
 */
mismatch_mvar?: number, 
/**
 * Largest difference of a published flow and that of the voltage products, MVA.
 */
flow_error_mva?: number, 
/**
 * Largest violation of `|W|^2 <= w_f w_t`, as a part of `w_f w_t`.
 */
cone_violation?: number, voltage_violation_pu?: number, angle_violation_rad?: number, };

/**
 * Independent check of a power flow, in physical units (`docs/contract.md`, section 3).
 */
export type PowerFlowCertificate = { 
/**
 * Largest nodal imbalance, MW.
 */
mismatch_mw: number, 
/**
 * Original id of the bus that has it.
 */
worst_bus?: number, 
/**
 * AC: the rest of the check, taken from the case's rows and the published columns alone. Largest nodal imbalance of reactive
 * power, MVAr.
 */
mismatch_mvar?: number, 
/**
 * Largest difference of a published flow and that of the voltages at its ends, MVA.
 */
flow_error_mva?: number, 
/**
 * Largest deviation of a voltage that is held from its set-point, per unit.
 */
set_point_error_pu?: number, 
/**
 * Where reactive limits are kept: largest violation, MVAr, and largest voltage on the wrong side of its set-point, per unit.
 */
reactive_violation_mvar?: number, wrong_side_pu?: number, };

/**
 * The certificate of a result: that of an optimum or that of a power flow.
 */
export type ResponseCertificate = Certificate | PowerFlowCertificate;

/**
 * The start from which an AC power flow was solved.
 */
export type PowerFlowStart = "stored" | "harmonic" | "dc_angles" | "flat" | "held_magnitudes" | "reactive_continuation" | "load_continuation" | "base";

/**
 * What became of the reactive limits.
 */
export type ReactiveLimits = "ignored" | "kept" | "not_kept";

/**
 * What is said of an AC power flow besides its columns.
 */
export type PowerFlowReport = { start: PowerFlowStart, 
/**
 * Steps of Newton's method.
 */
steps: number, dispatch: DispatchSource, slack: SlackRule, 
/**
 * Active power lost in branches, MW.
 */
losses_mw: number, reactive_limits: ReactiveLimits, 
/**
 * Buses whose units are at a reactive limit and do not hold their voltage.
 */
limited_buses: number[], 
/**
 * Buses that hold their voltage with more (positive) or less reactive power than their units have, and by how much, MVAr.
 */
reactive_violations: Array<BusValue>, };

/**
 * One step of the solver's progress.
 */
export type SolveIteration = { iteration: number, 
/**
 * Dual objective reached, $/h.
 */
objective: number, 
/**
 * Largest violation left, MW.
 */
residual: number, };

/**
 * A result: body of `GET /api/cases/{id}/solution` and what Study methods return. Blocks that the formulation does not have are
 * absent; `SOLUTION_ROWS` says which column each number of a row is.
 */
export type Solution = { 
/**
 * Case id as the caller named it.
 */
case: string, formulation: FormulationId, status: SolveStatus, dc_convention?: DcConvention, 
/**
 * $/h.
 */
objective?: number, 
/**
 * $/MWh.
 */
prices?: Array<BusValue>, lmp?: Array<BusPrice>, 
/**
 * Per unit.
 */
vm?: Array<BusValue>, 
/**
 * Radians.
 */
va?: Array<BusValue>, flows?: Array<BranchFlow>, dispatch?: Array<GeneratorDispatch>, injections?: Array<InjectionRow>, 
/**
 * Power flow only: by island, the bus that balances it and the MW it adds to the dispatch.
 */
slack?: Array<BusValue>, power_flow?: PowerFlowReport, certificate: ResponseCertificate, 
/**
 * SHA-256 over the published columns (`docs/contract.md`, section 3).
 */
result_sha256: string, 
/**
 * Wall time of the solve, filled in by the host (the engine has no clock).
 */
solve_ms?: number, diagnostics: Array<Diagnostic>, };

/**
 * What is said of a result besides its columns, which go beside it: a `Solution` without the rows of `SOLUTION_ROWS`.
 */
export type SolutionHead = { case: string, formulation: FormulationId, status: SolveStatus, dc_convention?: DcConvention, 
/**
 * $/h.
 */
objective?: number, slack?: Array<BusValue>, power_flow?: PowerFlowReport, certificate: ResponseCertificate, result_sha256: string, diagnostics: Array<Diagnostic>, };

/**
 * What the rows of a column are.
 */
export type ColumnElement = "bus" | "branch" | "generator" | "link" | "corner" | "terminal" | "conductor" | "element" | "source" | "load";

/**
 * Everything that is told by row. Results have their columns in this order, which is also that of their hash.
 */
export type ColumnName = "lmp" | "lmp_q" | "lmp_energy" | "lmp_losses" | "lmp_congestion" | "lmp_voltage" | "slack_weight" | "vm_pu" | "va_rad" | "demand_mw" | "demand_mvar" | "flow_mw" | "flow_mvar" | "flow_to_mw" | "flow_to_mvar" | "product_real" | "product_imag" | "cone_gap" | "loading" | "shadow" | "rating_mw" | "rating_mva" | "dispatch_mw" | "dispatch_mvar" | "limit_shadow" | "link_mw" | "link_to_mw" | "link_price_difference" | "link_shadow" | "link_rent" | "injection_mw" | "injection_mvar" | "vm_min_pu" | "vm_max_pu" | "q_min_mvar" | "q_max_mvar" | "lmp_change" | "vm_change" | "va_change" | "flow_change" | "flow_mvar_change" | "flow_to_change" | "flow_to_mvar_change" | "loading_change" | "lmp_slope" | "lmp_slope_left" | "lmp_slope_right" | "vm_slope" | "va_slope" | "flow_slope" | "flow_mvar_slope" | "layout_x" | "layout_y" | "bus_id" | "branch_id" | "generator_id" | "generator_bus" | "link_id" | "link_from_bus" | "link_to_bus" | "link_in_service" | "link_min_mw" | "link_max_mw" | "from_bus" | "to_bus" | "gen_mw" | "base_kv" | "area" | "zone" | "bus_in_service" | "branch_in_service" | "generator_in_service" | "bus_editable" | "branch_editable" | "rating_is_fallback" | "p_min_mw" | "p_max_mw" | "map_longitude" | "map_latitude" | "route_corners" | "corner_longitude" | "corner_latitude" | "longitude" | "latitude" | "r_pu" | "x_pu" | "b_pu" | "tap" | "shift_deg" | "cost_c2" | "cost_c1" | "cost_c0" | "voltage_v" | "voltage_deg" | "voltage_pu" | "current_a" | "current_deg" | "loss_w" | "loss_var" | "source_w" | "source_var" | "emf_w" | "emf_var" | "drawn_w" | "drawn_var" | "load_kw" | "load_kvar" | "vuf" | "nominal_v" | "distance_m" | "terminal_bus" | "is_phase" | "conductor_element" | "conductor_end" | "conductor_terminal" | "source_bus" | "load_bus";

/**
 * One number a row: doubles by dense row in the order of the topology (lowered rows last), NaN where a row takes no part. The
 * values are never JSON: they are a `Float64Array`, and in Python little-endian bytes.
 */
export type Column = { name: ColumnName, element: ColumnElement, unit: string, values: Float64Array, };

/**
 * What names the rows of a result's columns; the columns `bus_id`, `branch_id`, `generator_id` and `generator_bus` go beside it.
 */
export type RowsHead = { 
/**
 * Row uids of the buses; absent where the source has none.
 */
bus_uids?: Array<string | null>, 
/**
 * Those of the branches, where rows are to have them.
 */
branch_uids?: Array<string | null>, };

/**
 * Flow row of the stateless response. MW and MVAr; `pf` at the from end.
 */
export type FlowRow = { branch: number, uid?: string, pf: number, loading: number, shadow?: number, qf?: number, pt?: number, qt?: number, };

/**
 * Dispatch row of the stateless response, MW and MVAr.
 */
export type DispatchRow = { gen: number, bus: number, pg: number, qg?: number, };

/**
 * Nodal injection of a power flow, MW and MVAr: generation minus demand, the slack's share included.
 */
export type InjectionRow = { bus: number, uid?: string, p: number, q?: number, };

/**
 * Answer of the stateless solve.
 */
export type SolveResponse = { formulation: FormulationId, status: SolveStatus, dc_convention?: DcConvention, objective?: number, prices?: Array<BusValue>, vm?: Array<BusValue>, va?: Array<BusValue>, flows?: Array<FlowRow>, dispatch?: Array<DispatchRow>, 
/**
 * Power flow only.
 */
injections?: Array<InjectionRow>, 
/**
 * Power flow only: by island, the bus that balances it and the MW it adds to the file's dispatch.
 */
slack?: Array<BusValue>, power_flow?: PowerFlowReport, iterations?: Array<SolveIteration>, sensitivities?: Array<SensitivityMatrix>, certificate: ResponseCertificate, result_sha256: string, diagnostics: Array<Diagnostic>, };

/**
 * A `SolveResponse` without rows: its columns, and those that name them, go beside it, and the values of each matrix row by row.
 */
export type SolveResponseHead = { formulation: FormulationId, status: SolveStatus, dc_convention?: DcConvention, objective?: number, slack?: Array<BusValue>, power_flow?: PowerFlowReport, iterations?: Array<SolveIteration>, sensitivities?: Array<SensitivityMatrixHead>, certificate: ResponseCertificate, result_sha256: string, diagnostics: Array<Diagnostic>, };

/**
 * The answer of a stateless solve, in one message with what names its rows.
 */
export type Solved = { response: SolveResponseHead, rows: RowsHead, };

/**
 * Where voltages collapse along an edit, by the power series of the solution; reactive limits are not watched on the way.
 */
export type Collapse = { 
/**
 * MW from the current state.
 */
mw: number, 
/**
 * Difference to what one term less of the series says: the accuracy of the estimate.
 */
change_mw: number, 
/**
 * Buses whose voltages fall first, the fastest first.
 */
buses: number[], };

/**
 * Derivatives of a branch's flow at its from end.
 */
export type BranchSlope = { branch: number, mw: number, mvar: number, };

export type WarrantKind = "regular" | "one_sided" | "degenerate" | "estimate";

/**
 * What ends the interval of a column: in which it is exact (dcopf), the same limits bind (socwr), or its estimated error is small
 * (acpf).
 */
export type BreakpointEvent = "generator_reaches_max" | "generator_reaches_min" | "generator_reaches_breakpoint" | "generator_leaves_limit" | "line_binds" | "line_unbinds" | "edit_limit" | "error_estimate" | "reactive_limit" | "voltage_held" | "generator_reaches_limit" | "reactive_reaches_limit" | "reactive_leaves_limit" | "voltage_reaches_limit" | "voltage_leaves_limit" | "cut_binds" | "cut_unbinds" | "cone_tightens" | "cone_loosens";

export type WarrantEnd = { 
/**
 * MW from the current state, of a cost $/MWh; in a matrix in units of the column's parameter.
 */
mw: number, event: BreakpointEvent, element: Element, 
/**
 * Jump of the price at the watched bus when the edit goes on past this end, $/MWh. Null where nobody looked (matrices) or
 * no region was found there.
 */
price_jump: number | null, 
/**
 * The bus the jump is of: the target, that of a generator, or for a rating the bus whose price moves most.
 */
watched_bus?: number, 
/**
 * Present and true where no optimum exists past this end.
 */
no_solution_beyond?: boolean, };

/**
 * Where a sensitivity column is exact, and what ends it. An end that is null is unbounded, but where `point_only` is set.
 */
export type Warrant = { kind: WarrantKind, 
/**
 * MW from the current state, of a cost $/MWh, lower and upper; null where unbounded. In a matrix in units of the column's
 * parameter.
 */
valid_mw: [number | null, number | null], ends: [WarrantEnd | null, WarrantEnd | null], 
/**
 * Demand columns only, and only where the price of the bus is not unique: the prices that support the optimum, $/MWh, which
 * are the derivatives of the least cost for a decrease and for an increase of the demand. An end is null where no optimum
 * exists to that side.
 */
price_interval?: [number | null, number | null], 
/**
 * Residual of the linear system the column solves, relative. In adjoint mode: how far the matrix is from one column of it
 * solved forward, relative.
 */
residual: number, 
/**
 * Present and true where the derivative is that of the present state and no interval is claimed (`valid_mw` is then
 * `[0, 0]`): the optimum is not affine in the parameter, or the matrix was made in adjoint mode.
 */
point_only?: boolean, 
/**
 * Power flows only: within `valid_mw` the estimated error of every voltage that the column foretells is below this, radians
 * and relative. An estimate from the next terms of the power series, no bound.
 */
error_below_pu?: number, };

export type MatrixRow = { operand: Operand, element: Element, index: number, };

export type MatrixCol = { parameter: Parameter, element: Element, index: number, };

/**
 * `values[r][c]`: derivative of row operand by column parameter. Operands in $/MWh, MW or MVAr, per unit or rad; parameters in MW
 * or MVAr (demand, line limit, generator bound), $/(MW^2 h) and $/MWh (cost), per unit (admittances, voltage bounds), rad (phase
 * shift), 1 (ratio, status). `units` says which.
 */
export type SensitivityMatrix = { values: Array<Array<number>>, rows: Array<MatrixRow>, cols: Array<MatrixCol>, units: string, warrants: Array<Warrant>, };

/**
 * A `SensitivityMatrix` whose values go beside it, row by row.
 */
export type SensitivityMatrixHead = { rows: Array<MatrixRow>, cols: Array<MatrixCol>, units: string, warrants: Array<Warrant>, };

/**
 * Sensitivity target: `{bus}` for dLMP/d(demand), `{branch}` for dLMP/d(rating), `{generator, value}` for dLMP/d(a limit or the
 * cost), without `value` the upper limit. An element is an id (number) or a key string.
 */
export type SensTarget = { bus: ElementKey, } | { branch: ElementKey, } | { generator: ElementKey, value?: GeneratorValue, };

/**
 * Original id (digits) or row uid (anything else).
 */
export type ElementKey = number | string;

/**
 * dLMP/d(demand at a bus), dLMP/d(rating of a branch) or dLMP/d(limit or cost of a generator), of a power flow d|V|/d(demand at a bus),
 * whose reactive demand follows as that of an edit does: body of the HTTP sensitivity routes.
 */
export type SensitivityColumn = { case: string, 
/**
 * What `values` are of: `lmp`, or `vm` for the voltage magnitude of a power flow.
 */
operand: string, 
/**
 * `d` or `fmax`; of a generator `pmin`, `pmax` or `cost`.
 */
parameter: string, bus?: number, branch?: number, generator?: number, 
/**
 * `($/MWh)/MW`, of a cost `($/MWh)/($/MWh)`, or `pu/MW`.
 */
units: string, values: Array<BusValue>, 
/**
 * At a breakpoint only: the derivatives for a decrease and for an increase; absent where no optimum exists to that side.
 */
left?: Array<BusValue>, right?: Array<BusValue>, 
/**
 * Power flows only: voltage angles, rad/MW, and flows, MW/MW and MVAr/MW.
 */
va?: Array<BusValue>, flows?: Array<BranchSlope>, warrant: Warrant, 
/**
 * Power flows only: losses, MW/MW.
 */
losses?: number, 
/**
 * Power flows only, and only where the series has an end ahead on which its last terms agree within a tenth.
 */
collapse?: Collapse, };

/**
 * A `SensitivityColumn` without rows: its columns `lmp_slope`, at a breakpoint also `lmp_slope_left` and `lmp_slope_right`, or of a
 * power flow `vm_slope`, `va_slope`, `flow_slope` and `flow_mvar_slope`, go beside it.
 */
export type SensitivityHead = { case: string, operand: string, parameter: string, bus?: number, branch?: number, generator?: number, units: string, warrant: Warrant, 
/**
 * Power flows only: losses, MW/MW.
 */
losses?: number, 
/**
 * Power flows only, and only where the series has an end ahead on which its last terms agree within a tenth.
 */
collapse?: Collapse, };

/**
 * What an edit would do: of the prices to first order, without a solve; of a power flow by chord steps from the base case.
 */
export type Preview = { 
/**
 * Changes of the prices, $/MWh; absent where the formulation has none.
 */
prices?: Array<BusValue>, 
/**
 * Power flows only: changes of the voltages, per unit and radians.
 */
vm?: Array<BusValue>, va?: Array<BusValue>, 
/**
 * $/h.
 */
objectiveDelta: number | null, 
/**
 * The whole edit stays inside the region where the first order is exact; of a power flow: a commit gives the same state.
 */
exact: boolean, 
/**
 * Fractions of this edit within which it is exact (dcopf) or the same limits bind (socwr); an end that is null is unbounded.
 */
valid_step: [number | null, number | null] | null, 
/**
 * The same in MW when a single element is edited, absolute from the base case; of a single value of a generator that value
 * itself, MW or $/MWh.
 */
valid_mw: [number | null, number | null] | null, };

/**
 * A `Preview` without rows: its column `lmp_change`, or of a power flow `vm_change`, `va_change`, `flow_change`,
 * `flow_mvar_change`, `flow_to_change`, `flow_to_mvar_change` and `loading_change`, go beside it.
 */
export type PreviewHead = { objectiveDelta: number | null, exact: boolean, valid_step: [number | null, number | null] | null, valid_mw: [number | null, number | null] | null, };

export type CommitResult = { solution: Solution, iterations: Array<SolveIteration>, sensitivity: SensitivityColumn | null, };

/**
 * A `CommitResult` without rows: the columns of the solution and of the sensitivity go beside it.
 */
export type CommitHead = { solution: SolutionHead, iterations: Array<SolveIteration>, sensitivity: SensitivityHead | null, };

/**
 * What a solution module holds, read without a solve.
 */
export type SolutionModule = { 
/**
 * As it was when the module was saved, bit for bit; of another producer's module, what its columns say and a certificate
 * that was taken here.
 */
solution: Solution, 
/**
 * The solved network as a module of its own, the edits stored in it.
 */
module_json: string, 
/**
 * Who wrote the solution, as the module says.
 */
producer?: string, 
/**
 * Our own modules: the case that was studied, and its edits in MW from that case by id.
 */
case_sha256?: string, deltas?: DemandDeltas, rates?: RatingDeltas, 
/**
 * Reactive demand of its own, MVAr from the case by bus.
 */
reactive?: DemandDeltas, generators?: { [key in string]: GeneratorEdit }, };

/**
 * A `SolutionModule` without rows: the columns of the solution, and those that name its rows, go beside it.
 */
export type SolutionModuleHead = { solution: SolutionHead, rows: RowsHead, module_json: string, producer?: string, case_sha256?: string, deltas?: DemandDeltas, rates?: RatingDeltas, 
/**
 * Reactive demand of its own, MVAr from the case by bus.
 */
reactive?: DemandDeltas, generators?: { [key in string]: GeneratorEdit }, };

/**
 * Where the energy part is taken.
 */
export type PriceReference = "demand" | "even";

/**
 * What one binding line does to a price.
 */
export type CongestionPart = { branch: number, uid?: string, 
/**
 * $/MWh: `-shadow * shift_factor`.
 */
value: number, 
/**
 * Multiplier of the line's limit, $/MWh (>= 0), as in the solution's flows.
 */
shadow: number, 
/**
 * Change of the line's flow, in the direction in which it binds, for one MW injected at the bus and withdrawn at the
 * reference, MW per MW (of a rating of apparent power, MVA per MW). For a branch that has an angle-difference limit and no
 * flow: radians per unit.
 */
shift_factor: number, };

/**
 * A price as energy and congestion: `price = energy + sum of congestion values`, to rounding. The conic relaxation has losses and
 * voltage limits too, each a part of its own; the DC model has neither.
 *
 * The split depends on the reference, the price does not. With the reference spread by demand, `energy` is the mean price of
 * demand in the island.
 */
export type LmpComponents = { bus: number, uid?: string, 
/**
 * $/MWh.
 */
price: number, 
/**
 * Price of energy at the reference, $/MWh.
 */
energy: number, reference: PriceReference, 
/**
 * What the losses add that a unit from the reference to the bus causes, $/MWh; absent where the formulation has none.
 */
losses?: number, 
/**
 * What voltage limits add, with the cuts that follow from them, $/MWh; absent where the formulation has none.
 */
voltage?: number, 
/**
 * Every line with a shadow price in the bus's island, largest part first.
 */
congestion: Array<CongestionPart>, 
/**
 * What the identity misses, $/MWh: rounding, and in the conic relaxation its accuracy.
 */
residual: number, };

export type ExplanationKind = "bounds" | "balance" | "lines" | "unbounded";

export type LimitKind = "rating" | "angle" | "rating_and_angle" | "minimum" | "maximum" | "demand" | "injection" | "reactive_supply" | "reactive_absorption" | "voltage_minimum" | "voltage_maximum";

/**
 * An element by its original id, and what tells people where it is.
 */
export type NamedElement = { 
/**
 * As in `Element`.
 */
kind: string, id: number, uid?: string, 
/**
 * A bus's name, where the source has one.
 */
name?: string, 
/**
 * A generator's bus, or the two buses of a branch.
 */
buses?: number[], };

/**
 * A limit that takes part in the contradiction.
 */
export type ContradictingLimit = { element: NamedElement, limit: LimitKind, 
/**
 * MW of the minimum relaxation that one more MW of this limit saves; per radian where `limit_mw` is absent. In the conic
 * relaxation one MVA, 0.01 pu or one degree count as one MW.
 */
weight: number, 
/**
 * The limit, MW (flow signed from the from end). Absent for the angle-difference limit of a branch without
 * flow, and where a generator has no limit at all.
 */
limit_mw?: number, 
/**
 * The source has no rating of the branch: the reader assumed this one.
 */
rating_assumed?: boolean, };

/**
 * By how much a limit is exceeded in the minimum relaxation.
 */
export type RelaxedLimit = { element: NamedElement, limit: LimitKind, 
/**
 * MW, of a rating in the conic relaxation MVA, of reactive power MVAr; zero where only `angle_deg` or `voltage_pu` counts.
 */
mw: number, 
/**
 * The same rounded up, as `remedy` says it, but never beyond the demand of a bus: with these amounts the data were checked
 * to have a dispatch.
 */
rounded_mw: number, 
/**
 * Degrees by which the angle-difference limit must be wider.
 */
angle_deg?: number, 
/**
 * Per unit by which a voltage limit must be higher or lower.
 */
voltage_pu?: number, 
/**
 * As in `ContradictingLimit`.
 */
rating_assumed?: boolean, };

/**
 * How far a single edit of demand can go with everything else as it is.
 */
export type DemandLimit = { element: NamedElement, 
/**
 * The most or the least that the bus can take, MW, and the edit that this is; exact.
 */
demand_mw: number, edit_mw: number, is_most: boolean, 
/**
 * A sentence; its figure is rounded to where there is a solution.
 */
message: string, };

/**
 * What was checked on the data themselves after the search.
 */
export type ExplanationCheck = { 
/**
 * The multipliers prove that no relaxation of a smaller total exists, MW.
 */
bound_mw: number, 
/**
 * The relaxation told minus the bound, MW: rounding, but for a search that was stopped.
 */
gap_mw: number, 
/**
 * With what `remedy` says the data have a dispatch, which was checked; its figures are rounded up by at most this, MW.
 */
margin_mw: number, 
/**
 * Unbounded only: change of the cost for each MW more of the generator, $/MWh, from two certified optima with its
 * output limited far out.
 */
slope_usd_per_mwh?: number, };

/**
 * A contradiction by name, and the minimum relaxation that removes it: the least sum of MW, all of equal weight, of flows beyond
 * ratings and angle windows, of demand that is not served and of minimum outputs that are undercut. Of all relaxations with
 * that sum one is told. The conic relaxation counts power missing or in excess at buses, ratings, voltage limits and
 * angle-difference limits: 1 MW as much as 1 MVAr, 1 MVA, 0.01 pu and one degree.
 */
export type Explanation = { kind: ExplanationKind, 
/**
 * The whole text: `No solution: the limits of line 12 and line 40 cannot both be met. Minimum relaxation: raise the rating of line 12
 * by 4.1 MW.`
 */
message: string, 
/**
 * What contradicts, a part of a sentence.
 */
reason: string, 
/**
 * What helps, a sentence; what it says is enough, its figures being rounded up.
 */
remedy: string, 
/**
 * What `message` says, with the messages `reason`, `remedy` and, with `demand_limit`, `limit`.
 */
sentence: Message, 
/**
 * Largest weight first.
 */
elements: Array<ContradictingLimit>, 
/**
 * Largest first; empty where the problem is unbounded.
 */
relaxation: Array<RelaxedLimit>, relaxation_total_mw: number, 
/**
 * Of no relaxation the sum is smaller. False where that is not proved: the search was stopped before its end, or the conic
 * relaxation needs more than was proved. Then this is the best that was found, as well checked (of the conic relaxation, stopped
 * before its end, an estimate), and `verified.gap_mw` is how much smaller the least one may be.
 */
is_least: boolean, 
/**
 * Where the demand of one bus alone was edited, and there is a solution between the base case and the edit.
 */
demand_limit?: DemandLimit, verified: ExplanationCheck, };

/**
 * Where the active set changes. Positions in MW, as those of the track; prices at the watched bus in $/MWh, before and after in
 * the direction of the track.
 */
export type TrackBreakpoint = { mw: number, event: BreakpointEvent, element: Element, price_before: number, price_after: number, };

/**
 * A stretch without breakpoints: prices are affine in it, the cost is quadratic.
 */
export type TrackSegment = { from_mw: number, to_mw: number, 
/**
 * $/h at `from_mw` and at `to_mw`.
 */
objective: number, objective_end: number, 
/**
 * Price at the watched bus at `from_mw`, $/MWh, and its slope, ($/MWh)/MW.
 */
price: number, slope: number, };

export type TrackStopReason = "infeasible" | "edit_limit" | "too_many_breakpoints" | "not_followed" | "interrupted";

/**
 * Why a track ends before its goal, and where (MW).
 */
export type TrackStop = { mw: number, reason: TrackStopReason, message: string, 
/**
 * What `message` says. With `explanation` its messages are `stop` and `remedy`.
 */
sentence: Message, error?: ErrorBody, 
/**
 * Where the track was asked to explain and no optimum exists further on: what contradicts at the end that was asked for, and
 * the minimum relaxation that would reach it.
 */
explanation?: Explanation, };

/**
 * The optimum along one demand, one rating or one limit of a generator, the other committed edits as they are.
 */
export type Track = { target: Element, 
/**
 * Of a generator: the limit that moves, `p_min` or `p_max`.
 */
value?: GeneratorValue, 
/**
 * Bus of the prices below: the target, the bus of a generator, or for a rating the bus whose price changes most over the track.
 */
watched_bus: number, 
/**
 * As asked for: MW from the base case, or the limit of a generator itself in MW; segments run in this direction.
 */
from_mw: number, to_mw: number, breakpoints: Array<TrackBreakpoint>, segments: Array<TrackSegment>, 
/**
 * Present where the segments begin later than `from_mw`.
 */
begins?: TrackStop, 
/**
 * Present where they end before `to_mw`.
 */
stopped?: TrackStop, };

/**
 * The optimum at one position of the track.
 */
export type TrackState = { mw: number, 
/**
 * $/h.
 */
objective: number, 
/**
 * Always true.
 */
exact: boolean, 
/**
 * Index into the track's segments.
 */
segment: number, 
/**
 * Branches whose limits carry a price there, in source order. Inside a segment they stay the same.
 */
binding: Array<TrackBinding>, };

/**
 * A branch that binds at a position of a track.
 */
export type TrackBinding = { branch: number, uid?: string, 
/**
 * What one more MW of its limit saves, $/MWh.
 */
shadow: number, };

export type ContingencyKind = "loading" | "islanding";

/**
 * A branch that an outage overloads and that had room left before.
 */
export type NewOverload = { branch: number, uid?: string, from_bus: number, to_bus: number, 
/**
 * Flow after the outage at the from end, MW.
 */
mw: number, 
/**
 * |flow| / rating after the outage and before it.
 */
loading_after: number, loading_before: number, };

/**
 * Outage of one branch at the displayed state; dispatch and demand stay.
 */
export type ContingencyRow = { branch: number, uid?: string, kind: ContingencyKind, 
/**
 * The branch that is loaded most afterwards, its flow in MW at its from end and |flow| / rating. Absent where no other
 * branch carries anything.
 */
worst_branch?: number, worst_mw?: number, worst_loading?: number, 
/**
 * Branches above their rating afterwards.
 */
overloads?: number, 
/**
 * Those of them that had room left before: neither overloaded nor binding there.
 */
new_overloads?: number, 
/**
 * The one of these whose loading rises most. Absent without any.
 */
worst_new_overload?: NewOverload, 
/**
 * Islanding: buses of the smaller part, and what is there.
 */
buses_cut_off?: number[], demand_cut_off_mw?: number, generation_cut_off_mw?: number, };

/**
 * What a plan lowers: `sum_b weight_b * LMP_b`, $/MWh times the unit of the weights.
 */
export type ImplicitObjectiveJson = { "kind": "weighted_lmp", weights: Array<BusWeight>, };

export type BusWeight = { bus: ElementKey, weight: number, };

/**
 * Which ratings may rise, and by how much. Amounts are MW in DC and MVA in the SOC relaxation, and count from the state that the
 * plan starts from. Budget and maximum are whole multiples of the increment.
 */
export type CapacityPlanSpecJson = { objective: ImplicitObjectiveJson, 
/**
 * Lines, each once.
 */
candidates: Array<ElementKey>, max_increase_per_branch_mw: number, 
/**
 * All increases together.
 */
budget_mw: number, increment_mw: number, 
/**
 * Lines that may change.
 */
max_changed_lines: number, 
/**
 * Exact solves: the baseline, and every trial whether accepted, rejected or failed.
 */
exact_solve_budget: number, };

/**
 * An increase of a rating from the state that the plan started from.
 */
export type RatingIncrease = { branch: number, delta_mw: number, };

/**
 * Derivative of the plan's objective by the rating of a line, per MW (MVA in the SOC relaxation).
 */
export type GradientEntry = { branch: number, value: number, };

/**
 * One candidate that was solved exactly. Changes of `phi` count from the best state before it.
 */
export type CapacityPlanTrial = { 
/**
 * Number of its exact solve; the baseline is 1.
 */
exact_solve: number, 
/**
 * The line that gets another increment.
 */
line: RatingIncrease, 
/**
 * At the best state before it, by candidate in branch order.
 */
gradient: Array<GradientEntry>, 
/**
 * All increases of the trial.
 */
delta_mw: Array<RatingIncrease>, 
/**
 * Gradient times increment.
 */
predicted_phi_delta: number, 
/**
 * What the exact path of this rating says; absent in the SOC relaxation, which has no exact paths.
 */
path_phi_delta?: number, 
/**
 * Null where the trial has no solution.
 */
exact_phi_delta: number | null, 
/**
 * |exact - predicted|.
 */
first_order_error: number | null, 
/**
 * Relative to the exact change; null where that is zero.
 */
first_order_error_rel: number | null, 
/**
 * Cost of the trial, $/h.
 */
objective: number | null, accepted: boolean, 
/**
 * Why it was not accepted.
 */
reason: Diagnostic | null, };

/**
 * A state of a plan: its objective, its cost in $/h, and the exact solve that found it.
 */
export type CapacityPlanState = { phi: number, objective: number, exact_solve: number, };

/**
 * Why a plan has no more trials.
 */
export type CapacityPlanEnd = "solve_budget" | "capacity_budget" | "demand_budget" | "element_limit" | "change_limit" | "not_placed" | "no_improvement" | "cancelled";

/**
 * The best candidate that was verified within the budget: an unapplied proposal, not a global optimum.
 */
export type CapacityPlanOutcomeJson = { baseline: CapacityPlanState, best: CapacityPlanState, 
/**
 * In branch order; empty where no trial was better than the baseline.
 */
proposal: Array<RatingIncrease>, spent_budget_mw: number, exact_solves: number, 
/**
 * Whether the exact solves are used up.
 */
exhausted: boolean, ended: CapacityPlanEnd, trials: Array<CapacityPlanTrial>, };

/**
 * What a demand plan does.
 */
export type DemandPlanKind = "demand_placement" | "demand_redistribution";

/**
 * Whose demand may change, and by how much, counted from the state that the plan starts from. Reactive demand follows as that of an
 * edit does. Budget and maximum are whole multiples of the increment.
 */
export type DemandPlanSpecJson = { kind: DemandPlanKind, objective: ImplicitObjectiveJson, 
/**
 * Buses, each once.
 */
candidates: Array<ElementKey>, 
/**
 * In a redistribution to both sides; no demand falls below zero.
 */
max_change_per_bus_mw: number, 
/**
 * Placement: the demand to place, all of it. Redistribution: the most that may move.
 */
budget_mw: number, increment_mw: number, 
/**
 * Buses that may change.
 */
max_changed_buses: number, 
/**
 * Exact solves: the baseline, and every trial whether it places or moves demand, accepted, rejected or failed.
 */
exact_solve_budget: number, };

/**
 * A change of the demand of a bus.
 */
export type DemandChange = { bus: number, delta_mw: number, };

/**
 * Derivative of the plan's objective by the demand of a bus, per MW, reactive demand following.
 */
export type DemandGradientEntry = { bus: number, value: number, };

/**
 * One candidate that was solved exactly. Changes of `phi` count from the best state before it.
 */
export type DemandPlanTrial = { 
/**
 * Number of its exact solve; the baseline is 1.
 */
exact_solve: number, 
/**
 * What it changes: demand that is placed at a bus, or an increment that moves from one bus to another.
 */
step: Array<DemandChange>, 
/**
 * Whether it places demand, which is accepted where it has a solution; a move has to lower `phi`.
 */
places: boolean, 
/**
 * At the best state before it, by candidate in bus order.
 */
gradient: Array<DemandGradientEntry>, 
/**
 * All changes of the trial, from the state that the plan started from.
 */
delta_mw: Array<DemandChange>, 
/**
 * Gradient times step.
 */
predicted_phi_delta: number, 
/**
 * What the exact path of this step says; absent in the SOC relaxation, which has no exact paths.
 */
path_phi_delta?: number, 
/**
 * Null where the trial has no solution.
 */
exact_phi_delta: number | null, 
/**
 * |exact - predicted|.
 */
first_order_error: number | null, 
/**
 * Relative to the exact change; null where that is zero.
 */
first_order_error_rel: number | null, 
/**
 * Cost of the trial, $/h.
 */
objective: number | null, accepted: boolean, 
/**
 * Why it was not accepted.
 */
reason: Diagnostic | null, };

/**
 * The best candidate that was verified within the budget: an unapplied proposal, not a global optimum. The baseline of a placement
 * is the state without the demand that is placed.
 */
export type DemandPlanOutcomeJson = { kind: DemandPlanKind, baseline: CapacityPlanState, best: CapacityPlanState, 
/**
 * In bus order; empty where nothing better was found, or not all of the demand was placed.
 */
proposal: Array<DemandChange>, 
/**
 * Demand that is placed, or that moves.
 */
spent_budget_mw: number, exact_solves: number, 
/**
 * Whether the exact solves are used up.
 */
exhausted: boolean, ended: CapacityPlanEnd, trials: Array<DemandPlanTrial>, };

/**
 * What a plan is asked for. One with a `kind` is of demand, one without is of line capacity.
 */
export type PlanSpecJson = CapacityPlanSpecJson | DemandPlanSpecJson;

/**
 * What a plan found. One with a `kind` is of demand, one without is of line capacity.
 */
export type PlanOutcomeJson = CapacityPlanOutcomeJson | DemandPlanOutcomeJson;

/**
 * A trial of a plan: one of demand has a `step`, one of line capacity a `line`.
 */
export type PlanTrial = CapacityPlanTrial | DemandPlanTrial;

/**
 * A saved Study, the content of a `.study.json` file: the document, and by its SHA-256 every text that it refers to, once.
 */
export type StudyBundle = { document: StudyDocument, artifacts: { [key in string]: StudyArtifact }, };

/**
 * What a text of a bundle is.
 */
export type ArtifactKind = "module" | "solution" | "geo_layer" | "drawing" | "evidence";

export type StudyArtifact = { kind: ArtifactKind, text: string, };

/**
 * A Study without the texts: states, goals and what happened, by ids of its own (letters, digits, `-`, `_`, `.`). References are
 * ids of states and goals, and SHA-256 of artifacts.
 */
export type StudyDocument = { 
/**
 * `wattbook-study`.
 */
schema: string, version: number, id: string, title: string, 
/**
 * Number of changes of the applied state.
 */
revision: number, case: StudyCase, 
/**
 * Of the applied state.
 */
formulation: FormulationId, 
/**
 * Of every state that names none.
 */
options?: SolveOptions, 
/**
 * The engine that solved the states.
 */
producer?: StudyProducer, states: { [key in string]: StateNode }, goals: { [key in string]: StudyGoal }, experiments: { [key in string]: StudyExperiment }, 
/**
 * The ids of all experiments, the oldest first.
 */
experiment_order: Array<string>, decisions: { [key in string]: StudyDecision }, 
/**
 * The state that is looked at.
 */
inspected_state: string, recommended_state?: string, applied_state: string, active_goal?: string, 
/**
 * The module of the base case, which is the case; a Study without it cannot be reset.
 */
base_input?: string, display?: StudyDisplay, };

/**
 * The case of a Study: `sha256` is the hash of its module text.
 */
export type StudyCase = { id: string, sha256: string, name?: string, };

/**
 * `contract_sha256` is `CONTRACT_SOURCE_SHA256` of that engine.
 */
export type StudyProducer = { version: string, contract_sha256: string, };

/**
 * A solved state: `input`, a module, with absolute edits by original id. Its result is a function of these, `formulation` and
 * options alone; `result_sha256` is its hash.
 */
export type StateNode = { 
/**
 * What it is called in lists: its name, or what was done to reach it.
 */
label: string, 
/**
 * The name that somebody gave it.
 */
name?: string, note?: string, formulation: FormulationId, 
/**
 * Where they are not those of the document.
 */
options?: SolveOptions, 
/**
 * SHA-256 of the module that the edits are changes from.
 */
input: string, 
/**
 * The state that it was reached from.
 */
parent?: string, 
/**
 * MW.
 */
deltas: DemandDeltas, 
/**
 * MW, in AC formulations MVA.
 */
rates: RatingDeltas, 
/**
 * MVAr, of buses whose reactive demand has a change of its own.
 */
reactive?: { [key in string]: number }, generators?: { [key in string]: GeneratorEdit }, 
/**
 * The revision at which it was published first; absent for a candidate that was not.
 */
revision?: number, 
/**
 * ISO 8601, UTC.
 */
at: string, 
/**
 * Absent where nobody has solved it.
 */
result_sha256?: string, solve_ms?: number, 
/**
 * Whether it was committed elsewhere, in a kernel for instance.
 */
remote?: boolean, 
/**
 * $/h; absent where the formulation has no cost.
 */
objective?: number, 
/**
 * The solution module of the result; a state without it is solved again when it is looked at.
 */
solution?: string, view?: StudyView, };

/**
 * Where the network of a Study is drawn, and what was shown.
 */
export type StudyDisplay = { 
/**
 * Positions and line paths that replace those of the case, applied in this order.
 */
layers: Array<StudyLayer>, drawing?: StudyLayer, view?: StudyView, };

/**
 * A geographic layer or a drawing; `name` is that of the file it came from.
 */
export type StudyLayer = { name: string, artifact: string, 
/**
 * Where the positions of a layer come from.
 */
coords_kind?: CoordsKind, };

/**
 * What a map shows: quantities of buses and lines by their names, the selected elements with the primary last, and from where.
 */
export type StudyView = { quantity?: string, lines?: string, preview_mode?: string, selection?: Array<Element>, camera?: StudyCamera, };

/**
 * Centre and size of a view: degrees and degrees of longitude on the map, units of its own in a drawing.
 */
export type StudyCamera = { x: number, y: number, 
/**
 * What the width of the view covers.
 */
width: number, 
/**
 * Degrees by which north is turned clockwise from up.
 */
bearing: number, 
/**
 * Degrees by which the view is tilted from straight down; absent where it is not.
 */
pitch?: number, 
/**
 * Whether the earth is a globe; absent where it is a plane.
 */
globe?: boolean, 
/**
 * Whether the view is of the drawing.
 */
drawing: boolean, };

export type ExperimentKind = "observation" | "edit" | "solve" | "planning_trial" | "decision";

/**
 * One entry of the activity. Its texts are shown, never interpreted.
 */
export type StudyExperiment = { kind: ExperimentKind, label: string, 
/**
 * What came of it; empty where there is nothing to say.
 */
result: string, failed?: boolean, 
/**
 * ISO 8601, UTC.
 */
at: string, 
/**
 * How long it took.
 */
ms?: number, 
/**
 * The state that came of it, or that it was about.
 */
state?: string, goal?: string, 
/**
 * Of a planning trial: its `exact_solve` in the outcome of the goal.
 */
trial?: number, 
/**
 * Of one of kind `decision`.
 */
decision?: string, remote?: boolean, };

/**
 * What a goal looks at.
 */
export type GoalScope = { "kind": "network" } | { "kind": "area", area: number, } | { "kind": "elements", elements: Array<Element>, };

/**
 * A plan: what is asked for from a state, and what was found. Every trial is in the outcome.
 */
export type StudyGoal = { label: string, note?: string, scope?: GoalScope, formulation: FormulationId, 
/**
 * The state that the plan starts from, which its amounts count from.
 */
start_state: string, spec: PlanSpecJson, outcome?: PlanOutcomeJson, 
/**
 * The state that the plan recommends.
 */
candidate_state?: string, };

/**
 * A record that somebody decided on a proposal. It grants nothing: an approval is given in the panel, and is not stored.
 */
export type StudyDecision = { label: string, result: string, note?: string, 
/**
 * ISO 8601, UTC.
 */
at: string, goal?: string, 
/**
 * The state that was proposed or applied.
 */
state?: string, };

/**
 * Whose demand grows: of a bus, of all buses of an area in proportion to their demand, or of all buses. Reactive demand grows as
 * with an edit, by the power factor.
 */
export type LoadabilityTarget = { bus: ElementKey, } | { area: number, } | { 
/**
 * True.
 */
system: boolean, };

/**
 * Voltages of a bus along the curve, per unit.
 */
export type LoadabilityBus = { bus: number, vm_pu: Array<number>, };

/**
 * The PV curve of the committed state of an AC power flow up to where voltages collapse.
 */
export type Loadability = { 
/**
 * Demand that grows, MW at the committed state.
 */
demand_mw: number, 
/**
 * Largest growth for which a solution was found, MW; that solution passed its check.
 */
margin_mw: number, 
/**
 * Smallest growth tried without a solution, MW; null where every growth that was tried has one.
 */
no_solution_mw: number | null, 
/**
 * What the power series of the committed state says; absent where it has no end ahead, or its last terms do not
 * agree on it within a tenth.
 */
estimate?: Collapse, 
/**
 * Growth at each point of the curve, MW.
 */
added_mw: Array<number>, 
/**
 * Buses whose voltages fall fastest at the last point, the fastest first, with their voltages along the curve.
 */
buses: Array<LoadabilityBus>, };

/**
 * One step of a job. What a kind of job does not tell is absent.
 */
export type JobStep = { done: boolean, 
/**
 * Part of the work done, 0 to 1; it never falls. Of an explanation an estimate.
 */
fraction: number, 
/**
 * Track: how far it was followed, MW from the base case. Loadability: growth of the demand that has a solution, MW.
 */
at_mw?: number, 
/**
 * Explanation: no relaxation of a smaller sum exists, MW; verified, and never less than in the steps before.
 */
at_least_mw?: number, 
/**
 * Screening: the outages of this step, in source order.
 */
rows?: Array<ContingencyRow>, 
/**
 * Solve: the last iteration of a solver that iterates.
 */
iteration?: SolveIteration, 
/**
 * Solve: the gap there, relative to the objective.
 */
gap?: number, 
/**
 * Plan: the trials of this step, in the order they were solved.
 */
trials?: Array<PlanTrial>, };

/**
 * What a layout says besides its columns `layout_x` and `layout_y`.
 */
export type LayoutHead = { 
/**
 * Longer side of the drawing where nothing better is known, kilometres.
 */
default_scale_km: number, };

/**
 * What a series is over.
 */
export type SeriesSpec = { 
/**
 * Whose demand each step gives, by id or uid. All other edits are those committed.
 */
buses: Array<ElementKey>, 
/**
 * Whose rating each step gives.
 */
branches: Array<ElementKey>, 
/**
 * Columns wanted of each step.
 */
columns: Array<ColumnName>, };

/**
 * One step of a series. A solved step has all that a commit of the same edits has; one that failed has its error instead.
 */
export type SeriesStep = { 
/**
 * $/h.
 */
objective?: number, result_sha256?: string, certificate?: ResponseCertificate, error?: ErrorBody, };

/**
 * What is said of consecutive steps beside their columns, which have the rows of the first step, then those of the second, and
 * so on; NaN in steps that failed.
 */
export type SeriesHead = { steps: Array<SeriesStep>, };

/**
 * What a demand profile says beside its column `demand_mw`, which has the buses of the first step, then those of the second, and
 * so on, MW.
 */
export type ProfileHead = { 
/**
 * Labels of the steps: times as ISO 8601 writes them, or what a table calls them.
 */
steps: Array<string>, 
/**
 * Original ids.
 */
buses: number[], };

/**
 * What can be done with a Study of a formulation besides reading its results; prices are among those where the columns are.
 */
export type Ability = "edits" | "sensitivities" | "paths" | "outages" | "explanations" | "lmp_components" | "loadability" | "progress" | "plans";

export type ProblemCaps = { formulation: FormulationId, available: boolean, 
/**
 * Blocks of the response: `objective`, `prices`, `va`, `flows`, `dispatch`.
 */
blocks: Array<string>, 
/**
 * Columns of its results, in their order.
 */
columns: Array<ColumnName>, 
/**
 * Names of the solve options that it reads; it refuses the others.
 */
options: Array<string>, operands: Array<Operand>, parameters: Array<Parameter>, };

export type Capabilities = { formulations: Array<ProblemCaps>, operands: Array<Operand>, parameters: Array<Parameter>, };

export type TopologyBus = { id: number, uid: string | null, name: string | null, 
/**
 * Number in the source where the id is another: pandapower counts from 0.
 */
source_index?: number, area: number | null, zone: number | null, base_kv: number, demand_mw: number, 
/**
 * Output of its in-service generators in the source file.
 */
gen_mw: number, 
/**
 * False for isolated buses, which have no price.
 */
in_service: boolean, editable: boolean, };

export type TopologyBranch = { id: number, uid: string | null, name?: string, from: number, to: number, 
/**
 * MW, the fallback rating where the source has none. Null where a branch without impedance has none either: it is not limited.
 */
rate_mw: number | null, rate_is_fallback: boolean, status: number, editable: boolean, };

export type TopologyGenerator = { id: number, uid: string | null, bus: number, 
/**
 * Null where unlimited.
 */
p_min_mw: number | null, p_max_mw: number | null, status: number, energy_source: EnergySource, 
/**
 * Cost of an output of p MW, `c2 p^2 + c1 p + c0` in $/h; all null where it is piecewise linear.
 */
cost_c2: number | null, cost_c1: number | null, cost_c0: number | null, 
/**
 * Corners of a piecewise linear cost, MW and $/h; the first and last slopes extend outwards.
 */
cost_points?: Array<[number, number]>, };

/**
 * What drives a generator, as far as the source says.
 */
export type EnergySource = "hydro" | "nuclear" | "wind" | "thermal" | "coal" | "gas" | "solar" | "other";

/**
 * Rows in source order; row k here is dense row k of `columns()`.
 */
export type Topology = { buses: Array<TopologyBus>, branches: Array<TopologyBranch>, generators: Array<TopologyGenerator>, };

/**
 * Bus of the map view.
 */
export type NetworkBus = { id: number, uid: string | null, name: string | null, lon: number, lat: number, area: number | null, zone: number | null, base_kv: number, demand_mw: number, gen_mw: number, editable: boolean, };

/**
 * Branch of the map view.
 */
export type NetworkBranch = { id: number, uid: string | null, from: number, to: number, 
/**
 * MW; null where a branch without impedance has no rating.
 */
rate_mw: number | null, status: number, editable: boolean, path?: Array<[number, number]>, };

/**
 * Map view: body of `GET /api/cases/{id}/network`.
 */
export type Network = { id: string, name: string, base_mva: number, synthetic_coords: boolean, buses: Array<NetworkBus>, branches: Array<NetworkBranch>, };

/**
 * What coordinates are. Only geographic ones are longitude and latitude.
 */
export type CoordsSpace = "geographic" | "projected" | "drawing" | "unknown" | "none";

/**
 * Where map positions come from.
 */
export type CoordsKind = "file" | "synthetic_pending" | "synthetic" | "manual";

/**
 * What a case is, beside its rows.
 */
export type CaseSummary = { 
/**
 * The retained generation-2 module.
 */
module_json: string, 
/**
 * SHA-256 of `module_json`: the identity of the case.
 */
sha256: string, name: string, 
/**
 * Always `balanced`.
 */
model: "balanced", base_mva: number, n_bus: number, n_branch: number, n_gen: number, n_analysis_bus: number, n_analysis_branch: number, load_mw: number, gen_mw: number, 
/**
 * Every bus that takes part has a map position. Without, the view holds those that have one.
 */
has_coords: boolean, coords_kind: CoordsKind, };

/**
 * Answer of `ingestCase`.
 */
export type IngestedCase = { topology: Topology, 
/**
 * Null without any map position.
 */
view: Network | null, warnings: Array<Diagnostic>, 
/**
 * Fuel of each generator in the words of the file, where it says so and the module has no place for it (`mpc.genfuel`).
 */
fuels?: Array<string>, 
/**
 * The retained generation-2 module.
 */
module_json: string, 
/**
 * SHA-256 of `module_json`: the identity of the case.
 */
sha256: string, name: string, 
/**
 * Always `balanced`.
 */
model: "balanced", base_mva: number, n_bus: number, n_branch: number, n_gen: number, n_analysis_bus: number, n_analysis_branch: number, load_mw: number, gen_mw: number, 
/**
 * Every bus that takes part has a map position. Without, the view holds those that have one.
 */
has_coords: boolean, coords_kind: CoordsKind, };

/**
 * Texts of a `Topology` by row, each list absent where no row has one; its numbers are columns.
 */
export type TopologyHead = { bus_uids?: Array<string | null>, bus_names?: Array<string | null>, bus_source_indices?: (number | null)[], branch_uids?: Array<string | null>, branch_names?: Array<string | null>, generator_uids?: Array<string | null>, 
/**
 * Absent where the source says nothing of any.
 */
energy_sources?: Array<EnergySource>, 
/**
 * Corners of the piecewise linear costs by generator row.
 */
cost_points?: { [key in number]: Array<[number, number]> }, };

/**
 * A `Network` without rows: those are the rows of the topology, and columns say where they are.
 */
export type NetworkHead = { id: string, name: string, base_mva: number, synthetic_coords: boolean, };

/**
 * An `IngestedCase` without rows: columns beside it have their numbers.
 */
export type IngestedCaseHead = { topology: TopologyHead, view: NetworkHead | null, warnings: Array<Diagnostic>, fuels?: Array<string>, 
/**
 * The retained generation-2 module.
 */
module_json: string, 
/**
 * SHA-256 of `module_json`: the identity of the case.
 */
sha256: string, name: string, 
/**
 * Always `balanced`.
 */
model: "balanced", base_mva: number, n_bus: number, n_branch: number, n_gen: number, n_analysis_bus: number, n_analysis_branch: number, load_mw: number, gen_mw: number, 
/**
 * Every bus that takes part has a map position. Without, the view holds those that have one.
 */
has_coords: boolean, coords_kind: CoordsKind, };

/**
 * Bus of a multiconductor network.
 */
export type DistributionBus = { 
/**
 * Its name, as elements refer to it.
 */
id: string, terminals: Array<string>, 
/**
 * Terminals with a perfect connection to ground.
 */
grounded: Array<string>, 
/**
 * In the units of `coords_space`; longitude and latitude only where that is geographic.
 */
xy?: [number, number], 
/**
 * Active power of its loads over all phases, kW.
 */
load_kw: number, has_source: boolean, 
/**
 * What is connected there: sources, loads, capacitors and the like.
 */
devices: Array<DistributionDevice>, };

/**
 * Equipment at one bus of a multiconductor network.
 */
export type DistributionDevice = { kind: DistributionDeviceKind, 
/**
 * Its name; names are unique within a kind.
 */
id: string, 
/**
 * Terminals of the bus that it is connected to.
 */
terminals: Array<string>, in_service: boolean, };

export type DistributionDeviceKind = "source" | "load" | "generator" | "inverter" | "storage" | "capacitor" | "reactor" | "shunt";

export type DistributionEdgeKind = "line" | "switch" | "transformer";

/**
 * What connects two buses of a multiconductor network.
 */
export type DistributionEdge = { kind: DistributionEdgeKind, 
/**
 * Its name; names are unique within a kind.
 */
id: string, from: string, to: string, 
/**
 * Terminals that its conductors join, at the from and at the to end.
 */
conductors: Array<[string, string]>, 
/**
 * False for open switches and for what is out of service.
 */
closed: boolean, 
/**
 * A transformer whose taps a regulator control in service changes.
 */
regulated: boolean, n_phases: number, 
/**
 * Stored route, in the units of `coords_space`.
 */
path?: Array<[number, number]>, };

/**
 * The network as a graph, rows in source order.
 */
export type DistributionGraph = { buses: Array<DistributionBus>, edges: Array<DistributionEdge>, };

/**
 * Answer of `ingestDistribution`.
 */
export type IngestedDistribution = { 
/**
 * The retained generation-2 module.
 */
module_json: string, 
/**
 * SHA-256 of `module_json`: the identity of the case.
 */
sha256: string, name: string, 
/**
 * Always `multiconductor`.
 */
model: "multiconductor", 
/**
 * Elements by kind: `buses`, `lines`, `switches`, `transformers`, `loads`, `generators`, `sources` and so on.
 */
counts: { [key in string]: number }, load_kw: number, gen_kw: number, 
/**
 * Hz, where the source says it.
 */
base_frequency: number | null, coords_space: CoordsSpace, coords_kind: CoordsKind, graph: DistributionGraph, warnings: Array<Diagnostic>, };

/**
 * A case of either model, told apart by `model`.
 */
export type IngestedNetwork = IngestedCase | IngestedDistribution;

/**
 * An `IngestedNetwork` without the rows of a balanced case, whose numbers are columns beside it.
 */
export type IngestedNetworkHead = IngestedCaseHead | IngestedDistribution;

export type JsonDropKind = "module" | "transmission" | "distribution" | "ambiguous" | "unknown";

/**
 * Answer of `classifyJson`.
 */
export type JsonDropClassification = { kind: JsonDropKind, 
/**
 * The reader that a case asks for; null for modules, ambiguous and unknown documents.
 */
format: string | null, };

/**
 * Answer of `ingestJsonDrop`.
 */
export type IngestedJsonDrop = { "kind": "module", format: null, payload: IngestedNetwork, } | { "kind": "transmission", format: string, payload: IngestedCase, } | { "kind": "distribution", format: string, payload: IngestedDistribution, } | { "kind": "ambiguous", format: null, payload: null, } | { "kind": "unknown", format: null, payload: null, };

/**
 * An `IngestedJsonDrop` without the rows of a balanced case, whose numbers are columns beside it.
 */
export type IngestedJsonDropHead = { kind: IngestedJsonDrop["kind"], format: string | null, 
/**
 * Null of a document that is no case or that several readers claim.
 */
payload: IngestedNetworkHead | null, };

export type DisplaySubstation = { number: number, name: string | null, x: number, y: number, };

export type DisplayBus = { number: number, x: number, y: number, };

export type DisplayBranch = { from: number, to: number, 
/**
 * Null where the drawing names none; lines of one pair come in the order of the file.
 */
circuit: string | null, points: Array<[number, number]>, };

export type DisplayCanvas = { width: number, height: number, };

/**
 * Answer of `parseDisplay`: a drawing in its own units with y upwards, never longitude and latitude.
 */
export type Display = { substations: Array<DisplaySubstation>, buses: Array<DisplayBus>, branches: Array<DisplayBranch>, canvas: DisplayCanvas | null, 
/**
 * Symbols that could not be read or belong to nothing.
 */
unmatched: Array<Diagnostic>, };

/**
 * What the space of a layer was decided by.
 */
export type GeoBasis = "marker" | "names" | "inferred" | "nothing";

/**
 * Something about one record of a layer.
 */
export type GeoWarning = { 
/**
 * 1-based; 0 where it concerns the case or the whole layer.
 */
record: number, code: string, message: string, 
/**
 * What `message` says.
 */
sentence: Message, };

/**
 * What became of a layer.
 */
export type GeoReport = { space: Exclude<CoordsSpace, "none">, basis: GeoBasis, 
/**
 * Records with coordinates.
 */
bus_records: number, branch_records: number, 
/**
 * Buses and branches of the case that the layer places.
 */
matched_buses: number, matched_branches: number, 
/**
 * Records that no bus and no branch took.
 */
unmatched_records: number, 
/**
 * Buses of the case without a position afterwards, which the map leaves out.
 */
unplaced_buses: number, 
/**
 * By record, at most 1000.
 */
warnings: Array<GeoWarning>, 
/**
 * Warnings beyond those.
 */
warnings_left_out: number, };

/**
 * Bus of a drawing: its number, or its name in a multiconductor case.
 */
export type GeoDrawingBus = { bus: ElementKey, x: number, y: number, };

/**
 * Branch of a drawing: its 1-based row, or the line's name in a multiconductor case.
 */
export type GeoDrawingBranch = { branch: ElementKey, points: Array<[number, number]>, };

/**
 * Matched places that are no map positions, for the diagram, in their own units.
 */
export type GeoDrawing = { buses: Array<GeoDrawingBus>, branches: Array<GeoDrawingBranch>, };

/**
 * Answer of `applyGeo`.
 */
export type GeoApplied = { 
/**
 * The case with the layer in its module; as it was where the layer is a drawing and the case has map positions.
 */
case: IngestedNetwork, report: GeoReport, drawing: GeoDrawing | null, };

/**
 * A `GeoApplied` without the rows of a balanced case, whose numbers are columns beside it.
 */
export type GeoAppliedHead = { case: IngestedNetworkHead, report: GeoReport, drawing: GeoDrawing | null, };

/**
 * A layout that lies on the map: what moves or rescales it (`applyLayout` of its own parts changes nothing).
 */
export type Placement = { 
/**
 * By row of the module; longer side 1, centred at the origin, y upwards.
 */
positions: Array<[number, number]>, 
/**
 * Degrees.
 */
centre_lon_lat: [number, number], 
/**
 * Kilometres to one unit, at the centre.
 */
scale_km: number, };

/**
 * A format that balanced cases can be written in.
 */
export type ExportFormat = { 
/**
 * Token for `exportModule`.
 */
format: string, 
/**
 * Name for people.
 */
label: string, 
/**
 * Without the dot.
 */
extension: string, };

/**
 * A class of units in the table of typical costs: heat rate times fuel price plus variable cost.
 */
export type TypicalCost = { fuel: string, 
/**
 * Size from which on it holds, MW of the largest output.
 */
from_mw: number, 
/**
 * MMBtu/MWh.
 */
heat_rate: number, 
/**
 * $/MMBtu.
 */
fuel_price: number, 
/**
 * $/MWh.
 */
variable: number, 
/**
 * $/MWh at half of the output.
 */
cost: number, };

/**
 * Units of one fuel.
 */
export type FuelUnits = { 
/**
 * In small letters, as the case says it; `unknown` where it says nothing.
 */
fuel: string, units: number, 
/**
 * How many have no cost.
 */
free: number, 
/**
 * Sum of the largest outputs, MW; without units that have no limit.
 */
p_max_mw: number, 
/**
 * Mean of the typical costs, $/MWh, weighted by the largest outputs.
 */
typical: number, };

/**
 * A cost that is given, c2 p^2 + c1 p + c0 in $/h for an output of p MW, of a fuel or of one generator.
 */
export type GivenCost = { 
/**
 * A word for a fuel; `unknown` names the units of unknown fuel.
 */
fuel?: string, 
/**
 * Number of a generator, its 1-based row.
 */
generator?: number, 
/**
 * $/MW²h; 0 by default.
 */
c2?: number, 
/**
 * $/MWh.
 */
c1: number, 
/**
 * $/h; 0 by default.
 */
c0?: number, };

/**
 * Costs to assume: given ones, or without them typical ones for the units without a cost.
 */
export type AssumedCosts = { given?: Array<GivenCost>, 
/**
 * Fuel of each generator by row, where the module does not say it.
 */
fuels?: Array<string>, };

/**
 * What to do about a source with an impedance: refuse it, or solve with it, which is exact.
 */
export type McSourceImpedance = "refuse" | "branch";

/**
 * What to do about controls that act while a feeder is solved: refuse them, or hold taps, capacitors and switches as written.
 */
export type McControls = "refuse" | "held";

/**
 * How a feeder is solved; stored with its result.
 */
export type McOptions = { source_impedance?: McSourceImpedance, controls?: McControls, 
/**
 * Largest change of a voltage in the last step, per unit; 1e-8 unless given, from 1e-12 to 1e-4.
 */
tolerance_pu?: number, 
/**
 * Steps until it is said not to converge; 100 unless given.
 */
max_iterations?: number, };

/**
 * Power of a load at nominal voltage over all its phases, which keep their proportions. Without `q_kvar` the power factor stays,
 * without `p_kw` the active power.
 */
export type McLoadPower = { p_kw?: number, q_kvar?: number, };

/**
 * What names the rows of a feeder's columns. The columns `terminal_bus`, `conductor_terminal` and so on, which go beside it, refer to
 * these by row.
 */
export type McRows = { buses: Array<string>, 
/**
 * Name of each terminal at its bus.
 */
terminals: Array<string>, 
/**
 * `class.name` of everything with conductors: lines, transformers, switches, capacitors and reactors.
 */
elements: Array<string>, sources: Array<string>, loads: Array<string>, };

/**
 * A terminal by name, with its voltage.
 */
export type McTerminal = { bus: string, terminal: string, voltage_v: number, voltage_pu: number, };

/**
 * Voltage unbalance of a bus: negative by positive sequence.
 */
export type McUnbalance = { bus: string, vuf: number, };

/**
 * Kirchhoff's law and the element equations at the published voltages and currents, by formulas that the solver does not share.
 */
export type McCertificate = { 
/**
 * Largest sum of currents at a terminal that is not grounded, A.
 */
kcl_residual_a: number, worst_terminal?: string, 
/**
 * The same by what rounding allows there.
 */
kcl_residual_part: number, 
/**
 * Largest difference of a held voltage, per unit of it.
 */
held_error_pu: number, 
/**
 * Largest difference of a current from that of its voltages, by what rounding allows.
 */
current_error_part: number, };

/**
 * Sums over a feeder, W and var.
 */
export type McTotals = { source_w: number, source_var: number, 
/**
 * What loads draw at their voltages.
 */
load_w: number, load_var: number, 
/**
 * Lost in lines and transformers; charging of lines counts as negative reactive loss.
 */
loss_w: number, loss_var: number, };

/**
 * What is said of a power flow of a feeder besides its columns. There are neither prices nor planning objectives.
 */
export type McResult = { name: string, 
/**
 * SHA-256 of the module it was solved from.
 */
case_sha256: string, options: McOptions, loads: { [key in string]: McLoadPower }, 
/**
 * Controls that do not act (`class.name`).
 */
held_controls: Array<string>, iterations: number, last_change_pu: number, certificate: McCertificate, totals: McTotals, 
/**
 * Among phases; neutrals have neither.
 */
lowest?: McTerminal, highest?: McTerminal, 
/**
 * Where the unbalance is largest.
 */
most_unbalanced?: McUnbalance, 
/**
 * Loads that no source reaches.
 */
not_supplied: Array<string>, 
/**
 * SHA-256 over the little-endian f64 of the hashed columns, rows that take part only.
 */
result_sha256: string, };

/**
 * Voltages of a drag: solved to the same tolerance as a result, and not yet certified.
 */
export type McPreview = { iterations: number, last_change_pu: number, };

/**
 * A column as it is kept in a file; null where a row takes no part.
 */
export type McStoredColumn = { name: ColumnName, element: ColumnElement, unit: string, values: Array<number | null>, };

/**
 * The unknown voltages of a solution, V, from which everything else follows.
 */
export type McUnknowns = { re: Array<number>, im: Array<number>, };

/**
 * A result as it is kept: what is said of it, its columns with what names their rows, and the solution that they follow from.
 */
export type McStoredResult = { head: McResult, rows: McRows, columns: Array<McStoredColumn>, solution: McUnknowns, };

/**
 * What a result was solved from.
 */
export type McInput = { name: string, module_json: string, 
/**
 * SHA-256 of `module_json`.
 */
sha256: string, loads: { [key in string]: McLoadPower }, };

/**
 * A multiconductor result with its input: `wattbook-mc-study`, version 1.
 */
export type McStudyFile = { schema: "wattbook-mc-study", version: number, input: McInput, options: McOptions, result: McStoredResult, };

/**
 * A kept study that was checked: its result goes beside it as columns.
 */
export type McReplay = { input: McInput, options: McOptions, rows: McRows, result: McResult, };

/**
 * The JSON form of an engine error.
 */
export type ErrorBody = { code: string, message: string, 
/**
 * What `message` says.
 */
sentence: Message, element?: Element, details?: unknown, };
