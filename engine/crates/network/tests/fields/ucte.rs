//! UCTE-DEF: every column of every record.

use crate::fields::{check_fixed, fixed_fields, Field, WithoutEffect};

const TEN: &str = include_str!("../../../../fuzz/seeds/ten_nodes.uct");

type Columns = &'static [(&'static str, usize, usize)];

/// Columns of the records by block.
const BLOCKS: [(&str, Columns); 5] = [
    (
        "N",
        &[
            ("status", 23, 23),
            ("type", 25, 25),
            ("voltage", 27, 32),
            ("load_mw", 34, 40),
            ("load_mvar", 42, 48),
            ("generation_mw", 50, 56),
            ("generation_mvar", 58, 64),
            ("least_mw", 66, 72),
            ("largest_mw", 74, 80),
            ("least_mvar", 82, 88),
            ("largest_mvar", 90, 96),
            ("droop", 98, 102),
            ("control_mw", 104, 110),
            ("short_circuit", 112, 118),
            ("x_r", 120, 126),
        ],
    ),
    (
        "L",
        &[
            ("status", 21, 21),
            ("resistance", 23, 28),
            ("reactance", 30, 35),
            ("susceptance", 37, 44),
            ("limit", 46, 51),
        ],
    ),
    (
        "T",
        &[
            ("status", 21, 21),
            ("voltage_1", 23, 27),
            ("voltage_2", 29, 33),
            ("power", 35, 39),
            ("resistance", 41, 46),
            ("reactance", 48, 53),
            ("susceptance", 55, 62),
            ("conductance", 64, 69),
            ("limit", 71, 76),
        ],
    ),
    (
        "R",
        &[
            ("phase_step", 21, 25),
            ("phase_taps", 27, 28),
            ("phase_tap", 30, 32),
            ("phase_target", 34, 38),
            ("angle_step", 40, 44),
            ("angle", 46, 50),
            ("angle_taps", 52, 53),
            ("angle_tap", 55, 57),
            ("angle_target", 59, 63),
        ],
    ),
    ("E", &[("exchange", 7, 13)]),
];

fn uct_fields() -> Vec<Field> {
    let mut block = None;
    fixed_fields(TEN, |record| {
        let Some(key) = record.strip_prefix("##") else {
            return block;
        };
        if !key.starts_with('Z') {
            block = BLOCKS.iter().find(|(name, _)| key.starts_with(name)).copied();
        }
        None
    })
}

const HELD: &str = "the range and the target of a control that is held, which is named";
const SHORT_CIRCUIT: &str = "short circuits and primary control are not part of this model";

const WITHOUT_EFFECT: [WithoutEffect<'static>; 9] = [
    ("N.droop", SHORT_CIRCUIT),
    ("N.control_mw", SHORT_CIRCUIT),
    ("N.short_circuit", SHORT_CIRCUIT),
    ("N.x_r", SHORT_CIRCUIT),
    ("T.power", "limits are the currents; impedances are in ohms"),
    ("R.phase_taps", HELD),
    ("R.phase_target", HELD),
    ("R.angle_taps", HELD),
    ("R.angle_target", HELD),
];

#[test]
fn no_field_of_a_ucte_file_is_lost_without_a_word() {
    check_fixed("ucte", TEN, &uct_fields(), &WITHOUT_EFFECT);
}
