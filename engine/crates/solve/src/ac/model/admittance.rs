//! Admittances of branches and the bus admittance matrix (MATPOWER manual, sections 3.2 and 3.6).

use num_complex::Complex64;
use wattbook_network::analysis::Branch;

/// A branch as a two-port, per unit: `I_f = ff V_f + ft V_t`, `I_t = tf V_f + tt V_t`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TwoPort {
    pub ff: Complex64,
    pub ft: Complex64,
    pub tf: Complex64,
    pub tt: Complex64,
}

/// Parameters of the two-port of a branch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BranchData {
    /// `1 / (r + jx)`; zero where the branch has no impedance and its ends are one node.
    pub series: Complex64,
    /// Admittances to ground at the from end, on the line side of the ideal transformer, and at the to end.
    pub shunt: [Complex64; 2],
    pub tap: f64,
    /// `e^{j shift}`.
    pub shift: Complex64,
}

/// A branch parameter by which results are differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BranchParameter {
    Tap,
    Shift,
    SeriesConductance,
    SeriesSusceptance,
}

impl BranchData {
    pub fn new(branch: &Branch) -> Self {
        let (sin, cos) = libm::sincos(branch.shift_rad);
        let series = match branch.is_zero_impedance() {
            true => Complex64::default(),
            false => Complex64::new(1.0, 0.0) / Complex64::new(branch.r_pu, branch.x_pu),
        };
        Self {
            series,
            shunt: [branch.shunt_from_pu, branch.shunt_to_pu].map(|[g, b]| Complex64::new(g, b)),
            tap: branch.tap,
            shift: Complex64::new(cos, sin),
        }
    }

    /// The transformer is at the from end (MATPOWER manual, equation 3.2); each end has its own shunt, as in
    /// PowerModels.
    pub fn two_port(&self) -> TwoPort {
        TwoPort {
            ff: (self.series + self.shunt[0]) / (self.tap * self.tap),
            ft: -self.series * self.shift / self.tap,
            tf: -self.series * self.shift.conj() / self.tap,
            tt: self.series + self.shunt[1],
        }
    }

    /// Coefficient of `t^order` (order 1 and above) of the two-port where the parameter grows by `t`.
    pub fn taylor(&self, parameter: BranchParameter, order: usize) -> TwoPort {
        let now = self.two_port();
        let unit = match parameter {
            BranchParameter::Tap => {
                // `powi` may give different bits on different machines.
                let falls = (0..order).fold(1.0, |product, _| product * (-1.0 / self.tap));
                return TwoPort {
                    ff: now.ff * (falls * (order as f64 + 1.0)),
                    ft: now.ft * falls,
                    tf: now.tf * falls,
                    tt: Complex64::default(),
                };
            }
            BranchParameter::Shift => {
                let mut factor = Complex64::new(1.0, 0.0);
                for m in 1..=order {
                    factor *= Complex64::new(0.0, 1.0 / m as f64);
                }
                return TwoPort {
                    ff: Complex64::default(),
                    ft: now.ft * factor,
                    tf: now.tf * factor.conj(),
                    tt: Complex64::default(),
                };
            }
            BranchParameter::SeriesConductance => Complex64::new(1.0, 0.0),
            BranchParameter::SeriesSusceptance => Complex64::new(0.0, 1.0),
        };
        if order > 1 {
            return TwoPort::default();
        }
        Self {
            series: unit,
            shunt: [Complex64::default(); 2],
            ..*self
        }
        .two_port()
    }
}

/// The bus admittance matrix by rows, nodes in the order of elimination.
#[derive(Clone, Debug, Default)]
pub(crate) struct Admittance {
    /// Start of each row in `columns` and `values`, followed by the end of the last row.
    pub start: Vec<u32>,
    pub columns: Vec<u32>,
    pub values: Vec<Complex64>,
    pub diagonal: Vec<Complex64>,
}

impl Admittance {
    /// Sums the two-ports between nodes, in addition to the admittances `diagonal` to ground.
    pub fn new(diagonal: Vec<Complex64>, ports: &[(usize, usize, TwoPort)]) -> Self {
        let n = diagonal.len();
        let mut entries: Vec<u64> = Vec::with_capacity(2 * ports.len());
        for &(f, t, _) in ports.iter().filter(|(f, t, _)| f != t) {
            entries.extend([(f as u64) << 32 | t as u64, (t as u64) << 32 | f as u64]);
        }
        entries.sort_unstable();
        entries.dedup();
        let mut start = vec![0u32; n + 1];
        for entry in &entries {
            start[(entry >> 32) as usize + 1] += 1;
        }
        for row in 0..n {
            start[row + 1] += start[row];
        }
        let mut matrix = Self {
            start,
            columns: entries.iter().map(|&entry| entry as u32).collect(),
            values: vec![Complex64::default(); entries.len()],
            diagonal,
        };
        for (f, t, port) in ports {
            matrix.add(*f, *f, port.ff);
            matrix.add(*f, *t, port.ft);
            matrix.add(*t, *f, port.tf);
            matrix.add(*t, *t, port.tt);
        }
        matrix
    }

    /// Position of an off-diagonal entry in `values`.
    pub fn position(&self, row: usize, column: usize) -> Option<usize> {
        let range = self.range(row);
        let at = self.columns[range.clone()].binary_search(&(column as u32)).ok()?;
        Some(range.start + at)
    }

    fn add(&mut self, row: usize, column: usize, value: Complex64) {
        if row == column {
            self.diagonal[row] += value;
            return;
        }
        // Every pair of ends was entered above.
        if let Some(at) = self.position(row, column) {
            self.values[at] += value;
        }
    }

    #[inline(always)]
    pub fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.start[row] as usize..self.start[row + 1] as usize
    }

    /// `Y v`. The loops use indices because zipped iterators and complex sums were not
    /// inlined.
    #[allow(clippy::needless_range_loop)]
    pub fn times(&self, v: &[Complex64], out: &mut [Complex64]) {
        for row in 0..out.len() {
            let product = self.diagonal[row] * v[row];
            let (mut re, mut im) = (product.re, product.im);
            let range = self.range(row);
            let (columns, values) = (&self.columns[range.clone()], &self.values[range]);
            for i in 0..columns.len() {
                let (y, v) = (&values[i], &v[columns[i] as usize]);
                re += y.re * v.re - y.im * v.im;
                im += y.re * v.im + y.im * v.re;
            }
            out[row] = Complex64::new(re, im);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transformer() -> BranchData {
        BranchData {
            series: Complex64::new(1.0, 0.0) / Complex64::new(0.02, 0.1),
            shunt: [Complex64::new(0.0, 0.025); 2],
            tap: 0.97,
            shift: Complex64::new(libm::cos(0.1), libm::sin(0.1)),
        }
    }

    /// MATPOWER's makeYbus for r = 0.02, x = 0.1, b = 0.05, ratio 0.97 and 0.1 rad.
    #[test]
    fn two_port_of_a_phase_shifting_transformer() {
        let port = transformer().two_port();
        let y = Complex64::new(1.923_076_923_076_923, -9.615_384_615_384_615);
        let close = |got: Complex64, want: Complex64| assert!((got - want).norm_sqr() < 1e-24, "{got} against {want}");
        close(port.tt, y + Complex64::new(0.0, 0.025));
        close(port.ff, port.tt / 0.9409);
        let a = Complex64::new(0.995_004_165_278_025_8, 0.099_833_416_646_828_15) * 0.97;
        close(port.ft, -y / a.conj());
        close(port.tf, -y / a);
    }

    #[test]
    fn taylor_coefficients_rebuild_the_two_port() {
        let base = transformer();
        let t: f64 = 0.01;
        let turned = Complex64::new(libm::cos(0.11), libm::sin(0.11));
        for (parameter, moved) in [
            (BranchParameter::Tap, BranchData { tap: 0.98, ..base }),
            (BranchParameter::Shift, BranchData { shift: turned, ..base }),
            (
                BranchParameter::SeriesSusceptance,
                BranchData {
                    series: base.series + Complex64::new(0.0, t),
                    ..base
                },
            ),
            (
                BranchParameter::SeriesConductance,
                BranchData {
                    series: base.series + t,
                    ..base
                },
            ),
        ] {
            let (want, mut sum) = (moved.two_port(), base.two_port());
            for order in 1..=6 {
                let (c, power) = (base.taylor(parameter, order), t.powi(order as i32));
                sum.ff += c.ff * power;
                sum.ft += c.ft * power;
                sum.tf += c.tf * power;
                sum.tt += c.tt * power;
            }
            for (got, want) in [
                (sum.ff, want.ff),
                (sum.ft, want.ft),
                (sum.tf, want.tf),
                (sum.tt, want.tt),
            ] {
                assert!((got - want).norm_sqr() < 1e-22, "{parameter:?}: {got} against {want}");
            }
        }
    }
}
