//! Contradictions and relaxations as sentences.

use super::relaxed::Relaxed;
use super::{Contradicting, Explanation, Kind, Limit, Relaxation};
use crate::dc::model::DcModel;
use wattbook_network::analysis::{ElementKind, ElementRef};

/// Elements named one by one; the others are counted.
const NAMED: usize = 4;

/// One decimal, three below 1 MW, thousands separators.
fn mw(value: f64) -> String {
    if value < 0.0005 {
        return "less than 0.001 MW".into();
    }
    let text = if value < 0.9995 {
        format!("{value:.3}")
    } else {
        format!("{value:.1}")
    };
    let whole = text.find('.').unwrap_or(text.len());
    let mut out = String::new();
    for (k, digit) in text.chars().enumerate() {
        if k > 0 && k < whole && (whole - k) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out + " MW"
}

/// "a", "a and b", "a, b and c".
fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn named(element: &ElementRef) -> String {
    let kind = match element.kind {
        ElementKind::Branch => "line",
        ElementKind::Generator => "generator",
        _ => "bus",
    };
    format!("{kind} {}", element.id)
}

/// What contradicts, as the end of a sentence.
pub(super) fn reason(model: &DcModel, relaxed: &Relaxed, elements: &[Contradicting]) -> String {
    match relaxed.kind() {
        Kind::Bounds => bounds(elements),
        Kind::Balance => balance(model, relaxed),
        Kind::Lines => lines(elements),
    }
}

fn bounds(elements: &[Contradicting]) -> String {
    let mut said = Vec::new();
    for (k, e) in elements.iter().enumerate() {
        let other = elements.get(k + 1).filter(|o| o.element == e.element);
        let text = match (e.limit, other.map(|o| (o.limit, o.limit_mw)), e.limit_mw) {
            (Limit::Minimum, Some((Limit::Maximum, Some(most))), Some(least)) => {
                format!(
                    "the minimum of {} ({least:.1} MW) is above its maximum ({most:.1} MW)",
                    named(&e.element)
                )
            }
            (Limit::Angle, Some((Limit::Rating, Some(rating))), _) => format!(
                "{} cannot meet its angle window and its rating of {} at once",
                named(&e.element),
                mw(rating.abs())
            ),
            (Limit::Angle, _, _) => format!("the angle window of {} cannot be met", named(&e.element)),
            _ => continue,
        };
        said.push(text);
    }
    shortened(said)
}

fn balance(model: &DcModel, relaxed: &Relaxed) -> String {
    let say = |s: &super::relaxed::Shortfall| {
        let first = model.island_of_bus.iter().position(|&i| i == s.island);
        let place = match first {
            Some(bus) if model.islands.len() > 1 => format!(" of the island at bus {}", model.bus_ids[bus].id),
            _ => String::new(),
        };
        let amount = mw(s.amount.abs() * model.base_mva);
        if s.amount > 0.0 {
            format!("the demand{place} exceeds the generators' capacity by {amount}")
        } else {
            format!("the minimum output of the generators{place} exceeds the demand by {amount}")
        }
    };
    shortened(relaxed.shortfalls.iter().map(say).collect())
}

fn lines(elements: &[Contradicting]) -> String {
    let of_kind = |kind: ElementKind| elements.iter().filter(move |e| e.element.kind == kind);
    let lines: Vec<String> = of_kind(ElementKind::Branch).map(|e| e.element.id.to_string()).collect();
    let mut text = match &lines[..] {
        [line] => format!("line {line} cannot be held"),
        [a, b] => format!("lines {a} and {b} cannot both be held"),
        _ => format!("lines {} cannot all be held", shortened(lines.clone())),
    };
    // Few generators are the reason; many are only the rest of the balance.
    let units: Vec<&Contradicting> = of_kind(ElementKind::Generator).collect();
    if units.len() <= 2 {
        for (k, unit) in units.iter().enumerate() {
            let bound = if unit.limit == Limit::Minimum {
                "minimum"
            } else {
                "maximum"
            };
            let word = if k == 0 { " with" } else { " and" };
            text += &format!("{word} {} at its {bound} output", named(&unit.element));
        }
    }
    text
}

fn shortened(mut items: Vec<String>) -> String {
    let more = items.len().saturating_sub(NAMED);
    if more > 1 {
        items.truncate(NAMED);
        items.push(format!("{more} more"));
    }
    list(&items)
}

/// The relaxation as a sentence.
pub(super) fn remedy(explanation: &Explanation) -> String {
    let of_balance = match explanation.relaxation.first().map(|r| r.limit) {
        Some(first @ (Limit::Minimum | Limit::Demand)) if explanation.kind == Kind::Balance => {
            explanation.relaxation.iter().all(|r| r.limit == first).then_some(first)
        }
        _ => None,
    };
    let total = mw(explanation.relaxation_total_mw);
    let items: Vec<String> = explanation.relaxation.iter().map(item).collect();
    match (of_balance, items.len()) {
        (None, 1) => format!("Least relaxation: {}.", items[0]),
        // Lines take what they need after the balance: the sum of both need not be the least.
        (None, _) if explanation.kind == Kind::Balance => format!(
            "Least relaxation, first of the balance and then of lines: {total} in total, {}.",
            shortened(items)
        ),
        (None, _) => format!("Least relaxation: {total} in total, {}.", shortened(items)),
        // The balance itself does not care where.
        (Some(limit), _) => {
            let what = if limit == Limit::Demand {
                "demand"
            } else {
                "minimum output"
            };
            let place = |r: &Relaxation| format!("{} at {}", mw(r.mw), named(&r.element));
            let places = explanation.relaxation.iter().map(place).collect();
            format!(
                "Least relaxation: {total} less {what}, for example {}.",
                shortened(places)
            )
        }
    }
}

fn item(r: &Relaxation) -> String {
    match r.limit {
        _ if r.mw == 0.0 => format!(
            "{:.3} degrees on the angle window of {}",
            r.angle_deg,
            named(&r.element)
        ),
        Limit::Minimum => format!("{} less minimum output of {}", mw(r.mw), named(&r.element)),
        Limit::Maximum => format!("{} more maximum output of {}", mw(r.mw), named(&r.element)),
        Limit::Demand => format!("{} less demand at {}", mw(r.mw), named(&r.element)),
        Limit::Angle => format!("{} on {} (angle window)", mw(r.mw), named(&r.element)),
        Limit::Rating | Limit::RatingAndAngle => format!("{} on {}", mw(r.mw), named(&r.element)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn megawatts_and_lists() {
        assert_eq!(mw(4.06), "4.1 MW");
        assert_eq!(mw(0.0412), "0.041 MW");
        assert_eq!(mw(0.9999), "1.0 MW");
        assert_eq!(mw(1234567.89), "1,234,567.9 MW");
        assert_eq!(mw(999.96), "1,000.0 MW");
        assert_eq!(mw(1e-7), "less than 0.001 MW");
        let items: Vec<String> = (1..8).map(|k| k.to_string()).collect();
        assert_eq!(shortened(items.clone()), "1, 2, 3, 4 and 3 more");
        assert_eq!(shortened(items[..5].to_vec()), "1, 2, 3, 4 and 5");
    }
}
