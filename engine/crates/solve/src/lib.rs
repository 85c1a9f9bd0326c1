//! Solvers and sensitivities on the analysis network and on feeders: dense rows, own request and result structs.
//!
//! No panics on any input, no global state, no I/O, no clock; sums have a fixed order so that native code and WebAssembly
//! give the same bits.

pub mod ac;
pub mod conic;
pub mod dc;
pub mod mc;
pub mod vocabulary;

mod generator_columns;
mod largest;
mod topology;
