//! Result columns by formulation.

use super::ColumnName;

/// Columns of a DC OPF result.
pub const DCOPF_COLUMNS: [ColumnName; 9] = [
    ColumnName::Lmp,
    ColumnName::VaRad,
    ColumnName::DemandMw,
    ColumnName::FlowMw,
    ColumnName::Loading,
    ColumnName::Shadow,
    ColumnName::RatingMw,
    ColumnName::DispatchMw,
    ColumnName::LimitShadow,
];

/// Further columns of a DC OPF result of a case with HVDC links.
pub const DCOPF_LINK_COLUMNS: [ColumnName; 5] = [
    ColumnName::LinkMw,
    ColumnName::LinkToMw,
    ColumnName::LinkPriceDifference,
    ColumnName::LinkShadow,
    ColumnName::LinkRent,
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
pub const SOCWR_COLUMNS: [ColumnName; 27] = [
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
    ColumnName::LimitShadow,
    ColumnName::VmMinPu,
    ColumnName::VmMaxPu,
    ColumnName::QMinMvar,
    ColumnName::QMaxMvar,
];
