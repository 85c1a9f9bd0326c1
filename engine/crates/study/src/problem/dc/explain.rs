//! Explanations of why edits have no solution, in the contract's types.

use super::Dc;
use crate::contract as c;
use crate::convert::{kind_name, plain, sentence};
use crate::edits::Edits;
use crate::problem::assumed;
use serde_json::json;
use wattbook_network::analysis::{AnalysisNetwork, ElementKind, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::{mw, usd_per_mwh};
use wattbook_network::message::Message;
use wattbook_solve::dc::{self, DcData, DcModel, DcOptimizer, DualActiveSet, Kind, Limit};

impl Dc {
    /// Adds to a solve's error what is certain at once: the contradiction and a lower bound of its size. The minimum
    /// relaxation takes a job (`Explaining`).
    pub(crate) fn refused(&self, error: EngineError, data: &DcData) -> EngineError {
        if error.code != "SOLVE.INFEASIBLE" {
            return error;
        }
        if let Some(contradiction) = self.contradicting_limits(data) {
            return contradiction.refused();
        }
        let error = dc::certain(&self.model, data, error);
        let short = shortfall_mw(&error).map(|mw| within(mw, true)).filter(|mw| *mw > 0.0);
        let error = match (reason_of(&error), short) {
            (Some(reason), Some(short)) => {
                let reason = reason.clone();
                // Here supply exceeds demand.
                let is_surplus = matches!(reason.key, "reason.minimum_output" | "reason.minimum_output_island");
                let message = match is_surplus {
                    true => message!("no_solution.surplus", reason = reason, shortfall = mw(short)),
                    false => message!("no_solution.short", reason = reason, shortfall = mw(short)),
                };
                error.with_sentence(message)
            }
            _ => error,
        };
        assumed::refused(&self.case.network, error)
    }

    /// Adds the limit of the demand where a single bus was edited.
    pub(crate) fn add_demand_limit(&self, edits: &Edits, data: &DcData, e: &mut c::Explanation) {
        let mut demands = edits.demand.iter();
        if let (Some((&row, &edit_mw)), None) = (demands.next(), demands.next()) {
            let limit = match e.kind {
                c::ExplanationKind::Unbounded => None,
                _ => self.demand_limit(data, row, edit_mw),
            };
            if let Some((limit, message)) = limit {
                e.message = format!("{} {}", e.message, limit.message);
                let key = match e.sentence.values.contains_key("assumed") {
                    true => "no_solution.explained_assumed_limit",
                    false => "no_solution.explained_limit",
                };
                e.sentence.key = key.into();
                let message = c::MessageValue::Message(sentence(&message));
                e.sentence.values.insert("limit".into(), message);
                e.demand_limit = Some(limit);
            }
        }
    }

    /// The furthest feasible demand of a bus from the base case towards an edit of `edit_mw`; `None` where even the
    /// base case has no solution.
    fn demand_limit(&self, data: &DcData, row: usize, edit_mw: f64) -> Option<(c::DemandLimit, Message)> {
        let base = self.case.network.base_mva;
        let back = dc::demand_limit(&self.model, data, row, edit_mw / base).ok()??;
        let demand = (data.demand[row] - back) * base;
        let bus = &self.case.network.buses[row];
        let is_most = edit_mw > 0.0;
        let (element, rounded) = (ElementRef::from(bus), mw(within(demand, is_most)));
        let message = if is_most {
            message!("limit.most", bus = &element, demand = rounded)
        } else {
            message!("limit.least", bus = &element, demand = rounded)
        };
        let limit = c::DemandLimit {
            element: named(&self.case.network, ElementKind::Bus, bus.id, bus.uid.clone()),
            demand_mw: plain(demand),
            edit_mw: plain(edit_mw - back * base),
            is_most,
            message: message.to_string(),
        };
        Some((limit, message))
    }

    /// The generator that makes the problem unbounded, verified by two optima with its output limited far out.
    ///
    /// Errors: the solver's own where the two optima do not show it.
    pub(crate) fn unbounded(&self, data: &DcData, error: EngineError) -> Result<c::Explanation> {
        let open = |e: &ElementRef| {
            let generators = &self.case.network.generators;
            generators
                .iter()
                .position(|g| e.kind == ElementKind::Generator && e.id == g.id)
        };
        let Some(row) = error.element.as_deref().and_then(open) else {
            return Err(error);
        };
        let base = self.case.network.base_mva;
        let reach = 1.0 + self.reach(data);
        let at = |far: f64| {
            let mut network = (*self.case.network).clone();
            for g in &mut network.generators {
                (g.pmin_pu, g.pmax_pu) = (g.pmin_pu.max(-far), g.pmax_pu.min(far));
            }
            let model = DcModel::new(&network, self.model.convention())?;
            DualActiveSet.optimum(&model, data, None)
        };
        let far = [10.0 * reach, 20.0 * reach];
        let (near, further) = (at(far[0])?, at(far[1])?);
        let grown = further.dispatch[row] - near.dispatch[row];
        let slope = (further.objective - near.objective) / (grown.abs() * base);
        if grown.abs() < 0.5 * reach || slope.is_nan() || slope >= 0.0 {
            return Err(error);
        }
        let generator = &self.case.network.generators[row];
        let element = ElementRef::from(generator);
        let saving = usd_per_mwh(-slope);
        let (limit, reason, remedy) = if grown > 0.0 {
            (
                c::LimitKind::Maximum,
                message!("reason.no_maximum", generator = &element, saving = saving),
                message!("remedy.give_maximum", generator = &element),
            )
        } else {
            (
                c::LimitKind::Minimum,
                message!("reason.no_minimum", generator = &element, saving = saving),
                message!("remedy.give_minimum", generator = &element),
            )
        };
        let message = message!(
            "no_solution.explained",
            reason = reason.clone(),
            remedy = remedy.clone()
        );
        Ok(c::Explanation {
            kind: c::ExplanationKind::Unbounded,
            message: message.to_string(),
            reason: reason.to_string(),
            remedy: remedy.to_string(),
            sentence: sentence(&message),
            elements: vec![c::ContradictingLimit {
                element: named(
                    &self.case.network,
                    ElementKind::Generator,
                    generator.id,
                    generator.uid.clone(),
                ),
                limit,
                weight: 1.0,
                limit_mw: None,
                rating_assumed: false,
            }],
            relaxation: Vec::new(),
            relaxation_total_mw: 0.0,
            is_least: true,
            demand_limit: None,
            verified: c::ExplanationCheck {
                bound_mw: 0.0,
                gap_mw: 0.0,
                margin_mw: 0.0,
                slope_usd_per_mwh: Some(slope),
            },
        })
    }

    /// Bound on the sum of demand, shunts and limited generation, per unit.
    fn reach(&self, data: &DcData) -> f64 {
        let buses = self.case.network.conductance_pu().into_iter().zip(&data.demand);
        let finite = |limit: f64| if limit.is_finite() { limit.abs() } else { 0.0 };
        let generators = self.case.network.generators.iter();
        buses
            .map(|(conductance, demand)| demand.abs() + conductance.abs())
            .sum::<f64>()
            + generators.map(|g| finite(g.pmin_pu) + finite(g.pmax_pu)).sum::<f64>()
    }
}

/// Hard limits after outages and of interfaces that no dispatch holds together.
pub(crate) struct Contradiction {
    found: dc::LeastExcess,
    base: f64,
}

impl Contradiction {
    fn total_mw(&self) -> f64 {
        self.base * self.exceeded().map(|limit| limit.excess).sum::<f64>()
    }

    fn exceeded(&self) -> impl Iterator<Item = &dc::Exceeded> {
        self.found.limits.iter().filter(|limit| limit.excess > 0.0)
    }

    fn reason(&self) -> Message {
        let limits: Vec<ElementRef> = self.found.limits.iter().map(|limit| limit.element.clone()).collect();
        message!("reason.security", limits = limits)
    }

    fn remedy(&self) -> Message {
        message!(
            "remedy.security",
            count = self.exceeded().count(),
            total = mw(within(self.total_mw(), true)),
            limit = &self.found.limits[0].element
        )
    }

    fn sentence(&self) -> Message {
        message!("no_solution.explained", reason = self.reason(), remedy = self.remedy())
    }

    /// The error of a solve.
    pub fn refused(self) -> EngineError {
        EngineError::new("SOLVE.INFEASIBLE", self.sentence())
            .at(self.found.limits[0].element.clone())
            .with_details(json!({ "kind": "lines", "shortfall_mw": self.total_mw() }))
    }

    pub fn explanation(&self, network: &AnalysisNetwork) -> c::Explanation {
        let element = |of: &ElementRef| c::NamedElement {
            outage: of.outage().branches,
            generators_out: of.outage().generators,
            ..named(network, of.kind, of.id, of.uid.clone())
        };
        let (message, total) = (self.sentence(), self.total_mw());
        let relaxed = |limit: &dc::Exceeded| c::RelaxedLimit {
            element: element(&limit.element),
            limit: c::LimitKind::Rating,
            mw: limit.excess * self.base,
            rounded_mw: within(limit.excess * self.base, false),
            angle_deg: None,
            voltage_pu: None,
            rating_assumed: false,
        };
        let relaxation: Vec<c::RelaxedLimit> = self.exceeded().map(relaxed).collect();
        let rounding = relaxation.iter().map(|limit| limit.rounded_mw - limit.mw);
        let (margin_mw, gap_mw) = (rounding.fold(0.0, f64::max), self.found.gap * self.base);
        c::Explanation {
            kind: c::ExplanationKind::Lines,
            message: message.to_string(),
            reason: self.reason().to_string(),
            remedy: self.remedy().to_string(),
            sentence: sentence(&message),
            elements: self
                .found
                .limits
                .iter()
                .map(|limit| c::ContradictingLimit {
                    element: element(&limit.element),
                    limit: c::LimitKind::Rating,
                    weight: limit.weight,
                    limit_mw: Some(limit.limit * self.base),
                    rating_assumed: false,
                })
                .collect(),
            relaxation,
            relaxation_total_mw: total,
            is_least: true,
            demand_limit: None,
            verified: c::ExplanationCheck {
                bound_mw: total - gap_mw,
                gap_mw,
                margin_mw,
                slope_usd_per_mwh: None,
            },
        }
    }
}

impl Dc {
    /// Why hard limits after outages and of interfaces have no dispatch at these data; `None` where they have one, or
    /// where other limits have none.
    pub fn contradicting_limits(&self, data: &DcData) -> Option<Contradiction> {
        let secure = self.secure.as_ref().filter(|secure| secure.security.is_hard())?;
        let wider = secure.network.reaching(data);
        let network = wider.as_ref().unwrap_or(&secure.network);
        let found = secure.security.least_excess(network, data).ok()?;
        let base = self.case.network.base_mva;
        found.limits.first().filter(|limit| limit.excess > 0.0)?;
        Some(Contradiction { found, base })
    }
}

/// The certain shortfall, from the details of a refusal.
fn shortfall_mw(error: &EngineError) -> Option<f64> {
    error.details.as_ref()?.get("shortfall_mw")?.as_f64()
}

/// The contradiction in the solver's error; `None` for other errors.
pub(crate) fn reason_of(error: &EngineError) -> Option<&Message> {
    error.sentence.part("reason")
}

/// MW with the decimals of [`mw`], rounded down (or up) into the feasible range.
pub(crate) fn within(mw: f64, is_most: bool) -> f64 {
    let digits = if mw.abs() < 1.0 { 1000.0 } else { 10.0 };
    let rounded = if is_most {
        (mw * digits + 1e-6).floor()
    } else {
        (mw * digits - 1e-6).ceil()
    };
    rounded / digits + 0.0
}

/// The solver's explanation with named elements.
pub(crate) fn named_explanation(network: &AnalysisNetwork, e: &dc::Explanation) -> c::Explanation {
    let element = |e: &ElementRef| named(network, e.kind, e.id, e.uid.clone());
    let message = e.message();
    let mut explanation = c::Explanation {
        kind: match e.kind {
            Kind::Bounds => c::ExplanationKind::Bounds,
            Kind::Balance => c::ExplanationKind::Balance,
            Kind::Lines => c::ExplanationKind::Lines,
        },
        message: message.to_string(),
        reason: e.reason.to_string(),
        remedy: e.remedy(None).to_string(),
        sentence: sentence(&message),
        elements: e
            .elements
            .iter()
            .map(|limit| c::ContradictingLimit {
                element: element(&limit.element),
                limit: limit_kind(limit.limit),
                weight: limit.weight,
                limit_mw: limit.limit_mw.map(plain),
                rating_assumed: false,
            })
            .collect(),
        relaxation: e
            .relaxation
            .iter()
            .map(|r| c::RelaxedLimit {
                element: element(&r.element),
                limit: limit_kind(r.limit),
                mw: plain(r.mw),
                rounded_mw: plain(r.rounded_mw),
                angle_deg: (r.angle_deg > 0.0).then_some(r.angle_deg),
                voltage_pu: None,
                rating_assumed: false,
            })
            .collect(),
        relaxation_total_mw: plain(e.relaxation_total_mw),
        is_least: e.is_least,
        demand_limit: None,
        verified: c::ExplanationCheck {
            bound_mw: plain(e.verified.bound_mw),
            gap_mw: plain(e.verified.gap_mw),
            margin_mw: e.verified.margin_mw,
            slope_usd_per_mwh: None,
        },
    };
    assumed::mark(network, &mut explanation);
    explanation
}

fn limit_kind(limit: Limit) -> c::LimitKind {
    match limit {
        Limit::Rating => c::LimitKind::Rating,
        Limit::Angle => c::LimitKind::Angle,
        Limit::RatingAndAngle => c::LimitKind::RatingAndAngle,
        Limit::Minimum => c::LimitKind::Minimum,
        Limit::Maximum => c::LimitKind::Maximum,
        Limit::Demand => c::LimitKind::Demand,
        Limit::Injection => c::LimitKind::Injection,
    }
}

fn named(network: &AnalysisNetwork, kind: ElementKind, id: u64, uid: Option<String>) -> c::NamedElement {
    let bus_id = |row: usize| network.buses[row].id;
    let (name, buses) = match kind {
        ElementKind::Bus => {
            let bus = network.buses.iter().find(|b| b.id == id);
            (bus.and_then(|b| b.name.clone()), None)
        }
        ElementKind::Branch => {
            let branch = network.branches.iter().find(|b| b.id == id);
            (None, branch.map(|b| vec![bus_id(b.from), bus_id(b.to)]))
        }
        ElementKind::Generator => {
            let generator = network.generators.iter().find(|g| g.id == id);
            (None, generator.map(|g| vec![bus_id(g.bus)]))
        }
        _ => (None, None),
    };
    c::NamedElement {
        kind: kind_name(kind).into(),
        id,
        uid,
        name,
        buses,
        ..c::NamedElement::default()
    }
}
