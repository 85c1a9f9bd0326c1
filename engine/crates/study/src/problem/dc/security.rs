//! The options `security` and `soft`: which limits after outages a DC OPF enforces, and what exceeding limits costs.

use super::{Dc, DcState};
use crate::case::Case;
use crate::contract::{self as c, BindingLimit, EmergencyRating, Monitored, OutageOf, Outages, SourceRating};
use crate::convert::{branch_ref, element, new_diagnostic};
use crate::edits::branch_row;
use std::sync::Arc;
use wattbook_network::analysis::{AnalysisNetwork, Branch, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::{amounts, Message};
use wattbook_solve::dc::{self, DcData, DcModel, LimitRule, Pool, Secured, Security, SecurityLimits};
use wattbook_solve::vocabulary::Direction;

/// Price of exceeding limits after outages, $/MWh, between those that markets use, 1,500 to 5,000.
const PENALTY: f64 = 2000.0;
/// Emergency ratings beyond this multiple of the rating are placeholders.
const PLACEHOLDER: f64 = 3.0;
/// Limit after outages where the source has no emergency ratings, as a multiple of the rating.
const FACTOR: f64 = 1.2;

/// Security of a case.
#[derive(Debug)]
pub(super) struct Secure {
    /// The program without rows for outages.
    pub network: Arc<DcModel>,
    pub security: Security,
    /// The rule of limits after outages.
    emergency: Option<EmergencyRating>,
    /// $/MWh.
    penalty: f64,
    base_penalty: Option<f64>,
}

/// A request that the case cannot meet.
fn refused(message: Message) -> EngineError {
    EngineError::new("INPUT.REQUEST", message)
}

/// Security by the options of a formulation; `None` without them.
///
/// Errors: `INPUT.REQUEST`, `BRANCH.UNKNOWN`.
fn open(case: &Case, options: &c::SolveOptions, model: &Arc<DcModel>) -> Result<Option<Arc<Secure>>> {
    if options.security.is_none() && options.soft.is_none() {
        return Ok(None);
    }
    let network = &case.network;
    let soft = options.soft.clone().unwrap_or_default();
    let price = |price: Option<f64>| match price {
        Some(price) if !(price > 0.0 && price.is_finite()) => Err(refused(message!("security.penalty"))),
        price => Ok(price),
    };
    let (penalty, base_penalty) = (price(soft.outages)?.unwrap_or(PENALTY), price(soft.base)?);
    let is_rated = |b: &Branch| b.in_service && !b.rating_is_fallback && b.rating_pu.is_finite();
    let mut limits = SecurityLimits {
        penalty: penalty * network.base_mva,
        base_penalty: base_penalty.map(|price| price * network.base_mva),
        after_outages: vec![None; network.branches.len()],
        soft_ratings: network.branches.iter().map(is_rated).collect(),
        outages: Vec::new(),
    };
    let mut emergency = None;
    if let Some(security) = &options.security {
        let rule = rule(network, security.emergency.as_ref())?;
        limits.outages = outages(case, security.outages.as_ref())?;
        let monitored = monitored(case, security.monitored.as_ref())?;
        for (k, branch) in network.branches.iter().enumerate() {
            if is_rated(branch) && monitored[k] {
                limits.after_outages[k] = Some(limit_rule(&rule, branch));
            }
        }
        emergency = Some(rule);
    }
    Ok(Some(Arc::new(Secure {
        security: Security::new(model, limits)?,
        network: Arc::clone(model),
        emergency,
        penalty,
        base_penalty,
    })))
}

/// Dense rows of the branches of each outage.
fn outages(case: &Case, requested: Option<&Outages>) -> Result<Vec<Vec<usize>>> {
    match requested {
        None | Some(Outages::All(_)) => {
            let branches = case.network.branches.iter().enumerate();
            Ok(branches
                .filter(|(_, b)| b.in_service)
                .map(|(row, _)| vec![row])
                .collect())
        }
        Some(Outages::List(list)) => {
            let rows = |outage: &OutageOf| match outage {
                OutageOf::Branch(key) => Ok(vec![branch_row(case, key)?]),
                OutageOf::Together(keys) => keys.iter().map(|key| branch_row(case, key)).collect(),
            };
            list.iter().map(rows).collect()
        }
    }
}

/// By branch, whether it is monitored after outages.
fn monitored(case: &Case, requested: Option<&Monitored>) -> Result<Vec<bool>> {
    let network = &case.network;
    match requested {
        None => Ok(vec![true; network.branches.len()]),
        Some(Monitored::FromKv(kv)) => {
            let is_above = |b: &Branch| [b.from, b.to].iter().all(|&bus| network.buses[bus].base_kv >= *kv);
            Ok(network.branches.iter().map(is_above).collect())
        }
        Some(Monitored::Branches(keys)) => {
            let mut found = vec![false; network.branches.len()];
            for key in keys {
                found[branch_row(case, key)?] = true;
            }
            Ok(found)
        }
    }
}

/// The limit of a branch after outages.
fn limit_rule(rule: &EmergencyRating, branch: &Branch) -> LimitRule {
    let [b, c] = branch.emergency_ratings_pu;
    let of_source = match *rule {
        EmergencyRating::Factor(rate) => return LimitRule { rate, constant: 0.0 },
        EmergencyRating::OfSource(SourceRating::RateB) => b,
        EmergencyRating::OfSource(SourceRating::RateC) => c,
    };
    LimitRule {
        rate: 1.0,
        constant: of_source.map_or(0.0, |limit| limit - branch.rating_pu),
    }
}

/// The rule of limits after outages.
fn rule(network: &AnalysisNetwork, requested: Option<&EmergencyRating>) -> Result<EmergencyRating> {
    match requested {
        Some(EmergencyRating::Factor(factor)) if !(*factor > 0.0 && factor.is_finite()) => {
            Err(refused(message!("security.factor")))
        }
        Some(rule) => Ok(rule.clone()),
        None => {
            let rated = network
                .branches
                .iter()
                .filter(|b| b.in_service && !b.rating_is_fallback);
            let ratios = rated.filter_map(|b| Some(b.emergency_ratings_pu[1]? / b.rating_pu));
            let most = ratios.fold(0.0f64, f64::max);
            Ok(match most > 1.0 && most <= PLACEHOLDER {
                true => EmergencyRating::OfSource(SourceRating::RateC),
                false => EmergencyRating::Factor(FACTOR),
            })
        }
    }
}

impl Secure {
    /// The optimum at data of the network; `from` is the base state.
    ///
    /// Errors: `SOLVE.*`.
    pub fn optimum(&self, network: &DcModel, data: &DcData, from: Option<&DcState>) -> Result<Secured> {
        let from = from.and_then(|state| Some((&state.dc().model, &state.solution, state.pool.as_ref()?)));
        self.security.optimum(network, data, from)
    }

    fn ids(&self, network: &AnalysisNetwork, outage: usize) -> Vec<u64> {
        let branches = self.security.limits().outages[outage].iter();
        branches.map(|&row| network.branches[row].id).collect()
    }

    /// The report of a state.
    pub fn report(&self, state: &DcState, pool: &Pool) -> c::SecurityReport {
        let (model, solution) = (&state.dc().model, &state.solution);
        let network = &state.dc().case.network;
        let base = network.base_mva;
        let (splitting, idle) = self.security.left_out();
        let (penalties, excess) = model.penalties(solution);
        let binding = pool.binding(&self.security, model, solution);
        c::SecurityReport {
            outages: self.security.count() as u32,
            splitting: splitting.iter().map(|&k| self.ids(network, k)).collect(),
            without_effect: idle.iter().map(|&k| self.ids(network, k)).collect(),
            monitored: self.security.monitored() as u32,
            emergency: self.emergency.clone(),
            penalty_usd_per_mwh: self.emergency.is_some().then_some(self.penalty),
            base_penalty_usd_per_mwh: self.base_penalty,
            penalties_usd_per_h: penalties,
            excess_mw: excess * base,
            worst_violation_mw: pool.worst_violation * base,
            rounds: pool.rounds as u32,
            binding: binding
                .iter()
                .map(|pair| BindingLimit {
                    branch: network.branches[pair.branch].id,
                    outage: pair.outage.map(|k| self.ids(network, k)).unwrap_or_default(),
                    flow_mw: pair.flow * base,
                    limit_mw: pair.limit * base,
                    excess_mw: pair.excess * base,
                    shadow_usd_per_mwh: pair.shadow / base,
                })
                .collect(),
        }
    }
}

/// What a report says in sentences: the rule of its limits, those that set prices, and what is exceeded or left out.
pub(super) fn diagnostics(case: &Case, report: &c::SecurityReport) -> Vec<c::Diagnostic> {
    let row = |id: &u64| case.keys.branch(&id.to_string());
    let branch = |id: &u64| row(id).map(|row| branch_ref(&case.network.branches[row]));
    let named = |ids: &[u64]| -> Vec<ElementRef> { ids.iter().filter_map(branch).collect() };
    let mut found = Vec::new();
    let mut add = |code: &str, message: Message, at: Option<&ElementRef>| {
        found.push(new_diagnostic(code, &message, at.map(element)));
    };
    if let Some(rule) = &report.emergency {
        let count = report.outages as usize;
        let rule = match rule {
            EmergencyRating::Factor(factor) => {
                message!(
                    "result.security_factor",
                    count = count,
                    factor = amounts::plain(*factor, "")
                )
            }
            EmergencyRating::OfSource(SourceRating::RateB) => {
                message!("result.security_source", count = count, column = "RATE_B")
            }
            EmergencyRating::OfSource(SourceRating::RateC) => {
                message!("result.security_source", count = count, column = "RATE_C")
            }
        };
        add("SECURITY.RULE", rule, None);
    }
    let after: Vec<&BindingLimit> = report
        .binding
        .iter()
        .filter(|l| !l.outage.is_empty() && l.shadow_usd_per_mwh > 0.0)
        .collect();
    let highest = after
        .iter()
        .max_by(|a, b| a.shadow_usd_per_mwh.total_cmp(&b.shadow_usd_per_mwh));
    if let Some((limit, line)) = highest.and_then(|limit| Some((limit, branch(&limit.branch)?))) {
        let message = message!(
            "result.security_binding",
            count = after.len(),
            branch = &line,
            outages = named(&limit.outage),
            shadow = amounts::usd_per_mwh(limit.shadow_usd_per_mwh)
        );
        add("SECURITY.BINDING", message, Some(&line));
    }
    if report.penalties_usd_per_h > 0.0 {
        let message = message!(
            "result.security_exceeded",
            excess = amounts::mw(report.excess_mw),
            cost = amounts::usd_per_h(report.penalties_usd_per_h)
        );
        add("SECURITY.EXCEEDED", message, None);
    }
    if let Some(first) = report.splitting.first() {
        let branches = named(first);
        let at = branches.first().cloned();
        let message = message!(
            "result.security_splitting",
            count = report.splitting.len(),
            branches = branches
        );
        add("SECURITY.SPLITTING", message, at.as_ref());
    }
    found
}

impl Dc {
    /// The model of a case with the options `security` and `soft`.
    ///
    /// Errors: those of the model, `INPUT.REQUEST`.
    pub fn secured(case: &Arc<Case>, options: &c::SolveOptions) -> Result<Self> {
        let mut dc = Self::new(case, options)?;
        dc.secure = open(case, options, &dc.model)?;
        Ok(dc)
    }

    /// The program without rows for outages.
    pub fn network_model(&self) -> &DcModel {
        self.secure.as_ref().map_or(&self.model, |secure| &secure.network)
    }
}

impl DcState {
    /// The branch of a row of the program, and the ids of the branches out of service where its limit is one after an
    /// outage.
    pub fn limit_of(&self, row: usize) -> (usize, Vec<u64>) {
        let Dc {
            case, model, secure, ..
        } = self.dc();
        let pair = secure.as_ref().zip(self.pool.as_ref()).and_then(|(secure, pool)| {
            let (branch, outage) = pool.pair_of(&secure.security, model, row)?;
            let ids = outage.map(|outage| secure.ids(&case.network, outage));
            Some((branch, ids.unwrap_or_default()))
        });
        pair.unwrap_or((row, Vec::new()))
    }

    /// The optimum with its security; `None` without it.
    fn secured(&self) -> Option<(&Secure, Secured)> {
        let secured = Secured {
            program: Arc::clone(&self.dc().model),
            solution: self.solution.clone(),
            pool: self.pool.clone()?,
        };
        Some((self.dc().secure.as_ref()?, secured))
    }

    /// This state with a row for every pair that breaks in the interval of its active set along a direction, so that
    /// derivatives along it have the true interval; `None` without security.
    ///
    /// Errors: the codes of edits.
    pub fn along_direction(&self, direction: &Direction) -> Result<Option<Self>> {
        let Some((secure, at)) = self.secured() else {
            return Ok(None);
        };
        let data = self.dc().data(&self.edits)?;
        let found = secure.security.along(&secure.network, &data, at, direction);
        Ok(Some(self.in_program(found)))
    }

    /// This state with a row for every pair that breaks on a path from it along a direction; `None` if none does.
    ///
    /// Errors: the codes of edits.
    pub fn beyond(&self, path: &dc::Path, direction: &Direction) -> Result<Option<Self>> {
        let Some((secure, at)) = self.secured() else {
            return Ok(None);
        };
        let data = self.dc().data(&self.edits)?;
        let regions = path.regions.iter();
        let vertices = regions.map(|region| (region.to, region.dispatch_at(region.to)));
        let found = secure.security.beyond(&secure.network, &data, &at, direction, vertices);
        Ok(found.map(|found| self.in_program(found)))
    }

    /// This optimum in a program with further rows.
    fn in_program(&self, found: Secured) -> Self {
        Self {
            problem: Arc::new(self.problem.with(found.program)),
            base: self.base.clone(),
            edits: self.edits.clone(),
            solution: found.solution,
            pool: Some(found.pool),
        }
    }
}
