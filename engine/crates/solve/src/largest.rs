//! The largest of many deviations.

/// Raises `largest` to `value`, or to NaN, and returns whether it changed.
pub(crate) fn raise(largest: &mut f64, value: f64) -> bool {
    let is_larger = value > *largest || (value.is_nan() && !largest.is_nan());
    if is_larger {
        *largest = value;
    }
    is_larger
}
