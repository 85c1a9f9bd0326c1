//! One minimum relaxation: the relaxed limits with their amounts, and the case with these limits.

use crate::conic::interior_point::method::InteriorPoint;
use crate::conic::model::data::ConicData;
use crate::conic::model::elastic::SoftRow;
use crate::conic::model::formulation::ConicModel;
use crate::conic::model::vectors::largest;
use wattbook_network::analysis::AnalysisNetwork;

/// Violations below this (per unit of power, or its equivalent) are ignored.
const NO_VIOLATION: f64 = 1e-6;
/// Precision of displayed amounts: parts of a MW (MVAr, MVA), of one per unit, and of a degree.
pub const PER_MW: f64 = 10.0;
pub const PER_PU: f64 = 1000.0;
pub const PER_DEGREE: f64 = 10.0;
/// Largest relaxed angle-difference limit, radians: beyond a right angle the rows would limit the other side.
const WIDEST: f64 = 1.55;

/// Rounds up to a part of the unit, after removing rounding noise.
pub fn rounded_up(amount: f64, per: f64) -> f64 {
    (per * amount - 1e-6).ceil() / per
}

/// A relaxed limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loosened {
    /// Dense row of the bus or branch.
    pub row: usize,
    pub is_upper: bool,
    /// Per unit of a voltage, radians of an angle difference.
    pub by: f64,
}

/// The relaxed limits of one minimum relaxation, which need not be unique.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConicRelaxation {
    /// Power that is missing at buses (negative: in excess), MW and MVAr, by dense row.
    pub missing: Vec<(usize, [f64; 2])>,
    /// Higher ratings, MVA, by dense branch row.
    pub raised: Vec<(usize, f64)>,
    pub voltages: Vec<Loosened>,
    pub angles: Vec<Loosened>,
}

impl ConicRelaxation {
    /// The relaxation at the best iterate of an elastic program.
    pub(crate) fn new(model: &ConicModel, method: &InteriorPoint) -> Self {
        let (program, v) = (&method.program, &method.best().0.v);
        let mut found = Self::default();
        // Each node has four elastic columns after the program's own: P up, P down, Q up, Q down.
        let first = program.n + model.program.columns.len();
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
                raised[t.branch] = v.x[variable];
            }
        }
        let raised = raised.into_iter().enumerate().filter(|(_, t)| *t > NO_VIOLATION);
        found.raised = raised.map(|(row, t)| (row, t * model.base_mva)).collect();
        for s in program.softened.iter().filter(|s| v.x[s.variable] > NO_VIOLATION) {
            match program.soft_row(s) {
                SoftRow::Voltage { node, is_upper } => {
                    let magnitude = v.x[node].max(0.0).sqrt();
                    found.loosen_voltages(model, node, is_upper, magnitude);
                }
                SoftRow::Angle { pair, side } => {
                    let [f, t, e, wi] = program.local(pair, &v.x, &v.u);
                    let angle = libm::atan2(wi, 0.5 * (f + t) - e);
                    found.loosen_angles(model, pair, side == 1, angle);
                }
            }
        }
        found
    }

    /// Relaxes every bus of the node whose limit the magnitude violates.
    fn loosen_voltages(&mut self, model: &ConicModel, node: usize, is_upper: bool, magnitude: f64) {
        for (row, _) in (model.topology.node_of_bus.iter().enumerate()).filter(|(_, n)| **n == node) {
            let bus = &model.network.buses[row];
            let by = match is_upper {
                true => magnitude - bus.vmax_pu,
                false => bus.vmin_pu - magnitude,
            };
            if by > 0.0 {
                self.voltages.push(Loosened { row, is_upper, by });
            }
        }
    }

    /// Relaxes every branch of the pair whose limit the angle violates.
    fn loosen_angles(&mut self, model: &ConicModel, pair: usize, is_upper: bool, angle: f64) {
        for (row, branch) in model.branches.iter().enumerate() {
            let Some(branch) = branch.filter(|branch| branch.pair == pair) else {
                continue;
            };
            let b = &model.network.branches[row];
            let is_upper = is_upper != branch.is_turned;
            let angle = if branch.is_turned { -angle } else { angle };
            let [least, most] = b.finite_angle_limits_rad();
            let by = match is_upper {
                true => angle - most,
                false => least - angle,
            };
            if by > 0.0 {
                self.angles.push(Loosened { row, is_upper, by });
            }
        }
    }

    /// The case and its data with the rounded amounts of this relaxation.
    pub(crate) fn applied(&self, network: &AnalysisNetwork, data: &ConicData) -> (AnalysisNetwork, ConicData) {
        let (mut network, mut data) = (network.clone(), data.clone());
        let base = network.base_mva;
        for &(bus, missing) in &self.missing {
            let [p, q] = missing.map(|m| m.signum() * rounded_up(m.abs(), PER_MW) / base);
            data.demand[bus] -= p;
            data.demand_q[bus] -= q;
        }
        for &(branch, by) in &self.raised {
            data.rating[branch] += rounded_up(by, PER_MW) / base;
        }
        for l in &self.voltages {
            let (bus, by) = (&mut network.buses[l.row], rounded_up(l.by, PER_PU));
            match l.is_upper {
                true => bus.vmax_pu += by,
                false => bus.vmin_pu = (bus.vmin_pu - by).max(0.0),
            }
        }
        for l in &self.angles {
            let b = &mut network.branches[l.row];
            let by = rounded_up(l.by.to_degrees(), PER_DEGREE).to_radians();
            let [least, most] = b.finite_angle_limits_rad();
            match l.is_upper {
                true => b.angle_max_rad = (most + by).min(WIDEST),
                false => b.angle_min_rad = (least - by).max(-WIDEST),
            }
        }
        (network, data)
    }

    /// Adds the powers and ratings of another relaxation.
    pub(crate) fn add(&mut self, more: Self) {
        for (row, by) in more.missing {
            match self.missing.iter_mut().find(|(bus, _)| *bus == row) {
                Some((_, own)) => *own = [own[0] + by[0], own[1] + by[1]],
                None => self.missing.push((row, by)),
            }
        }
        for (row, by) in more.raised {
            match self.raised.iter_mut().find(|(branch, _)| *branch == row) {
                Some((_, own)) => *own += by,
                None => self.raised.push((row, by)),
            }
        }
    }
}
