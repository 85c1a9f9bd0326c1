//! The conic relaxation through the Study: objectives of an independent program, power balance and prices computed in
//! this file from the published columns, edits, previews, derivatives and explanations.

use crate::common::{data, data_case, ingest, parse, text, Answer};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

/// A PGLib case of the data folder; None without the folder.
pub(crate) fn case(name: &str) -> Option<String> {
    let folder = match name {
        name if name.ends_with("__api") => "pglib/api/",
        name if name.ends_with("__sad") => "pglib/sad/",
        _ => "pglib/",
    };
    data_case(&format!("{folder}{name}.m"))
}

pub(crate) fn study(name: &str) -> Option<Study> {
    Some(Study::create(&case(name)?, "socwr", "").expect("an optimum"))
}

#[test]
fn objectives_are_those_of_the_reference() {
    let Some(table) = data("reference/computed/socwr_objectives.csv") else {
        return;
    };
    let table = String::from_utf8(table).expect("a table");
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let want: f64 = cells[1].parse().expect("an objective");
        // Larger cases are in the corpus of the solver.
        let buses: String = cells[0].chars().filter(char::is_ascii_digit).collect();
        if buses.parse::<usize>().is_ok_and(|n| n > 600) {
            continue;
        }
        let Some(module) = case(cells[0]) else { continue };
        let solved = Study::create(&module, "socwr", "").unwrap_or_else(|e| panic!("{}: {e:?}", cells[0]));
        let found = Answer::of(&solved);
        let error = (found.objective() - want).abs() / want;
        assert!(error <= 1e-6, "{}: {} against {want}", cells[0], found.objective());
        assert!(found.head["certificate"]["relative_gap"].as_f64().expect("a gap") < 1e-6);
        assert_eq!(found.head["status"], "optimal");
        compared += 1;
    }
    assert!(compared >= 10, "{compared} cases");
}

/// Every line of the certificate, recomputed from the columns, and the LMP components.
#[test]
fn columns_add_up() {
    let Some(study) = study("pglib_opf_case118_ieee") else {
        return;
    };
    let found = Answer::of(&study);
    use ColumnName as N;
    let n = found.at(N::Lmp).len();
    for bus in 0..n {
        let parts = [N::LmpEnergy, N::LmpLosses, N::LmpCongestion, N::LmpVoltage].map(|name| found.at(name)[bus]);
        let sum: f64 = parts.iter().sum();
        assert!((sum - found.at(N::Lmp)[bus]).abs() < 1e-3, "bus {bus}: {parts:?}");
        let v = found.at(N::VmPu)[bus];
        assert!(v > found.at(N::VmMinPu)[bus] - 1e-6 && v < found.at(N::VmMaxPu)[bus] + 1e-6);
    }
    assert!((found.at(N::SlackWeight).iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let mut most = 0.0f64;
    for branch in 0..found.at(N::Loading).len() {
        let at = |name| found.at(name)[branch];
        let size = |p: f64, q: f64| (p * p + q * q).sqrt();
        let loading =
            size(at(N::FlowMw), at(N::FlowMvar)).max(size(at(N::FlowToMw), at(N::FlowToMvar))) / at(N::RatingMva);
        assert!((loading - at(N::Loading)).abs() < 1e-12);
        assert!(at(N::ConeGap) > -1e-9 && at(N::ConeGap) < 1.0);
        most = most.max(loading);
    }
    assert!(most <= 1.0 + 1e-6);
    let dispatched: f64 = found.at(N::DispatchMw).iter().filter(|x| !x.is_nan()).sum();
    let drawn: f64 = found.at(N::DemandMw).iter().filter(|x| !x.is_nan()).sum();
    assert!(dispatched > drawn && dispatched < 1.1 * drawn);
    let codes = found.head["diagnostics"].as_array().expect("diagnostics");
    assert!(codes.iter().any(|d| d["code"] == "RELAXATION.LOWER_BOUND"));
}

/// A commit depends on the edits alone; a rating is in MVA.
#[test]
fn commits_are_functions_of_the_edits() {
    let Some(module) = case("pglib_opf_case118_ieee") else {
        return;
    };
    let mut study = Study::create(&module, "socwr", "").expect("an optimum");
    let base = Answer::of(&study);
    let edits = (json!({ "59": 20.0 }).to_string(), json!({ "8": -100.0 }).to_string());
    study.commit("c", (&edits.0, &edits.1), "").expect("an optimum");
    let there = Answer::of(&study);
    assert_eq!(
        there.at(ColumnName::RatingMva)[7],
        base.at(ColumnName::RatingMva)[7] - 100.0
    );
    study
        .commit("c", (&json!({ "59": -40.0 }).to_string(), ""), "")
        .expect("an optimum");
    study.commit("c", (&edits.0, &edits.1), "").expect("an optimum");
    assert_eq!(Answer::of(&study).head["result_sha256"], there.head["result_sha256"]);
    study.commit("c", ("", ""), "").expect("an optimum");
    assert_eq!(Answer::of(&study).head["result_sha256"], base.head["result_sha256"]);
    // The stateless solve is the same.
    let request = json!({ "formulation": "socwr", "edits": { "deltas": { "59": 20.0 }, "rates": { "8": -100.0 } } });
    let response = Answer::solved(&module, &request.to_string()).expect("an optimum");
    assert_eq!(response["result_sha256"], there.head["result_sha256"]);
    assert_ne!(there.head["result_sha256"], base.head["result_sha256"]);
    // Without cuts the bound is not higher.
    let loose = Study::create(&module, "socwr", r#"{"lifted_cuts":false}"#).expect("an optimum");
    assert!(Answer::of(&loose).objective() <= base.objective() * (1.0 + 1e-8));
    let refused = Study::create(&module, "socwr", r#"{"q_limits":true}"#).expect_err("a refusal");
    assert_eq!(refused.code, "INPUT.REQUEST");
}

/// The components of one price by line add up to the price and agree with the columns.
#[test]
fn a_price_by_line() {
    let Some(study) = study("pglib_opf_case118_ieee") else {
        return;
    };
    let found = Answer::of(&study);
    let parts = parse(&study.lmp_components_json(r#"{"bus":44}"#).expect("a price"));
    let number = |name: &str| parts[name].as_f64().expect("a number");
    let row = 43;
    for (name, column) in [
        ("price", ColumnName::Lmp),
        ("energy", ColumnName::LmpEnergy),
        ("losses", ColumnName::LmpLosses),
        ("voltage", ColumnName::LmpVoltage),
    ] {
        assert_eq!(number(name), found.at(column)[row], "{name}");
    }
    let lines = parts["congestion"].as_array().expect("lines");
    let value = |line: &Value| line["value"].as_f64().expect("$/MWh");
    let congestion: f64 = lines.iter().map(value).sum();
    let want = found.at(ColumnName::LmpCongestion)[row];
    assert!(
        !lines.is_empty() && (congestion - want).abs() < 1e-4 * number("price"),
        "{congestion} against {want}"
    );
    assert!(number("residual").abs() < 1e-4 * number("price").abs());
    assert_eq!(parts["reference"], "demand");
    for line in lines {
        let branch = line["branch"].as_u64().expect("a branch") as usize - 1;
        let shadow = line["shadow"].as_f64().expect("$/MVAh");
        assert!(
            shadow > 0.0
                && (found.at(ColumnName::Loading)[branch] > 1.0 - 1e-4 || found.at(ColumnName::Shadow)[branch] == 0.0)
        );
    }
}

/// An isolated bus without a shunt: its price is energy, and the components of the others are unaffected.
#[test]
fn a_bus_by_itself_has_parts_as_the_others_have() {
    let solved = |buses: &str, generators: &str, costs: &str| {
        let case = format!(
            "function mpc = lone\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
             mpc.bus = [\n1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;\n2 1 80 20 0 0 1 1 0 230 1 1.1 0.9;\n{buses}];\n\
             mpc.gen = [\n1 80 0 100 -100 1 100 1 200 0;\n{generators}];\n\
             mpc.branch = [\n1 2 .01 .1 0 120 0 0 0 0 1 -360 360;\n];\n\
             mpc.gencost = [\n2 0 0 2 10 0;\n{costs}];\n"
        );
        let module = text(&ingest(case.as_bytes(), "matpower"));
        Answer::of(&Study::create(&module, "socwr", "{}").expect("an optimum"))
    };
    let with = solved(
        "3 3 5 1 0 0 1 1 0 230 1 1.1 0.9;\n",
        "3 5 0 50 -50 1 100 1 60 0;\n",
        "2 0 0 2 30 0;\n",
    );
    let without = solved("", "", "");
    for name in [ColumnName::LmpEnergy, ColumnName::LmpLosses, ColumnName::LmpVoltage] {
        for bus in 0..2 {
            let (got, want) = (with.at(name)[bus], without.at(name)[bus]);
            assert!((got - want).abs() < 1e-5, "{name:?} {bus}: {got} against {want}");
        }
    }
    assert!((with.at(ColumnName::LmpEnergy)[2] - 30.0).abs() < 1e-6);
    assert!(with.at(ColumnName::LmpLosses)[2].abs() < 1e-6);
}
