//! Explanations of edits without a solution.

#[path = "../common/mod.rs"]
mod common;

mod explain;
mod explaining;
