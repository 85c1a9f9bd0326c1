//! Columns: how numbers of results cross the engine's boundary. Texts and structure cross as JSON.

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
}

impl ColumnElement {
    /// As it stands in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bus => "bus",
            Self::Branch => "branch",
            Self::Generator => "generator",
        }
    }
}

/// Everything that is told by row. Results have their columns in this order, which is also that of their hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ColumnName {
    /// Locational marginal price.
    Lmp,
    /// Price of reactive power.
    LmpQ,
    /// `lmp` as energy, marginal losses, congestion (ratings and angle differences) and voltage limits with their cuts; the first is
    /// the mean price of an island with the weights in `slack_weight`.
    LmpEnergy,
    LmpLosses,
    LmpCongestion,
    LmpVoltage,
    SlackWeight,
    /// Voltage magnitude.
    VmPu,
    /// Voltage angle.
    VaRad,
    /// Demand with the edits.
    DemandMw,
    DemandMvar,
    /// Flow at the from end.
    FlowMw,
    FlowMvar,
    /// Flow into the branch at the to end.
    FlowToMw,
    FlowToMvar,
    /// Product of the voltage at the from end and the conjugate of that at the to end.
    ProductReal,
    ProductImag,
    /// `1 - |product|^2 / (|V_from|^2 |V_to|^2)`: zero where the relaxation is exact at a branch.
    ConeGap,
    /// |flow| / rating; of an AC power flow the apparent power of the end that has more of it.
    Loading,
    /// Multiplier of the binding limit, >= 0.
    Shadow,
    /// Rating with the edits; `rating_mva` where loading is of apparent power.
    RatingMw,
    RatingMva,
    DispatchMw,
    DispatchMvar,
    /// Generation minus demand, the slack's share included.
    InjectionMw,
    InjectionMvar,
    /// Limits of the case, which a power flow does not keep of itself.
    VmMinPu,
    VmMaxPu,
    QMinMvar,
    QMaxMvar,
    /// Change of the price that a preview foretells.
    LmpChange,
    /// Changes that a preview of a power flow gives; flows at the from end.
    VmChange,
    VaChange,
    FlowChange,
    FlowMvarChange,
    LoadingChange,
    /// Derivative of the price; at a breakpoint `lmp_slope_left` and `lmp_slope_right` are those for a decrease and for an
    /// increase.
    LmpSlope,
    LmpSlopeLeft,
    LmpSlopeRight,
    /// Derivatives of a power flow; flows at the from end.
    VmSlope,
    VaSlope,
    FlowSlope,
    FlowMvarSlope,
    /// Place of a bus in a layout: y upwards, centred at the origin, longer side 1.
    LayoutX,
    LayoutY,
    /// Original ids of the rows, and of the bus that a generator stands at.
    BusId,
    BranchId,
    GeneratorId,
    GeneratorBus,
    /// Area of a bus.
    Area,
    /// Position of a bus.
    Longitude,
    Latitude,
    /// Series resistance and reactance and total charging susceptance on the power base of the case.
    RPu,
    XPu,
    BPu,
    /// Off-nominal ratio, 1 for lines.
    Tap,
    /// Phase shift.
    ShiftDeg,
    /// Cost of an output of p MW, `c2 p^2 + c1 p + c0`; NaN where it is piecewise linear.
    CostC2,
    CostC1,
    CostC0,
}

impl ColumnName {
    /// The name as it stands in JSON, what its rows are, and its unit.
    pub const fn head(self) -> (&'static str, ColumnElement, &'static str) {
        use ColumnElement::{Branch, Bus, Generator};
        match self {
            Self::Lmp => ("lmp", Bus, "$/MWh"),
            Self::LmpQ => ("lmp_q", Bus, "$/MVArh"),
            Self::LmpEnergy => ("lmp_energy", Bus, "$/MWh"),
            Self::LmpLosses => ("lmp_losses", Bus, "$/MWh"),
            Self::LmpCongestion => ("lmp_congestion", Bus, "$/MWh"),
            Self::LmpVoltage => ("lmp_voltage", Bus, "$/MWh"),
            Self::SlackWeight => ("slack_weight", Bus, "1"),
            Self::VmPu => ("vm_pu", Bus, "pu"),
            Self::VaRad => ("va_rad", Bus, "rad"),
            Self::DemandMw => ("demand_mw", Bus, "MW"),
            Self::DemandMvar => ("demand_mvar", Bus, "MVAr"),
            Self::FlowMw => ("flow_mw", Branch, "MW"),
            Self::FlowMvar => ("flow_mvar", Branch, "MVAr"),
            Self::FlowToMw => ("flow_to_mw", Branch, "MW"),
            Self::FlowToMvar => ("flow_to_mvar", Branch, "MVAr"),
            Self::ProductReal => ("product_real", Branch, "pu^2"),
            Self::ProductImag => ("product_imag", Branch, "pu^2"),
            Self::ConeGap => ("cone_gap", Branch, "1"),
            Self::Loading => ("loading", Branch, "fraction of rating"),
            Self::Shadow => ("shadow", Branch, "$/MWh"),
            Self::RatingMw => ("rating_mw", Branch, "MW"),
            Self::RatingMva => ("rating_mva", Branch, "MVA"),
            Self::DispatchMw => ("dispatch_mw", Generator, "MW"),
            Self::DispatchMvar => ("dispatch_mvar", Generator, "MVAr"),
            Self::InjectionMw => ("injection_mw", Bus, "MW"),
            Self::InjectionMvar => ("injection_mvar", Bus, "MVAr"),
            Self::VmMinPu => ("vm_min_pu", Bus, "pu"),
            Self::VmMaxPu => ("vm_max_pu", Bus, "pu"),
            Self::QMinMvar => ("q_min_mvar", Generator, "MVAr"),
            Self::QMaxMvar => ("q_max_mvar", Generator, "MVAr"),
            Self::LmpChange => ("lmp_change", Bus, "$/MWh"),
            Self::VmChange => ("vm_change", Bus, "pu"),
            Self::VaChange => ("va_change", Bus, "rad"),
            Self::FlowChange => ("flow_change", Branch, "MW"),
            Self::FlowMvarChange => ("flow_mvar_change", Branch, "MVAr"),
            Self::LoadingChange => ("loading_change", Branch, "fraction of rating"),
            Self::LmpSlope => ("lmp_slope", Bus, "($/MWh)/MW"),
            Self::LmpSlopeLeft => ("lmp_slope_left", Bus, "($/MWh)/MW"),
            Self::LmpSlopeRight => ("lmp_slope_right", Bus, "($/MWh)/MW"),
            Self::VmSlope => ("vm_slope", Bus, "pu/MW"),
            Self::VaSlope => ("va_slope", Bus, "rad/MW"),
            Self::FlowSlope => ("flow_slope", Branch, "MW/MW"),
            Self::FlowMvarSlope => ("flow_mvar_slope", Branch, "MVAr/MW"),
            Self::LayoutX => ("layout_x", Bus, "longer side"),
            Self::LayoutY => ("layout_y", Bus, "longer side"),
            Self::BusId => ("bus_id", Bus, ""),
            Self::BranchId => ("branch_id", Branch, ""),
            Self::GeneratorId => ("generator_id", Generator, ""),
            Self::GeneratorBus => ("generator_bus", Generator, ""),
            Self::Area => ("area", Bus, ""),
            Self::Longitude => ("longitude", Bus, "deg"),
            Self::Latitude => ("latitude", Bus, "deg"),
            Self::RPu => ("r_pu", Branch, "pu"),
            Self::XPu => ("x_pu", Branch, "pu"),
            Self::BPu => ("b_pu", Branch, "pu"),
            Self::Tap => ("tap", Branch, ""),
            Self::ShiftDeg => ("shift_deg", Branch, "deg"),
            Self::CostC2 => ("cost_c2", Generator, "$/MW\u{b2}h"),
            Self::CostC1 => ("cost_c1", Generator, "$/MWh"),
            Self::CostC0 => ("cost_c0", Generator, "$/h"),
        }
    }

    /// Whether the hash of a result goes over it; the others follow from case, edits and these.
    pub const fn is_hashed(self) -> bool {
        matches!(
            self,
            Self::Lmp
                | Self::LmpQ
                | Self::VmPu
                | Self::VaRad
                | Self::FlowMw
                | Self::FlowMvar
                | Self::FlowToMw
                | Self::FlowToMvar
                | Self::ProductReal
                | Self::ProductImag
                | Self::DispatchMw
                | Self::DispatchMvar
                | Self::InjectionMw
                | Self::InjectionMvar
        )
    }
}

/// Columns of a DC OPF result: what a Study of that formulation has.
pub const DCOPF_COLUMNS: [ColumnName; 8] = [
    ColumnName::Lmp,
    ColumnName::VaRad,
    ColumnName::DemandMw,
    ColumnName::FlowMw,
    ColumnName::Loading,
    ColumnName::Shadow,
    ColumnName::RatingMw,
    ColumnName::DispatchMw,
];

/// Columns of a DC power flow.
pub const DCPF_COLUMNS: [ColumnName; 4] = [
    ColumnName::VaRad,
    ColumnName::FlowMw,
    ColumnName::Loading,
    ColumnName::InjectionMw,
];

/// Columns of an AC power flow.
pub const ACPF_COLUMNS: [ColumnName; 18] = [
    ColumnName::VmPu,
    ColumnName::VaRad,
    ColumnName::DemandMw,
    ColumnName::DemandMvar,
    ColumnName::FlowMw,
    ColumnName::FlowMvar,
    ColumnName::FlowToMw,
    ColumnName::FlowToMvar,
    ColumnName::Loading,
    ColumnName::RatingMva,
    ColumnName::DispatchMw,
    ColumnName::DispatchMvar,
    ColumnName::InjectionMw,
    ColumnName::InjectionMvar,
    ColumnName::VmMinPu,
    ColumnName::VmMaxPu,
    ColumnName::QMinMvar,
    ColumnName::QMaxMvar,
];

/// Columns of an optimum of the conic relaxation.
pub const SOCWR_COLUMNS: [ColumnName; 26] = [
    ColumnName::Lmp,
    ColumnName::LmpQ,
    ColumnName::LmpEnergy,
    ColumnName::LmpLosses,
    ColumnName::LmpCongestion,
    ColumnName::LmpVoltage,
    ColumnName::SlackWeight,
    ColumnName::VmPu,
    ColumnName::DemandMw,
    ColumnName::DemandMvar,
    ColumnName::FlowMw,
    ColumnName::FlowMvar,
    ColumnName::FlowToMw,
    ColumnName::FlowToMvar,
    ColumnName::ProductReal,
    ColumnName::ProductImag,
    ColumnName::ConeGap,
    ColumnName::Loading,
    ColumnName::Shadow,
    ColumnName::RatingMva,
    ColumnName::DispatchMw,
    ColumnName::DispatchMvar,
    ColumnName::VmMinPu,
    ColumnName::VmMaxPu,
    ColumnName::QMinMvar,
    ColumnName::QMaxMvar,
];

/// Where the rows of a `Solution` take their numbers from: block, field and column. A block is there where the first of its
/// columns is, a field where its column is.
pub const SOLUTION_ROWS: [(&str, &str, ColumnName); 14] = [
    ("prices", "value", ColumnName::Lmp),
    ("lmp", "usd_per_mwh", ColumnName::Lmp),
    ("vm", "value", ColumnName::VmPu),
    ("va", "value", ColumnName::VaRad),
    ("flows", "mw", ColumnName::FlowMw),
    ("flows", "loading", ColumnName::Loading),
    ("flows", "shadow", ColumnName::Shadow),
    ("flows", "mvar", ColumnName::FlowMvar),
    ("flows", "mw_to", ColumnName::FlowToMw),
    ("flows", "mvar_to", ColumnName::FlowToMvar),
    ("dispatch", "mw", ColumnName::DispatchMw),
    ("dispatch", "mvar", ColumnName::DispatchMvar),
    ("injections", "p", ColumnName::InjectionMw),
    ("injections", "q", ColumnName::InjectionMvar),
];

/// One number a row: doubles by dense row in the order of the topology (lowered rows last), NaN where a row takes no part. The
/// values are never JSON: they are a `Float64Array`, and in Python little-endian bytes.
#[derive(Clone, Debug, PartialEq, TS)]
pub struct Column {
    pub name: ColumnName,
    pub element: ColumnElement,
    pub unit: &'static str,
    #[ts(type = "Float64Array")]
    pub values: Vec<f64>,
}

impl Column {
    /// A column with the rows and the unit that its name has.
    pub fn new(name: ColumnName, values: Vec<f64>) -> Self {
        let (_, element, unit) = name.head();
        Self {
            name,
            element,
            unit,
            values,
        }
    }
}

/// What names the rows of a Study's columns; its columns `bus_id`, `branch_id`, `generator_id` and `generator_bus` go beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RowsHead {
    /// Row uids of the buses; absent where the source has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub bus_uids: Option<Vec<Option<String>>>,
}
