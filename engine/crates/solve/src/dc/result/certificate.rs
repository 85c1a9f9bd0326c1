//! The independent check of an optimum, from powers and multipliers alone, in physical units (docs/method/dc-opf.md, section 4).

use crate::dc::model::prices::nonzero;
use crate::dc::model::{DcData, DcModel, Line, Stencil};
use crate::power_scale::least_power;
use serde_json::json;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::EngineError;
use wattbook_network::message;

/// Largest relative residual of an optimum.
const RELATIVE_LIMIT: f64 = 1e-6;

#[derive(Clone, Debug)]
pub struct Certificate {
    /// Largest nodal balance residual, MW.
    pub primal_residual_mw: f64,
    /// Largest violation of a line or generator limit, MW, and its element.
    pub worst_violation_mw: f64,
    pub worst_element: Option<ElementRef>,
    /// Largest residual of the price equations at a bus, $/MWh.
    pub stationarity_usd_per_mwh: f64,
    /// Largest product of a multiplier and the distance to its limit, $/h.
    pub complementarity_usd_per_h: f64,
    /// Primal minus dual objective, $/h, and relative to the objective.
    pub duality_gap_usd_per_h: f64,
    pub relative_gap: f64,
    /// Largest nodal residual relative to the powers at the bus, and largest violation relative to the limit, with the
    /// denominator of `least_power` as a minimum.
    primal_part: f64,
    violation_part: f64,
    /// Scales of the other tests: costs count as at least 1 $/h or the cost of a unit of power, whichever is less.
    price_scale: f64,
    cost_scale: f64,
}

/// A result from elsewhere that is certified without a solve. Per unit by dense row; prices and multipliers in $/h per
/// unit, multipliers positive at the upper limit.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    pub dispatch: &'a [f64],
    pub theta: &'a [f64],
    pub flow: &'a [f64],
    pub price: &'a [f64],
    pub shadow: &'a [f64],
    /// $/h.
    pub objective: f64,
}

/// The certified point: powers by column, multipliers by line ($/h per unit; positive at a lower limit), angles and
/// prices.
pub(crate) struct Point<'a> {
    pub p: &'a [f64],
    /// Only nonzero ones.
    pub line_y: &'a [(usize, f64)],
    pub theta: &'a [f64],
    /// Price at each bus, $/h per unit.
    pub price: &'a [f64],
    pub objective: f64,
}

/// The quantities of a bus that the pass over lines uses, stored contiguously.
#[derive(Clone, Copy, Default)]
struct Balance {
    /// Its angle and price.
    at: [f64; 2],
    /// Outgoing power less supply, and the left-hand side of its price equation.
    left: [f64; 2],
}

/// Sums and sizes over all buses.
struct Sizes {
    /// Prices times withdrawals.
    drawn: f64,
    highest_price: f64,
}

/// The larger number; `f64::max` is a call in WebAssembly.
#[inline(always)]
fn largest(m: f64, x: f64) -> f64 {
    if x > m {
        x
    } else {
        m
    }
}

// Passes over all buses or lines are separate functions, so that their few values stay in registers.

/// Balances of the buses before flows and generation.
#[inline(never)]
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn balances(model: &DcModel, data: &DcData, point: &Point) -> (Vec<Balance>, Sizes) {
    let mut sizes = Sizes {
        drawn: 0.0,
        highest_price: 0.0,
    };
    let (price, theta) = (&point.price[..model.n_bus], &point.theta[..model.n_bus]);
    let mut buses = vec![Balance::default(); model.n_bus];
    for (bus, balance) in buses.iter_mut().enumerate() {
        let w = model.withdrawal(bus, &data.demand);
        sizes.drawn += price[bus] * w;
        sizes.highest_price = largest(sizes.highest_price, price[bus].abs());
        *balance = Balance {
            at: [theta[bus], price[bus]],
            left: [w, 0.0],
        };
    }
    (buses, sizes)
}

/// Subtracts flows from the buses and adds prices to their equations; lines that are not plain are collected. Returns
/// the largest violation of a plain line, per unit, and that line.
#[inline(never)]
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn leave(
    stencils: &[Stencil],
    rating: &[f64],
    buses: &mut [Balance],
    flow_of: &mut impl FnMut(usize, &Stencil, f64) -> f64,
    odd: &mut Vec<usize>,
) -> (f64, usize) {
    let (mut outside, mut worst) = (0.0, usize::MAX);
    for (l, s) in stencils.iter().enumerate() {
        let (f, t) = (s.from as usize, s.to as usize);
        let (from, to) = (buses[f].at, buses[t].at);
        let apart = [from[0] - to[0], from[1] - to[1]];
        let flow = flow_of(l, s, apart[0]);
        let (lo, hi) = s.limits(rating[s.row as usize]);
        let by = largest(lo - flow, flow - hi);
        if by > outside && s.is_plain {
            (outside, worst) = (by, l);
        }
        if !s.is_plain {
            odd.push(l);
        }
        // Withdrawals already include the shift's part of a flow. Merged branches have no susceptance.
        let moved = [flow + s.shift_flow, s.b * apart[1]];
        let left = &mut buses[f].left;
        *left = [left[0] + moved[0], left[1] + moved[1]];
        let left = &mut buses[t].left;
        *left = [left[0] - moved[0], left[1] - moved[1]];
    }
    (outside, worst)
}

/// Largest imbalance of a bus, and largest residual of a price equation; NaN if any of them is NaN.
#[inline(never)]
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn most_left(buses: &[Balance], inverse_diagonal: &[f64]) -> (f64, f64) {
    let (mut most, mut sum) = ((0.0, 0.0), 0.0);
    for (bus, inverse_diagonal) in buses.iter().zip(inverse_diagonal) {
        let left = [bus.left[0].abs(), (bus.left[1] * inverse_diagonal).abs()];
        most = (largest(most.0, left[0]), largest(most.1, left[1]));
        sum += left[0] + left[1];
    }
    if sum.is_nan() {
        (f64::NAN, f64::NAN)
    } else {
        most
    }
}

/// The amount by which the powers of the columns at the terminals of a link miss its tie, per unit, from balances
/// before flows.
fn tie_residual(model: &DcModel, buses: &[Balance], l: usize) -> f64 {
    let residual = model.direct(l).map(|(terminal, share)| share * buses[terminal].left[0]);
    residual.sum::<f64>().abs()
}

/// The value of a line's row: its flow, the angle difference that it limits, or a sum of flows less the excess.
fn row_value(model: &DcModel, point: &Point, l: usize, flow_of: &mut impl FnMut(usize, &Stencil, f64) -> f64) -> f64 {
    let line = &model.lines[l];
    let apart = point.theta[line.from] - point.theta[line.to];
    if line.combination.is_some() {
        return model.combined(l, |m| row_value(model, point, m, flow_of)) + model.injected_by(l, point.p);
    }
    match line.is_angle_difference() {
        true => apart,
        false => flow_of(l, &model.stencils[l], apart),
    }
}

/// Largest imbalance of a bus relative to the powers there.
fn worst_balance(
    model: &DcModel,
    data: &DcData,
    point: &Point,
    buses: &[Balance],
    flow_of: &mut impl FnMut(usize, &Stencil, f64) -> f64,
) -> f64 {
    let mut size: Vec<f64> = (0..model.n_bus)
        .map(|bus| model.withdrawal(bus, &data.demand).abs())
        .collect();
    for (l, line) in model
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !line.is_angle_difference())
    {
        let flow = row_value(model, point, l, flow_of).abs();
        size[line.from] += flow;
        size[line.to] += flow;
    }
    for (column, p) in model.columns.iter().zip(point.p) {
        size[model.host(column.bus)] += p.abs();
    }
    let least = least_power(model.base_mva);
    let parts = buses
        .iter()
        .zip(size)
        .map(|(bus, size)| bus.left[0].abs() / size.max(least));
    parts.fold(0.0, |most, part| if part > most || part.is_nan() { part } else { most })
}

/// Largest violation of a limit relative to the limit. Angles count as one radian.
fn worst_violation(
    model: &DcModel,
    data: &DcData,
    point: &Point,
    flow_of: &mut impl FnMut(usize, &Stencil, f64) -> f64,
) -> f64 {
    let least = least_power(model.base_mva);
    let beyond = |excess: f64, limit: f64, least: f64| match limit.is_finite() {
        true => excess / limit.abs().max(least),
        false => excess,
    };
    let part =
        |value: f64, (lo, hi): (f64, f64), least: f64| beyond(lo - value, lo, least).max(beyond(value - hi, hi, least));
    let mut most = 0.0f64;
    for (l, line) in model.lines.iter().enumerate() {
        let least = if line.is_angle_difference() { 1.0 } else { least };
        let value = row_value(model, point, l, flow_of);
        most = largest(most, part(value, line.limits(data.rating[line.row]), least));
    }
    let mut sent = vec![0.0; model.n_bus];
    for (column, &p) in model.columns.iter().zip(point.p) {
        most = largest(most, part(p, (column.lo, column.hi), least));
        sent[column.bus] += p;
    }
    for l in model.ties() {
        let power = model.direct(l).map(|(terminal, share)| share * sent[terminal]);
        most = largest(most, power.sum::<f64>().abs() / least);
    }
    most
}

/// The element whose limit is violated.
#[derive(Clone, Copy)]
enum Element {
    Line(usize),
    Generator(usize),
}

impl Element {
    fn of(self, model: &DcModel) -> &ElementRef {
        match self {
            Self::Line(l) => model.element_of_line(l),
            Self::Generator(row) => &model.gen_ids[row],
        }
    }
}

impl Certificate {
    /// Certifies a result from elsewhere.
    pub fn of_claim(model: &DcModel, data: &DcData, claim: &Claim) -> Self {
        let mut left = claim.dispatch.to_vec();
        left.resize(model.n_gen, 0.0);
        let mut p = vec![0.0; model.columns.len()];
        // Segments of one generator are adjacent; the first begins at its lower limit, the others at zero.
        for (p, column) in p.iter_mut().zip(&model.columns) {
            let left = &mut left[column.generator];
            *p = if column.is_last { *left } else { left.min(column.hi) };
            *left -= *p;
        }
        let by_line = |rows: &[f64], sign: f64| -> Vec<f64> {
            let value = |l: &Line| rows.get(l.row).map_or(0.0, |value| sign * value);
            model.lines.iter().map(value).collect()
        };
        let at_terminals = |of_buses: &[f64]| -> Vec<f64> {
            let hosts = model.terminals().map(|(_, host)| of_buses[host]);
            of_buses[..model.links.n_buses].iter().copied().chain(hosts).collect()
        };
        let (flow, line_y) = (by_line(claim.flow, 1.0), by_line(claim.shadow, -1.0));
        let point = Point {
            p: &p,
            line_y: &nonzero(&line_y),
            theta: &at_terminals(claim.theta),
            price: &at_terminals(claim.price),
            objective: claim.objective,
        };
        Self::check(model, data, &point, |l, _, _| flow[l]).0
    }

    /// Whether every test is within the relative limit of an optimum.
    pub fn holds(&self) -> bool {
        self.failure().is_none()
    }

    /// The certificate of a point, and the largest violation of a line's limits, per unit. `flow_of` returns the flow
    /// of a line for the difference of the angles at its ends.
    pub(crate) fn check(
        model: &DcModel,
        data: &DcData,
        point: &Point,
        mut flow_of: impl FnMut(usize, &Stencil, f64) -> f64,
    ) -> (Self, f64) {
        let base = model.base_mva;

        let mut complementarity = 0.0f64;
        let mut merged_apart = 0.0f64;
        let (mut buses, values) = balances(model, data, point);
        // The Lagrangian dual in closed form: the minimum over each column's box, plus prices times withdrawals, plus
        // the lines.
        let mut dual = model.constant_cost + values.drawn;
        let mut odd = Vec::new();
        let (mut outside, mut worst_line) = leave(&model.stencils, &data.rating, &mut buses, &mut flow_of, &mut odd);
        for l in odd {
            let line = &model.lines[l];
            let (from, to) = (buses[line.from].at, buses[line.to].at);
            let value = row_value(model, point, l, &mut flow_of);
            let (lo, hi) = line.limits(data.rating[line.row]);
            let by = largest(lo - value, value - hi);
            if by > outside {
                (outside, worst_line) = (by, l);
            }
            if line.merged.is_some() {
                // Its flow is free, so the prices at its ends differ by its multiplier.
                let own = point.line_y.iter().find(|y| y.0 == l).map_or(0.0, |y| y.1);
                merged_apart = largest(merged_apart, (from[1] - to[1] - own).abs());
            }
        }
        for &(l, y) in point.line_y {
            let line = &model.lines[l];
            let value = row_value(model, point, l, &mut flow_of);
            let (lo, hi) = line.limits(data.rating[line.row]);
            let limit = if y > 0.0 { lo } else { hi };
            complementarity = complementarity.max((y * (value - limit)).abs());
            dual += y * (limit - line.offset());
            if line.combination.is_some() {
                for (m, coefficient) in model.terms(l) {
                    buses[model.lines[m].from].left[1] -= y * coefficient;
                    buses[model.lines[m].to].left[1] += y * coefficient;
                }
            } else if line.merged.is_none() {
                let push = y * line.weight();
                buses[line.from].left[1] -= push;
                buses[line.to].left[1] += push;
            }
        }
        if !model.zero_impedance.lines().is_empty() {
            // The price equation belongs to the node.
            for (bus, &node) in model.zero_impedance.node_of_bus.iter().enumerate() {
                if node != bus {
                    buses[node].left[1] += std::mem::take(&mut buses[bus].left[1]);
                }
            }
        }
        let mut worst = (outside, (outside > 0.0).then_some(Element::Line(worst_line)));
        for (column, &p) in model.columns.iter().zip(point.p) {
            let by = largest(column.lo - p, p - column.hi);
            if by > worst.0 {
                worst = (by, Some(Element::Generator(column.generator)));
            }
            let bus = &mut buses[column.bus];
            // An excess is no power of the network.
            if !column.is_excess() {
                bus.left[0] -= p;
            }
            let net = column.c - bus.at[1];
            let rc = net + column.q * p;
            let distance = if rc > 0.0 { p - column.lo } else { column.hi - p };
            complementarity = largest(complementarity, (rc * distance).abs());
            let at_best = if column.q > 0.0 {
                (-net / column.q).clamp(column.lo, column.hi)
            } else if net > 0.0 {
                column.lo
            } else {
                column.hi
            };
            dual += (0.5 * column.q * at_best + net) * at_best;
        }
        // Powers at terminals of links belong to the balances of their buses.
        let mut tied_apart = 0.0f64;
        for l in model.ties() {
            let residual = tie_residual(model, &buses, l);
            if residual > worst.0 || residual.is_nan() {
                worst = (residual, Some(Element::Line(l)));
            }
            let own = point.line_y.iter().find(|y| y.0 == l).map_or(0.0, |y| y.1);
            for (terminal, coefficient) in model.direct(l) {
                let apart = buses[terminal].at[1] - buses[model.host(terminal)].at[1];
                tied_apart = largest(tied_apart, (apart - coefficient * own).abs());
            }
        }
        // The price of an excess is what its rows pay for it, and that of a generator apart the price of its bus and what its
        // rows pay.
        for l in model.combinations() {
            for (bus, coefficient) in model.direct(l) {
                let own = point.line_y.iter().find(|y| y.0 == l).map_or(0.0, |y| y.1);
                buses[bus].at[1] -= coefficient * own;
            }
        }
        for bus in model.buses_of_excess() {
            tied_apart = largest(tied_apart, buses[bus].at[1].abs());
        }
        for (terminal, host) in model.unit_terminals() {
            tied_apart = largest(tied_apart, (buses[terminal].at[1] - buses[host].at[1]).abs());
        }
        for (terminal, host) in model.terminals() {
            buses[host].left[0] += std::mem::take(&mut buses[terminal].left[0]);
        }
        let (balance, stationarity) = most_left(&buses, &model.inverse_diagonal);
        let stationarity = largest(stationarity, merged_apart.max(tied_apart));
        let gap = point.objective - dual;
        // Violations beyond the strictest tolerance are compared with the local powers, which are not computed
        // otherwise.
        let least = least_power(base);
        let (mut primal_part, mut violation_part) = (balance / least, worst.0 / least);
        if primal_part > RELATIVE_LIMIT {
            primal_part = worst_balance(model, data, point, &buses, &mut flow_of);
        }
        if violation_part > RELATIVE_LIMIT {
            violation_part = worst_violation(model, data, point, &mut flow_of);
        }
        let least_cost = model.cost_scale.min(1.0);
        let certificate = Self {
            primal_residual_mw: balance * base,
            worst_violation_mw: worst.0 * base,
            worst_element: worst.1.map(|element| element.of(model).clone()),
            stationarity_usd_per_mwh: stationarity / base,
            complementarity_usd_per_h: complementarity,
            duality_gap_usd_per_h: gap,
            relative_gap: gap.abs() / (1.0 + point.objective.abs()),
            primal_part,
            violation_part,
            price_scale: (least_cost + values.highest_price) / base,
            cost_scale: least_cost + (point.objective - model.constant_cost).abs(),
        };
        (certificate, outside)
    }

    /// The first test that fails, with its value.
    pub(crate) fn failure(&self) -> Option<(&'static str, f64)> {
        let tests = [
            ("primal_residual_mw", self.primal_residual_mw, self.primal_part),
            ("worst_violation_mw", self.worst_violation_mw, self.violation_part),
            (
                "stationarity_usd_per_mwh",
                self.stationarity_usd_per_mwh,
                self.stationarity_usd_per_mwh / self.price_scale,
            ),
            (
                "complementarity_usd_per_h",
                self.complementarity_usd_per_h,
                self.complementarity_usd_per_h / self.cost_scale,
            ),
            (
                "relative_gap",
                self.relative_gap,
                self.duality_gap_usd_per_h.abs() / self.cost_scale,
            ),
        ];
        tests
            .into_iter()
            .find(|(_, _, part)| part.is_nan() || *part > RELATIVE_LIMIT)
            .map(|(name, value, _)| (name, value))
    }

    /// The error of a result that fails: `details.certificate` has the test and its value, `worst_element` the element
    /// whose limit is violated.
    pub(crate) fn error(&self) -> Option<EngineError> {
        let (test, value) = self.failure()?;
        let message = message!("solve.not_converged", cause = message!("stall.certificate"));
        let error = EngineError::new("SOLVE.NOT_CONVERGED", message)
            .with_details(json!({ "certificate": { "test": test, "value": value } }));
        Some(match &self.worst_element {
            Some(element) if test == "worst_violation_mw" => error.at(element.clone()),
            _ => error,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wattbook_network::analysis::ElementKind;

    #[test]
    fn an_error_tells_the_test_that_fails_and_by_how_much() {
        let element = ElementRef::numbered(ElementKind::Branch, 3);
        let exact = Certificate {
            primal_residual_mw: 0.0,
            worst_violation_mw: 0.0,
            worst_element: Some(element.clone()),
            stationarity_usd_per_mwh: 0.0,
            complementarity_usd_per_h: 0.0,
            duality_gap_usd_per_h: 0.0,
            relative_gap: 0.0,
            primal_part: 0.0,
            violation_part: 0.0,
            price_scale: 1.0,
            cost_scale: 1.0,
        };
        assert!(exact.error().is_none());
        let exceeded = Certificate {
            worst_violation_mw: 60.0,
            violation_part: 0.6,
            ..exact.clone()
        };
        let error = exceeded.error().unwrap();
        assert_eq!(
            (error.code, error.element.as_deref()),
            ("SOLVE.NOT_CONVERGED", Some(&element))
        );
        let details = json!({ "certificate": { "test": "worst_violation_mw", "value": 60.0 } });
        assert_eq!(error.details, Some(details));
        let dearer = Certificate {
            relative_gap: 0.5,
            duality_gap_usd_per_h: 0.5,
            ..exact
        };
        let error = dearer.error().unwrap();
        assert_eq!(error.element, None);
        assert_eq!(error.details.unwrap()["certificate"]["test"], "relative_gap");
    }
}
