//! The solver benchmarks of `npm run bench`, natively (main.rs), and in WebAssembly or a process of another language
//! (`hosts`). The engine has no clock: each host times the calls of a [`Session`].

mod hosts;
mod peers;
mod sessions;

pub use peers::{power_flow, Problem};
pub use sessions::{
    convention, Answer, Bits, Calls, ConicCall, ConicSession, FlowCall, FlowSession, Session, Step, Target,
};
