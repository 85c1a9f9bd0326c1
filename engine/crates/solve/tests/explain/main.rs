//! What contradicts in DC data, and the least that makes them feasible.

#[path = "../common/mod.rs"]
mod common;

mod demand;
mod limits;
