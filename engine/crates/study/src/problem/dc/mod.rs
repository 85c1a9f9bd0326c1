//! The DC formulations: optimal power flow (`dcopf`) and power flow (`dcpf`).

mod cells;
mod contingencies;
mod day;
mod explain;
mod explaining;
mod limits_and_costs;
mod lmp_components;
mod power_flow;
mod results;
pub(crate) mod saved;
mod security;
mod sensitivity;
mod track;
mod track_course;
mod track_pieces;
mod track_stop;
mod tracking;

use crate::case::Case;
use crate::contract as c;
use crate::convert::{element, new_diagnostic};
use crate::edits::{check_demand, limited, BranchPreviews, ColumnTarget, Edits, Parts, Target};
use crate::problem::cells::plan;
use crate::problem::stepping::{at, from_base, Based, Stepped};
use crate::problem::work::Work;
use crate::problem::{Along, Course, DayRequest, Problem, Screened, State};
use crate::results::{Matrix, Preview, Results, Sensitivity};
use security::Secure;
use std::sync::{Arc, OnceLock};
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::write_solution_module;
use wattbook_solve::dc::{
    self, Convention, DcData, DcModel, DcOptimizer, DcOutline, DcSolution, DualActiveSet, Pool, Secured,
};
use wattbook_solve::vocabulary::InterfaceBound;

/// The model of a case, shared by both formulations.
#[derive(Debug)]
pub(crate) struct Dc {
    pub case: Arc<Case>,
    pub options: c::SolveOptions,
    pub model: Arc<DcModel>,
    pub base: DcData,
    /// The interfaces of the options with the limits of edits.
    interfaces: Vec<c::InterfaceLimit>,
    /// `dcopf` with the options `security` or `soft`.
    secure: Option<Arc<Secure>>,
}

pub(super) fn open(
    case: &Arc<Case>,
    formulation: c::FormulationId,
    options: &c::SolveOptions,
) -> Result<Arc<dyn Problem>> {
    Ok(match formulation {
        c::FormulationId::Dcpf => Arc::new(power_flow::DcFlow(Dc::new(case, options)?)),
        _ => Arc::new(DcOpf(Dc::secured(case, options)?)),
    })
}

impl Dc {
    pub fn new(case: &Arc<Case>, options: &c::SolveOptions) -> Result<Self> {
        Self::with_apart(case, options, &dc::Apart::default())
    }

    /// The model with further terminals.
    fn with_apart(case: &Arc<Case>, options: &c::SolveOptions, apart: &dc::Apart) -> Result<Self> {
        check_demand(&case.network)?;
        let outline = DcOutline::with_apart(&case.network, convention(options), apart)?;
        Ok(Self {
            model: Arc::new(outline.factored_with(&case.orders)?),
            base: DcData::with_apart(&case.network, apart),
            interfaces: limited(options, &case.interfaces),
            secure: None,
            case: Arc::clone(case),
            options: options.clone(),
        })
    }

    /// The base data with edits. Edits of reactive demand do not enter the DC model: they are stored for the
    /// formulations that use them, and [`Dc::unread`] reports them.
    ///
    /// Errors: `DELTA.NEGATIVE_DEMAND`, `RATE.NOT_POSITIVE`.
    pub fn data(&self, edits: &Edits) -> Result<DcData> {
        let mut data = self.base.clone();
        for (bus, demand) in edits.demand_pu(&self.case)? {
            data.demand[bus] = demand;
        }
        for (branch, rating) in edits.rating_pu(&self.case)? {
            data.rating[branch] = rating;
        }
        Ok(data)
    }

    /// Columns of flows after an outage, MW by dense branch row, with the loadings that they are.
    fn after_outage(&self, edits: &Edits, flows: Vec<f64>) -> Result<Vec<c::Column>> {
        let (base, ratings) = (self.case.network.base_mva, self.data(edits)?.rating);
        let loading = flows.iter().zip(ratings);
        let loading = loading.map(|(flow, rating)| wattbook_solve::loading(flow.abs() / base, rating));
        Ok(vec![
            c::Column::new(c::ColumnName::Loading, loading.collect()),
            c::Column::new(c::ColumnName::FlowMw, flows),
        ])
    }

    /// A diagnostic that edits of reactive demand have no effect here; `None` without such edits.
    fn unread(&self, edits: &Edits) -> Option<c::Diagnostic> {
        let bus = ElementRef::from(&self.case.network.buses[*edits.reactive.keys().next()?]);
        let message = message!("result.reactive_unread", count = edits.reactive.len(), bus = &bus);
        Some(new_diagnostic("DEMAND.REACTIVE_UNREAD", &message, Some(element(&bus))))
    }

    fn runs(&self, generator: usize) -> bool {
        let g = &self.case.network.generators[generator];
        g.in_service && self.model.bus_is_active(g.bus)
    }
}

impl Parts for Dc {
    fn bus_takes_part(&self, row: usize) -> bool {
        self.model.bus_is_active(row)
    }

    fn branch_takes_part(&self, row: usize) -> bool {
        self.model.branch_is_active(row)
    }

    fn interfaces(&self) -> &[c::InterfaceLimit] {
        &self.interfaces
    }
}

/// DC optimal power flow.
#[derive(Debug)]
pub(crate) struct DcOpf(pub Dc);

impl Problem for DcOpf {
    fn formulation(&self) -> c::FormulationId {
        c::FormulationId::Dcopf
    }

    fn case(&self) -> &Arc<Case> {
        &self.0.case
    }

    fn options(&self) -> &c::SolveOptions {
        &self.0.options
    }

    fn parts(&self) -> &dyn Parts {
        &self.0
    }

    fn check(&self, requests: &[c::SensRequest]) -> Result<()> {
        plan(&self.0, requests).map(|_| ())
    }

    fn solve(self: Arc<Self>, edits: &Edits) -> Result<Arc<dyn State>> {
        Ok(from_base(|edits| Arc::clone(&self).cold(edits), edits)?)
    }

    fn check_plan(&self) -> Result<()> {
        Ok(())
    }

    fn previews_generators(&self) -> bool {
        true
    }

    fn branch_previews(&self) -> BranchPreviews {
        BranchPreviews::Shifts
    }

    fn search(self: Arc<Self>, edits: Edits) -> Result<Box<dyn Work>> {
        Ok(Box::new(explaining::DcSearch::new(self, edits)?))
    }
}

impl DcOpf {
    fn cold(self: Arc<Self>, edits: &Edits) -> Result<Arc<DcState>> {
        let data = self.0.data(edits)?;
        let problem = self.reaching(&data);
        let Dc { model, secure, .. } = &problem.0;
        if let Some(secure) = secure {
            let found = secure.optimum(model, &data, None);
            let found = found.map_err(|error| problem.0.refused(error, &data))?;
            return Ok(Arc::new(DcState {
                base: None,
                edits: edits.clone(),
                solution: found.solution,
                problem: Arc::new(problem.with(found.program)),
                pool: Some(found.pool),
                plain: OnceLock::new(),
            }));
        }
        let (directed, solution) = model
            .presolve_infeasibility(&data)
            .and_then(|()| dc::optimum_by_directions(model, &data))
            .map_err(|error| problem.0.refused(error, &data))?;
        let problem = match directed {
            Some(model) => Arc::new(problem.with(Arc::new(model))),
            None => problem,
        };
        Ok(Arc::new(DcState {
            base: None,
            edits: edits.clone(),
            solution,
            problem,
            pool: None,
            plain: OnceLock::new(),
        }))
    }

    /// This problem, or a copy with a wider box where unlimited generators must reach further.
    fn reaching(self: Arc<Self>, data: &DcData) -> Arc<Self> {
        let Some(model) = self.0.model.reaching(data) else {
            return self;
        };
        Arc::new(self.with(Arc::new(model)))
    }

    /// This problem with another model of its case.
    fn with(&self, model: Arc<DcModel>) -> Self {
        Self(Dc {
            case: Arc::clone(&self.0.case),
            options: self.0.options.clone(),
            base: self.0.base.clone(),
            interfaces: self.0.interfaces.clone(),
            secure: self.0.secure.clone(),
            model,
        })
    }

    /// The problem of the network: without rows for outages, and with both directions of all links.
    fn undirected(self: Arc<Self>) -> Result<Arc<Self>> {
        if let Some(secure) = &self.0.secure {
            return Ok(Arc::new(self.with(Arc::clone(&secure.network))));
        }
        match self.0.model.directed_links() {
            [] => Ok(self),
            _ => Ok(Arc::new(Self(Dc::new(&self.0.case, &self.0.options)?))),
        }
    }
}

/// An optimum.
#[derive(Debug)]
pub(crate) struct DcState {
    problem: Arc<DcOpf>,
    /// The base state that this state was stepped from; `None` for a cold solve.
    base: Option<Arc<DcState>>,
    edits: Edits,
    solution: DcSolution,
    /// The rows of a secured optimum.
    pool: Option<Pool>,
    /// The optimum without limits after outages and of interfaces; see `DcState::plain`.
    plain: OnceLock<Option<Result<Secured>>>,
}

impl DcState {
    fn dc(&self) -> &Dc {
        &self.problem.0
    }
}

impl Based for DcState {
    fn base(&self) -> Option<&Arc<Self>> {
        self.base.as_ref()
    }

    fn edits(&self) -> &Edits {
        &self.edits
    }
}

impl Stepped for DcState {
    fn cold(&self, edits: &Edits) -> Result<Arc<Self>> {
        Arc::clone(&self.problem).undirected()?.cold(edits)
    }

    fn step(self: &Arc<Self>, edits: &Edits) -> Result<Arc<Self>> {
        if !self.dc().model.directed_links().is_empty() {
            return self.cold(edits);
        }
        let data = self.dc().data(edits)?;
        if let Some(secure) = &self.dc().secure {
            if secure.network.reaching(&data).is_some() {
                return self.cold(edits);
            }
            let found = secure.optimum(&secure.network, &data, Some(self));
            let problem = Arc::clone(&self.problem).undirected()?;
            let found = found.map_err(|error| problem.0.refused(error, &data))?;
            return Ok(Arc::new(Self {
                problem: Arc::new(self.problem.with(found.program)),
                base: Some(Arc::clone(self)),
                edits: edits.clone(),
                solution: found.solution,
                pool: Some(found.pool),
                plain: OnceLock::new(),
            }));
        }
        let problem = Arc::clone(&self.problem).reaching(&data);
        let solution = match DualActiveSet.optimum(&problem.0.model, &data, Some(&self.solution)) {
            Ok(solution) => solution,
            Err(error) if dc::is_circulating(&error) => return self.cold(edits),
            Err(error) => return Err(problem.0.refused(error, &data)),
        };
        Ok(Arc::new(Self {
            problem,
            base: Some(Arc::clone(self)),
            edits: edits.clone(),
            solution,
            pool: None,
            plain: OnceLock::new(),
        }))
    }
}

impl State for DcState {
    fn problem(&self) -> &dyn Problem {
        &*self.problem
    }

    fn edits(&self) -> &Edits {
        &self.edits
    }

    fn results(&self) -> Results {
        let mut results = results::of(self);
        results.diagnostics.extend(self.dc().case.remarks.iter().cloned());
        results.diagnostics.extend(self.dc().unread(&self.edits));
        results
    }

    fn at(self: Arc<Self>, edits: &Edits) -> Result<Arc<dyn State>> {
        Ok(at(&self, edits)?)
    }

    fn preview(&self, edits: &Edits) -> Result<Preview> {
        self.dc().data(edits)?;
        let limited = self.with_limits_of(edits)?;
        let own = limited.as_ref().unwrap_or(self);
        let direction = sensitivity::direction(own.dc(), &own.solution, &self.edits, edits)?;
        let known = own.along_direction(&direction)?;
        let state = known.as_ref().unwrap_or(own);
        sensitivity::preview(state.dc(), &state.solution, &self.edits, edits)
    }

    fn sensitivity(&self, target: ColumnTarget, case_id: &str) -> Result<Sensitivity> {
        let limited = self.with_limit(target)?;
        let own = limited.as_ref().unwrap_or(self);
        let known = own.along_direction(&track_course::direction(own.dc(), target)?)?;
        let state = known.as_ref().unwrap_or(own);
        Ok(match target {
            ColumnTarget::Edit(target) => sensitivity::column(state.dc(), &state.solution, target.into(), case_id),
            ColumnTarget::Shift(row) => {
                sensitivity::column(state.dc(), &state.solution, dc::Target::PhaseShift(row), case_id)
            }
            ColumnTarget::Interface(i, value) => {
                let target = dc::Target::Interface(i, value.into());
                sensitivity::column(state.dc(), &state.solution, target, case_id)
            }
            ColumnTarget::Generator(_, value) | ColumnTarget::Link(_, value) => {
                limits_and_costs::column(state, limits_and_costs::Moved { target, value }, case_id)?
            }
        })
    }

    fn matrices(&self, requests: &[c::SensRequest]) -> Result<Vec<Matrix>> {
        let plans = plan(self.dc(), requests)?;
        let matrix = |plan| cells::matrix(plan, self.dc(), &self.solution);
        plans.iter().map(matrix).collect()
    }

    fn price_gradient(&self, weights: &[(usize, f64)], by: &[Target]) -> Result<Vec<f64>> {
        sensitivity::price_gradient(self.dc(), &self.solution, weights, by)
    }

    fn along(self: Arc<Self>, edits: &Edits) -> Option<Along> {
        if !self.dc().model.directed_links().is_empty() || self.pool.is_some() {
            return None;
        }
        track::along(&self, edits)
    }

    fn lmp_components(&self, bus: usize) -> Result<c::LmpComponents> {
        Ok(lmp_components::of(self, bus))
    }

    fn track(self: Arc<Self>, course: &Course) -> Result<Box<dyn Work>> {
        if let [(row, _), ..] = self.dc().model.directed_links() {
            let link = ElementRef::from(&self.dc().case.network.links[*row]);
            return Err(
                EngineError::new("PHYSICS.UNSUPPORTED", message!("track.directed_link", link = &link)).at(link),
            );
        }
        Ok(Box::new(tracking::Tracking::new(self, course)?))
    }

    fn day(self: Arc<Self>, request: DayRequest) -> Result<Box<dyn Work>> {
        Ok(Box::new(day::Daily::new(self, request)?))
    }

    fn screening(self: Arc<Self>, selection: Screened) -> Result<Box<dyn Work>> {
        Ok(Box::new(contingencies::DcScreening::new(self, selection)?))
    }

    fn outage_columns(&self, branch: usize) -> Result<Vec<c::Column>> {
        self.dc()
            .after_outage(&self.edits, contingencies::flows_after(self, branch)?)
    }

    fn saved(&self, edited: &str, case_id: &str) -> Result<String> {
        write_solution_module(edited, &saved::slots(self, case_id)?)
    }
}

impl From<c::InterfaceValue> for InterfaceBound {
    fn from(value: c::InterfaceValue) -> Self {
        match value {
            c::InterfaceValue::MinMw => Self::Lower,
            c::InterfaceValue::MaxMw => Self::Upper,
        }
    }
}

impl From<Target> for dc::Target {
    fn from(target: Target) -> Self {
        match target {
            Target::Demand(row) => Self::Demand(row),
            Target::Rating(row) => Self::Rating(row),
        }
    }
}

pub(crate) fn convention(options: &c::SolveOptions) -> Convention {
    match options.dc_convention.unwrap_or_default() {
        c::DcConvention::Service => Convention::Service,
        c::DcConvention::Powermodels => Convention::PowerModels,
        c::DcConvention::Matpower => Convention::Matpower,
    }
}
