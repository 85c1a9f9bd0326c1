//! State of the method for quadratic costs beyond the active set.

use crate::dc::basis::kkt::{Kkt, Status};
use crate::dc::basis::system::Core;
use crate::dc::optimize::state::{Constraint, Entering, Failure, Method, SolverState, Step};
use wattbook_network::message_key;

/// Reduced costs of free linear columns stay at zero, so their rates are rounding; other rates up to this many times the
/// largest of them count as rounding too.
const ROUNDING: f64 = 10.0;

/// Whether a mixed problem is known to be feasible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dc::optimize) enum Feasibility {
    Unknown,
    Known,
}

/// Quadratic and mixed costs: residual steps with a factored KKT system.
#[derive(Clone)]
pub(in crate::dc::optimize) struct Quadratic {
    pub kkt: Kkt,
    /// By row: residual of each active row, updated with every change of the powers.
    pub missed: Vec<f64>,
    pub feasibility: Feasibility,
}

impl Method for Quadratic {
    fn new(rows: usize) -> Self {
        Self {
            kkt: Kkt::default(),
            missed: vec![0.0; rows],
            feasibility: Feasibility::Unknown,
        }
    }

    fn optimise(state: &mut SolverState<'_, Self>) -> Step<()> {
        state.optimise_quadratic()
    }

    fn refresh(state: &mut SolverState<'_, Self>) -> Step<()> {
        state.refresh_quadratic()
    }

    fn refactor(state: &mut SolverState<'_, Self>) -> Step<()> {
        let factor = if state.precision.is_refined() {
            Kkt::factor_whole
        } else {
            Kkt::factor
        };
        let factored = factor(&state.rows, &state.active, &state.status, &state.q);
        state.method.kkt = factored.ok_or(Failure::Stalled(message_key!("stall.singular")))?;
        Ok(())
    }

    fn enter(state: &mut SolverState<'_, Self>, entering: Entering) -> Step<()> {
        state.enter(entering)
    }

    fn leave(state: &mut SolverState<'_, Self>, leaving: Constraint) -> Step<()> {
        state.leave(leaving)
    }

    fn rounding(state: &SolverState<'_, Self>, rates: &[f64]) -> f64 {
        let columns = state.status.iter().zip(&state.q).zip(rates);
        let free = columns.filter(|((status, q), _)| **status == Status::Free && **q == 0.0);
        free.fold(0.0f64, |most, (_, rate)| most.max(ROUNDING * rate.abs()))
    }

    fn rows_added(&mut self, rows: usize) {
        self.missed.resize(rows, 0.0);
    }

    fn updates(&self) -> usize {
        self.kkt.updates()
    }

    fn take_core(&mut self) -> Core {
        Core::Quadratic(std::mem::take(&mut self.kkt))
    }

    fn set_core(&mut self, core: Core) -> bool {
        match core {
            Core::Quadratic(kkt) => {
                self.kkt = kkt;
                true
            }
            Core::Linear(_) => false,
        }
    }
}
