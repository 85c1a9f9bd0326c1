//! Hard limits after outages and of interfaces that no dispatch holds together.

use super::{Limit, Security, TOLERANCE};
use crate::dc::model::{DcData, DcModel};
use std::collections::BTreeMap;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::Result;

/// Price of exceeding a rating that may be exceeded, relative to that of a hard limit.
const SOFT: f64 = 1e-6;

/// The least sum of the excesses of hard limits; per unit.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastExcess {
    /// The limits that the sum depends on, the largest excess first.
    pub limits: Vec<Exceeded>,
    /// Distance of the sum from the lower bound that the multipliers prove.
    pub gap: f64,
}

/// A hard limit in the dispatch with the least sum of excesses; per unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Exceeded {
    /// With the outage after which the limit binds.
    pub element: ElementRef,
    pub limit: f64,
    /// Zero for a limit that is met.
    pub excess: f64,
    /// Decrease of the sum of excesses per increase of the limit.
    pub weight: f64,
}

impl Security {
    /// Whether some limits cannot be exceeded at a price.
    pub fn is_hard(&self) -> bool {
        let has_outages = self.count() > 0;
        has_outages && self.limits.penalty.is_none()
            || !self.interfaces.is_empty() && self.limits.interface_penalty.is_none()
    }

    /// The limits that contradict each other, from the program that minimises the sum of the excesses of hard limits, whatever
    /// the dispatch costs. None has an excess where a dispatch holds all of them.
    ///
    /// # Errors
    /// Those of `Security::optimum`: `SOLVE.INFEASIBLE` where other limits contradict each other too.
    pub fn least_excess(&self, network: &DcModel, data: &DcData) -> Result<LeastExcess> {
        let mut free = network.clone();
        let mut columns = std::mem::take(&mut free.columns);
        for column in &mut columns {
            (column.c, column.q, column.beside) = (0.0, 0.0, (0.0, 0.0));
        }
        free.set_columns(columns);
        let mut soft = self.clone();
        soft.limits.penalty = Some(self.limits.penalty.map_or(1.0, |_| SOFT));
        soft.limits.interface_penalty = Some(self.limits.interface_penalty.map_or(1.0, |_| SOFT));
        soft.limits.base_penalty = self.limits.base_penalty.map(|_| SOFT);
        let found = soft.optimum(&free, data, None)?;
        let (program, solution) = (&found.program, &found.solution);
        let first = program.combinations().start;
        let mut limits: BTreeMap<Limit, Exceeded> = BTreeMap::new();
        for (k, row) in found.pool.rows.iter().enumerate() {
            if self.penalty(row.pair.limit).is_some() || matches!(row.pair.limit, Limit::LostLoad(_)) {
                continue;
            }
            let line = &program.lines[first + k];
            let weight = solution.shadow[line.row].max(0.0);
            if weight <= TOLERANCE {
                continue;
            }
            let excess = program.excess_column(first + k).map_or(0.0, |j| solution.p[j]);
            let exceeded = Exceeded {
                element: program.branch_ids[line.row].clone(),
                limit: solution.data.rating[line.row],
                excess: if excess > TOLERANCE { excess } else { 0.0 },
                weight,
            };
            // After the outage with the largest weight.
            let most = limits.entry(row.pair.limit).or_insert_with(|| exceeded.clone());
            if exceeded.weight > most.weight {
                *most = exceeded;
            }
        }
        let mut limits: Vec<Exceeded> = limits.into_values().collect();
        limits.sort_by(|a, b| b.excess.total_cmp(&a.excess).then(b.weight.total_cmp(&a.weight)));
        let gap = solution.certificate.duality_gap_usd_per_h.abs();
        Ok(LeastExcess { limits, gap })
    }
}
