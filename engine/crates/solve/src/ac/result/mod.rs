//! Solutions: their published quantities, their independent check, and their factored Jacobian as a base of edits.

pub(crate) mod base;
pub(crate) mod certificate;
pub(crate) mod outputs;
pub(crate) mod solution;
