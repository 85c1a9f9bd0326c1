//! Long work as jobs, which run in steps with progress and can be ended early. Callers regain control between steps and
//! cancel a job by dropping it.

use crate::calls::layout::Layout;
use crate::calls::stateless;
use crate::contract as c;
use crate::edits::EditsJson;
use crate::plan::{Planner, Spec};
use crate::problem::work::{Adopted, Product, Work};
use crate::results::Reply;
use crate::study::Study;
use std::fmt::Debug;
use std::sync::Arc;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// Step budget for work that is not interrupted.
const AT_ONCE: u32 = 1000;

/// Long work in steps. A job works on the data that it was created with; later commits of the Study do not affect it.
#[derive(Debug)]
pub struct Job {
    work: Box<dyn Work>,
    /// A step was interrupted midway.
    is_torn: bool,
}

/// The product of a job: its answer, and what a Study can adopt from it.
pub struct Finished {
    pub reply: Reply,
    pub(crate) adopted: Adopted,
}

impl Job {
    pub(crate) fn of(work: Box<dyn Work>) -> Self {
        Self { work, is_torn: false }
    }

    /// The layout of a module of either model: a `LayoutHead` and columns of positions by bus row of the module. If
    /// ended early, it completes the remaining work.
    ///
    /// Errors: `MODULE.INVALID`, `MODULE.KIND`.
    pub fn layout(module_json: &str) -> Result<Self> {
        Ok(Self::of(Box::new(Layout::start(module_json)?)))
    }

    /// N-1 screening of a Study's committed state, with `ScreeningOptions`. Its steps report the outage of every chosen
    /// branch; the final answer is empty.
    ///
    /// Errors: `FORMULATION.UNAVAILABLE`, `INPUT.REQUEST`, `BRANCH.UNKNOWN`, `SOLVE.NOT_CONVERGED` where the Jacobian is
    /// singular.
    pub fn screening(study: &Study, options_json: &str) -> Result<Self> {
        let selection = study.screened(options_json)?;
        Arc::clone(&study.current).screening(selection).map(Self::of)
    }

    /// Why absolute edits of a Study (MW from the base case by id or uid) have no solution, and the minimum relaxation
    /// that gives them one: an `Explanation`, or `null` where they have a solution. If ended early, it is the best
    /// relaxation so far, checked like any other, with `is_least` false and its gap to the proven bound
    /// (`verified.gap_mw`).
    ///
    /// Errors: the codes of edits, `PHYSICS.UNSUPPORTED`.
    pub fn explanation<'a>(study: &Study, edits: impl Into<EditsJson<'a>>) -> Result<Self> {
        study.search(edits.into()).map(Self::of)
    }

    /// The explanation of a `SolveRequest` on a module, for cases where no Study can be created because even the
    /// unedited case has no solution. Sensitivities in the request are ignored.
    ///
    /// Errors: as for [`Job::explanation`], and `INPUT.REQUEST`, `FORMULATION.UNAVAILABLE`, the codes of the module.
    pub fn explanation_of_module(module_json: &str, request_json: &str) -> Result<Self> {
        let request: c::SolveRequest = crate::json::solve_request(request_json)?;
        if request.formulation == Some(c::FormulationId::Dcpf) {
            let message = message!("formulation.power_flow_limits");
            return Err(EngineError::new("FORMULATION.UNAVAILABLE", message));
        }
        let (problem, edits) = stateless::requested(module_json, &request)?;
        problem.search(edits).map(Self::of)
    }

    /// The exact path of one demand or rating from `from_mw` to `to_mw` (absolute edit of that element in MW from the
    /// base case), or of `p_min` or `p_max` of a generator from one value to another (MW), with the other committed
    /// edits unchanged: a `Track`. Prices are those of the bus `watch`; by default of the target or the generator's
    /// bus, for a rating of the bus whose price changes most. With `explain`, a stop beyond which no solution exists
    /// has the minimum relaxation that would reach the requested end. If ended early, the track is the part so far.
    ///
    /// Errors: `INPUT.REQUEST`, the codes of targets and edits, `SOLVE.*` where both ends lie on one side of the
    /// committed state and the nearer one has no optimum. A path that stops before its end is not an error.
    pub fn track(
        study: &Study,
        target_json: &str,
        from_mw: f64,
        to_mw: f64,
        watch_json: &str,
        explain: bool,
    ) -> Result<Self> {
        let course = study.course(target_json, (from_mw, to_mw), watch_json, explain)?;
        Arc::clone(&study.current).track(&course).map(Self::of)
    }

    /// The growth of a demand (`LoadabilityTarget`) until voltage collapse, from the committed state of an AC power
    /// flow: a `Loadability`. If ended early, it is the curve so far.
    ///
    /// Errors: `INPUT.REQUEST`, the codes of targets, `FORMULATION.UNAVAILABLE`.
    pub fn loadability(study: &Study, target_json: &str) -> Result<Self> {
        let growth = study.growth(target_json)?;
        Arc::clone(&study.current).loadability(growth).map(Self::of)
    }

    /// A plan on a Study's committed state (`PlanSpecJson`): a `PlanOutcomeJson`. Its steps report the trials. If ended
    /// early, it has the trials so far and the best of them; the running solve is completed first.
    ///
    /// Errors: `INPUT.REQUEST`, `PLAN.SPEC`, `FORMULATION.UNAVAILABLE`, the codes of targets and of derivatives.
    pub fn plan(study: &Study, spec_json: &str) -> Result<Self> {
        let request: Option<c::PlanSpecJson> = crate::json::from_json("plan", spec_json)?;
        let request = request.ok_or_else(|| EngineError::new("PLAN.SPEC", message!("plan.none")))?;
        let spec = Spec::new(study.current.problem(), &request)?;
        Ok(Self::of(Box::new(Planner::new(&study.current, spec)?)))
    }

    /// Works for a budget, in units of about a millisecond or less; budgets do not change the result.
    ///
    /// An interrupted step (`wattbook_interrupt`) ends the job. Plans are the exception: the trials before it remain.
    ///
    /// Errors: those of the work, which is over then.
    pub fn step(&mut self, budget: u32) -> Result<c::JobStep> {
        self.whole()?;
        self.is_torn = !self.work.outlives_interrupts();
        let step = self.work.step(budget.max(1));
        self.is_torn = false;
        step
    }

    fn whole(&self) -> Result<()> {
        match self.is_torn {
            true => Err(EngineError::new("JOB.INTERRUPTED", message!("client.job_interrupted"))),
            false => Ok(()),
        }
    }

    /// [`Job::step`] with a `JobStep` as JSON.
    pub fn step_json(&mut self, budget: u32) -> Result<String> {
        Ok(crate::json::to_json(&self.step(budget)?))
    }

    /// The result; for an unfinished job the partial result that its constructor describes.
    ///
    /// Errors: `SOLVE.NOT_CONVERGED` where a check fails, `JOB.INTERRUPTED`.
    pub fn finish(self) -> Result<Finished> {
        self.whole()?;
        let Product { reply, adopted } = self.work.finish()?;
        Ok(Finished { reply, adopted })
    }

    /// Runs all steps and returns the result.
    ///
    /// Errors: as `step` and `finish`.
    pub fn run(mut self) -> Result<Finished> {
        while !self.step(AT_ONCE)?.done {}
        self.finish()
    }
}

impl Study {
    /// Adopts the path of a track for `track_prices` and `track_state`, until the next track or commit, or the state of
    /// a commit. A path from a state that a commit has since replaced is ignored.
    pub fn keep(&mut self, finished: &Finished) {
        match &finished.adopted {
            Adopted::Path(state, path) => {
                let is_current = std::ptr::addr_eq(Arc::as_ptr(state), Arc::as_ptr(&self.current));
                self.path = is_current.then(|| Arc::clone(path));
            }
            Adopted::State(state, case_id) => {
                self.current = Arc::clone(state);
                self.path = None;
                self.case_id.clone_from(case_id);
            }
            Adopted::Nothing | Adopted::Day(_) | Adopted::Opened(..) => {}
        }
    }
}
