//! The exact merit order of one island: the dual feasible start of the active-set method (docs/method/dc-opf.md, section 3).

use super::state::{Failure, Method, SolverState, Step};
use crate::dc::basis::kkt::Status;
use crate::dc::infeasibility::refusals;

/// Price events of an upward sweep.
enum Event {
    /// A linear column jumps from its lower to its upper bound.
    Jump,
    /// A quadratic column becomes free, or stops at its upper bound.
    Start,
    Stop,
}

/// Bounds and costs `q p^2 / 2 + c p` by column.
pub(crate) struct Columns<'a> {
    pub lo: &'a [f64],
    pub hi: &'a [f64],
    pub c: &'a [f64],
    pub q: &'a [f64],
}

impl<M: Method> SolverState<'_, M> {
    /// The dual feasible start: the merit order of each island, with an active balance if any column can move.
    pub(super) fn merit_order(&mut self) -> Step<()> {
        let (lo, hi) = (&self.problem.bounds.lo, &self.problem.bounds.hi);
        for island in 0..self.rows.n_islands {
            let of_island = |j: &usize| self.model.columns[*j].island == island;
            let members: Vec<usize> = (0..self.model.columns.len()).filter(of_island).collect();
            let demand = self.problem.island_demand[island];
            let costs = Columns {
                lo,
                hi,
                c: &self.c,
                q: &self.q,
            };
            match dispatch(&costs, &members, demand, &mut self.status, &mut self.p) {
                Ok(Some(price)) => {
                    self.active.push(island);
                    self.y[island] = price;
                }
                Ok(None) => {}
                Err(shortfall) => {
                    return Err(self.merit_order_fails(island, &members, shortfall));
                }
            }
        }
        self.refactor()?;
        let gradient = self.gradient_of(&self.y);
        self.set_reduced_costs(&gradient);
        Ok(())
    }

    /// The failure of an island whose units, with the bridges that bound them, cannot meet the demand.
    fn merit_order_fails(&self, island: usize, members: &[usize], shortfall: f64) -> Failure {
        let sources = if shortfall > 0.0 {
            &self.problem.bounds.above
        } else {
            &self.problem.bounds.below
        };
        if members.iter().all(|&j| sources[j].is_none()) {
            return Failure::Infeasible(refusals::island_balance(self.model, island, shortfall));
        }
        let mut rows = self.rows.clone();
        let sign = if shortfall > 0.0 { 1.0 } else { -1.0 };
        self.infeasible(&mut rows, &[(island, sign)])
    }
}

/// Dispatches the columns `members` (indices into all columns) to meet `demand` at minimum cost, ignoring lines. Writes
/// status and power. Returns the marginal price, `None` if no column can move, or `Err(shortfall)` if the demand is
/// outside the range of the columns (positive: too little capacity, negative: too much must-run generation).
pub(crate) fn dispatch(
    columns: &Columns,
    members: &[usize],
    demand: f64,
    status: &mut [Status],
    p: &mut [f64],
) -> Result<Option<f64>, f64> {
    let Columns { lo, hi, c, q } = *columns;
    let (mut low, mut high, mut magnitude) = (0.0, 0.0, 0.0f64);
    let mut events = Vec::new();
    for &j in members {
        status[j] = Status::AtLower;
        p[j] = lo[j];
        low += lo[j];
        high += hi[j];
        magnitude += lo[j].abs() + hi[j].abs();
        if hi[j] > lo[j] {
            if q[j] > 0.0 {
                events.push((c[j] + q[j] * lo[j], j, Event::Start));
                events.push((c[j] + q[j] * hi[j], j, Event::Stop));
            } else {
                events.push((c[j], j, Event::Jump));
            }
        }
    }
    let tolerance = 1e-9 * (1.0 + magnitude);
    if demand > high + tolerance || (events.is_empty() && demand > low + tolerance) {
        return Err(demand - high);
    }
    if demand < low - tolerance {
        return Err(demand - low);
    }
    events.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));

    let mut supplied = low;
    let (mut slope, mut steepest) = (0.0, 0.0f64);
    let mut price = events.first().map_or(0.0, |e| e.0);
    let mut following: Vec<usize> = Vec::new();
    let settle = |price: f64, following: &[usize], status: &mut [Status], p: &mut [f64]| {
        for &j in following {
            if status[j] != Status::AtUpper {
                status[j] = Status::Free;
                p[j] = (price - c[j]) / q[j];
            }
        }
        Ok(Some(price))
    };
    let last = events.len().saturating_sub(1);
    for (k, (at, j, event)) in events.into_iter().enumerate() {
        let reached = supplied + slope * (at - price);
        if slope > 0.0 && reached >= demand {
            let marginal = price + (demand - supplied) / slope;
            return settle(marginal, &following, status, p);
        }
        supplied = reached;
        price = at;
        let range = hi[j] - lo[j];
        match event {
            Event::Jump => {
                // The last event absorbs rounding errors.
                if supplied + range >= demand || k == last {
                    status[j] = Status::Free;
                    p[j] = lo[j] + (demand - supplied);
                    return settle(price, &following, status, p);
                }
                supplied += range;
                status[j] = Status::AtUpper;
                p[j] = hi[j];
            }
            Event::Start => {
                slope += 1.0 / q[j];
                steepest = steepest.max(slope);
                following.push(j);
            }
            Event::Stop if k == last => return settle(price, &following, status, p),
            Event::Stop => {
                status[j] = Status::AtUpper;
                p[j] = hi[j];
                slope -= 1.0 / q[j];
                // The slope is recomputed when it becomes small, so that no rounding error remains in it.
                if slope < 1e-3 * steepest {
                    following.retain(|&f| status[f] != Status::AtUpper);
                    slope = following.iter().map(|&f| 1.0 / q[f]).sum();
                    steepest = slope;
                }
            }
        }
    }
    Ok((!following.is_empty()).then_some(price))
}
