//! Prices that are not determined: every generator of an island is at a limit.

use crate::common::{ingest, text, Answer};
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

/// Bus 2 with 50 MW from bus 1 at `20 + 0.02 p` $/MWh; in another island buses 3 and 4 with `demand` at one or the
/// other, a unit at bus 3 with `30 + 0.02 p` between `limits`, and a line with the resistance and charging `line`.
fn islands(demand: [f64; 2], limits: [f64; 2], line: [f64; 2]) -> Study {
    let ([at_3, at_4], [p_min, p_max], [r, b]) = (demand, limits, line);
    let case = format!(
        "function mpc = islands\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
         mpc.bus = [\n1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;\n2 1 50 0 0 0 1 1 0 230 1 1.1 0.9;\n\
         3 3 {at_3} 0 0 0 1 1 0 230 1 1.1 0.9;\n4 1 {at_4} 0 0 0 1 1 0 230 1 1.1 0.9;\n];\n\
         mpc.gen = [\n1 0 0 100 -100 1 100 1 100 0;\n3 0 0 100 -100 1 100 1 {p_max} {p_min};\n];\n\
         mpc.branch = [\n1 2 0.01 0.1 0 100 0 0 0 0 1 -360 360;\n3 4 {r} 0.1 {b} 100 0 0 0 0 1 -360 360;\n];\n\
         mpc.gencost = [\n2 0 0 3 0.01 20 0;\n2 0 0 3 0.01 30 0;\n];\n"
    );
    let module = text(&ingest(case.as_bytes(), "matpower"));
    Study::create(&module, "socwr", "").expect("an optimum")
}

fn price(solution: &Answer, row: usize) -> f64 {
    solution.at(ColumnName::Lmp)[row]
}

fn codes(solution: &Answer) -> Vec<&str> {
    let all = solution["diagnostics"].as_array().expect("diagnostics").iter();
    all.filter_map(|d| d["code"].as_str())
        .filter(|code| code.starts_with("ISLAND."))
        .collect()
}

/// Any price below the marginal cost supports a unit at its minimum, any above it one at its maximum: the published
/// price is one of these and is reported as not unique. It has no derivative.
#[test]
fn prices_of_units_at_a_limit_are_not_unique() {
    const WITH_LOSSES: [f64; 2] = [0.01, 0.0];
    const LOSSLESS: [f64; 2] = [0.0, 0.0];
    for (demand, limits, line, is_at_minimum) in [
        ([0.0, 0.0], [0.0, 100.0], WITH_LOSSES, true),
        ([0.0, 0.0], [0.0, 100.0], LOSSLESS, true),
        ([10.0, 0.0], [10.0, 100.0], WITH_LOSSES, true),
        ([0.0, 10.0], [10.0, 100.0], LOSSLESS, true),
        ([10.0, 0.0], [0.0, 10.0], WITH_LOSSES, false),
        ([0.0, 10.0], [0.0, 10.0], LOSSLESS, false),
    ] {
        let mut study = islands(demand, limits, line);
        let found = Answer::of(&study);
        let cost = 30.0 + 0.02 * (demand[0] + demand[1]);
        let beyond = if is_at_minimum {
            cost - price(&found, 2)
        } else {
            price(&found, 2) - cost
        };
        assert!(beyond > 0.0, "{:?}", found.at(ColumnName::Lmp));
        assert_eq!(codes(&found), ["ISLAND.PRICE_NOT_UNIQUE"]);
        let diagnostic = found["diagnostics"]
            .as_array()
            .expect("diagnostics")
            .last()
            .expect("one");
        assert_eq!(diagnostic["element"]["id"], 3);
        let refused = |bus: u64| {
            let target = format!("{{\"bus\":{bus}}}");
            study.sensitivity("x", ("", ""), &target).err().map(|e| e.code)
        };
        assert_eq!(refused(1), None);
        assert_eq!(refused(3), Some("SENS.NOT_REGULAR"));
        // With one MW more at bus 3 the unit sets the price; a unit at its maximum cannot.
        match study.commit("x", ("{\"3\":1}", ""), "") {
            Ok(_) => assert!(is_at_minimum),
            Err(error) => assert!(!is_at_minimum && error.code == "SOLVE.INFEASIBLE", "{error}"),
        }
        if is_at_minimum {
            let moved = Answer::of(&study);
            assert!(
                (price(&moved, 2) - cost - 0.02).abs() < 1e-3,
                "{:?}",
                moved.at(ColumnName::Lmp)
            );
            assert!(codes(&moved).is_empty());
        }
    }
}

/// Where every unit is fixed the DC optimum reports the same.
#[test]
fn an_island_of_fixed_units_has_no_price() {
    let found = Answer::of(&islands([0.0, 10.0], [10.0, 10.0], [0.0, 0.0]));
    assert_eq!(codes(&found), ["ISLAND.NO_PRICE"]);
}

/// Losses determine the level: those of charging currents keep the unit off its minimum, and half a MW of excess is
/// lost in a relaxed line at no cost, so that power is worth nothing.
#[test]
fn losses_set_the_level_of_prices() {
    let charging = Answer::of(&islands([0.0, 0.0], [0.0, 100.0], [0.01, 0.1]));
    assert!(codes(&charging).is_empty() && (price(&charging, 2) - 30.0).abs() < 1e-3);
    let surplus = Answer::of(&islands([0.0, 10.0], [10.5, 100.0], [0.01, 0.0]));
    assert!(codes(&surplus).is_empty() && price(&surplus, 2).abs() < 1e-3);
}
