//! AC power flow (`acpf`).

mod cells;
mod loadability;
mod results;
mod sensitivity;

use crate::case::Case;
use crate::contract as c;
use crate::convert::branch_ref;
use crate::edits::{check_demand, Edits, Parts, Target};
use crate::job::Work;
use crate::problem::cells::plan;
use crate::problem::socwr::no_cuts;
use crate::problem::{Growth, Problem, State};
use crate::results::{Preview, Results, Sensitivity};
use std::sync::{Arc, OnceLock};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::residual;
use wattbook_network::message_key;
use wattbook_solve::ac::{AcBase, AcCertificate, AcData, AcModel, AcOptions, AcSolution, SlackRule};
use wattbook_solve::dc::{DcData, DcModel, DcOptimizer, DualActiveSet};

/// From this share of the demand on a schedule that misses it says nothing about the network: that of the DC OPF is taken.
const MISSED: f64 = 0.1;

/// A case with its schedule and set-points.
#[derive(Debug)]
pub(super) struct Ac {
    case: Arc<Case>,
    model: AcModel,
    base: AcData,
    dispatch: c::DispatchSource,
    options: AcOptions,
}

/// Errors: `INPUT.REQUEST`, `PHYSICS.UNSUPPORTED`, and those of the DC OPF where its dispatch is the schedule.
pub(super) fn open(case: &Arc<Case>, options: &c::SolveOptions) -> Result<Arc<dyn Problem>> {
    let network = &case.network;
    check_demand(network)?;
    no_cuts(options.lifted_cuts)?;
    let mut base = AcData::base(network);
    let dispatch = options.dispatch.unwrap_or_else(|| match missed(network) < MISSED {
        true => c::DispatchSource::File,
        false => c::DispatchSource::Dcopf,
    });
    if dispatch == c::DispatchSource::Dcopf {
        let model = DcModel::new(network, super::dc::convention(options))?;
        let optimum = DualActiveSet.optimum(&model, &DcData::base(network), None)?;
        base.output = optimum.dispatch;
    }
    if let Some(v) = options.set_point_pu {
        if !(v.is_finite() && v > 0.0) {
            let said = message!("ac.set_point_option", value = v.to_string());
            return Err(EngineError::new("INPUT.REQUEST", said));
        }
        for (set_point, g) in base.set_point.iter_mut().zip(&network.generators) {
            *set_point = v.min(network.buses[g.bus].vmax_pu);
        }
    }
    let slack = match (options.slack, dispatch) {
        (Some(c::SlackRule::Single), _) | (None, c::DispatchSource::File) => SlackRule::Single,
        (Some(c::SlackRule::Distributed), _) | (None, c::DispatchSource::Dcopf) => SlackRule::Distributed,
    };
    Ok(Arc::new(Ac {
        case: Arc::clone(case),
        model: AcModel::new(network)?,
        base,
        dispatch,
        options: AcOptions {
            slack,
            reactive_limits: options.q_limits.unwrap_or(false),
            only_stored_start: false,
        },
    }))
}

/// Part of the demand that the file's schedule misses or exceeds.
fn missed(network: &AnalysisNetwork) -> f64 {
    let buses = network.buses.iter().filter(|b| b.in_service);
    let demand: f64 = buses.map(|b| b.demand_pu).sum();
    let units = network.generators.iter();
    let units = units.filter(|g| g.in_service && network.buses[g.bus].in_service);
    let output: f64 = units.map(|g| g.pg_pu).sum();
    (output - demand).abs() / demand.abs().max(f64::MIN_POSITIVE)
}

impl Ac {
    /// The base data with edits.
    ///
    /// Errors: `DELTA.NEGATIVE_DEMAND`, `RATE.NOT_POSITIVE`.
    fn data(&self, edits: &Edits) -> Result<AcData> {
        let mut data = self.base.clone();
        for (bus, demand) in edits.demand_pu(&self.case)? {
            data.demand[bus] = demand;
        }
        for (bus, demand) in edits.reactive_pu(&self.case) {
            data.demand_q[bus] = demand;
        }
        edits.rating_pu(&self.case)?;
        Ok(data)
    }

    fn cold(self: &Arc<Self>, edits: &Edits) -> Result<Arc<AcState>> {
        let solution = self.model.solve(&self.data(edits)?, self.options)?;
        self.state(None, edits, solution)
    }

    /// A solution that its check has passed.
    ///
    /// Errors: `SOLVE.NOT_CONVERGED`.
    fn state(
        self: &Arc<Self>,
        base: Option<&Arc<AcState>>,
        edits: &Edits,
        solution: AcSolution,
    ) -> Result<Arc<AcState>> {
        let certificate = AcCertificate::new(&self.case.network, &solution);
        if !certificate.holds() {
            let said = message!(
                "ac.check_failed",
                active = residual(certificate.mismatch_mw, "MW"),
                reactive = residual(certificate.mismatch_mvar, "MVAr"),
                voltage = residual(certificate.set_point_error_pu, "pu")
            );
            return Err(EngineError::new("SOLVE.NOT_CONVERGED", said));
        }
        Ok(Arc::new(AcState {
            problem: Arc::clone(self),
            base: base.map(Arc::clone),
            edits: edits.clone(),
            solution,
            certificate,
            factored: OnceLock::new(),
        }))
    }
}

impl Parts for Ac {
    fn bus_takes_part(&self, row: usize) -> bool {
        self.model.energised(row)
    }

    fn branch_takes_part(&self, row: usize) -> bool {
        let branch = &self.case.network.branches[row];
        branch.in_service && self.model.energised(branch.from)
    }
}

impl Problem for Ac {
    fn formulation(&self) -> c::FormulationId {
        c::FormulationId::Acpf
    }

    fn case(&self) -> &Arc<Case> {
        &self.case
    }

    fn parts(&self) -> &dyn Parts {
        self
    }

    fn check(&self, requests: &[c::SensRequest]) -> Result<()> {
        plan(self, requests).map(|_| ())
    }

    fn check_target(&self, target: Target) -> Result<()> {
        let Target::Rating(row) = target else { return Ok(()) };
        let branch = branch_ref(&self.case.network.branches[row]);
        let said = message!("ac.rating_column", branch = &branch);
        Err(EngineError::new("SENS.UNSUPPORTED", said).at(branch))
    }

    /// From the solution of the base case where it has one: a state is the same however it was reached.
    fn solve(self: Arc<Self>, edits: &Edits) -> Result<Arc<dyn State>> {
        match self.cold(&Edits::default()) {
            Ok(base) => base.at(edits),
            Err(error) if edits.is_empty() => Err(error),
            Err(_) => Ok(self.cold(edits)?),
        }
    }
}

/// A solved power flow.
#[derive(Debug)]
pub(super) struct AcState {
    problem: Arc<Ac>,
    /// What this state was stepped from; none where it was solved from nothing.
    base: Option<Arc<AcState>>,
    edits: Edits,
    solution: AcSolution,
    certificate: AcCertificate,
    /// The factored Jacobian, once it was asked for; none where it is singular.
    factored: OnceLock<Option<AcBase>>,
}

impl AcState {
    /// What the states of all edits start from.
    fn start(self: &Arc<Self>) -> &Arc<Self> {
        self.base.as_ref().unwrap_or(self)
    }

    fn factored(&self) -> Option<&AcBase> {
        let factor = || self.problem.model.base(self.solution.clone()).ok();
        self.factored.get_or_init(factor).as_ref()
    }

    /// As [`AcState::factored`], for what cannot do without.
    ///
    /// Errors: `SOLVE.NOT_CONVERGED`.
    fn differentiable(&self) -> Result<&AcBase> {
        let singular = || EngineError::new("SOLVE.NOT_CONVERGED", message!("ac.singular"));
        self.factored().ok_or_else(singular)
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

    /// By chord steps from the base.
    fn at(self: Arc<Self>, edits: &Edits) -> Result<Arc<dyn State>> {
        if *edits == self.edits {
            return Ok(self);
        }
        let base = self.start();
        let problem = &self.problem;
        if !base.edits.is_empty() {
            return Ok(problem.cold(edits)?);
        }
        if edits.is_empty() {
            return Ok(Arc::clone(base) as Arc<dyn State>);
        }
        let data = problem.data(edits)?;
        let solution = match base.factored() {
            Some(factored) => factored.step(&problem.model, &data)?,
            None => problem.model.solve(&data, problem.options)?,
        };
        Ok(problem.state(Some(base), edits, solution)?)
    }

    fn preview(&self, edits: &Edits) -> Result<Preview> {
        sensitivity::preview(self, edits)
    }

    fn sensitivity(&self, target: Target, case_id: &str) -> Result<Sensitivity> {
        self.problem.check_target(target)?;
        match target {
            Target::Demand(row) => sensitivity::column(self, row, case_id),
            Target::Rating(_) => Err(self
                .problem
                .lacks(message_key!("formulation.lacks_columns", formulation))),
        }
    }

    fn matrices(&self, requests: &[c::SensRequest]) -> Result<Vec<c::SensitivityMatrix>> {
        let plans = plan(&*self.problem, requests)?;
        plans.iter().map(|plan| cells::matrix(plan, self)).collect()
    }

    fn loadability(self: Arc<Self>, growth: Growth) -> Result<Box<dyn Work>> {
        Ok(Box::new(loadability::Tracing::new(self, growth)?))
    }
}
