//! Multipliers of the relaxation in terms of the network, from which certificates are checked.

use crate::conic::model::formulation::ConicModel;
use crate::conic::model::program::{Boost, Program};
use crate::conic::model::topology::NO_NODE;
use crate::conic::model::vectors::ConeVector;

/// Multipliers of the limits of two connected buses.
#[derive(Clone, Debug, PartialEq)]
pub struct PairMultipliers {
    /// Dense bus rows; `wr + j wi` is the product of the first voltage and the second's conjugate.
    pub buses: [usize; 2],
    /// Multiplier of the cone `|(w_f - w_t, 2 wr, 2 wi)| <= w_f + w_t`.
    pub jabr: [f64; 4],
    /// Multipliers of the lower and the upper angle-difference limit, `sin(lo) wr <= cos(lo) wi` and `cos(hi) wi <=
    /// sin(hi) wr`.
    pub angle: [f64; 2],
    /// Multipliers of the two lifted nonlinear cuts.
    pub cuts: [f64; 2],
}

/// Multipliers of balances and limits, in $/h per per-unit quantity; those of a proof of infeasibility have no unit.
/// Bounds of single variables have no multipliers because a bound on the objective minimises over these variables.
#[derive(Clone, Debug, PartialEq)]
pub struct ConicMultipliers {
    /// By bus: prices of active and reactive power.
    pub price: Vec<[f64; 2]>,
    /// By branch and end: multiplier of the cone `|(p, q)| <= rating`.
    pub thermal: Vec<[[f64; 3]; 2]>,
    pub pairs: Vec<PairMultipliers>,
}

impl ConicMultipliers {
    /// Reverts scaling, boost and order of the program.
    pub(crate) fn new(model: &ConicModel, program: &Program, y: &[[f64; 2]], z: &ConeVector, scale: f64) -> Self {
        let mut found = Self {
            price: vec![[0.0; 2]; model.network.buses.len()],
            thermal: vec![[[0.0; 3]; 2]; model.network.branches.len()],
            pairs: Vec::with_capacity(program.pairs.len()),
        };
        for (price, &node) in found.price.iter_mut().zip(&model.topology.node_of_bus) {
            if node != NO_NODE {
                *price = y[node].map(|y| -y * scale);
            }
        }
        for (t, z) in program.thermal.iter().zip(&z.thermal) {
            found.thermal[t.branch][t.end] = z.map(|z| z * scale / t.scale);
        }
        let rows = &z.linear[program.bounds.len()..];
        for (pair, z) in program.pairs.iter().zip(&z.jabr) {
            let Boost { beta, inverse } = pair.boost;
            let (ch, sh) = (0.5 * (beta + inverse), 0.5 * (inverse - beta));
            let row = |k: usize| {
                let at = pair.rows.start + k;
                if at < pair.rows.end {
                    rows[at] * scale
                } else {
                    0.0
                }
            };
            found.pairs.push(PairMultipliers {
                buses: pair.nodes.map(|node| model.topology.bus_of_node[node]),
                jabr: [ch * z[0] + sh * z[2], z[1], sh * z[0] + ch * z[2], z[3]].map(|z| z * scale),
                angle: [row(0), row(1)],
                cuts: [row(2), row(3)],
            });
        }
        found
    }
}
