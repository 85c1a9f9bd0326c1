//! The independent check of a solution: Kirchhoff's law at every node from the feeder and the published columns alone,
//! not the model, its elements, its ties or its matrix.

use super::solution::McSolution;
use crate::mc::{modulus, C};
use wattbook_network::feeder::{Connection, Feeder, FeederTransformer, LoadLaw, VoltageBand};

/// Largest residual current of a valid solution: absolute, A, and relative to the currents at the node.
const LIMIT_A: f64 = 1e-5;
const LIMIT_PART: f64 = 1e-7;
/// Accepted multiple of the rounding error of currents.
const ROUNDINGS: f64 = 16.0;

#[derive(Clone, Debug, PartialEq)]
pub struct McCertificate {
    /// Largest sum of currents at an ungrounded node, A, and that node.
    pub residual_a: f64,
    pub worst_node: Option<usize>,
    /// Largest residual relative to its tolerance.
    pub residual_part: f64,
    /// Largest difference between a fixed voltage and the published one, relative to the fixed one or to 1 V.
    pub held_error: f64,
    /// Largest difference between a published current of a line, transformer or load and that computed from its
    /// voltages, relative to its tolerance.
    pub current_error_part: f64,
}

/// Sums at the nodes during the pass over elements.
struct Balance<'a> {
    u: &'a [C],
    sum: Vec<C>,
    size: Vec<f64>,
    rounding: Vec<f64>,
    current_error: f64,
}

impl Balance<'_> {
    /// Adds a current: `own` follows from the voltages, `published` is in the columns, and `size` is its largest
    /// product.
    fn add(&mut self, node: usize, own: C, published: C, size: f64) {
        self.sum[node] += own;
        self.size[node] += modulus(own);
        self.rounding[node] += size * f64::EPSILON;
        let allowed = LIMIT_A + LIMIT_PART * modulus(own) + ROUNDINGS * size * f64::EPSILON;
        raise(&mut self.current_error, modulus(own - published) / allowed);
    }

    /// Adds a current that does not follow from voltages.
    fn add_published(&mut self, node: usize, current: C) {
        self.add(node, current, current, 0.0);
    }
}

/// Raises `largest` to `value`, or to NaN, and returns whether it changed.
fn raise(largest: &mut f64, value: f64) -> bool {
    let is_larger = value > *largest || (value.is_nan() && !largest.is_nan());
    if is_larger {
        *largest = value;
    }
    is_larger
}

impl McCertificate {
    pub fn new(feeder: &Feeder, solution: &McSolution) -> Self {
        let n = feeder.nodes.len();
        let mut balance = Balance {
            u: &solution.voltages,
            sum: vec![C::default(); n],
            size: vec![0.0; n],
            rounding: vec![0.0; n],
            current_error: 0.0,
        };
        let mut held_error = 0.0;
        lines(feeder, solution, &mut balance, &mut held_error);
        for (shunt, published) in feeder.shunts.iter().zip(&solution.shunts) {
            matrix_currents(&shunt.nodes, &shunt.g, &shunt.b, &mut balance, |k| published[k]);
        }
        for (t, published) in feeder.transformers.iter().zip(&solution.transformers) {
            transformer(t, published, &mut balance);
        }
        loads(feeder, solution, &mut balance);
        held(feeder, solution, &mut balance, &mut held_error);

        let mut found = Self {
            residual_a: 0.0,
            worst_node: None,
            residual_part: 0.0,
            held_error,
            current_error_part: balance.current_error,
        };
        // Ground absorbs any current.
        for node in (0..n).filter(|&node| !feeder.nodes[node].is_grounded) {
            let residual = modulus(balance.sum[node]);
            let allowed = LIMIT_A + LIMIT_PART * balance.size[node] + ROUNDINGS * balance.rounding[node];
            raise(&mut found.residual_part, residual / allowed);
            if raise(&mut found.residual_a, residual) {
                found.worst_node = Some(node);
            }
        }
        found
    }

    /// Whether every test holds.
    pub fn holds(&self) -> bool {
        self.residual_part <= 1.0 && self.current_error_part <= 1.0 && self.held_error <= 1e-9
    }
}

/// `(r + jx) I = U_from - U_to`: takes the published currents and expresses the voltage residual as a current.
fn lines(feeder: &Feeder, solution: &McSolution, balance: &mut Balance, held_error: &mut f64) {
    for (line, [from, to]) in feeder.lines.iter().zip(&solution.lines) {
        let n = line.from.len();
        let z = |i: usize, j: usize| C::new(line.r[i * n + j], line.x[i * n + j]);
        let largest = (0..n * n).map(|at| modulus(z(at / n, at % n))).fold(0.0, f64::max);
        let difference = |k: usize| balance.u[line.from[k]] - balance.u[line.to[k]];
        let differences: Vec<C> = (0..n).map(difference).collect();
        let scale: f64 = (0..n).map(|k| modulus(balance.u[line.from[k]])).fold(0.0, f64::max);
        let through = if largest <= 1e-9 {
            // A connection admits any current, with equal voltages at both ends.
            differences.iter().for_each(|d| {
                raise(held_error, modulus(*d) / scale.max(1.0));
            });
            None
        } else {
            gauss(n, z, &differences)
        };
        let (mut at_from, mut at_to) = (vec![C::default(); n], vec![C::default(); n]);
        let shunt = |g: &[f64], b: &[f64], nodes: &[usize], out: &mut [C]| {
            for (at, (g, b)) in g.iter().zip(b).enumerate() {
                out[at / n] += C::new(*g, *b) * balance.u[nodes[at % n]];
            }
        };
        shunt(&line.g_from, &line.b_from, &line.from, &mut at_from);
        shunt(&line.g_to, &line.b_to, &line.to, &mut at_to);
        // Without an impedance, the current itself is the size of its products.
        let product = match through {
            Some(_) => scale / smallest_pivot(n, z).max(f64::MIN_POSITIVE),
            None => 0.0,
        };
        for k in 0..n {
            let series = match &through {
                Some(through) => through[k],
                None => from[k] - at_from[k],
            };
            balance.add(line.from[k], at_from[k] + series, from[k], product);
            balance.add(line.to[k], at_to[k] - series, to[k], product);
        }
    }
}

/// Smallest diagonal impedance, which bounds the effect of a rounded voltage on a current.
fn smallest_pivot(n: usize, z: impl Fn(usize, usize) -> C) -> f64 {
    let mut smallest = f64::INFINITY;
    for i in 0..n {
        let beside: f64 = (0..n).filter(|j| *j != i).map(|j| modulus(z(i, j))).sum();
        let own = modulus(z(i, i));
        smallest = smallest.min((own - beside).abs().max(1e-3 * own));
    }
    smallest
}

/// Solves `Z x = b` by elimination without pivoting from the last row: impedance matrices are diagonally dominant.
fn gauss(n: usize, z: impl Fn(usize, usize) -> C, b: &[C]) -> Option<Vec<C>> {
    let mut a: Vec<C> = (0..n * n).map(|at| z(at / n, at % n)).collect();
    let mut x = b.to_vec();
    for k in (0..n).rev() {
        for i in 0..k {
            let factor = a[i * n + k] / a[k * n + k];
            for j in 0..k {
                let above = a[k * n + j];
                a[i * n + j] -= factor * above;
            }
            let b = x[k];
            x[i] -= factor * b;
        }
    }
    for k in 0..n {
        let sum = (0..k).fold(x[k], |sum, j| sum - a[k * n + j] * x[j]);
        x[k] = sum / a[k * n + k];
    }
    x.iter().all(|x| x.is_finite()).then_some(x)
}

fn matrix_currents(nodes: &[usize], g: &[f64], b: &[f64], balance: &mut Balance, published: impl Fn(usize) -> C) {
    let n = nodes.len();
    for i in 0..n {
        let (mut own, mut size) = (C::default(), 0.0);
        for j in 0..n {
            let product = C::new(g[i * n + j], b[i * n + j]) * balance.u[nodes[j]];
            own += product;
            size += modulus(product);
        }
        balance.add(nodes[i], own, published(i), size);
    }
}

/// Treats each phase as an ideal transformer with the leakage impedance in ohms at its first coil and the no-load
/// branch at the second.
fn transformer(t: &FeederTransformer, published: &[Vec<C>; 2], balance: &mut Balance) {
    let [one, two] = &t.windings;
    let per_phase = t.s_va / t.phases as f64;
    let rated = t.windings.each_ref().map(|w| match (w.connection, t.phases) {
        (Connection::Wye, 2 | 3) => w.v_rated / 3f64.sqrt(),
        _ => w.v_rated,
    });
    let [v1, v2] = [rated[0] * one.tap, rated[1] * two.tap];
    let ratio = v1 / v2;
    let z1 = C::new(one.r_percent + two.r_percent, t.x_percent) * (v1 * v1 / (100.0 * per_phase));
    let y2 = C::new(t.no_load_percent, -t.magnetising_percent) * (per_phase / (100.0 * v2 * v2));
    let mut own = t.windings.each_ref().map(|w| vec![C::default(); w.nodes.len()]);
    let mut size = t.windings.each_ref().map(|w| vec![0.0; w.nodes.len()]);
    for phase in 0..t.phases {
        let [[a1, b1], [a2, b2]] = [0, 1].map(|w| coil(t, w, phase));
        let across =
            |w: usize, a: usize, b: usize| balance.u[t.windings[w].nodes[a]] - balance.u[t.windings[w].nodes[b]];
        let (e1, e2) = (across(0, a1, b1), across(1, a2, b2));
        let i1 = (e1 - ratio * e2) / z1;
        let i2 = y2 * e2 - ratio * i1;
        let largest = |w: usize, a: usize, b: usize| {
            modulus(balance.u[t.windings[w].nodes[a]]).max(modulus(balance.u[t.windings[w].nodes[b]]))
        };
        let product = (largest(0, a1, b1) + ratio * largest(1, a2, b2)) / modulus(z1);
        for (w, terminal, i, product) in [
            (0, a1, i1, product),
            (0, b1, -i1, product),
            (1, a2, i2, ratio * product),
            (1, b2, -i2, ratio * product),
        ] {
            own[w][terminal] += i;
            size[w][terminal] += product;
        }
    }
    for (w, winding) in t.windings.iter().enumerate() {
        let small = C::new(0.0, -5e-7 * t.antifloat_ppm * per_phase / (rated[w] * rated[w]));
        for phase in 0..t.phases {
            for terminal in coil(t, w, phase) {
                own[w][terminal] += small * balance.u[winding.nodes[terminal]];
            }
        }
        let neutral = winding.nodes.len() - 1;
        if winding.connection == Connection::Wye {
            let u = balance.u[winding.nodes[neutral]];
            own[w][neutral] += match winding.neutral_ohm {
                None => small * u,
                Some([0.0, 0.0]) => u * 1e6,
                Some([r, x]) => u / C::new(r, x),
            };
        }
        for (k, &node) in winding.nodes.iter().enumerate() {
            balance.add(node, own[w][k], published[w][k], size[w][k]);
        }
    }
}

/// Terminals of a coil by the vector group: the low voltage lags the high voltage by 30 degrees unless it leads.
fn coil(t: &FeederTransformer, w: usize, phase: usize) -> [usize; 2] {
    let winding = &t.windings[w];
    let n = winding.nodes.len();
    if t.phases == 1 {
        return [0, 1];
    }
    if winding.connection == Connection::Wye {
        return [phase, n - 1];
    }
    let other = &t.windings[1 - w];
    let backwards = if other.connection == Connection::Delta {
        false
    } else {
        // The delta at the higher voltage is between a phase and the previous one; of equal voltages, the first winding
        // counts as the higher.
        let is_higher = winding.v_rated > other.v_rated || (winding.v_rated == other.v_rated && w == 0);
        is_higher != t.leads
    };
    [
        phase,
        if backwards {
            (phase + n - 1) % n
        } else {
            (phase + 1) % n
        },
    ]
}

fn loads(feeder: &Feeder, solution: &McSolution, balance: &mut Balance) {
    for (row, load) in feeder.loads.iter().enumerate() {
        for (k, branch) in load.branches.iter().enumerate() {
            let [a, b] = branch
                .nodes
                .map(|node| node.map_or(C::default(), |node| balance.u[node]));
            let published = solution.loads[row][k];
            let e = a - b;
            let v = modulus(e);
            let is_supplied = branch.nodes.iter().flatten().any(|&node| solution.is_energised[node]);
            let own = if !is_supplied || v == 0.0 {
                C::default()
            } else {
                let [p, q] = solution.data.load(row)[k];
                let [fp, fq] = law(branch.law, load.band, v / branch.v_nominal);
                // I = conj(S / U)
                (C::new(p * fp, q * fq) / e).conj()
            };
            let size = modulus(own) * (modulus(a) + modulus(b)) / v.max(f64::MIN_POSITIVE);
            for (node, sign) in branch.nodes.into_iter().zip([1.0, -1.0]) {
                if let Some(node) = node {
                    balance.add(node, sign * own, sign * published, size);
                }
            }
        }
    }
}

/// Factors of active and reactive power at `v` per unit.
fn law(law: LoadLaw, band: Option<VoltageBand>, v: f64) -> [f64; 2] {
    let both = |x: f64| [x, x];
    if law == LoadLaw::Impedance {
        return both(v * v);
    }
    // Currents of constant-power and constant-current loads, relative to the nominal current.
    let (of_power, of_current, inside) = match band {
        Some(b) if v <= b.low => return both(v * v),
        Some(b) if v <= b.min => {
            let slope = (v - b.low) / (b.min - b.low);
            (
                b.low + (1.0 / b.min - b.low) * slope,
                b.low + (1.0 - b.low) * slope,
                false,
            )
        }
        Some(b) if v > b.max => (v / (b.max * b.max), v / b.max, false),
        _ => (1.0 / v, 1.0, true),
    };
    match law {
        LoadLaw::Power => both(if inside { 1.0 } else { v * of_power }),
        LoadLaw::Current => both(v * of_current),
        LoadLaw::Exponential { active, reactive } if inside => [active, reactive].map(|g| libm::exp(g * libm::log(v))),
        LoadLaw::Exponential { .. } => both(v * of_power),
        LoadLaw::Zip { active, reactive } => {
            let drop = match band {
                Some(b) if b.cutoff > 0.0 => 1.0 / (1.0 + libm::exp(-1000.0 * (v - b.cutoff))),
                _ => 1.0,
            };
            [active, reactive].map(|[z, i, p]| drop * v * (z * v + i * of_current + p * of_power))
        }
        LoadLaw::Impedance => both(v * v),
    }
}

/// Checks sources and switches: their voltages, and their published currents.
fn held(feeder: &Feeder, solution: &McSolution, balance: &mut Balance, held_error: &mut f64) {
    for (source, published) in feeder.sources.iter().zip(&solution.sources) {
        for (k, &node) in source.nodes.iter().enumerate() {
            balance.add_published(node, -published.currents[k]);
            let mut u = balance.u[node];
            if let Some(reference) = source.reference {
                balance.add_published(reference, published.currents[k]);
                u -= balance.u[reference];
            }
            let volts = source.volts[k];
            let (sin, cos) = libm::sincos(source.angles_rad[k]);
            if solution.is_energised[node] {
                raise(held_error, modulus(u - volts * C::new(cos, sin)) / volts.max(1.0));
            }
        }
    }
    for (switch, published) in feeder.switches.iter().zip(&solution.switches) {
        for (k, (&from, &to)) in switch.from.iter().zip(&switch.to).enumerate() {
            balance.add_published(from, published.currents[k]);
            balance.add_published(to, -published.currents[k]);
            let apart = modulus(balance.u[from] - balance.u[to]);
            if switch.is_closed {
                raise(held_error, apart / modulus(balance.u[from]).max(1.0));
            }
        }
    }
    for (node, _) in feeder.nodes.iter().enumerate().filter(|(_, at)| at.is_grounded) {
        raise(held_error, modulus(balance.u[node]));
    }
}
