//! Limits after outages that no dispatch holds.
//!
//! The least value of a sum of flows over all dispatches that meet the demand of each island within the limits of the
//! generators is a continuous knapsack problem, which one sort solves. Other limits are ignored, so that a limit below
//! this value cannot be held whatever the prices are, and charging its penalty would move no power.

use super::{Limit, PairRow, Secured, Security, TOLERANCE};
use crate::dc::model::{DcData, DcModel};
use crate::dc::result::DcSolution;
use std::collections::BTreeMap;
use wattbook_network::error::Result;

/// The raised limit, relative to the least value.
const ABOVE: f64 = 1.02;
/// Rounds, each of which raises at least one limit.
const ROUNDS: usize = 30;

/// A limit after an outage that no dispatch holds, per unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaisedLimit {
    /// Dense branch row.
    pub branch: usize,
    /// Index into `SecurityLimits::outages`.
    pub outage: usize,
    pub limit: f64,
    /// The least flow after the outage that a dispatch achieves.
    pub least: f64,
    pub raised_to: f64,
}

impl Security {
    /// Raises the limits after outages that no dispatch holds at these data to 1.02 times the least flow, and returns
    /// them and the optimum.
    ///
    /// # Errors
    /// Those of `Security::optimum`.
    pub fn raise_limits(&mut self, network: &DcModel, data: &DcData) -> Result<(Vec<RaisedLimit>, Secured)> {
        let mut raised: BTreeMap<usize, RaisedLimit> = BTreeMap::new();
        let mut found = self.optimum(network, data, None)?;
        for _ in 0..ROUNDS {
            let mut changed = false;
            let first = found.program.combinations().start;
            for (k, row) in found.pool.rows.iter().enumerate() {
                let (Limit::AfterOutages(line), Some(outage)) = (row.pair.limit, row.pair.outage) else {
                    continue;
                };
                let excess = found
                    .program
                    .excess_column(first + k)
                    .map_or(0.0, |j| found.solution.p[j]);
                if excess <= TOLERANCE {
                    continue;
                }
                let least = self.least(network, &found.solution, row);
                let limit = self.value(data, row.pair.limit, row.pair.is_upper);
                let branch = self.outages.row_of(line);
                let Some(Some(rule)) = self.limits.after_outages.get_mut(branch) else {
                    continue;
                };
                if least <= limit + TOLERANCE {
                    continue;
                }
                rule.constant += ABOVE * least - limit;
                let before = raised.get(&branch).map_or(limit, |before| before.limit);
                let now = RaisedLimit {
                    branch,
                    outage,
                    limit: before,
                    least,
                    raised_to: ABOVE * least,
                };
                raised.insert(branch, now);
                changed = true;
            }
            if !changed {
                break;
            }
            found = self.optimum(network, data, Some((&found.program, &found.solution, &found.pool)))?;
        }
        Ok((raised.into_values().collect(), found))
    }

    /// The least value of a row over the dispatches that meet the demand of each island.
    fn least(&self, network: &DcModel, at: &DcSolution, row: &PairRow) -> f64 {
        let mut rates = vec![0.0; network.n_bus];
        let mut value = 0.0;
        for &(l, weight) in &row.sum.flows {
            value += weight * at.flow[self.outages.row_of(l)];
            for (o, c) in network.terms(l) {
                rates[network.lines[o].from] += weight * c;
                rates[network.lines[o].to] -= weight * c;
            }
        }
        let by_bus = network.angles(&rates);
        let of_unit = |generator: usize| {
            let own = row.sum.units.iter().filter(|unit| unit.0 == generator);
            own.map(|unit| unit.1).sum::<f64>()
        };
        value += row.sum.units.iter().map(|&(g, c)| c * at.dispatch[g]).sum::<f64>();
        let mut left = vec![0.0; network.islands.len()];
        let mut columns: Vec<(f64, usize)> = Vec::with_capacity(network.columns.len());
        for (j, column) in network.columns.iter().enumerate() {
            let rate = by_bus[column.bus] + of_unit(column.generator);
            left[column.island] += at.p[j] - column.lo;
            value += rate * (column.lo - at.p[j]);
            columns.push((rate, j));
        }
        columns.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (rate, j) in columns {
            let column = &network.columns[j];
            let left = &mut left[column.island];
            let more = left.clamp(0.0, column.hi - column.lo);
            value += rate * more;
            *left -= more;
        }
        value
    }
}
