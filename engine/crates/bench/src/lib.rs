//! The solver benchmarks of `npm run bench`, natively (main.rs), and in WebAssembly or a process of another language
//! (abi.rs). The engine has no clock: each host times the calls of a [`Session`].

mod abi;
mod answer;
mod bits;
mod calls;
mod calls_abi;
mod conic;
mod plan;
mod power_flow;
mod power_flow_problem;
pub mod problem;
mod session;

pub use answer::Answer;
pub use bits::Bits;
pub use calls::Calls;
pub use conic::{ConicCall, ConicSession};
pub use plan::Step;
pub use power_flow::{FlowCall, FlowSession};
pub use power_flow_problem::power_flow;
pub use session::{convention, Session, Target};
