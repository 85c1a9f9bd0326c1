//! Bounds that multipliers prove, and the proof that nothing is feasible.

pub(crate) mod dual_bound;
pub(crate) mod multipliers;
pub(crate) mod proof;
