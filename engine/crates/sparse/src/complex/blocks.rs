//! Elimination of one group of a tree: its lower triangle by rows, and its entries with its parent group.
//!
//! Sizes are compile-time constants if both groups have the same size up to four, as along the conductors of a line,
//! and where one or two phases branch off.

use super::{inverse_of_pivot, C};

/// Calls a function with the sizes of a group and of its parent as constants, or as zeros for dynamic sizes.
macro_rules! with_sizes {
    ($n:expr, $p:expr, $call:ident($($argument:expr),*)) => {
        match ($n, $p) {
            (1, 1) => $call::<1, 1>($($argument),*),
            (2, 2) => $call::<2, 2>($($argument),*),
            (3, 3) => $call::<3, 3>($($argument),*),
            (4, 4) => $call::<4, 4>($($argument),*),
            (1, 2) => $call::<1, 2>($($argument),*),
            (1, 3) => $call::<1, 3>($($argument),*),
            (2, 3) => $call::<2, 3>($($argument),*),
            _ => $call::<0, 0>($($argument),*),
        }
    };
}
pub(super) use with_sizes;

/// A group and its parent: factors and sizes.
#[derive(Clone, Copy)]
pub(super) struct Group<'a> {
    /// Off-diagonal rows of L, each followed by the inverse of its pivot.
    pub triangle: &'a [C],
    /// `inv(L)` times the entries between the group and its parent, by rows of the group.
    pub link: &'a [C],
    pub sizes: (usize, usize),
}

/// Start of a row of a lower triangle.
#[inline(always)]
pub(super) fn row(i: usize) -> usize {
    i * (i + 1) / 2
}

/// The compile-time sizes, or otherwise the dynamic ones.
#[inline(always)]
fn known<const N: usize, const P: usize>(sizes: (usize, usize)) -> (usize, usize) {
    (if N > 0 { N } else { sizes.0 }, if P > 0 { P } else { sizes.1 })
}

/// Factors a group and eliminates it from its parent's triangle `above`. `smallest` is, by row of the group, the size
/// below which a pivot is rejected.
///
/// # Errors
/// The row of the group whose pivot is rejected.
#[inline(always)]
pub(super) fn eliminate<const N: usize, const P: usize>(
    triangle: &mut [C],
    link: &mut [C],
    above: &mut [C],
    smallest: &[f64],
    sizes: (usize, usize),
) -> Result<(), usize> {
    let (n, p) = known::<N, P>(sizes);
    let (triangle, link) = (&mut triangle[..row(n)], &mut link[..n * p]);
    let (above, smallest) = (&mut above[..row(p)], &smallest[..n]);
    for k in 0..n {
        let inverse = inverse_of_pivot(triangle[row(k) + k], smallest[k]).ok_or(k)?;
        for i in k + 1..n {
            let l = triangle[row(i) + k] * inverse;
            for j in k + 1..=i {
                let y = triangle[row(j) + k];
                triangle[row(i) + j] -= l * y;
            }
        }
        for i in k + 1..n {
            triangle[row(i) + k] *= inverse;
        }
        triangle[row(k) + k] = inverse;
    }
    for i in 0..n {
        for j in 0..i {
            let l = triangle[row(i) + j];
            for c in 0..p {
                let y = link[j * p + c];
                link[i * p + c] -= l * y;
            }
        }
    }
    for i in 0..n {
        let inverse = triangle[row(i) + i];
        for r in 0..p {
            let l = link[i * p + r] * inverse;
            for c in 0..=r {
                above[row(r) + c] -= l * link[i * p + c];
            }
        }
    }
    Ok(())
}

/// Solves with the group's L for its values `x` and eliminates them from those of its parent, `above`.
#[inline(always)]
pub(super) fn forward<const N: usize, const P: usize>(group: Group, x: &mut [C], above: &mut [C]) {
    let (n, p) = known::<N, P>(group.sizes);
    let (triangle, link) = (&group.triangle[..row(n)], &group.link[..n * p]);
    let (x, above) = (&mut x[..n], &mut above[..p]);
    for i in 0..n {
        let mut own = x[i];
        for j in 0..i {
            own -= triangle[row(i) + j] * x[j];
        }
        x[i] = own;
        let part = own * triangle[row(i) + i];
        for c in 0..p {
            above[c] -= link[i * p + c] * part;
        }
    }
}

/// Completes the group's values `x` with those of its parent.
#[inline(always)]
pub(super) fn backward<const N: usize, const P: usize>(group: Group, x: &mut [C], above: &[C]) {
    let (n, p) = known::<N, P>(group.sizes);
    let (triangle, link) = (&group.triangle[..row(n)], &group.link[..n * p]);
    let (x, above) = (&mut x[..n], &above[..p]);
    for i in (0..n).rev() {
        let mut own = x[i];
        for c in 0..p {
            own -= link[i * p + c] * above[c];
        }
        own *= triangle[row(i) + i];
        for k in i + 1..n {
            own -= triangle[row(k) + i] * x[k];
        }
        x[i] = own;
    }
}
