//! State of the method for linear costs beyond the active set, and its work allowance.

use crate::dc::basis::inverse::Basis;
use crate::dc::basis::kkt::Status;
use crate::dc::basis::system::Core;
use crate::dc::optimize::state::{Constraint, Entering, Failure, Method, SolverState, Step};
use wattbook_network::message_key;

/// Units of work: a pivot per entry of the inverse, and a check or pivot per line.
const OF_ENTRY: usize = 4;
const OF_LINE: usize = 30;

/// Linear costs: the dual simplex with an explicit inverse.
#[derive(Clone, Debug, Default)]
pub(in crate::dc::optimize) struct Linear {
    pub basis: Basis,
    /// The state of dual and primal steps that exhausted their allowance.
    pub dual: Option<DualRun>,
    pub primal: Option<PrimalRun>,
    /// Work done under an allowance, which its last part may exceed.
    pub spent: usize,
}

/// State of the dual steps between checks of all lines.
#[derive(Clone, Debug)]
pub(in crate::dc::optimize) struct DualRun {
    pub repairs: usize,
    /// Pivots after which ties are broken more strongly, and the strength.
    pub budget: usize,
    pub strength: f64,
    /// Last known squared norms of the rows of the inverse that belong to lazy rows.
    pub weights: Vec<f64>,
    /// Checks since powers and multipliers were corrected.
    pub uncorrected: usize,
}

/// State between primal steps.
#[derive(Clone, Debug)]
pub(in crate::dc::optimize) struct PrimalRun {
    pub steps: usize,
    /// Values of lines, which the steps update and which are recomputed regularly.
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

    /// Prices do not move between pivots, so no constraint leaves by itself.
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
    /// Charges `pivots` and a check of all lines to the allowance, in units of some nanoseconds. It is called
    /// afterwards, so that every allowance, however small, makes progress.
    pub(in crate::dc::optimize) fn spend(&mut self, pivots: usize) -> Step<()> {
        let Some(left) = self.allowance else { return Ok(()) };
        let of_lines = OF_LINE * self.model.lines.len();
        let of_pivots = pivots * (OF_ENTRY * self.method.basis.len() * self.method.basis.len() + of_lines);
        self.method.spent += of_pivots + of_lines;
        let left = left.saturating_sub(of_pivots + of_lines);
        self.allowance = Some(left);
        if left == 0 {
            return Err(Failure::Exhausted);
        }
        Ok(())
    }
}
