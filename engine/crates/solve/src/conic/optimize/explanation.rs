//! Why nothing is feasible: the least violation, and the elements that its multipliers name.

use super::solve::relaxed;
use crate::conic::infeasibility::proof::ConicProof;
use crate::conic::interior_point::method::{ConicResiduals, InteriorPoint, Status};
use crate::conic::model::data::ConicData;
use crate::conic::model::formulation::ConicModel;
use crate::conic::model::program::Program;
use crate::conic::model::topology::NO_NODE;
use crate::conic::model::vectors::largest;

/// A multiplier below this share of the largest names nothing, and a violation below this (per unit) is none.
const SHARE: f64 = 1e-3;
const NO_VIOLATION: f64 = 1e-6;
/// Prices above this share of the largest are as high as they can be; where they are so at most buses, supply is short everywhere.
const FULL: f64 = 0.9;

/// A limit that contradicts the balances, with its multiplier: what a unit more of it would spare, MW per unit.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedLimit {
    /// Dense row of the bus or branch.
    pub row: usize,
    pub is_upper: bool,
    pub weight: f64,
}

/// What contradicts, and one least relaxation.
#[derive(Clone, Debug, PartialEq)]
pub struct ConicExplanation {
    /// At least this much must give (MW + MVAr + MVA), as a checked proof says; and this is enough.
    pub at_least_mw: f64,
    pub at_most_mw: f64,
    /// The proof of the lower value; none where data are feasible.
    pub proof: Option<ConicProof>,
    /// Prices are as high as they can be nearly everywhere: supply is short, and naming buses would name them all.
    pub is_shortage: bool,
    /// Dense bus rows whose price of active or reactive power takes part, largest first: less demand there spares this much
    /// (MW per MW, MVAr). Empty in a shortage.
    pub buses: Vec<(usize, [f64; 2])>,
    /// Apparent-power limits of branches.
    pub ratings: Vec<NamedLimit>,
    /// Angle-difference limits of branches.
    pub angles: Vec<NamedLimit>,
    /// Voltage limits of buses.
    pub voltages: Vec<NamedLimit>,
    /// One least relaxation (others may be as good): power that is missing at buses (negative: in excess), MW and MVAr.
    pub missing: Vec<(usize, [f64; 2])>,
    /// Its higher ratings, MVA, by dense branch row.
    pub raised: Vec<(usize, f64)>,
    pub iterations: usize,
}

/// The elastic program, solved in steps.
pub struct ConicExplain {
    program: Program,
    data: ConicData,
    method: InteriorPoint,
}

impl ConicExplain {
    pub fn new(model: &ConicModel, data: &ConicData) -> Self {
        let program = model.program(data);
        Self {
            method: relaxed(model, &program),
            program,
            data: data.clone(),
        }
    }

    pub fn residuals(&self) -> ConicResiduals {
        self.method.residuals
    }

    pub fn iterations(&self) -> usize {
        self.method.iterations
    }

    /// What the best iterate so far proves to be missing, MW + MVAr + MVA.
    pub fn at_least_mw(&self, model: &ConicModel) -> f64 {
        let v = &self.method.best.0.v;
        let proof = ConicProof::new(model, &self.method.program, &self.data, v, self.method.iterations);
        proof.map_or(0.0, |proof| proof.missing_mw)
    }

    /// One iteration; the explanation once it is found. Where the method stalls that of the best iterate is given: its two values
    /// are then apart.
    pub fn step(&mut self, model: &ConicModel) -> Option<ConicExplanation> {
        if self.method.status() == Status::Iterating && self.method.iterate() {
            return None;
        }
        Some(self.explanation(model))
    }

    /// What the best iterate so far tells.
    pub fn explanation(&self, model: &ConicModel) -> ConicExplanation {
        let (program, base) = (&self.method.program, model.base_mva);
        let v = &self.method.best.0.v;
        let proof = ConicProof::new(model, program, &self.data, v, self.method.iterations);
        let mut found = ConicExplanation {
            at_least_mw: proof.as_ref().map_or(0.0, |proof| proof.missing_mw),
            at_most_mw: program.objective(&v.x) * base,
            proof,
            is_shortage: false,
            buses: Vec::new(),
            ratings: Vec::new(),
            angles: Vec::new(),
            voltages: Vec::new(),
            missing: Vec::new(),
            raised: Vec::new(),
            iterations: self.method.iterations,
        };
        if found.at_least_mw > 0.0 {
            self.name(model, &mut found);
            self.relax(model, &mut found);
        }
        found
    }

    fn name(&self, model: &ConicModel, found: &mut ConicExplanation) {
        let (program, v) = (&self.method.program, &self.method.best.0.v);
        let top = largest(v.y.as_flattened().iter().copied());
        let full = v.y.iter().filter(|y| y[0].abs() > FULL * top).count();
        found.is_shortage = 2 * full > v.y.len();
        let order = |a: f64, b: f64| b.abs().total_cmp(&a.abs());
        if !found.is_shortage {
            for (bus, &node) in model.topology.node_of_bus.iter().enumerate() {
                let draws = self.data.demand[bus] != 0.0 || self.data.demand_q[bus] != 0.0;
                if node != NO_NODE && draws && largest(v.y[node].into_iter()) > SHARE * top {
                    found.buses.push((bus, v.y[node].map(|y| -y)));
                }
            }
            let size = |y: &[f64; 2]| y[0].abs().max(y[1].abs());
            found.buses.sort_by(|a, b| order(size(&a.1), size(&b.1)));
        }
        let mut by_branch = vec![0.0; model.network.branches.len()];
        for (t, z) in program.thermal.iter().zip(&v.z.thermal) {
            if t.is_rated {
                by_branch[t.branch] += z[0] / t.scale;
            }
        }
        let named = |(row, weight): (usize, f64), is_upper| NamedLimit { row, is_upper, weight };
        let ratings = by_branch.into_iter().enumerate().filter(|(_, w)| *w > SHARE);
        found.ratings = ratings.map(|w| named(w, true)).collect();
        let rows = &v.z.linear[program.bounds.len()..];
        for (pair, limits) in program.pairs.iter().zip(&model.limits) {
            for side in 0..2 {
                let (weight, branch) = (rows[pair.rows.start + side], limits.set_by[side]);
                if weight > SHARE {
                    let is_turned = model.branches[branch].is_some_and(|b| b.is_turned);
                    found.angles.push(named((branch, weight), (side == 1) != is_turned));
                }
            }
        }
        // The gradient in squared voltages without their bounds.
        for (bound, z) in program.bounds.iter().zip(&v.z.linear) {
            if let Some(buses) = model.limiting_buses.get(bound.variable) {
                if *z > SHARE {
                    found
                        .voltages
                        .push(named((buses[usize::from(bound.is_upper)], *z), bound.is_upper));
                }
            }
        }
        for limits in [&mut found.ratings, &mut found.angles, &mut found.voltages] {
            limits.sort_by(|a, b| order(a.weight, b.weight));
        }
    }

    fn relax(&self, model: &ConicModel, found: &mut ConicExplanation) {
        let (program, v) = (&self.method.program, &self.method.best.0.v);
        // Four elastic columns to a node, after the program's own: P up, P down, Q up, Q down.
        let first = program.n + self.program.columns.len();
        for node in 0..program.n {
            let at = |k: usize| v.x[first + 4 * node + k];
            let missing = [at(0) - at(1), at(2) - at(3)];
            if largest(missing.into_iter()) > NO_VIOLATION {
                let bus = model.topology.bus_of_node[node];
                found.missing.push((bus, missing.map(|m| m * model.base_mva)));
            }
        }
        let mut raised = vec![0.0f64; model.network.branches.len()];
        for t in &program.thermal {
            if let Some(variable) = t.elastic {
                raised[t.branch] = raised[t.branch].max(v.x[variable]);
            }
        }
        let raised = raised.into_iter().enumerate().filter(|(_, t)| *t > NO_VIOLATION);
        found.raised = raised.map(|(row, t)| (row, t * model.base_mva)).collect();
    }
}

impl ConicModel {
    /// Explains why these data are infeasible, or finds that they are not: then at least 0 MW must give.
    pub fn explain(&self, data: &ConicData) -> ConicExplanation {
        let mut explain = ConicExplain::new(self, data);
        loop {
            if let Some(found) = explain.step(self) {
                return found;
            }
        }
    }
}
