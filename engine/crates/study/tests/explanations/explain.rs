//! Explanations through the JSON surface: closed forms, and public cases whose relaxation is applied as edits from outside.

use crate::common::{data, ingest, text, three_bus, Answer, THREE_BUS};
use serde_json::{json, Value};
use wattbook_study::{solve_module, Job, Study};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[track_caller]
fn close(got: &Value, want: f64, tolerance: f64) {
    assert!((number(got) - want).abs() <= tolerance, "{got} against {want}");
}

fn explained(study: &Study, deltas: &Value, rates: &Value) -> Answer {
    Answer::run(Job::explanation(study, (&deltas.to_string(), &rates.to_string()))).unwrap()
}

/// Relaxation of elements of one kind, MW.
fn relaxed_total(e: &Value, kind: &str) -> f64 {
    let all = e["relaxation"].as_array().unwrap().iter();
    all.filter(|r| r["element"]["kind"] == kind)
        .map(|r| number(&r["mw"]))
        .sum()
}

/// Whether the case with edits has an optimum.
fn solves(module: &str, deltas: &Value, rates: &Value) -> bool {
    let request = json!({ "edits": { "deltas": deltas, "rates": rates } });
    match solve_module(module, &request.to_string()) {
        Ok(_) => true,
        Err(error) if error.code == "SOLVE.INFEASIBLE" => false,
        Err(error) => panic!("{error}"),
    }
}

/// Both units give at least 10 MW, and 10 MW of demand remain.
#[test]
fn excess_of_minimum_output_is_not_called_a_shortage() {
    let mut study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    let failed = study.commit("x", (r#"{"2":-80}"#, ""), "").unwrap_err();
    assert_eq!(failed.code, "SOLVE.INFEASIBLE");
    assert_eq!(
        failed.message(),
        "No solution: the minimum output of the generators exceeds the demand by at least 10.0 MW."
    );
}

/// The flow 3-2 is `(p3 + d2) / 3` with p3 at least 10 MW: 80 MW of the 40 that line 2 carries.
#[test]
fn edits_without_a_solution_in_closed_form() {
    let mut study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    let before = Answer::of(&study);
    let deltas = json!({ "2": 140 });
    let failed = study.commit("x", (&deltas.to_string(), ""), "").unwrap_err();
    assert_eq!(failed.code, "SOLVE.INFEASIBLE");
    let e = explained(&study, &deltas, &json!({}));
    assert_eq!(e["kind"], "lines");
    // (10 + d) / 3 = 40 MW at d = 110.
    assert_eq!(
        e["message"],
        "No solution: the limit of line 2 cannot be met with generator 2 at its minimum output. Minimum relaxation: raise the rating of line 2 by 40.0 MW. With \
         everything else unchanged, demand at bus 2 can be at most 110.0 MW."
    );
    let limit = &e["demand_limit"];
    close(&limit["demand_mw"], 110.0, 1e-7);
    close(&limit["edit_mw"], 20.0, 1e-7);
    assert_eq!(limit["is_most"], true);
    // A failed commit reports what is certain without a search.
    assert_eq!(
        failed.message(),
        "No solution: the limit of line 2 cannot be met; at least 40.0 MW short."
    );
    let details = failed.details.as_ref().unwrap();
    assert_eq!(details["kind"], "lines");
    close(&details["shortfall_mw"], 40.0, 1e-6);
    assert!(details.get("explanation").is_none());
    assert_eq!(details["lines"], json!([{ "branch": 2, "weight": 1.0 }]));
    assert_eq!(failed.element.as_ref().unwrap().id, 2);
    let stateless = solve_module(&three_bus(), &json!({ "edits": { "deltas": deltas } }).to_string());
    assert_eq!(stateless.unwrap_err().message(), failed.message());
    close(&e["relaxation_total_mw"], 40.0, 1e-6);
    close(&e["verified"]["bound_mw"], 40.0, 1e-4);
    let [line, unit] = e["elements"].as_array().unwrap().as_slice() else {
        panic!("{e}")
    };
    assert_eq!(line["element"], json!({ "kind": "branch", "id": 2, "buses": [2, 3] }));
    assert_eq!(unit["element"], json!({ "kind": "generator", "id": 2, "buses": [3] }));
    close(&line["weight"], 1.0, 1e-9);
    close(&line["limit_mw"], -40.0, 1e-9);
    close(&unit["weight"], 1.0 / 3.0, 1e-9);
    close(&unit["limit_mw"], 10.0, 1e-9);
    assert_eq!((&line["limit"], &unit["limit"]), (&json!("rating"), &json!("minimum")));
    assert_eq!(e["relaxation"].as_array().map(Vec::len), Some(1));
    assert_eq!(Answer::of(&study), before, "the Study stays");

    for (mw, want) in [(40.001, true), (39.999, false)] {
        assert_eq!(solves(&three_bus(), &deltas, &json!({ "2": mw })), want, "{mw}");
    }
    // Together with other edits, by uid or id as in a commit.
    let e = explained(&study, &deltas, &json!({ "2": 25 }));
    close(&e["relaxation_total_mw"], 15.0, 1e-6);
    assert!(explained(&study, &json!({}), &json!({})).is_null());
    assert!(explained(&study, &deltas, &json!({ "2": 41 })).is_null());
    assert_eq!(
        Answer::run(Job::explanation(&study, ("{\"9\": 1}", "")))
            .unwrap_err()
            .code,
        "DELTA.UNKNOWN_BUS"
    );
    let negative = Answer::run(Job::explanation(&study, ("{\"2\": -95}", ""))).unwrap_err();
    assert_eq!(negative.code, "DELTA.NEGATIVE_DEMAND");
}

#[test]
fn a_case_that_makes_no_study_is_explained_all_the_same() {
    let source = THREE_BUS.replace("2 1 90 0", "2 1 600 0");
    let module = text(&ingest(source.as_bytes(), "matpower"));
    assert!(Study::create(&module, "dcopf", "{}").is_err());
    let e = Answer::run(Job::explanation_of_module(&module, "{}")).unwrap();
    assert_eq!(e["kind"], "balance");
    let words = e["message"].as_str().unwrap();
    assert!(
        words.starts_with("No solution: the demand exceeds the generators' capacity by 80.0 MW."),
        "{words}"
    );
    // 80 MW are missing; with all generation lines 2 and 1 exceed their ratings by (270 + 520) / 3 - 40 and 20 / 3 MW
    // more.
    assert!(relaxed_total(&e, "bus") >= 80.0 - 1e-6, "{e}");
    close(&e["relaxation_total_mw"], 310.0, 1e-4);
    // The demand of bus 2 and the ratings of its lines prove more than the generators' capacity does.
    let refused = Study::create(&module, "dcopf", "{}").unwrap_err();
    assert_eq!(
        refused.message(),
        "No solution: bus 2 must import at least 600.0 MW, but line 1 and line 2 can carry at most 290.0 MW; at least 310.0 MW \
         short."
    );
    // The request's edits are included.
    let e = Answer::run(Job::explanation_of_module(
        &module,
        "{\"edits\":{\"deltas\":{\"2\":-510}}}",
    ))
    .unwrap();
    assert!(e.is_null(), "{e}");
    let refused = Answer::run(Job::explanation_of_module(&module, "{\"formulation\":\"dcpf\"}")).unwrap_err();
    assert_eq!(refused.code, "FORMULATION.UNAVAILABLE");
}

/// Two units at one bus, one without a maximum at 5 $/MWh, one without a minimum at 12: each MW from one to the other saves 7.
#[test]
fn costs_that_fall_without_end() {
    let source = THREE_BUS
        .replace("3 0 0 0 0 1 100 1 270 10;", "1 0 0 0 0 1 100 1 270 -Inf;")
        .replace("1 250 10;", "1 Inf 10;")
        .replace("2 0 0 3 0.11 5 0;", "2 0 0 3 0 5 0;")
        .replace("2 0 0 3 0.085 1.2 0;", "2 0 0 3 0 12 0;");
    let module = text(&ingest(source.as_bytes(), "matpower"));
    let failed = solve_module(&module, "{}").unwrap_err();
    assert_eq!(failed.code, "SOLVE.UNBOUNDED", "{failed}");
    let e = Answer::run(Job::explanation_of_module(&module, "{}")).unwrap();
    assert_eq!(e["kind"], "unbounded", "{e}");
    close(&e["verified"]["slope_usd_per_mwh"], -7.0, 1e-6);
    let id = e["elements"][0]["element"]["id"].as_u64().unwrap();
    let want = if id == 1 { "maximum" } else { "minimum" };
    assert_eq!(e["elements"][0]["limit"], want);
    assert!(e["message"].as_str().unwrap().contains("falls by 7.00 $/MWh"), "{e}");
    assert_eq!(e["relaxation"], json!([]));
}

/// A MATPOWER file with a share of a relaxation written into its tables.
fn relaxed_source(source: &str, base_mva: f64, relaxation: &[Value], share: f64) -> String {
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    for r in relaxation {
        let (kind, id) = (
            r["element"]["kind"].as_str().unwrap(),
            r["element"]["id"].as_u64().unwrap(),
        );
        let table = match kind {
            "branch" => "mpc.branch",
            "generator" => "mpc.gen ",
            _ => "mpc.bus ",
        };
        let head = lines
            .iter()
            .position(|l| l.replace('=', " =").starts_with(table))
            .unwrap();
        let is_row = |l: &String| l.trim().starts_with(|c: char| c.is_ascii_digit());
        let mut rows = (head..lines.len()).filter(|&k| is_row(&lines[k]));
        let at = match kind {
            "bus" => rows.find(|&k| lines[k].split_whitespace().next() == Some(&id.to_string())),
            _ => rows.nth(id as usize - 1),
        };
        let line = &mut lines[at.unwrap()];
        let row = line.split(';').next().unwrap();
        let mut cells: Vec<f64> = row.split_whitespace().map(|x| x.parse().unwrap()).collect();
        let mw = number(&r["mw"]) * share;
        let limit = r["limit"].as_str().unwrap();
        match limit {
            "minimum" => cells[9] -= mw,
            "maximum" => cells[8] += mw,
            "demand" => cells[2] -= mw,
            _ => {
                if limit != "angle" {
                    assert!(cells[5] > 0.0, "{line}");
                    cells[5] += mw;
                }
                if limit != "rating" {
                    // The angle-difference limit in MW of the service convention, as the flow at which the relaxed
                    // limit is reached.
                    let (r, x) = (cells[2], cells[3]);
                    let degrees = (mw / (base_mva * x / (r * r + x * x))).abs().to_degrees();
                    (cells[11], cells[12]) = (cells[11] - degrees, cells[12] + degrees);
                }
            }
        }
        *line = cells.iter().map(|c| format!("{c:?}")).collect::<Vec<_>>().join(" ") + ";";
    }
    lines.join("\n")
}

/// With the relaxation written into the file the case solves; with a thousandth less it does not.
#[test]
fn new_england_and_sad_cases() {
    let sad = [
        "5_pjm",
        "30_ieee",
        "89_pegase",
        "118_ieee",
        "200_activ",
        "240_pserc",
        "500_goc",
        "1354_pegase",
    ];
    let sad = sad.map(|name| format!("pglib/sad/pglib_opf_case{name}__sad.m"));
    let mut explained = 0;
    for path in ["new_england250/BaseCase.m".to_string()].iter().chain(&sad) {
        let Some(bytes) = data(path) else { continue };
        let source = String::from_utf8(bytes).unwrap();
        let ingested = ingest(source.as_bytes(), "matpower");
        let module = text(&ingested);
        let refused = Study::create(&module, "dcopf", "{}").map(|_| ()).unwrap_err();
        assert_eq!(refused.code, "SOLVE.INFEASIBLE");
        let e = Answer::run(Job::explanation_of_module(&module, "{}")).unwrap();
        println!("{path}: {}", e["message"]);
        let relaxation = e["relaxation"].as_array().unwrap();
        let total: f64 = relaxation.iter().map(|r| number(&r["mw"])).sum();
        close(&e["relaxation_total_mw"], total, 1e-6 * total);
        close(&e["verified"]["bound_mw"], total, 1e-5 * total);
        for (share, want) in [(1.0 + 1e-5, true), (0.999, false)] {
            let edited = relaxed_source(&source, number(&ingested["base_mva"]), relaxation, share);
            let module = text(&ingest(edited.as_bytes(), "matpower"));
            assert_eq!(solves(&module, &json!({}), &json!({})), want, "{path} at {share}");
        }
        explained += 1;
    }
    println!("{explained} cases explained");
}

#[test]
fn a_track_explains_its_end() {
    let mut study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    let mut stopped = |from: f64, to: f64, explain: bool| {
        let track = Answer::track(&mut study, "{\"bus\":2}", from, to, "", explain).unwrap();
        track["stopped"].clone()
    };
    let plain = stopped(0.0, 80.0, false);
    close(&plain["mw"], 20.0, 1e-6);
    assert_eq!(
        plain["message"],
        "No solution above 110.0 MW at bus 2: the limit of line 2 cannot be met."
    );
    assert!(plain.get("explanation").is_none());
    // At 170 MW the flow is (10 + 170) / 3 = 60 MW.
    let explained = stopped(0.0, 80.0, true);
    assert_eq!(
        explained["message"],
        "No solution above 110.0 MW at bus 2: the limit of line 2 cannot be met with generator 2 at its minimum output. Minimum relaxation to \
         reach 170.0 MW: raise the rating of line 2 by 20.0 MW."
    );
    close(&explained["explanation"]["relaxation_total_mw"], 20.0, 1e-6);
    // Far beyond the capacity the reason at the goal is the balance, but the track still ends at the line.
    let far = stopped(0.0, 1e4, true);
    assert_eq!(far["explanation"]["kind"], "balance");
    assert!(
        far["message"]
            .as_str()
            .unwrap()
            .starts_with("No solution above 110.0 MW at bus 2: the limit of line 2 cannot be met"),
        "{far}"
    );
    // Downwards both units stay at 10 MW; the request does not go below zero demand.
    let low = stopped(0.0, -95.0, true);
    assert_eq!(
        low["message"],
        "No solution below 20.0 MW at bus 2: the minimum output of the generators exceeds the demand. Minimum relaxation to reach 0 MW: \
         reduce minimum output by 20.0 MW in total, 10.0 MW at generator 1 and 10.0 MW at generator 2."
    );
    let track = Answer::track(&mut study, "{\"branch\":2}", 0.0, -39.0, "", true).unwrap();
    let stop = &track["stopped"];
    // (10 + 90) / 3 MW over line 2.
    close(&stop["mw"], 100.0 / 3.0 - 40.0, 1e-6);
    assert!(
        stop["message"]
            .as_str()
            .unwrap()
            .starts_with("No solution below 33.4 MW on line 2: "),
        "{stop}"
    );
}
