//! Complex symmetric (not Hermitian) matrices, such as nodal admittance matrices: LDL^T without pivoting.
//!
//! Rows are in groups that are coupled as a whole, such as the conductors of a bus. Groups that form trees are
//! eliminated from their leaves, without fill (Parter, SIAM Review 3 (1961)); the remaining meshes are eliminated in a
//! general order.

mod blocks;
mod ldl;
mod tree;
mod tree_order;

#[cfg(test)]
mod tests;

pub use tree::{TreeFactors, TreeMatrix};
pub use tree_order::TreeOrder;

use num_complex::Complex64 as C;

/// `|re| + |im|`, within a factor of sqrt 2 of the modulus.
fn size(z: C) -> f64 {
    z.re.abs() + z.im.abs()
}

/// The inverse of a pivot; `None` if the pivot is not larger than `smallest` or not finite.
#[inline(always)]
fn inverse_of_pivot(d: C, smallest: f64) -> Option<C> {
    let square = d.re * d.re + d.im * d.im;
    // Also false for NaN.
    let is_pivot = size(d) > smallest && square.is_normal();
    is_pivot.then(|| C::new(d.re / square, -d.im / square))
}
