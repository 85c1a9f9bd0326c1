//! Ratings that the reader assumes: results that depend on them report it, and an option solves without them.

use crate::common::{ingest, text, Answer};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{read_solution_module, Job, Study};

/// 20 $/MWh at bus 1, and at bus 2 `demand_mw` with `dear_mw` at 50 $/MWh; a line of 0.5 pu with the rating `rate_a` between them. The
/// angle-difference limit is 60 degrees by the service's rule: the DC model allows `pi / 3 / 0.5` pu, 209.44 MW. Voltages from 0.9 to
/// 0.95 pu make the assumed rating `0.95 * 0.95 / 0.5` pu, 180.5 MW.
fn two_buses(demand_mw: f64, dear_mw: f64, rate_a: f64) -> String {
    let case = format!(
        "function mpc = unrated\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
         mpc.bus = [\n1 3 0 0 0 0 1 0.92 0 230 1 0.95 0.9;\n2 2 {demand_mw} 0 0 0 1 0.92 0 230 1 0.95 0.9;\n];\n\
         mpc.gen = [\n1 0 0 900 -900 0.92 100 1 900 0;\n2 0 0 900 -900 0.92 100 1 {dear_mw} 0;\n];\n\
         mpc.branch = [\n1 2 0 0.5 0 {rate_a} 0 0 0 0 1 -360 360;\n];\n\
         mpc.gencost = [\n2 0 0 2 20 0;\n2 0 0 2 50 0;\n];\n"
    );
    text(&ingest(case.as_bytes(), "matpower"))
}

const WITHOUT: &str = r#"{"assumed_ratings":false}"#;
const ASSUMED_MW: f64 = 180.5;
const BY_ANGLE_MW: f64 = 209.43951023931953;

fn codes(head: &Value) -> Vec<&str> {
    let found = head["diagnostics"].as_array().expect("a list").iter();
    found.filter_map(|d| d["code"].as_str()).collect()
}

#[test]
fn a_refusal_by_an_assumed_angle_limit_states_it() {
    let refused =
        Study::create(&two_buses(300.0, 50.0, 0.0), "dcopf", WITHOUT).expect_err("209 MW and 50 MW for 300 MW");
    assert_eq!(refused.code, "SOLVE.INFEASIBLE");
    let message = "The angle-difference limit of line 1 is assumed to be 60 degrees, because the file has none.";
    assert!(refused.message().contains(message), "{}", refused.message());
    assert!(
        refused.details.is_none_or(|details| details["options"].is_null()),
        "no option helps"
    );
    // The file's own limit of 60 degrees is not assumed.
    let own = two_buses(300.0, 50.0, 0.0);
    let own = own
        .replace("\"angmin\": -360", "\"angmin\": -60")
        .replace("\"angmax\": 360", "\"angmax\": 60");
    let refused = Study::create(&own, "dcopf", WITHOUT).expect_err("the same");
    assert!(!refused.message().contains("is assumed"), "{}", refused.message());
}

#[test]
fn a_price_that_depends_on_an_assumed_rating_is_reported() {
    let module = two_buses(300.0, 900.0, 0.0);
    let study = Study::create(&module, "dcopf", "").expect("an optimum");
    let with = Answer::of(&study);
    assert!((with.at(ColumnName::FlowMw)[0] - ASSUMED_MW).abs() < 1e-6);
    assert_eq!(codes(&with.head), ["RATING.ASSUMED"]);
    let message = with.head["diagnostics"][0]["message"].as_str().expect("a sentence");
    assert!(
        message.contains("line 1") && message.contains("assumed_ratings"),
        "{message}"
    );

    let free = Study::create(&module, "dcopf", WITHOUT).expect("an optimum");
    let without = Answer::of(&free);
    assert!((without.at(ColumnName::FlowMw)[0] - BY_ANGLE_MW).abs() < 1e-6);
    assert!((with.objective() - without.objective() - 30.0 * (BY_ANGLE_MW - ASSUMED_MW)).abs() < 1e-6);
    assert!(without.at(ColumnName::RatingMw)[0].is_infinite());
    assert_eq!(without.at(ColumnName::Loading)[0], 0.0);
    assert_eq!(codes(&without.head), ["BRANCH.ANGLE_LIMIT"]);
    let message = without.head["diagnostics"][0]["message"].as_str().expect("a sentence");
    assert!(message.contains("The limit of 60 degrees is assumed"), "{message}");
    assert_ne!(with.sha256(), without.sha256());
    // The stateless solve agrees, and a missing rating cannot be edited.
    let request = json!({ "options": { "assumed_ratings": false } }).to_string();
    let stateless = Answer::solved(&module, &request).expect("an optimum");
    assert_eq!(stateless["result_sha256"], without.sha256());
    let mut free = free;
    let refused = free.commit("x", ("", r#"{"1":5}"#), "").expect_err("no rating");
    assert_eq!(refused.code, "EDIT.NOT_EDITABLE");
    // Other generators are another problem with the same options.
    let cheaper = r#"{"2":{"cost":10}}"#;
    free.commit("x", ("", "", "", cheaper), "").expect("an optimum");
    assert!(Answer::of(&free).at(ColumnName::RatingMw)[0].is_infinite());
}

/// A binding rating of the file gives no diagnostic.
#[test]
fn a_rating_of_the_file_is_not_assumed() {
    let study = Study::create(&two_buses(300.0, 900.0, 100.0), "dcopf", WITHOUT).expect("an optimum");
    let solved = Answer::of(&study);
    assert!((solved.at(ColumnName::FlowMw)[0] - 100.0).abs() < 1e-6);
    assert!(codes(&solved.head).is_empty(), "{}", solved.head);
}

#[test]
fn a_refusal_by_an_assumed_rating_states_it() {
    let module = two_buses(200.0, 10.0, 0.0);
    let refused = Study::create(&module, "dcopf", "").expect_err("190.5 MW at most");
    assert_eq!(refused.code, "SOLVE.INFEASIBLE");
    assert!(refused.message().contains("assumed_ratings"), "{refused}");
    assert!(refused.message().contains("line 1"), "{refused}");
    let free = Study::create(&module, "dcopf", WITHOUT).expect("an optimum");
    assert!((Answer::of(&free).objective() - 200.0 * 20.0).abs() < 1e-6);

    let study = Study::create(&two_buses(100.0, 10.0, 0.0), "dcopf", "").expect("an optimum");
    let explanation = Answer::run(Job::explanation(&study, (r#"{"2":100}"#, ""))).expect("an explanation");
    let message = explanation["message"].as_str().expect("a sentence");
    assert!(message.contains("The rating of line 1 is assumed"), "{message}");
    let of_line = |list: &Value| {
        let rows = list.as_array().expect("a list").iter();
        let lines: Vec<bool> = rows
            .filter(|row| row["element"]["kind"] == "branch")
            .map(|row| row["rating_assumed"] == true)
            .collect();
        lines
    };
    assert_eq!(of_line(&explanation["elements"]), [true]);
    // With a rating of the file there is no diagnostic.
    let study = Study::create(&two_buses(100.0, 10.0, 150.0), "dcopf", "").expect("an optimum");
    let explanation = Answer::run(Job::explanation(&study, (r#"{"2":100}"#, ""))).expect("an explanation");
    assert!(!explanation.to_string().contains("assumed"), "{explanation}");
}

/// The relaxation without assumed ratings is that of a file whose ratings are never reached. Voltages are not unique: no limit holds them.
#[test]
fn the_relaxation_solves_without_assumed_ratings() {
    let solved =
        |module: &str, options: &str| Answer::of(&Study::create(module, "socwr", options).expect("an optimum"));
    let (unrated, rated) = (two_buses(140.0, 900.0, 0.0), two_buses(140.0, 900.0, 9000.0));
    let (without, want) = (solved(&unrated, WITHOUT), solved(&rated, ""));
    assert!((without.objective() - want.objective()).abs() < 1e-6 * want.objective());
    for name in [ColumnName::Lmp, ColumnName::FlowMw] {
        for (got, want) in without.at(name).iter().zip(want.at(name)) {
            assert!((got - want).abs() < 1e-3, "{name:?}: {got} against {want}");
        }
    }
    assert!(without.at(ColumnName::RatingMva)[0].is_infinite());
    assert_eq!(without.at(ColumnName::Loading)[0], 0.0);
}

/// Results without assumed ratings are saved and read with their certificate.
#[test]
fn a_saved_result_stays_one_without_assumed_ratings() {
    let module = two_buses(140.0, 900.0, 0.0);
    for formulation in ["dcopf", "acpf", "socwr"] {
        let study = Study::create(&module, formulation, WITHOUT).expect("a solution");
        let saved = study.save_solution_module_json(&module).expect("a module");
        let read = Answer::from(read_solution_module(&saved).expect("a solution"));
        assert_eq!(
            read["solution"]["result_sha256"],
            Answer::of(&study).sha256(),
            "{formulation}"
        );
    }
}

/// A converter marks missing limits of a source as unlimited: 10 pu between the buses carry 50 MW at an angle
/// difference of 5 rad, where the rules for absent limits would permit 10.5 MW. Marks have no effect where the document
/// has limits.
#[test]
fn limits_missing_in_the_source_are_infinite() {
    let module = |marks: &str| {
        let document = format!(
            r#"{{"baseMVA":100,"per_unit":false,
            "bus":{{"1":{{"index":1,"bus_i":1,"bus_type":3,"vm":1,"base_kv":110,"vmin":0.9,"vmax":1.1}},
                    "2":{{"index":2,"bus_i":2,"bus_type":1,"vm":1,"base_kv":110,"vmin":0.9,"vmax":1.1}}}},
            "load":{{"1":{{"load_bus":2,"pd":50,"qd":0}}}},
            "gen":{{"1":{{"index":1,"gen_bus":1,"pmin":0,"pmax":90,"pg":0,"qg":0,"cost":[0,10,0],"model":2,"ncost":3}}}},
            "branch":{{"1":{{"index":1,"f_bus":1,"t_bus":2,"br_r":0,"br_x":10{marks}}}}}}}"#
        );
        text(&ingest(document.as_bytes(), "powermodels-json"))
    };
    let marks = r#","wattbook_unrated":true,"wattbook_no_angle_limits":true"#;
    let study = Study::create(&module(marks), "dcopf", "").expect("an optimum");
    let free = Answer::of(&study);
    assert!((free.at(ColumnName::FlowMw)[0] - 50.0).abs() < 1e-9);
    assert!((free.at(ColumnName::Lmp)[1] - 10.0).abs() < 1e-9);
    assert!((free.at(ColumnName::VaRad)[0] - free.at(ColumnName::VaRad)[1] - 5.0).abs() < 1e-9);
    assert!(free.at(ColumnName::RatingMw)[0].is_infinite());
    assert!(codes(&free.head).is_empty(), "{}", free.head);
    for marks in ["", r#","wattbook_unrated":true"#, r#","wattbook_no_angle_limits":true"#] {
        let refused = Study::create(&module(marks), "dcopf", "").expect_err("no solution");
        assert_eq!(refused.code, "SOLVE.INFEASIBLE", "{marks}");
    }
}

/// A vector group of 150 degrees without angle limits: its angle-difference limits are centred at the shift, or at zero
/// in the convention that omits shifts. 100 MW over 0.1 pu are 0.1 rad.
#[test]
fn open_angle_limits_of_a_convention_without_shifts() {
    let case = "function mpc = yd\nmpc.version = '2';\nmpc.baseMVA = 100;\n\
         mpc.bus = [\n1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;\n2 1 100 0 0 0 1 1 0 110 1 1.1 0.9;\n];\n\
         mpc.gen = [\n1 0 0 900 -900 1 100 1 900 0;\n];\n\
         mpc.branch = [\n1 2 0 0.1 0 200 0 0 1 150 1 -360 360;\n];\n\
         mpc.gencost = [\n2 0 0 2 20 0;\n];\n";
    let module = text(&ingest(case.as_bytes(), "matpower"));
    for (convention, shift) in [("service", 150.0), ("matpower", 150.0), ("powermodels", 0.0_f64)] {
        let options = json!({ "dc_convention": convention }).to_string();
        let study = Study::create(&module, "dcopf", &options).expect("an optimum");
        let solved = Answer::of(&study);
        let angle = solved.at(ColumnName::VaRad)[0] - solved.at(ColumnName::VaRad)[1];
        assert!(
            (angle - f64::to_radians(shift) - 0.1).abs() < 1e-9,
            "{convention}: {angle}"
        );
        assert!((solved.at(ColumnName::FlowMw)[0] - 100.0).abs() < 1e-9);
    }
}
