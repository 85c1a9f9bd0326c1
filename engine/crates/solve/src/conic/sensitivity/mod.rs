//! Derivatives of the optimum, and their ranges.

pub(crate) mod adjoint;
pub(crate) mod entries;
pub(crate) mod parameter;
pub(crate) mod price_level;
pub(crate) mod split;
pub(crate) mod tangents;
pub(crate) mod warrant;
