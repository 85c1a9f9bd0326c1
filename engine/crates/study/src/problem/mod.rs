//! Problems: a case in one formulation, behind its capabilities. Everything above this folder (Studies, edits, commits,
//! previews, sensitivities, saved results) is independent of the types of a formulation.

mod ac;
mod ac_network;
mod assumed;
mod cells;
mod dc;
mod options;
pub(crate) mod saved;
mod socwr;
mod solving;
mod stepping;
pub(crate) mod work;

pub(crate) use dc::convention;
pub use options::options_of;

use crate::case::Case;
use crate::contract as c;
use crate::edits::{unread_interfaces, BranchPreviews, ColumnTarget, Edits, Parts, Target};
use crate::problem::work::Work;
use crate::results::{Matrix, Preview, Results, Sensitivity};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;
use wattbook_network::message_key;
use wattbook_solve::dc::Ramp;

/// A case in one formulation, with data derived from the case alone.
pub(crate) trait Problem: Debug + Send + Sync + 'static {
    fn formulation(&self) -> c::FormulationId;

    fn case(&self) -> &Arc<Case>;

    fn options(&self) -> &c::SolveOptions;

    /// Energised elements.
    fn parts(&self) -> &dyn Parts;

    /// Checks requests for matrices of derivatives before anything is solved.
    ///
    /// Errors: `SENS.*`.
    fn check(&self, requests: &[c::SensRequest]) -> Result<()> {
        match requests {
            [] => Ok(()),
            _ => Err(self.lacks(message_key!("formulation.lacks_derivatives", formulation))),
        }
    }

    /// Checks the target of a column before anything is solved.
    ///
    /// Errors: `SENS.UNSUPPORTED`.
    fn check_target(&self, _target: ColumnTarget) -> Result<()> {
        Ok(())
    }

    /// Whether states of this problem can preview edits of generators.
    fn previews_generators(&self) -> bool {
        false
    }

    /// Which edits of branches states of this problem can preview.
    fn branch_previews(&self) -> BranchPreviews {
        BranchPreviews::None
    }

    /// Whether plans are available for states of this problem.
    ///
    /// Errors: `FORMULATION.UNAVAILABLE`.
    fn check_plan(&self) -> Result<()> {
        Err(self.lacks(message_key!("formulation.lacks_plans", formulation)))
    }

    /// Solves absolute edits from scratch; their network is that of the case.
    ///
    /// Errors: the codes of edits, `SOLVE.*`.
    fn solve(self: Arc<Self>, edits: &Edits) -> Result<Arc<dyn State>>;

    /// `solve` in steps.
    ///
    /// Errors: the codes of edits.
    fn solving(self: Arc<Self>, edits: &Edits) -> Result<Box<dyn Solving>> {
        let edits = edits.clone();
        Ok(AtOnce::boxed(move || self.solve(&edits)))
    }

    /// The search for the contradiction of absolute edits without a solution, and for the minimum relaxation.
    ///
    /// Errors: the codes of edits, `PHYSICS.UNSUPPORTED`.
    fn search(self: Arc<Self>, _edits: Edits) -> Result<Box<dyn Work>> {
        Err(self.lacks(message_key!("formulation.lacks_limits", formulation)))
    }

    /// The error for something that the formulation does not have.
    fn lacks(&self, key: &'static str) -> EngineError {
        let formulation = self.formulation().id();
        let values = vec![("formulation", formulation.into())];
        EngineError::new("FORMULATION.UNAVAILABLE", Message { key, values })
    }
}

/// A solved state of a problem: its results, and moves to other states.
pub(crate) trait State: Debug + Send + Sync + 'static {
    fn problem(&self) -> &dyn Problem;

    fn edits(&self) -> &Edits;

    fn results(&self) -> Results;

    /// The state at absolute edits of the same network. It is a function of the edits and the base state alone, so the
    /// sequence of commits does not matter.
    ///
    /// Errors: the codes of edits, `SOLVE.*`.
    fn at(self: Arc<Self>, edits: &Edits) -> Result<Arc<dyn State>>;

    /// `at` in steps.
    ///
    /// Errors: the codes of edits.
    fn moving(self: Arc<Self>, edits: &Edits) -> Result<Box<dyn Solving>> {
        let edits = edits.clone();
        Ok(AtOnce::boxed(move || self.at(&edits)))
    }

    /// The effect of absolute edits, fast enough for every frame of a drag.
    fn preview(&self, _edits: &Edits) -> Result<Preview> {
        Err(self
            .problem()
            .lacks(message_key!("formulation.lacks_previews", formulation)))
    }

    /// The column of a target, with the derivatives past both ends of its interval.
    fn sensitivity(&self, _target: ColumnTarget, _case_id: &str) -> Result<Sensitivity> {
        Err(self
            .problem()
            .lacks(message_key!("formulation.lacks_columns", formulation)))
    }

    /// Matrices of derivatives, in the order of the requests, which `Problem::check` has accepted.
    fn matrices(&self, _requests: &[c::SensRequest]) -> Result<Vec<Matrix>> {
        Err(self
            .problem()
            .lacks(message_key!("formulation.lacks_derivatives", formulation)))
    }

    /// Derivatives of `sum_b weight_b LMP_b` by targets, $/MWh per MW, from one solve of the transposed KKT system.
    /// Buses by dense row.
    fn price_gradient(&self, _weights: &[(usize, f64)], _by: &[Target]) -> Result<Vec<f64>> {
        self.problem().check_plan().map(|()| Vec::new())
    }

    /// The exact path of the optimum along the straight line to absolute edits; `None` where the formulation has no
    /// exact paths, or the path cannot be followed to its end.
    fn along(self: Arc<Self>, _edits: &Edits) -> Option<Along> {
        None
    }

    /// The LMP components of a bus: energy, and congestion by line.
    fn lmp_components(&self, _bus: usize) -> Result<c::LmpComponents> {
        Err(self
            .problem()
            .lacks(message_key!("formulation.lacks_prices", formulation)))
    }

    /// The exact path along one element: a `Track` and the path.
    ///
    /// Errors: `SOLVE.*` where it cannot begin.
    fn track(self: Arc<Self>, _asked: &Course) -> Result<Box<dyn Work>> {
        Err(self
            .problem()
            .lacks(message_key!("formulation.lacks_paths", formulation)))
    }

    /// How much a demand can grow before voltage collapse: a `Loadability`.
    fn loadability(self: Arc<Self>, _growth: Growth) -> Result<Box<dyn Work>> {
        Err(self
            .problem()
            .lacks(message_key!("formulation.lacks_loadability", formulation)))
    }

    /// The hours of a day as one program: a `DayHead`.
    ///
    /// Errors: the codes of edits.
    fn day(self: Arc<Self>, _request: DayRequest) -> Result<Box<dyn Work>> {
        Err(self
            .problem()
            .lacks(message_key!("formulation.lacks_days", formulation)))
    }

    /// N-1 screening of this state.
    ///
    /// Errors: `INPUT.REQUEST`.
    fn screening(self: Arc<Self>, _selection: Screened) -> Result<Box<dyn Work>> {
        Err(self
            .problem()
            .lacks(message_key!("formulation.lacks_screening", formulation)))
    }

    /// What changes after the outage of a branch (dense row), with dispatch and demand fixed, as columns of a result: flows and
    /// loadings, and voltages where the formulation has them. NaN where an element is not energised.
    ///
    /// Errors: `OUTAGE.ISLANDING`, `SOLVE.NOT_CONVERGED`.
    fn outage_columns(&self, _branch: usize) -> Result<Vec<c::Column>> {
        Err(self
            .problem()
            .lacks(message_key!("formulation.lacks_screening", formulation)))
    }

    /// The result as the text of a solution module; `edited` is the module of the case with the edits stored in it.
    ///
    /// Errors: `MODULE.WRITE`.
    fn saved(&self, _edited: &str, _case_id: &str) -> Result<String> {
        Err(self
            .problem()
            .lacks(message_key!("formulation.lacks_solution_modules", formulation)))
    }
}

/// The end of an exact path of edits.
#[derive(Clone, Debug)]
pub(crate) enum Along {
    /// The path was followed to its end: prices there, $/MWh by dense bus row.
    Prices(Vec<f64>),
    /// There is no solution beyond this fraction of it.
    Until(f64),
}

/// The outages of a screening.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Screened {
    /// Dense branch rows; all energised branches if absent.
    pub branches: Option<Vec<usize>>,
    /// Outages whose estimated loading is below this are not solved.
    pub least_estimate: Option<f64>,
}

/// A day with its elements by dense row.
#[derive(Debug)]
pub(crate) struct DayRequest {
    /// The edits of each step.
    pub steps: Vec<Edits>,
    /// By step, generators with the part of Pmax that they have.
    pub availability: Vec<Vec<(usize, f64)>>,
    /// Storage units with their inflow by step, MW.
    pub inflow: Vec<(usize, Vec<f64>)>,
    pub ramps: Vec<Ramp>,
    pub storages: BTreeMap<usize, c::DayStorage>,
    /// Of units without one of their own.
    pub end: Option<c::DayEnd>,
    /// Hours of a step.
    pub length: f64,
}

/// The demand that grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Growth {
    /// Dense row.
    Bus(usize),
    Area(u64),
    System,
}

/// The course of a track: one element from one edit to another, MW from the base case; for `PMin` or `PMax` of a
/// generator from one value to another, MW, and for a phase shift in degrees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    pub target: ColumnTarget,
    pub from_mw: f64,
    pub to_mw: f64,
    /// The bus of the prices; by default the target or the generator's bus, for a branch the bus whose price changes
    /// most.
    pub watch: Option<usize>,
    /// Explain a stop beyond which no solution exists.
    pub explain: bool,
}

/// A stored path.
pub(crate) trait Path: Debug + Send + Sync {
    /// Prices at a position, $/MWh by dense bus row, NaN where a bus is not energised.
    ///
    /// Errors: `TRACK.OUTSIDE`.
    fn prices(&self, mw: f64) -> Result<Vec<f64>>;

    /// The columns that a commit at a position has.
    ///
    /// Errors: `TRACK.OUTSIDE`.
    fn columns(&self, mw: f64) -> Result<Vec<c::Column>>;

    /// Errors: `TRACK.OUTSIDE`.
    fn state(&self, mw: f64) -> Result<c::TrackState>;
}

/// Reads the options of a formulation and derives from the case everything that does not depend on edits.
///
/// Errors: `INPUT.REQUEST`, `FORMULATION.UNAVAILABLE`, `PHYSICS.UNSUPPORTED`.
pub(crate) fn open(
    case: &Arc<Case>,
    formulation: c::FormulationId,
    options: &c::SolveOptions,
) -> Result<Arc<dyn Problem>> {
    options::check(formulation, options)?;
    let mut case = assumed::case_of(case, options);
    if !case.interfaces.is_empty() && !reads_interfaces(formulation) {
        case = case.varied(Arc::clone(&case.network), Some(unread_interfaces(&case.interfaces)));
    }
    let case = &case;
    let opened = match formulation {
        c::FormulationId::Acpf => ac::open(case, options),
        c::FormulationId::Socwr => socwr::open(case, options),
        _ => dc::open(case, formulation, options),
    };
    opened.map_err(|error| assumed::refused(&case.network, error))
}

fn reads_interfaces(formulation: c::FormulationId) -> bool {
    options_of(formulation).any(|option| option == "limits")
}

/// The edits of a problem without edits of its own.
///
/// Errors: as [`Edits::resolve`], `INTERFACE.UNKNOWN`.
pub(crate) fn resolve(problem: &dyn Problem, wanted: &c::Edits) -> Result<Edits> {
    let edits = Edits::resolve(problem.case(), problem.parts(), wanted)?;
    let limited = problem.parts().interfaces();
    let is_unknown = |name: &&String| limited.iter().all(|limit| limit.name != **name);
    match edits.network.interfaces.keys().find(is_unknown) {
        Some(name) if reads_interfaces(problem.formulation()) => {
            let message = message!("request.unknown_interface", name = name);
            Err(EngineError::new("INTERFACE.UNKNOWN", message))
        }
        _ => Ok(edits),
    }
}

/// The same formulation for the case with the network of edits; checks that the other edits fit it.
///
/// Errors: as [`open`], `DELTA.ISOLATED_BUS`, `RATE.OUT_OF_SERVICE`.
pub(crate) fn with_network(problem: &dyn Problem, edits: &Edits) -> Result<Arc<dyn Problem>> {
    let case = problem.case().with_network(&edits.network);
    let opened = open(&case, problem.formulation(), problem.options())?;
    edits.check_parts(&case, opened.parts())?;
    Ok(opened)
}

pub(crate) use ac_network::saved::read as read_ac_solution;
pub(crate) use dc::saved::read as read_dc_solution;
pub(crate) use solving::{AtOnce, Solving};
