//! Which columns the numbers in rows of results are.

use super::ColumnName;

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

/// The same of the rows of a `SolveResponse`.
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
