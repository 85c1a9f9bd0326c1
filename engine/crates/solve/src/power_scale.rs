//! Denominators of relative residuals in certificates, which do not depend on the power base.

/// Smallest denominator of a residual, MVA, unless the base is smaller: such a base is the scale of its case.
const ORDINARY_MVA: f64 = 1000.0;

/// Denominator of a residual at an element without power, per unit.
pub(crate) fn least_power(base_mva: f64) -> f64 {
    (ORDINARY_MVA / base_mva).min(1.0)
}

/// Denominator of a residual at an element with powers up to `size`, per unit: one, or less if one exceeds both the
/// power and [`ORDINARY_MVA`].
pub(crate) fn power_scale(size: f64, base_mva: f64) -> f64 {
    size.max(least_power(base_mva)).min(1.0)
}
