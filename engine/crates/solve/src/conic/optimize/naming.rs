//! Conflicting limits and buses, from the multipliers of a minimum relaxation.

use crate::conic::interior_point::method::InteriorPoint;
use crate::conic::model::data::ConicData;
use crate::conic::model::elastic::SoftRow;
use crate::conic::model::formulation::ConicModel;
use crate::conic::model::topology::NO_NODE;
use crate::conic::model::vectors::largest;

/// Multipliers below this share of their largest possible value are ignored.
const SHARE: f64 = 1e-2;
/// Prices above this share of their largest possible value are at their maximum; if most buses are there, supply is
/// short everywhere.
const FULL: f64 = 0.9;

/// A limit that conflicts with the balances.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedLimit {
    /// Dense row of the bus or branch.
    pub row: usize,
    pub is_upper: bool,
    /// Reduction of the relaxation, MW, per MW of additional limit: per MVA of a rating, and for a voltage and an angle
    /// per amount that counts as one MW (`VOLTAGE_PER_MW`, `ANGLE_PER_MW`).
    pub weight: f64,
}

/// The conflicting limits and buses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConicNames {
    /// Whether prices are at their maximum nearly everywhere: supply is short, and a list of buses would contain them
    /// all.
    pub is_shortage: bool,
    /// Buses (dense rows) that contribute by their price of active or reactive power, largest first, with the reduction
    /// of the relaxation per unit less demand (MW per MW, MVAr). Empty in a shortage.
    pub buses: Vec<(usize, [f64; 2])>,
    /// Apparent-power limits of branches, angle-difference limits of branches, and voltage limits of buses, each
    /// largest first.
    pub ratings: Vec<NamedLimit>,
    pub angles: Vec<NamedLimit>,
    pub voltages: Vec<NamedLimit>,
}

impl ConicNames {
    /// Names the conflict at the best iterate of an elastic program.
    pub(crate) fn new(model: &ConicModel, data: &ConicData, method: &InteriorPoint) -> Self {
        let (program, v) = (&method.program, &method.best().0.v);
        let top = largest(v.y.as_flattened().iter().copied());
        let full = v.y.iter().filter(|y| y[0].abs() > FULL).count();
        let mut found = Self {
            is_shortage: 2 * full > v.y.len(),
            ..Self::default()
        };
        let order = |a: f64, b: f64| b.abs().total_cmp(&a.abs());
        if !found.is_shortage {
            for (bus, &node) in model.topology.node_of_bus.iter().enumerate() {
                let draws = data.demand[bus] != 0.0 || data.demand_q[bus] != 0.0;
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
        let named = |row, is_upper, weight| NamedLimit { row, is_upper, weight };
        let ratings = by_branch.into_iter().enumerate().filter(|(_, w)| *w > SHARE);
        found.ratings = ratings.map(|(row, weight)| named(row, true, weight)).collect();
        for s in &program.softened {
            let weight = s.slope * v.z.linear[s.row];
            if weight <= SHARE {
                continue;
            }
            match program.soft_row(s) {
                SoftRow::Voltage { node, is_upper } => {
                    let bus = model.limiting_buses[node][usize::from(is_upper)];
                    found.voltages.push(named(bus, is_upper, weight));
                }
                SoftRow::Angle { pair, side } => {
                    let branch = model.limits[pair].set_by[side];
                    let is_turned = model.branches[branch].is_some_and(|b| b.is_turned);
                    found.angles.push(named(branch, (side == 1) != is_turned, weight));
                }
            }
        }
        for limits in [&mut found.ratings, &mut found.angles, &mut found.voltages] {
            limits.sort_by(|a, b| order(a.weight, b.weight));
        }
        found
    }
}
