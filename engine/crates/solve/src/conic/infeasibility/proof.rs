//! Proofs of infeasibility, tried at every iterate.
//!
//! For any `y`, and `z` in the dual cones, every feasible `x` satisfies `0 <= z's = b'y + h'z - r'x` with `r = A'y +
//! G'z`, where rows of bounds are omitted. If the right-hand side is negative over the whole box, the problem is
//! infeasible (Farkas; weak duality).

use super::dual_bound::DualBound;
use super::multipliers::ConicMultipliers;
use crate::conic::model::data::ConicData;
use crate::conic::model::formulation::{ConicModel, Cuts};
use crate::conic::model::program::Program;
use crate::conic::model::vectors::{ConeVector, Vector};
use wattbook_network::analysis::AnalysisNetwork;

/// A proof must exceed this (per unit, with a largest price of 1), and this share of its terms.
const LEAST_PROOF: f64 = 1e-6;
const LEAST_SHARE: f64 = 1e-10;

/// A proof of infeasibility.
#[derive(Clone, Debug, PartialEq)]
pub struct ConicProof {
    pub multipliers: ConicMultipliers,
    /// With a largest price of 1: lower bound on the missing MW, MVAr and MVA, as independent code finds it.
    pub missing_mw: f64,
    /// Lower bound on the cost of a relaxation of limits (`ConicModel::explain`), in MW.
    pub relaxation_mw: f64,
    /// Sum of the magnitudes of the terms, MW.
    pub terms_mw: f64,
    pub iterations: usize,
}

/// Workspace of the test.
#[derive(Clone, Debug, Default)]
pub(crate) struct FarkasTest {
    x: Vec<f64>,
    u: Vec<[f64; 2]>,
    z: ConeVector,
}

impl FarkasTest {
    /// The largest right-hand side over the box, less a margin for rounding, for multipliers with a largest price of 1;
    /// a negative value is a proof. `program` supplies the box, and its columns and rows are those of the multipliers.
    pub fn value(&mut self, program: &Program, v: &Vector) -> f64 {
        let size = crate::conic::model::vectors::largest(v.y.as_flattened().iter().copied());
        if size <= 0.0 || size.is_nan() {
            return 0.0;
        }
        self.x.clear();
        self.x.resize(program.n_outer(), 0.0);
        self.u.clear();
        self.u.resize(program.pairs.len(), [0.0; 2]);
        // Multipliers of an elastic program have additional bounds.
        self.z.linear.clear();
        self.z.linear.resize(program.bounds.len(), 0.0);
        let rows = v.z.linear.len() - program.rows.len();
        self.z.linear.extend_from_slice(&v.z.linear[rows..]);
        self.z.jabr.clone_from(&v.z.jabr);
        self.z.thermal.clone_from(&v.z.thermal);
        program.add_a_transposed(&v.y, &mut self.x, &mut self.u);
        program.add_g_transposed(&self.z, &mut self.x, &mut self.u);
        let (mut value, mut magnitude) = (0.0, 0.0);
        let mut add = |term: f64| {
            value += term;
            magnitude += term.abs();
        };
        for (y, b) in v.y.iter().zip(&program.demand) {
            add(y[0] * b[0] + y[1] * b[1]);
        }
        for (row, z) in program.rows.iter().zip(&self.z.linear[program.bounds.len()..]) {
            add(row.limit * z);
        }
        for (t, z) in program.thermal.iter().zip(&self.z.thermal) {
            add(t.limit / t.scale * z[0]);
        }
        let most = |r: f64, lo: f64, hi: f64| if r > 0.0 { -r * lo } else { -r * hi };
        for (node, r) in self.x[..program.n].iter().enumerate() {
            let [lo, hi] = program.w_box[node];
            add(match program.held[node] {
                Some(at) => -r * at,
                None => most(*r, lo, hi),
            });
        }
        for (column, r) in program.columns.iter().zip(&self.x[program.n..]) {
            add(most(*r, column.lo, column.hi));
        }
        for (pair, r) in program.pairs.iter().zip(&self.u) {
            let [f, t] = pair.nodes.map(|node| program.w_box[node][1]);
            let product = (f * t).sqrt();
            add(most(r[0], 0.0, 0.5 * (f + t) + product));
            add(r[1].abs() * product);
        }
        (value + LEAST_SHARE * magnitude) / size
    }
}

impl ConicProof {
    /// Turns multipliers of the program into a proof; `None` if they prove nothing.
    pub(crate) fn new(
        model: &ConicModel,
        program: &Program,
        data: &ConicData,
        v: &Vector,
        iterations: usize,
    ) -> Option<Self> {
        let size = crate::conic::model::vectors::largest(v.y.as_flattened().iter().copied());
        let multipliers = ConicMultipliers::new(model, program, &v.y, &v.z, 1.0 / size);
        let proof = Self::checked(&model.network, data, model.cuts, multipliers)?;
        Some(Self { iterations, ..proof })
    }

    /// Checks multipliers with a largest price of 1 independently of the solver; `None` if they prove nothing.
    pub fn checked(
        network: &AnalysisNetwork,
        data: &ConicData,
        cuts: Cuts,
        multipliers: ConicMultipliers,
    ) -> Option<Self> {
        let bound = DualBound::new(network, data, cuts, &multipliers, false);
        let is_proof = bound.value > LEAST_PROOF && bound.value > LEAST_SHARE * bound.magnitude;
        is_proof.then_some(Self {
            multipliers,
            missing_mw: bound.value * network.base_mva,
            relaxation_mw: bound.value * network.base_mva / bound.strain,
            terms_mw: bound.magnitude * network.base_mva,
            iterations: 0,
        })
    }
}

/// Whether the value of the test at an iterate justifies a check.
pub(crate) fn is_promising(value: f64) -> bool {
    value < -LEAST_PROOF
}
