//! Inverses of small matrices.

use crate::mc::{size, C};

/// Inverts a small matrix by rows in place, by elimination with row pivots; `None` if it is singular.
pub(crate) fn invert(a: &mut [C], n: usize) -> Option<()> {
    let is_symmetric = (0..n).all(|i| (0..i).all(|j| a[i * n + j] == a[j * n + i]));
    match n {
        1 => inverted::<1>(a, 1),
        2 => inverted::<2>(a, 2),
        3 => inverted::<3>(a, 3),
        4 => inverted::<4>(a, 4),
        _ => inverted::<0>(a, n),
    }?;
    // The inverse of a symmetric matrix is symmetric, which rounding must not change.
    if is_symmetric {
        for i in 0..n {
            for j in 0..i {
                let mean = 0.5 * (a[i * n + j] + a[j * n + i]);
                a[i * n + j] = mean;
                a[j * n + i] = mean;
            }
        }
    }
    Some(())
}

/// Inverts `n` rows in place; `N` is `n` if it is known at compile time, else 0.
#[inline(always)]
fn inverted<const N: usize>(a: &mut [C], n: usize) -> Option<()> {
    let n = if N > 0 { N } else { n };
    let a = a.get_mut(..n * n)?;
    let mut swaps = Vec::new();
    let largest = a.iter().map(|z| size(*z)).fold(0.0, f64::max);
    for k in 0..n {
        let pivot = (k + 1..n).fold(k, |best, i| {
            if size(a[i * n + k]) > size(a[best * n + k]) {
                i
            } else {
                best
            }
        });
        let of_pivot = size(a[pivot * n + k]);
        if !(of_pivot > 1e-14 * largest && of_pivot.is_normal()) {
            return None;
        }
        if pivot != k {
            (0..n).for_each(|j| a.swap(k * n + j, pivot * n + j));
            swaps.push((k, pivot));
        }
        let one_by = C::new(1.0, 0.0) / a[k * n + k];
        a[k * n + k] = C::new(1.0, 0.0);
        for j in 0..n {
            a[k * n + j] *= one_by;
        }
        for i in (0..n).filter(|i| *i != k) {
            let factor = std::mem::take(&mut a[i * n + k]);
            for j in 0..n {
                let x = a[k * n + j];
                a[i * n + j] -= factor * x;
            }
        }
    }
    // Rows swapped earlier are columns of the inverse.
    for (k, pivot) in swaps.into_iter().rev() {
        (0..n).for_each(|i| a.swap(i * n + k, i * n + pivot));
    }
    Some(())
}
