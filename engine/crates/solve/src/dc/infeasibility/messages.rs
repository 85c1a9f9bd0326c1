//! Conflicts and relaxations as messages: keys of the catalogue, with elements and amounts.

use crate::dc::infeasibility::explanation::{Contradicting, Explanation, Kind, Limit, Relaxation};
use crate::dc::model::DcModel;
use wattbook_network::analysis::{ElementKind, ElementRef};
use wattbook_network::message;
use wattbook_network::message::amounts::{degrees, mw, mw_exact};
use wattbook_network::message::{Message, Value};

/// More generators than this are part of the balance rather than the reason.
const FEW_GENERATORS: usize = 2;

/// Limits of one element that cross.
pub(crate) fn bounds(elements: &[Contradicting]) -> Message {
    let mut reasons = Vec::new();
    for (k, e) in elements.iter().enumerate() {
        let other = elements.get(k + 1).filter(|o| o.element == e.element);
        reasons.push(match (e.limit, other.map(|o| (o.limit, o.limit_mw)), e.limit_mw) {
            (Limit::Minimum, Some((Limit::Maximum, Some(maximum))), Some(minimum)) => {
                output_limits(&e.element, minimum, maximum)
            }
            (Limit::Angle, Some((Limit::Rating, Some(rating))), _) => angle_and_rating(&e.element, rating.abs()),
            (Limit::Angle, _, _) => message!("reason.angle", branch = &e.element),
            _ => continue,
        });
    }
    several(reasons)
}

pub(crate) fn output_limits(generator: &ElementRef, minimum_mw: f64, maximum_mw: f64) -> Message {
    let (minimum, maximum) = (mw_exact(minimum_mw), mw_exact(maximum_mw));
    message!(
        "reason.output_limits",
        generator = generator,
        minimum = minimum,
        maximum = maximum
    )
}

pub(crate) fn angle_and_rating(branch: &ElementRef, rating_mw: f64) -> Message {
    message!("reason.angle_and_rating", branch = branch, rating = mw_exact(rating_mw))
}

/// Combines several reasons.
pub(crate) fn several(mut reasons: Vec<Message>) -> Message {
    match reasons.len() {
        1 => reasons.remove(0),
        _ => message!("reason.several", reasons = reasons),
    }
}

/// An island whose generators cannot meet its demand.
pub(crate) fn balance(model: &DcModel, island: usize, is_short: bool) -> Message {
    match (is_short, island_bus(model, island)) {
        (true, None) => message!("reason.capacity"),
        (true, Some(bus)) => message!("reason.capacity_island", bus = bus),
        (false, None) => message!("reason.minimum_output"),
        (false, Some(bus)) => message!("reason.minimum_output_island", bus = bus),
    }
}

/// The message with the `amount` per unit, positive for a shortage of capacity.
pub(crate) fn balance_by(model: &DcModel, island: usize, amount: f64) -> Message {
    let by = mw(amount.abs() * model.base_mva);
    match (amount > 0.0, island_bus(model, island)) {
        (true, None) => message!("reason.capacity_by", shortfall = by),
        (true, Some(bus)) => message!("reason.capacity_island_by", bus = bus, shortfall = by),
        (false, None) => message!("reason.minimum_output_by", shortfall = by),
        (false, Some(bus)) => message!("reason.minimum_output_island_by", bus = bus, shortfall = by),
    }
}

/// A bus of the island, if there are several islands to distinguish.
fn island_bus(model: &DcModel, island: usize) -> Option<&ElementRef> {
    let first = model.island_of_bus.iter().position(|&i| i == island)?;
    (model.islands.len() > 1).then(|| &model.bus_ids[first])
}

/// Conflicting lines, largest weight first.
pub(crate) fn lines(lines: Vec<&ElementRef>) -> Message {
    match lines.len() {
        0 => message!("reason.generators"),
        1 => message!("reason.line", lines = lines),
        2 => message!("reason.two_lines", lines = lines),
        _ => message!("reason.lines", lines = lines),
    }
}

/// Conflicting lines, and the generators in the conflict.
pub(crate) fn elements(elements: &[Contradicting]) -> Message {
    let of_kind = |kind: ElementKind| elements.iter().filter(move |e| e.element.kind == kind);
    let reason = lines(of_kind(ElementKind::Branch).map(|e| &e.element).collect());
    let generators: Vec<Message> = of_kind(ElementKind::Generator)
        .map(|e| match e.limit {
            Limit::Minimum => message!("reason.at_minimum", generator = &e.element),
            _ => message!("reason.at_maximum", generator = &e.element),
        })
        .collect();
    let links = of_kind(ElementKind::Hvdc).map(|e| match e.limit {
        Limit::Minimum => message!("reason.link_at_minimum", link = &e.element),
        _ => message!("reason.link_at_maximum", link = &e.element),
    });
    let storages = of_kind(ElementKind::Storage).map(|e| message!("reason.storage", storage = &e.element));
    let generators: Vec<Message> = generators.into_iter().chain(links).chain(storages).collect();
    if generators.is_empty() || generators.len() > FEW_GENERATORS {
        return reason;
    }
    message!("reason.with_generators", reason = reason, generators = generators)
}

impl Explanation {
    /// The complete message.
    pub fn message(&self) -> Message {
        let (reason, remedy) = (self.reason.clone(), self.remedy(None));
        message!("no_solution.explained", reason = reason, remedy = remedy)
    }

    /// The relaxation. Every figure is rounded up to an amount that was checked. `goal` is the value of the edited element
    /// that the relaxation makes feasible, if it is not that of the data.
    pub fn remedy(&self, goal: Option<Value>) -> Message {
        let items: Vec<Message> = self.relaxation.iter().map(item).collect();
        // The sum may be less than that of the rounded figures, but not more.
        let exact = self.relaxation_total_mw;
        let total = mw_exact(up(exact, if exact < 0.9995 { 3 } else { 1 }));
        if !self.is_least {
            // A lower bound is rounded down.
            let bound = self.verified.bound_mw.max(0.0);
            let bound = mw((bound * 10.0).floor() / 10.0);
            return message!("remedy.so_far", total = total, bound = bound, items = items);
        }
        let heading = match goal {
            None => message!("remedy.heading"),
            Some(goal) => message!("remedy.heading_to_reach", goal = goal),
        };
        match (self.one_limit(), items.len()) {
            (_, 1) => message!("remedy.one", heading = heading, item = items[0].clone()),
            (Some(Limit::Demand), _) => {
                message!(
                    "remedy.demand",
                    heading = heading,
                    total = total,
                    places = self.places()
                )
            }
            (Some(_), _) => {
                message!(
                    "remedy.minimum_output",
                    heading = heading,
                    total = total,
                    places = self.places()
                )
            }
            (None, _) => message!("remedy.several", heading = heading, total = total, items = items),
        }
    }

    /// The kind of limit, if the whole relaxation of a balance has one kind.
    fn one_limit(&self) -> Option<Limit> {
        let first = self.relaxation.first()?.limit;
        let of_balance = self.kind == Kind::Balance && matches!(first, Limit::Minimum | Limit::Demand);
        (of_balance && self.relaxation.iter().all(|r| r.limit == first)).then_some(first)
    }

    fn places(&self) -> Vec<Message> {
        let place = |r: &Relaxation| {
            let amount = mw_exact(r.rounded_mw);
            if r.is_all {
                message!("relax.place_all", amount = amount, element = &r.element)
            } else {
                message!("relax.place", amount = amount, element = &r.element)
            }
        };
        self.relaxation.iter().map(place).collect()
    }
}

fn item(r: &Relaxation) -> Message {
    let (amount, angle, element) = (mw_exact(r.rounded_mw), degrees(up(r.rounded_deg, 3)), &r.element);
    if r.mw == 0.0 {
        return message!("relax.angle_only", element = element, angle = angle);
    }
    match r.limit {
        Limit::Minimum => message!("relax.minimum", element = element, amount = amount),
        Limit::Maximum => message!("relax.maximum", element = element, amount = amount),
        Limit::Demand if r.is_all => message!("relax.all_demand", element = element, amount = amount),
        Limit::Demand => message!("relax.demand", element = element, amount = amount),
        Limit::Injection => message!("relax.injection", element = element, amount = amount),
        Limit::Angle => message!("relax.angle", element = element, amount = amount, angle = angle),
        Limit::RatingAndAngle => {
            message!(
                "relax.rating_and_angle",
                element = element,
                amount = amount,
                angle = angle
            )
        }
        Limit::Rating => message!("relax.rating", element = element, amount = amount),
    }
}

/// Rounds up to a number of decimals, after removing an excess below the solver's tolerance.
pub(crate) fn up(value: f64, decimals: i32) -> f64 {
    let scale = scale(decimals);
    ((value - 1e-7) * scale).ceil().max(1.0) / scale
}

/// Ten to the power `decimals`.
pub(crate) fn scale(decimals: i32) -> f64 {
    if decimals == 1 {
        10.0
    } else {
        1000.0
    }
}
