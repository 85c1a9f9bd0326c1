//! The power flow equations and Newton's method on them: starts, reactive limits, and what is said where nothing is found.

pub(crate) mod equations;
pub(crate) mod failure;
pub(crate) mod harmonic;
pub(crate) mod jacobian;
pub(crate) mod method;
pub(crate) mod reactive;
pub(crate) mod starts;
