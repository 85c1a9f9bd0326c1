//! AC power flow: voltages of a dispatch, their certificate, their derivatives, and the distance to voltage collapse.
//!
//! `AcModel` is analysed once for a network; `solve` finds the voltages of powers and set-points (`AcData`); `base` keeps a
//! solution with its factored Jacobian, from which `step` solves other data, `column` and `gradient` differentiate, and `nose`
//! estimates where voltages collapse. `AcCertificate` checks a solution without any of it.
//!
//! The mathematics is in `docs/method/ac-power-flow.md`.

mod adjoint;
mod admittance;
mod base;
mod certificate;
mod equations;
mod failure;
mod loadability;
mod model;
mod newton;
mod parameter;
mod reactive;
mod sensitivity;
mod series;
mod solution;
mod starts;
mod topology;
mod zero_impedance;

pub use base::AcBase;
pub use certificate::AcCertificate;
pub use equations::SlackRule;
pub use loadability::Nose;
pub use model::{AcData, AcModel};
pub use reactive::{Limited, ReactiveLimits};
pub use sensitivity::{AcEnd, AcEvent, AcSensitivity, AcWarrant, WARRANTED_ERROR};
pub use solution::{AcOptions, AcSlack, AcSolution};
pub use starts::Start;
