//! Previews, columns and matrices of the relaxation.

use crate::common::{ingest, parse, text, Answer};
use crate::solutions::{case, study};
use serde_json::json;
use wattbook_study::contract::ColumnName;
use wattbook_study::{solve_module, Study};

/// A small edit: the preview agrees with the commit, within the given interval; columns are slopes of commits.
#[test]
fn previews_and_columns_are_slopes_of_commits() {
    let Some(mut study) = study("pglib_opf_case118_ieee") else {
        return;
    };
    let base = Answer::of(&study);
    let edit = json!({ "59": 2.0 }).to_string();
    let preview = study.preview((&edit, "")).expect("a preview");
    let head = parse(&preview.json);
    assert!(head["valid_step"][1].as_f64().is_none_or(|hi| hi > 1.0), "{head}");
    let column = Answer::from(study.sensitivity("c", ("", ""), r#"{"bus":59}"#).expect("a column"));
    assert_eq!(column["units"], "($/MWh)/MW");
    let slopes = column.at(ColumnName::LmpSlope);
    study.commit("c", (&edit, ""), "").expect("an optimum");
    let there = Answer::of(&study);
    let changed = there.objective() - base.objective();
    let predicted = head["objectiveDelta"].as_f64().expect("a change");
    assert!(
        (changed - predicted).abs() < 1e-3 * changed.abs(),
        "{changed} against {predicted}"
    );
    let change = preview
        .columns
        .iter()
        .find(|c| c.name == ColumnName::LmpChange)
        .expect("changes");
    let (now, before) = (there.at(ColumnName::Lmp), base.at(ColumnName::Lmp));
    let size = now.iter().zip(before).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
    for bus in 0..now.len() {
        let moved = now[bus] - before[bus];
        assert!(
            (moved - change.values[bus]).abs() < 0.02 * size + 1e-5,
            "bus {bus}: {moved}"
        );
        assert!((moved - 2.0 * slopes[bus]).abs() < 0.02 * size + 1e-5, "bus {bus}");
    }
    assert!(size > 1e-4, "prices move by {size}");
}

/// Matrices by columns and by rows are the same.
#[test]
fn matrices_by_rows_and_by_columns() {
    let Some(module) = case("pglib_opf_case14_ieee") else {
        return;
    };
    for (operand, parameter, indices) in [
        (
            json!({ "Price": "Active" }),
            json!({ "Demand": "Active" }),
            json!([1, 2, 3]),
        ),
        (
            json!({ "Voltage": "Squared" }),
            json!({ "Demand": "Reactive" }),
            json!([3, 8]),
        ),
        (
            json!({ "Voltage": "ProductImag" }),
            json!({ "SeriesAdmittance": "Susceptance" }),
            json!([0, 5]),
        ),
        (
            json!({ "Dispatch": "Reactive" }),
            json!({ "ShuntAdmittance": "Susceptance" }),
            json!([4]),
        ),
    ] {
        let of = |mode: &str| {
            let request = json!({ "formulation": "socwr", "sensitivities": [
                { "operand": operand, "parameter": parameter, "indices": indices, "mode": mode }
            ] });
            Answer::solved(&module, &request.to_string()).unwrap_or_else(|e| panic!("{request}: {e:?}"))
        };
        let (forward, adjoint) = (of("Forward"), of("Adjoint"));
        let (f, a) = (&forward.matrices[0], &adjoint.matrices[0]);
        let size = f.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        assert!(f.len() == a.len() && size > 0.0);
        for (f, a) in f.iter().zip(a) {
            assert!(
                (f - a).abs() <= 1e-5 * size + 1e-9,
                "{operand} by {parameter}: {f} against {a} of {size}"
            );
        }
        assert_eq!(adjoint["sensitivities"][0]["warrants"][0]["point_only"], true);
    }
    let request = json!({ "formulation": "socwr", "sensitivities": [{ "operand": { "Price": "Active" }, "parameter": "Switching" }] });
    let refused = solve_module(&module, &request.to_string()).expect_err("a refusal");
    assert_eq!(refused.code, "SENS.UNSUPPORTED");
}

/// Two units at one bus, the second with 10 $/MWh up to 60 MW and 60 beyond: the effect of its limit ends at that
/// corner.
#[test]
fn a_limit_that_moves_counts_to_the_corner_of_the_cost_curve() {
    for (limits, value, at, ends, within, beyond) in [
        // The first unit has 20 + 0.1 p $/MWh and supplies the rest.
        ("50 0", "p_max", 50.0, [-50.0, 10.0], (58.0, 24.2), (80.0, 24.0)),
        ("120 80", "p_min", 80.0, [-20.0, 20.0], (62.0, 23.8), (50.0, 24.0)),
    ] {
        let case = format!(
            "function mpc = two\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
             mpc.bus = [\n1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;\n2 1 100 20 0 0 1 1 0 230 1 1.1 0.9;\n];\n\
             mpc.gen = [\n1 0 0 80 -80 1 100 1 200 0;\n1 0 0 80 -80 1 100 1 {limits};\n];\n\
             mpc.branch = [\n1 2 0 0 0 0 0 0 0 0 1 -360 360;\n];\n\
             mpc.gencost = [\n2 0 0 3 0.05 20 0 0 0 0;\n1 0 0 3 0 0 60 600 120 4200;\n];\n"
        );
        let module = text(&ingest(case.as_bytes(), "matpower"));
        let mut study = Study::create(&module, "socwr", "{}").expect("an optimum");
        let before = Answer::of(&study).at(ColumnName::Lmp)[1];
        let target = json!({ "generator": 2, "value": value }).to_string();
        let column = Answer::from(study.sensitivity("c", ("", ""), &target).expect("a column"));
        let slope = column.at(ColumnName::LmpSlope)[1];
        for (end, want) in ends.into_iter().enumerate() {
            let found = &column["warrant"]["ends"][end];
            let step = found["mw"].as_f64().unwrap_or_else(|| panic!("{column}"));
            assert!((step - want).abs() < 1e-5, "{value}: {column}");
        }
        let corner = &column["warrant"]["ends"][usize::from(value == "p_max")];
        assert_eq!(corner["event"], "generator_reaches_breakpoint");
        for ((mw, lmp), is_predicted) in [(within, true), (beyond, false)] {
            let edit = json!({ "2": { value: mw } }).to_string();
            study.commit("c", ("", "", "", edit.as_str()), "").expect("an optimum");
            let there = Answer::of(&study).at(ColumnName::Lmp)[1];
            assert!((there - lmp).abs() < 1e-5, "{value} {mw}: {there}");
            let is_near = (before + slope * (mw - at) - there).abs() < 1e-5;
            assert_eq!(is_near, is_predicted, "{value} {mw}: {there}");
        }
    }
}
