//! One case on one side: the timed calls of a host, and their results.

pub(crate) mod acpf;
mod answer;
pub(crate) mod bits;
pub(crate) mod calls;
pub(crate) mod dcopf;
mod plan;
pub(crate) mod socwr;

pub use acpf::{FlowCall, FlowSession};
pub use answer::Answer;
pub use bits::Bits;
pub use calls::Calls;
pub use dcopf::{convention, Session, Target};
pub use plan::Step;
pub use socwr::{ConicCall, ConicSession};
