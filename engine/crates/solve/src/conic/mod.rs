//! The second-order cone relaxation of AC optimal power flow in voltage products (SOCWR): optima, their certificate, proofs of
//! infeasibility and derivatives.
//!
//! `ConicModel` is analysed once for a network; `optimum` solves data (`ConicData`) on it, `ConicSolve` does so in steps.
//! `ConicCertificate` checks an optimum and `DualBound` a proof of infeasibility without any of it.
//!
//! The mathematics is in `docs/method/socwr.md`.

// Short loops by index: iterators that run together were not inlined.
#![allow(clippy::needless_range_loop)]

mod branch_flow;
mod bus_pairs;
mod certificate;
mod cone;
mod data;
mod direction;
mod dual_bound;
mod elastic;
mod explanation;
mod infeasibility;
mod interior_point;
mod kkt;
mod kkt_residual;
mod local_block;
mod model;
mod multipliers;
mod pair;
mod parameter;
mod products;
mod program;
mod ranges;
mod sensitivity;
mod solution;
mod solve;
mod split;
mod start;
mod topology;
mod vectors;
mod warm;
mod warrant;
mod weights;

pub use certificate::ConicCertificate;
pub use data::ConicData;
pub use dual_bound::DualBound;
pub use explanation::{ConicExplain, ConicExplanation, NamedLimit};
pub use infeasibility::ConicProof;
pub use interior_point::ConicResiduals;
pub use model::{ConicModel, Cuts};
pub use multipliers::{ConicMultipliers, PairMultipliers};
pub use parameter::ConicParameter;
pub use sensitivity::{ConicColumn, ConicSensitivity, ConicTangents};
pub use solution::{ConicSolution, PairState, TIGHT};
pub use solve::{ConicOutcome, ConicPhase, ConicProgress, ConicSolve};
pub use warrant::{ConicEnd, ConicEvent, ConicWarrant};
