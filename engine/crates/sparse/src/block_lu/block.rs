//! Products and inverses of 2 x 2 blocks.

use crate::pairs::Block;

/// A pivot with a determinant smaller than this, relative to the square of its largest entry, is singular.
const SINGULAR: f64 = 1e-14;

#[inline(always)]
pub(super) fn times(a: &Block, b: &Block) -> Block {
    [
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
    ]
}

/// `x -= a y`.
#[inline(always)]
pub(super) fn subtract(x: &mut [f64; 2], a: &Block, y: &[f64; 2]) {
    x[0] -= a[0] * y[0] + a[1] * y[1];
    x[1] -= a[2] * y[0] + a[3] * y[1];
}

/// The two entries of a block row, for four right-hand sides each.
pub type FourPairs = [[f64; 4]; 2];

/// `x -= a y` for four right-hand sides.
#[inline(always)]
pub(super) fn subtract_four(x: &mut FourPairs, a: &Block, y: &FourPairs) {
    for lane in 0..4 {
        x[0][lane] -= a[0] * y[0][lane] + a[1] * y[1][lane];
        x[1][lane] -= a[2] * y[0][lane] + a[3] * y[1][lane];
    }
}

/// `x -= a' y`.
#[inline(always)]
pub(super) fn subtract_transposed(x: &mut [f64; 2], a: &Block, y: &[f64; 2]) {
    x[0] -= a[0] * y[0] + a[2] * y[1];
    x[1] -= a[1] * y[0] + a[3] * y[1];
}

#[inline]
pub(super) fn inverted(d: &Block) -> Option<Block> {
    let det = d[0] * d[3] - d[1] * d[2];
    let largest = d.iter().fold(0.0f64, |m, x| if x.abs() > m { x.abs() } else { m });
    if !det.is_finite() || det.abs() <= SINGULAR * largest * largest {
        return None;
    }
    Some([d[3] / det, -d[1] / det, -d[2] / det, d[0] / det])
}
