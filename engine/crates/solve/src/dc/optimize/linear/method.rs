//! What the method of linear costs keeps beside the active set, and the work that it may do.

use crate::dc::basis::inverse::Basis;
use crate::dc::basis::kkt::Status;
use crate::dc::basis::system::Core;
use crate::dc::optimize::state::{Constraint, Entering, Failure, Method, SolverState, Step};
use wattbook_network::message_key;

/// What an allowance counts: a pivot for each entry of the inverse, and a look or a pivot for each line.
const OF_ENTRY: usize = 4;
const OF_LINE: usize = 30;

/// Linear costs: the dual simplex on an inverse.
#[derive(Clone, Debug, Default)]
pub(in crate::dc::optimize) struct Linear {
    pub basis: Basis,
    /// Where dual and primal steps stand that ran out of their allowance.
    pub dual: Option<DualRun>,
    pub primal: Option<PrimalRun>,
}

/// What dual steps carry from look to look.
#[derive(Clone, Debug)]
pub(in crate::dc::optimize) struct DualRun {
    pub repairs: usize,
    /// Pivots after which ties are broken more strongly, and how strongly.
    pub budget: usize,
    pub strength: f64,
    /// Squared norms of the rows of the inverse that belong to lazy rows, as last known.
    pub weights: Vec<f64>,
    /// Looks since powers and multipliers were corrected.
    pub uncorrected: usize,
}

/// What primal steps carry from step to step.
#[derive(Clone, Debug)]
pub(in crate::dc::optimize) struct PrimalRun {
    pub steps: usize,
    /// Values of lines follow the steps, and are formed anew every so often.
    pub values: Vec<f64>,
    pub followed: usize,
}

impl Method for Linear {
    fn new(_rows: usize) -> Self {
        Self::default()
    }

    fn optimise(state: &mut SolverState<'_, Self>) -> Step<()> {
        state.optimise_linear()
    }

    fn refresh(state: &mut SolverState<'_, Self>) -> Step<()> {
        state.refresh_linear()
    }

    fn refactor(state: &mut SolverState<'_, Self>) -> Step<()> {
        let free = (0..state.p.len())
            .filter(|&j| state.status[j] == Status::Free)
            .collect();
        let factored = Basis::factor(&state.rows, state.active.clone(), free);
        state.method.basis = factored.ok_or(Failure::Stalled(message_key!("stall.singular")))?;
        Ok(())
    }

    fn enter(state: &mut SolverState<'_, Self>, entering: Entering) -> Step<()> {
        state.pivot(entering)
    }

    /// Prices do not move between pivots: nothing leaves by itself.
    fn leave(_state: &mut SolverState<'_, Self>, _leaving: Constraint) -> Step<()> {
        Err(Failure::Stalled(message_key!("stall.no_change")))
    }

    fn rows_added(&mut self, _rows: usize) {}

    fn updates(&self) -> usize {
        self.basis.updates
    }

    fn take_core(&mut self) -> Core {
        Core::Linear(std::mem::take(&mut self.basis))
    }

    fn set_core(&mut self, core: Core) -> bool {
        match core {
            Core::Linear(basis) => {
                self.basis = basis;
                true
            }
            Core::Quadratic(_) => false,
        }
    }
}

impl SolverState<'_, Linear> {
    /// Takes what `pivots` and a look at all lines have cost off the allowance: some nanoseconds each. Called after them, so that
    /// every allowance, however small, is progress.
    pub(in crate::dc::optimize) fn spend(&mut self, pivots: usize) -> Step<()> {
        let Some(left) = self.allowance else { return Ok(()) };
        let of_lines = OF_LINE * self.model.lines.len();
        let of_pivots = pivots * (OF_ENTRY * self.method.basis.len() * self.method.basis.len() + of_lines);
        let left = left.saturating_sub(of_pivots + of_lines);
        self.allowance = Some(left);
        if left == 0 {
            return Err(Failure::Exhausted);
        }
        Ok(())
    }
}
