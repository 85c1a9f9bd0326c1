//! Power flow of multiconductor feeders: the voltage of every terminal, including neutrals.
//!
//! `McModel` is analysed and factored once for a feeder; `solve` finds the voltages for its loads (`McData`), from a
//! solution of other loads if there is one. `McCertificate` checks a solution independently of the model.
//!
//! The mathematics is in `docs/method/multiconductor.md`.

mod elements;
mod factor;
mod failure;
mod iteration;
mod model;
mod result;
mod unknowns;
mod voltages;

pub use iteration::{solve, voltages, McOptions};
pub use model::{McData, McModel};
pub use result::{distances, McCertificate, McSolution, McSource, McSwitch};
pub use voltages::McVoltages;

pub use num_complex::Complex64;
use Complex64 as C;

/// `|z|`, with the same bits on every platform.
pub(crate) fn modulus(z: C) -> f64 {
    libm::hypot(z.re, z.im)
}

/// `|re| + |im|`: within a factor of sqrt 2 of the modulus and cheaper, for limits and pivots.
pub(crate) fn size(z: C) -> f64 {
    z.re.abs() + z.im.abs()
}

/// The modulus by a square root, for comparisons with limits.
pub(crate) fn magnitude(z: C) -> f64 {
    (z.re * z.re + z.im * z.im).sqrt()
}
