//! A Study: a case, a formulation, and the state of the committed edits.

use crate::amounts::{fit, Unfit};
use crate::case::Case;
use crate::contract as c;
use crate::edits::EditsJson;
use crate::edits::{self, ColumnTarget, Edits, Target};
use crate::formulation_request::FormulationRequest;
use crate::problem::work::Work;
use crate::problem::{self, Course, Growth, Path, Problem, Solving, State};
use crate::results::{find, naming, Preview, Reply, Sensitivity};
use std::sync::Arc;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// A case with its base state and the state of the committed edits.
///
/// A commit is a pure function of the absolute edits: it starts from the base state, so earlier commits never matter.
/// A failed call changes nothing.
#[derive(Clone, Debug)]
pub struct Study {
    problem: Arc<dyn Problem>,
    base: Arc<dyn State>,
    pub(crate) current: Arc<dyn State>,
    pub(crate) case_id: String,
    /// The path of the last track, dropped by a commit.
    pub(crate) path: Option<Arc<dyn Path>>,
}

impl Study {
    /// Reads the module and solves the base case.
    ///
    /// Errors: `INPUT.REQUEST`, `FORMULATION.UNAVAILABLE`, the codes of the module and of the solve.
    pub fn create(module_json: &str, formulation: &str, options_json: &str) -> Result<Self> {
        let request = FormulationRequest::read(formulation, options_json)?;
        Self::solved(&Case::read(module_json)?, &request)
    }

    /// Solves the base case of a case that is open.
    ///
    /// Errors: `INPUT.REQUEST`, `FORMULATION.UNAVAILABLE`, the codes of the solve.
    pub fn of_case(case: &Arc<Case>, formulation: &str, options_json: &str) -> Result<Self> {
        Self::solved(case, &FormulationRequest::read(formulation, options_json)?)
    }

    fn solved(case: &Arc<Case>, request: &FormulationRequest) -> Result<Self> {
        let problem = problem::open(case, request.formulation, &request.options)?;
        let base = Arc::clone(&problem).solve(&Edits::default())?;
        Ok(Self::of_state(problem, base))
    }

    /// A Study of a problem whose base case is solved.
    pub(crate) fn of_state(problem: Arc<dyn Problem>, current: Arc<dyn State>) -> Self {
        Self {
            case_id: problem.case().network.name.clone(),
            base: Arc::clone(&current),
            current,
            problem,
            path: None,
        }
    }

    pub(crate) fn case(&self) -> &Arc<Case> {
        self.problem.case()
    }

    /// The case with the committed elements and values.
    pub(crate) fn current_case(&self) -> &Arc<Case> {
        self.current.problem().case()
    }

    /// The committed state: a `SolutionHead` and its columns.
    pub fn current_solution(&self) -> Result<Reply> {
        let results = self.current.results();
        Ok(Reply::new(&results.head(&self.case_id), results.columns))
    }

    fn resolve(&self, edits: EditsJson) -> Result<Edits> {
        problem::resolve(&*self.problem, &edits.read()?)
    }

    /// Where absolute edits are solved from. Another network is another problem of the same case.
    ///
    /// Errors: the codes of edits, `PHYSICS.UNSUPPORTED`.
    fn start(&self, edits: &Edits) -> Result<Start> {
        let known = [&self.current, &self.base];
        match known.into_iter().find(|state| state.edits().network == edits.network) {
            Some(state) => {
                edits.check_parts(state.problem().case(), state.problem().parts())?;
                Ok(Start::State(Arc::clone(state)))
            }
            None => Ok(Start::Problem(problem::with_network(&*self.problem, edits)?)),
        }
    }

    fn target(&self, target_json: &str) -> Result<Option<ColumnTarget>> {
        let target: Option<c::SensTarget> = crate::json::from_json("target", target_json)?;
        target
            .map(|t| edits::column_target(self.current_case(), self.current.problem().parts(), &t))
            .transpose()
    }

    fn required_target(&self, what: &str, target_json: &str) -> Result<Target> {
        match self.target(target_json)? {
            Some(ColumnTarget::Edit(target)) => Ok(target),
            _ => Err(needs_target(what)),
        }
    }

    /// Solves absolute edits exactly and makes the result the committed state; with a target also its column there. A
    /// `CommitHead` and the columns of both.
    ///
    /// Errors: the codes of edits, `BUS.UNKNOWN`, `BRANCH.UNKNOWN`, `SOLVE.*`; the state stays as it was.
    pub fn commit<'a>(&mut self, case_id: &str, edits: impl Into<EditsJson<'a>>, target_json: &str) -> Result<Reply> {
        let sensitivity = self.committed(case_id, edits.into(), target_json)?;
        let results = self.current.results();
        Ok(results.commit(case_id, sensitivity))
    }

    /// As `commit`, with an empty result hash, so that the columns can be shown before it is computed
    /// ([`Study::result_sha256`]).
    pub fn unhashed_commit<'a>(
        &mut self,
        case_id: &str,
        edits: impl Into<EditsJson<'a>>,
        target_json: &str,
    ) -> Result<Reply> {
        let sensitivity = self.committed(case_id, edits.into(), target_json)?;
        Ok(self.current.results().unhashed_commit(case_id, sensitivity))
    }

    /// Hash of the committed result.
    pub fn result_sha256(&self) -> String {
        self.current.results().sha256()
    }

    /// The solve of absolute edits, and the target of a column there, which may be an element that they add.
    ///
    /// Errors: the codes of both, `PHYSICS.UNSUPPORTED`.
    pub(crate) fn requested(
        &self,
        edits: EditsJson,
        target_json: &str,
    ) -> Result<(Box<dyn Solving>, Option<ColumnTarget>)> {
        let edits = self.resolve(edits)?;
        let start = self.start(&edits)?;
        let problem = start.problem();
        let target: Option<c::SensTarget> = crate::json::from_json("target", target_json)?;
        let target = target
            .map(|target| edits::column_target(problem.case(), problem.parts(), &target))
            .transpose()?;
        target.map(|target| problem.check_target(target)).transpose()?;
        Ok((start.solving(&edits)?, target))
    }

    fn committed(&mut self, case_id: &str, edits: EditsJson, target_json: &str) -> Result<Option<Sensitivity>> {
        let (solving, target) = self.requested(edits, target_json)?;
        let state = solving.finish()?;
        let sensitivity = target.map(|t| column(&*state, t, case_id)).transpose()?;
        self.current = state;
        self.path = None;
        self.case_id = case_id.to_string();
        Ok(sensitivity)
    }

    /// Back to the base case; as `commit`.
    pub fn reset(&mut self, case_id: &str) -> Result<Reply> {
        self.commit(case_id, ("", ""), "")
    }

    /// The effect of absolute edits, as changes from the committed state: a `PreviewHead` and its columns. Prices
    /// change to first order, without a solve; the objective follows them, so it is second order and exact wherever
    /// `exact` is true. Of a power flow the voltages and flows that chord steps from the base case find.
    ///
    /// Errors: the codes of edits, `BRANCH.NO_PREVIEW`, `LINK.NO_PREVIEW`, `INTERFACE.NO_PREVIEW`, `GENERATOR.NO_PREVIEW` for changes of generators that have no derivative, `SENS.OVERFLOW`.
    pub fn preview<'a>(&self, edits: impl Into<EditsJson<'a>>) -> Result<Reply> {
        let edits = self.resolve(edits.into())?;
        let previews = self.problem.branch_previews();
        edits.check_network_preview(self.current_case(), self.current.edits(), previews)?;
        let current = &self.current.edits().network.generators;
        let changed = |row: &&usize| edits.network.generators.get(row) != current.get(row);
        let other = edits.network.generators.keys().chain(current.keys()).find(changed);
        if let Some(&row) = other.filter(|_| !self.problem.previews_generators()) {
            let element = ElementRef::from(&self.current_case().network.generators[row]);
            let message = message!("edit.generator_preview", generator = &element);
            return Err(EngineError::new("GENERATOR.NO_PREVIEW", message).at(element));
        }
        edits.check_parts(self.current_case(), self.current.problem().parts())?;
        let Preview { head, columns } = self.current.preview(&edits)?.within_range(self.current_case())?;
        Ok(Reply::new(&head, columns))
    }

    /// The column of a target at the given absolute edits: a `SensitivityHead` and its columns. The Study stays as it is.
    pub fn sensitivity<'a>(&self, case_id: &str, edits: impl Into<EditsJson<'a>>, target_json: &str) -> Result<Reply> {
        let (solving, target) = self.requested(edits.into(), target_json)?;
        let target = target.ok_or_else(|| needs_target("sensitivity"))?;
        let state = solving.finish()?;
        let Sensitivity { head, columns } = column(&*state, target, case_id)?;
        Ok(Reply::new(&head, columns))
    }

    /// The search for why absolute edits have no solution.
    pub(crate) fn search(&self, edits: EditsJson) -> Result<Box<dyn Work>> {
        let edits = self.resolve(edits)?;
        let problem = match edits.network.is_empty() {
            true => Arc::clone(&self.problem),
            false => problem::with_network(&*self.problem, &edits)?,
        };
        problem.search(edits)
    }

    /// The price of a bus (`{"bus": key}`) at the committed state as energy and congestion by line (`LmpComponents`), without a
    /// solve of the problem.
    ///
    /// Errors: `INPUT.REQUEST`, `BUS.UNKNOWN`, `DELTA.ISOLATED_BUS`.
    pub fn lmp_components_json(&self, target_json: &str) -> Result<String> {
        let Target::Demand(row) = self.required_target("price", target_json)? else {
            let message = message!("request.price_target", target = "{\"bus\": id}");
            return Err(EngineError::new("INPUT.REQUEST", message));
        };
        Ok(crate::json::to_json(&self.current.lmp_components(row)?))
    }

    /// Flow of every branch after the outage of one at the committed state, MW by dense branch row, with dispatch and demand fixed;
    /// NaN where a branch takes no part.
    ///
    /// Errors: `INPUT.REQUEST`, `BRANCH.UNKNOWN`, `OUTAGE.ISLANDING`; `SOLVE.NOT_CONVERGED` where no power flow was found.
    pub fn outage_flows(&self, target_json: &str) -> Result<Vec<f64>> {
        let columns = self.current.outage_columns(self.outage(target_json)?)?;
        Ok(find(&columns, c::ColumnName::FlowMw).unwrap_or_default().to_vec())
    }

    /// What changes after the outage of a branch at the committed state, as columns of a result: flows and loadings, and in an AC
    /// power flow voltages.
    ///
    /// Errors: as [`Study::outage_flows`].
    pub fn outage_columns(&self, target_json: &str) -> Result<Reply> {
        let row = self.outage(target_json)?;
        Ok(Reply::new(&(), self.current.outage_columns(row)?))
    }

    fn outage(&self, target_json: &str) -> Result<usize> {
        match self.required_target("outage", target_json)? {
            Target::Rating(row) => Ok(row),
            _ => {
                let message = message!("request.outage_target", target = "{\"branch\": id}");
                Err(EngineError::new("INPUT.REQUEST", message))
            }
        }
    }

    /// The outages of a screening.
    ///
    /// Errors: `INPUT.REQUEST`, `BRANCH.UNKNOWN`.
    pub(crate) fn screened(&self, options_json: &str) -> Result<problem::Screened> {
        let options: c::ScreeningOptions = crate::json::from_json("options", options_json)?;
        let (case, problem) = (self.current_case(), self.current.problem());
        let row = |key: &c::ElementKey| {
            let row = edits::branch_row(case, key)?;
            if problem.parts().branch_takes_part(row) {
                return Ok(row);
            }
            let branch = ElementRef::from(&case.network.branches[row]);
            let message = message!("request.no_outage", branch = &branch);
            Err(EngineError::new("INPUT.REQUEST", message).at(branch))
        };
        if let Some(least) = options
            .min_estimated_loading
            .filter(|least| !(least.is_finite() && *least >= 0.0))
        {
            let message = message!("request.estimated_loading", value = least.to_string());
            return Err(EngineError::new("INPUT.REQUEST", message));
        }
        Ok(problem::Screened {
            branches: options
                .branches
                .map(|keys| keys.iter().map(row).collect())
                .transpose()?,
            least_estimate: options.min_estimated_loading,
        })
    }

    /// The course of a track.
    ///
    /// Errors: `INPUT.REQUEST`, the codes of targets and edits.
    pub(crate) fn course(
        &self,
        target_json: &str,
        (from_mw, to_mw): (f64, f64),
        watch_json: &str,
        explain: bool,
    ) -> Result<Course> {
        let target = self.target(target_json)?.ok_or_else(|| needs_target("track"))?;
        match target {
            ColumnTarget::Edit(target) => edits::check_editable(self.current_case(), target)?,
            ColumnTarget::Generator(row, c::GeneratorValue::Cost) => {
                let element = ElementRef::from(&self.current_case().network.generators[row]);
                let message = message!("request.track_cost", generator = &element);
                return Err(EngineError::new("INPUT.REQUEST", message).at(element));
            }
            ColumnTarget::Link(row, c::GeneratorValue::Cost) => {
                let element = ElementRef::from(&self.current_case().network.links[row]);
                let message = message!("request.track_link_cost", link = &element);
                return Err(EngineError::new("INPUT.REQUEST", message).at(element));
            }
            ColumnTarget::Generator(..)
            | ColumnTarget::Link(..)
            | ColumnTarget::Shift(_)
            | ColumnTarget::Interface(..) => {
                let problem = self.current.problem();
                edits::check_column(problem.case(), problem.parts(), target)?;
            }
        }
        for mw in [from_mw, to_mw] {
            self.check_end(target, mw)?;
        }
        let watch: Option<c::ElementKey> = crate::json::from_json("watched bus", watch_json)?;
        let watch = watch.map(|bus| {
            edits::target(
                self.current_case(),
                self.current.problem().parts(),
                &c::SensTarget::Bus { bus },
            )
        });
        let watch = match watch.transpose()? {
            Some(Target::Demand(bus)) => Some(bus),
            _ => None,
        };
        Ok(Course {
            target,
            from_mw,
            to_mw,
            watch,
            explain,
        })
    }

    fn check_end(&self, target: ColumnTarget, mw: f64) -> Result<()> {
        fit(mw, "MW").map_err(|unfit| {
            let element = target.element(self.current_case(), self.current.problem().parts());
            let message = match unfit {
                Unfit::NotFinite => message!("request.track_range"),
                Unfit::TooLarge(amount, most) => {
                    message!("request.track_end", element = &element, amount = amount, most = most)
                }
            };
            EngineError::new("INPUT.REQUEST", message).at(element)
        })
    }

    /// The demand that grows.
    ///
    /// Errors: `INPUT.REQUEST`, the codes of targets.
    pub(crate) fn growth(&self, target_json: &str) -> Result<Growth> {
        let target: Option<c::LoadabilityTarget> = crate::json::from_json("target", target_json)?;
        match target {
            Some(c::LoadabilityTarget::Bus { bus }) => {
                match edits::target(
                    self.current_case(),
                    self.current.problem().parts(),
                    &c::SensTarget::Bus { bus },
                )? {
                    Target::Demand(row) => Ok(Growth::Bus(row)),
                    Target::Rating(_) => Err(EngineError::new(
                        "INPUT.REQUEST",
                        message!("request.loadability_target"),
                    )),
                }
            }
            Some(c::LoadabilityTarget::Area { area }) => Ok(Growth::Area(area)),
            Some(c::LoadabilityTarget::System { system: true }) => Ok(Growth::System),
            _ => Err(EngineError::new(
                "INPUT.REQUEST",
                message!("request.loadability_target"),
            )),
        }
    }

    /// Prices at a position of the stored track, $/MWh by dense bus row, NaN where a bus takes no part.
    ///
    /// Errors: `TRACK.NONE`, `TRACK.OUTSIDE`.
    pub fn track_prices(&self, mw: f64) -> Result<Vec<f64>> {
        self.path()?.prices(mw)
    }

    /// Cost, segment and binding branches at a position of the stored track (`TrackState`), with the columns that a
    /// commit there has: prices, angles, flows, loading and dispatch among them.
    ///
    /// Errors: `TRACK.NONE`, `TRACK.OUTSIDE`.
    pub fn track_state(&self, mw: f64) -> Result<Reply> {
        let path = self.path()?;
        Ok(Reply::new(&path.state(mw)?, path.columns(mw)?))
    }

    fn path(&self) -> Result<&dyn Path> {
        let none = || EngineError::new("TRACK.NONE", message!("track.none"));
        self.path.as_deref().ok_or_else(none)
    }

    /// [`Case::synthetic_demand`] of its case with the committed elements.
    ///
    /// Errors: as there.
    pub fn synthetic_demand(&self, start_s: f64, hours: u32, seed: u32) -> Result<Reply> {
        self.current_case().synthetic_demand(start_s, hours, seed)
    }

    /// [`Case::read_profile`] of its case with the committed elements.
    ///
    /// Errors: as there.
    pub fn read_profile(&self, bytes: &[u8]) -> Result<Reply> {
        self.current_case().read_profile(bytes)
    }

    /// Describes the case with further elements (`AddedElements` as JSON), whose ids follow those of the case: see [`Case::described`].
    ///
    /// Errors: those of [`Case::extended`].
    pub fn network_with(&self, added_json: &str) -> Result<Reply> {
        Ok(self.case().extended(added_json)?.described())
    }

    /// Identification of the rows of the committed state: a `RowsHead` and columns of ids.
    pub fn rows(&self) -> Reply {
        let (head, columns) = naming(self.current_case());
        Reply::new(&head, columns)
    }
}

/// Where a solve starts: a state with the same network, or a problem of another network.
enum Start {
    State(Arc<dyn State>),
    Problem(Arc<dyn Problem>),
}

impl Start {
    fn problem(&self) -> &dyn Problem {
        match self {
            Self::State(state) => state.problem(),
            Self::Problem(problem) => &**problem,
        }
    }

    fn solving(self, edits: &Edits) -> Result<Box<dyn Solving>> {
        match self {
            Self::State(state) => state.moving(edits),
            Self::Problem(problem) => problem.solving(edits),
        }
    }
}

/// The column of a target that takes part in a state.
///
/// Errors: `DELTA.ISOLATED_BUS`, `RATE.OUT_OF_SERVICE`, `GENERATOR.OUT_OF_SERVICE`, `SENS.OVERFLOW`, those of the formulation.
pub(crate) fn column(state: &dyn State, target: ColumnTarget, case_id: &str) -> Result<Sensitivity> {
    let problem = state.problem();
    edits::check_column(problem.case(), problem.parts(), target)?;
    state.sensitivity(target, case_id)?.within_range(problem.case())
}

fn needs_target(what: &str) -> EngineError {
    let (bus, branch) = ("{\"bus\": id}", "{\"branch\": id}");
    let message = message!("request.needs_target", what = what, bus = bus, branch = branch);
    EngineError::new("INPUT.REQUEST", message)
}
