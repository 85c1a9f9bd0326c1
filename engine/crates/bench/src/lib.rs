//! The solver benchmarks of `npm run bench`, natively (main.rs), and in WebAssembly or a process of another language
//! (abi.rs). The engine has no clock: each host times the calls of a [`Session`].

mod abi;
mod answer;
mod bits;
mod conic;
mod conic_abi;
mod plan;
pub mod problem;
mod session;

pub use answer::Answer;
pub use bits::Bits;
pub use conic::{ConicCall, ConicSession};
pub use plan::Step;
pub use session::{convention, Session, Target};
