//! DC optimal power flow and DC power flow.

#[path = "../common/mod.rs"]
mod common;

mod cells;
mod closed_forms;
mod day;
mod limit_paths;
mod link_paths;
mod links;
mod outages;
mod path_ends;
mod paths;
mod power_flow;
mod presolve;
mod presolve_infeasibility;
mod random_columns;
mod reference_objectives;
mod security;
mod shift_paths;
mod warm_steps;
mod zero_impedance;
