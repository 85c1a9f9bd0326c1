//! The conic relaxation through the Study.

#[path = "../common/mod.rs"]
mod common;

mod derivatives;
mod infeasible;
mod jobs;
mod no_limits;
mod solutions;
mod unpriced;
