//! The elastic program: limits may be violated at a cost, and there are no other costs.

use super::program::{Bound, Column, Program, Softened};

/// Violations of a voltage (pu) and of an angle (rad) that cost as much as one MW, MVAr or MVA.
pub const VOLTAGE_PER_MW: f64 = 0.01;
pub const ANGLE_PER_MW: f64 = std::f64::consts::PI / 180.0;

/// The limits that may be violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elastic {
    /// Balances and rated limits; the relaxation is as tight as the original.
    Powers,
    /// Limits of voltages and angle differences too. Lifted cuts follow from these and are omitted.
    Limits,
}

/// Violation of the limit of a squared voltage per unit of cost: to first order, `VOLTAGE_PER_MW` for one MW. `None`
/// for a lower limit of zero, which cannot be violated.
pub(crate) fn voltage_slope(square: f64, base_mva: f64) -> Option<f64> {
    (square > 0.0).then(|| 2.0 * square.sqrt() * VOLTAGE_PER_MW * base_mva)
}

/// The corresponding slope of an angle-difference limit, at voltages of 1 pu.
pub(crate) fn angle_slope(base_mva: f64) -> f64 {
    ANGLE_PER_MW * base_mva
}

/// The elastic program of `program`. It is feasible unless limits contradict each other by themselves.
pub(crate) fn elastic(program: &Program, what: Elastic, base_mva: f64) -> Program {
    let mut elastic = program.clone();
    for column in &mut elastic.columns {
        (column.c, column.q) = (0.0, 0.0);
    }
    for node in 0..program.n {
        for part in 0..2 {
            for sign in [1.0, -1.0] {
                elastic.columns.push(Column {
                    node,
                    part,
                    sign,
                    beyond: None,
                    lo: 0.0,
                    hi: f64::INFINITY,
                    c: 1.0,
                    q: 0.0,
                });
            }
        }
    }
    let first = elastic.n + elastic.columns.len();
    // One rating applies at both ends of its branch, which are adjacent.
    for ends in elastic.thermal.chunks_exact_mut(2).filter(|ends| ends[0].is_rated) {
        ends.iter_mut()
            .for_each(|t| t.elastic = Some(first + elastic.n_elastic));
        elastic.n_elastic += 1;
    }
    elastic.cost_scale = 1.0;
    match what {
        Elastic::Powers => elastic.complete(),
        Elastic::Limits => softened(elastic, base_mva),
    }
}

/// Softens voltage bounds and rows of angle-difference limits, and omits the cuts.
fn softened(mut elastic: Program, base_mva: f64) -> Program {
    elastic.held = vec![None; elastic.n];
    let mut angle_rows = Vec::with_capacity(2 * elastic.pairs.len());
    for pair in &mut elastic.pairs {
        let first = angle_rows.len();
        angle_rows.extend_from_slice(&elastic.rows[pair.rows.start..pair.rows.start + 2]);
        pair.rows = first..first + 2;
    }
    elastic.rows = angle_rows;
    // The bounds of nodes come first, two per node; the bounds of the elastic variables come last.
    let slope = |k: usize| voltage_slope(elastic.w_box[k / 2][k % 2], base_mva);
    let of_voltages: Vec<(usize, f64)> = (0..2 * elastic.n).filter_map(|k| Some((k, slope(k)?))).collect();
    let first = elastic.n_outer();
    elastic.n_elastic += of_voltages.len() + elastic.rows.len();
    let mut elastic = elastic.complete();
    let n_bounds = elastic.bounds.len();
    let of_angles = (0..elastic.rows.len()).map(|row| (n_bounds + row, angle_slope(base_mva)));
    let rows = of_voltages.into_iter().chain(of_angles);
    elastic.softened = rows
        .enumerate()
        .map(|(k, (row, slope))| Softened {
            row,
            variable: first + k,
            slope,
        })
        .collect();
    elastic.complete()
}

/// The limit of a softened row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SoftRow {
    Voltage {
        node: usize,
        is_upper: bool,
    },
    /// Side 0 is the lower limit, 1 the upper.
    Angle {
        pair: usize,
        side: usize,
    },
}

impl Program {
    pub fn soft_row(&self, softened: &Softened) -> SoftRow {
        match self.bounds.get(softened.row) {
            Some(Bound { variable, is_upper, .. }) => SoftRow::Voltage {
                node: *variable,
                is_upper: *is_upper,
            },
            None => SoftRow::Angle {
                pair: (softened.row - self.bounds.len()) / 2,
                side: (softened.row - self.bounds.len()) % 2,
            },
        }
    }
}
