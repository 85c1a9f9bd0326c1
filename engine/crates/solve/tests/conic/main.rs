//! The conic relaxation of AC optimal power flow.

#[path = "../common/mod.rs"]
mod common;

mod closed_forms;
mod derivatives;
mod infeasible;
mod prices;
mod reference;
mod warm;
