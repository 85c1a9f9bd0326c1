//! The optimum in the network's own terms, its independent check, and what its prices consist of.

pub(crate) mod certificate;
pub(crate) mod price_components;
pub(crate) mod solution;
