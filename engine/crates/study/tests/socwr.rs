//! The conic relaxation through the Study: objectives of an independent program, power balance and prices by arithmetic of this file
//! on the published columns, edits, previews, derivatives and explanations.

mod common;

use common::{data, data_case, ingest, parse, text, Solved};
use serde_json::{json, Value};
use wattbook_study::contract::{Column, ColumnName};
use wattbook_study::{explain_module_json, solve_module_json, Job, Study};

/// A PGLib case of the data folder; None without the folder.
fn case(name: &str) -> Option<String> {
    let folder = match name {
        name if name.ends_with("__api") => "pglib/api/",
        name if name.ends_with("__sad") => "pglib/sad/",
        _ => "pglib/",
    };
    data_case(&format!("{folder}{name}.m"))
}

fn study(name: &str) -> Option<Study> {
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
        // The larger ones are in the corpus of the solver.
        let buses: String = cells[0].chars().filter(char::is_ascii_digit).collect();
        if buses.parse::<usize>().is_ok_and(|n| n > 600) {
            continue;
        }
        let Some(module) = case(cells[0]) else { continue };
        let solved = Study::create(&module, "socwr", "").unwrap_or_else(|e| panic!("{}: {e:?}", cells[0]));
        let found = Solved::of(&solved);
        let error = (found.objective() - want).abs() / want;
        assert!(error <= 1e-6, "{}: {} against {want}", cells[0], found.objective());
        assert!(found.head["certificate"]["relative_gap"].as_f64().expect("a gap") < 1e-6);
        assert_eq!(found.head["status"], "optimal");
        compared += 1;
    }
    assert!(compared >= 10, "{compared} cases");
}

/// Every line of the certificate by arithmetic on the columns, and the parts of the prices.
#[test]
fn columns_add_up() {
    let Some(study) = study("pglib_opf_case118_ieee") else {
        return;
    };
    let found = Solved::of(&study);
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
    let base = Solved::of(&study);
    let edits = (json!({ "59": 20.0 }).to_string(), json!({ "8": -100.0 }).to_string());
    study.commit("c", (&edits.0, &edits.1), "").expect("an optimum");
    let there = Solved::of(&study);
    assert_eq!(
        there.at(ColumnName::RatingMva)[7],
        base.at(ColumnName::RatingMva)[7] - 100.0
    );
    study
        .commit("c", (&json!({ "59": -40.0 }).to_string(), ""), "")
        .expect("an optimum");
    study.commit("c", (&edits.0, &edits.1), "").expect("an optimum");
    assert_eq!(Solved::of(&study).head["result_sha256"], there.head["result_sha256"]);
    study.commit("c", ("", ""), "").expect("an optimum");
    assert_eq!(Solved::of(&study).head["result_sha256"], base.head["result_sha256"]);
    // The stateless solve is the same.
    let request = json!({ "formulation": "socwr", "edits": { "deltas": { "59": 20.0 }, "rates": { "8": -100.0 } } });
    let response = parse(&solve_module_json(&module, &request.to_string()).expect("an optimum"));
    assert_eq!(response["result_sha256"], there.head["result_sha256"]);
    assert_ne!(there.head["result_sha256"], base.head["result_sha256"]);
    // Without cuts the bound is not higher.
    let loose = Study::create(&module, "socwr", r#"{"lifted_cuts":false}"#).expect("an optimum");
    assert!(Solved::of(&loose).objective() <= base.objective() * (1.0 + 1e-8));
    let refused = Study::create(&module, "socwr", r#"{"q_limits":true}"#).expect_err("a refusal");
    assert_eq!(refused.code, "INPUT.REQUEST");
}

/// A small edit: the preview is what the commit does, within the interval that it names; columns are slopes of commits.
#[test]
fn previews_and_columns_are_slopes_of_commits() {
    let Some(mut study) = study("pglib_opf_case118_ieee") else {
        return;
    };
    let base = Solved::of(&study);
    let edit = json!({ "59": 2.0 }).to_string();
    let preview = study.preview((&edit, "")).expect("a preview");
    let head = parse(&preview.json);
    assert!(head["valid_step"][1].as_f64().is_none_or(|hi| hi > 1.0), "{head}");
    let column = parse(
        &study
            .sensitivity_json("c", ("", ""), r#"{"bus":59}"#)
            .expect("a column"),
    );
    assert_eq!(column["units"], "($/MWh)/MW");
    let slopes: Vec<f64> = column["values"]
        .as_array()
        .expect("values")
        .iter()
        .map(|v| v["value"].as_f64().expect("a slope"))
        .collect();
    study.commit("c", (&edit, ""), "").expect("an optimum");
    let there = Solved::of(&study);
    let changed = there.objective() - base.objective();
    let foretold = head["objectiveDelta"].as_f64().expect("a change");
    assert!(
        (changed - foretold).abs() < 1e-3 * changed.abs(),
        "{changed} against {foretold}"
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
        let of = |mode: &str| -> Value {
            let request = json!({ "formulation": "socwr", "sensitivities": [
                { "operand": operand, "parameter": parameter, "indices": indices, "mode": mode }
            ] });
            let response =
                solve_module_json(&module, &request.to_string()).unwrap_or_else(|e| panic!("{request}: {e:?}"));
            parse(&response)["sensitivities"][0].clone()
        };
        let (forward, adjoint) = (of("Forward"), of("Adjoint"));
        let values = |m: &Value| -> Vec<f64> {
            let rows = m["values"].as_array().expect("rows");
            rows.iter()
                .flat_map(|r| {
                    r.as_array()
                        .expect("a row")
                        .iter()
                        .map(|x| x.as_f64().expect("a number"))
                })
                .collect()
        };
        let (f, a) = (values(&forward), values(&adjoint));
        let size = f.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        assert!(f.len() == a.len() && size > 0.0);
        for (f, a) in f.iter().zip(&a) {
            assert!(
                (f - a).abs() <= 1e-5 * size + 1e-9,
                "{operand} by {parameter}: {f} against {a} of {size}"
            );
        }
        assert_eq!(adjoint["warrants"][0]["point_only"], true);
    }
    let request = json!({ "formulation": "socwr", "sensitivities": [{ "operand": { "Price": "Active" }, "parameter": "Switching" }] });
    let refused = solve_module_json(&module, &request.to_string()).expect_err("a refusal");
    assert_eq!(refused.code, "SENS.UNSUPPORTED");
}

/// Twice the demand of ACTIVSg200: bus 30 behind one branch (values of an independent prototype).
#[test]
fn infeasible_edits_are_explained_by_name() {
    let Some(bytes) = data("activsg200/case_ACTIVSg200.m") else {
        return;
    };
    let module = text(&ingest(&bytes, "matpower"));
    let mut study = Study::create(&module, "socwr", "").expect("an optimum");
    let base = Solved::of(&study);
    let ids = parse(&study.current_solution_json().expect("rows"));
    let prices = ids["prices"].as_array().expect("prices");
    let demand = base.at(ColumnName::DemandMw);
    let doubled = prices.iter().zip(demand).filter(|(_, mw)| **mw > 0.0);
    let deltas: serde_json::Map<String, Value> = doubled.map(|(p, mw)| (p["bus"].to_string(), json!(mw))).collect();
    let deltas = Value::Object(deltas).to_string();
    let refused = study.commit("c", (&deltas, ""), "").expect_err("no optimum");
    assert_eq!(refused.code, "SOLVE.INFEASIBLE");
    assert!(refused
        .details
        .as_ref()
        .is_some_and(|d| d["missing_mw"].as_f64().is_some_and(|mw| mw > 1.0)));
    assert_eq!(Solved::of(&study).head["result_sha256"], base.head["result_sha256"]);
    let mut job = Job::explanation(&study, (&deltas, "")).expect("a search");
    let mut fraction = 0.0;
    loop {
        let step = job.step(1).expect("a step");
        assert!(step.fraction >= fraction);
        fraction = step.fraction;
        if step.done {
            break;
        }
    }
    let found = parse(&job.finish().expect("an explanation").reply.json);
    let total = found["relaxation_total_mw"].as_f64().expect("a total");
    assert!((total - 24.18).abs() < 0.1, "{total}");
    assert_eq!(found["relaxation"][0]["element"]["kind"], "bus");
    assert_eq!(found["relaxation"][0]["element"]["id"], 30);
    assert_eq!(found["is_least"], true);
    let message = found["message"].as_str().expect("a sentence");
    println!("{message}");
    assert!(
        message.starts_with("No solution: ") && message.contains("bus 30"),
        "{message}"
    );
    let feasible = Job::explanation(&study, ("", ""))
        .expect("a search")
        .run()
        .expect("a run");
    assert_eq!(feasible.reply.json, "null");
}

/// Limits of voltages and angle differences that contradict are named, and give way in their own units.
#[test]
fn voltage_and_angle_limits_give_way() {
    let Some(bytes) = data("pglib/pglib_opf_case118_ieee.m") else {
        return;
    };
    let source = String::from_utf8(bytes).expect("text");
    for (from, to, kinds, amount, words) in [
        (
            "0.94000;",
            "1.05000;",
            ["voltage_maximum", "voltage_minimum"].as_slice(),
            "voltage_pu",
            " pu",
        ),
        (
            "-30.0\t 30.0;",
            "-1.0\t 1.0;",
            ["angle"].as_slice(),
            "angle_deg",
            " degrees",
        ),
    ] {
        assert!(source.contains(from), "{from}");
        let module = text(&ingest(source.replace(from, to).as_bytes(), "matpower"));
        let explained = explain_module_json(&module, r#"{"formulation":"socwr"}"#).expect("an explanation");
        let found = parse(&explained);
        let named = |rows: &Value| -> Vec<String> {
            let rows = rows.as_array().expect("rows").iter();
            rows.map(|row| row["limit"].as_str().expect("a limit").to_string())
                .collect()
        };
        assert!(named(&found["elements"])
            .iter()
            .any(|limit| kinds.contains(&limit.as_str())));
        assert!(kinds.contains(&named(&found["relaxation"])[0].as_str()), "{found}");
        let first = &found["relaxation"][0];
        let by = first[amount].as_f64().expect("an amount");
        assert!(by > 0.0 && first["mw"] == 0.0 && first["rounded_mw"] == 0.0, "{first}");
        let remedy = found["remedy"].as_str().expect("a sentence");
        assert!(remedy.contains(&format!("by {by}{words}")), "{remedy}");
        println!("{}", found["message"]);
    }
}

/// A solve in steps of whatever budget gives the bits and the iterations of one at a stretch; until it is kept the Study stays as it was.
#[test]
fn solves_in_steps() {
    for name in ["pglib_opf_case118_ieee", "pglib_opf_case500_goc"] {
        let Some(module) = case(name) else { return };
        let whole = Study::create(&module, "socwr", "").expect("an optimum");
        let mut opening = Job::study_of_module(&module, "socwr", "").expect("a job");
        let (mut fraction, mut iteration, mut gap);
        (fraction, iteration) = (0.0, 0);
        loop {
            let step = opening.step(1).expect("a step");
            assert!(step.fraction >= fraction, "{step:?}");
            fraction = step.fraction;
            let told = step.iteration.expect("an iteration");
            assert!(told.iteration >= iteration && told.residual.is_finite(), "{told:?}");
            (iteration, gap) = (told.iteration, step.gap.expect("a gap"));
            if step.done {
                break;
            }
        }
        assert!(
            fraction == 1.0 && iteration > 10 && gap < 1e-8,
            "{iteration} iterations to {gap}"
        );
        let (mut study, rows) = opening.finish().and_then(|left| left.study()).expect("a study");
        assert_eq!(rows.json, whole.rows().json);
        let hash = |study: &Study| Solved::of(study).sha256().to_string();
        let base = hash(&study);
        assert_eq!(base, hash(&whole));

        let deltas = json!({ "10": 7.5 }).to_string();
        let mut by_call = whole;
        let told = by_call.commit("c", (&deltas, ""), r#"{"bus":10}"#).expect("a commit");
        for budget in [1, 1000] {
            let mut job = Job::commit(&study, "c", (&deltas, ""), r#"{"bus":10}"#).expect("a job");
            while !job.step(budget).expect("a step").done {
                assert_eq!(hash(&study), base);
            }
            let finished = job.finish().expect("a commit");
            assert_eq!(finished.reply.json, told.json);
            let bits = |columns: &[Column]| -> Vec<u64> {
                columns
                    .iter()
                    .flat_map(|c| c.values.iter().map(|x| x.to_bits()))
                    .collect()
            };
            assert_eq!(bits(&finished.reply.columns), bits(&told.columns));
            assert_eq!(hash(&study), base);
            study.keep(&finished);
            assert_eq!(hash(&study), hash(&by_call));
            study.reset("c").expect("the base case");
        }
        // A cancelled one leaves nothing.
        let mut job = Job::commit(&study, "c", (&deltas, ""), "").expect("a job");
        job.step(1).expect("a step");
        drop(job);
        assert_eq!(hash(&study), base);
        // What has no solution says so in a step.
        let mut job = Job::commit(&study, "c", (&json!({ "10": 1e5 }).to_string(), ""), "").expect("a job");
        let refused = loop {
            match job.step(1) {
                Ok(step) => assert!(!step.done, "an optimum"),
                Err(error) => break error,
            }
        };
        assert_eq!(refused.code, "SOLVE.INFEASIBLE");
        assert_eq!(hash(&study), base);
    }
}

/// Formulations that take no steps are solved when the job is finished.
#[test]
fn a_linear_solve_is_a_job_too() {
    let Some(module) = case("pglib_opf_case118_ieee") else {
        return;
    };
    for formulation in ["dcopf", "acpf"] {
        let mut opening = Job::study_of_module(&module, formulation, "").expect("a job");
        assert!(opening.step(1).expect("a step").done);
        let (mut study, _) = opening.finish().and_then(|left| left.study()).expect("a study");
        let mut whole = Study::create(&module, formulation, "").expect("a study");
        let job = Job::commit(&study, "c", (r#"{"10":3}"#, ""), "").expect("a job");
        let finished = job.finish().expect("a commit");
        study.keep(&finished);
        assert_eq!(
            finished.reply.json,
            whole.commit("c", (r#"{"10":3}"#, ""), "").expect("a commit").json
        );
        assert!(Job::commit(&study, "c", ("", ""), "")
            .expect("a job")
            .finish()
            .and_then(|left| left.study())
            .is_err());
    }
}

/// The parts of one price by line add up to the price; they are those of the columns.
#[test]
fn a_price_by_line() {
    let Some(study) = study("pglib_opf_case118_ieee") else {
        return;
    };
    let found = Solved::of(&study);
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
