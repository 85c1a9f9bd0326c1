//! A case with edits, or with its results, as a module and as a file of another format.

pub(crate) mod ac_solution;
pub(crate) mod added;
pub(crate) mod branch_values;
pub(crate) mod edits;
pub(crate) mod export;
pub(crate) mod link_values;
mod pandapower;
mod seal;
pub(crate) mod solution;
pub(crate) mod storage_values;
mod writers;
