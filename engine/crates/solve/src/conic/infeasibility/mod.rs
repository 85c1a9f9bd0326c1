//! Bounds that multipliers prove, and proofs of infeasibility.

pub(crate) mod dual_bound;
pub(crate) mod multipliers;
pub(crate) mod proof;
