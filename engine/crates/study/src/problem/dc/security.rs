//! The options `security`, `limits` and `soft`: limits after outages and of interfaces in DC OPF, and what exceeding
//! limits costs.

use super::{Dc, DcState};
use crate::case::Case;
use crate::contract::ElementKey;
use crate::contract::{
    self as c, AllOutages, BindingLimit, EmergencyRating, ExcessPrice, HardLimit, Monitored, OutageOf, Outages,
    SourceRating,
};
use crate::convert::{element, new_diagnostic, plain};
use crate::edits::{branch_row, generator_row, limited, ColumnTarget, Edits};
use std::sync::{Arc, OnceLock};
use wattbook_network::analysis::{AnalysisNetwork, Branch, ElementKind, ElementRef, OutageIds};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::{amounts, Message};
use wattbook_solve::dc::{self, Contingency, DcData, DcModel, LimitRule, Pool, Secured, Security, SecurityLimits};
use wattbook_solve::vocabulary::Direction;

/// Price of exceeding limits after outages, $/MWh, between those that markets use, 1,500 to 5,000.
const PENALTY: f64 = 2000.0;
/// Price of exceeding limits of interfaces, $/MWh.
const INTERFACE_PENALTY: f64 = 5000.0;
/// Emergency ratings beyond this multiple of the rating are placeholders.
const PLACEHOLDER: f64 = 3.0;
/// Costs below this are rounding, $/h.
const LEAST_COST: f64 = 0.005;
/// Lost load below this is rounding, per unit.
const LEAST_LOST: f64 = 1e-9;
/// Limit after outages where the source has no emergency ratings, as a multiple of the rating.
const FACTOR: f64 = 1.2;

/// Security of a case.
#[derive(Debug)]
pub(super) struct Secure {
    /// The program without rows for outages.
    pub network: Arc<DcModel>,
    pub security: Security,
    /// The same without limits after outages and of interfaces; `None` if there are none.
    plain: Option<Security>,
    /// The rule of limits after outages.
    emergency: Option<EmergencyRating>,
    /// By outage, its name in the list that it is from.
    names: Vec<Option<String>>,
    raised: Vec<dc::RaisedLimit>,
    /// The optimum without edits, if there is one.
    start: Option<(DcData, Secured)>,
}

/// A request that the case cannot meet.
fn refused(message: Message) -> EngineError {
    EngineError::new("INPUT.REQUEST", message)
}

/// What the options secure, and the rule of limits after outages; `None` without them.
///
/// Errors: `INPUT.REQUEST`, `BRANCH.UNKNOWN`, `GENERATOR.UNKNOWN`.
fn limits(case: &Case, options: &c::SolveOptions) -> Result<Option<(SecurityLimits, Option<EmergencyRating>)>> {
    if options.security.is_none() && options.soft.is_none() && options.limits.is_none() {
        return Ok(None);
    }
    let network = &case.network;
    let soft = options.soft.clone().unwrap_or_default();
    let price = |price: Option<f64>| Ok::<_, EngineError>(penalty_price(price)?.map(|price| price * network.base_mva));
    let of_excess = |requested: Option<ExcessPrice>, usual: f64| match requested {
        Some(ExcessPrice::Hard(HardLimit::Hard)) => Ok(None),
        Some(ExcessPrice::UsdPerMwh(requested)) => price(Some(requested)),
        None => price(Some(usual)),
    };
    let is_rated = |b: &Branch| b.in_service && !b.rating_is_fallback && b.rating_pu.is_finite();
    let mut limits = SecurityLimits {
        penalty: of_excess(soft.outages, PENALTY)?,
        base_penalty: price(soft.base)?,
        after_outages: vec![None; network.branches.len()],
        soft_ratings: network.branches.iter().map(is_rated).collect(),
        outages: Vec::new(),
        participation: participation(case, options)?,
        interfaces: interfaces(case, &limited(options, &case.interfaces))?,
        interface_penalty: of_excess(soft.interfaces, INTERFACE_PENALTY)?,
    };
    let Some(security) = &options.security else {
        return Ok(Some((limits, None)));
    };
    let rule = rule(network, security.emergency.as_ref())?;
    limits.outages = outages(case, security.outages.as_ref())?;
    let monitored = monitored(case, security.monitored.as_ref())?;
    for (k, branch) in network.branches.iter().enumerate() {
        if is_rated(branch) && monitored[k] {
            limits.after_outages[k] = Some(limit_rule(&rule, branch));
        }
    }
    Ok(Some((limits, Some(rule))))
}

/// The interfaces of a request, with their edits.
fn interfaces(case: &Case, requested: &[c::InterfaceLimit]) -> Result<Vec<dc::Interface>> {
    let base = case.network.base_mva;
    let mut found: Vec<dc::Interface> = Vec::with_capacity(requested.len());
    for interface in requested {
        let name = &interface.name;
        if name.trim().is_empty() || found.iter().any(|other| other.name == *name) {
            return Err(refused(message!("security.interface_name", name = name)));
        }
        let mut flows = Vec::with_capacity(interface.branches.len());
        for c::InterfaceBranch { branch, weight } in &interface.branches {
            flows.push((branch_row(case, branch)?, weight.unwrap_or(1.0)));
        }
        let weights_hold = flows.iter().all(|(_, weight)| weight.is_finite() && *weight != 0.0);
        if flows.is_empty() || !weights_hold {
            return Err(refused(message!("security.interface_weights", name = name)));
        }
        let (min, max) = (interface.min_mw, interface.max_mw);
        let are_finite = [min, max].into_iter().flatten().all(f64::is_finite);
        let (lower, upper) = (min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY));
        if min.or(max).is_none() || !are_finite || lower > upper {
            return Err(refused(message!("security.interface_limits", name = name)));
        }
        found.push(dc::Interface {
            name: name.clone(),
            flows,
            lower: lower / base,
            upper: upper / base,
            outage: interface
                .outage
                .as_ref()
                .map_or_else(|| Ok(Contingency::default()), |out| outage(case, out))?,
        });
    }
    Ok(found)
}

/// Dense rows of the elements of an outage.
fn outage(case: &Case, requested: &OutageOf) -> Result<Contingency> {
    let rows = |keys: &[ElementKey]| keys.iter().map(|key| branch_row(case, key)).collect::<Result<Vec<_>>>();
    Ok(match requested {
        OutageOf::Branch(key) => Contingency {
            branches: vec![branch_row(case, key)?],
            ..Contingency::default()
        },
        OutageOf::Together(keys) => Contingency {
            branches: rows(keys)?,
            ..Contingency::default()
        },
        OutageOf::Elements {
            branches, generators, ..
        } => Contingency {
            branches: rows(branches)?,
            generators: generators
                .iter()
                .map(|key| generator_row(case, key))
                .collect::<Result<_>>()?,
        },
    })
}

/// Dense rows of the elements of each outage.
fn outages(case: &Case, requested: Option<&Outages>) -> Result<Vec<Contingency>> {
    let which = match requested {
        None => AllOutages::All,
        Some(Outages::All(which)) => *which,
        Some(Outages::List(list)) => return list.iter().map(|out| outage(case, out)).collect(),
    };
    let mut found = Vec::new();
    if which != AllOutages::Units {
        let branches = case.network.branches.iter().enumerate();
        found.extend(branches.filter(|(_, b)| b.in_service).map(|(row, _)| Contingency {
            branches: vec![row],
            ..Contingency::default()
        }));
    }
    if which != AllOutages::All {
        let generators = case.network.generators.iter().enumerate();
        found.extend(generators.filter(|(_, g)| g.in_service).map(|(row, _)| Contingency {
            generators: vec![row],
            ..Contingency::default()
        }));
    }
    Ok(found)
}

/// The names of listed outages.
fn names(options: &c::SolveOptions) -> Vec<Option<String>> {
    let name = |out: &OutageOf| match out {
        OutageOf::Elements { name, .. } => name.clone(),
        OutageOf::Branch(_) | OutageOf::Together(_) => None,
    };
    match options.security.as_ref().and_then(|security| security.outages.as_ref()) {
        Some(Outages::List(list)) => list.iter().map(name).collect(),
        _ => Vec::new(),
    }
}

/// By generator, the factor by which it participates in replacing the output of others. Those of the source do not move
/// with edits of limits, so that paths along these have the same rows.
fn participation(case: &Case, options: &c::SolveOptions) -> Result<Vec<f64>> {
    let generators = &case.network.generators;
    let requested = options.security.as_ref().and_then(|s| s.participation.as_ref());
    let mut found = vec![0.0; generators.len()];
    let Some(requested) = requested else {
        let source = case.original().network.generators.iter();
        for ((found, generator), source) in found.iter_mut().zip(generators).zip(source) {
            let takes_part = generator.in_service && source.pmax_pu > source.pmin_pu && source.pmax_pu > 0.0;
            if takes_part && source.pmax_pu.is_finite() {
                *found = source.pmax_pu;
            }
        }
        return Ok(found);
    };
    for (key, factor) in requested {
        let row = generator_row(case, &ElementKey::Key(key.clone()))?;
        let generator = ElementRef::from(&generators[row]);
        if !(*factor >= 0.0 && factor.is_finite()) {
            return Err(refused(message!("security.participation", generator = &generator)).at(generator));
        }
        found[row] = if generators[row].in_service { *factor } else { 0.0 };
    }
    Ok(found)
}

/// A price of exceeding a limit, $/MWh.
fn penalty_price(price: Option<f64>) -> Result<Option<f64>> {
    match price {
        Some(price) if !(price > 0.0 && price.is_finite()) => Err(refused(message!("security.penalty"))),
        price => Ok(price),
    }
}

/// What has terminals of its own: generators that are out of service in an outage, and lost load.
fn apart(limits: &SecurityLimits, lost_load: Option<f64>) -> dc::Apart {
    let of_interfaces = limits.interfaces.iter().map(|interface| &interface.outage);
    let outages = limits.outages.iter().chain(of_interfaces);
    let mut units: Vec<usize> = outages.flat_map(|out| out.generators.iter().copied()).collect();
    units.sort_unstable();
    units.dedup();
    dc::Apart { units, lost_load }
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
        if let (None, Some((base, start))) = (from, &self.start) {
            if data == base && std::ptr::eq(network, &*self.network) {
                return Ok(start.clone());
            }
        }
        let from = from.and_then(|state| Some((&state.dc().model, &state.solution, state.pool.as_ref()?)));
        self.security.optimum(network, data, from)
    }

    fn ids(&self, outage: usize) -> OutageIds {
        self.security.limits().outages[outage].ids(&self.network)
    }

    /// The id of a branch whose limit after the outage of that of a pair is the same row: of two parallel branches with
    /// the same impedance and limit, either takes over the other's flow.
    fn twin(&self, state: &DcState, pair: &dc::BindingPair) -> Option<u32> {
        let limits = self.security.limits();
        let Contingency { branches, generators } = &limits.outages[pair.outage?];
        let (&[out], []) = (&branches[..], &generators[..]) else {
            return None;
        };
        let network = &state.dc().case.network;
        let (own, other) = (&network.branches[pair.branch], &network.branches[out]);
        let values = |b: &Branch| [b.r_pu, b.x_pu, b.tap];
        let is_parallel = (own.from, own.to) == (other.from, other.to) && own.shift_rad == other.shift_rad
            || (own.from, own.to) == (other.to, other.from) && own.shift_rad == -other.shift_rad;
        let limit = limits.after_outages[out]?.at(state.dc().data(&state.edits).ok()?.rating[out]);
        let is_same = is_parallel && values(own) == values(other) && limit == pair.limit;
        is_same.then(|| u32::try_from(other.id).ok()).flatten()
    }

    /// The report of a state.
    pub fn report(&self, state: &DcState, pool: &Pool) -> c::SecurityReport {
        let (program, solution) = (&state.dc().model, &state.solution);
        let network = &state.dc().case.network;
        let base = network.base_mva;
        let prices = self.security.limits();
        let price = |price: Option<f64>| price.map(|price| price / base);
        let [splitting, idle, unreplaced] = self.security.left_out();
        let branches = |outages: &[usize]| outages.iter().map(|&k| self.ids(k).branches).collect();
        let (penalties, excess) = program.penalties(solution);
        let without = state.plain().and_then(|found| found.as_ref().ok());
        let binding = self.security.binding(program, solution, pool);
        let limits = self.security.limits().interfaces.iter();
        let interfaces = limits.zip(self.security.interfaces(program, solution, pool));
        let interfaces = interfaces.map(|(limit, state)| c::InterfaceFlow {
            name: limit.name.clone(),
            flow_mw: plain(state.flow * base),
            min_mw: limit.lower.is_finite().then_some(limit.lower * base),
            max_mw: limit.upper.is_finite().then_some(limit.upper * base),
            excess_mw: plain(state.excess * base),
            shadow_usd_per_mwh: plain(state.shadow / base),
        });
        let interfaces: Vec<c::InterfaceFlow> = interfaces.collect();
        let raised = |raised: &dc::RaisedLimit| {
            let outage = self.ids(raised.outage);
            c::RaisedLimit {
                branch: network.branches[raised.branch].id,
                outage: outage.branches,
                generators_out: outage.generators,
                limit_mw: raised.limit * base,
                least_mw: raised.least * base,
                raised_to_mw: raised.raised_to * base,
            }
        };
        c::SecurityReport {
            outages: self.security.count() as u32,
            splitting: branches(&splitting),
            without_effect: branches(&idle),
            generators_left_out: unreplaced.iter().map(|&k| self.ids(k).generators).collect(),
            monitored: self.security.monitored() as u32,
            raised: self.raised.iter().map(raised).collect(),
            emergency: self.emergency.clone(),
            penalty_usd_per_mwh: self.emergency.as_ref().and_then(|_| price(prices.penalty)),
            base_penalty_usd_per_mwh: price(prices.base_penalty),
            objective_without: without.map(|found| found.solution.objective),
            cost_usd_per_h: without.map(|found| {
                let (paid, _) = found.program.penalties(&found.solution);
                plain((solution.objective - penalties) - (found.solution.objective - paid))
            }),
            penalties_usd_per_h: penalties,
            excess_mw: excess * base,
            interface_penalty_usd_per_mwh: price(prices.interface_penalty).filter(|_| !interfaces.is_empty()),
            lost_load: lost_load(state),
            worst_violation_mw: pool.worst_violation * base,
            rounds: pool.rounds as u32,
            interfaces,
            binding: binding
                .iter()
                .map(|pair| (pair, pair.outage.map(|k| self.ids(k)).unwrap_or_default()))
                .map(|(pair, outage)| BindingLimit {
                    branch: network.branches[pair.branch].id,
                    outage: outage.branches,
                    generators_out: outage.generators,
                    twin: self.twin(state, pair),
                    outage_name: pair.outage.and_then(|k| self.names.get(k)?.clone()),
                    flow_mw: pair.flow * base,
                    limit_mw: pair.limit * base,
                    excess_mw: pair.excess * base,
                    shadow_usd_per_mwh: pair.shadow / base,
                })
                .collect(),
        }
    }
}

/// The demand that is not served, by bus.
fn lost_load(state: &DcState) -> Vec<c::LostLoad> {
    let Dc { case, model, .. } = state.dc();
    let lost = model.lost_loads().iter();
    let lost = lost.map(|&(bus, generator)| (bus, state.solution.dispatch[generator]));
    lost.filter(|(_, power)| *power > LEAST_LOST)
        .map(|(bus, power)| c::LostLoad {
            bus: case.network.buses[bus].id,
            mw: power * case.network.base_mva,
        })
        .collect()
}

/// What a report says in sentences: the rule of its limits, those that set prices, and what is exceeded or left out.
pub(super) fn diagnostics(case: &Case, report: &c::SecurityReport) -> Vec<c::Diagnostic> {
    let row = |id: &u64| case.keys.branch(&id.to_string());
    let branch = |id: &u64| row(id).map(|row| ElementRef::from(&case.network.branches[row]));
    let named = |ids: &[u64]| -> Vec<ElementRef> { ids.iter().filter_map(branch).collect() };
    let after = |line: ElementRef, branches: &[u64], generators: &[u64]| {
        line.after(OutageIds {
            branches: branches.to_vec(),
            generators: generators.to_vec(),
        })
    };
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
    let limits: Vec<&BindingLimit> = report
        .binding
        .iter()
        .filter(|l| l.is_after_outage() && l.shadow_usd_per_mwh > 0.0)
        .collect();
    let highest = limits
        .iter()
        .max_by(|a, b| a.shadow_usd_per_mwh.total_cmp(&b.shadow_usd_per_mwh));
    if let Some((limit, line)) = highest.and_then(|limit| Some((limit, branch(&limit.branch)?))) {
        let line = after(line, &limit.outage, &limit.generators_out);
        let message = message!(
            "result.security_binding",
            count = limits.len(),
            limit = &line,
            shadow = amounts::usd_per_mwh(limit.shadow_usd_per_mwh)
        );
        add("SECURITY.BINDING", message, Some(&line));
    }
    let interfaces = report.interfaces.iter().enumerate();
    let binding: Vec<(usize, &c::InterfaceFlow)> = interfaces.filter(|(_, i)| i.shadow_usd_per_mwh != 0.0).collect();
    let highest = binding.iter().max_by(|a, b| {
        let shadow = |i: &c::InterfaceFlow| i.shadow_usd_per_mwh.abs();
        shadow(a.1).total_cmp(&shadow(b.1))
    });
    if let Some((i, interface)) = highest {
        let named = ElementRef::interface(*i, interface.name.clone());
        let is_upper = interface.shadow_usd_per_mwh > 0.0;
        let limit = if is_upper { interface.max_mw } else { interface.min_mw };
        let message = message!(
            "result.interface_binding",
            count = binding.len(),
            interface = &named,
            limit = amounts::mw(limit.unwrap_or(f64::NAN)),
            shadow = amounts::usd_per_mwh(interface.shadow_usd_per_mwh.abs())
        );
        add("INTERFACE.BINDING", message, Some(&named));
    }
    let most = report
        .raised
        .iter()
        .max_by(|a, b| (a.least_mw - a.limit_mw).total_cmp(&(b.least_mw - b.limit_mw)));
    if let Some((limit, line)) = most.and_then(|limit| Some((limit, branch(&limit.branch)?))) {
        let line = after(line, &limit.outage, &limit.generators_out);
        let message = message!(
            "result.security_raised",
            count = report.raised.len(),
            limit = &line,
            from = amounts::mw(limit.limit_mw),
            to = amounts::mw(limit.raised_to_mw),
            least = amounts::mw(limit.least_mw)
        );
        add("SECURITY.RAISED", message, Some(&line));
    }
    if let (Some(without), Some(cost)) = (report.objective_without, report.cost_usd_per_h) {
        let cost = amounts::usd_per_h(if cost.abs() < LEAST_COST { 0.0 } else { cost });
        let without = amounts::usd_per_h(without);
        let message = match report.emergency {
            Some(_) => message!("result.security_cost", cost = cost, without = without),
            None => message!("result.interfaces_cost", cost = cost, without = without),
        };
        add("SECURITY.COST", message, None);
    }
    if report.penalties_usd_per_h > 0.0 {
        let message = message!(
            "result.security_exceeded",
            excess = amounts::mw(report.excess_mw),
            cost = amounts::usd_per_h(report.penalties_usd_per_h)
        );
        add("SECURITY.EXCEEDED", message, None);
    }
    let most = report.lost_load.iter().max_by(|a, b| a.mw.total_cmp(&b.mw));
    let most = most.and_then(|lost| Some((lost, case.keys.bus(&lost.bus.to_string())?)));
    if let Some((lost, row)) = most {
        let bus = ElementRef::from(&case.network.buses[row]);
        let message = message!(
            "result.lost_load",
            count = report.lost_load.len(),
            bus = &bus,
            most = amounts::mw(lost.mw),
            total = amounts::mw(report.lost_load.iter().map(|lost| lost.mw).sum())
        );
        add("SECURITY.LOST_LOAD", message, Some(&bus));
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
    if let Some(first) = report.generators_left_out.first() {
        let generators = first.iter().filter_map(|id| case.keys.generator(&id.to_string()));
        let generators: Vec<ElementRef> = generators.map(|row| (&case.network.generators[row]).into()).collect();
        let at = generators.first().cloned();
        let message = message!(
            "result.security_left_out",
            count = report.generators_left_out.len(),
            generators = generators
        );
        add("SECURITY.LEFT_OUT", message, at.as_ref());
    }
    found
}

/// The name of an interface whose limit an element stands for.
pub(super) fn interface_of(limit: &ElementRef) -> Option<String> {
    limit.uid.clone().filter(|_| limit.kind == ElementKind::Interface)
}

impl Dc {
    /// The model of a case with the options `security` and `soft`.
    ///
    /// Errors: those of the model, `INPUT.REQUEST`.
    pub fn secured(case: &Arc<Case>, options: &c::SolveOptions) -> Result<Self> {
        let Some((limits, emergency)) = limits(case, options)? else {
            return Self::new(case, options);
        };
        let soft = options.soft.as_ref();
        let lost_load = penalty_price(soft.and_then(|soft| soft.lost_load))?;
        let apart = apart(&limits, lost_load.map(|price| price * case.network.base_mva));
        let mut dc = Self::with_apart(case, options, &apart)?;
        let without = SecurityLimits {
            outages: Vec::new(),
            after_outages: vec![None; limits.after_outages.len()],
            interfaces: Vec::new(),
            ..limits.clone()
        };
        let is_plain = limits.outages.is_empty() && limits.interfaces.is_empty();
        let plain = (!is_plain).then(|| Security::new(&dc.model, without)).transpose()?;
        let mut security = Security::new(&dc.model, limits)?;
        let requested = options.security.as_ref().map(|s| s.raise_limits);
        let is_hard = security.limits().penalty.is_none();
        if is_hard && requested == Some(Some(true)) {
            return Err(refused(message!("security.hard_raised")));
        }
        let raises = !is_hard && requested.is_some_and(|raises| raises != Some(false));
        // A case without an optimum has no limits to raise; its solve has the error.
        let found = raises
            .then(|| security.raise_limits(&dc.model, &dc.base).ok())
            .flatten();
        let (raised, start) = found.map_or((Vec::new(), None), |(raised, start)| {
            (raised, Some((dc.base.clone(), start)))
        });
        dc.secure = Some(Arc::new(Secure {
            security,
            plain,
            emergency,
            names: names(options),
            raised,
            start,
            network: Arc::clone(&dc.model),
        }));
        Ok(dc)
    }

    /// The program without rows for outages.
    pub fn network_model(&self) -> &DcModel {
        self.secure.as_ref().map_or(&self.model, |secure| &secure.network)
    }
}

impl DcState {
    /// The optimum at these edits without limits after outages and of interfaces; `None` if there are none.
    pub fn plain(&self) -> Option<&Result<Secured>> {
        let secure = self.dc().secure.as_ref()?;
        let found = self.plain.get_or_init(|| {
            let from = self.base.as_ref().and_then(|base| base.plain()?.as_ref().ok());
            let from = from.map(|found| (&found.program, &found.solution, &found.pool));
            let plain = secure.plain.as_ref()?;
            let data = self.dc().data(&self.edits);
            Some(data.and_then(|data| match secure.network.reaching(&data) {
                Some(wider) => plain.optimum(&wider, &data, None),
                None => plain.optimum(&secure.network, &data, from),
            }))
        });
        found.as_ref()
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

    /// This state with the row of a limit of an interface; `None` for another target, or if it has the row.
    ///
    /// Errors: the codes of edits.
    pub fn with_limit(&self, target: ColumnTarget) -> Result<Option<Self>> {
        let (ColumnTarget::Interface(i, value), Some((secure, at))) = (target, self.secured()) else {
            return Ok(None);
        };
        let data = self.dc().data(&self.edits)?;
        let found = secure
            .security
            .with_interface(&secure.network, &data, &at, (i, value.into()));
        Ok(found.map(|found| self.in_program(found)))
    }

    /// This state with rows for the limits of interfaces that other edits move; `None` if it has them.
    ///
    /// Errors: the codes of edits, `INTERFACE.NO_PREVIEW`.
    pub fn with_limits_of(&self, edits: &Edits) -> Result<Option<Self>> {
        let mut limited: Option<Self> = None;
        for change in edits.interface_changes(&self.dc().options, &self.edits)? {
            let own = limited.as_ref().unwrap_or(self);
            if let Some(next) = own.with_limit(ColumnTarget::Interface(change.interface, change.value))? {
                limited = Some(next);
            }
        }
        Ok(limited)
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
            plain: OnceLock::new(),
        }
    }
}
