//! The optimum in terms of the network, its independent check, and the components of its prices.

pub(crate) mod certificate;
pub(crate) mod price_components;
pub(crate) mod solution;
