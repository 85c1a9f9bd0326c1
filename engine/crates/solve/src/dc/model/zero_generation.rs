//! The constants of a network at zero generation, from demand and ratings.

use crate::dc::model::{DcData, DcModel};
use crate::vocabulary::Direction;
use std::sync::Arc;

/// Data in the form that a solver uses, per unit.
#[derive(Clone, Debug)]
pub(crate) struct ZeroGeneration {
    pub island_demand: Vec<f64>,
    /// Value of each line's row without generation.
    pub line_base: Vec<f64>,
    /// Limits of each line's row.
    pub line_limits: Arc<Vec<(f64, f64)>>,
}

impl ZeroGeneration {
    pub fn new(model: &DcModel, data: &DcData) -> Self {
        let mut island_demand = vec![0.0; model.islands.len()];
        let mut injection = Vec::with_capacity(model.n_bus);
        for (bus, w) in model.drawn(&data.demand).enumerate() {
            if model.bus_is_active(bus) {
                island_demand[model.island_of_bus[bus]] += w;
            }
            injection.push(-w);
        }
        Self {
            island_demand,
            line_base: model.row_values(&model.angles(&injection), &injection),
            line_limits: Arc::new(line_limits(model, data)),
        }
    }

    /// The constants of `data`, which differ by `change`: one solve with few entries on its right-hand side.
    pub fn moved(&self, model: &DcModel, data: &DcData, change: &Direction) -> Self {
        let mut moved = self.clone();
        let mut injection = vec![0.0; model.n_bus];
        for &(bus, d) in change.demand.iter().filter(|(bus, _)| model.bus_is_active(*bus)) {
            moved.island_demand[model.island_of_bus[bus]] += d;
            injection[bus] -= d;
        }
        if !change.demand.is_empty() {
            let rates = model.row_rates(&model.angles(&injection), &injection);
            for (base, rate) in moved.line_base.iter_mut().zip(rates) {
                *base += rate;
            }
        }
        if !change.rating.is_empty() {
            moved.line_limits = Arc::new(line_limits(model, data));
        }
        moved
    }
}

fn line_limits(model: &DcModel, data: &DcData) -> Vec<(f64, f64)> {
    // Around a loop of merged branches flows are not determined, and ratings do not bind (`infeasibility::refusals`).
    let limits = |(l, line): (usize, &crate::dc::model::Line)| match model.is_undetermined(l) {
        true => (f64::NEG_INFINITY, f64::INFINITY),
        false => line.limits(data.rating[line.row]),
    };
    model.lines.iter().enumerate().map(limits).collect()
}
