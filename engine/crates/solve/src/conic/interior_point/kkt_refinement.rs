//! Solves of the condensed system, refined against the uncondensed one.

use super::kkt::Kkt;
use crate::conic::model::program::Program;
use crate::conic::model::vectors::Vector;
use wattbook_sparse::BlockLdl;

/// Rounds of iterative refinement, and the relative residual at which they end.
const ROUNDS: usize = 6;
const REFINED: f64 = 1e-14;
/// A residual may be so many times what solves before it make expect.
const MARGIN: f64 = 100.0;

impl Kkt {
    /// Solves with iterative refinement; returns the residual, absolute and relative to the right-hand side.
    pub fn solve(&mut self, program: &Program, pattern: &BlockLdl, rhs: &Vector, out: &mut Vector) -> [f64; 2] {
        self.solve_to(program, pattern, rhs, out, 0.0)
    }

    /// A solve that needs no residual below `enough`: where the solve before makes expect that, it is not measured.
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

    /// Refines until the residual is at most `enough`, or as small as rounding allows.
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
            // A residual that is no number ends it too.
            if error <= enough || error.is_nan() {
                break;
            }
            self.solve_once(program, pattern, &residual, &mut correction);
            out.add(1.0, &correction);
            // The first correction leaves of the residual what the first solve did.
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
