//! Power flow of multiconductor feeders: the voltage of every terminal, phase by phase and with its neutrals.
//!
//! `McModel` is analysed and factored once for a feeder; `solve` finds the voltages of its loads (`McData`), from a solution of
//! other loads where there is one. `McCertificate` checks a solution without the model.
//!
//! The mathematics is in `docs/method/multiconductor.md`.

mod anderson;
mod certificate;
mod elements;
mod failure;
mod islands;
mod iteration;
mod load;
mod matrix;
mod model;
mod solution;
mod ties;
mod transformer;

pub use certificate::McCertificate;
pub use iteration::{solve, McOptions};
pub use model::{McData, McModel};
pub use solution::{McSolution, McSource, McSwitch};

pub use num_complex::Complex64;
use Complex64 as C;

/// `|z|`, the same bits everywhere.
pub(crate) fn modulus(z: C) -> f64 {
    libm::hypot(z.re, z.im)
}
