//! The power flow equations and Newton's method for them: starts, reactive limits, and errors without a solution.

pub(crate) mod equations;
pub(crate) mod failure;
pub(crate) mod harmonic;
pub(crate) mod jacobian;
pub(crate) mod method;
pub(crate) mod reactive;
pub(crate) mod starts;
