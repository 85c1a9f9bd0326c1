//! Connectivity of buses: islands, bridges, and nodes joined by zero-impedance branches. Shared by all formulations.

pub(crate) mod bridges;
pub(crate) mod islands;
pub(crate) mod least_norm_flows;
pub(crate) mod zero_impedance;

/// Marks buses outside every island of the problem.
pub(crate) const NO_ISLAND: usize = usize::MAX;
