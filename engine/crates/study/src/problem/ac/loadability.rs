//! How much a demand can grow before voltage collapse: the PV curve as a job.
//!
//! Newton's method follows the curve from point to point. Steps without a solution are halved until the last one is
//! small against the growth. The power series of the committed state estimates the end beforehand.

use super::sensitivity::collapse;
use super::{Ac, AcState};
use crate::contract as c;
use crate::convert::plain;
use crate::edits::Parts;
use crate::problem::work::{Product, Work};
use crate::problem::Growth;
use crate::results::Reply;
use std::sync::Arc;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::ac::{AcBase, AcCertificate, AcData, AcSolution, Nose};
use wattbook_solve::vocabulary::Direction;

/// Number of steps up to the estimated end.
const STEPS: f64 = 20.0;
/// The search stops when the step is this fraction of the growth.
const SMALLEST: f64 = 1e-4;
/// The search is given up when the growth reaches this multiple of all demand.
const MOST: f64 = 100.0;
/// Demand of an area or of the system below this, per unit, cannot grow by a factor.
const LEAST_DEMAND: f64 = 1e-9;
/// Number of buses listed in the answer.
const NAMED: usize = 5;

/// Traces the PV curve.
#[derive(Debug)]
pub(super) struct Tracing {
    state: Arc<AcState>,
    direction: Direction,
    /// Demand that grows, per unit.
    demand: f64,
    /// Growth at which the search is given up, per unit.
    most: f64,
    estimate: Option<Nose>,
    at: Option<AcBase>,
    /// Growth of each point, per unit, and the voltages there.
    added: Vec<f64>,
    voltages: Vec<Vec<f64>>,
    last: AcSolution,
    step: f64,
    first_step: f64,
    unsolved: Option<f64>,
    fraction: f64,
    done: bool,
}

impl Tracing {
    /// Errors: `INPUT.REQUEST` where no demand grows, `SOLVE.NOT_CONVERGED` where the Jacobian is singular.
    pub fn new(state: Arc<AcState>, growth: Growth) -> Result<Self> {
        let direction = direction(&state, growth)?;
        let base = state.differentiable()?.clone();
        let data = &state.solution.data;
        let demand = match growth {
            Growth::Bus(row) => data.demand[row],
            _ => direction.demand.iter().map(|&(row, _)| data.demand[row]).sum(),
        };
        let all: f64 = data.demand.iter().filter(|d| **d > 0.0).sum();
        let estimate = base.nose(&state.problem.model, &direction)?;
        let step = match &estimate {
            Some(nose) => nose.step / STEPS,
            None => 0.1 * demand.max(0.01 * all).max(f64::MIN_POSITIVE),
        };
        Ok(Self {
            direction,
            demand,
            most: MOST * all.max(1.0),
            estimate,
            at: Some(base),
            added: vec![0.0],
            voltages: vec![state.solution.magnitude.clone()],
            last: state.solution.clone(),
            step,
            first_step: step,
            unsolved: None,
            fraction: 0.0,
            done: false,
            state,
        })
    }

    fn growth(&self) -> f64 {
        self.added.last().copied().unwrap_or_default()
    }

    fn data(&self, growth: f64) -> AcData {
        let mut data = self.state.solution.data.clone();
        for &(row, part) in &self.direction.demand {
            data.demand[row] += growth * part;
        }
        for &(row, part) in &self.direction.reactive_demand {
            data.demand_q[row] += growth * part;
        }
        data
    }

    /// Tries one point.
    fn advance(&mut self) -> Result<()> {
        let Ac { model, network, .. } = &*self.state.problem;
        let next = self.growth() + self.step;
        let base = match &self.at {
            Some(base) => base,
            None => self.state.differentiable()?,
        };
        // A point counts only if it is certified and differentiable.
        let found = base.follow(model, &self.data(next))?;
        let found = found.filter(|solution| AcCertificate::new(&network.case.network, solution).holds());
        let found = found.and_then(|solution| Some((model.base(solution.clone()).ok()?, solution)));
        match found {
            Some((base, solution)) => {
                self.added.push(next);
                self.voltages.push(solution.magnitude.clone());
                self.last = solution;
                self.at = Some(base);
                self.done = next >= self.most;
                // Without an estimate, or beyond it, longer steps find the end sooner.
                if self.unsolved.is_none() && self.added.len() as f64 > STEPS {
                    self.step *= 1.5;
                }
                // The next point stays below growth that is known to have no solution.
                if let Some(unsolved) = self.unsolved {
                    self.step = self.step.min(0.5 * (unsolved - next));
                }
            }
            None => {
                self.unsolved = Some(self.unsolved.map_or(next, |u| u.min(next)));
                self.step *= 0.5;
            }
        }
        let growth = self.growth();
        if let Some(unsolved) = self.unsolved {
            let gap = unsolved - growth;
            self.done |= gap <= SMALLEST * unsolved;
        }
        let ahead = match (&self.unsolved, &self.estimate) {
            (Some(_), _) => 1.0 - 0.3 * (self.step / self.first_step).min(1.0).sqrt(),
            (None, Some(nose)) => 0.7 * (growth / nose.step).min(1.0),
            (None, None) => 0.7 * growth / (growth + self.demand + self.first_step),
        };
        self.fraction = self.fraction.max(ahead.clamp(0.0, 1.0));
        Ok(())
    }

    fn curve(&self) -> Result<c::Loadability> {
        let problem = &self.state.problem;
        let network = &problem.network.case.network;
        let mva = network.base_mva;
        let buses = self.falling()?;
        let in_mw = |x: f64| plain(x * mva);
        Ok(c::Loadability {
            demand_mw: in_mw(self.demand),
            margin_mw: in_mw(self.growth()),
            no_solution_mw: self.unsolved.map(in_mw),
            estimate: self.estimate.as_ref().and_then(|nose| collapse(problem, nose)),
            added_mw: self.added.iter().map(|&x| in_mw(x)).collect(),
            buses: buses
                .into_iter()
                .map(|row| c::LoadabilityBus {
                    bus: network.buses[row].id,
                    vm_pu: self.voltages.iter().map(|v| v[row]).collect(),
                })
                .collect(),
        })
    }

    /// Buses whose voltages fall fastest at the last point, relative to their voltage.
    fn falling(&self) -> Result<Vec<usize>> {
        let model = &self.state.problem.model;
        let base = match &self.at {
            Some(base) => base,
            None => self.state.differentiable()?,
        };
        let slope = base.sensitivity_along(model, &self.direction)?.magnitude;
        let rate = |row: usize| slope[row] / self.last.magnitude[row];
        let mut rows: Vec<usize> = (0..slope.len()).filter(|&row| slope[row] < 0.0).collect();
        rows.sort_by(|&a, &b| rate(a).total_cmp(&rate(b)).then(a.cmp(&b)));
        rows.truncate(NAMED);
        Ok(rows)
    }
}

/// The direction of a growth of one per unit in total, reactive demand at constant power factor.
fn direction(state: &AcState, growth: Growth) -> Result<Direction> {
    let problem = &state.problem;
    let network = &problem.network.case.network;
    let demand = &state.solution.data.demand;
    let area = |area: u64| -> Vec<usize> {
        let rows = 0..network.buses.len();
        rows.filter(|&row| network.buses[row].area == Some(area)).collect()
    };
    let rows = match growth {
        Growth::Bus(row) => vec![row],
        Growth::Area(number) => area(number),
        Growth::System => (0..network.buses.len()).collect(),
    };
    let shares: Vec<(usize, f64)> = match growth {
        Growth::Bus(row) => vec![(row, 1.0)],
        _ => {
            // All loads grow by one factor, negative demand included.
            let grows = |row: &usize| problem.network.bus_takes_part(*row) && demand[*row] != 0.0;
            let rows: Vec<usize> = rows.into_iter().filter(grows).collect();
            let all: f64 = rows.iter().map(|&row| demand[row]).sum();
            match all > LEAST_DEMAND {
                true => rows.into_iter().map(|row| (row, demand[row] / all)).collect(),
                false => Vec::new(),
            }
        }
    };
    if shares.is_empty() {
        let message = match growth {
            Growth::Area(area) => message!("ac.area_without_demand", area = area.to_string()),
            _ => message!("ac.no_demand"),
        };
        return Err(EngineError::new("INPUT.REQUEST", message));
    }
    let reactive =
        |&(row, share): &(usize, f64)| (row, share * state.edits.reactive_per_active(&problem.network.case, row));
    Ok(Direction {
        reactive_demand: shares.iter().map(reactive).collect(),
        demand: shares,
        ..Direction::default()
    })
}

impl Work for Tracing {
    /// One unit of budget is a millisecond or less, and a point takes several.
    fn step(&mut self, budget: u32) -> Result<c::JobStep> {
        const UNITS_OF_A_POINT: u32 = 8;
        for _ in 0..budget.div_ceil(UNITS_OF_A_POINT) {
            if self.done {
                break;
            }
            self.advance()?;
        }
        Ok(c::JobStep {
            done: self.done,
            fraction: if self.done { 1.0 } else { self.fraction },
            at_mw: Some(plain(self.growth() * self.state.problem.network.case.network.base_mva)),
            ..c::JobStep::default()
        })
    }

    fn finish(self: Box<Self>) -> Result<Product> {
        let reply = Reply::new(&self.curve()?, Vec::new());
        Ok(reply.into())
    }
}
