//! Newton's method in polar coordinates (Tinney and Hart, IEEE Trans. PAS-86 (1967)), and chord steps.

use super::equations::{Equations, Voltages};
use super::jacobian::Jacobian;
use num_complex::Complex64;

/// Largest mismatch of a solution, per unit; larger if rounding leaves more (`AcModel::rounding`).
pub(crate) const TOLERANCE: f64 = 1e-8;
/// From a usable start Newton's method converges within nine steps.
pub(crate) const MOST_STEPS: usize = 15;
/// The mismatch of a convergent iteration grows in few steps, mostly the first.
const MOST_GROWTHS: usize = 3;
/// A voltage magnitude below this (pu) is not an operating point.
pub(crate) const COLLAPSED: f64 = 0.2;
/// An iteration does not recover from a mismatch above this, per unit.
const DIVERGED: f64 = 1e8;

/// Newton's method with the state of its last iterate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Newton {
    /// Injections and mismatch of the last iterate.
    pub injections: Vec<Complex64>,
    pub mismatch: Vec<[f64; 2]>,
    pub largest: f64,
    /// The smallest norm of the mismatch so far, with the mismatches.
    pub best: Option<(f64, Vec<[f64; 2]>)>,
    jacobian: Jacobian,
    /// Number of steps so far.
    pub steps: usize,
}

/// The method found no solution from this start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotConverged;

impl Newton {
    /// Mismatch of `voltages`.
    pub fn evaluate(&mut self, equations: &Equations, voltages: &Voltages) -> f64 {
        equations.injections(voltages, &mut self.injections);
        self.measure(equations, voltages)
    }

    /// Mismatch of `voltages`, whose injections are already known.
    fn measure(&mut self, equations: &Equations, voltages: &Voltages) -> f64 {
        self.largest = equations.mismatch(&self.injections, voltages, &mut self.mismatch);
        self.largest
    }

    /// Moves `voltages` to a solution. Controlled magnitudes must be at their set-points. Stops after the mismatch has
    /// grown in `MOST_GROWTHS` steps.
    pub fn solve(
        &mut self,
        equations: &Equations,
        voltages: &mut Voltages,
        tolerance: f64,
    ) -> Result<(), NotConverged> {
        self.solve_within(equations, voltages, tolerance, COLLAPSED, MOST_GROWTHS)
    }

    /// `solve`, limited by the number of steps alone, as in other programs: from a flat start, low magnitudes and
    /// growing mismatches may still lead to a solution.
    pub fn solve_plainly(&mut self, equations: &Equations, voltages: &mut Voltages) -> Result<(), NotConverged> {
        self.solve_within(equations, voltages, TOLERANCE, 0.0, MOST_STEPS)?;
        match self.is_usable(voltages, COLLAPSED) {
            true => Ok(()),
            false => Err(NotConverged),
        }
    }

    fn solve_within(
        &mut self,
        equations: &Equations,
        voltages: &mut Voltages,
        tolerance: f64,
        lowest: f64,
        most_growths: usize,
    ) -> Result<(), NotConverged> {
        let tolerance = tolerance.max(equations.model.rounding);
        let (mut before, mut growths) = (self.evaluate(equations, voltages), 0);
        for _ in 0..=MOST_STEPS {
            if !self.is_usable(voltages, lowest) {
                return Err(NotConverged);
            }
            if self.largest <= tolerance {
                return Ok(());
            }
            if self.best.as_ref().is_none_or(|(best, _)| self.largest < *best) {
                self.best = Some((self.largest, self.mismatch.clone()));
            }
            let mut jacobian = std::mem::take(&mut self.jacobian);
            let set = jacobian.set(equations, voltages, &self.injections);
            if set.is_ok() {
                self.step(&jacobian, equations, voltages);
            }
            self.jacobian = jacobian;
            set.map_err(|_| NotConverged)?;
            growths += usize::from(self.largest > before);
            before = self.largest;
            if growths >= most_growths {
                return Err(NotConverged);
            }
        }
        Err(NotConverged)
    }

    /// `solve` from a nearby solution: stops if a step other than the first does not halve the mismatch. Even at the
    /// nose of a solution curve, Newton's steps divide it by four.
    pub fn correct(
        &mut self,
        equations: &Equations,
        voltages: &mut Voltages,
        tolerance: f64,
    ) -> Result<(), NotConverged> {
        let tolerance = tolerance.max(equations.model.rounding);
        let mut before = f64::INFINITY;
        self.evaluate(equations, voltages);
        for _ in 0..=MOST_STEPS {
            if !self.is_usable(voltages, COLLAPSED) {
                return Err(NotConverged);
            }
            if self.largest <= tolerance {
                return Ok(());
            }
            if self.largest > 0.5 * before {
                return Err(NotConverged);
            }
            // The first step leaves a residual of second order, which may exceed the initial one.
            before = if before.is_finite() {
                self.largest
            } else {
                2.0 * DIVERGED
            };
            let mut jacobian = std::mem::take(&mut self.jacobian);
            let set = jacobian.set(equations, voltages, &self.injections);
            if set.is_ok() {
                self.step(&jacobian, equations, voltages);
            }
            self.jacobian = jacobian;
            set.map_err(|_| NotConverged)?;
        }
        Err(NotConverged)
    }

    fn step(&mut self, jacobian: &Jacobian, equations: &Equations, voltages: &mut Voltages) {
        let mut x: Vec<[f64; 2]> = self.mismatch.iter().map(|f| [-f[0], -f[1]]).collect();
        let slack = jacobian.solve(equations.model, &mut x);
        voltages.step(&x, &slack);
        self.steps += 1;
        self.evaluate(equations, voltages);
    }

    fn is_usable(&self, voltages: &Voltages, lowest: f64) -> bool {
        // NaN compares false and counts as divergence.
        self.largest <= DIVERGED && voltages.magnitude.iter().all(|&v| v > lowest)
    }

    /// Moves `voltages` to a solution by chord steps with the Jacobian `held`, and factors a new Jacobian once the
    /// mismatch falls by less than a factor of ten. `injections` are those of `voltages`, if they are known.
    pub fn solve_from(
        &mut self,
        held: &Jacobian,
        injections: Option<&[Complex64]>,
        equations: &Equations,
        voltages: &mut Voltages,
    ) -> Result<(), NotConverged> {
        const MOST: usize = 30;
        let mut own: Option<Jacobian> = None;
        match injections {
            Some(known) => {
                self.injections = known.to_vec();
                self.measure(equations, voltages);
            }
            None => {
                self.evaluate(equations, voltages);
            }
        }
        let tolerance = TOLERANCE.max(equations.model.rounding);
        for _ in 0..MOST {
            if !self.is_usable(voltages, COLLAPSED) {
                return Err(NotConverged);
            }
            let before = self.largest;
            if before <= tolerance {
                return Ok(());
            }
            self.step(own.as_ref().unwrap_or(held), equations, voltages);
            if self.largest > tolerance && self.largest > 0.1 * before && self.is_usable(voltages, COLLAPSED) {
                let jacobian = own.get_or_insert_default();
                jacobian
                    .set(equations, voltages, &self.injections)
                    .map_err(|_| NotConverged)?;
            }
        }
        Err(NotConverged)
    }
}

impl Newton {
    /// The Jacobian at `voltages`, which must be the last evaluated.
    pub fn jacobian_at(&self, equations: &Equations, voltages: &Voltages) -> Result<Jacobian, NotConverged> {
        let mut jacobian = Jacobian::default();
        jacobian
            .set(equations, voltages, &self.injections)
            .map_err(|_| NotConverged)?;
        Ok(jacobian)
    }
}
