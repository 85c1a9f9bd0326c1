//! The model of a network, which edits of powers and set-points leave alone.

pub(crate) mod admittance;
pub(crate) mod analysis;
pub(crate) mod elements;
pub(crate) mod topology;
pub(crate) mod zero_impedance;
