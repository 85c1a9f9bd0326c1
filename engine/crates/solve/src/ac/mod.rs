//! AC power flow: voltages of a dispatch, their certificate, their derivatives, and the distance to voltage collapse.
//!
//! `AcModel` is analysed once for a network; `solve` finds the voltages for powers and set-points (`AcData`). `base`
//! stores a solution with its factored Jacobian: `step` solves other data from it, `column` and `gradient`
//! differentiate it, and `nose` estimates where voltages collapse. `AcScreening` solves the power flow after each single
//! outage. `AcCertificate` checks a solution independently of
//! all of these.
//!
//! Each module uses only those before it: `model`, `newton`, `result`, `sensitivity`, `outages`.
//!
//! The mathematics is in `docs/method/ac-power-flow.md`.

mod model;
mod newton;
mod outages;
mod result;
mod sensitivity;

pub use model::analysis::{AcData, AcModel};
pub use newton::equations::SlackRule;
pub use newton::reactive::{Limited, ReactiveLimits};
pub use newton::starts::Start;
pub use outages::{
    AcAfter, AcCounts, AcEffect, AcLimits, AcLoading, AcNewOverload, AcOutage, AcScreening, AcSelection,
};
pub use result::base::AcBase;
pub use result::certificate::{AcCertificate, AcClaim};
pub use result::outputs::AcSlack;
pub use result::solution::{AcFlows, AcOptions, AcSolution};
pub use sensitivity::column::{AcEnd, AcEvent, AcSensitivity, AcWarrant, WARRANTED_ERROR};
pub use sensitivity::nose::Nose;
