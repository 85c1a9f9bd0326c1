//! The accelerated fixed point of load currents, with continuation in the load if it does not converge.
//!
//! Each step corrects voltages by the residual currents: `dx = inv(Y) r`. With exact residuals this is the compensated
//! fixed point, in which a load is its nominal admittance plus the deviation from it; it also refines the solution of
//! the linear system.

mod anderson;

use std::cell::OnceCell;

use crate::mc::model::{McData, McModel};
use crate::mc::result::McSolution;
use crate::mc::voltages::{McVoltages, Unsolved};
use crate::mc::{failure, magnitude, size, C};
use anderson::Anderson;
use wattbook_network::error::{EngineError, Result};
use wattbook_sparse::TreeFactors;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct McOptions {
    /// Largest change of a voltage in the last step, relative to the voltage at its bus.
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

/// Largest residual current that is always accepted, A, and as a share of the currents at a node.
const RESIDUAL_A: f64 = 1e-6;
const RESIDUAL_PART: f64 = 1e-8;
/// Accepted multiple of the rounding error of currents.
const ROUNDINGS: f64 = 4.0;
/// Accuracy of the largest loading that has a solution.
const LOADING: f64 = 0.01;

/// Voltages of a feeder with these loads, and all derived quantities; `from` is a solution with other loads as a start.
/// # Errors
/// `SOLVE.NOT_CONVERGED` with the largest share of the loads that has a solution; `PHYSICS.NO_VOLTAGE` naming a load of
/// constant power or current between terminals of equal voltage; `INPUT.DATA` if the data do not match the feeder's
/// loads.
pub fn solve(model: &McModel, data: &McData, options: &McOptions, from: Option<&McVoltages>) -> Result<McSolution> {
    McSolution::new(model, data, voltages(model, data, options, from)?)
}

/// The part of `solve` for voltages.
///
/// # Errors
/// Those of `solve`.
pub fn voltages(model: &McModel, data: &McData, options: &McOptions, from: Option<&McVoltages>) -> Result<McVoltages> {
    if !data.fits(&model.feeder) {
        let message = wattbook_network::message!("feeder.other_loads");
        return Err(EngineError::new("INPUT.DATA", message));
    }
    let start = match from.filter(|v| v.unknowns.len() == model.unknowns()) {
        Some(voltages) => &voltages.unknowns,
        None => &model.start,
    };
    // Loads that inject power reduce the diagonal of the matrix, and most feeders converge better without that. The
    // exception is a conductor that only such loads connect, whose voltage lies between theirs.
    let others = OnceCell::new();
    let attempt = |start: &[C], part: f64| -> Result<std::result::Result<McVoltages, Unsolved>> {
        let mut unsolved = match iterate(model, &model.factors, data, options, start, part)? {
            Ok(solved) => return Ok(Ok(solved)),
            Err(unsolved) => unsolved,
        };
        if let Some(factors) = others.get_or_init(|| model.factors_with_injections(data)) {
            match iterate(model, factors, data, options, start, part)? {
                Ok(solved) => return Ok(Ok(solved)),
                Err(other) => unsolved.iterations += other.iterations,
            }
        }
        Ok(Err(unsolved))
    };
    let mut iterations = 0;
    let unsolved = match attempt(start, 1.0)? {
        Ok(solved) => return Ok(solved),
        Err(unsolved) => unsolved,
    };
    iterations += unsolved.iterations;
    // Bisects upwards from no load for the largest loading with a solution, to one hundredth.
    let (mut low, mut high) = (0.0, 1.0);
    let mut x = model.start.clone();
    while high - low > LOADING {
        let part = 0.5 * (low + high);
        match attempt(&x, part)? {
            Ok(solved) => {
                iterations += solved.iterations;
                (low, x) = (part, solved.unknowns);
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
            return Ok(McVoltages { iterations, ..solved });
        }
    }
    let worst = unsolved.worst.map(|k| model.feeder.node_name(model.node_of[k]));
    Err(failure::not_converged(&unsolved, worst, low))
}

/// Iterates from `x` with the share `part` of every load; `factors` are those of a matrix close to the derivative of
/// all currents.
fn iterate(
    model: &McModel,
    factors: &TreeFactors,
    data: &McData,
    options: &McOptions,
    x: &[C],
    part: f64,
) -> Result<std::result::Result<McVoltages, Unsolved>> {
    let unknowns = model.unknowns();
    let mut u = model.slots.voltages(x);
    let (mut leaving, mut dx) = (vec![C::default(); u.len()], vec![C::default(); unknowns]);
    let mut anderson = Anderson::new(&model.base);
    let mut change = Unsolved {
        iterations: 0,
        change_pu: f64::INFINITY,
        worst: None,
    };
    for iteration in 1..=options.max_iterations {
        model.slots.complete(&mut u);
        leaving.fill(C::default());
        model.linear.leave(&u, &mut leaving);
        model.load_currents(data, part, &u, |_, [a, z], current| {
            leaving[a] += current;
            leaving[z] -= current;
        })?;
        model.slots.fold(&mut leaving);
        dx.iter_mut().zip(&leaving).for_each(|(dx, leaving)| *dx = -leaving);
        factors.solve(&mut dx);

        change = largest_change(iteration, &dx, model);
        if !change.change_pu.is_finite() {
            return Ok(Err(change));
        }
        let is_close = change.change_pu <= options.tolerance;
        if is_close && is_balanced(model, data, part, &u, &leaving[..unknowns])? {
            u.iter_mut().zip(&dx).for_each(|(x, dx)| *x += dx);
            return Ok(Ok(McVoltages {
                unknowns: model.slots.unknowns(&u),
                iterations: iteration,
                last_change_pu: change.change_pu,
            }));
        }
        anderson.next(&mut u[..unknowns], &dx);
    }
    Ok(Err(change))
}

/// The largest change relative to the voltage at the bus.
fn largest_change(iterations: usize, dx: &[C], model: &McModel) -> Unsolved {
    let (mut largest, mut worst) = (0.0, None);
    for (k, (dx, base)) in dx.iter().zip(&model.base).enumerate() {
        let square = (dx.re * dx.re + dx.im * dx.im) / (base * base);
        // NaN counts as the largest.
        if square > largest || square.is_nan() {
            (largest, worst) = (square, Some(k));
        }
    }
    Unsolved {
        iterations,
        change_pu: f64::sqrt(largest),
        worst: worst.map(|k| model.slots.order[k] as usize),
    }
}

/// Whether every residual current at the voltages `u` is within its limit.
///
/// # Errors
/// `PHYSICS.NO_VOLTAGE`.
fn is_balanced(model: &McModel, data: &McData, part: f64, u: &[C], residual: &[C]) -> Result<bool> {
    // Residuals below the constant limit need no sum of currents.
    let always = model.rounding.iter().map(|rounding| RESIDUAL_A + ROUNDINGS * rounding);
    if residual.iter().zip(always).all(|(r, limit)| size(*r) <= limit) {
        return Ok(true);
    }
    let mut sizes = vec![0.0; u.len()];
    model
        .linear
        .currents(u, |slot, current| sizes[slot] += magnitude(current));
    model.load_currents(data, part, u, |_, slots, current| {
        slots.into_iter().for_each(|slot| sizes[slot] += magnitude(current));
    })?;
    model.slots.fold(&mut sizes);
    let limits = sizes.iter().zip(&model.rounding);
    let limits = limits.map(|(size, rounding)| RESIDUAL_A + RESIDUAL_PART * size + ROUNDINGS * rounding);
    Ok(residual.iter().zip(limits).all(|(r, limit)| magnitude(*r) <= limit))
}
