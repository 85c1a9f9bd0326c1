//! Explanations of what has no solution.

#[path = "../common/mod.rs"]
mod common;

mod explain;
mod explaining;
