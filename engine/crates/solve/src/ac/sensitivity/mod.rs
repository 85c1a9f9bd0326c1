//! Derivatives of a solution and its power series, up to where voltages collapse.

pub(crate) mod adjoint;
pub(crate) mod column;
pub(crate) mod nose;
pub(crate) mod parameter;
pub(crate) mod series;
