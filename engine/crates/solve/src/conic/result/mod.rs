//! The optimum in the network's own terms, and its independent check.

pub(crate) mod certificate;
pub(crate) mod solution;
