//! Feeders through the Study.

#[path = "../common/mod.rs"]
mod common;

mod distribution;
mod multiconductor;
