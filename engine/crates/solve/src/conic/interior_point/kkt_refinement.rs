//! Solves of the condensed system, refined against the uncondensed one.

use super::kkt::Kkt;
use crate::conic::model::program::Program;
use crate::conic::model::vectors::Vector;
use wattbook_sparse::BlockLdl;

/// Most rounds of iterative refinement, and the relative residual at which they stop.
const ROUNDS: usize = 6;
const REFINED: f64 = 1e-14;
/// Safety factor on a residual predicted from earlier solves.
const MARGIN: f64 = 100.0;

impl Kkt {
    /// Solves with iterative refinement; returns the residual, absolute and relative to the right-hand side.
    pub fn solve(&mut self, program: &Program, pattern: &BlockLdl, rhs: &Vector, out: &mut Vector) -> [f64; 2] {
        self.solve_to(program, pattern, rhs, out, 0.0)
    }

    /// Solves without need for a residual below `enough`, which is not measured if the previous solve predicts it.
    pub fn solve_roughly(
        &mut self,
        program: &Program,
        pattern: &BlockLdl,
        rhs: &Vector,
        out: &mut Vector,
        enough: f64,
    ) -> [f64; 2] {
        let expected = MARGIN * self.unrefined;
        let size = rhs.norm();
        if !self.is_precise && expected > 0.0 && expected * size <= enough {
            self.provide(rhs);
            self.solve_once(program, pattern, rhs, out);
            return [expected * size, expected];
        }
        self.solve_to(program, pattern, rhs, out, enough)
    }

    fn provide(&mut self, rhs: &Vector) {
        if self.residual.x.len() != rhs.x.len() {
            self.residual = Vector::zeros(rhs);
            self.correction = Vector::zeros(rhs);
        }
    }

    /// Refines until the residual is at most `enough` or rounding prevents progress.
    pub fn solve_to(
        &mut self,
        program: &Program,
        pattern: &BlockLdl,
        rhs: &Vector,
        out: &mut Vector,
        enough: f64,
    ) -> [f64; 2] {
        self.provide(rhs);
        let size = rhs.norm();
        let size = if size > 0.0 { size } else { 1.0 };
        let enough = enough.max(REFINED * size);
        self.solve_once(program, pattern, rhs, out);
        let mut residual = std::mem::take(&mut self.residual);
        let mut correction = std::mem::take(&mut self.correction);
        self.residual(program, rhs, out, &mut residual);
        let mut error = residual.norm();
        self.unrefined = error / size;
        for round in 0..ROUNDS {
            // NaN ends the refinement too.
            if error <= enough || error.is_nan() {
                break;
            }
            self.solve_once(program, pattern, &residual, &mut correction);
            out.add(1.0, &correction);
            // The first correction should reduce the residual as the first solve did.
            let expected = MARGIN * self.unrefined * error;
            if round == 0 && !self.is_precise && expected <= enough {
                error = expected;
                break;
            }
            self.residual(program, rhs, out, &mut residual);
            let next = residual.norm();
            if next.is_nan() || next >= error {
                out.add(-1.0, &correction);
                break;
            }
            let is_slow = 2.0 * next > error;
            error = next;
            if is_slow {
                break;
            }
        }
        (self.residual, self.correction) = (residual, correction);
        [error, error / size]
    }
}
