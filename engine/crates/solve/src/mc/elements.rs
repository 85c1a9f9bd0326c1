//! Elements with a linear law: currents from voltages by factored formulas, and entries of the admittance matrix.
//!
//! Voltages are subtracted before they are multiplied: the difference of two large products would have lost its digits.

use super::C;

pub(crate) trait Element {
    /// Node at which each of its currents leaves the network; nodes may repeat.
    fn nodes(&self) -> &[usize];
    /// Current at each of `nodes` into the element.
    fn currents(&self, u: &[C], out: &mut [C]);
    /// Calls `add` with two nodes and what the voltage at the second adds to the current at the first.
    fn stamp(&self, add: &mut dyn FnMut(usize, usize, C));
}

/// A line: a series admittance and a shunt admittance at either end. Matrices by rows.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    /// Those of the from end, then those of the to end.
    pub nodes: Vec<usize>,
    pub series: Vec<C>,
    /// Empty where there is none.
    pub from: Vec<C>,
    pub to: Vec<C>,
}

impl Element for Series {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn currents(&self, u: &[C], out: &mut [C]) {
        let n = self.nodes.len() / 2;
        let (from, to) = self.nodes.split_at(n);
        for i in 0..n {
            let row = i * n..(i + 1) * n;
            let mut through = C::default();
            for (y, (&f, &t)) in self.series[row.clone()].iter().zip(from.iter().zip(to)) {
                through += y * (u[f] - u[t]);
            }
            out[i] = through + times(&self.from, row.clone(), from, u);
            out[n + i] = times(&self.to, row, to, u) - through;
        }
    }

    fn stamp(&self, add: &mut dyn FnMut(usize, usize, C)) {
        let n = self.nodes.len() / 2;
        let (from, to) = self.nodes.split_at(n);
        for i in 0..n {
            for j in 0..n {
                let y = self.series[i * n + j];
                if y != C::default() {
                    add(from[i], from[j], y);
                    add(to[i], to[j], y);
                    add(from[i], to[j], -y);
                    add(to[i], from[j], -y);
                }
            }
        }
        stamp_matrix(&self.from, from, add);
        stamp_matrix(&self.to, to, add);
    }
}

/// A matrix between some nodes and ground.
#[derive(Clone, Debug)]
pub(crate) struct Shunt {
    pub nodes: Vec<usize>,
    pub y: Vec<C>,
}

impl Element for Shunt {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn currents(&self, u: &[C], out: &mut [C]) {
        let n = self.nodes.len();
        for (i, out) in out.iter_mut().enumerate() {
            *out = times(&self.y, i * n..(i + 1) * n, &self.nodes, u);
        }
    }

    fn stamp(&self, add: &mut dyn FnMut(usize, usize, C)) {
        stamp_matrix(&self.y, &self.nodes, add);
    }
}

/// A row of a matrix times the voltages; zero for no matrix.
fn times(matrix: &[C], row: std::ops::Range<usize>, nodes: &[usize], u: &[C]) -> C {
    let mut sum = C::default();
    for (y, &node) in matrix.get(row).unwrap_or_default().iter().zip(nodes) {
        sum += y * u[node];
    }
    sum
}

fn stamp_matrix(matrix: &[C], nodes: &[usize], add: &mut dyn FnMut(usize, usize, C)) {
    let n = nodes.len();
    for (at, y) in matrix.iter().enumerate().filter(|(_, y)| **y != C::default()) {
        add(nodes[at / n], nodes[at % n], *y);
    }
}

/// Inverse of a small matrix by rows, by elimination with row pivots; None where it is singular.
pub(crate) fn inverse(matrix: &[C], n: usize) -> Option<Vec<C>> {
    let mut a = matrix.to_vec();
    let mut inverse = vec![C::default(); n * n];
    (0..n).for_each(|i| inverse[i * n + i] = C::new(1.0, 0.0));
    let largest = a.iter().map(|z| super::modulus(*z)).fold(0.0, f64::max);
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| super::modulus(a[i * n + k]).total_cmp(&super::modulus(a[j * n + k])))?;
        let size = super::modulus(a[pivot * n + k]);
        if !(size > 1e-14 * largest && size.is_normal()) {
            return None;
        }
        for j in 0..n {
            a.swap(k * n + j, pivot * n + j);
            inverse.swap(k * n + j, pivot * n + j);
        }
        let one_by = C::new(1.0, 0.0) / a[k * n + k];
        for j in 0..n {
            a[k * n + j] *= one_by;
            inverse[k * n + j] *= one_by;
        }
        for i in (0..n).filter(|i| *i != k) {
            let factor = a[i * n + k];
            if factor == C::default() {
                continue;
            }
            for j in 0..n {
                let (x, y) = (a[k * n + j], inverse[k * n + j]);
                a[i * n + j] -= factor * x;
                inverse[i * n + j] -= factor * y;
            }
        }
    }
    // A symmetric matrix has a symmetric inverse: rounding must not make an unsymmetric network of it.
    let is_symmetric = (0..n).all(|i| (0..i).all(|j| matrix[i * n + j] == matrix[j * n + i]));
    if is_symmetric {
        for i in 0..n {
            for j in 0..i {
                let mean = 0.5 * (inverse[i * n + j] + inverse[j * n + i]);
                inverse[i * n + j] = mean;
                inverse[j * n + i] = mean;
            }
        }
    }
    Some(inverse)
}
