//! The second-order cone relaxation of AC optimal power flow in voltage products (SOCWR): optima, their certificate, proofs of
//! infeasibility and derivatives.
//!
//! `ConicModel` is analysed once for a network; `optimum` solves data (`ConicData`) on it in one call, `ConicSolve` in
//! steps. `ConicCertificate` checks an optimum and `DualBound` a proof of infeasibility, independently of the model.
//!
//! Each folder uses only those before it: `model`, `interior_point`, `infeasibility`, `result`, `optimize`, `sensitivity`.
//!
//! The mathematics is in `docs/method/socwr.md`.

// Short loops use indices because zipped iterators were not inlined.
#![allow(clippy::needless_range_loop)]

mod infeasibility;
mod interior_point;
mod model;
mod optimize;
mod result;
mod sensitivity;

pub use infeasibility::dual_bound::DualBound;
pub use infeasibility::multipliers::{ConicMultipliers, PairMultipliers};
pub use infeasibility::proof::ConicProof;
pub use interior_point::method::ConicResiduals;
pub use model::data::ConicData;
pub use model::elastic::{ANGLE_PER_MW, VOLTAGE_PER_MW};
pub use model::formulation::{ConicModel, Cuts};
pub use model::standard_form::{ConicForm, ConicStandardForm, SparseRow};
pub use optimize::explanation::{ConicExplain, ConicExplanation};
pub use optimize::naming::{ConicNames, NamedLimit};
pub use optimize::relaxation::{rounded_up, ConicRelaxation, Loosened, PER_DEGREE, PER_MW, PER_PU};
pub use optimize::solve::{ConicOutcome, ConicPhase, ConicProgress, ConicSolve};
pub use result::certificate::{ConicCertificate, ConicClaim};
pub use result::price_components::{ConicCongestion, ConicPriceComponents, ConicSlack};
pub use result::solution::{ConicSolution, PairState, TIGHT};
pub use sensitivity::adjoint::ConicRow;
pub use sensitivity::price_level::ConicPriceLevel;
pub use sensitivity::tangents::{ConicColumn, ConicSensitivity, ConicTangents};
pub use sensitivity::warrant::{ConicEnd, ConicEvent, ConicWarrant};
