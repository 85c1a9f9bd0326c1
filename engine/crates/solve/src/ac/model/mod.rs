//! The model of a network, which does not depend on edits of powers and set-points.

pub(crate) mod admittance;
pub(crate) mod analysis;
pub(crate) mod elements;
pub(crate) mod topology;
pub(crate) mod zero_impedance;
