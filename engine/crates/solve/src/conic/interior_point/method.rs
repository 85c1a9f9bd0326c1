//! The primal-dual interior point method: Mehrotra's predictor and corrector with Nesterov-Todd directions.

use super::kkt::{Kkt, Regularisation};
use super::start::{least_squares, Point};
use crate::conic::model::program::Program;
use crate::conic::model::vectors::{largest, largest_of, ConeVector, Vector};
use std::sync::Arc;
use wattbook_sparse::BlockLdl;

/// Residuals of the optimality conditions at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConicResiduals {
    /// Largest residual of a balance or row, per unit.
    pub primal: f64,
    /// Largest gradient of the Lagrangian relative to its column, in units of the cost scale.
    pub dual: f64,
    /// Complementarity relative to the objective.
    pub gap: f64,
}

impl ConicResiduals {
    /// The largest of the three relative to the tolerance of an optimum; NaN if one of them is NaN.
    pub fn excess(&self) -> f64 {
        self.worst(&Settings::default())
    }

    /// The largest of the three relative to the tolerance of `settings`; NaN if one of them is NaN.
    fn worst(&self, settings: &Settings) -> f64 {
        let Settings { tolerance, gap, .. } = settings;
        largest([self.primal / tolerance, self.dual / tolerance, self.gap / gap].into_iter())
    }
}

/// Progress of the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Iterating,
    Optimal,
    /// The method makes no progress or numbers are out of range; the best point is not optimal.
    Stalled,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Largest primal and dual residual, and largest gap, of an optimum.
    pub tolerance: f64,
    pub gap: f64,
    pub max_iterations: usize,
}

/// Default tolerance of an optimum.
pub(crate) const TOLERANCE: f64 = 1e-8;

impl Default for Settings {
    fn default() -> Self {
        Self {
            tolerance: TOLERANCE,
            gap: TOLERANCE,
            max_iterations: 200,
        }
    }
}

/// Fraction of the longest step that is taken.
const STEP: f64 = 0.99;
/// Smallest centring parameter.
const LEAST_CENTRING: f64 = 1e-8;
/// Iterations without progress after which the method stalls.
const PATIENCE: usize = 25;
/// Relative residual of a linear solve above which the factorisation is repeated in double the precision.
const REFACTOR: f64 = 1e-9;
/// Residual of a linear solve far from the optimum, as a share of the barrier parameter, and its upper limit; a
/// predictor tolerates more.
const INEXACT: f64 = 1e-2;
const MOST_INEXACT: f64 = 1e-6;
const PREDICTED: f64 = 10.0;
/// Residuals below this multiple of the tolerance count as nearly optimal.
const NEAR: f64 = 1e4;
/// Growth of residuals near the optimum that only an inaccurate step explains.
const THROWN_BACK: f64 = 10.0;
/// The gap is relative to the objective, or to this in units of the cost scale if the objective is smaller.
const LEAST_OBJECTIVE: f64 = 1e-2;
/// Attempts to factor with growing regularisation.
const ATTEMPTS: usize = 4;

/// Increases the regularisation after a failed factorisation.
fn grown(regularisation: Regularisation) -> Regularisation {
    let primal = 30.0 * regularisation.primal.max(1e-9);
    Regularisation {
        primal,
        dual: primal,
        flow: 30.0 * regularisation.flow.max(1e-8),
    }
}

/// The state of the method at an iterate.
#[derive(Clone, Debug)]
pub(crate) struct InteriorPoint {
    pub program: Program,
    pattern: Arc<BlockLdl>,
    settings: Settings,
    pub kkt: Kkt,
    pub point: Point,
    /// The best iterate, if it is not the current point, and its residuals.
    best: Point,
    is_best: bool,
    best_residuals: ConicResiduals,
    pub residuals: ConicResiduals,
    pub iterations: usize,
    /// Number of factorisations in double the precision.
    pub precise_factors: usize,
    since_best: usize,
    /// The point before the last step, if it is not the best one.
    spare: Point,
    /// `r_d, r_p, r_g` of the iterate.
    pub at: Vector,
    pub rhs: Vector,
    pub affine: Vector,
    pub step: Vector,
    pub ds: ConeVector,
    /// Second-order terms of cones: `(W^-1 ds) o (W dz)`.
    pub second: ConeVector,
}

impl InteriorPoint {
    /// Starts from the least-squares start.
    pub fn new(program: Program, pattern: Arc<BlockLdl>, settings: Settings) -> Self {
        let mut kkt = Kkt::default();
        let point = least_squares(&program, &pattern, &mut kkt);
        Self::from(program, pattern, settings, point, kkt)
    }

    /// Starts from a point inside the cones.
    pub fn from(program: Program, pattern: Arc<BlockLdl>, settings: Settings, point: Point, kkt: Kkt) -> Self {
        let zeros = program.zeros();
        let unknown = ConicResiduals {
            primal: f64::INFINITY,
            dual: f64::INFINITY,
            gap: f64::INFINITY,
        };
        let mut started = Self {
            program,
            pattern,
            settings,
            kkt,
            best: point.clone(),
            is_best: true,
            best_residuals: unknown,
            spare: point.clone(),
            point,
            residuals: unknown,
            iterations: 0,
            precise_factors: 0,
            since_best: 0,
            at: zeros.clone(),
            rhs: zeros.clone(),
            affine: zeros.clone(),
            step: zeros.clone(),
            ds: zeros.z.clone(),
            second: zeros.z,
        };
        started.measure();
        started
    }

    /// Residuals of the iterate.
    fn measure(&mut self) {
        let (program, Point { v, s }) = (&self.program, &self.point);
        let at = &mut self.at;
        program.optimality(v, s, at);
        let own = at.x.iter().zip(&program.column_norm).map(|(r, n)| r / n);
        let of_pairs = at.u.as_flattened().iter().zip(program.pair_norm.as_flattened());
        let objective = program.objective(&v.x).abs();
        let scale = if objective > LEAST_OBJECTIVE {
            objective
        } else {
            LEAST_OBJECTIVE
        };
        self.residuals = ConicResiduals {
            primal: largest([largest_of(at.y.as_flattened()), at.z.norm()].into_iter()),
            dual: largest(own.chain(of_pairs.map(|(r, n)| r / n))),
            gap: self.point.s.dot(&v.z) / scale,
        };
        self.is_best = self.residuals.worst(&self.settings) < self.best_residuals.worst(&self.settings);
        if self.is_best {
            self.best_residuals = self.residuals;
            self.since_best = 0;
        } else {
            self.since_best += 1;
        }
    }

    /// The best iterate with its residuals.
    pub fn best(&self) -> (&Point, ConicResiduals) {
        let point = if self.is_best { &self.point } else { &self.best };
        (point, self.best_residuals)
    }

    pub fn status(&self) -> Status {
        if self.best_residuals.worst(&self.settings) <= 1.0 {
            Status::Optimal
        } else if self.since_best >= PATIENCE
            || self.iterations >= self.settings.max_iterations
            || !self.residuals.worst(&self.settings).is_finite()
        {
            Status::Stalled
        } else {
            Status::Iterating
        }
    }

    /// Factors for the iterate; later attempts use double the precision and then more regularisation. False if none
    /// succeeds.
    fn factor(&mut self, mu: f64, attempt: usize) -> bool {
        self.kkt.weights.set(&self.point.s, &self.point.v.z);
        let primal = (1e-3 * mu).clamp(1e-10, 1e-7);
        let mut regularisation = Regularisation {
            primal,
            dual: primal,
            flow: (1e-2 * mu).clamp(1e-9, 1e-6),
        };
        for _ in 1..attempt {
            regularisation = grown(regularisation);
        }
        for _ in 0..ATTEMPTS {
            self.kkt.regularisation = regularisation;
            if self.kkt.factor(&self.program, &self.pattern) && attempt == 0 {
                return true;
            }
            self.precise_factors += 1;
            if self.kkt.factor_precisely(&self.program, &self.pattern) {
                return true;
            }
            regularisation = grown(regularisation);
        }
        false
    }

    /// Solves for `rhs`, in double the precision if the first solve is inaccurate.
    fn solve(&mut self, is_affine: bool, mu: f64) {
        // Near the optimum, large slacks would hide errors that the residuals suffer.
        let is_near = self.residuals.worst(&self.settings) < NEAR;
        let inexact = (INEXACT * mu).min(MOST_INEXACT);
        let (program, pattern, rhs) = (&self.program, &self.pattern, &self.rhs);
        let (out, enough) = match (is_affine, is_near) {
            (true, _) => (&mut self.affine, PREDICTED * inexact),
            (false, false) => (&mut self.step, inexact),
            (false, true) => (&mut self.step, 0.0),
        };
        let [error, relative] = match is_affine {
            true => self.kkt.solve_roughly(program, pattern, rhs, out, enough),
            false => self.kkt.solve_to(program, pattern, rhs, out, enough),
        };
        let is_solved = error <= enough || (relative <= REFACTOR && !(is_near && error > REFACTOR));
        if !is_solved && !self.kkt.is_precise() {
            self.precise_factors += 1;
            if self.kkt.factor_precisely(&self.program, &self.pattern) {
                self.kkt.solve(&self.program, &self.pattern, &self.rhs, out);
            }
        }
    }

    /// Performs one iteration; false if that is impossible. A step near the optimum that increases the residuals is
    /// reverted and repeated.
    pub fn iterate(&mut self) -> bool {
        let before = self.residuals.worst(&self.settings);
        if before >= NEAR {
            return self.advance(0);
        }
        let (since_best, was_best, best) = (self.since_best, self.is_best, self.best_residuals);
        for attempt in 0..ATTEMPTS {
            let went = self.advance(attempt);
            if went && self.residuals.worst(&self.settings) <= THROWN_BACK * before.max(1.0) {
                return true;
            }
            if went {
                let old = if was_best { &mut self.best } else { &mut self.spare };
                std::mem::swap(&mut self.point, old);
                self.iterations -= 1;
                self.measure();
            }
            (self.since_best, self.is_best, self.best_residuals) = (since_best, was_best, best);
        }
        false
    }

    fn advance(&mut self, attempt: usize) -> bool {
        let degree = self.point.s.degree().max(1) as f64;
        let mu = self.point.s.dot(&self.point.v.z) / degree;
        if !self.factor(mu, attempt) {
            return false;
        }
        self.predictor_rhs();
        self.solve(true, mu);
        let alpha = self.longest_step::<true>(1.0).min(1.0);
        let rest = 1.0 - alpha;
        let sigma = (rest * rest * rest).max(LEAST_CENTRING);
        self.corrector_rhs(sigma, mu);
        self.solve(false, mu);
        let step = (STEP * self.longest_step::<false>(1.0 - sigma)).min(1.0);
        if step <= 0.0 || step.is_nan() {
            return false;
        }
        self.spare.v.set_moved(&self.point.v, step, &self.step);
        self.spare.s.set_moved(&self.point.s, step, &self.ds);
        std::mem::swap(&mut self.point, &mut self.spare);
        if self.is_best {
            std::mem::swap(&mut self.best, &mut self.spare);
        }
        self.iterations += 1;
        self.measure();
        true
    }
}
