//! Studies on the three-bus network of identical lines, through the JSON surface.

mod common;

use common::{parse, three_bus as module, Answer};
use serde_json::json;
use wattbook_study::contract::{ColumnName, DCOPF_COLUMNS};
use wattbook_study::{inspect_module, solve_module, Case, Study};

fn study() -> Study {
    Study::create(&module(), "dcopf", "{}").expect("a solvable case")
}

#[track_caller]
fn close(got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len(), "{got:?}");
    assert!(
        got.iter().zip(want).all(|(g, w)| (g - w).abs() <= tolerance),
        "{got:?} against {want:?}"
    );
}

#[test]
fn the_base_solution_is_the_closed_form() {
    let s = Answer::of(&study());
    close(s.at(ColumnName::Lmp), &[18.20, 30.10, 6.30], 1e-7);
    assert!((s.objective() - 808.5).abs() < 1e-6);
    assert_eq!(s["status"], "optimal");
    assert!((s.at(ColumnName::Shadow)[1] - 35.7).abs() < 1e-6);
    assert!((s.at(ColumnName::Loading)[1] - 1.0).abs() < 1e-9);
    assert!(s["certificate"]["relative_gap"].as_f64().unwrap() < 1e-10);
}

#[test]
fn a_commit_is_a_pure_function_of_the_absolute_edits() {
    let deltas = json!({ "2": 7.5 }).to_string();
    let mut direct = study();
    let a = Answer::from(direct.commit("three", (&deltas, "{}"), "null").unwrap());
    let mut detour = study();
    for mw in [-30.0, 19.0, 3.0] {
        detour
            .commit("three", (&json!({ "2": mw }).to_string(), "{\"1\": -5}"), "null")
            .unwrap();
    }
    let b = Answer::from(detour.commit("three", (&deltas, ""), "").unwrap());
    assert_eq!(a["solution"]["result_sha256"], b["solution"]["result_sha256"]);
    assert_eq!(a, b);
    let reset = Answer::from(detour.reset("three").unwrap());
    let fresh = Answer::of(&study());
    assert_eq!(reset["solution"]["result_sha256"], fresh["result_sha256"]);
}

#[test]
fn a_failed_commit_changes_nothing() {
    let mut s = study();
    s.commit("three", ("{\"2\": 5}", "{}"), "null").unwrap();
    let before = Answer::of(&s);
    for (deltas, rates, target, code) in [
        ("{\"2\": 9000}", "", "", "SOLVE.INFEASIBLE"),
        ("{\"9\": 1}", "", "", "DELTA.UNKNOWN_BUS"),
        ("{\"2\": -90.5}", "", "", "DELTA.NEGATIVE_DEMAND"),
        ("{\"2\": 1e999}", "", "", "INPUT.REQUEST"),
        ("", "{\"2\": -40}", "", "RATE.NOT_POSITIVE"),
        ("", "{\"7\": 1}", "", "RATE.UNKNOWN_BRANCH"),
        ("", "", "{\"bus\": 12}", "BUS.UNKNOWN"),
        ("", "", "{\"branch\": \"x\"}", "BRANCH.UNKNOWN"),
        ("{", "", "", "INPUT.REQUEST"),
    ] {
        let error = s.commit("three", (deltas, rates), target).unwrap_err();
        assert_eq!(error.code, code, "{}", error.message());
        assert!(error.message().ends_with('.'), "{}", error.message());
        assert_eq!(Answer::of(&s), before);
    }
}

#[test]
fn a_preview_is_exact_inside_its_interval() {
    let mut s = study();
    // g3 reaches its 10 MW minimum at +20 MW (closed form in the solver's tests).
    let p = Answer::from(s.preview(("{\"2\": 12}", "")).unwrap());
    close(
        p.at(ColumnName::LmpChange),
        &[0.44 * 12.0, 1.05 * 12.0, -0.17 * 12.0],
        1e-6,
    );
    assert_eq!(p["exact"], true);
    let (lo, hi) = (p["valid_mw"][0].as_f64().unwrap(), p["valid_mw"][1].as_f64().unwrap());
    assert!((hi - 20.0).abs() < 1e-6 && lo < 0.0, "{lo} {hi}");
    let before = Answer::of(&s);
    let after = Answer::from(s.commit("three", ("{\"2\": 12}", ""), "").unwrap());
    let predicted = before.at(ColumnName::Lmp).iter().zip(p.at(ColumnName::LmpChange));
    let predicted: Vec<f64> = predicted.map(|(a, b)| a + b).collect();
    close(&predicted, after.at(ColumnName::Lmp), 1e-8);
    let change = after["solution"]["objective"].as_f64().unwrap() - before.objective();
    assert!((p["objectiveDelta"].as_f64().unwrap() - change).abs() < 1e-6);

    // From the committed +12 the interval, in absolute edits, is the same.
    let again = Answer::from(s.preview(("{\"2\": 25}", "")).unwrap());
    assert_eq!(again["exact"], false);
    assert!((again["valid_mw"][1].as_f64().unwrap() - 20.0).abs() < 1e-6);
    assert_eq!(
        s.preview(("{\"2\": -100}", "")).unwrap_err().code,
        "DELTA.NEGATIVE_DEMAND"
    );
}

#[test]
fn columns_by_demand_and_rating() {
    let s = study();
    let c = Answer::from(s.sensitivity("three", ("", ""), "{\"bus\": \"2\"}").unwrap());
    close(c.at(ColumnName::LmpSlope), &[0.44, 1.05, -0.17], 1e-9);
    assert_eq!((c["parameter"].as_str(), c["bus"].as_u64()), (Some("d"), Some(2)));
    assert_eq!(c["warrant"]["ends"][1]["event"], "generator_reaches_min");
    let c = Answer::from(s.sensitivity("three", ("", ""), "{\"branch\": 2}").unwrap());
    close(c.at(ColumnName::LmpSlope), &[-0.66, -1.83, 0.51], 1e-9);
    // Line 1-2 does not bind: its column is zero until its rating falls to its flow.
    let c = Answer::from(s.sensitivity("three", ("", ""), "{\"branch\": 1}").unwrap());
    close(c.at(ColumnName::LmpSlope), &[0.0; 3], 0.0);
    assert_eq!(c["warrant"]["ends"][0]["event"], "line_binds");
    assert!((c["warrant"]["valid_mw"][0].as_f64().unwrap() + 200.0).abs() < 1e-6);
    assert!(c["warrant"]["valid_mw"][1].is_null());
}

/// The column at other edits leaves the Study unchanged.
#[test]
fn sensitivity_at_other_edits_leaves_the_study_alone() {
    let s = study();
    let before = Answer::of(&s);
    let c = Answer::from(
        s.sensitivity("three", ("", "{\"2\": 210, \"1\": -214}"), "{\"branch\": 1}")
            .unwrap(),
    );
    close(c.at(ColumnName::LmpSlope), &[0.66, -1.68, -0.51], 1e-9);
    assert_eq!(Answer::of(&s), before);
}

#[test]
fn columns_follow_the_topology() {
    let mut s = study();
    s.commit("three", ("{\"2\": 2}", "{\"2\": 1}"), "").unwrap();
    let columns = s.current_solution().unwrap().columns;
    let names: Vec<_> = columns.iter().map(|column| column.name).collect();
    assert_eq!(names, DCOPF_COLUMNS);
    let column = |name: ColumnName| &columns.iter().find(|column| column.name == name).unwrap().values[..];
    close(column(ColumnName::DemandMw), &[0.0, 92.0, 0.0], 1e-12);
    close(column(ColumnName::RatingMw), &[250.0, 41.0, 250.0], 1e-12);
    assert_eq!(
        (column(ColumnName::Lmp).len(), column(ColumnName::FlowMw).len()),
        (3, 3)
    );
    assert!((column(ColumnName::DispatchMw).iter().sum::<f64>() - 92.0).abs() < 1e-9);
}

#[test]
fn an_open_case_is_read_once() {
    let text = module();
    let sha256 = Case::read(&text).unwrap().sha256().to_string();
    let case = Case::opened(&sha256).unwrap();
    assert!(std::sync::Arc::ptr_eq(&case, &Case::read(&text).unwrap()));
    let study = Study::of_case(&case, "dcopf", "").unwrap();
    assert_eq!(
        Answer::of(&study),
        Answer::of(&Study::create(&text, "dcopf", "").unwrap())
    );
    assert_eq!(Case::opened("0123").unwrap_err().code, "CASE.LOST");
    let refused = Study::of_case(&case, "acopf", "").unwrap_err();
    assert_eq!(refused.code, "FORMULATION.UNAVAILABLE");
}

#[test]
fn unknown_fields_of_requests_are_refused() {
    for (request, says) in [
        (json!({ "edit": {} }), "unknown field `edit`"),
        (json!({ "edits": { "demnd": { "2": 1 } } }), "unknown field `demnd`"),
    ] {
        let error = solve_module(&module(), &request.to_string()).unwrap_err();
        assert_eq!(error.code, "INPUT.REQUEST");
        assert!(error.message().contains(says), "{error}");
    }
    let mut study = study();
    for target in [r#"{"bus":2,"branch":1}"#, r#"{"buss":2}"#, "{}"] {
        let error = study.commit("x", ("", ""), target).unwrap_err();
        assert_eq!(error.code, "INPUT.REQUEST");
        assert!(
            error
                .message()
                .contains("it must name one bus, branch, generator, link or interface"),
            "{error}"
        );
    }
}

#[test]
fn dc_reports_that_it_does_not_read_reactive_demand() {
    let solved = |edits: serde_json::Value| Answer::solved(&module(), &json!({ "edits": edits }).to_string()).unwrap();
    let with = solved(json!({ "deltas": { "2": 1 }, "reactive": { "2": 1 } }));
    let without = solved(json!({ "deltas": { "2": 1 } }));
    assert_eq!(with["result_sha256"], without["result_sha256"]);
    let message = "DC has no reactive power: the change of reactive demand at bus 2 has no effect here. AC power flow and the relaxation read it.";
    assert_eq!(with["diagnostics"][0]["message"], message);
    assert_eq!(without["diagnostics"], json!([]));
    let unknown = json!({ "edits": { "reactive": { "9": 1 } } }).to_string();
    assert_eq!(solve_module(&module(), &unknown).unwrap_err().code, "DELTA.UNKNOWN_BUS");
}

#[test]
fn the_stateless_solve_has_the_bits_of_a_commit() {
    let mut study = Study::create(&module(), "dcopf", "").unwrap();
    for (deltas, rates) in [("{}", "{}"), (r#"{"2": 5}"#, "{}"), (r#"{"2": -30}"#, r#"{"2": 4}"#)] {
        let commit = Answer::from(study.commit("three", (deltas, rates), "").unwrap());
        let request = json!({ "edits": { "deltas": parse(deltas), "rates": parse(rates) } });
        let answer = Answer::solved(&module(), &request.to_string()).unwrap();
        assert_eq!(
            answer["result_sha256"], commit["solution"]["result_sha256"],
            "{deltas} {rates}"
        );
    }
}

#[test]
fn the_stateless_solve_answers_with_matrices() {
    let request = json!({
        "edits": { "rates": { "2": 210, "1": -214 } },
        "sensitivities": [{ "operand": { "Price": "Active" }, "parameter": "LineLimit", "indices": [0] }]
    });
    let r = Answer::solved(&module(), &request.to_string()).unwrap();
    close(r.at(ColumnName::Lmp), &[8.96, 17.92, 13.44], 1e-7);
    close(&r.matrices[0], &[0.66, -1.68, -0.51], 1e-9);
    assert_eq!(r["sensitivities"][0]["cols"][0]["element"]["id"], 1);

    for (request, code) in [
        (json!({ "formulation": "acopf" }), "INPUT.REQUEST"),
        (json!({ "options": { "lifted_cuts": false } }), "INPUT.REQUEST"),
        (json!({ "options": { "dc_konvention": "service" } }), "INPUT.REQUEST"),
        (
            json!({ "sensitivities": [{ "operand": { "Price": "Reactive" }, "parameter": "LineLimit" }] }),
            "SENS.UNSUPPORTED",
        ),
        (
            json!({ "sensitivities": [{ "operand": { "Price": "Active" }, "parameter": "LineLimit", "indices": [9] }] }),
            "SENS.INDEX",
        ),
    ] {
        assert_eq!(
            solve_module(&module(), &request.to_string()).unwrap_err().code,
            code,
            "{request}"
        );
    }
}

#[test]
fn hostile_text_is_refused() {
    for text in ["", "{}", "null", "[1]", "{\"schema\":\"pio-ir\",\"version\":1}"] {
        let error = Study::create(text, "dcopf", "{}").unwrap_err();
        assert!(
            error.code.starts_with("MODULE.") || error.code.starts_with("INPUT."),
            "{text}: {error}"
        );
    }
    assert_eq!(
        Study::create(&module(), "opf", "{}").unwrap_err().code,
        "FORMULATION.UNAVAILABLE"
    );
}

/// Buses at one position are spread on a ring of about 400 m in the view; the module has the source's positions.
#[test]
fn buses_of_one_place_are_spread_in_the_view() {
    let records = b"bus,lat,lon\n1,40.0,-89.0\n2,40.0,-89.0\n3,41.0,-88.0\n";
    let placed = wattbook_network::geo::apply_geo(&module(), records).expect("matching records");
    let case = Answer::from(inspect_module(&placed.module_json).expect("a good module"));
    let [lon, lat] = [ColumnName::MapLongitude, ColumnName::MapLatitude].map(|name| case.at(name));
    let at = |k: usize| (lon[k], lat[k]);
    let metres = |(lon, lat): (f64, f64)| {
        let (dx, dy) = ((lon + 89.0) * 40f64.to_radians().cos(), lat - 40.0);
        dx.hypot(dy).to_radians() * 6_371_000.0
    };
    for k in [0, 1] {
        assert!((metres(at(k)) - 400.0).abs() < 2.0, "bus {k}: {} m", metres(at(k)));
    }
    assert_ne!(at(0), at(1));
    assert_eq!(at(2), (-88.0, 41.0));
    assert!(placed.module_json.contains("-89"));
}

#[test]
fn the_name_of_a_bus_is_a_key_where_no_other_bus_has_it() {
    let mut module = parse(&module());
    let buses = &mut module["value"]["data"]["buses"];
    (buses[0]["name"], buses[1]["name"], buses[2]["name"]) = (json!("North"), json!("Load centre "), json!("North"));
    let mut study = Study::create(&module.to_string(), "dcopf", "").expect("a solvable case");
    let preview = |deltas: &str| Answer::from(study.preview((deltas, "")).expect("a preview"));
    assert_eq!(preview(r#"{"Load centre":5}"#), preview(r#"{"2":5}"#));
    study.commit("x", (r#"{"Load centre":5}"#, ""), "").expect("a commit");
    let column = |key: &str| {
        let column = study.sensitivity("x", (r#"{"2":5}"#, ""), &json!({ "bus": key }).to_string());
        column.map(Answer::from)
    };
    assert_eq!(column("Load centre").expect("a column"), column("2").expect("a column"));
    let refused = column("North").expect_err("two buses");
    assert_eq!(
        (refused.code, refused.message().as_str()),
        (
            "BUS.AMBIGUOUS",
            "North is the name of 2 buses, bus 1 and bus 3. Use the number of the bus."
        )
    );
    assert_eq!(column("South").expect_err("no bus").code, "BUS.UNKNOWN");
    let refused = study.preview((r#"{"North":5}"#, "")).expect_err("two buses");
    assert_eq!(refused.code, "BUS.AMBIGUOUS");
}
