//! Hostile input for every entry point of `crates/network`, and for Studies of the formulations with voltages.
//!
//! One list of targets serves two runs: `tests/fixed.rs` (in `npm test`) runs each on a fixed number of mutated files,
//! and `src/bin/libfuzzer.rs` (`npm run fuzz`) searches for hours, guided by coverage. A target must not only not
//! panic: it checks the guarantees of its entry point (`check.rs`).

pub mod check;
pub mod data;
pub mod hostile;
pub mod memory;
pub mod mutate;
pub mod plan;
pub mod run;
pub mod sequence;
pub mod targets;

pub use targets::{target, Target, TARGETS};
