//! From data to an optimum, from a cold or warm start, or to a proof of infeasibility with the conflicting limits.

pub(crate) mod explanation;
pub(crate) mod naming;
pub(crate) mod relaxation;
pub(crate) mod solve;
pub(crate) mod warm;
