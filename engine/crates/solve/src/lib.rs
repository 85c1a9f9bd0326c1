//! Solvers and sensitivities on the analysis network and on feeders: dense rows, own request and result structs.
//!
//! No panics on any input, no global state, no I/O, no clock; sums have a fixed order so that native code and WebAssembly
//! give the same bits.

pub mod ac;
pub mod conic;
pub mod dc;
pub mod mc;
pub mod vocabulary;

/// Loading of a branch, a part of its rating. A branch that admits no flow is at its limit without one, and infinitely loaded with.
pub fn loading(power_pu: f64, rating_pu: f64) -> f64 {
    match rating_pu == 0.0 {
        true if power_pu.abs() <= NO_FLOW => 1.0,
        true => f64::INFINITY,
        false => power_pu / rating_pu,
    }
}

/// Flow of a branch that admits none: what rounding leaves, per unit.
const NO_FLOW: f64 = 1e-9;

mod generator_columns;
mod judged;
mod largest;
mod topology;
