//! Plans of capacities and of demand.

#[path = "../common/mod.rs"]
mod common;

mod capacity_plan;
mod demand_plan;
mod demand_plan_limits;
