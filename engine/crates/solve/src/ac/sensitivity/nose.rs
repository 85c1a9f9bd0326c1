//! How far powers can move along a direction until voltages collapse.
//!
//! At the nose of the curve the solution turns like `sqrt(t* - t)`, whose series has coefficients with
//! `c_k / c_{k-1} = (1 - 1.5 / k) / t*` (Domb and Sykes, Proc. R. Soc. A 240 (1957), for an exponent of one half): the last two of
//! twelve terms give `t*`. Voltages are single-valued up to there, so no continuation is needed.

use super::parameter::Change;
use super::series::Series;
use crate::ac::model::analysis::AcModel;
use crate::ac::result::base::AcBase;
use crate::vocabulary::Direction;
use wattbook_network::error::Result;

/// Terms of the series.
const ORDERS: usize = 12;
/// Buses that are named.
const NAMED: usize = 5;

/// The end of a direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Nose {
    /// Steps of the direction until voltages collapse. Reactive limits are not watched on the way.
    pub step: f64,
    /// Difference to what one term less would say: the accuracy of the estimate.
    pub change: f64,
    /// Buses (dense rows) whose voltages turn most there, the most first.
    pub buses: Vec<usize>,
}

impl AcBase {
    /// Estimates where voltages collapse; none where the series has no singularity ahead.
    ///
    /// # Errors
    /// `SENS.UNSUPPORTED` for an element out of service.
    pub fn nose(&self, model: &AcModel, direction: &Direction) -> Result<Option<Nose>> {
        let change = Change::of_direction(model, direction)?;
        let series = Series::new(self, model, &change, ORDERS);
        let last = &series.c[ORDERS];
        let mut at = (0, 0);
        for (node, c) in last.iter().enumerate() {
            for (part, c) in c.iter().enumerate() {
                if c.abs() > last[at.0][at.1].abs() {
                    at = (node, part);
                }
            }
        }
        let estimate = |k: usize| {
            let ratio = series.c[k - 1].get(at.0)?[at.1] / series.c[k].get(at.0)?[at.1];
            Some((1.0 - 1.5 / k as f64) * ratio).filter(|t| t.is_finite() && *t > 0.0)
        };
        let (Some(step), Some(before)) = (estimate(ORDERS), estimate(ORDERS - 1)) else {
            return Ok(None);
        };
        let mut nodes: Vec<usize> = (0..last.len()).filter(|&node| last[node][1] != 0.0).collect();
        nodes.sort_by(|&a, &b| last[b][1].abs().total_cmp(&last[a][1].abs()).then(a.cmp(&b)));
        nodes.truncate(NAMED);
        Ok(Some(Nose {
            step,
            change: (step - before).abs(),
            buses: nodes.into_iter().map(|node| model.bus_of_node[node]).collect(),
        }))
    }
}
