//! Contradictions and relaxations as sentences: the one source of these words.

use crate::dc::infeasibility::explanation::{Contradicting, Explanation, Kind, Limit, Relaxation};
use crate::dc::model::DcModel;
use wattbook_network::analysis::{ElementKind, ElementRef};

/// Elements named one by one; the others are counted.
const NAMED: usize = 4;

/// From here on numbers are told as powers of ten.
const LARGE: f64 = 1e7;

/// One decimal, three below 1 MW, thousands separators; "less than 0.001 MW" instead of nothing.
pub fn mw(value: f64) -> String {
    if value < 0.0005 {
        return "less than 0.001 MW".into();
    }
    grouped(value, if value < 0.9995 { 3 } else { 1 })
}

/// Three decimals; a power of ten beyond ten million.
pub(crate) fn exact(value: f64) -> String {
    if value.abs() >= LARGE {
        format!("{value:.1e} MW")
    } else {
        format!("{value:.3} MW")
    }
}

/// A figure that was rounded up to one or three decimals, with those it has.
fn rounded(value: f64) -> String {
    let is_coarse = value > 0.9995 && (value * 10.0 - (value * 10.0).round()).abs() < 1e-6;
    grouped(value, if is_coarse { 1 } else { 3 })
}

/// One decimal, whatever its sign.
fn short(value: f64) -> String {
    if value.abs() >= LARGE {
        exact(value)
    } else {
        format!("{value:.1} MW")
    }
}

fn grouped(value: f64, decimals: usize) -> String {
    if value.abs() >= LARGE {
        return format!("{value:.1e} MW");
    }
    let text = format!("{value:.decimals$}");
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

/// Limits of one element that cross, as the end of a sentence.
pub(crate) fn bounds(elements: &[Contradicting]) -> String {
    let mut said = Vec::new();
    for (k, e) in elements.iter().enumerate() {
        let other = elements.get(k + 1).filter(|o| o.element == e.element);
        let text = match (e.limit, other.map(|o| (o.limit, o.limit_mw)), e.limit_mw) {
            (Limit::Minimum, Some((Limit::Maximum, Some(most))), Some(least)) => {
                format!(
                    "the minimum of {} ({}) is above its maximum ({})",
                    named(&e.element),
                    short(least),
                    short(most)
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

/// An island whose generators cannot meet its demand, by `amount` per unit: positive where capacity is short.
pub(crate) fn balance(model: &DcModel, island: usize, amount: f64) -> String {
    let first = model.island_of_bus.iter().position(|&i| i == island);
    let place = match first {
        Some(bus) if model.islands.len() > 1 => format!(" of the island at bus {}", model.bus_ids[bus].id),
        _ => String::new(),
    };
    let missed = mw(amount.abs() * model.base_mva);
    if amount > 0.0 {
        format!("the demand{place} exceeds the generators' capacity by {missed}")
    } else {
        format!("the minimum output of the generators{place} exceeds the demand by {missed}")
    }
}

/// Lines that contradict, heaviest first, as the end of a sentence.
pub(crate) fn lines(lines: &[u64]) -> String {
    match lines {
        [] => "the limits of the generators contradict the demand".into(),
        [line] => format!("line {line} cannot be held"),
        [a, b] => format!("lines {a} and {b} cannot both be held"),
        _ => {
            let ids = lines.iter().map(u64::to_string).collect();
            format!("lines {} cannot all be held", shortened(ids))
        }
    }
}

/// Lines that contradict, and the generators with them.
pub(crate) fn elements(elements: &[Contradicting]) -> String {
    let of_kind = |kind: ElementKind| elements.iter().filter(move |e| e.element.kind == kind);
    let ids: Vec<u64> = of_kind(ElementKind::Branch).map(|e| e.element.id).collect();
    let mut text = lines(&ids);
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

/// At most a few, and the number of the others.
pub(crate) fn shortened(mut items: Vec<String>) -> String {
    let more = items.len().saturating_sub(NAMED);
    if more > 1 {
        items.truncate(NAMED);
        items.push(format!("{more} more"));
    }
    list(&items)
}

/// The relaxation as a sentence. Every figure is rounded up to where it was checked.
pub(crate) fn remedy(explanation: &Explanation) -> String {
    let of_balance = match explanation.relaxation.first().map(|r| r.limit) {
        Some(first @ (Limit::Minimum | Limit::Demand)) if explanation.kind == Kind::Balance => {
            explanation.relaxation.iter().all(|r| r.limit == first).then_some(first)
        }
        _ => None,
    };
    let items = &explanation.relaxation;
    // The sum may be less than that of the rounded figures, never more.
    let exact = explanation.relaxation_total_mw;
    let total = rounded(up(exact, if exact < 0.9995 { 3 } else { 1 }));
    let told: Vec<String> = items.iter().map(item).collect();
    if !explanation.is_least {
        // Rounded down: that much it takes.
        let least = explanation.verified.bound_mw.max(0.0);
        let least = mw((least * 10.0).floor() / 10.0);
        let told = shortened(told);
        return format!("Best relaxation so far: {total} in total (the least takes at least {least}), {told}.");
    }
    match (of_balance, items.len()) {
        (_, 1) => format!("Least relaxation: {}.", told[0]),
        (None, _) => format!("Least relaxation: {total} in total, {}.", shortened(told)),
        (Some(limit), _) => {
            let what = if limit == Limit::Demand {
                "demand"
            } else {
                "minimum output"
            };
            let all = |r: &Relaxation| if r.is_all { "all " } else { "" };
            let place = |r: &Relaxation| format!("{}{} at {}", all(r), rounded(r.rounded_mw), named(&r.element));
            let places = items.iter().map(place).collect();
            format!("Least relaxation: {total} less {what} in total, {}.", shortened(places))
        }
    }
}

fn item(r: &Relaxation) -> String {
    let degrees = up(r.rounded_deg, 3);
    if r.mw == 0.0 {
        return format!("{degrees:.3} degrees on the angle window of {}", named(&r.element));
    }
    let (mw, element) = (rounded(r.rounded_mw), named(&r.element));
    match r.limit {
        Limit::Minimum => format!("{mw} less minimum output of {element}"),
        Limit::Maximum => format!("{mw} more maximum output of {element}"),
        Limit::Demand if r.is_all => format!("all {mw} of demand at {element}"),
        Limit::Demand => format!("{mw} less demand at {element}"),
        Limit::Injection => format!("{mw} less negative demand at {element}"),
        Limit::Angle => format!("{mw} on {element} (angle window, {degrees:.3} degrees wider)"),
        Limit::RatingAndAngle => format!("{mw} on {element} (rating, and angle window {degrees:.3} degrees wider)"),
        Limit::Rating => format!("{mw} on {element}"),
    }
}

/// Rounded up to so many decimals; what is above a figure by less than the solver's tolerance is that figure.
pub(crate) fn up(value: f64, decimals: i32) -> f64 {
    let scale = scale(decimals);
    ((value - 1e-7) * scale).ceil().max(1.0) / scale
}

/// Ten to that power.
pub(crate) fn scale(decimals: i32) -> f64 {
    if decimals == 1 {
        10.0
    } else {
        1000.0
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
        assert_eq!(mw(1e308), "1.0e308 MW");
        assert_eq!(exact(-2.5e8), "-2.5e8 MW");
        assert_eq!(exact(9_999_999.0), "9999999.000 MW");
        assert_eq!(rounded(1234.5), "1,234.5 MW");
        assert_eq!(rounded(4.061), "4.061 MW");
        assert_eq!(rounded(0.7), "0.700 MW");
        let items: Vec<String> = (1..8).map(|k| k.to_string()).collect();
        assert_eq!(shortened(items.clone()), "1, 2, 3, 4 and 3 more");
        assert_eq!(shortened(items[..5].to_vec()), "1, 2, 3, 4 and 5");
    }
}
