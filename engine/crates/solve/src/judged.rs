//! What certificates judge powers against: the power itself, whatever the base.

/// A power counts as at least this where it is judged, MVA: a base of this size and below is the scale of its case.
const ORDINARY_MVA: f64 = 1000.0;

/// What a residual is relative to at an element of no power, per unit.
pub(crate) fn least_power(base_mva: f64) -> f64 {
    (ORDINARY_MVA / base_mva).min(1.0)
}

/// What a residual at an element with powers up to `size` is relative to, per unit: one, and less where that is more than the power
/// and more than [`ORDINARY_MVA`].
pub(crate) fn power_scale(size: f64, base_mva: f64) -> f64 {
    size.max(least_power(base_mva)).min(1.0)
}
