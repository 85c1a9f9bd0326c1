//! The names of columns with their rows and units, defined only here.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The element kind of a column's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ColumnElement {
    Bus,
    Branch,
    Generator,
    /// HVDC link.
    Link,
    /// Storage unit.
    Storage,
    /// Point of a branch's route.
    Corner,
    /// Terminal of a multiconductor feeder.
    Terminal,
    Conductor,
    Element,
    Source,
    Load,
}

impl ColumnElement {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bus => "bus",
            Self::Branch => "branch",
            Self::Generator => "generator",
            Self::Link => "link",
            Self::Storage => "storage",
            Self::Corner => "corner",
            Self::Terminal => "terminal",
            Self::Conductor => "conductor",
            Self::Element => "element",
            Self::Source => "source",
            Self::Load => "load",
        }
    }
}

/// Declares [`ColumnName`] from rows `Name: Element("name in JSON", "unit");`, with `hashed` at the end for columns
/// that the hash of a result covers.
macro_rules! columns {
    ($( $(#[$doc:meta])* $name:ident : $element:ident ( $text:literal, $unit:literal ) $($hashed:ident)? ; )*) => {
        /// All columns. Results have their columns in this order, which is also that of their hash.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum ColumnName {
            $( $(#[$doc])* $name, )*
        }

        impl ColumnName {
            /// All of them.
            pub const ALL: &'static [Self] = &[$( Self::$name, )*];

            /// The name in JSON, the element kind of the rows, and the unit.
            pub const fn head(self) -> (&'static str, ColumnElement, &'static str) {
                match self {
                    $( Self::$name => ($text, ColumnElement::$element, $unit), )*
                }
            }

            /// Whether the hash of a result covers it; the other columns follow from case, edits and these.
            pub const fn is_hashed(self) -> bool {
                match self {
                    $( Self::$name => columns!(@hashed $($hashed)?), )*
                }
            }
        }
    };
    (@hashed hashed) => { true };
    (@hashed) => { false };
}

columns! {
    /// Locational marginal price.
    Lmp: Bus("lmp", "$/MWh") hashed;
    /// Price of reactive power.
    LmpQ: Bus("lmp_q", "$/MVArh") hashed;
    /// `lmp` as energy, marginal losses, congestion (ratings and angle differences) and voltage limits with their cuts;
    /// energy is the mean price of an island with the weights in `slack_weight`.
    LmpEnergy: Bus("lmp_energy", "$/MWh");
    LmpLosses: Bus("lmp_losses", "$/MWh");
    LmpCongestion: Bus("lmp_congestion", "$/MWh");
    LmpVoltage: Bus("lmp_voltage", "$/MWh");
    /// Price without limits after outages and of interfaces, and what these add.
    LmpWithoutSecurity: Bus("lmp_without_security", "$/MWh");
    LmpSecurity: Bus("lmp_security", "$/MWh");
    SlackWeight: Bus("slack_weight", "1");
    /// Voltage magnitude.
    VmPu: Bus("vm_pu", "pu") hashed;
    /// Voltage angle.
    VaRad: Bus("va_rad", "rad") hashed;
    /// Demand with the edits.
    DemandMw: Bus("demand_mw", "MW");
    DemandMvar: Bus("demand_mvar", "MVAr");
    /// Flow at the from end.
    FlowMw: Branch("flow_mw", "MW") hashed;
    FlowMvar: Branch("flow_mvar", "MVAr") hashed;
    /// Flow into the branch at the to end.
    FlowToMw: Branch("flow_to_mw", "MW") hashed;
    FlowToMvar: Branch("flow_to_mvar", "MVAr") hashed;
    /// Product of the voltage at the from end and the conjugate of the voltage at the to end.
    ProductReal: Branch("product_real", "pu^2") hashed;
    ProductImag: Branch("product_imag", "pu^2") hashed;
    /// `1 - |product|^2 / (|V_from|^2 |V_to|^2)`: zero where the relaxation is exact at a branch.
    ConeGap: Branch("cone_gap", "1");
    /// |flow| / rating; for an AC power flow with the larger apparent power of both ends.
    Loading: Branch("loading", "fraction of rating");
    /// Multiplier of the binding limit, >= 0.
    Shadow: Branch("shadow", "$/MWh");
    /// Rating with the edits; `rating_mva` where loading refers to apparent power.
    RatingMw: Branch("rating_mw", "MW");
    RatingMva: Branch("rating_mva", "MVA");
    DispatchMw: Generator("dispatch_mw", "MW") hashed;
    DispatchMvar: Generator("dispatch_mvar", "MVAr") hashed;
    /// Shadow price of the binding output limit of a generator, Pmin or Pmax, >= 0: the cost saved by relaxing it by
    /// one MW.
    LimitShadow: Generator("limit_shadow", "$/MWh");
    /// Power of an HVDC link: what it takes at its from end, and what it delivers at its to end; negative where it is reversed.
    LinkMw: Link("link_mw", "MW") hashed;
    LinkToMw: Link("link_to_mw", "MW") hashed;
    /// Reactive power that the converters of an HVDC link inject at its from and at its to end.
    LinkFromMvar: Link("link_from_mvar", "MVAr") hashed;
    LinkToMvar: Link("link_to_mvar", "MVAr") hashed;
    /// LMP at the to end less that at the from end.
    LinkPriceDifference: Link("link_price_difference", "$/MWh");
    /// Shadow price of the limit that a link is at, >= 0.
    LinkShadow: Link("link_shadow", "$/MWh");
    /// What the delivered power is worth more than the power taken.
    LinkRent: Link("link_rent", "$/h");
    /// Power that a storage unit injects, positive while it discharges.
    StorageMw: Storage("storage_mw", "MW") hashed;
    StorageMvar: Storage("storage_mvar", "MVAr") hashed;
    /// Prices at its bus below which a storage unit gains by charging, and above which by discharging: its energy value times the efficiency
    /// of charging, and divided by that of discharging. NaN without an energy value.
    StorageChargesBelow: Storage("storage_charges_below", "$/MWh");
    StorageDischargesAbove: Storage("storage_discharges_above", "$/MWh");
    /// In a day: powers with which a storage unit charges and discharges, the energy that it holds at the end of a step, and what one more
    /// MWh of it would save.
    ChargeMw: Storage("charge_mw", "MW") hashed;
    DischargeMw: Storage("discharge_mw", "MW") hashed;
    StoredMwh: Storage("stored_mwh", "MWh") hashed;
    StoredValue: Storage("stored_value", "$/MWh") hashed;
    /// In a day: what one more MW of the binding limit of a change of output would save, positive for an upward change.
    RampValue: Generator("ramp_value", "$/MWh") hashed;
    /// Generation minus demand, the slack's share and storage included.
    InjectionMw: Bus("injection_mw", "MW") hashed;
    InjectionMvar: Bus("injection_mvar", "MVAr") hashed;
    /// Limits of the case, which a power flow does not enforce by itself.
    VmMinPu: Bus("vm_min_pu", "pu");
    VmMaxPu: Bus("vm_max_pu", "pu");
    QMinMvar: Generator("q_min_mvar", "MVAr");
    QMaxMvar: Generator("q_max_mvar", "MVAr");
    /// Price change predicted by a preview.
    LmpChange: Bus("lmp_change", "$/MWh");
    /// Changes in a preview of a power flow; flows at the from end, and at the to end with `to`.
    VmChange: Bus("vm_change", "pu");
    VaChange: Bus("va_change", "rad");
    FlowChange: Branch("flow_change", "MW");
    FlowMvarChange: Branch("flow_mvar_change", "MVAr");
    FlowToChange: Branch("flow_to_change", "MW");
    FlowToMvarChange: Branch("flow_to_mvar_change", "MVAr");
    LoadingChange: Branch("loading_change", "fraction of rating");
    /// Derivative of the price; at a breakpoint `lmp_slope_left` and `lmp_slope_right` are the derivatives for a
    /// decrease and for an increase.
    LmpSlope: Bus("lmp_slope", "($/MWh)/MW");
    LmpSlopeLeft: Bus("lmp_slope_left", "($/MWh)/MW");
    LmpSlopeRight: Bus("lmp_slope_right", "($/MWh)/MW");
    /// Derivative of an output.
    DispatchSlope: Generator("dispatch_slope", "MW/MW");
    /// Derivatives of a power flow; flows at the from end.
    VmSlope: Bus("vm_slope", "pu/MW");
    VaSlope: Bus("va_slope", "rad/MW");
    FlowSlope: Branch("flow_slope", "MW/MW");
    FlowMvarSlope: Branch("flow_mvar_slope", "MVAr/MW");
    /// Position of a bus in a layout: y upwards, centred at the origin, longer side 1.
    LayoutX: Bus("layout_x", "longer side");
    LayoutY: Bus("layout_y", "longer side");
    /// Original ids of the rows, and of a generator's bus.
    BusId: Bus("bus_id", "");
    BranchId: Branch("branch_id", "");
    GeneratorId: Generator("generator_id", "");
    GeneratorBus: Generator("generator_bus", "");
    /// Links of a case with their buses and limits.
    LinkId: Link("link_id", "");
    LinkFromBus: Link("link_from_bus", "");
    LinkToBus: Link("link_to_bus", "");
    LinkInService: Link("link_in_service", "");
    LinkMinMw: Link("link_min_mw", "MW");
    LinkMaxMw: Link("link_max_mw", "MW");
    /// Scheduled power at the from end, losses and marginal cost, the last NaN where the cost is a curve.
    LinkScheduledMw: Link("link_scheduled_mw", "MW");
    LinkLossMw: Link("link_loss_mw", "MW");
    LinkLossFactor: Link("link_loss_factor", "");
    LinkCost: Link("link_cost", "$/MWh");
    /// Storage units of a case: their buses, held powers, limits, efficiencies and energies; NaN where the stored energy is unknown or nothing
    /// says what it is worth.
    StorageId: Storage("storage_id", "");
    StorageBus: Storage("storage_bus", "");
    StorageInService: Storage("storage_in_service", "");
    StorageHeldMw: Storage("storage_held_mw", "MW");
    StorageHeldMvar: Storage("storage_held_mvar", "MVAr");
    StorageChargeMaxMw: Storage("storage_charge_max_mw", "MW");
    StorageDischargeMaxMw: Storage("storage_discharge_max_mw", "MW");
    StorageChargeEfficiency: Storage("storage_charge_efficiency", "");
    StorageDischargeEfficiency: Storage("storage_discharge_efficiency", "");
    StorageEnergyMwh: Storage("storage_energy_mwh", "MWh");
    StorageEnergyMinMwh: Storage("storage_energy_min_mwh", "MWh");
    StorageEnergyMaxMwh: Storage("storage_energy_max_mwh", "MWh");
    StorageEnergyValue: Storage("storage_energy_value", "$/MWh");
    /// Buses at the ends of a branch.
    FromBus: Branch("from_bus", "");
    ToBus: Branch("to_bus", "");
    /// Case data by row, in addition to `demand_mw` and `rating_mw`: output of a bus's in-service generators in the
    /// source, and numbers that the source may omit (NaN).
    GenMw: Bus("gen_mw", "MW");
    BaseKv: Bus("base_kv", "kV");
    Area: Bus("area", "");
    Zone: Bus("zone", "");
    /// 1 or 0. An isolated bus is not in service.
    BusInService: Bus("bus_in_service", "");
    BranchInService: Branch("branch_in_service", "");
    GeneratorInService: Generator("generator_in_service", "");
    BusEditable: Bus("bus_editable", "");
    BranchEditable: Branch("branch_editable", "");
    RatingIsFallback: Branch("rating_is_fallback", "");
    /// Limits of an output, infinite where there is no limit.
    PMinMw: Generator("p_min_mw", "MW");
    PMaxMw: Generator("p_max_mw", "MW");
    /// Map position of a bus, with buses at one position spread; NaN where the bus is not on the map.
    MapLongitude: Bus("map_longitude", "deg");
    MapLatitude: Bus("map_latitude", "deg");
    /// Number of vertices of a branch's route, including its ends; NaN where no route is stored. The vertices of all
    /// routes follow one another.
    RouteCorners: Branch("route_corners", "");
    CornerLongitude: Corner("corner_longitude", "deg");
    CornerLatitude: Corner("corner_latitude", "deg");
    /// Position of a bus.
    Longitude: Bus("longitude", "deg");
    Latitude: Bus("latitude", "deg");
    /// Series resistance and reactance and total charging susceptance on the power base of the case.
    RPu: Branch("r_pu", "pu");
    XPu: Branch("x_pu", "pu");
    BPu: Branch("b_pu", "pu");
    /// Off-nominal ratio, 1 for lines.
    Tap: Branch("tap", "");
    /// Phase shift.
    ShiftDeg: Branch("shift_deg", "deg");
    /// Cost for an output of p MW, `c2 p^2 + c1 p + c0`; NaN where it is piecewise linear.
    CostC2: Generator("cost_c2", "$/MW\u{b2}h");
    CostC1: Generator("cost_c1", "$/MWh");
    CostC0: Generator("cost_c0", "$/h");
    /// Voltage to ground of a terminal of a feeder; NaN where no source reaches it, as in all feeder columns.
    VoltageV: Terminal("voltage_v", "V") hashed;
    VoltageDeg: Terminal("voltage_deg", "deg") hashed;
    /// Relative to the nominal voltage of the bus, `nominal_v`.
    VoltagePu: Terminal("voltage_pu", "pu");
    /// Current into an element at a terminal.
    CurrentA: Conductor("current_a", "A") hashed;
    CurrentDeg: Conductor("current_deg", "deg") hashed;
    /// Power that enters a line or transformer minus the power that leaves it.
    LossW: Element("loss_w", "W") hashed;
    LossVar: Element("loss_var", "var") hashed;
    /// Power from a source at its bus, behind its impedance; `emf_w` is the power of the held voltage.
    SourceW: Source("source_w", "W") hashed;
    SourceVar: Source("source_var", "var") hashed;
    EmfW: Source("emf_w", "W") hashed;
    EmfVar: Source("emf_var", "var") hashed;
    /// Power drawn by a load at its voltages.
    DrawnW: Load("drawn_w", "W") hashed;
    DrawnVar: Load("drawn_var", "var") hashed;
    /// Power of a load at nominal voltage, with the edits.
    LoadKw: Load("load_kw", "kW");
    LoadKvar: Load("load_kvar", "kvar");
    /// Voltage unbalance: negative-sequence by positive-sequence voltage of the terminals 1, 2 and 3.
    Vuf: Bus("vuf", "1");
    /// Nominal voltage between phase and ground.
    NominalV: Bus("nominal_v", "V");
    /// Line length from the nearest source.
    DistanceM: Bus("distance_m", "m");
    /// Row of the bus of a terminal.
    TerminalBus: Terminal("terminal_bus", "");
    /// 1 for phases, 0 for neutrals and terminals that no source reaches.
    IsPhase: Terminal("is_phase", "");
    /// Row of the element of a conductor.
    ConductorElement: Conductor("conductor_element", "");
    /// 1 at the from end or the first winding, 2 at the other.
    ConductorEnd: Conductor("conductor_end", "");
    /// Row of the terminal that a conductor is at.
    ConductorTerminal: Conductor("conductor_terminal", "");
    /// Row of the bus of a source or a load.
    SourceBus: Source("source_bus", "");
    LoadBus: Load("load_bus", "");
}
