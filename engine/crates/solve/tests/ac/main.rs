//! AC power flow.

#[path = "../common/mod.rs"]
mod common;

mod closed_forms;
mod derivatives;
mod limits_and_references;
mod noses;
mod outages;
mod pglib;
mod reference;
mod starts;
