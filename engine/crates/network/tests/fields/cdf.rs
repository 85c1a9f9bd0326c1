//! IEEE CDF: every column of every card.

use crate::fields::{check_fixed, fixed_fields, Field, WithoutEffect};

const CDF: &str = include_str!("../../../../fuzz/seeds/five_bus.cdf");

type Columns = &'static [(&'static str, usize, usize)];

/// Columns of the cards by section (IEEE Trans. PAS-92, 1973).
const SECTIONS: [(&str, Columns); 5] = [
    (
        "BUS",
        &[
            ("number", 1, 4),
            ("area", 19, 20),
            ("zone", 21, 23),
            ("type", 25, 26),
            ("voltage", 28, 33),
            ("angle", 34, 40),
            ("demand_mw", 41, 49),
            ("demand_mvar", 50, 58),
            ("generation_mw", 59, 67),
            ("generation_mvar", 68, 75),
            ("base_kv", 77, 83),
            ("set_point", 85, 90),
            ("upper_limit", 91, 98),
            ("lower_limit", 99, 106),
            ("conductance", 107, 114),
            ("susceptance", 115, 122),
            ("remote", 124, 127),
        ],
    ),
    (
        "BRANCH",
        &[
            ("from", 1, 4),
            ("to", 6, 9),
            ("area", 11, 12),
            ("zone", 14, 15),
            ("type", 19, 19),
            ("resistance", 20, 29),
            ("reactance", 30, 39),
            ("charging", 41, 49),
            ("rating", 51, 55),
            ("rating_2", 57, 61),
            ("rating_3", 63, 67),
            ("control_bus", 69, 72),
            ("side", 74, 74),
            ("ratio", 77, 82),
            ("angle", 84, 90),
            ("least_tap", 91, 97),
            ("largest_tap", 98, 104),
            ("step", 106, 111),
            ("lower_limit", 113, 119),
            ("upper_limit", 120, 126),
        ],
    ),
    ("LOSS", &[("number", 1, 3)]),
    (
        "INTERCHANGE",
        &[
            ("area", 1, 2),
            ("slack", 4, 7),
            ("export", 21, 28),
            ("tolerance", 29, 35),
        ],
    ),
    (
        "TIE",
        &[
            ("metered", 1, 4),
            ("metered_area", 7, 8),
            ("other", 11, 14),
            ("other_area", 17, 18),
            ("circuit", 21, 21),
        ],
    ),
];

fn cdf_fields() -> Vec<Field> {
    let mut section = None;
    let base: &[_] = &[("base_mva", 32, 37)];
    let mut fields = fixed_fields(CDF, |card| {
        let word = card.split(' ').next().unwrap_or_default();
        if let Some(begun) = SECTIONS.iter().find(|(name, _)| *name == word) {
            section = Some(*begun);
            return None;
        }
        section.filter(|_| !card.starts_with('-') && !card.starts_with("END"))
    });
    fields.extend(fixed_fields(CDF, |card| {
        card.contains("HAND MADE").then_some(("TITLE", base))
    }));
    fields
}

const HELD: &str = "the range and the target of a control that is held, which is named";

const WITHOUT_EFFECT: [WithoutEffect<'static>; 28] = [
    ("BUS.set_point#3", "the set-point of a bus that no generator controls"),
    ("BUS.set_point#4", "the set-point of a bus that no generator controls"),
    ("BUS.set_point#5", "the set-point of a bus that no generator controls"),
    ("BUS.upper_limit#3", "the limits of a bus without a controlled quantity"),
    ("BUS.lower_limit#3", "the limits of a bus without a controlled quantity"),
    ("BUS.upper_limit#5", "the limits of a bus without a controlled quantity"),
    ("BUS.lower_limit#5", "the limits of a bus without a controlled quantity"),
    ("BUS.remote#1", "the reference controls its own bus"),
    ("BUS.remote#3", "the bus has no controlled quantity"),
    ("BUS.remote#4", "the bus has no controlled voltage"),
    ("BUS.remote#5", "the bus has no controlled voltage"),
    ("BRANCH.area", "the buses have their areas"),
    ("BRANCH.zone", "the buses have their zones"),
    ("BRANCH.control_bus", HELD),
    ("BRANCH.side", HELD),
    ("BRANCH.least_tap", HELD),
    ("BRANCH.largest_tap", HELD),
    ("BRANCH.step", HELD),
    ("BRANCH.lower_limit", HELD),
    ("BRANCH.upper_limit", HELD),
    ("LOSS.number", "the number that a name belongs to"),
    (
        "INTERCHANGE.slack",
        "the unit that controls the interchange, which is held",
    ),
    (
        "INTERCHANGE.tolerance",
        "the tolerance of a scheduled interchange, which is named",
    ),
    ("TIE.metered", "where a tie line is metered"),
    ("TIE.metered_area", "where a tie line is metered"),
    ("TIE.other", "where a tie line is metered"),
    ("TIE.other_area", "where a tie line is metered"),
    ("TIE.circuit", "where a tie line is metered"),
];

#[test]
fn no_field_of_a_cdf_file_is_lost_without_a_word() {
    check_fixed("ieee-cdf", CDF, &cdf_fields(), &WITHOUT_EFFECT);
}
