//! Perturbation of the costs, which breaks ties.

use super::modes::Perturbation;
use super::random::Random;
use super::state::{Method, SolverState};
use crate::dc::basis::kkt::Status;

impl<M: Method> SolverState<'_, M> {
    /// Breaks ties between equal units: `c += xi u (|c| + 1)`, with u in [0.5, 1] from a fixed xorshift.
    pub(super) fn perturb(&mut self, xi: f64) {
        self.perturbation = Perturbation::Growing;
        let mut random = Random::default();
        for c in &mut self.c {
            *c += xi * (0.5 + 0.5 * random.unit()) * (c.abs() + 1.0);
        }
    }

    /// Perturbs the costs during a solve: only of columns at a bound, and away from a change of sign.
    pub(super) fn perturb_more(&mut self, xi: f64) {
        let mut random = Random::default();
        for j in 0..self.c.len() {
            let by = xi * (0.5 + 0.5 * random.unit()) * (self.c[j].abs() + 1.0);
            let by = match self.status[j] {
                Status::AtLower => by,
                Status::AtUpper => -by,
                Status::Free => continue,
            };
            self.c[j] += by;
            self.rc[j] += by;
        }
    }

    pub(super) fn remove_perturbation(&mut self) {
        self.perturbation = Perturbation::Fixed;
        let units = self.model.columns.iter().map(|column| column.c / self.model.cost_scale);
        let slack = |line: usize| self.model.lines[line].slack_cost() / self.model.cost_scale;
        let slacks = self.rows.slacks().map(slack);
        for (c, true_cost) in self.c.iter_mut().zip(units.chain(slacks)) {
            *c = true_cost;
        }
    }
}
