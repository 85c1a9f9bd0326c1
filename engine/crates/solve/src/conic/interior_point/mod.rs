//! The interior point method for a program: directions, their linear systems, and the start.

pub(crate) mod cone;
pub(crate) mod direction;
pub(crate) mod kkt;
mod kkt_refinement;
mod kkt_residual;
pub(crate) mod local_block;
pub(crate) mod method;
pub(crate) mod start;
pub(crate) mod weights;
