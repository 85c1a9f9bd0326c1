//! The names of columns, with what their rows are and the unit of their numbers: said here and nowhere else.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the rows of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ColumnElement {
    Bus,
    Branch,
    Generator,
    /// HVDC link.
    Link,
    /// Point of a branch's route.
    Corner,
    /// Of a multiconductor feeder.
    Terminal,
    Conductor,
    Element,
    Source,
    Load,
}

impl ColumnElement {
    /// As it stands in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bus => "bus",
            Self::Branch => "branch",
            Self::Generator => "generator",
            Self::Link => "link",
            Self::Corner => "corner",
            Self::Terminal => "terminal",
            Self::Conductor => "conductor",
            Self::Element => "element",
            Self::Source => "source",
            Self::Load => "load",
        }
    }
}

/// Declares [`ColumnName`] from rows `Name: Element("name in JSON", "unit");`, with `hashed` at the end where the hash of a result goes
/// over the column.
macro_rules! columns {
    ($( $(#[$doc:meta])* $name:ident : $element:ident ( $text:literal, $unit:literal ) $($hashed:ident)? ; )*) => {
        /// Everything that is told by row. Results have their columns in this order, which is also that of their hash.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum ColumnName {
            $( $(#[$doc])* $name, )*
        }

        impl ColumnName {
            /// All of them.
            pub const ALL: &'static [Self] = &[$( Self::$name, )*];

            /// The name as it stands in JSON, what its rows are, and its unit.
            pub const fn head(self) -> (&'static str, ColumnElement, &'static str) {
                match self {
                    $( Self::$name => ($text, ColumnElement::$element, $unit), )*
                }
            }

            /// Whether the hash of a result goes over it; the others follow from case, edits and these.
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
    /// `lmp` as energy, marginal losses, congestion (ratings and angle differences) and voltage limits with their cuts; the first is
    /// the mean price of an island with the weights in `slack_weight`.
    LmpEnergy: Bus("lmp_energy", "$/MWh");
    LmpLosses: Bus("lmp_losses", "$/MWh");
    LmpCongestion: Bus("lmp_congestion", "$/MWh");
    LmpVoltage: Bus("lmp_voltage", "$/MWh");
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
    /// Product of the voltage at the from end and the conjugate of that at the to end.
    ProductReal: Branch("product_real", "pu^2") hashed;
    ProductImag: Branch("product_imag", "pu^2") hashed;
    /// `1 - |product|^2 / (|V_from|^2 |V_to|^2)`: zero where the relaxation is exact at a branch.
    ConeGap: Branch("cone_gap", "1");
    /// |flow| / rating; of an AC power flow the apparent power of the end that has more of it.
    Loading: Branch("loading", "fraction of rating");
    /// Multiplier of the binding limit, >= 0.
    Shadow: Branch("shadow", "$/MWh");
    /// Rating with the edits; `rating_mva` where loading is of apparent power.
    RatingMw: Branch("rating_mw", "MW");
    RatingMva: Branch("rating_mva", "MVA");
    DispatchMw: Generator("dispatch_mw", "MW") hashed;
    DispatchMvar: Generator("dispatch_mvar", "MVAr") hashed;
    /// Shadow price of the limit that a generator is at, Pmin or Pmax, >= 0: what one MW more of it changes the cost by.
    LimitShadow: Generator("limit_shadow", "$/MWh");
    /// Power of an HVDC link: what it takes at its from end, and what it delivers at its to end; negative where it is reversed.
    LinkMw: Link("link_mw", "MW") hashed;
    LinkToMw: Link("link_to_mw", "MW") hashed;
    /// LMP at the to end less that at the from end.
    LinkPriceDifference: Link("link_price_difference", "$/MWh");
    /// Shadow price of the limit that a link is at, >= 0.
    LinkShadow: Link("link_shadow", "$/MWh");
    /// What the delivered power is worth more than the power taken.
    LinkRent: Link("link_rent", "$/h");
    /// Generation minus demand, the slack's share included.
    InjectionMw: Bus("injection_mw", "MW") hashed;
    InjectionMvar: Bus("injection_mvar", "MVAr") hashed;
    /// Limits of the case, which a power flow does not keep of itself.
    VmMinPu: Bus("vm_min_pu", "pu");
    VmMaxPu: Bus("vm_max_pu", "pu");
    QMinMvar: Generator("q_min_mvar", "MVAr");
    QMaxMvar: Generator("q_max_mvar", "MVAr");
    /// Change of the price that a preview foretells.
    LmpChange: Bus("lmp_change", "$/MWh");
    /// Changes that a preview of a power flow gives; flows at the from end, and at the to end by `to`.
    VmChange: Bus("vm_change", "pu");
    VaChange: Bus("va_change", "rad");
    FlowChange: Branch("flow_change", "MW");
    FlowMvarChange: Branch("flow_mvar_change", "MVAr");
    FlowToChange: Branch("flow_to_change", "MW");
    FlowToMvarChange: Branch("flow_to_mvar_change", "MVAr");
    LoadingChange: Branch("loading_change", "fraction of rating");
    /// Derivative of the price; at a breakpoint `lmp_slope_left` and `lmp_slope_right` are those for a decrease and for an
    /// increase.
    LmpSlope: Bus("lmp_slope", "($/MWh)/MW");
    LmpSlopeLeft: Bus("lmp_slope_left", "($/MWh)/MW");
    LmpSlopeRight: Bus("lmp_slope_right", "($/MWh)/MW");
    /// Derivatives of a power flow; flows at the from end.
    VmSlope: Bus("vm_slope", "pu/MW");
    VaSlope: Bus("va_slope", "rad/MW");
    FlowSlope: Branch("flow_slope", "MW/MW");
    FlowMvarSlope: Branch("flow_mvar_slope", "MVAr/MW");
    /// Place of a bus in a layout: y upwards, centred at the origin, longer side 1.
    LayoutX: Bus("layout_x", "longer side");
    LayoutY: Bus("layout_y", "longer side");
    /// Original ids of the rows, and of the bus that a generator stands at.
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
    /// Buses at the ends of a branch.
    FromBus: Branch("from_bus", "");
    ToBus: Branch("to_bus", "");
    /// What a case says of its rows, `demand_mw` and `rating_mw` beside: output of a bus's generators that are in service in the
    /// source, and numbers that the source may not have (NaN).
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
    /// Limits of an output, infinite where it has none.
    PMinMw: Generator("p_min_mw", "MW");
    PMaxMw: Generator("p_max_mw", "MW");
    /// Where the map shows a bus: buses at one position are apart. NaN where it does not.
    MapLongitude: Bus("map_longitude", "deg");
    MapLatitude: Bus("map_latitude", "deg");
    /// How many corners the route of a branch has, those of its ends included; NaN where none is stored. The corners of all
    /// routes follow each other.
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
    /// Cost of an output of p MW, `c2 p^2 + c1 p + c0`; NaN where it is piecewise linear.
    CostC2: Generator("cost_c2", "$/MW\u{b2}h");
    CostC1: Generator("cost_c1", "$/MWh");
    CostC0: Generator("cost_c0", "$/h");
    /// Voltage to ground of a terminal of a feeder; NaN where no source reaches it, as for everything there.
    VoltageV: Terminal("voltage_v", "V") hashed;
    VoltageDeg: Terminal("voltage_deg", "deg") hashed;
    /// By the nominal voltage of the bus, `nominal_v`.
    VoltagePu: Terminal("voltage_pu", "pu");
    /// Current into an element at a terminal.
    CurrentA: Conductor("current_a", "A") hashed;
    CurrentDeg: Conductor("current_deg", "deg") hashed;
    /// Power that enters a line or transformer and does not leave it.
    LossW: Element("loss_w", "W") hashed;
    LossVar: Element("loss_var", "var") hashed;
    /// What arrives from a source where it is written, behind its impedance; `emf_w` is what the held voltage gives.
    SourceW: Source("source_w", "W") hashed;
    SourceVar: Source("source_var", "var") hashed;
    EmfW: Source("emf_w", "W") hashed;
    EmfVar: Source("emf_var", "var") hashed;
    /// What a load draws at its voltages.
    DrawnW: Load("drawn_w", "W") hashed;
    DrawnVar: Load("drawn_var", "var") hashed;
    /// What it has at nominal voltage, with the edits.
    LoadKw: Load("load_kw", "kW");
    LoadKvar: Load("load_kvar", "kvar");
    /// Voltage unbalance: negative by positive sequence of the terminals 1, 2 and 3.
    Vuf: Bus("vuf", "1");
    /// Nominal voltage between phase and ground.
    NominalV: Bus("nominal_v", "V");
    /// Length of line from the nearest source.
    DistanceM: Bus("distance_m", "m");
    /// Row of the bus of a terminal.
    TerminalBus: Terminal("terminal_bus", "");
    /// 1 for phases, 0 for neutrals and what no source reaches.
    IsPhase: Terminal("is_phase", "");
    /// Row of the element of a conductor.
    ConductorElement: Conductor("conductor_element", "");
    /// 1 at the from end or the first winding, 2 at the other.
    ConductorEnd: Conductor("conductor_end", "");
    /// Row of the terminal that a conductor is at.
    ConductorTerminal: Conductor("conductor_terminal", "");
    /// Row of the bus of a source, of a load.
    SourceBus: Source("source_bus", "");
    LoadBus: Load("load_bus", "");
}
