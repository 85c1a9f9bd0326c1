//! The lower bound on the objective that multipliers prove (weak duality). It is formed from the rows of the case and
//! the products of voltages alone, independently of the solver's program.
//!
//! For every feasible point `cost(x) >= cost(x) + prices (drawn - supplied) - z . s(x)`, because balances hold and
//! slacks lie in the cones. The right-hand side is minimised over the box of single variables, one by one. With zero
//! costs, a positive bound proves infeasibility.

use super::multipliers::ConicMultipliers;
use crate::conic::model::data::ConicData;
use crate::conic::model::elastic::{ANGLE_PER_MW, VOLTAGE_PER_MW};
use crate::conic::model::formulation::Cuts;
use crate::links::directions;
use std::collections::BTreeMap;
use wattbook_network::analysis::{AnalysisNetwork, Branch, Cost};

/// Work to judge a branch, for interrupts; most of it is the search of its pair.
pub(crate) const WORK_OF_A_BRANCH: usize = 64;

/// The bound that multipliers prove.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DualBound {
    /// The objective is at least this, $/h.
    pub value: f64,
    /// Sum of the magnitudes of its terms; its rounding error is a few 1e-16 of this sum.
    pub magnitude: f64,
    /// Loss of the bound from the gradient in the products of voltages, which is zero for exact multipliers.
    pub product_gap: f64,
    /// The largest ratio of the multiplier of a relaxable limit (`ConicModel::explain`) to the cost of its violation. A
    /// proof of infeasibility proves that a relaxation costs at least its value divided by this.
    pub strain: f64,
}

/// Flows `P_f, Q_f, P_t, Q_t` of a branch over `(w_f, w_t, wr, wi)`, as PowerModels writes them.
pub(crate) fn flows(b: &Branch) -> [[f64; 4]; 4] {
    let square = b.r_pu * b.r_pu + b.x_pu * b.x_pu;
    let ([g_from, b_from], [g_to, b_to]) = (b.shunt_from_pu, b.shunt_to_pu);
    if square == 0.0 {
        let at_from = |value: f64| [value, 0.0, 0.0, 0.0];
        let at_to = |value: f64| [0.0, value, 0.0, 0.0];
        return [at_from(g_from), at_from(-b_from), at_to(g_to), at_to(-b_to)];
    }
    let (g, s) = (b.r_pu / square, -b.x_pu / square);
    let (sin, cos) = libm::sincos(b.shift_rad);
    let (tr, ti, tm) = (b.tap * cos, b.tap * sin, b.tap * b.tap);
    [
        [(g + g_from) / tm, 0.0, (-g * tr + s * ti) / tm, (-s * tr - g * ti) / tm],
        [-(s + b_from) / tm, 0.0, (s * tr + g * ti) / tm, (-g * tr + s * ti) / tm],
        [0.0, g + g_to, (-g * tr - s * ti) / tm, (s * tr - g * ti) / tm],
        [0.0, -(s + b_to), (s * tr - g * ti) / tm, (g * tr + s * ti) / tm],
    ]
}

/// By bus: the first of the buses that branches without impedance join to it.
pub(crate) fn joined(network: &AnalysisNetwork) -> Vec<usize> {
    let mut first: Vec<usize> = (0..network.buses.len()).collect();
    let ties = || {
        let all = network.branches.iter().filter(|b| b.in_service);
        all.filter(|b| b.is_zero_impedance())
    };
    loop {
        let mut changed = false;
        for tie in ties() {
            let least = first[tie.from].min(first[tie.to]);
            changed |= first[tie.from] != least || first[tie.to] != least;
            (first[tie.from], first[tie.to]) = (least, least);
        }
        if !changed {
            return first;
        }
    }
}

/// At each first bus, a power that no dispatch exceeds, in place of infinite limits.
fn reach(network: &AnalysisNetwork, data: &ConicData, first: &[usize], limits: &[[f64; 2]]) -> Vec<f64> {
    let mut reach = vec![1.0; network.buses.len()];
    for (bus, row) in network.buses.iter().enumerate() {
        let shunt = (row.gs_pu.abs() + row.bs_pu.abs()) * limits[first[bus]][1];
        reach[first[bus]] += data.demand[bus].abs() + data.demand_q[bus].abs() + if shunt > 0.0 { shunt } else { 0.0 };
    }
    let limits = network.branches.iter().zip(&data.rating);
    // Branches without impedance join their buses.
    for (b, rating) in limits.filter(|(b, rating)| b.in_service && rating.is_finite()) {
        for bus in [b.from, b.to] {
            reach[first[bus]] += rating;
        }
    }
    for g in &network.generators {
        for limit in [g.pmin_pu, g.pmax_pu, g.qmin_pu, g.qmax_pu] {
            reach[first[g.bus]] += if limit.is_finite() { limit.abs() } else { 0.0 };
        }
    }
    for (_, link) in network.links_in_service() {
        for (end, bus) in [link.from, link.to].into_iter().enumerate() {
            for limit in [
                link.pmin_pu,
                link.pmax_pu,
                link.loss0_pu,
                link.qmin_pu[end],
                link.qmax_pu[end],
            ] {
                reach[first[bus]] += if limit.is_finite() { limit.abs() } else { 0.0 };
            }
        }
    }
    reach
}

/// Minimum of `q x^2 / 2 + c x` between bounds, which may be in the interior if `q` is positive.
fn least(c: f64, q: f64, lo: f64, hi: f64) -> f64 {
    let at = |x: f64| (c + 0.5 * q * x) * x;
    let inside = if q > 0.0 { (-c / q).max(lo).min(hi) } else { lo };
    at(lo).min(at(hi)).min(at(inside))
}

/// Minimum of a generator's cost less `price` times its output.
fn least_cost(cost: &Cost, price: f64, lo: f64, hi: f64) -> f64 {
    match cost {
        Cost::Quadratic { c2, c1, c0 } => c0 + least(c1 - price, 2.0 * c2, lo, hi),
        Cost::PiecewiseLinear { points } => {
            // A convex curve less a line is minimal at a corner or a bound; the first and last slopes extend outwards.
            let value = |p: f64| {
                let k = points.windows(2).position(|w| p <= w[1][0]);
                let k = k.unwrap_or(points.len().saturating_sub(2));
                match points.get(k..k + 2) {
                    Some([a, b]) => a[1] + (b[1] - a[1]) / (b[0] - a[0]) * (p - a[0]) - price * p,
                    _ => points.first().map_or(0.0, |only| only[1]) - price * p,
                }
            };
            let corners = points.iter().map(|p| p[0].max(lo).min(hi));
            corners.chain([lo, hi]).map(value).fold(f64::INFINITY, f64::min)
        }
    }
}

/// Gradient of the Lagrangian in the product of a pair's voltages, and the limits of the pair.
struct PairTerms {
    buses: [usize; 2],
    /// Over `wr, wi`, in the orientation of `buses`.
    gradient: [f64; 2],
    angle: [f64; 2],
    multipliers: Option<usize>,
}

impl DualBound {
    /// Evaluates multipliers, after moving those outside their cones into them. Without `with_cost` all costs are zero.
    pub fn new(
        network: &AnalysisNetwork,
        data: &ConicData,
        cuts: Cuts,
        multipliers: &ConicMultipliers,
        with_cost: bool,
    ) -> Self {
        let first = joined(network);
        let price = |bus: usize| multipliers.price[bus];
        let mut terms: Vec<f64> = Vec::new();
        let mut strain = 0.0f64;
        // Squared voltages: gradient by first bus, and limits.
        let mut gradient = vec![0.0; network.buses.len()];
        let mut limits = vec![[0.0, f64::INFINITY]; network.buses.len()];
        let mut used = vec![false; network.buses.len()];
        for (bus, row) in network.buses.iter().enumerate().filter(|(_, b)| b.in_service) {
            let [p, q] = price(bus);
            strain = strain.max(p.abs()).max(q.abs());
            terms.extend([p * data.demand[bus], q * data.demand_q[bus]]);
            gradient[first[bus]] += p * row.gs_pu - q * row.bs_pu;
            let low = row.vmin_pu.max(0.0);
            let limit = &mut limits[first[bus]];
            *limit = [limit[0].max(low * low), limit[1].min(row.vmax_pu * row.vmax_pu)];
            used[first[bus]] = true;
        }
        let mut index: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut pairs: Vec<PairTerms> = Vec::new();
        for (k, pair) in multipliers.pairs.iter().enumerate() {
            let buses = pair.buses.map(|bus| first[bus]);
            index.insert((buses[0].min(buses[1]), buses[0].max(buses[1])), pairs.len());
            pairs.push(PairTerms {
                buses,
                gradient: [0.0; 2],
                angle: [f64::NEG_INFINITY, f64::INFINITY],
                multipliers: Some(k),
            });
        }
        for (row, b) in network.branches.iter().enumerate().filter(|(_, b)| b.in_service) {
            wattbook_interrupt::work(WORK_OF_A_BRANCH);
            let (from, to) = (first[b.from], first[b.to]);
            let coefficients = flows(b);
            let z = multipliers.thermal[row].map(|[_, p, q]| [(p * p + q * q).sqrt(), p, q]);
            let has_impedance = b.r_pu != 0.0 || b.x_pu != 0.0;
            // Cost per unit of each flow: the price where it leaves, less the multiplier of its limit.
            let (f, t) = (price(b.from), price(b.to));
            let mut weight = [f[0], f[1], t[0], t[1]];
            if has_impedance && from != to {
                // One rating applies at both ends.
                if !b.rating_is_fallback {
                    strain = strain.max(z[0][0] + z[1][0]);
                }
                for end in 0..2 {
                    terms.push(-z[end][0] * data.rating[row]);
                    weight[2 * end] -= z[end][1];
                    weight[2 * end + 1] -= z[end][2];
                }
            }
            let mut sum = [0.0; 4];
            for (row, weight) in coefficients.iter().zip(weight) {
                for (sum, c) in sum.iter_mut().zip(row) {
                    *sum += weight * c;
                }
            }
            gradient[from] += sum[0];
            gradient[to] += sum[1];
            if from == to {
                gradient[from] += sum[2];
                continue;
            }
            let place = *index.entry((from.min(to), from.max(to))).or_insert_with(|| {
                pairs.push(PairTerms {
                    buses: [from, to],
                    gradient: [0.0; 2],
                    angle: [f64::NEG_INFINITY, f64::INFINITY],
                    multipliers: None,
                });
                pairs.len() - 1
            });
            let pair = &mut pairs[place];
            let same = pair.buses[0] == from;
            let sign = if same { 1.0 } else { -1.0 };
            pair.gradient[0] += sum[2];
            pair.gradient[1] += sign * sum[3];
            let [least, most] = b.finite_angle_limits_rad();
            let own = match same {
                true => [least, most],
                false => [-most, -least],
            };
            pair.angle = [pair.angle[0].max(own[0]), pair.angle[1].min(own[1])];
        }
        let mut product_gap = 0.0;
        for pair in &pairs {
            let [f, t] = pair.buses;
            let [mut wr, mut wi] = pair.gradient;
            if let Some(z) = pair.multipliers.map(|k| &multipliers.pairs[k]) {
                let [_, a, b, c] = z.jabr;
                let head = (a * a + b * b + c * c).sqrt();
                gradient[f] -= head + a;
                gradient[t] -= head - a;
                wr -= 2.0 * b;
                wi -= 2.0 * c;
                let [lo, hi] = pair.angle;
                let angle = z.angle.map(|z| z.max(0.0));
                strain = strain.max(angle[0].max(angle[1]) * ANGLE_PER_MW * network.base_mva);
                wr += angle[0] * libm::sin(lo) - angle[1] * libm::sin(hi);
                wi += angle[1] * libm::cos(hi) - angle[0] * libm::cos(lo);
                if cuts == Cuts::Lifted {
                    let (phi, cos_delta) = (0.5 * (lo + hi), libm::cos(0.5 * (hi - lo)));
                    let [low_f, high_f] = limits[f].map(f64::sqrt);
                    let [low_t, high_t] = limits[t].map(f64::sqrt);
                    let (sum_f, sum_t) = (low_f + high_f, low_t + high_t);
                    let spread = low_f * low_t - high_f * high_t;
                    for (z, vf, vt, right) in [
                        (z.cuts[0].max(0.0), high_f, high_t, spread),
                        (z.cuts[1].max(0.0), low_f, low_t, -spread),
                    ] {
                        wr -= z * sum_f * sum_t * libm::cos(phi);
                        wi -= z * sum_f * sum_t * libm::sin(phi);
                        gradient[f] += z * vt * cos_delta * sum_t;
                        gradient[t] += z * vf * cos_delta * sum_f;
                        terms.push(z * vf * vt * cos_delta * right);
                    }
                }
            }
            let largest = (limits[f][1] * limits[t][1]).sqrt();
            let lost = (wr.abs() + wi.abs()) * largest;
            product_gap += lost;
            terms.push(-lost);
        }
        for bus in (0..network.buses.len()).filter(|&bus| used[bus]) {
            let [lo, hi] = limits[bus];
            // The product cannot fall below a limit of zero.
            let limit = if gradient[bus] > 0.0 { lo } else { hi };
            if limit > 0.0 && limit.is_finite() {
                let per_square = 2.0 * limit.sqrt() * VOLTAGE_PER_MW * network.base_mva;
                strain = strain.max(gradient[bus].abs() * per_square);
            }
            if hi.is_finite() || gradient[bus] != 0.0 {
                terms.push(least(gradient[bus], 0.0, lo, hi));
            }
        }
        let reach = reach(network, data, &first, &limits);
        let inside = |lo: f64, hi: f64, most: f64| match (lo.is_finite(), hi.is_finite()) {
            (true, true) => (lo, hi),
            (true, false) => (lo, most.max(lo)),
            (false, true) => (-(most.max(-hi)), hi),
            (false, false) => (-most, most),
        };
        for g in network.generators.iter().filter(|g| g.in_service) {
            let [p, q] = price(g.bus);
            let most = 2.0 * reach[first[g.bus]];
            let (lo, hi) = inside(g.pmin_pu, g.pmax_pu, most);
            terms.push(match with_cost {
                true => least_cost(&g.cost, p, lo, hi),
                false => least(-p, 0.0, lo, hi),
            });
            let (lo, hi) = inside(g.qmin_pu, g.qmax_pu, most);
            terms.push(least(-q, 0.0, lo, hi));
        }
        for (_, link) in network.links_in_service() {
            let ends = [link.from, link.to];
            let most = 2.0 * reach[first[link.from]].max(reach[first[link.to]]);
            terms.push(price(link.to)[0] * link.loss0_pu);
            let Ok(both) = directions(network, link) else {
                terms.push(f64::NEG_INFINITY); // no program has such a link, so that nothing is proved
                continue;
            };
            for (direction, [sending, delivering]) in both.into_iter().zip([ends, [link.to, link.from]]) {
                let Some(direction) = direction else { continue };
                let worth = (1.0 - link.loss1) * price(delivering)[0] - price(sending)[0];
                let (lo, hi) = inside(direction.lo, direction.hi, most);
                terms.push(match with_cost {
                    true => least_cost(&direction.cost, worth, lo, hi),
                    false => least(-worth, 0.0, lo, hi),
                });
            }
            for (end, bus) in ends.into_iter().enumerate() {
                let (lo, hi) = inside(link.qmin_pu[end], link.qmax_pu[end], 2.0 * reach[first[bus]]);
                terms.push(least(-price(bus)[1], 0.0, lo, hi));
            }
        }
        Self {
            value: terms.iter().sum(),
            magnitude: terms.iter().map(|t| t.abs()).sum(),
            product_gap,
            strain,
        }
    }
}
