//! Islands with a non-unique price level: no generator is between its limits, and nothing else determines the level.

use super::split::Split;
use super::tangents::ConicTangents;
use crate::conic::model::formulation::ConicModel;
use crate::conic::result::solution::ConicSolution;
use crate::topology::NO_ISLAND;
use crate::vocabulary::Parameter;

/// An island whose published prices are only some of those that support its optimum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConicPriceLevel {
    /// Dense rows of its buses, ascending.
    pub buses: Vec<usize>,
    /// Whether the active output of every generator in the island is fixed.
    pub is_fixed: bool,
}

impl ConicSolution {
    /// Whether an island has no generator between its limits, so that its prices may not be unique. Requires no
    /// factorisation.
    pub fn may_lack_price_levels(&self, model: &ConicModel) -> bool {
        let split = Split::new(&self.point.s, &self.point.v.z);
        generators_of_islands(model, self, &split).0.contains(&false)
    }
}

impl ConicTangents {
    /// The islands without unique prices. Multipliers are not unique at linearly dependent limits, where the optimality
    /// conditions cannot follow a change of demand; this takes one solve for each island without a generator between
    /// its limits.
    pub fn price_levels(&mut self, model: &ConicModel, solution: &ConicSolution) -> Vec<ConicPriceLevel> {
        let (set, movable) = generators_of_islands(model, solution, &self.base.split);
        let open = (0..set.len()).filter(|&island| !set[island]);
        let found = open.filter(|&island| {
            let demand = Parameter::Demand(model.topology.references[island]);
            self.column(model, solution, demand).is_err()
        });
        let islands = &model.topology.island_of_bus;
        found
            .map(|island| ConicPriceLevel {
                buses: (0..islands.len()).filter(|&bus| islands[bus] == island).collect(),
                is_fixed: !movable[island],
            })
            .collect()
    }
}

/// By island: whether a generator's active output, or a segment of its cost curve, is between its limits; and whether
/// any can move.
fn generators_of_islands(model: &ConicModel, solution: &ConicSolution, split: &Split) -> (Vec<bool>, Vec<bool>) {
    let program = &solution.program;
    let mut at_limit = vec![false; program.n + program.columns.len()];
    for (bound, is_tight) in program.bounds.iter().zip(&split.linear) {
        if let Some(found) = at_limit.get_mut(bound.variable) {
            *found |= is_tight;
        }
    }
    let n_island = model.topology.references.len();
    let (mut set, mut movable) = (vec![false; n_island], vec![false; n_island]);
    for (k, column) in program.columns.iter().enumerate().filter(|(_, c)| c.part == 0) {
        let island = model.topology.island_of_bus[model.topology.bus_of_node[column.node]];
        if island != NO_ISLAND {
            movable[island] = true;
            // A link between its limits joins the levels of two islands and determines neither.
            set[island] |= column.beyond.is_none() && !at_limit[program.n + k];
        }
    }
    (set, movable)
}
