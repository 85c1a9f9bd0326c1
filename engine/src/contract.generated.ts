// Generated from engine/crates/study/src/contract by its test `contract`; do not edit.

export const CONTRACT_VERSION = "0.1.0";
export const CONTRACT_SOURCE_SHA256 = "0dcb2d1ddac2747857ca658a651127d5b68215c4ab4a283ca2aef45d19dc5fd7";
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
  lmp_without_security: { element: "bus", unit: "$/MWh" },
  lmp_security: { element: "bus", unit: "$/MWh" },
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
  link_from_mvar: { element: "link", unit: "MVAr" },
  link_to_mvar: { element: "link", unit: "MVAr" },
  link_price_difference: { element: "link", unit: "$/MWh" },
  link_shadow: { element: "link", unit: "$/MWh" },
  link_rent: { element: "link", unit: "$/h" },
  storage_mw: { element: "storage", unit: "MW" },
  storage_mvar: { element: "storage", unit: "MVAr" },
  storage_charges_below: { element: "storage", unit: "$/MWh" },
  storage_discharges_above: { element: "storage", unit: "$/MWh" },
  charge_mw: { element: "storage", unit: "MW" },
  discharge_mw: { element: "storage", unit: "MW" },
  stored_mwh: { element: "storage", unit: "MWh" },
  stored_value: { element: "storage", unit: "$/MWh" },
  ramp_value: { element: "generator", unit: "$/MWh" },
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
  dispatch_slope: { element: "generator", unit: "MW/MW" },
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
  link_scheduled_mw: { element: "link", unit: "MW" },
  link_loss_mw: { element: "link", unit: "MW" },
  link_loss_factor: { element: "link", unit: "" },
  link_cost: { element: "link", unit: "$/MWh" },
  storage_id: { element: "storage", unit: "" },
  storage_bus: { element: "storage", unit: "" },
  storage_in_service: { element: "storage", unit: "" },
  storage_held_mw: { element: "storage", unit: "MW" },
  storage_held_mvar: { element: "storage", unit: "MVAr" },
  storage_charge_max_mw: { element: "storage", unit: "MW" },
  storage_discharge_max_mw: { element: "storage", unit: "MW" },
  storage_charge_efficiency: { element: "storage", unit: "" },
  storage_discharge_efficiency: { element: "storage", unit: "" },
  storage_energy_mwh: { element: "storage", unit: "MWh" },
  storage_energy_min_mwh: { element: "storage", unit: "MWh" },
  storage_energy_max_mwh: { element: "storage", unit: "MWh" },
  storage_energy_value: { element: "storage", unit: "$/MWh" },
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
  acpf: ["edits", "sensitivities", "outages", "loadability"],
  socwr: ["edits", "sensitivities", "explanations", "lmp_components", "plans", "progress"],
};

/** The solve options that each formulation reads; it refuses the others. */
export const OPTIONS: { readonly [id in FormulationId]: readonly (keyof SolveOptions)[] } = {
  dcpf: ["dc_convention", "assumed_ratings"],
  dcopf: ["dc_convention", "assumed_ratings", "limits", "security", "soft", "storage"],
  acpf: ["dc_convention", "dispatch", "slack", "q_limits", "set_point_pu", "assumed_ratings"],
  socwr: ["dc_convention", "assumed_ratings", "lifted_cuts", "storage"],
};

/** Demand changes in MW from the base case, by bus id or uid. */
export type DemandDeltas = { [key in string]: number };

/** Rating changes in MW from the base case, by branch row or uid. */
export type RatingDeltas = { [key in string]: number };

/** Values of generators in place of those of the case, by generator row or uid. */
export type GeneratorEdits = { [key in string]: GeneratorEdit };

/** Values of branches in place of those of the case, by branch row or uid. */
export type BranchEdits = { [key in string]: BranchEdit };

/** Values of HVDC links in place of those of the case, by link row or uid. */
export type LinkEdits = { [key in string]: LinkEdit };

/** Values of storage units in place of those of the case, by storage row or uid. */
export type StorageEdits = { [key in string]: StorageEdit };

/** Edits of interfaces, keyed by their names in the option `limits`. */
export type InterfaceEdits = { [key in string]: InterfaceEdit };

/** Loads that are not as in the case, by name in any letter case (`load.` before it or not). */
export type McLoads = { [key in string]: McLoadPower };

export type FormulationId = "dcpf" | "dcopf" | "acpf" | "socwr";

export type SolveStatus = "optimal" | "feasible";

/**
 * How a branch susceptance is formed: `service` b = x/(r^2+x^2) with shifts and shunt conductance; `powermodels` the
 * same without shifts; `matpower` b = 1/(x tau) with shifts and shunt conductance.
 */
export type DcConvention = "service" | "powermodels" | "matpower";

export type SolveOptions = { dc_convention?: DcConvention, 
/**
 * AC power flow: the schedule of active power, by default the file's. The DC OPF uses the demand and ratings of
 * the base case, and generators as edited.
 */
dispatch?: DispatchSource, 
/**
 * AC power flow: the generators that balance the schedule. By default the references for the file's schedule, all
 * generators for the DC OPF's.
 */
slack?: SlackRule, 
/**
 * AC power flow: enforce the reactive limits of the generators that hold a voltage. Off by default.
 */
q_limits?: boolean, 
/**
 * AC power flow: one set-point for all generators, per unit, clipped to the upper voltage limit of each bus. By
 * default the file's set-points.
 */
set_point_pu?: number, 
/**
 * Whether branches without a rating in the source use the rating that the reader assumes, which follows from the
 * angle-difference limit and the voltage limits. On by default; otherwise only those limits restrict their flow.
 */
assumed_ratings?: boolean, 
/**
 * Conic relaxation: tighten it with lifted nonlinear cuts. On by default.
 */
lifted_cuts?: boolean, 
/**
 * Whether storage units are held at their power, which is the default, or those with an energy value are dispatched by it.
 */
storage?: StorageOption, 
/**
 * DC OPF: limits after outages.
 */
security?: SecurityOptions, 
/**
 * DC OPF: limits in addition to those of the case.
 */
limits?: NetworkLimits, 
/**
 * DC OPF: limits that may be exceeded at a price.
 */
soft?: SoftLimits, };

/**
 * The source of the schedule of active power.
 */
export type DispatchSource = "file" | "dcopf";

/**
 * The generators that balance a schedule: each reference for itself, or all generators of an island in proportion to
 * their capacity.
 */
export type SlackRule = "single" | "distributed";

/**
 * Values of a line or transformer in place of those of the case; what is absent stays as it is.
 */
export type BranchEdit = { 
/**
 * Whether it is in service.
 */
status?: boolean, 
/**
 * Thermal rating, MW in DC formulations, MVA in AC formulations. A change in `rates` counts from it.
 */
rating?: number, 
/**
 * Series reactance, per unit on the base power of the case.
 */
x?: number, 
/**
 * Off-nominal tap ratio.
 */
tap?: number, 
/**
 * Phase shift, degrees.
 */
shift?: number, };

/**
 * Values of a generator that replace those of the case; absent values are unchanged.
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
 * Marginal cost at zero output, $/MWh: it replaces the cost curve, and is constant over the output range without `c2`.
 */
cost?: number, 
/**
 * Quadratic coefficient beside `cost`, $/MW²h, at least zero: the cost of an output `p` is `c2 p² + cost p`. Zero by
 * default.
 */
c2?: number, 
/**
 * Whether it is in service.
 */
status?: boolean, };

/**
 * A limit of an interface.
 */
export type InterfaceValue = "max_mw" | "min_mw";

/**
 * Values of an HVDC link in place of those of the case; what is absent stays as it is.
 */
export type LinkEdit = { 
/**
 * Whether it is in service.
 */
status?: boolean, 
/**
 * Scheduled power at the from end, MW, positive into the link: the power that power flows hold.
 */
p?: number, 
/**
 * Lower limit of power, MW. A limit of at least zero holds for the power that the from end sends, a negative one for the power that
 * the to end delivers.
 */
p_min?: number, 
/**
 * Upper limit of power, MW, at the same ends.
 */
p_max?: number, 
/**
 * Constant loss, MW, at least zero.
 */
loss?: number, 
/**
 * Loss as a fraction of the sent power, at least 0 and below 1.
 */
loss_factor?: number, 
/**
 * Cost of the power at the from end, $/MWh, constant over its range: it replaces the cost curve.
 */
cost?: number, };

/**
 * Values of a storage unit in place of those of the case; what is absent stays as it is.
 */
export type StorageEdit = { 
/**
 * Whether it is in service.
 */
status?: boolean, 
/**
 * Power that it injects while it is held, MW, positive while it discharges.
 */
p?: number, 
/**
 * Reactive power that it injects, MVAr.
 */
q?: number, 
/**
 * Largest power of charging, MW, at least zero.
 */
p_charge_max?: number, 
/**
 * Largest power of discharging, MW, at least zero.
 */
p_discharge_max?: number, 
/**
 * Stored energy per charged energy, above 0 and at most 1.
 */
charge_efficiency?: number, 
/**
 * Supplied energy per stored energy, above 0 and at most 1.
 */
discharge_efficiency?: number, 
/**
 * Stored energy at the start of the hour, MWh; without it energy limits nothing.
 */
energy?: number, 
/**
 * Least stored energy, MWh.
 */
energy_min?: number, 
/**
 * Largest stored energy, MWh.
 */
energy_max?: number, 
/**
 * What stored energy is worth, $/MWh, at least zero. A unit without it is held.
 */
energy_value?: number, };

/**
 * Limits of an interface in place of those of the option `limits`; an absent limit stays as it is.
 */
export type InterfaceEdit = { 
/**
 * Lower limit of the flow, MW.
 */
min_mw?: number, 
/**
 * Upper limit of the flow, MW.
 */
max_mw?: number, };

/**
 * How storage is dispatched in one hour.
 */
export type StorageOption = "held" | "valued";

/**
 * Limits after outages in DC OPF (`docs/method/secure.md`). The prices of exceeding them are those of
 * `SoftLimits`.
 */
export type SecurityOptions = { 
/**
 * By default `all`: every branch in service by itself. `units`: every generator in service by itself; `all_and_units`: both.
 */
outages?: Outages, 
/**
 * Branches that are monitored after outages; by default all with a rating in the source.
 */
monitored?: Monitored, 
/**
 * Limits after outages. By default `RATE_C` where some are larger than the ratings and none is larger than three
 * times the rating, and otherwise 1.2 times the rating.
 */
emergency?: EmergencyRating, 
/**
 * Whether limits after outages that no dispatch holds at the demand of the case are raised to 1.02 times the least
 * flow; by default they are. Otherwise they are exceeded at their price.
 */
raise_limits?: boolean, 
/**
 * Participation of generators in replacing the output of one that is out of service, by relative factors of at
 * least zero; generators without an entry have none. By default in proportion to the largest output in the source
 * of each that is in service, can move, and may be positive.
 */
participation?: { [key in string]: number }, };

export type Outages = AllOutages | Array<OutageOf>;

export type AllOutages = "all" | "units" | "all_and_units";

/**
 * One branch, or up to eight that are out of service together, also with generators.
 */
export type OutageOf = ElementKey | Array<ElementKey> | { 
/**
 * That of the list it is from.
 */
name?: string, branches?: Array<ElementKey>, generators?: Array<ElementKey>, };

/**
 * A limit of a branch after outages that no dispatch holds at the demand of the case.
 */
export type RaisedLimit = { branch: number, 
/**
 * The outage after which the least flow is largest: ids of the branches out of service.
 */
outage: Array<number>, 
/**
 * Ids of the generators out of service; absent without any.
 */
generators_out?: Array<number>, limit_mw: number, 
/**
 * The least flow after that outage that a dispatch achieves, MW.
 */
least_mw: number, raised_to_mw: number, };

/**
 * Demand of a bus that is not served.
 */
export type LostLoad = { bus: number, mw: number, };

export type Monitored = number | Array<ElementKey>;

export type EmergencyRating = number | SourceRating;

/**
 * The emergency ratings of the source. A branch without one has its rating.
 */
export type SourceRating = "rate_b" | "rate_c";

/**
 * Prices of exceeding limits, $/MWh. The excess of a branch is shared by all outages, so that the shadow prices of its
 * limits sum to the price at most.
 */
export type SoftLimits = { 
/**
 * Limits after outages; by default 2,000 $/MWh. Hard limits are not raised.
 */
outages?: ExcessPrice, 
/**
 * Ratings before outages, which are hard by default.
 */
base?: number, 
/**
 * Demand that is not served, at each bus with demand in the case, at most all of it; by default all demand is
 * served.
 */
lost_load?: number, 
/**
 * Limits of interfaces; by default 5,000 $/MWh.
 */
interfaces?: ExcessPrice, };

/**
 * What exceeding a limit costs.
 */
export type ExcessPrice = number | HardLimit;

/**
 * A limit that is never exceeded: without a dispatch that holds all of them there is no solution.
 */
export type HardLimit = "hard";

/**
 * What was secured, and which of the limits set prices.
 */
export type SecurityReport = { 
/**
 * Outages that are secured.
 */
outages: number, 
/**
 * Outages that split an island, and outages of branches that take no part or have no impedance; ids.
 */
splitting: Array<Array<number>>, without_effect: Array<Array<number>>, 
/**
 * Ids of the generators of outages that are left out, since they are out of service or no other generator of
 * their island participates.
 */
generators_left_out?: Array<Array<number>>, 
/**
 * Branches that are monitored after outages.
 */
monitored: number, 
/**
 * Limits after outages that no dispatch holds, whatever other limits there are, and that are therefore raised.
 */
raised?: Array<RaisedLimit>, 
/**
 * The rule of the limits after outages, that of the options or the default; absent without the option `security`.
 */
emergency?: EmergencyRating, 
/**
 * Price of exceeding them, $/MWh; absent without the option `security` and where they are hard.
 */
penalty_usd_per_mwh?: number, 
/**
 * Price of exceeding ratings before outages, $/MWh; absent where they are hard.
 */
base_penalty_usd_per_mwh?: number, 
/**
 * Price of exceeding limits of interfaces, $/MWh; absent without interfaces and where they are hard.
 */
interface_penalty_usd_per_mwh?: number, 
/**
 * Demand that is not served, by bus.
 */
lost_load?: Array<LostLoad>, 
/**
 * Objective of the optimum without limits after outages and of interfaces, $/h; absent if there are none.
 */
objective_without?: number, 
/**
 * Cost of these limits without the payments for exceeded limits, $/h; absent if there are none.
 */
cost_usd_per_h?: number, 
/**
 * Part of the objective that pays for exceeded limits, without lost load, $/h, and the sum of the excesses, MW.
 */
penalties_usd_per_h: number, excess_mw: number, 
/**
 * Largest violation over all pairs of a branch and an outage, MW, from the last screening.
 */
worst_violation_mw: number, 
/**
 * Screenings until no pair was violated.
 */
rounds: number, 
/**
 * Limits of branches with a shadow price or an excess.
 */
binding: Array<BindingLimit>, 
/**
 * Every interface, in the order of the request.
 */
interfaces?: Array<InterfaceFlow>, };

/**
 * A limit of a branch after an outage, or a rating that may be exceeded.
 */
export type BindingLimit = { branch: number, 
/**
 * Ids of the branches that are out of service; empty before outages.
 */
outage: Array<number>, 
/**
 * Ids of the generators out of service in the outage; absent without any.
 */
generators_out?: Array<number>, 
/**
 * The name of the outage in the list that it is from.
 */
outage_name?: string, 
/**
 * A parallel branch of the same impedance, whose limit after the outage of this one is the same row: the split of the
 * shadow price between them is arbitrary, and all of it is here.
 */
twin?: number, 
/**
 * Flow at the from end, MW.
 */
flow_mw: number, limit_mw: number, 
/**
 * Excess of the branch, MW, shared by its outages.
 */
excess_mw: number, 
/**
 * $/MWh, at least zero.
 */
shadow_usd_per_mwh: number, };

/**
 * Limits of DC OPF in addition to those of the case.
 */
export type NetworkLimits = { 
/**
 * Names are unique.
 */
interfaces?: Array<InterfaceLimit>, };

/**
 * An interface (flowgate): limits on a weighted sum of the flows at the from ends of branches, before outages or after
 * one.
 */
export type InterfaceLimit = { name: string, branches: Array<InterfaceBranch>, 
/**
 * By default unlimited; at least one of the two limits is necessary.
 */
min_mw?: number, max_mw?: number, 
/**
 * Branches out of service when the limits apply; by default none.
 */
outage?: OutageOf, };

export type InterfaceBranch = { branch: ElementKey, 
/**
 * Factor of its flow, by default 1; -1 reverses the direction of the branch.
 */
weight?: number, };

/**
 * What lists of outages, monitored branches and interfaces say about a case (`docs/reference/formats.md`). The options
 * `security` and `limits` take outages, monitored branches and interfaces as they are here.
 */
export type SecurityLists = { outages: Array<OutageOf>, 
/**
 * Branches; absent if no list selects any.
 */
monitored?: Array<ElementKey>, interfaces: Array<InterfaceLimit>, 
/**
 * Statements that name what the case does not have.
 */
not_found: Array<ListStatement>, 
/**
 * Statements that name elements out of service.
 */
out_of_service: Array<ListStatement>, 
/**
 * Statements without effect on a DC model: voltages, shunts, interfaces without limits, outages of nothing.
 */
without_effect: Array<ListStatement>, 
/**
 * Statements that are not supported.
 */
unsupported: Array<ListStatement>, };

/**
 * A statement of a list.
 */
export type ListStatement = { file: string, 
/**
 * Counted from 1.
 */
line: number, text: string, 
/**
 * The outage or interface that is left out because of it.
 */
left_out?: string, };

/**
 * The state of an interface.
 */
export type InterfaceFlow = { name: string, 
/**
 * Sum of the weighted flows, after the outage if it has one, MW.
 */
flow_mw: number, 
/**
 * Absent where unlimited.
 */
min_mw?: number, max_mw?: number, 
/**
 * Power beyond its limit, MW.
 */
excess_mw: number, 
/**
 * $/MWh, positive at the upper limit and negative at the lower one.
 */
shadow_usd_per_mwh: number, };

/**
 * Elements that a Study adds to its case. Their ids follow those of the case, in this order.
 */
export type AddedElements = { branches?: Array<AddedBranch>, generators?: Array<AddedGenerator>, links?: Array<AddedLink>, storage?: Array<AddedStorage>, loads?: Array<AddedLoad>, };

/**
 * A line or transformer between two buses of the case: either a copy of one of its branches, in service, with the values given here in
 * place of its own, or one with these values alone.
 */
export type AddedBranch = { 
/**
 * Its name and key: not digits alone, and not the key of another element.
 */
name?: string, 
/**
 * The branch of the case that it is a parallel circuit of.
 */
copy_of?: ElementKey, 
/**
 * Buses at its ends; absent for a copy.
 */
from?: ElementKey, to?: ElementKey, 
/**
 * Series resistance, reactance and total charging susceptance, per unit on the base power of the case; zero by default.
 */
r?: number, x?: number, b?: number, 
/**
 * Thermal rating, MW in DC formulations, MVA in AC formulations; no limit by default.
 */
rating?: number, 
/**
 * Off-nominal tap ratio, 1 by default.
 */
tap?: number, 
/**
 * Phase shift, degrees, 0 by default.
 */
shift?: number, 
/**
 * Limits of the angle difference, degrees between -90 and 90, both or neither; no limit by default.
 */
angle_min?: number, angle_max?: number, };

/**
 * A generator at a bus of the case. In AC power flow it injects its scheduled power and controls no voltage.
 */
export type AddedGenerator = { 
/**
 * Its key: not digits alone, and not the key of another element.
 */
name?: string, bus: ElementKey, 
/**
 * Limits of active power, MW; the lower one is zero by default.
 */
p_min?: number, p_max: number, 
/**
 * Marginal cost, $/MWh, constant over the output range.
 */
cost: number, 
/**
 * Scheduled active power, MW: of power flows. The output closest to zero by default.
 */
p?: number, 
/**
 * Limits of reactive power, MVAr, zero by default, and the scheduled one, the closest to zero by default.
 */
q_min?: number, q_max?: number, q?: number, energy_source?: EnergySource, };

/**
 * An HVDC link between two buses of the case. In AC power flow its converters exchange no reactive power and control no voltage.
 */
export type AddedLink = { 
/**
 * Its key: not digits alone, and not the key of another element.
 */
name?: string, 
/**
 * The bus that takes power from the network while the power is positive, and the other one.
 */
from: ElementKey, to: ElementKey, 
/**
 * Limits of power, MW; the lower one is zero by default. A limit of at least zero holds for the power that the from end sends, a
 * negative one for the power that the to end delivers.
 */
p_min?: number, p_max: number, 
/**
 * Scheduled power at the from end, MW: of power flows. The power closest to zero by default.
 */
p?: number, 
/**
 * Constant loss, MW, zero by default.
 */
loss?: number, 
/**
 * Loss as a fraction of the sent power, at least 0 and below 1, zero by default.
 */
loss_factor?: number, 
/**
 * Cost of the power at the from end, $/MWh, zero by default.
 */
cost?: number, };

/**
 * A storage unit at a bus of the case. It is held at its power, or dispatched by its energy value where storage is valued.
 */
export type AddedStorage = { 
/**
 * Its key: not digits alone, and not the key of another element.
 */
name?: string, bus: ElementKey, 
/**
 * Power that it injects while it is held, MW, positive while it discharges, zero by default.
 */
p?: number, 
/**
 * Reactive power that it injects, MVAr, zero by default.
 */
q?: number, 
/**
 * Largest power of charging, MW, at least zero, zero by default.
 */
p_charge_max?: number, 
/**
 * Largest power of discharging, MW, at least zero, zero by default.
 */
p_discharge_max?: number, 
/**
 * Stored energy per charged energy, above 0 and at most 1, 1 by default.
 */
charge_efficiency?: number, 
/**
 * Supplied energy per stored energy, above 0 and at most 1, 1 by default.
 */
discharge_efficiency?: number, 
/**
 * Stored energy at the start of the hour, MWh; without it energy limits nothing.
 */
energy?: number, 
/**
 * Least stored energy, MWh, zero by default.
 */
energy_min?: number, 
/**
 * Largest stored energy, MWh, unlimited by default.
 */
energy_max?: number, 
/**
 * What stored energy is worth, $/MWh, at least zero. A unit without it is held.
 */
energy_value?: number, };

/**
 * A load of constant power at a bus of the case; it adds to the demand of the bus.
 */
export type AddedLoad = { name?: string, bus: ElementKey, 
/**
 * Active demand, MW, at least zero.
 */
p: number, 
/**
 * Reactive demand, MVAr, zero by default.
 */
q?: number, };

/**
 * A value of a branch that prices can be differentiated by.
 */
export type BranchValue = "rating" | "shift";

/**
 * A value of a generator or an HVDC link that prices can be differentiated by.
 */
export type GeneratorValue = "p_min" | "p_max" | "cost";

export type Edits = { deltas?: DemandDeltas, 
/**
 * Independent edits of reactive demand, MVAr from the base case by bus; other buses have a constant power factor.
 * Refused where the formulation has no reactive power.
 */
reactive?: DemandDeltas, rates?: RatingDeltas, generators?: { [key in string]: GeneratorEdit }, branches?: { [key in string]: BranchEdit }, links?: { [key in string]: LinkEdit }, storage?: { [key in string]: StorageEdit }, 
/**
 * Formulations without the option `limits` do not read them.
 */
interfaces?: { [key in string]: InterfaceEdit }, 
/**
 * Elements that the case does not have. The other edits may be of them too.
 */
added?: AddedElements, };

/**
 * Request of the stateless solve; `{}` is the base DC OPF.
 */
export type SolveRequest = { formulation?: FormulationId, edits?: Edits, sensitivities?: Array<SensRequest>, options?: SolveOptions, };

export type Power = "Active" | "Reactive";

export type FlowEnd = "From" | "To";

export type VoltageKind = "Magnitude" | "Angle" | "Squared" | "ProductReal" | "ProductImag";

/**
 * The operand of a sensitivity.
 */
export type Operand = { "Price": Power } | { "Dispatch": Power } | { "Flow": { power: Power, end: FlowEnd, } } | { "Voltage": VoltageKind };

export type CostTerm = "Quadratic" | "Linear";

export type AdmittancePart = "Conductance" | "Susceptance";

export type Bound = "Min" | "Max";

export type TransformerPart = "Ratio" | "PhaseShift";

/**
 * The parameter of a sensitivity.
 */
export type Parameter = { "Demand": Power } | { "Cost": CostTerm } | "LineLimit" | { "SeriesAdmittance": AdmittancePart } | { "ShuntAdmittance": AdmittancePart } | { "VoltageBound": Bound } | { "GenBound": { power: Power, bound: Bound, } } | { "Transformer": TransformerPart } | "Switching";

export type Mode = "Forward" | "Adjoint" | "Auto";

export type SensRequest = { operand: Operand, parameter: Parameter, 
/**
 * Dense 0-based columns; absent or null for all.
 */
indices?: Array<number> | null, mode?: Mode, };

/**
 * An element named in an answer, or its limit after an outage.
 */
export type Element = { 
/**
 * `bus`, `branch`, `generator`, `switch`, `storage`, `hvdc`, `transformer3w`, `interface`.
 */
kind: string, id: number, uid?: string, 
/**
 * Ids of the branches after whose outage the limit of the element is meant; absent before outages.
 */
outage?: Array<number>, 
/**
 * Ids of the generators out of service in the outage; absent without any.
 */
generators_out?: Array<number>, };

/**
 * A sentence or a part of one: a key of the catalogue `engine/messages/en.json`, and the values of its placeholders.
 * Clients use it to show the English `message` in another language or with other element names.
 */
export type Message = { key: string, values?: { [key in string]: MessageValue }, };

export type MessageValue = { "text": string } | { "number": { value?: number, text: string, } } | { "count": number } | { "element": Element } | { "list": Array<MessageValue> } | { "message": Message };

export type Diagnostic = { code: string, message: string, 
/**
 * `message` in catalogue form.
 */
sentence: Message, element?: Element, 
/**
 * The element of a multiconductor case, `class.name`: those elements have names instead of numbers.
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
 * Conic relaxation: the rest of the check, computed from the case's rows and the published columns alone. Largest
 * nodal imbalance of reactive power, MVAr.
 */
mismatch_mvar?: number, 
/**
 * Largest difference between a published flow and the flow of the voltage products, MVA.
 */
flow_error_mva?: number, 
/**
 * Largest violation of `|W|^2 <= w_f w_t`, relative to `w_f w_t`.
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
 * Original id of the bus with that imbalance.
 */
worst_bus?: number, 
/**
 * AC: the rest of the check, computed from the case's rows and the published columns alone. Largest nodal
 * imbalance of reactive power, MVAr.
 */
mismatch_mvar?: number, 
/**
 * Largest difference between a published flow and the flow that follows from the voltages at its ends, MVA.
 */
flow_error_mva?: number, 
/**
 * Largest deviation of a held voltage from its set-point, per unit.
 */
set_point_error_pu?: number, 
/**
 * With reactive limits: largest violation, MVAr, and largest deviation of a voltage to the wrong side of its
 * set-point, per unit.
 */
reactive_violation_mvar?: number, wrong_side_pu?: number, };

/**
 * The certificate of a result: that of an optimum or that of a power flow.
 */
export type ResponseCertificate = Certificate | PowerFlowCertificate;

/**
 * The starting point that an AC power flow was solved from.
 */
export type PowerFlowStart = "stored" | "harmonic" | "dc_angles" | "flat" | "held_magnitudes" | "reactive_continuation" | "load_continuation" | "base";

/**
 * Whether the reactive limits hold.
 */
export type ReactiveLimits = "ignored" | "kept" | "not_kept";

/**
 * An AC power flow without its columns.
 */
export type PowerFlowReport = { start: PowerFlowStart, 
/**
 * Steps of Newton's method.
 */
steps: number, dispatch: DispatchSource, slack: SlackRule, 
/**
 * Active losses of branches, MW.
 */
losses_mw: number, reactive_limits: ReactiveLimits, 
/**
 * Buses whose generators are at a reactive limit and do not hold their voltage.
 */
limited_buses: number[], 
/**
 * Buses that hold their voltage with more (positive) or less reactive power than their generators can supply, and
 * by how much, MVAr.
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
 * Largest remaining violation, MW.
 */
residual: number, };

/**
 * A result: body of `GET /api/cases/{id}/solution`, also returned by Study methods. Blocks that the formulation does
 * not have are absent; `SOLUTION_ROWS` lists the column of each number in a row.
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
 * Power flow only: by island, the balancing bus and the MW it adds to the dispatch.
 */
slack?: Array<BusValue>, power_flow?: PowerFlowReport, 
/**
 * Absent without the options `security` and `soft`.
 */
security?: SecurityReport, certificate: ResponseCertificate, 
/**
 * SHA-256 over the published columns (`docs/contract.md`, section 3).
 */
result_sha256: string, 
/**
 * Wall time of the solve, filled in by the host (the engine has no clock).
 */
solve_ms?: number, diagnostics: Array<Diagnostic>, };

/**
 * A `Solution` without the rows of `SOLUTION_ROWS`; the columns are returned beside it.
 */
export type SolutionHead = { case: string, formulation: FormulationId, status: SolveStatus, dc_convention?: DcConvention, 
/**
 * $/h.
 */
objective?: number, slack?: Array<BusValue>, power_flow?: PowerFlowReport, 
/**
 * Absent without the options `security` and `soft`.
 */
security?: SecurityReport, certificate: ResponseCertificate, result_sha256: string, diagnostics: Array<Diagnostic>, };

/**
 * The element kind of a column's rows.
 */
export type ColumnElement = "bus" | "branch" | "generator" | "link" | "storage" | "corner" | "terminal" | "conductor" | "element" | "source" | "load";

/**
 * All columns. Results have their columns in this order, which is also that of their hash.
 */
export type ColumnName = "lmp" | "lmp_q" | "lmp_energy" | "lmp_losses" | "lmp_congestion" | "lmp_voltage" | "lmp_without_security" | "lmp_security" | "slack_weight" | "vm_pu" | "va_rad" | "demand_mw" | "demand_mvar" | "flow_mw" | "flow_mvar" | "flow_to_mw" | "flow_to_mvar" | "product_real" | "product_imag" | "cone_gap" | "loading" | "shadow" | "rating_mw" | "rating_mva" | "dispatch_mw" | "dispatch_mvar" | "limit_shadow" | "link_mw" | "link_to_mw" | "link_from_mvar" | "link_to_mvar" | "link_price_difference" | "link_shadow" | "link_rent" | "storage_mw" | "storage_mvar" | "storage_charges_below" | "storage_discharges_above" | "charge_mw" | "discharge_mw" | "stored_mwh" | "stored_value" | "ramp_value" | "injection_mw" | "injection_mvar" | "vm_min_pu" | "vm_max_pu" | "q_min_mvar" | "q_max_mvar" | "lmp_change" | "vm_change" | "va_change" | "flow_change" | "flow_mvar_change" | "flow_to_change" | "flow_to_mvar_change" | "loading_change" | "lmp_slope" | "lmp_slope_left" | "lmp_slope_right" | "dispatch_slope" | "vm_slope" | "va_slope" | "flow_slope" | "flow_mvar_slope" | "layout_x" | "layout_y" | "bus_id" | "branch_id" | "generator_id" | "generator_bus" | "link_id" | "link_from_bus" | "link_to_bus" | "link_in_service" | "link_min_mw" | "link_max_mw" | "link_scheduled_mw" | "link_loss_mw" | "link_loss_factor" | "link_cost" | "storage_id" | "storage_bus" | "storage_in_service" | "storage_held_mw" | "storage_held_mvar" | "storage_charge_max_mw" | "storage_discharge_max_mw" | "storage_charge_efficiency" | "storage_discharge_efficiency" | "storage_energy_mwh" | "storage_energy_min_mwh" | "storage_energy_max_mwh" | "storage_energy_value" | "from_bus" | "to_bus" | "gen_mw" | "base_kv" | "area" | "zone" | "bus_in_service" | "branch_in_service" | "generator_in_service" | "bus_editable" | "branch_editable" | "rating_is_fallback" | "p_min_mw" | "p_max_mw" | "map_longitude" | "map_latitude" | "route_corners" | "corner_longitude" | "corner_latitude" | "longitude" | "latitude" | "r_pu" | "x_pu" | "b_pu" | "tap" | "shift_deg" | "cost_c2" | "cost_c1" | "cost_c0" | "voltage_v" | "voltage_deg" | "voltage_pu" | "current_a" | "current_deg" | "loss_w" | "loss_var" | "source_w" | "source_var" | "emf_w" | "emf_var" | "drawn_w" | "drawn_var" | "load_kw" | "load_kvar" | "vuf" | "nominal_v" | "distance_m" | "terminal_bus" | "is_phase" | "conductor_element" | "conductor_end" | "conductor_terminal" | "source_bus" | "load_bus";

/**
 * One number per row: doubles by dense row in the order of the topology (lowered rows last), NaN where a row is not
 * energised. The values are never JSON: they are a `Float64Array`, and in Python little-endian bytes.
 */
export type Column = { name: ColumnName, element: ColumnElement, unit: string, values: Float64Array, };

/**
 * Identification of the rows of a result; the columns `bus_id`, `branch_id`, `generator_id` and `generator_bus` are
 * returned beside it.
 */
export type RowsHead = { 
/**
 * Row uids of the buses; absent where the source has no uids.
 */
bus_uids?: Array<string | null>, 
/**
 * Row uids of the branches, where rows must have them.
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
 * Nodal injection of a power flow, MW and MVAr: generation minus demand, including the slack's share.
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
 * Power flow only: by island, the balancing bus and the MW it adds to the file's dispatch.
 */
slack?: Array<BusValue>, power_flow?: PowerFlowReport, iterations?: Array<SolveIteration>, sensitivities?: Array<SensitivityMatrix>, 
/**
 * Absent without the options `security` and `soft`.
 */
security?: SecurityReport, certificate: ResponseCertificate, result_sha256: string, diagnostics: Array<Diagnostic>, };

/**
 * A `SolveResponse` without rows. Its columns, the columns that identify rows, and the values of each matrix row by
 * row are returned beside it.
 */
export type SolveResponseHead = { formulation: FormulationId, status: SolveStatus, dc_convention?: DcConvention, objective?: number, slack?: Array<BusValue>, power_flow?: PowerFlowReport, iterations?: Array<SolveIteration>, sensitivities?: Array<SensitivityMatrixHead>, 
/**
 * Absent without the options `security` and `soft`.
 */
security?: SecurityReport, certificate: ResponseCertificate, result_sha256: string, diagnostics: Array<Diagnostic>, };

/**
 * The answer of a stateless solve, together with the identification of its rows.
 */
export type Solved = { response: SolveResponseHead, rows: RowsHead, };

/**
 * Voltage collapse along an edit, estimated from the power series of the solution without regard to reactive limits.
 */
export type Collapse = { 
/**
 * MW from the current state.
 */
mw: number, 
/**
 * Change of the estimate with the last term of the series, a measure of its accuracy.
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
 * What ends the interval of a column, in which it is exact (dcopf), the same limits bind (socwr), or its estimated
 * error is small (acpf).
 */
export type BreakpointEvent = "generator_reaches_max" | "generator_reaches_min" | "generator_reaches_breakpoint" | "generator_leaves_limit" | "line_binds" | "line_unbinds" | "excess_begins" | "excess_ends" | "lost_load_begins" | "lost_load_ends" | "edit_limit" | "error_estimate" | "reactive_limit" | "voltage_held" | "generator_reaches_limit" | "reactive_reaches_limit" | "reactive_leaves_limit" | "voltage_reaches_limit" | "voltage_leaves_limit" | "cut_binds" | "cut_unbinds" | "cone_tightens" | "cone_loosens";

export type WarrantEnd = { 
/**
 * MW from the current state, for a cost $/MWh; in a matrix in units of the column's parameter.
 */
mw: number, event: BreakpointEvent, element: Element, 
/**
 * Jump of the price at the watched bus when the edit continues past this end, $/MWh. Null where it was not
 * examined (matrices) or no region was found beyond.
 */
price_jump: number | null, 
/**
 * The bus of `price_jump`: the target, the generator's bus, or for a rating the bus whose price moves most.
 */
watched_bus?: number, 
/**
 * Present and true where no optimum exists past this end.
 */
no_solution_beyond?: boolean, };

/**
 * Where a sensitivity column is exact, and what ends that interval. A null end is unbounded, unless `point_only` is
 * set.
 */
export type Warrant = { kind: WarrantKind, 
/**
 * Lower and upper end in MW from the current state, for a cost $/MWh; null where unbounded. In a matrix in units
 * of the column's parameter.
 */
valid_mw: [number | null, number | null], ends: [WarrantEnd | null, WarrantEnd | null], 
/**
 * Demand columns only, and only where the price of the bus is not unique: the range of prices that support the
 * optimum, $/MWh, which are the derivatives of the minimum cost for a decrease and for an increase of the demand.
 * An end is null where no optimum exists on that side.
 */
price_interval?: [number | null, number | null], 
/**
 * Relative residual of the linear system for the column. In adjoint mode: relative difference between the matrix
 * and one column of it solved forward.
 */
residual: number, 
/**
 * Present and true where the derivative holds at the present state and no interval is given (`valid_mw` is then
 * `[0, 0]`): the optimum is not affine in the parameter, or the matrix was computed in adjoint mode.
 */
point_only?: boolean, 
/**
 * Power flows only: within `valid_mw`, the estimated error of every predicted voltage is below this, radians and
 * relative. It is an estimate from the next terms of the power series, not a bound.
 */
error_below_pu?: number, };

export type MatrixRow = { operand: Operand, element: Element, index: number, };

export type MatrixCol = { parameter: Parameter, element: Element, index: number, };

/**
 * `values[r][c]`: derivative of row operand by column parameter. Operands are in $/MWh, MW or MVAr, per unit or rad;
 * parameters in MW or MVAr (demand, line limit, generator bound), $/(MW^2 h) and $/MWh (cost), per unit (admittances,
 * voltage bounds), rad (phase shift), 1 (ratio, status). `units` states which.
 */
export type SensitivityMatrix = { values: Array<Array<number>>, rows: Array<MatrixRow>, cols: Array<MatrixCol>, units: string, warrants: Array<Warrant>, };

/**
 * A `SensitivityMatrix` without its values, which are returned beside it, row by row.
 */
export type SensitivityMatrixHead = { rows: Array<MatrixRow>, cols: Array<MatrixCol>, units: string, warrants: Array<Warrant>, };

/**
 * Sensitivity target: `{bus}` for dLMP/d(demand), `{branch, value}` for dLMP/d(rating or phase shift), `{generator,
 * value}` and `{link, value}` for dLMP/d(limit or cost); `value` is by default the rating or the upper limit. An element is an id
 * (number) or a key string.
 */
export type SensTarget = { bus: ElementKey, } | { branch: ElementKey, value?: BranchValue, } | { generator: ElementKey, value?: GeneratorValue, } | { link: ElementKey, value?: GeneratorValue, } | { interface: string, value?: InterfaceValue, };

/**
 * Original id (digits) or row uid (anything else).
 */
export type ElementKey = number | string;

/**
 * dLMP/d(demand at a bus), dLMP/d(rating of a branch) or dLMP/d(limit or cost of a generator or link); for a power flow
 * d|V|/d(demand at a bus), with reactive demand following as for an edit. Body of the HTTP sensitivity routes.
 */
export type SensitivityColumn = { case: string, 
/**
 * The operand of `values`: `lmp`, or `vm` for the voltage magnitude of a power flow.
 */
operand: string, 
/**
 * `d` or `fmax`; for a generator or link `pmin`, `pmax` or `cost`.
 */
parameter: string, bus?: number, branch?: number, generator?: number, link?: number, 
/**
 * `($/MWh)/MW`, for a cost `($/MWh)/($/MWh)`, or `pu/MW`.
 */
units: string, values: Array<BusValue>, 
/**
 * At a breakpoint only: the derivatives for a decrease and for an increase; absent where no optimum exists on that
 * side.
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
 * Power flows only, and only where the series has a collapse ahead on which its last terms agree within a tenth.
 */
collapse?: Collapse, };

/**
 * A `SensitivityColumn` without rows. Its columns are returned beside it: `lmp_slope`, at a breakpoint also
 * `lmp_slope_left` and `lmp_slope_right`; for a power flow `vm_slope`, `va_slope`, `flow_slope` and `flow_mvar_slope`.
 */
export type SensitivityHead = { case: string, operand: string, parameter: string, bus?: number, branch?: number, generator?: number, link?: number, 
/**
 * Name of the interface whose limit is the parameter.
 */
interface?: string, units: string, warrant: Warrant, 
/**
 * Power flows only: losses, MW/MW.
 */
losses?: number, 
/**
 * Power flows only, and only where the series has a collapse ahead on which its last terms agree within a tenth.
 */
collapse?: Collapse, };

/**
 * The effect of an edit: prices to first order, without a solve; for a power flow, chord steps from the base case.
 */
export type Preview = { 
/**
 * Changes of the prices, $/MWh; absent where the formulation has no prices.
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
 * Whether the whole edit stays inside the region where the first order is exact; for a power flow, whether a
 * commit gives the same state.
 */
exact: boolean, 
/**
 * Range of fractions of this edit within which it is exact (dcopf) or the same limits bind (socwr); a null end is
 * unbounded.
 */
valid_step: [number | null, number | null] | null, 
/**
 * The same range in MW when a single element is edited, absolute from the base case; for a single value of a
 * generator that value itself, MW or $/MWh.
 */
valid_mw: [number | null, number | null] | null, };

/**
 * A `Preview` without rows. Its columns are returned beside it: `lmp_change`; for a power flow `vm_change`,
 * `va_change`, `flow_change`, `flow_mvar_change`, `flow_to_change`, `flow_to_mvar_change` and `loading_change`.
 */
export type PreviewHead = { objectiveDelta: number | null, exact: boolean, valid_step: [number | null, number | null] | null, valid_mw: [number | null, number | null] | null, };

export type CommitResult = { solution: Solution, iterations: Array<SolveIteration>, sensitivity: SensitivityColumn | null, };

/**
 * A `CommitResult` without rows; the columns of the solution and of the sensitivity are returned beside it.
 */
export type CommitHead = { solution: SolutionHead, iterations: Array<SolveIteration>, sensitivity: SensitivityHead | null, };

/**
 * The content of a solution module, read without a solve.
 */
export type SolutionModule = { 
/**
 * The solution as saved, bit for bit; for another producer's module, its columns with a certificate computed here.
 */
solution: Solution, 
/**
 * The solved network as a separate module with the edits stored in it.
 */
module_json: string, 
/**
 * The producer of the solution, according to the module.
 */
producer?: string, 
/**
 * For our own modules: the case that was studied, and its edits in MW from that case by id.
 */
case_sha256?: string, deltas?: DemandDeltas, rates?: RatingDeltas, 
/**
 * Independently edited reactive demand, MVAr from the case by bus.
 */
reactive?: DemandDeltas, generators?: { [key in string]: GeneratorEdit }, branches?: { [key in string]: BranchEdit }, links?: { [key in string]: LinkEdit }, storage?: { [key in string]: StorageEdit }, interfaces?: { [key in string]: InterfaceEdit }, added?: AddedElements, };

/**
 * A `SolutionModule` without rows: the columns of the solution, and the columns that identify its rows, are returned
 * beside it.
 */
export type SolutionModuleHead = { solution: SolutionHead, rows: RowsHead, module_json: string, producer?: string, case_sha256?: string, deltas?: DemandDeltas, rates?: RatingDeltas, 
/**
 * Independently edited reactive demand, MVAr from the case by bus.
 */
reactive?: DemandDeltas, generators?: { [key in string]: GeneratorEdit }, branches?: { [key in string]: BranchEdit }, links?: { [key in string]: LinkEdit }, storage?: { [key in string]: StorageEdit }, interfaces?: { [key in string]: InterfaceEdit }, added?: AddedElements, };

/**
 * The reference of the energy component.
 */
export type PriceReference = "demand" | "even";

/**
 * The contribution of one binding line to a price.
 */
export type CongestionPart = { branch: number, uid?: string, 
/**
 * Ids of the branches out of service where the limit is one after an outage; otherwise empty.
 */
outage?: Array<number>, 
/**
 * Ids of the generators out of service in the outage; absent without any.
 */
generators_out?: Array<number>, 
/**
 * Name of the interface whose limit it is; `branch` is then its first branch.
 */
interface?: string, 
/**
 * $/MWh: `-shadow * shift_factor`.
 */
value: number, 
/**
 * Multiplier of the line's limit, $/MWh (>= 0), as in the solution's flows.
 */
shadow: number, 
/**
 * Change of the line's flow, in the direction in which it binds, for one MW injected at the bus and withdrawn at
 * the reference, MW per MW (for a rating of apparent power, MVA per MW). For a branch with an angle-difference
 * limit and no flow, radians per unit.
 */
shift_factor: number, };

/**
 * A price as energy and congestion: `price = energy + sum of congestion values`, to rounding. The conic relaxation
 * also has components for losses and voltage limits; the DC model has neither.
 *
 * The split depends on the reference, the price does not. With the reference spread by demand, `energy` is the
 * demand-weighted mean price of the island.
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
 * Marginal losses of a unit from the reference to the bus, $/MWh; absent where the formulation has no losses.
 */
losses?: number, 
/**
 * Component of voltage limits and the cuts derived from them, $/MWh; absent where the formulation has no voltage
 * limits.
 */
voltage?: number, 
/**
 * Every line in the bus's island with a shadow price, largest contribution first.
 */
congestion: Array<CongestionPart>, 
/**
 * Residual of the identity, $/MWh: rounding, and in the conic relaxation its accuracy.
 */
residual: number, };

export type ExplanationKind = "bounds" | "balance" | "lines" | "unbounded";

export type LimitKind = "rating" | "angle" | "rating_and_angle" | "minimum" | "maximum" | "demand" | "injection" | "reactive_supply" | "reactive_absorption" | "voltage_minimum" | "voltage_maximum";

/**
 * An element by its original id, with names that locate it for a reader.
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
buses?: number[], 
/**
 * Ids of the branches and of the generators out of service, of a limit after an outage; absent before outages.
 */
outage?: Array<number>, generators_out?: Array<number>, };

/**
 * A limit in the contradiction.
 */
export type ContradictingLimit = { element: NamedElement, limit: LimitKind, 
/**
 * MW of the minimum relaxation saved by one more MW of this limit; per radian where `limit_mw` is absent. In the
 * conic relaxation one MVA, 0.01 pu or one degree counts as one MW.
 */
weight: number, 
/**
 * The limit, MW (flow signed from the from end). Absent for the angle-difference limit of a branch without flow,
 * and for a generator without limits.
 */
limit_mw?: number, 
/**
 * The source has no rating for the branch; the reader assumed this one.
 */
rating_assumed?: boolean, };

/**
 * A limit and the amount by which the minimum relaxation exceeds it.
 */
export type RelaxedLimit = { element: NamedElement, limit: LimitKind, 
/**
 * MW; MVA for a rating in the conic relaxation, MVAr for reactive power; zero where only `angle_deg` or
 * `voltage_pu` applies.
 */
mw: number, 
/**
 * The amount rounded up, as in `remedy`, but not beyond the demand of a bus. A dispatch was verified to exist with
 * these amounts.
 */
rounded_mw: number, 
/**
 * Degrees by which the angle-difference limit must be widened.
 */
angle_deg?: number, 
/**
 * Per unit by which a voltage limit must be raised or lowered.
 */
voltage_pu?: number, 
/**
 * As in `ContradictingLimit`.
 */
rating_assumed?: boolean, };

/**
 * How far a single demand can be edited with everything else unchanged.
 */
export type DemandLimit = { element: NamedElement, 
/**
 * The largest or smallest feasible demand of the bus, MW, and the corresponding edit; exact.
 */
demand_mw: number, edit_mw: number, is_most: boolean, 
/**
 * A sentence whose figure is rounded into the feasible range.
 */
message: string, };

/**
 * Checks of the explanation against the original data.
 */
export type ExplanationCheck = { 
/**
 * Lower bound on the total relaxation, proved by the multipliers, MW.
 */
bound_mw: number, 
/**
 * Total of the stated relaxation minus the bound, MW: rounding, unless the search was stopped.
 */
gap_mw: number, 
/**
 * The relaxation in `remedy` was verified to admit a dispatch; its figures are rounded up by at most this, MW.
 */
margin_mw: number, 
/**
 * Unbounded problems only: change of the cost per additional MW of the generator, $/MWh, from two certified optima
 * with its output limited far out.
 */
slope_usd_per_mwh?: number, };

/**
 * The contradicting limits by name, and the minimum relaxation: the smallest sum, all MW weighted equally, of flows
 * above ratings and angle-difference limits, unserved demand, and output below the minimum. If several relaxations
 * have that sum, one is given. The conic relaxation counts missing and excess power at buses, ratings, voltage limits
 * and angle-difference limits: 1 MW equals 1 MVAr, 1 MVA, 0.01 pu and one degree.
 */
export type Explanation = { kind: ExplanationKind, 
/**
 * The full text: `No solution: the limits of line 12 and line 40 cannot both be met. Minimum relaxation: raise the
 * rating of line 12 by 4.1 MW.`
 */
message: string, 
/**
 * The contradiction, a part of a sentence.
 */
reason: string, 
/**
 * The remedy, a sentence. The relaxation it states is sufficient, because its figures are rounded up.
 */
remedy: string, 
/**
 * `message` in catalogue form, with the messages `reason`, `remedy` and, with `demand_limit`, `limit`.
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
 * Whether the sum is proved to be minimal. Otherwise the search was stopped, or the conic relaxation has a gap to
 * its proved bound; the relaxation is then the best found, equally verified (for a stopped search of the conic
 * relaxation, an estimate), and the minimum may be smaller by `verified.gap_mw`.
 */
is_least: boolean, 
/**
 * Present where a single demand was edited and there is a solution between the base case and the edit.
 */
demand_limit?: DemandLimit, verified: ExplanationCheck, };

/**
 * A change of the active set. Positions are MW on the axis of the track; prices at the watched bus are $/MWh, before
 * and after in the direction of the track.
 */
export type TrackBreakpoint = { mw: number, event: BreakpointEvent, element: Element, price_before: number, price_after: number, };

/**
 * A stretch without breakpoints, in which prices are affine and the cost is quadratic.
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
 * Why a track ends before its goal, and the position, MW.
 */
export type TrackStop = { mw: number, reason: TrackStopReason, message: string, 
/**
 * `message` in catalogue form. With `explanation` its messages are `stop` and `remedy`.
 */
sentence: Message, error?: ErrorBody, 
/**
 * With `explain`, where no optimum exists further on: the contradiction at the requested end, and the minimum
 * relaxation that would reach it.
 */
explanation?: Explanation, };

/**
 * The optimum along one demand, one rating, one phase shift, or one limit of a generator, an HVDC link or an interface, with the other
 * committed edits unchanged.
 */
export type Track = { target: Element, 
/**
 * For a generator or a link, the limit that moves: `p_min` or `p_max`.
 */
value?: GeneratorValue, 
/**
 * `shift` where the phase shift of a branch moves; absent for its rating.
 */
branch_value?: BranchValue, 
/**
 * For an interface, the limit that moves.
 */
interface_value?: InterfaceValue, 
/**
 * Bus of the prices below: the target, the generator's bus, or for a branch or an interface the bus whose price
 * changes most over the track.
 */
watched_bus: number, 
/**
 * As requested: MW from the base case, or for a generator, link or interface the limit itself in MW, for a phase shift the shift
 * itself in degrees, as in every position below; segments run in this direction.
 */
from_mw: number, to_mw: number, breakpoints: Array<TrackBreakpoint>, segments: Array<TrackSegment>, 
/**
 * Present where the segments begin after `from_mw`.
 */
begins?: TrackStop, 
/**
 * Present where the segments end before `to_mw`.
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
 * Branches with a shadow price at this position, in source order. The set is constant inside a segment.
 */
binding: Array<TrackBinding>, };

/**
 * A branch that binds at a position of a track.
 */
export type TrackBinding = { branch: number, uid?: string, 
/**
 * Ids of the branches out of service where the limit is one after an outage; otherwise empty.
 */
outage?: Array<number>, 
/**
 * Ids of the generators out of service in the outage; absent without any.
 */
generators_out?: Array<number>, 
/**
 * Name of the interface whose limit it is; `branch` is then its first branch.
 */
interface?: string, 
/**
 * Shadow price of the limit, $/MWh.
 */
shadow: number, };

/**
 * The outages of a screening.
 */
export type ScreeningOptions = { 
/**
 * Outages of these branches, which must be in service; of all branches in service if absent.
 */
branches?: Array<ElementKey>, 
/**
 * AC power flow: outages whose `estimated_loading` is below this fraction are not solved and have the kind
 * `estimated`.
 */
min_estimated_loading?: number, };

export type ContingencyKind = "loading" | "islanding" | "not_converged" | "estimated";

/**
 * A branch that an outage overloads and that was neither overloaded nor binding before.
 */
export type NewOverload = { branch: number, uid?: string, from_bus: number, to_bus: number, 
/**
 * Flow after the outage at the from end, MW.
 */
mw: number, 
/**
 * AC: the larger apparent power of its ends after the outage, MVA.
 */
mva?: number, 
/**
 * |flow| / rating after and before the outage; AC: apparent power / rating.
 */
loading_after: number, loading_before: number, };

/**
 * Outage of one branch at the displayed state, with dispatch and demand unchanged.
 */
export type ContingencyRow = { branch: number, uid?: string, kind: ContingencyKind, 
/**
 * The most loaded branch after the outage, its flow in MW at its from end and |flow| / rating; AC: the larger apparent
 * power of its ends, MVA, and its share of the rating. Absent where no other branch carries a flow.
 */
worst_branch?: number, worst_mw?: number, worst_mva?: number, worst_loading?: number, 
/**
 * Number of overloaded branches after the outage.
 */
overloads?: number, 
/**
 * Number of those that were neither overloaded nor binding before.
 */
new_overloads?: number, 
/**
 * The new overload whose loading rises most. Absent if there is no new overload.
 */
worst_new_overload?: NewOverload, 
/**
 * For an islanding outage: the buses of the smaller part, and their totals.
 */
buses_cut_off?: number[], demand_cut_off_mw?: number, generation_cut_off_mw?: number, 
/**
 * AC: the buses with the lowest and the highest voltage after the outage, and these voltages, pu.
 */
lowest_voltage_bus?: number, lowest_voltage_pu?: number, highest_voltage_bus?: number, highest_voltage_pu?: number, 
/**
 * AC: number of buses beyond a voltage limit after the outage, and of those that were within their limits before.
 */
voltage_violations?: number, new_voltage_violations?: number, 
/**
 * AC, where the Study enforces reactive limits: whether they hold after the outage.
 */
reactive_limits?: ReactiveLimits, 
/**
 * AC: the most loaded branch by line outage distribution factors (DC), which move the active flows of the state while
 * its reactive flows remain, and its loading. Absent where factors do not exist.
 */
estimated_branch?: number, estimated_loading?: number, };

/**
 * The objective of a plan: `sum_b weight_b * LMP_b`, $/MWh times the unit of the weights.
 */
export type ImplicitObjectiveJson = { "kind": "weighted_lmp", weights: Array<BusWeight>, };

export type BusWeight = { bus: ElementKey, weight: number, };

/**
 * The ratings that may rise, and by how much. Amounts are MW in DC and MVA in the SOC relaxation, counted from the
 * state that the plan starts from. Budget and maximum are whole multiples of the increment.
 */
export type CapacityPlanSpecJson = { objective: ImplicitObjectiveJson, 
/**
 * Lines, each once.
 */
candidates: Array<ElementKey>, max_increase_per_branch_mw: number, 
/**
 * Limit on the sum of all increases.
 */
budget_mw: number, increment_mw: number, 
/**
 * Number of lines that may change.
 */
max_changed_lines: number, 
/**
 * Number of exact solves: the baseline and every trial, whether accepted, rejected or failed.
 */
exact_solve_budget: number, };

/**
 * An increase of a rating from the state that the plan starts from.
 */
export type RatingIncrease = { branch: number, delta_mw: number, };

/**
 * Derivative of the plan's objective by the rating of a line, per MW (MVA in the SOC relaxation).
 */
export type GradientEntry = { branch: number, value: number, };

/**
 * A candidate that was solved exactly. Changes of `phi` are relative to the best state before it.
 */
export type CapacityPlanTrial = { 
/**
 * Number of its exact solve; the baseline is 1.
 */
exact_solve: number, 
/**
 * The line that receives another increment.
 */
line: RatingIncrease, 
/**
 * Gradient at the best state before it, by candidate in branch order.
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
 * Change along the exact path of this rating; absent in the SOC relaxation, which has no exact paths.
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
 * Why the trial was not accepted.
 */
reason: Diagnostic | null, };

/**
 * A state of a plan: its objective, its cost in $/h, and the exact solve that found it.
 */
export type CapacityPlanState = { phi: number, objective: number, exact_solve: number, };

/**
 * Why a plan ended.
 */
export type CapacityPlanEnd = "solve_budget" | "capacity_budget" | "demand_budget" | "element_limit" | "change_limit" | "not_placed" | "no_improvement" | "cancelled";

/**
 * The best verified candidate within the budget: an unapplied proposal, not a global optimum.
 */
export type CapacityPlanOutcomeJson = { baseline: CapacityPlanState, best: CapacityPlanState, 
/**
 * In branch order; empty where no trial improved on the baseline.
 */
proposal: Array<RatingIncrease>, spent_budget_mw: number, exact_solves: number, 
/**
 * Whether the exact solves are exhausted.
 */
exhausted: boolean, ended: CapacityPlanEnd, trials: Array<CapacityPlanTrial>, };

/**
 * The kind of a demand plan.
 */
export type DemandPlanKind = "demand_placement" | "demand_redistribution";

/**
 * The demand that may change, and by how much, counted from the state that the plan starts from. Reactive demand
 * follows as for an edit. Budget and maximum are whole multiples of the increment.
 */
export type DemandPlanSpecJson = { kind: DemandPlanKind, objective: ImplicitObjectiveJson, 
/**
 * Buses, each once.
 */
candidates: Array<ElementKey>, 
/**
 * For a redistribution the limit in either direction; no demand falls below zero.
 */
max_change_per_bus_mw: number, 
/**
 * Placement: the demand to place, all of it. Redistribution: the largest amount that may move.
 */
budget_mw: number, increment_mw: number, 
/**
 * Number of buses that may change.
 */
max_changed_buses: number, 
/**
 * Number of exact solves: the baseline and every trial, whether it places or moves demand, accepted, rejected or
 * failed.
 */
exact_solve_budget: number, };

/**
 * A change of the demand of a bus.
 */
export type DemandChange = { bus: number, delta_mw: number, };

/**
 * Derivative of the plan's objective by the demand of a bus, per MW, with reactive demand following.
 */
export type DemandGradientEntry = { bus: number, value: number, };

/**
 * A candidate that was solved exactly. Changes of `phi` are relative to the best state before it.
 */
export type DemandPlanTrial = { 
/**
 * Number of its exact solve; the baseline is 1.
 */
exact_solve: number, 
/**
 * The changes: demand placed at a bus, or an increment moved from one bus to another.
 */
step: Array<DemandChange>, 
/**
 * Whether it places demand. A placement is accepted if it has a solution; a move must lower `phi`.
 */
places: boolean, 
/**
 * Gradient at the best state before it, by candidate in bus order.
 */
gradient: Array<DemandGradientEntry>, 
/**
 * All changes of the trial, from the state that the plan starts from.
 */
delta_mw: Array<DemandChange>, 
/**
 * Gradient times step.
 */
predicted_phi_delta: number, 
/**
 * Change along the exact path of this step; absent in the SOC relaxation, which has no exact paths.
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
 * Why the trial was not accepted.
 */
reason: Diagnostic | null, };

/**
 * The best verified candidate within the budget: an unapplied proposal, not a global optimum. The baseline of a
 * placement is the state without the placed demand.
 */
export type DemandPlanOutcomeJson = { kind: DemandPlanKind, baseline: CapacityPlanState, best: CapacityPlanState, 
/**
 * In bus order; empty where no improvement was found, or not all of the demand could be placed.
 */
proposal: Array<DemandChange>, 
/**
 * Demand that is placed or moved.
 */
spent_budget_mw: number, exact_solves: number, 
/**
 * Whether the exact solves are exhausted.
 */
exhausted: boolean, ended: CapacityPlanEnd, trials: Array<DemandPlanTrial>, };

/**
 * Specification of a plan: of demand if it has a `kind`, otherwise of line capacity.
 */
export type PlanSpecJson = CapacityPlanSpecJson | DemandPlanSpecJson;

/**
 * Outcome of a plan: of demand if it has a `kind`, otherwise of line capacity.
 */
export type PlanOutcomeJson = CapacityPlanOutcomeJson | DemandPlanOutcomeJson;

/**
 * A trial of a plan: of demand if it has a `step`, of line capacity if it has a `line`.
 */
export type PlanTrial = CapacityPlanTrial | DemandPlanTrial;

/**
 * A saved Study, the content of a `.study.json` file: the document, and each referenced text once by its SHA-256.
 */
export type StudyBundle = { document: StudyDocument, artifacts: { [key in string]: StudyArtifact }, };

/**
 * The kind of a text in a bundle.
 */
export type ArtifactKind = "module" | "solution" | "geo_layer" | "drawing" | "evidence";

export type StudyArtifact = { kind: ArtifactKind, text: string, };

/**
 * A Study without the texts: states, goals and activity, by ids of its own (letters, digits, `-`, `_`, `.`).
 * References are ids of states and goals, and SHA-256 of artifacts.
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
 * Formulation of the applied state.
 */
formulation: FormulationId, 
/**
 * Options of every state without its own.
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
 * The state on display.
 */
inspected_state: string, recommended_state?: string, applied_state: string, active_goal?: string, 
/**
 * The module of the base case, which is the case; without it a Study cannot be reset.
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
 * A solved state: `input`, a module, with absolute edits by original id. Its result depends only on these,
 * `formulation` and options; `result_sha256` is its hash.
 */
export type StateNode = { 
/**
 * The label in lists: the name, or the edit that led to the state.
 */
label: string, 
/**
 * The name that a user gave it.
 */
name?: string, note?: string, formulation: FormulationId, 
/**
 * Present where they differ from those of the document.
 */
options?: SolveOptions, 
/**
 * SHA-256 of the module that the edits apply to.
 */
input: string, 
/**
 * The state from which it was reached.
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
 * MVAr, for buses whose reactive demand is edited independently.
 */
reactive?: { [key in string]: number }, generators?: { [key in string]: GeneratorEdit }, branches?: { [key in string]: BranchEdit }, links?: { [key in string]: LinkEdit }, storage?: { [key in string]: StorageEdit }, interfaces?: { [key in string]: InterfaceEdit }, added?: AddedElements, 
/**
 * The revision at which it was first published; absent for an unpublished candidate.
 */
revision?: number, 
/**
 * ISO 8601, UTC.
 */
at: string, 
/**
 * Absent where it has not been solved.
 */
result_sha256?: string, solve_ms?: number, 
/**
 * Whether it was committed elsewhere, for instance in a kernel.
 */
remote?: boolean, 
/**
 * $/h; absent where the formulation has no cost.
 */
objective?: number, 
/**
 * The solution module of the result; a state without it is solved again when it is displayed.
 */
solution?: string, view?: StudyView, };

/**
 * Positions of the network of a Study, and the last view.
 */
export type StudyDisplay = { 
/**
 * Positions and line paths that replace those of the case, applied in this order.
 */
layers: Array<StudyLayer>, drawing?: StudyLayer, view?: StudyView, };

/**
 * A geographic layer or a drawing; `name` is the file name.
 */
export type StudyLayer = { name: string, artifact: string, 
/**
 * The origin of the positions of a layer.
 */
coords_kind?: CoordsKind, };

/**
 * The view of a map: quantities of buses and lines by name, the selected elements with the primary last, and the
 * camera.
 */
export type StudyView = { quantity?: string, lines?: string, preview_mode?: string, selection?: Array<Element>, camera?: StudyCamera, };

/**
 * Centre and size of a view: degrees and degrees of longitude on the map, own units in a drawing.
 */
export type StudyCamera = { x: number, y: number, 
/**
 * Width covered by the view.
 */
width: number, 
/**
 * Rotation: degrees by which north is turned clockwise from up.
 */
bearing: number, 
/**
 * Tilt from straight down, degrees; absent where the view is not tilted.
 */
pitch?: number, 
/**
 * Whether the earth is drawn as a globe; absent on a flat map.
 */
globe?: boolean, 
/**
 * Whether the view shows the drawing.
 */
drawing: boolean, };

export type ExperimentKind = "observation" | "edit" | "solve" | "planning_trial" | "decision";

/**
 * One entry of the activity. Its texts are displayed, never interpreted.
 */
export type StudyExperiment = { kind: ExperimentKind, label: string, 
/**
 * The outcome; empty where there is nothing to report.
 */
result: string, failed?: boolean, 
/**
 * ISO 8601, UTC.
 */
at: string, 
/**
 * Duration, ms.
 */
ms?: number, 
/**
 * The state that resulted, or that the entry concerns.
 */
state?: string, goal?: string, 
/**
 * For a planning trial: its `exact_solve` in the outcome of the goal.
 */
trial?: number, 
/**
 * For an entry of kind `decision`: the id of the decision.
 */
decision?: string, remote?: boolean, };

/**
 * The subject of a goal.
 */
export type GoalScope = { "kind": "network" } | { "kind": "area", area: number, } | { "kind": "elements", elements: Array<Element>, };

/**
 * A plan: its specification from a state, and its outcome with every trial.
 */
export type StudyGoal = { label: string, note?: string, scope?: GoalScope, formulation: FormulationId, 
/**
 * The state that the plan starts from and that its amounts refer to.
 */
start_state: string, spec: PlanSpecJson, outcome?: PlanOutcomeJson, 
/**
 * The state that the plan recommends.
 */
candidate_state?: string, };

/**
 * A record that somebody decided on a proposal. It grants no permission: approvals are given in the panel and are not
 * stored.
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
 * The demand that grows: of a bus, of all buses of an area in proportion to their demand, or of all buses. Reactive
 * demand grows at constant power factor, as for an edit.
 */
export type LoadabilityTarget = { bus: ElementKey, } | { area: number, } | { 
/**
 * Always true.
 */
system: boolean, };

/**
 * Voltages of a bus along the curve, per unit.
 */
export type LoadabilityBus = { bus: number, vm_pu: Array<number>, };

/**
 * The PV curve from the committed state of an AC power flow up to voltage collapse.
 */
export type Loadability = { 
/**
 * Growing demand at the committed state, MW.
 */
demand_mw: number, 
/**
 * Largest growth with a verified solution, MW.
 */
margin_mw: number, 
/**
 * Smallest growth tried that has no solution, MW; null where every growth tried has a solution.
 */
no_solution_mw: number | null, 
/**
 * Estimate from the power series of the committed state; absent where the series has no collapse ahead, or its
 * last terms differ by more than a tenth.
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
 * One step of a job. Fields that a kind of job does not report are absent.
 */
export type JobStep = { done: boolean, 
/**
 * Completed fraction of the work, 0 to 1, never decreasing; for an explanation an estimate.
 */
fraction: number, 
/**
 * Track: the position reached, MW from the base case. Loadability: growth of the demand with a solution, MW.
 */
at_mw?: number, 
/**
 * Explanation: verified lower bound on the minimum relaxation, MW, never decreasing.
 */
at_least_mw?: number, 
/**
 * Screening: the outages of this step, in source order.
 */
rows?: Array<ContingencyRow>, 
/**
 * Solve: the last iteration of an iterative solver.
 */
iteration?: SolveIteration, 
/**
 * Solve: the gap at that iteration, relative to the objective.
 */
gap?: number, 
/**
 * Plan: the trials of this step, in the order in which they were solved.
 */
trials?: Array<PlanTrial>, };

/**
 * A layout without its columns `layout_x` and `layout_y`.
 */
export type LayoutHead = { 
/**
 * Default length of the longer side of the drawing, kilometres.
 */
default_scale_km: number, };

/**
 * How much energy a storage unit has at the end of a day.
 */
export type DayEnd = "cyclic" | "start" | "free";

/**
 * A storage unit in a day. Values that are absent are those of the case.
 */
export type DayStorage = { storage: ElementKey, 
/**
 * Stored energy at the start of the day, MWh.
 */
start_mwh?: number, end?: DayEnd, 
/**
 * Wear of a unit by its power, $/MWh, at least zero.
 */
charge_cost?: number, discharge_cost?: number, };

/**
 * Limits of the change of a generator's output.
 */
export type RampLimit = { generator: ElementKey, 
/**
 * MW per hour, at least zero; no limit if absent.
 */
up_mw_per_h?: number, down_mw_per_h?: number, };

/**
 * The elements of a day and what couples its hours. Each step has one value for each bus (change of demand from the base case, MW),
 * branch (change of rating, MW), generator (part of Pmax that is available, 0 to 1) and storage unit with inflow (MW), in this order.
 */
export type DaySpec = { buses: Array<ElementKey>, branches: Array<ElementKey>, generators: Array<ElementKey>, inflow: Array<ElementKey>, 
/**
 * Number of steps.
 */
steps: number, 
/**
 * Length of a step, hours; 1 if absent.
 */
hours?: number, 
/**
 * Of units without one of their own. By default a unit with an energy value ends `free`, one without a stored energy in the source
 * `cyclic`, others as at the `start`.
 */
end?: DayEnd, storage: Array<DayStorage>, ramps: Array<RampLimit>, };

/**
 * Independent check of a day, computed from its dispatch, energies and bus prices.
 */
export type DayCertificate = { 
/**
 * Largest imbalance of an island in an hour, MW.
 */
primal_residual_mw: number, 
/**
 * Largest violation of a limit of a line, an output, a stored energy or a change of output, MW.
 */
worst_violation_mw: number, 
/**
 * Largest error of a change of stored energy, MW.
 */
energy_residual_mw: number, stationarity_usd_per_mwh: number, 
/**
 * Cost of the day less the lower bound that its prices prove.
 */
duality_gap_usd: number, relative_gap: number, };

/**
 * A solved day without its columns, which have all rows of the first step, then those of the second, and so on.
 */
export type DayHead = { 
/**
 * Cost of all steps, $.
 */
objective_usd: number, 
/**
 * Worth of the energy that is stored at the end, by the energy values of the units, $. It is not part of the cost.
 */
end_value_usd: number, 
/**
 * Cost of each step, $/h.
 */
step_costs: Array<number>, 
/**
 * SHA-256 over the objective and the columns of all steps.
 */
result_sha256: string, certificate: DayCertificate, diagnostics: Array<Diagnostic>, };

/**
 * What happens at an end of the interval of a derivative.
 */
export type DayEventKind = "reaches" | "leaves";

/**
 * An end of the interval of a derivative.
 */
export type DayEvent = { 
/**
 * From 1.
 */
step: number, element: Element, kind: DayEventKind, };

/**
 * Derivatives of all prices and outputs of a day by one demand, without their columns `lmp_slope` and `dispatch_slope`, which have all rows
 * of the first step, then those of the second, and so on.
 */
export type DaySensitivity = { 
/**
 * Original id.
 */
bus: number, 
/**
 * From 1.
 */
step: number, 
/**
 * Changes of the demand, MW, between which the derivatives are exact; null is unbounded. The least interval where the value of idle
 * storage is not unique.
 */
valid_mw: [number | null, number | null], 
/**
 * What ends the interval below and above.
 */
ends: [DayEvent | null, DayEvent | null], };

/**
 * The elements and columns of a series.
 */
export type SeriesSpec = { 
/**
 * The buses whose demand each step sets, by id or uid. All other edits are the committed ones.
 */
buses: Array<ElementKey>, 
/**
 * The branches whose rating each step sets.
 */
branches: Array<ElementKey>, 
/**
 * Requested columns of each step.
 */
columns: Array<ColumnName>, };

/**
 * One step of a series. A solved step has everything that a commit of the same edits has; a failed step has its error
 * instead.
 */
export type SeriesStep = { 
/**
 * $/h.
 */
objective?: number, result_sha256?: string, certificate?: ResponseCertificate, error?: ErrorBody, };

/**
 * Consecutive steps without their columns, which have all rows of the first step, then those of the second, and so on;
 * NaN in failed steps.
 */
export type SeriesHead = { steps: Array<SeriesStep>, };

/**
 * A demand profile without its column `demand_mw`, which has all buses of the first step, then those of the second,
 * and so on, MW.
 */
export type ProfileHead = { 
/**
 * Labels of the steps: ISO 8601 times, or the labels of a table.
 */
steps: Array<string>, 
/**
 * Original ids.
 */
buses: number[], };

/**
 * What Studies of a formulation support besides reading results. Those with price columns have prices.
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
 * Names of the solve options that it reads; other options are refused.
 */
options: Array<string>, operands: Array<Operand>, parameters: Array<Parameter>, };

export type Capabilities = { formulations: Array<ProblemCaps>, operands: Array<Operand>, parameters: Array<Parameter>, };

export type TopologyBus = { id: number, uid: string | null, name: string | null, 
/**
 * Number in the source where it differs from the id: pandapower counts from 0.
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
 * MW, the fallback rating where the source has no rating. Null for a branch without impedance and rating, which is
 * not limited.
 */
rate_mw: number | null, rate_is_fallback: boolean, 
/**
 * Whether the branch is a switch, open where its status is 0; absent where it is none.
 */
is_switch?: boolean, status: number, editable: boolean, };

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
 * Corners of a piecewise-linear cost, MW and $/h; the first and last slopes extend outwards.
 */
cost_points?: Array<[number, number]>, };

/**
 * HVDC link: it takes power at its from bus and delivers it, less its losses, at its to bus.
 */
export type TopologyLink = { id: number, uid: string | null, from: number, to: number, 
/**
 * Limits of the power at the from bus; null where unlimited.
 */
p_min_mw: number | null, p_max_mw: number | null, 
/**
 * Scheduled power at the from bus, constant loss, and loss as a fraction of the sent power.
 */
p_mw: number, loss_mw: number, loss_factor: number, 
/**
 * Cost of the power at the from bus, $/MWh; null where it is a curve.
 */
cost: number | null, status: number, };

/**
 * Storage unit.
 */
export type TopologyStorage = { id: number, uid: string | null, bus: number, 
/**
 * Power that it injects while it is held, positive while it discharges.
 */
p_mw: number, q_mvar: number, 
/**
 * Largest power of charging and of discharging; null where unlimited.
 */
p_charge_max_mw: number | null, p_discharge_max_mw: number | null, 
/**
 * Stored per charged and supplied per stored energy.
 */
charge_efficiency: number, discharge_efficiency: number, 
/**
 * Stored energy; null where it is unknown.
 */
energy_mwh: number | null, energy_min_mwh: number, 
/**
 * Null where unlimited.
 */
energy_max_mwh: number | null, 
/**
 * What stored energy is worth, $/MWh; null where nothing says it.
 */
energy_value: number | null, status: number, };

/**
 * Energy source of a generator, where the source file states it.
 */
export type EnergySource = "hydro" | "nuclear" | "wind" | "thermal" | "coal" | "gas" | "solar" | "other";

/**
 * Rows in source order; row k here is dense row k of `columns()`.
 */
export type Topology = { buses: Array<TopologyBus>, branches: Array<TopologyBranch>, generators: Array<TopologyGenerator>, 
/**
 * Absent in a case without HVDC links.
 */
links?: Array<TopologyLink>, 
/**
 * Absent in a case without storage.
 */
storage?: Array<TopologyStorage>, };

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
 * The space of coordinates. Only geographic coordinates are longitude and latitude.
 */
export type CoordsSpace = "geographic" | "projected" | "drawing" | "unknown" | "none";

/**
 * Where map positions come from.
 */
export type CoordsKind = "file" | "synthetic_pending" | "synthetic" | "manual";

/**
 * A case without its rows.
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
 * Whether every energised bus has a map position. Otherwise the view holds only the buses that have one.
 */
has_coords: boolean, coords_kind: CoordsKind, };

/**
 * Answer of `ingestCase`.
 */
export type IngestedCase = { topology: Topology, 
/**
 * Null if no bus has a map position.
 */
view: Network | null, warnings: Array<Diagnostic>, 
/**
 * Fuel of each generator in the wording of the file, where it has fuels and the module has no field for them
 * (`mpc.genfuel`).
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
 * Whether every energised bus has a map position. Otherwise the view holds only the buses that have one.
 */
has_coords: boolean, coords_kind: CoordsKind, };

/**
 * Texts of a `Topology` by row, each list absent where every row lacks one; its numbers are columns.
 */
export type TopologyHead = { bus_uids?: Array<string | null>, bus_names?: Array<string | null>, bus_source_indices?: (number | null)[], branch_uids?: Array<string | null>, branch_names?: Array<string | null>, 
/**
 * Rows of the branches that are switches.
 */
switches?: Array<number>, generator_uids?: Array<string | null>, link_uids?: Array<string | null>, storage_uids?: Array<string | null>, 
/**
 * Absent where the source states no energy sources.
 */
energy_sources?: Array<EnergySource>, 
/**
 * Corners of the piecewise-linear costs by generator row.
 */
cost_points?: { [key in number]: Array<[number, number]> }, };

/**
 * A `Network` without rows, which are those of the topology; columns hold their positions.
 */
export type NetworkHead = { id: string, name: string, base_mva: number, synthetic_coords: boolean, };

/**
 * An `IngestedCase` without rows; the columns beside it hold their numbers.
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
 * Whether every energised bus has a map position. Otherwise the view holds only the buses that have one.
 */
has_coords: boolean, coords_kind: CoordsKind, };

/**
 * Bus of a multiconductor network.
 */
export type DistributionBus = { 
/**
 * Its name, by which elements refer to it.
 */
id: string, terminals: Array<string>, 
/**
 * Terminals with a perfect connection to ground.
 */
grounded: Array<string>, 
/**
 * In the units of `coords_space`; longitude and latitude only if that is geographic.
 */
xy?: [number, number], 
/**
 * Active power of its loads over all phases, kW.
 */
load_kw: number, has_source: boolean, 
/**
 * Equipment at the bus: sources, loads, capacitors and the like.
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
 * A connection between two buses of a multiconductor network.
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
 * False for open switches and for elements out of service.
 */
closed: boolean, 
/**
 * Whether a regulator control in service changes the taps of this transformer.
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
 * Hz, where the source states it.
 */
base_frequency: number | null, coords_space: CoordsSpace, coords_kind: CoordsKind, graph: DistributionGraph, warnings: Array<Diagnostic>, };

/**
 * A case of either model, distinguished by `model`.
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
 * The reader for a case; null for modules, ambiguous and unknown documents.
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
 * Null for a document that is not a case or matches several readers.
 */
payload: IngestedNetworkHead | null, };

export type DisplaySubstation = { number: number, name: string | null, x: number, y: number, };

export type DisplayBus = { number: number, x: number, y: number, };

export type DisplayBranch = { from: number, to: number, 
/**
 * Null where the drawing has no circuit names; parallel lines follow the order of the file.
 */
circuit: string | null, points: Array<[number, number]>, };

export type DisplayCanvas = { width: number, height: number, };

/**
 * Answer of `parseDisplay`: a drawing in its own units with y upwards, never longitude and latitude.
 */
export type Display = { substations: Array<DisplaySubstation>, buses: Array<DisplayBus>, branches: Array<DisplayBranch>, canvas: DisplayCanvas | null, 
/**
 * Symbols that could not be read or matched.
 */
unmatched: Array<Diagnostic>, };

/**
 * The evidence for the space of a layer.
 */
export type GeoBasis = "marker" | "names" | "inferred" | "nothing";

/**
 * A warning about one record of a layer.
 */
export type GeoWarning = { 
/**
 * 1-based; 0 for a warning about the case or the whole layer.
 */
record: number, code: string, message: string, 
/**
 * `message` in catalogue form.
 */
sentence: Message, };

/**
 * The outcome of applying a layer.
 */
export type GeoReport = { space: Exclude<CoordsSpace, "none">, basis: GeoBasis, 
/**
 * Records with coordinates.
 */
bus_records: number, branch_records: number, 
/**
 * Buses and branches of the case that the layer positions.
 */
matched_buses: number, matched_branches: number, 
/**
 * Records that match neither a bus nor a branch.
 */
unmatched_records: number, 
/**
 * Buses of the case that still have no position, which the map omits.
 */
unplaced_buses: number, 
/**
 * In record order, at most 1000.
 */
warnings: Array<GeoWarning>, 
/**
 * Number of further warnings.
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
 * Matched positions that are not map positions, for the diagram, in their own units.
 */
export type GeoDrawing = { buses: Array<GeoDrawingBus>, branches: Array<GeoDrawingBranch>, };

/**
 * Answer of `applyGeo`.
 */
export type GeoApplied = { 
/**
 * The case with the layer in its module; unchanged if the layer is a drawing and the case has map positions.
 */
case: IngestedNetwork, report: GeoReport, drawing: GeoDrawing | null, };

/**
 * A `GeoApplied` without the rows of a balanced case, whose numbers are columns beside it.
 */
export type GeoAppliedHead = { case: IngestedNetworkHead, report: GeoReport, drawing: GeoDrawing | null, };

/**
 * A layout on the map, in the form that moves or rescales it (`applyLayout` with its own values changes nothing).
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
 * Kilometres per unit at the centre.
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
 * Display name.
 */
label: string, 
/**
 * Without the dot.
 */
extension: string, };

/**
 * A class of generators in the table of typical costs: heat rate times fuel price plus variable cost.
 */
export type TypicalCost = { fuel: string, 
/**
 * Smallest maximum output of the class, MW.
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
 * Cost at half output, $/MWh.
 */
cost: number, };

/**
 * The generators of one fuel.
 */
export type FuelUnits = { 
/**
 * Lower case, as named in the case; `unknown` where the case names no fuel.
 */
fuel: string, units: number, 
/**
 * Number of generators without a cost.
 */
free: number, 
/**
 * Sum of the maximum outputs, MW, without generators that have no limit.
 */
p_max_mw: number, 
/**
 * Mean of the typical costs, $/MWh, weighted by maximum output.
 */
typical: number, };

/**
 * A given cost, c2 p^2 + c1 p + c0 in $/h for an output of p MW, of a fuel or of one generator.
 */
export type GivenCost = { 
/**
 * A fuel; `unknown` selects the generators of unknown fuel.
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
 * Costs to assume: the given costs, or typical costs for the generators without a cost.
 */
export type AssumedCosts = { given?: Array<GivenCost>, 
/**
 * Fuel of each generator by row, where the module does not state it.
 */
fuels?: Array<string>, };

/**
 * Treatment of a source with an impedance: refuse it, or solve with it, which is exact.
 */
export type McSourceImpedance = "refuse" | "branch";

/**
 * Treatment of controls: refuse them, or hold taps, capacitors and switches as written.
 */
export type McControls = "refuse" | "held";

/**
 * Options of a feeder's solve; stored with its result.
 */
export type McOptions = { source_impedance?: McSourceImpedance, controls?: McControls, 
/**
 * Largest change of a voltage in the last iteration, per unit; by default 1e-8, from 1e-12 to 1e-4.
 */
tolerance_pu?: number, 
/**
 * Iterations before the solve counts as not converged; by default 100.
 */
max_iterations?: number, };

/**
 * Power of a load at nominal voltage over all its phases, whose proportions are constant. Without `q_kvar` the power
 * factor is constant, without `p_kw` the active power.
 */
export type McLoadPower = { p_kw?: number, q_kvar?: number, };

/**
 * Identification of the rows of a feeder's columns. The columns `terminal_bus`, `conductor_terminal` and so on,
 * returned beside it, refer to these by row.
 */
export type McRows = { buses: Array<string>, 
/**
 * Name of each terminal at its bus.
 */
terminals: Array<string>, 
/**
 * `class.name` of all elements with conductors: lines, transformers, switches, capacitors and reactors.
 */
elements: Array<string>, sources: Array<string>, loads: Array<string>, };

/**
 * A terminal by name, with its voltage.
 */
export type McTerminal = { bus: string, terminal: string, voltage_v: number, voltage_pu: number, };

/**
 * Voltage unbalance of a bus: negative-sequence by positive-sequence voltage.
 */
export type McUnbalance = { bus: string, vuf: number, };

/**
 * Kirchhoff's law and the element equations at the published voltages and currents, by formulas independent of the
 * solver.
 */
export type McCertificate = { 
/**
 * Largest sum of currents at a terminal that is not grounded, A.
 */
kcl_residual_a: number, worst_terminal?: string, 
/**
 * The same residual relative to the expected rounding error.
 */
kcl_residual_part: number, 
/**
 * Largest error of a held voltage, relative to it.
 */
held_error_pu: number, 
/**
 * Largest difference between a current and the current that follows from the voltages, relative to the expected
 * rounding error.
 */
current_error_part: number, };

/**
 * Sums over a feeder, W and var.
 */
export type McTotals = { source_w: number, source_var: number, 
/**
 * Power drawn by loads at their voltages.
 */
load_w: number, load_var: number, 
/**
 * Losses of lines and transformers; charging of lines counts as negative reactive loss.
 */
loss_w: number, loss_var: number, };

/**
 * A power flow of a feeder without its columns. There are neither prices nor planning objectives.
 */
export type McResult = { name: string, 
/**
 * SHA-256 of the module it was solved from.
 */
case_sha256: string, options: McOptions, loads: { [key in string]: McLoadPower }, 
/**
 * Controls that are held (`class.name`).
 */
held_controls: Array<string>, iterations: number, last_change_pu: number, certificate: McCertificate, totals: McTotals, 
/**
 * Among phases; neutrals are excluded.
 */
lowest?: McTerminal, highest?: McTerminal, 
/**
 * The bus with the largest unbalance.
 */
most_unbalanced?: McUnbalance, 
/**
 * Loads that are not connected to a source.
 */
not_supplied: Array<string>, 
/**
 * SHA-256 over the little-endian f64 of the hashed columns, without rows that no source reaches.
 */
result_sha256: string, };

/**
 * Voltages during a drag, solved to the tolerance of a result but not certified.
 */
export type McPreview = { iterations: number, last_change_pu: number, };

/**
 * A column as stored in a file; null where no source reaches the row.
 */
export type McStoredColumn = { name: ColumnName, element: ColumnElement, unit: string, values: Array<number | null>, };

/**
 * The unknown voltages of a solution, V, from which everything else follows.
 */
export type McUnknowns = { re: Array<number>, im: Array<number>, };

/**
 * A stored result: its head, its columns with the identification of their rows, and the solution that they follow
 * from.
 */
export type McStoredResult = { head: McResult, rows: McRows, columns: Array<McStoredColumn>, solution: McUnknowns, };

/**
 * The input of a result.
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
 * A stored study that was verified; its result is returned beside it as columns.
 */
export type McReplay = { input: McInput, options: McOptions, rows: McRows, result: McResult, };

/**
 * The JSON form of an engine error.
 */
export type ErrorBody = { code: string, message: string, 
/**
 * `message` in catalogue form.
 */
sentence: Message, element?: Element, details?: unknown, };
