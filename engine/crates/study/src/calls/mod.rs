//! Calls that need no Study: files in and out, geography, layouts, drawings, the stateless solve.

pub(crate) mod costs;
pub(crate) mod display;
pub(crate) mod distribution;
pub(crate) mod distribution_factors;
pub(crate) mod geography;
pub(crate) mod ingest;
pub(crate) mod json_drop;
pub(crate) mod layout;
pub(crate) mod lists;
pub(crate) mod save;
pub(crate) mod solution_module;
pub(crate) mod stateless;
