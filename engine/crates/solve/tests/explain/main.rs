//! Contradictions in DC data, and the minimum relaxation that makes them feasible.

#[path = "../common/mod.rs"]
mod common;

mod demand;
mod limits;
