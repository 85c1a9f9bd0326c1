//! Limits and costs of generators: derivatives and previews in closed form, and against commits.

use crate::common::{data, ingest, text, three_bus, Answer, THREE_BUS};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

/// The three-bus network without congestion: units at bus 1 (0.22 p + 5) and bus 3 (0.17 p + 1.2), one price.
const WIDE: &str = "{\"2\":200}";

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[track_caller]
fn close(got: &Value, want: f64, tolerance: f64) {
    assert!((number(got) - want).abs() <= tolerance, "{got} against {want}");
}

fn uncongested(generators: &Value) -> Study {
    let mut study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    commit(&mut study, generators);
    study
}

fn commit(study: &mut Study, generators: &Value) -> Answer {
    let generators = generators.to_string();
    study
        .commit("x", ("", WIDE, "", generators.as_str()), "")
        .unwrap()
        .into()
}

fn preview(study: &Study, deltas: &str, generators: &Value) -> Answer {
    let generators = generators.to_string();
    Answer::from(study.preview((deltas, WIDE, "", generators.as_str())).unwrap())
}

fn column(study: &Study, generators: &Value, target: &Value) -> Answer {
    let generators = generators.to_string();
    let edits = ("", WIDE, "", generators.as_str());
    Answer::from(study.sensitivity("x", edits, &target.to_string()).unwrap())
}

#[track_caller]
fn near(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance, "{got} against {want}");
}

#[track_caller]
fn all(values: &[f64], want: f64) {
    assert!(!values.is_empty());
    values.iter().for_each(|value| near(*value, want, 1e-9));
}

/// Below its dispatch of 60.51282 MW the limit of generator 2 binds: generator 1 replaces the missing power, at 0.22
/// $/MWh per MW.
#[test]
fn prices_by_a_capacity() {
    let (free, held) = (json!({}), json!({ "2": { "p_max": 50.0 } }));
    let target = json!({ "generator": 2 });
    let study = uncongested(&free);
    let at_base = column(&study, &free, &target);
    all(at_base.at(ColumnName::LmpSlope), 0.0);
    assert_eq!(
        (&at_base["parameter"], &at_base["generator"]),
        (&json!("pmax"), &json!(2))
    );
    assert_eq!(at_base["units"], "($/MWh)/MW");
    let low = &at_base["warrant"]["ends"][0];
    close(&low["mw"], 60.512_820_512_820_51 - 270.0, 1e-7);
    assert_eq!(low["event"], "generator_reaches_max");
    close(&low["price_jump"], 0.0, 1e-6);
    assert_eq!(at_base["warrant"]["valid_mw"][1], Value::Null);

    let study = uncongested(&held);
    let column = column(&study, &held, &target);
    all(column.at(ColumnName::LmpSlope), -0.22);
    let ends = &column["warrant"]["ends"];
    close(&ends[0]["mw"], 10.0 - 50.0, 1e-7);
    assert_eq!(ends[0]["event"], "edit_limit");
    close(&ends[1]["mw"], 10.512_820_512_820_51, 1e-7);
    assert_eq!(ends[1]["event"], "generator_leaves_limit");

    let to = json!({ "2": { "p_max": 45.0 } });
    let previewed = preview(&study, "", &to);
    all(previewed.at(ColumnName::LmpChange), 1.1);
    close(&previewed["objectiveDelta"], 673.875 - 648.5, 1e-8);
    assert_eq!(previewed["exact"], true);
    close(&previewed["valid_mw"][0], 10.0, 1e-7);
    close(&previewed["valid_mw"][1], 60.512_820_512_820_51, 1e-7);
    // With 5 MW more demand as well: generator 1 gives 50 MW.
    let both = preview(&study, "{\"2\":5}", &to);
    all(both.at(ColumnName::LmpChange), 2.2);
    assert_eq!((&both["exact"], &both["valid_mw"]), (&json!(true), &Value::Null));
    // Beyond the interval the preview is a tangent and is marked as one.
    let beyond = preview(&study, "", &json!({ "2": { "p_max": 80.0 } }));
    assert_eq!(beyond["exact"], false);
    all(beyond.at(ColumnName::LmpChange), -0.22 * 30.0);
}

/// Line 2-3 permits 60 MW of generator 1 and 30 MW of generator 2: with less of the first there is no solution.
#[test]
fn an_end_without_a_solution_is_reported() {
    let study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    let target = json!({ "generator": "1", "value": "p_max" }).to_string();
    let column = Answer::from(study.sensitivity("x", ("", ""), &target).unwrap());
    let low = &column["warrant"]["ends"][0];
    close(&low["mw"], 60.0 - 250.0, 1e-7);
    assert_eq!(low["no_solution_beyond"], true);
    // Nor is there one with a minimum output above the 30 MW that the line leaves to generator 2.
    let target = json!({ "generator": 2, "value": "p_min" }).to_string();
    let column = Answer::from(study.sensitivity("x", ("", ""), &target).unwrap());
    let high = &column["warrant"]["ends"][1];
    close(&high["mw"], 20.0, 1e-7);
    assert_eq!(
        (&high["event"], &high["no_solution_beyond"]),
        (&json!("generator_reaches_min"), &json!(true))
    );
}

/// A unit at its minimum displaces the other: generator 1 at 40 instead of 29.48718 MW.
#[test]
fn prices_by_a_minimum_output() {
    let held = json!({ "1": { "p_min": 40.0 } });
    let study = uncongested(&held);
    let column = column(&study, &held, &json!({ "generator": 1, "value": "p_min" }));
    all(column.at(ColumnName::LmpSlope), -0.17);
    close(&column["warrant"]["ends"][0]["mw"], 29.487_179_487_179_49 - 40.0, 1e-7);
    let previewed = preview(&study, "", &json!({ "1": { "p_min": 35.0 } }));
    all(previewed.at(ColumnName::LmpChange), 0.85);
    assert_eq!(previewed["exact"], true);
}

/// A unit with constant marginal cost sets the price: generator 1 follows until either is at a limit.
#[test]
fn prices_by_a_cost() {
    let flat = json!({ "2": { "cost": 10.0 } });
    let study = uncongested(&flat);
    let column = column(&study, &flat, &json!({ "generator": 2, "value": "cost" }));
    assert_eq!(
        (&column["parameter"], &column["units"]),
        (&json!("cost"), &json!("($/MWh)/($/MWh)"))
    );
    all(column.at(ColumnName::LmpSlope), 1.0);
    let ends = &column["warrant"]["ends"];
    close(&ends[0]["mw"], 7.2 - 10.0, 1e-7);
    close(&ends[1]["mw"], 22.6 - 10.0, 1e-7);
    assert_eq!(ends[1]["element"]["id"], 2);
    let previewed = preview(&study, "", &json!({ "2": { "cost": 11.0 } }));
    all(previewed.at(ColumnName::LmpChange), 1.0);
    assert_eq!(previewed["exact"], true);
    close(&previewed["valid_mw"][0], 7.2, 1e-7);
    close(&previewed["valid_mw"][1], 22.6, 1e-7);
    // The objective is quadratic in the cost.
    let mut moved = study.clone();
    let before = commit(&mut moved, &flat);
    let after = commit(&mut moved, &json!({ "2": { "cost": 11.0 } }));
    let change = number(&after["solution"]["objective"]) - number(&before["solution"]["objective"]);
    close(&previewed["objectiveDelta"], change, 1e-7);
}

/// For a cost that replaces a curve, the slope of the price is that at the curve's marginal cost, and nowhere exact.
#[test]
fn a_cost_in_place_of_a_curve_is_an_estimate() {
    let study = uncongested(&json!({}));
    let previewed = preview(&study, "", &json!({ "2": { "cost": 10.0 } }));
    let marginal = 0.17 * 60.512_820_512_820_51 + 1.2;
    all(previewed.at(ColumnName::LmpChange), (10.0 - marginal) * 0.22 / 0.39);
    assert_eq!(
        (&previewed["exact"], &previewed["valid_step"]),
        (&json!(false), &json!([0.0, 0.0]))
    );
    let column = column(&study, &json!({}), &json!({ "generator": 2, "value": "cost" }));
    all(column.at(ColumnName::LmpSlope), 0.22 / 0.39);
    assert_eq!(column["warrant"]["point_only"], true);
}

/// A fixed unit at bus 2 for 1 $/MWh: each MW of additional range replaces one of the others.
#[test]
fn a_fixed_unit_gets_a_range() {
    let unit = "3 0 0 0 0 1 100 1 270 10;\n2 0 0 0 0 1 100 1 0 0;";
    let case = include_str!("../three_bus.m")
        .replace("3 0 0 0 0 1 100 1 270 10;", unit)
        .replace("2 0 0 3 0.085 1.2 0;", "2 0 0 3 0.085 1.2 0;\n2 0 0 3 0.01 1 0;");
    let ingested = ingest(case.as_bytes(), "matpower");
    let study = Study::create(&text(&ingested), "dcopf", "{}").unwrap();
    let target = json!({ "generator": 3 }).to_string();
    let column = Answer::from(study.sensitivity("x", ("", WIDE), &target).unwrap());
    all(column.at(ColumnName::LmpSlope), -0.22 * 0.17 / 0.39);
    let warrant = &column["warrant"];
    assert_eq!(
        (&warrant["kind"], &warrant["ends"][0]["event"]),
        (&json!("regular"), &json!("edit_limit"))
    );
    close(&warrant["valid_mw"][0], 0.0, 0.0);
    // Until generator 1 is at its minimum of 10 MW: 19.48718 of its MW, which is 0.17 / 0.39 of the replaced power.
    close(&warrant["valid_mw"][1], 19.487_179_487_179_49 * 0.39 / 0.17, 1e-6);
}

/// With linear costs a price is a staircase: once the cheap unit covers the demand, its cost is the price.
#[test]
fn a_step_of_the_price_is_reported() {
    let case = include_str!("../three_bus.m")
        .replace("2 0 0 3 0.11 5 0;", "2 0 0 3 0 10 0;")
        .replace("2 0 0 3 0.085 1.2 0;", "2 0 0 3 0 20 0;")
        .replace("1 0 0 0 0 1 100 1 250 10;", "1 0 0 0 0 1 100 1 50 10;")
        .replace("3 0 0 0 0 1 100 1 270 10;", "3 0 0 0 0 1 100 1 270 0;")
        .replace("2 3 0.01 0.1 0 40 ", "2 3 0.01 0.1 0 240 ");
    let ingested = ingest(case.as_bytes(), "matpower");
    let study = Study::create(&text(&ingested), "dcopf", "{}").unwrap();
    let target = json!({ "generator": 1 }).to_string();
    let column = Answer::from(study.sensitivity("x", ("", ""), &target).unwrap());
    all(column.at(ColumnName::LmpSlope), 0.0);
    let high = &column["warrant"]["ends"][1];
    close(&high["mw"], 40.0, 1e-7);
    close(&high["price_jump"], -10.0, 1e-6);
    assert_eq!(
        (&high["event"], &high["watched_bus"]),
        (&json!("generator_reaches_min"), &json!(1))
    );
}

#[test]
fn edits_without_a_preview_are_refused_without_effect() {
    let refused = |formulation: &str, case: &str, generators: Value| {
        let ingested = ingest(case.as_bytes(), "matpower");
        let study = Study::create(&text(&ingested), formulation, "{}").unwrap();
        let before = Answer::of(&study);
        let generators = generators.to_string();
        let error = study.preview(("", "", "", generators.as_str())).unwrap_err();
        assert_eq!(Answer::of(&study), before);
        assert_eq!(error.code, "GENERATOR.NO_PREVIEW");
        assert_eq!(error.element.map(|element| element.id), Some(2));
    };
    let three = include_str!("../three_bus.m");
    let pieces = three
        .replace("2 0 0 3 0.11 5 0;", "2 0 0 3 0.11 5 0 0 0 0;")
        .replace("2 0 0 3 0.085 1.2 0;", "1 0 0 3 0 0 100 200 270 900;");
    refused("dcopf", three, json!({ "2": { "status": false } }));
    refused("dcopf", &pieces, json!({ "2": { "cost": 10 } }));
    refused("acpf", three, json!({ "2": { "p_max": 10 } }));
    let study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
    let off = json!({ "2": { "status": false } }).to_string();
    let target = json!({ "generator": 2 }).to_string();
    let edits = ("", WIDE, "", off.as_str());
    assert_eq!(
        study.sensitivity("x", edits, &target).unwrap_err().code,
        "GENERATOR.OUT_OF_SERVICE"
    );
    let unknown = json!({ "generator": 9 }).to_string();
    assert_eq!(
        study.sensitivity("x", edits, &unknown).unwrap_err().code,
        "GENERATOR.UNKNOWN"
    );
    let flow = Study::create(&three_bus(), "acpf", "{}").unwrap();
    assert_eq!(
        flow.sensitivity("x", ("", ""), &target).unwrap_err().code,
        "SENS.UNSUPPORTED"
    );
    assert_eq!(study.lmp_components_json(&target).unwrap_err().code, "INPUT.REQUEST");
}

/// Inside its interval a column predicts the results of commits; slightly past its end another limit binds.
#[test]
fn columns_foretell_commits() {
    for path in [
        "pglib/pglib_opf_case118_ieee.m",
        "pglib/api/pglib_opf_case300_ieee__api.m",
    ] {
        let Some(bytes) = data(path) else { return };
        let study = Study::create(&text(&ingest(&bytes, "matpower")), "dcopf", "{}").unwrap();
        let base = Answer::of(&study);
        let units = base.at(ColumnName::DispatchMw).iter().zip(1u64..);
        let units: Vec<(&f64, u64)> = units.filter(|(output, _)| !output.is_nan()).collect();
        let mut seen = 0;
        for &(&output, id) in units.iter().step_by(5) {
            if output < 20.0 {
                continue;
            }
            // A limit that binds, and moves up and down from there.
            let at = |p_max: f64| json!({ id.to_string(): { "p_max": p_max } });
            let p_max = 0.9 * output;
            let mut held = study.clone();
            let generators = at(p_max).to_string();
            if held.commit("x", ("", "", "", generators.as_str()), "").is_err() {
                continue; // no other unit can take over
            }
            let before = Answer::of(&held);
            for sign in [-1.0, 1.0] {
                let to = at(p_max + sign * 0.01).to_string();
                let previewed = Answer::from(held.preview(("", "", "", to.as_str())).unwrap());
                if previewed["exact"] != true {
                    continue;
                }
                let mut moved = held.clone();
                let after = Answer::from(moved.commit("x", ("", "", "", to.as_str()), "").unwrap());
                let changes = previewed.taking(ColumnName::LmpChange);
                let (from, to) = (before.taking(ColumnName::Lmp), after.taking(ColumnName::Lmp));
                for ((change, from), to) in changes.iter().zip(from).zip(to) {
                    near(*change, to - from, 1e-6 * (1.0 + to.abs()));
                }
                seen += 1;
            }
        }
        assert!(seen >= 4, "{path}: {seen} moves inside an interval");
    }
}

/// The relaxation has derivatives by limits and costs too: those of central differences of its optima.
#[test]
fn columns_of_the_relaxation_agree_with_differences() {
    let reactive = THREE_BUS.replace("0 0 0 0 1 100 1", "0 0 100 -100 1 100 1");
    let study = Study::create(&text(&ingest(reactive.as_bytes(), "matpower")), "socwr", "{}").unwrap();
    let held = |p_max: f64| json!({ "2": { "p_max": p_max } });
    let priced = |cost: f64| json!({ "2": { "cost": cost } });
    let prices = |generators: &Value| -> Vec<f64> {
        let mut study = study.clone();
        commit(&mut study, generators).at(ColumnName::Lmp).to_vec()
    };
    for (value, at, make) in [
        ("p_max", 50.0, &held as &dyn Fn(f64) -> Value),
        ("cost", 10.0, &priced as &dyn Fn(f64) -> Value),
    ] {
        let step = 0.05;
        let (up, down) = (prices(&make(at + step)), prices(&make(at - step)));
        let mut here = study.clone();
        commit(&mut here, &make(at));
        let column = column(&here, &make(at), &json!({ "generator": 2, "value": value }));
        let slopes = column.at(ColumnName::LmpSlope);
        for ((slope, up), down) in slopes.iter().zip(&up).zip(&down) {
            near(*slope, (up - down) / (2.0 * step), 1e-3);
        }
        let previewed = preview(&here, "", &make(at + step));
        assert_eq!(previewed["exact"], false);
        let before = prices(&make(at));
        let changes = previewed.at(ColumnName::LmpChange);
        for ((change, before), after) in changes.iter().zip(&before).zip(&up) {
            near(*change, after - before, 1e-3 * step.max((after - before).abs()));
        }
    }
}

/// Marginal costs 10 + 0.2 p and 10 + 0.1 p: the second unit gives twice the power of the first, at 16 $/MWh.
#[test]
fn a_quadratic_cost_in_closed_form() {
    let costs = json!({ "1": { "cost": 10.0, "c2": 0.1 }, "2": { "cost": 10.0, "c2": 0.05 } });
    let study = uncongested(&costs);
    let state = Answer::of(&study);
    all(state.at(ColumnName::Lmp), 16.0);
    let dispatch = state.at(ColumnName::DispatchMw);
    near(dispatch[0], 30.0, 1e-9);
    near(dispatch[1], 60.0, 1e-9);
    near(state.objective(), 900.0 + 0.1 * 900.0 + 0.05 * 3600.0, 1e-7);
    // The case with these costs in its file has the same bits, and so has the module with the edits in it.
    let file = THREE_BUS
        .replace("3 0.11 5 0", "3 0.1 10 0")
        .replace("3 0.085 1.2 0", "3 0.05 10 0");
    let edits = json!({ "generators": costs, "rates": { "2": 200.0 } }).to_string();
    let written = wattbook_study::materialize_module(&three_bus(), edits.as_str()).expect("a module");
    let mut own = Study::create(&text(&ingest(file.as_bytes(), "matpower")), "dcopf", "{}").unwrap();
    own.commit("x", r#"{ "rates": { "2": 200 } }"#, "")
        .expect("a solvable case");
    assert_eq!(Answer::of(&own).bits(), state.bits());
    let own = Answer::of(&Study::create(&written, "dcopf", "{}").unwrap());
    all(own.at(ColumnName::Lmp), 16.0);
    near(own.objective(), state.objective(), 1e-7);
    for (edit, words) in [
        (json!({ "1": { "c2": 0.1 } }), "needs a cost too"),
        (json!({ "1": { "cost": 10.0, "c2": -0.1 } }), "at least zero"),
    ] {
        let edits = json!({ "generators": edit }).to_string();
        let mut study = Study::create(&three_bus(), "dcopf", "{}").unwrap();
        let refused = study.commit("x", edits.as_str(), "").expect_err("a refusal");
        assert_eq!(refused.code, "GENERATOR.MALFORMED");
        assert!(refused.message().contains(words), "{}", refused.message());
    }
}

/// Costs of a case without costs as edits of its Study: the result is that of the case with assumed costs, and says so.
#[test]
fn assumed_costs_are_edits() {
    let free = THREE_BUS.split("mpc.gencost").next().unwrap();
    let module = text(&ingest(free.as_bytes(), "matpower"));
    let fuels = json!(["gas", "coal"]);
    for request in [
        json!({ "fuels": fuels }),
        json!({ "fuels": fuels, "given": [{ "fuel": "gas", "c1": 30.0 }, { "fuel": "coal", "c1": 20.0, "c2": 0.05 }] }),
    ] {
        let request = request.to_string();
        let edits = wattbook_study::cost_edits_json(&module, &request, b"").expect("edits");
        let edits = format!("{{\"generators\":{edits}}}");
        let mut study = Study::create(&module, "dcopf", "{}").unwrap();
        study.commit("x", edits.as_str(), "").expect("a solvable case");
        let state = Answer::of(&study);
        let assumed = wattbook_study::assume_costs(&module, &request, b"").expect("a module");
        let own = Answer::of(&Study::create(&assumed, "dcopf", "{}").unwrap());
        assert_eq!(state.bits(), own.bits());
        assert!(state.at(ColumnName::Lmp)[0] > 5.0);
        let assumed = state["diagnostics"].as_array().unwrap().iter();
        let assumed: Vec<&Value> = assumed.filter(|d| d["code"] == "COST.ASSUMED").collect();
        assert_eq!(assumed.len(), 1, "{state}");
        assert!(assumed[0]["message"].as_str().unwrap().contains("2 of 2 units"));
    }
    let one = json!({ "fuels": fuels, "given": [{ "generator": 1, "c1": 30.0, "c0": 5.0 }] }).to_string();
    let refused = wattbook_study::cost_edits_json(&module, &one, b"").expect_err("a constant");
    assert_eq!(refused.code, "COST.MALFORMED");
    // A case with costs assumes none, whatever its edits.
    let priced = uncongested(&json!({ "1": { "cost": 10.0 } }));
    let state = Answer::of(&priced);
    let diagnostics = state["diagnostics"].as_array().into_iter().flatten();
    assert!(diagnostics.into_iter().all(|d| d["code"] != "COST.ASSUMED"), "{state}");
}
