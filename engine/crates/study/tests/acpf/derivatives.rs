//! Columns and matrices against differences of commits and against each other.

use crate::common::{column, data_case, ingest, parse, text, Answer};
use crate::AS_FILED;
use serde_json::{json, Value};
use wattbook_study::contract::{Column, ColumnName};
use wattbook_study::{solve_module, Study};

#[test]
fn columns_are_derivatives_and_their_warrant_holds() {
    let Some(module) = data_case("matpower/case118.m") else {
        return;
    };
    let mut study = Study::create(&module, "acpf", AS_FILED).expect("a solvable case");
    let base = Answer::of(&study);
    let column_of = |name: ColumnName, columns: &[Column]| column(columns, name).to_vec();
    let reply = study.sensitivity("x", ("", ""), r#"{"bus":60}"#).expect("a column");
    let head = parse(&reply.json);
    assert_eq!((&head["operand"], &head["units"]), (&json!("vm"), &json!("pu/MW")));
    assert_eq!(head["warrant"]["kind"], "estimate");
    assert_eq!(head["warrant"]["error_below_pu"], 1e-3);
    let at = |study: &mut Study, mw: f64| {
        study
            .commit("x", (&json!({"60": mw}).to_string(), ""), "")
            .expect("a solvable edit");
        Answer::of(study)
    };
    let h = 0.5;
    let (up, down) = (at(&mut study, h), at(&mut study, -h));
    for (slope, value) in [
        (ColumnName::VmSlope, ColumnName::VmPu),
        (ColumnName::VaSlope, ColumnName::VaRad),
        (ColumnName::FlowSlope, ColumnName::FlowMw),
        (ColumnName::FlowMvarSlope, ColumnName::FlowMvar),
    ] {
        let slope = column_of(slope, &reply.columns);
        let largest = slope.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        assert!(largest > 0.0);
        for (row, d) in slope.iter().enumerate() {
            let difference = (up.at(value)[row] - down.at(value)[row]) / (2.0 * h);
            assert!(
                (difference - d).abs() < 1e-5 * largest,
                "{value:?} {row}: {difference} against {d}"
            );
        }
    }
    // At its end the error is about that of the warrant.
    let high = head["warrant"]["valid_mw"][1].as_f64().expect("an end");
    let far = at(&mut study, high);
    let slope = column_of(ColumnName::VmSlope, &reply.columns);
    let turn = column_of(ColumnName::VaSlope, &reply.columns);
    let mut error = 0.0f64;
    for row in 0..slope.len() {
        let v = base.at(ColumnName::VmPu)[row];
        error = error.max((far.at(ColumnName::VmPu)[row] - v - slope[row] * high).abs() / v);
        error = error.max((far.at(ColumnName::VaRad)[row] - base.at(ColumnName::VaRad)[row] - turn[row] * high).abs());
    }
    assert!((2e-4..=1.05e-3).contains(&error), "{error} at {high} MW");
    let low = head["warrant"]["valid_mw"][0].as_f64().expect("an end");
    assert!((low + 78.0).abs() < 1e-9, "bus 60 draws 78 MW: {low}");
    assert_eq!(head["warrant"]["ends"][0]["event"], "edit_limit");
}

#[test]
fn matrices_agree_forward_and_adjoint() {
    let Some(module) = data_case("matpower/case14.m") else {
        return;
    };
    let matrices = |mode: &str| {
        let operands = [
            json!({"Voltage": "Magnitude"}),
            json!({"Voltage": "Angle"}),
            json!({"Flow": {"power": "Active", "end": "From"}}),
            json!({"Flow": {"power": "Reactive", "end": "To"}}),
        ];
        let parameters = [
            json!({"Demand": "Active"}),
            json!({"Demand": "Reactive"}),
            json!({"Transformer": "Ratio"}),
            json!({"Transformer": "PhaseShift"}),
            json!({"SeriesAdmittance": "Conductance"}),
            json!({"ShuntAdmittance": "Susceptance"}),
        ];
        let each = operands.iter().flat_map(|operand| {
            let request = move |parameter: &Value| json!({ "operand": operand, "parameter": parameter, "mode": mode });
            parameters.iter().map(request)
        });
        let wanted: Vec<Value> = each.collect();
        let request = json!({ "formulation": "acpf", "sensitivities": wanted });
        Answer::solved(&module, &request.to_string()).expect("matrices")
    };
    let (forward, adjoint) = (matrices("Forward"), matrices("Adjoint"));
    assert_eq!(forward["sensitivities"][0]["units"], "pu/MW");
    assert_eq!(forward["sensitivities"][22]["units"], "MVAr/pu");
    for (k, (x, y)) in forward.matrices.iter().zip(&adjoint.matrices).enumerate() {
        let [f, a] = [&forward, &adjoint].map(|solved| &solved["sensitivities"][k]);
        let largest = x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        assert!(x.len() == y.len() && largest > 0.0);
        for (x, y) in x.iter().zip(y) {
            assert!((x - y).abs() < 1e-10 * largest, "{x} against {y}");
        }
        assert_eq!(a["warrants"][0]["point_only"], true);
        assert!(a["warrants"][0]["residual"].as_f64().expect("a residual") < 1e-9);
        assert_eq!(f["warrants"][0]["kind"], "estimate");
    }
}

#[test]
fn a_derivative_beyond_the_range_of_numbers_is_refused_with_its_bus() {
    // At no load dV/dP is -r: 1e150 per unit, over a base of 1e-200 MVA, which suits so small a unit.
    let grid = r#"
        mpc.version = '2';
        mpc.baseMVA = 1e-200;
        mpc.bus = [ 1 3 0 0 0 0 1 1 0 230 1 1.1 0.9; 2 1 0 0 0 0 1 1 0 230 1 1.1 0.9; ];
        mpc.gen = [ 1 0 0 100 -100 1 100 1 1e-198 0; ];
        mpc.branch = [ 1 2 1e150 1e150 0 0 0 0 0 0 1 -360 360; ];
        mpc.gencost = [ 2 0 0 3 0.01 1 0; ];"#;
    let module = text(&ingest(grid.as_bytes(), "matpower"));
    let mut study = Study::create(&module, "acpf", "null").expect("a power flow");
    let before = study.result_sha256();
    let refused = study.sensitivity("", ("", ""), r#"{"bus":2}"#).expect_err("no number");
    assert_eq!(refused.code, "SENS.OVERFLOW");
    assert_eq!(refused.element.expect("a bus").id, 2);
    let refused = study.commit("", ("", ""), r#"{"bus":2}"#).expect_err("no number");
    assert_eq!(refused.code, "SENS.OVERFLOW");
    assert_eq!(study.result_sha256(), before);
    let matrix = json!({ "formulation": "acpf", "sensitivities": [{ "operand": {"Voltage": "Magnitude"}, "parameter": {"Demand": "Active"} }] });
    let refused = solve_module(&module, &matrix.to_string()).expect_err("no number");
    assert_eq!(refused.code, "SENS.OVERFLOW", "{refused:?}");
}
