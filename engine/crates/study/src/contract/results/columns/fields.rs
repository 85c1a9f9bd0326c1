//! The columns behind the numbers in rows of results.

use super::ColumnName;

/// The columns that the rows of a `Solution` take their numbers from: block, field and column. A block is present if
/// its first column is, a field if its column is.
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

/// The same for the rows of a `SolveResponse`.
pub const RESPONSE_ROWS: [(&str, &str, ColumnName); 13] = [
    ("prices", "value", ColumnName::Lmp),
    ("vm", "value", ColumnName::VmPu),
    ("va", "value", ColumnName::VaRad),
    ("flows", "pf", ColumnName::FlowMw),
    ("flows", "loading", ColumnName::Loading),
    ("flows", "shadow", ColumnName::Shadow),
    ("flows", "qf", ColumnName::FlowMvar),
    ("flows", "pt", ColumnName::FlowToMw),
    ("flows", "qt", ColumnName::FlowToMvar),
    ("dispatch", "pg", ColumnName::DispatchMw),
    ("dispatch", "qg", ColumnName::DispatchMvar),
    ("injections", "p", ColumnName::InjectionMw),
    ("injections", "q", ColumnName::InjectionMvar),
];
