//! Solvers and sensitivities for the analysis network and for feeders, on dense rows.
//!
//! They do not panic on any input and have no global state, I/O or clock; sums have a fixed order so that native code
//! and WebAssembly produce the same bits.

pub mod ac;
pub mod conic;
pub mod dc;
pub mod mc;
pub mod vocabulary;

pub use links::{further_generators, LinkPower};

/// Loading of a branch as a fraction of its rating. With a zero rating, a branch without flow is at its limit, and one
/// with flow is infinitely loaded.
pub fn loading(power_pu: f64, rating_pu: f64) -> f64 {
    match rating_pu == 0.0 {
        true if power_pu.abs() <= NO_FLOW => 1.0,
        true => f64::INFINITY,
        false => power_pu / rating_pu,
    }
}

/// Flow below which a branch with a zero rating counts as without flow: rounding errors, per unit.
const NO_FLOW: f64 = 1e-9;

mod generator_columns;

mod largest;
mod links;
mod power_scale;
mod storages;
mod topology;
