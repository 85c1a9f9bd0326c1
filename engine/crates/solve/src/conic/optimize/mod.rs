//! From data to an optimum, cold or warm, or to a proof that there is none and what contradicts.

pub(crate) mod explanation;
pub(crate) mod naming;
pub(crate) mod relaxation;
pub(crate) mod solve;
pub(crate) mod warm;
