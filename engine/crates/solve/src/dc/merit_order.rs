//! The exact merit order of one island: the dual feasible start of the active-set method (dc-method.md section 2.4).

use super::columns::GenColumn;
use super::kkt::Status;

/// Price events while sweeping upwards.
enum Event {
    /// A linear column jumps from its lower to its upper bound.
    Jump,
    /// A quadratic column starts to follow the price, or stops at its upper bound.
    Start,
    Stop,
}

/// Dispatches the columns `members` (indices into all columns) to meet `demand` at least cost, lines ignored. Writes status
/// and power; returns the marginal price, or `Err(shortfall)` where the demand lies outside what the columns can give
/// (positive: too little capacity, negative: too much must-run).
pub(crate) fn dispatch(
    columns: &[GenColumn],
    members: &[usize],
    (c, q): (&[f64], &[f64]),
    demand: f64,
    status: &mut [Status],
    p: &mut [f64],
) -> Result<f64, f64> {
    let (mut low, mut high, mut reach) = (0.0, 0.0, 0.0f64);
    let mut events = Vec::new();
    for &j in members {
        let column = &columns[j];
        status[j] = Status::AtLower;
        p[j] = column.lo;
        low += column.lo;
        high += column.hi;
        reach += column.lo.abs() + column.hi.abs();
        if column.hi > column.lo {
            if q[j] > 0.0 {
                events.push((c[j] + q[j] * column.lo, j, Event::Start));
                events.push((c[j] + q[j] * column.hi, j, Event::Stop));
            } else {
                events.push((c[j], j, Event::Jump));
            }
        }
    }
    let tolerance = 1e-9 * (1.0 + reach);
    if demand > high + tolerance || (events.is_empty() && demand > low + tolerance) {
        return Err(demand - high);
    }
    if demand < low - tolerance {
        return Err(demand - low);
    }
    events.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));

    let mut supplied = low;
    let mut slope = 0.0;
    let mut price = events.first().map_or(0.0, |e| e.0);
    let mut following: Vec<usize> = Vec::new();
    let settle = |price: f64, following: &[usize], status: &mut [Status], p: &mut [f64]| {
        for &j in following {
            status[j] = Status::Free;
            p[j] = (price - c[j]) / q[j];
        }
        Ok(price)
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
        let range = columns[j].hi - columns[j].lo;
        match event {
            Event::Jump => {
                // The last event takes what rounding leaves.
                if supplied + range >= demand || k == last {
                    status[j] = Status::Free;
                    p[j] = columns[j].lo + (demand - supplied);
                    return settle(price, &following, status, p);
                }
                supplied += range;
                status[j] = Status::AtUpper;
                p[j] = columns[j].hi;
            }
            Event::Start => {
                slope += 1.0 / q[j];
                following.push(j);
            }
            Event::Stop if k == last => return settle(price, &following, status, p),
            Event::Stop => {
                following.retain(|&f| f != j);
                // Recomputed, so that rounding does not leave a slope behind.
                slope = following.iter().map(|&f| 1.0 / q[f]).sum();
                status[j] = Status::AtUpper;
                p[j] = columns[j].hi;
            }
        }
    }
    Ok(price)
}
