//! Which buses are connected, by what: islands, bridges, and nodes of branches without impedance. Of every formulation.

pub(crate) mod bridges;
pub(crate) mod islands;
pub(crate) mod least_norm_flows;
pub(crate) mod union_find;
pub(crate) mod zero_impedance;

/// Marks buses that belong to no island of the problem.
pub(crate) const NO_ISLAND: usize = usize::MAX;
