//! The fixed point of load currents, accelerated, and continuation in the load where it does not converge.
//!
//! Each step corrects voltages by the residual currents: `dx = inv(Y) r`. With exact residuals this is the compensated
//! fixed point (loads are their nominal admittance and what differs from it), and it refines the solution of the linear
//! system at the same time.

use super::anderson::Anderson;
use super::load::current;
use super::model::{McData, McModel};
use super::solution::McSolution;
use super::{failure, modulus, C};
use wattbook_network::error::{EngineError, Result};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct McOptions {
    /// Largest change of a voltage in the last step, by the voltage at its bus.
    pub tolerance: f64,
    pub max_iterations: usize,
}

impl Default for McOptions {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            max_iterations: 100,
        }
    }
}

/// Largest residual current that is always allowed, A, and its part of the currents at a node.
const RESIDUAL_A: f64 = 1e-6;
const RESIDUAL_PART: f64 = 1e-8;
/// Multiple of the rounding of currents that is allowed.
const ROUNDINGS: f64 = 4.0;
/// How closely the largest load that solves is found.
const LOADING: f64 = 0.01;

/// An iteration that did not converge.
pub(crate) struct Unsolved {
    pub iterations: usize,
    pub change_pu: f64,
    /// Unknown that changed most.
    pub worst: Option<usize>,
}

pub(crate) struct Solved {
    pub x: Vec<C>,
    pub iterations: usize,
    pub change_pu: f64,
}

/// Voltages of a feeder with these loads; `from` is a solution with other loads to begin with.
///
/// # Errors
/// `SOLVE.NOT_CONVERGED` with the largest part of the loads that solves; `PHYSICS.NO_VOLTAGE` naming a load of constant power or
/// current between terminals of one voltage; `INPUT.DATA` where the data are not those of the feeder's loads.
pub fn solve(model: &McModel, data: &McData, options: &McOptions, from: Option<&McSolution>) -> Result<McSolution> {
    let fits = |b: &super::model::Branch| data.loads.get(b.load).and_then(|l| l.get(b.phase)).is_some();
    if !model.branches.iter().all(fits) {
        let said = wattbook_network::message!("feeder.other_loads");
        return Err(EngineError::new("INPUT.DATA", said));
    }
    let start = match from.filter(|s| s.unknowns.len() == model.unknowns()) {
        Some(solution) => &solution.unknowns,
        None => &model.start,
    };
    let attempt = |start: &[C], part: f64| iterate(model, data, options, start, part);
    let mut iterations = 0;
    let unsolved = match attempt(start, 1.0)? {
        Ok(solved) => return McSolution::new(model, data, solved),
        Err(unsolved) => unsolved,
    };
    iterations += unsolved.iterations;
    // From no load upwards: the largest part of the load that solves, to a hundredth.
    let (mut low, mut high) = (0.0, 1.0);
    let mut x = model.start.clone();
    while high - low > LOADING {
        let part = 0.5 * (low + high);
        match attempt(&x, part)? {
            Ok(solved) => {
                iterations += solved.iterations;
                (low, x) = (part, solved.x);
            }
            Err(unsolved) => {
                iterations += unsolved.iterations;
                high = part;
            }
        }
    }
    if high == 1.0 {
        if let Ok(solved) = attempt(&x, 1.0)? {
            let iterations = iterations + solved.iterations;
            return McSolution::new(model, data, Solved { iterations, ..solved });
        }
    }
    Err(failure::not_converged(model, &unsolved, low))
}

/// Iterates from `x` with a part of every load.
fn iterate(
    model: &McModel,
    data: &McData,
    options: &McOptions,
    x: &[C],
    part: f64,
) -> Result<std::result::Result<Solved, Unsolved>> {
    let mut x = x.to_vec();
    let n_nodes = model.unknown.len();
    let (mut u, mut leaving) = (vec![C::default(); n_nodes], vec![C::default(); n_nodes]);
    let mut size = vec![0.0; n_nodes];
    let mut work = Vec::new();
    let mut anderson = Anderson::default();
    let mut change = Unsolved {
        iterations: 0,
        change_pu: f64::INFINITY,
        worst: None,
    };
    for iteration in 1..=options.max_iterations {
        model.put_voltages(&x, &mut u);
        leaving.fill(C::default());
        size.fill(0.0);
        let mut add = |node: usize, current: C| {
            leaving[node] += current;
            size[node] += modulus(current);
        };
        model.linear_currents(&u, &mut add);
        load_currents(model, data, part, &u, |_, nodes, current| {
            for (node, current) in nodes.into_iter().zip([current, -current]) {
                if let Some(node) = node {
                    add(node, current);
                }
            }
        })?;
        let residual = model.balance(&leaving);
        let mut dx = residual.clone();
        model.factors.solve(&mut dx, &mut work);

        change = Unsolved {
            iterations: iteration,
            change_pu: 0.0,
            worst: None,
        };
        for (k, (dx, base)) in dx.iter().zip(&model.base).enumerate() {
            let relative = modulus(*dx) / base;
            // What is no number counts as the largest.
            if relative > change.change_pu || relative.is_nan() {
                (change.change_pu, change.worst) = (relative, Some(k));
            }
        }
        if !change.change_pu.is_finite() {
            return Ok(Err(change));
        }
        if change.change_pu <= options.tolerance && is_balanced(model, &residual, &size) {
            x.iter_mut().zip(&dx).for_each(|(x, dx)| *x += dx);
            return Ok(Ok(Solved {
                x,
                iterations: iteration,
                change_pu: change.change_pu,
            }));
        }
        x = anderson.next(&x, &dx, &model.base);
    }
    Ok(Err(change))
}

/// Every residual current is within its limit.
fn is_balanced(model: &McModel, residual: &[C], size: &[f64]) -> bool {
    let mut limit: Vec<f64> = model.rounding.iter().map(|r| RESIDUAL_A + ROUNDINGS * r).collect();
    for (&unknown, size) in model.unknown.iter().zip(size) {
        if unknown != super::model::KNOWN {
            limit[unknown as usize] += RESIDUAL_PART * size;
        }
    }
    residual.iter().zip(limit).all(|(r, limit)| modulus(*r) <= limit)
}

/// Calls `add` with the row, the nodes and the current of each load branch that is supplied.
///
/// # Errors
/// `PHYSICS.NO_VOLTAGE`.
pub(crate) fn load_currents(
    model: &McModel,
    data: &McData,
    part: f64,
    u: &[C],
    mut add: impl FnMut(usize, [Option<usize>; 2], C),
) -> Result<()> {
    for (row, b) in model.branches.iter().enumerate().filter(|(_, b)| b.is_supplied) {
        let [p, q] = data.loads[b.load][b.phase];
        let [a, z] = b.branch.nodes.map(|node| node.map_or(C::default(), |node| u[node]));
        let current = current(&b.branch, b.band, part * C::new(p, q), a - z)
            .map_err(|_| failure::no_voltage(&model.feeder.loads[b.load].name))?;
        add(row, b.branch.nodes, current);
    }
    Ok(())
}
