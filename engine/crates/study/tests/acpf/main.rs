//! AC power flow through the Study.

#[path = "../common/mod.rs"]
mod common;

mod balance;
mod contingencies;
mod defaults;
mod derivatives;
mod edits;
mod grids;
mod loadability;
mod node_breaker;
mod pglib;
mod references;
mod switched;
mod ucte;
mod voltages;

const AS_FILED: &str = r#"{"dispatch":"file","slack":"single"}"#;

/// The PJM 5-bus grid, whose buses 2, 3 and 4 draw reactive power.
fn five_bus() -> Option<String> {
    common::data_case("matpower/case5.m")
}
