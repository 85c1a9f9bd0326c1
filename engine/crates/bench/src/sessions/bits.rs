//! Equality of results to the last bit.

use wattbook_network::EngineError;
use wattbook_solve::ac::AcSolution;
use wattbook_solve::conic::ConicSolution;
use wattbook_solve::dc::{DcSolution, OneSidedDerivatives, SensitivityColumn};

/// FNV-1a over the bits of numbers (64 bits), which suffices to compare the computations of two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits(u64);

impl Default for Bits {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Bits {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn numbers(&mut self, numbers: &[f64]) {
        for x in numbers {
            self.bytes(&x.to_bits().to_le_bytes());
        }
    }

    /// Includes another hash, to hash a sequence of results.
    pub fn add(&mut self, other: Bits) {
        self.bytes(&other.0.to_le_bytes());
    }

    /// Hexadecimal digits.
    pub fn hex(self) -> String {
        format!("{:016x}", self.0)
    }

    /// Everything a solution publishes, per unit.
    pub fn of_solution(s: &DcSolution) -> Self {
        let mut bits = Self::default();
        for part in [&[s.objective][..], &s.price, &s.theta, &s.flow, &s.shadow, &s.dispatch] {
            bits.numbers(part);
        }
        bits
    }

    /// Everything an optimum of the relaxation publishes, per unit.
    pub fn of_relaxation(s: &ConicSolution) -> Self {
        let mut bits = Self::of(&[s.objective]);
        let parts = [
            &s.price,
            &s.price_q,
            &s.dispatch,
            &s.dispatch_q,
            &s.voltage_squared,
            &s.shadow,
        ];
        parts.into_iter().for_each(|part| bits.numbers(part));
        for part in [&s.product, &s.flow_from, &s.flow_to] {
            bits.numbers(part.as_flattened());
        }
        bits
    }

    /// Everything a power flow publishes, per unit.
    pub fn of_power_flow(s: &AcSolution) -> Self {
        let mut bits = Self::of(&[s.losses]);
        let parts = [
            &s.magnitude,
            &s.angle,
            &s.output,
            &s.output_q,
            &s.injection,
            &s.injection_q,
        ];
        parts.into_iter().for_each(|part| bits.numbers(part));
        for part in [&s.flow_from, &s.flow_to] {
            bits.numbers(part.as_flattened());
        }
        bits
    }

    pub fn of(numbers: &[f64]) -> Self {
        let mut bits = Self::default();
        bits.numbers(numbers);
        bits
    }

    /// The code and the message of a refusal, which contains elements and MW.
    pub fn of_error(error: &EngineError) -> Self {
        let mut bits = Self::default();
        bits.bytes(error.code.as_bytes());
        bits.bytes(error.message().as_bytes());
        bits
    }

    /// A column and its interval.
    pub fn of_column(column: &SensitivityColumn) -> Self {
        let (lo, hi) = column.warrant.interval();
        let mut bits = Self::default();
        bits.numbers(&column.price);
        bits.numbers(&[column.objective, column.objective_curvature, lo, hi]);
        bits
    }

    /// A column with its one-sided columns.
    pub fn of_one_sided(sides: &OneSidedDerivatives) -> Self {
        let mut bits = Self::of_column(&sides.column);
        for side in [&sides.left, &sides.right].into_iter().flatten() {
            bits.numbers(side);
        }
        bits
    }
}
