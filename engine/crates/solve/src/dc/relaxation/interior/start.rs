//! The start of the interior point method: a feasible relaxation and price.

use super::{Interior, Row, Unit};
use crate::dc::model::{DcData, DcModel};
use crate::topology::NO_ISLAND;
use wattbook_sparse::Pairs;

/// Limits beyond this multiple of the power of the whole system are never reached.
const FAR: f64 = 10.0;
/// Columns with a range below this (per unit) are fixed.
const FIXED: f64 = 1e-9;
/// Initial distance of a value from its limits, as a share of its range.
const INSIDE: f64 = 0.1;

/// Columns at a common relative level between their bounds, which in each island meets the balance as nearly as the
/// bounds allow.
pub(in crate::dc::relaxation) fn at_one_level(program: &DcModel, data: &DcData, inside: f64) -> Vec<f64> {
    let mut range = vec![(0.0, 0.0); program.islands.len()];
    for column in &program.columns {
        let (low, high): &mut (f64, f64) = &mut range[column.island];
        *low += column.lo;
        *high += column.hi;
    }
    let mut demand = vec![0.0; program.islands.len()];
    for (withdrawal, &island) in program.withdrawals(&data.demand).iter().zip(&program.island_of_bus) {
        if island != NO_ISLAND {
            demand[island] += withdrawal;
        }
    }
    let level = |island: usize| {
        let (low, high) = range[island];
        ((demand[island] - low) / (high - low).max(f64::MIN_POSITIVE)).clamp(inside, 1.0 - inside)
    };
    let columns = program.columns.iter();
    columns.map(|c| c.lo + level(c.island) * (c.hi - c.lo)).collect()
}

impl Interior {
    /// A start for a program that contains all movable columns; `None` if there are branches without impedance
    /// or HVDC links.
    pub fn new(program: &DcModel, data: &DcData) -> Option<Self> {
        if !program.zero_impedance.lines().is_empty() || !program.links.hosts.is_empty() {
            return None;
        }
        let mut node_of_bus = vec![usize::MAX; program.n_bus];
        let mut n = 0;
        for (bus, node) in node_of_bus.iter_mut().enumerate() {
            if program.bus_is_active(bus) {
                *node = n;
                n += 1;
            }
        }
        let mut is_reference = vec![false; n];
        for &bus in &program.references {
            is_reference[node_of_bus[bus]] = true;
        }
        let p = at_one_level(program, data, 1e-4);
        let mut demand = vec![0.0; n];
        for (bus, withdrawal) in program.withdrawals(&data.demand).into_iter().enumerate() {
            if let Some(demand) = demand.get_mut(node_of_bus[bus]) {
                *demand += withdrawal;
            }
        }
        let mut injection: Vec<f64> = program.withdrawals(&data.demand).iter().map(|w| -w).collect();
        program.add_generation(&p, &mut injection);
        let by_bus = program.refined_angles([&injection], 2);
        let mut theta = vec![0.0; n];
        for (&node, angle) in node_of_bus.iter().zip(&by_bus[0]) {
            if node != usize::MAX {
                theta[node] = *angle;
            }
        }
        let mut units = Vec::new();
        for (j, (column, &x)) in program.columns.iter().zip(&p).enumerate() {
            let node = node_of_bus[column.bus];
            if column.hi - column.lo <= FIXED {
                demand[node] -= column.lo;
                continue;
            }
            units.push(Unit {
                column: j,
                node,
                lo: column.lo,
                hi: column.hi,
                cost: column.c.round(),
                x,
                z: [0.0; 2],
            });
        }
        let far = FAR * (1.0 + program.capacity + data.demand.iter().map(|d| d.abs()).sum::<f64>());
        let rows: Vec<Row> = program
            .lines
            .iter()
            .enumerate()
            .map(|(l, line)| {
                let (lo, hi) = line.limits(data.rating[line.row]);
                let (mut lo, mut hi) = (lo.max(-far), hi.min(far));
                if hi - lo < 2.0 * FIXED {
                    (lo, hi) = (0.5 * (lo + hi) - FIXED, 0.5 * (lo + hi) + FIXED);
                }
                Row {
                    line: l,
                    ends: [node_of_bus[line.from], node_of_bus[line.to]],
                    weight: line.weight(),
                    b: line.b,
                    offset: line.offset(),
                    lo,
                    hi,
                    cost: line.slack_cost(),
                    t: 0.0,
                    over: 0.0,
                    under: 0.0,
                    y: 0.0,
                    z: [0.0; 4],
                }
            })
            .collect();
        let edges = rows.iter().map(|r| (r.ends[0] as u32, r.ends[1] as u32)).collect();
        let mut interior = Self {
            pairs: Pairs::new(n, edges),
            node_of_bus,
            is_reference,
            units,
            rows,
            theta,
            price: vec![0.5; n],
            demand,
            steps: 0,
            short_steps: 0,
            first_gap: 0.0,
        };
        interior.centre();
        interior.first_gap = interior.gap().0;
        Some(interior)
    }

    /// Sets slacks and multipliers for the present angles and a uniform price, so that equations hold and products are
    /// roughly equal.
    fn centre(&mut self) {
        let mut cost = 0.0;
        for row in &mut self.rows {
            let value = row.weight * (self.theta[row.ends[0]] - self.theta[row.ends[1]]) + row.offset;
            let range = row.hi - row.lo;
            row.t = value.clamp(row.lo + INSIDE * range, row.hi - INSIDE * range);
            (row.over, row.under) = ((value - row.t).max(0.0), (row.t - value).max(0.0));
            cost += row.cost * (row.over + row.under);
        }
        cost += self.units.iter().map(|u| u.cost * u.x).sum::<f64>();
        let mu = (cost / (2 * self.units.len() + 4 * self.rows.len()).max(1) as f64).clamp(1e-4, 1.0);
        for row in &mut self.rows {
            let least = mu / row.cost;
            (row.over, row.under) = (row.over + least, row.under + least);
            let both = mu / (row.t - row.lo).min(row.hi - row.t);
            row.z = [both, both, row.cost, row.cost];
        }
        for unit in &mut self.units {
            let [below, above] = unit.slack();
            let reduced = unit.cost - self.price[unit.node];
            let (z0, z1) = (mu / below, mu / above);
            let more = reduced - (z0 - z1);
            unit.z = [z0 + more.max(0.0), z1 + (-more).max(0.0)];
        }
    }
}
