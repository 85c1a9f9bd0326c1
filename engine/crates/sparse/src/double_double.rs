//! Arithmetic with about 32 digits: a number is the unevaluated sum of two doubles (Dekker, Numer. Math. 18 (1971);
//! Hida, Li and Bailey, IEEE Symp. Computer Arithmetic, 2001). It does not use fused multiply-add, so that every
//! machine gives the same bits.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Number types for factorisations.
pub trait Number:
    Copy
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + std::fmt::Debug
{
    fn from_f64(value: f64) -> Self;
    /// The nearest double.
    fn to_f64(self) -> f64;
    /// The product of two doubles, exact if the type can represent it.
    fn product(a: f64, b: f64) -> Self;
}

impl Number for f64 {
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn product(a: f64, b: f64) -> Self {
        a * b
    }
}

/// `high + low`, with `low` at most half a unit in the last place of `high`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

/// Sum and its rounding error.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let from_b = sum - a;
    (sum, (a - (sum - from_b)) + (b - from_b))
}

/// `two_sum` for `a` not smaller than `b` in magnitude.
#[inline(always)]
fn quick_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// Upper and lower half of the digits.
#[inline(always)]
fn split(a: f64) -> (f64, f64) {
    const FACTOR: f64 = 134_217_729.0; // 2^27 + 1
    let t = FACTOR * a;
    let high = t - (t - a);
    (high, a - high)
}

/// Product and its rounding error.
#[inline(always)]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    (product, ((ah * bh - product) + ah * bl + al * bh) + al * bl)
}

impl DoubleDouble {
    #[inline(always)]
    fn new((high, low): (f64, f64)) -> Self {
        Self { high, low }
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let (sum, error) = two_sum(self.high, other.high);
        let (low, low_error) = two_sum(self.low, other.low);
        let (sum, error) = quick_two_sum(sum, error + low);
        Self::new(quick_two_sum(sum, error + low_error))
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
        }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (product, error) = two_product(self.high, other.high);
        Self::new(quick_two_sum(
            product,
            error + (self.high * other.low + self.low * other.high),
        ))
    }
}

impl Div for DoubleDouble {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * Self::from_f64(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::from_f64(second);
        let third = rest.high / other.high;
        Self::new(quick_two_sum(first, second)) + Self::from_f64(third)
    }
}

impl Number for DoubleDouble {
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self.high
    }

    #[inline(always)]
    fn product(a: f64, b: f64) -> Self {
        Self::new(two_product(a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f64) -> DoubleDouble {
        DoubleDouble::from_f64(value)
    }

    /// `(1 + 2^-40)^2 - 1 - 2^-39 = 2^-80`, which doubles lose.
    #[test]
    fn keeps_what_doubles_lose() {
        let tiny = 2f64.powi(-40);
        let square = DoubleDouble::product(1.0 + tiny, 1.0 + tiny);
        let rest = square - number(1.0) - number(2.0 * tiny);
        assert_eq!(rest.to_f64(), 2f64.powi(-80));
    }

    #[test]
    fn divides_to_thirty_digits() {
        for (a, b) in [(1.0, 3.0), (2.0, -7.0), (1e10, 0.3)] {
            let quotient = number(a) / number(b);
            let error = (quotient * number(b) - number(a)).to_f64();
            assert!(error.abs() < 1e-30 * a.abs(), "{a} / {b}: {error}");
        }
    }
}
