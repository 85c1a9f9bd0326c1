//! AC power flow (`acpf`).

mod cells;
mod contingencies;
mod loadability;
mod results;
mod sensitivity;

use crate::case::Case;
use crate::contract as c;
use crate::edits::{check_demand, ColumnTarget, Edits, Parts, Target};
use crate::problem::ac_network::saved::Proof;
use crate::problem::ac_network::AcNetwork;
use crate::problem::cells::{differentiate, plan};
use crate::problem::stepping::{at, from_base, Based, Stepped};
use crate::problem::work::Work;
use crate::problem::{Growth, Problem, Screened, State};
use crate::results::{Matrix, Preview, Results, Sensitivity};
use std::sync::{Arc, OnceLock};
use wattbook_network::analysis::{AnalysisNetwork, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::{plain, residual};
use wattbook_network::message_key;
use wattbook_solve::ac::{AcBase, AcCertificate, AcData, AcModel, AcOptions, AcSolution, SlackRule};
use wattbook_solve::dc::{optimum_by_directions, DcData, DcModel};
use wattbook_solve::LinkPower;

/// Set-point offered where those of the file have no solution, per unit.
const TRIED_SET_POINT: f64 = 1.03;

/// A case with its schedule and set-points.
#[derive(Debug)]
pub(super) struct Ac {
    network: AcNetwork,
    model: AcModel,
    base: AcData,
    dispatch: c::DispatchSource,
    options: AcOptions,
}

/// Errors: `INPUT.REQUEST`, `PHYSICS.UNSUPPORTED`, and those of the DC OPF where its dispatch is the schedule.
pub(super) fn open(case: &Arc<Case>, options: &c::SolveOptions) -> Result<Arc<dyn Problem>> {
    let network = &case.network;
    check_demand(network)?;
    let mut base = AcData::base(network);
    let dispatch = options.dispatch.unwrap_or(c::DispatchSource::File);
    if dispatch == c::DispatchSource::Dcopf {
        base.output = optimum(network, options)?;
    }
    if let Some(v) = options.set_point_pu {
        if !(0.5..=1.5).contains(&v) {
            let message = message!("ac.set_point_option", value = v.to_string());
            return Err(EngineError::new("INPUT.REQUEST", message));
        }
        put_set_points(&mut base, network, v);
    }
    let slack = slack_rule(options.slack, dispatch);
    let model = AcModel::new(network)?;
    Ok(Arc::new(Ac {
        network: AcNetwork::new(case, options, |bus| model.energised(bus)),
        model,
        base,
        dispatch,
        options: AcOptions {
            slack,
            reactive_limits: options.q_limits.unwrap_or(false),
            only_stored_start: false,
        },
    }))
}

/// One set-point for all generators, at most the upper limit of each bus.
fn put_set_points(data: &mut AcData, network: &AnalysisNetwork, v: f64) {
    for (set_point, g) in data.set_point.iter_mut().zip(&network.generators) {
        *set_point = v.min(network.buses[g.bus].vmax_pu);
    }
}

/// The schedule of the DC OPF, generators and converters of links, per unit by dense row.
///
/// Errors: those of the DC OPF.
fn optimum(network: &AnalysisNetwork, options: &c::SolveOptions) -> Result<Vec<f64>> {
    let model = DcModel::new(network, super::dc::convention(options))?;
    let (directed, solution) = optimum_by_directions(&model, &DcData::base(network))?;
    let powers = directed.as_ref().unwrap_or(&model).link_powers(&solution.dispatch);
    let scheduled = |active: [f64; 2]| LinkPower {
        active,
        ..LinkPower::default()
    };
    let links: Vec<LinkPower> = powers.into_iter().map(scheduled).collect();
    let mut output = solution.dispatch;
    output.truncate(network.generators.len());
    LinkPower::extend_outputs(network, &links, &mut output, &mut Vec::new());
    Ok(output)
}

/// The slack rule: by default the references for the file's schedule, and all generators for that of the DC OPF, which
/// has no losses.
fn slack_rule(option: Option<c::SlackRule>, dispatch: c::DispatchSource) -> SlackRule {
    match (option, dispatch) {
        (Some(c::SlackRule::Single), _) | (None, c::DispatchSource::File) => SlackRule::Single,
        (Some(c::SlackRule::Distributed), _) | (None, c::DispatchSource::Dcopf) => SlackRule::Distributed,
    }
}

impl Ac {
    /// The base data with edits.
    ///
    /// Errors: `DELTA.NEGATIVE_DEMAND`, `RATE.NOT_POSITIVE`.
    fn data(&self, edits: &Edits) -> Result<AcData> {
        let mut data = self.base.clone();
        self.network.edit_demand(edits, &mut data.demand, &mut data.demand_q)?;
        edits.rating_pu(&self.network.case)?;
        Ok(data)
    }

    fn cold(self: &Arc<Self>, edits: &Edits) -> Result<Arc<AcState>> {
        let data = self.data(edits)?;
        let solution = self.model.solve(&data, self.options);
        self.state(None, edits, solution.map_err(|error| self.with_offer(error, data))?)
    }

    /// Adds to the error the options (another schedule, other set-points, or both) with which the power flow converges.
    fn with_offer(&self, mut error: EngineError, data: AcData) -> EngineError {
        if error.code != "SOLVE.NOT_CONVERGED" {
            return error;
        }
        let Some((dispatch, set_points)) = self.offer(&data) else {
            return error;
        };
        let (failed, set_point) = (*error.sentence, plain(TRIED_SET_POINT, "pu"));
        error.sentence = Box::new(match (dispatch, set_points) {
            (true, false) => message!("ac.try_dispatch", failed = failed),
            (true, true) => message!("ac.try_dispatch_and_set_points", failed = failed, set_point = set_point),
            (false, _) => message!("ac.try_set_points", failed = failed, set_point = set_point),
        });
        if let Some(details) = &mut error.details {
            let offered = c::SolveOptions {
                dispatch: dispatch.then_some(c::DispatchSource::Dcopf),
                set_point_pu: set_points.then_some(TRIED_SET_POINT),
                ..c::SolveOptions::default()
            };
            details["options"] = serde_json::json!(offered);
        }
        error
    }

    /// Options that have a solution where `data` has not: the DC OPF's schedule, set-points of 1.03 pu, or both.
    fn offer(&self, data: &AcData) -> Option<(bool, bool)> {
        let (network, options) = (&self.network.case.network, &self.network.options);
        let optimum = match self.dispatch {
            c::DispatchSource::File => optimum(network, options).ok(),
            c::DispatchSource::Dcopf => None,
        };
        let tries = [(true, false), (false, true), (true, true)];
        tries.into_iter().find(|&(dispatch, set_points)| {
            let mut data = data.clone();
            let mut slack = self.options.slack;
            if dispatch {
                let Some(optimum) = &optimum else { return false };
                data.output.clone_from(optimum);
                slack = slack_rule(options.slack, c::DispatchSource::Dcopf);
            }
            if set_points {
                put_set_points(&mut data, network, TRIED_SET_POINT);
            }
            matches!(self.model.converges(&data, slack), Ok(true))
        })
    }

    /// A certified solution.
    ///
    /// Errors: `RATE.NOT_POSITIVE`, `SOLVE.NOT_CONVERGED`.
    fn state(
        self: &Arc<Self>,
        base: Option<&Arc<AcState>>,
        edits: &Edits,
        solution: AcSolution,
    ) -> Result<Arc<AcState>> {
        let certificate = AcCertificate::new(&self.network.case.network, &solution);
        if !certificate.holds() {
            let message = message!(
                "ac.check_failed",
                active = residual(certificate.mismatch_mw, "MW"),
                reactive = residual(certificate.mismatch_mvar, "MVAr"),
                voltage = residual(certificate.set_point_error_pu, "pu")
            );
            return Err(EngineError::new("SOLVE.NOT_CONVERGED", message));
        }
        Ok(Arc::new(AcState {
            problem: Arc::clone(self),
            base: base.map(Arc::clone),
            edits: edits.clone(),
            ratings: self.network.ratings(edits)?,
            solution,
            certificate,
            factored: OnceLock::new(),
        }))
    }
}

impl Problem for Ac {
    fn formulation(&self) -> c::FormulationId {
        c::FormulationId::Acpf
    }

    fn case(&self) -> &Arc<Case> {
        &self.network.case
    }

    fn options(&self) -> &c::SolveOptions {
        &self.network.options
    }

    fn parts(&self) -> &dyn Parts {
        &self.network
    }

    fn check(&self, requests: &[c::SensRequest]) -> Result<()> {
        plan(self, requests).map(|_| ())
    }

    fn check_target(&self, target: ColumnTarget) -> Result<()> {
        let network = &self.network.case.network;
        let row = match target {
            // No interface is found, since this formulation limits none.
            ColumnTarget::Edit(Target::Demand(_)) | ColumnTarget::Interface(..) => return Ok(()),
            ColumnTarget::Edit(Target::Rating(row)) | ColumnTarget::Shift(row) => row,
            ColumnTarget::Generator(row, _) => {
                let element = ElementRef::from(&network.generators[row]);
                let message = message!("ac.generator_column", generator = &element);
                return Err(EngineError::new("SENS.UNSUPPORTED", message).at(element));
            }
            ColumnTarget::Link(row, _) => {
                let element = ElementRef::from(&network.links[row]);
                let message = message!("ac.link_column", link = &element);
                return Err(EngineError::new("SENS.UNSUPPORTED", message).at(element));
            }
        };
        let branch = ElementRef::from(&network.branches[row]);
        let message = message!("ac.rating_column", branch = &branch);
        Err(EngineError::new("SENS.UNSUPPORTED", message).at(branch))
    }

    fn solve(self: Arc<Self>, edits: &Edits) -> Result<Arc<dyn State>> {
        Ok(from_base(|edits| self.cold(edits), edits)?)
    }
}

/// A solved power flow.
#[derive(Debug)]
pub(super) struct AcState {
    problem: Arc<Ac>,
    /// The base state that this state was stepped from; `None` for a cold solve.
    base: Option<Arc<AcState>>,
    edits: Edits,
    /// Ratings with the edits, per unit of apparent power by dense row.
    ratings: Vec<f64>,
    solution: AcSolution,
    certificate: AcCertificate,
    /// The factored Jacobian, computed on first use; `None` where it is singular.
    factored: OnceLock<Option<AcBase>>,
}

impl AcState {
    fn factored(&self) -> Option<&AcBase> {
        let factor = || self.problem.model.base(self.solution.clone()).ok();
        self.factored.get_or_init(factor).as_ref()
    }

    /// [`AcState::factored`] for callers that require it.
    ///
    /// Errors: `SOLVE.NOT_CONVERGED`.
    fn differentiable(&self) -> Result<&AcBase> {
        let singular = || EngineError::new("SOLVE.NOT_CONVERGED", message!("ac.singular"));
        self.factored().ok_or_else(singular)
    }
}

impl Based for AcState {
    fn base(&self) -> Option<&Arc<Self>> {
        self.base.as_ref()
    }

    fn edits(&self) -> &Edits {
        &self.edits
    }
}

impl Stepped for AcState {
    fn cold(&self, edits: &Edits) -> Result<Arc<Self>> {
        self.problem.cold(edits)
    }

    /// Solves edits by chord steps from this state.
    fn step(self: &Arc<Self>, edits: &Edits) -> Result<Arc<Self>> {
        let problem = &self.problem;
        let data = problem.data(edits)?;
        let solution = match self.factored() {
            Some(factored) => factored.step(&problem.model, &data)?,
            None => problem.model.solve(&data, problem.options)?,
        };
        problem.state(Some(self), edits, solution)
    }
}

impl State for AcState {
    fn problem(&self) -> &dyn Problem {
        &*self.problem
    }

    fn edits(&self) -> &Edits {
        &self.edits
    }

    fn results(&self) -> Results {
        results::of(self)
    }

    fn at(self: Arc<Self>, edits: &Edits) -> Result<Arc<dyn State>> {
        Ok(at(&self, edits)?)
    }

    fn preview(&self, edits: &Edits) -> Result<Preview> {
        sensitivity::preview(self, edits)
    }

    fn sensitivity(&self, target: ColumnTarget, case_id: &str) -> Result<Sensitivity> {
        self.problem.check_target(target)?;
        match target {
            ColumnTarget::Edit(Target::Demand(row)) => sensitivity::column(self, row, case_id),
            ColumnTarget::Edit(Target::Rating(_))
            | ColumnTarget::Generator(..)
            | ColumnTarget::Link(..)
            | ColumnTarget::Shift(_)
            | ColumnTarget::Interface(..) => Err(self
                .problem
                .lacks(message_key!("formulation.lacks_columns", formulation))),
        }
    }

    fn matrices(&self, requests: &[c::SensRequest]) -> Result<Vec<Matrix>> {
        let plans = plan(&*self.problem, requests)?;
        let mut factored = cells::Factored::new(self)?;
        let case = &self.problem.network.case;
        plans
            .iter()
            .map(|plan| differentiate(plan, case, &mut factored))
            .collect()
    }

    fn saved(&self, edited: &str, case_id: &str) -> Result<String> {
        let proof = Proof::of_flow(&self.solution.data, &self.solution.limited);
        let network = &self.problem.network;
        network.saved(edited, case_id, &self.edits, &self.results(), proof)
    }

    fn loadability(self: Arc<Self>, growth: Growth) -> Result<Box<dyn Work>> {
        Ok(Box::new(loadability::Tracing::new(self, growth)?))
    }

    fn screening(self: Arc<Self>, selection: Screened) -> Result<Box<dyn Work>> {
        Ok(Box::new(contingencies::Screening::new(self, selection)?))
    }

    fn outage_columns(&self, branch: usize) -> Result<Vec<c::Column>> {
        contingencies::columns_after(self, branch)
    }
}
