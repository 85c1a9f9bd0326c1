//! The same case on other power bases, in other units of power and of money: the same answers in MW and $/h, or a coded
//! refusal.
//!
//! A base changes no power, so results in MW are unchanged. With every power `u` times as large, results in MW scale by
//! `u` and prices are unchanged; with every cost `w` times as large, prices and costs scale by `w`.

#[path = "common/mod.rs"]
mod common;

use common::{data, ingest, text, Answer};
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{Job, Series, Study};

/// Demand of 100 MW at bus 2 and 150 MW at bus 3, 10 $/MWh at bus 1 and 50 $/MWh at bus 3, equal reactances. Line 1-3 is rated 80 MW
/// and carries (2 (150 - p) + 100) / 3 MW, p from bus 3: p = 80 MW, prices 10, 30 and 50 $/MWh, 1700 + 4000 $/h.
const CONGESTED: &str = "function mpc = congested
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;
2 1 100 20 0 0 1 1 0 230 1 1.1 0.9;
3 2 150 30 0 0 1 1 0 230 1 1.1 0.9;
];
mpc.gen = [
1 170 0 200 -200 1 100 1 400 0;
3 80 0 200 -200 1 100 1 400 0;
];
mpc.branch = [
1 2 0 0.1 0 500 0 0 0 0 1 -360 360;
2 3 0 0.1 0 500 0 0 0 0 1 -360 360;
1 3 0 0.1 0 80 0 0 0 0 1 -360 360;
];
mpc.gencost = [
2 0 0 3 0 10 0;
2 0 0 3 0 50 0;
];
";
const OBJECTIVE: f64 = 5700.0;
const PRICES: [f64; 3] = [10.0, 30.0, 50.0];

/// The scale of a case: its base in MVA, the unit of power, and the unit of money.
#[derive(Clone, Copy, Debug)]
struct Scale {
    base: f64,
    unit: f64,
    money: f64,
}

/// The rows of a matrix of a MATPOWER file, each changed.
fn each_row(case: &str, name: &str, change: impl Fn(&mut Vec<f64>)) -> String {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in case.lines() {
        let code = line.split('%').next().unwrap_or("").trim();
        if code.starts_with(&format!("mpc.{name} =")) {
            inside = true;
            lines.push(line.to_string());
        } else if inside && code.starts_with(']') {
            inside = false;
            lines.push(line.to_string());
        } else if inside && !code.is_empty() {
            let numbers = code.trim_end_matches(';').split_whitespace();
            let mut row: Vec<f64> = numbers.map(|x| x.parse().expect("a number")).collect();
            change(&mut row);
            let row: Vec<String> = row.iter().map(|x| format!("{x:e}")).collect();
            lines.push(format!("{};", row.join(" ")));
        } else {
            lines.push(line.to_string());
        }
    }
    lines.join("\n")
}

/// A MATPOWER case of 100 MVA in another scale: the same network of conductors with the same voltages, its powers `unit` and its costs
/// `money` times as large; as the prices in $/MWh are those of the costs, a cost of an output is that of the scaled output.
fn scaled(case: &str, scale: Scale) -> String {
    let Scale { base, unit, money } = scale;
    // Per unit of a base b, an impedance that carries u times the power at the same voltages is b / (100 u) times as large.
    let z = base / (100.0 * unit);
    let case = each_row(case, "bus", |row| row[2..6].iter_mut().for_each(|mw| *mw *= unit));
    let case = each_row(&case, "gen", |row| {
        row[1..5].iter_mut().for_each(|mw| *mw *= unit);
        row[8..10].iter_mut().for_each(|mw| *mw *= unit);
    });
    let case = each_row(&case, "branch", |row| {
        row[2] *= z;
        row[3] *= z;
        row[4] /= z;
        row[5..8].iter_mut().for_each(|mw| *mw *= unit);
    });
    let cost = |row: &mut Vec<f64>| {
        assert_eq!(row[0], 2.0, "a polynomial");
        let terms = row[3] as usize;
        for (k, c) in row[4..4 + terms].iter_mut().enumerate() {
            // c2 p^2 of p = u p': c2 / u for the same price.
            *c *= money * unit.powi(2 - (terms - k) as i32);
        }
    };
    let case = each_row(&case, "gencost", cost);
    let case = each_row(&case, "dclinecost", cost);
    let case = each_row(&case, "dcline", |row| {
        row[3..7].iter_mut().for_each(|mw| *mw *= unit);
        row[9..16].iter_mut().for_each(|mw| *mw *= unit);
    });
    let mva = case.lines().map(|line| match line.starts_with("mpc.baseMVA") {
        true => format!("mpc.baseMVA = {base:e};"),
        false => line.to_string(),
    });
    mva.collect::<Vec<_>>().join("\n")
}

/// A Study of a MATPOWER case, or the code of its refusal; a refusal names its reason.
fn study(case: &str, formulation: &str) -> Result<Study, &'static str> {
    let module = match wattbook_study::ingest_case(case.as_bytes(), "matpower") {
        Ok(reply) => text(&Answer::from(reply)),
        Err(error) => return Err(error.code),
    };
    Study::create(&module, formulation, "{}").map_err(|error| {
        assert!(!error.message().is_empty(), "{error:?}");
        error.code
    })
}

/// Numbers of a state, with powers, prices and cost rescaled to 1.
fn back(solved: &Answer, scale: Scale, names: &[(ColumnName, f64)]) -> Vec<f64> {
    let columns = names
        .iter()
        .flat_map(|&(name, by)| solved.at(name).iter().map(move |x| x / by));
    let cost = solved.head["objective"]
        .as_f64()
        .map(|cost| cost / (scale.unit * scale.money));
    columns.chain(cost).collect()
}

#[track_caller]
fn same(got: &[f64], want: &[f64], tolerance: f64, what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (got, want) in got.iter().zip(want) {
        let is_same = (got - want).abs() <= tolerance * (1.0 + want.abs()) || (got.is_nan() && want.is_nan());
        assert!(is_same, "{what}: {got} against {want}");
    }
}

const BASES: [f64; 12] = [1e-6, 1e-3, 1.0, 33.3, 100.0, 1000.0, 1e4, 1e6, 1e8, 1e10, 1e100, 1e300];

fn scales() -> Vec<Scale> {
    let one = Scale {
        base: 100.0,
        unit: 1.0,
        money: 1.0,
    };
    let mut all: Vec<Scale> = [1e-4, 1.0, 1e4, 1e6, 1e8]
        .into_iter()
        .map(|base| Scale { base, ..one })
        .collect();
    for by in [1e-6, 1e-3, 1e3, 1e6] {
        all.push(Scale { unit: by, ..one });
        all.push(Scale {
            unit: by,
            base: 100.0 * by,
            ..one
        });
        all.push(Scale { money: by, ..one });
    }
    all
}

/// Reactances of 0.1 per unit whatever the base: no angle limit binds, and the DC optimum depends on their ratios alone.
#[test]
fn an_optimum_is_within_its_limits_on_every_base() {
    for base in BASES {
        let case = CONGESTED.replace("baseMVA = 100", &format!("baseMVA = {base:e}"));
        // On the smallest bases 0.1 per unit is an impedance at which 60 degrees carry less than the demand.
        let most_mw = 10.0 * base * std::f64::consts::FRAC_PI_3;
        match study(&case, "dcopf") {
            Ok(study) => {
                let solved = Answer::of(&study);
                same(&[solved.objective()], &[OBJECTIVE], 1e-7, &format!("base {base:e}"));
                same(solved.at(ColumnName::Lmp), &PRICES, 1e-7, &format!("base {base:e}"));
                let flow = solved.at(ColumnName::FlowMw)[2];
                assert!(flow <= 80.0 + 1e-4, "base {base:e}: {flow} MW over a line of 80 MW");
            }
            Err("SOLVE.INFEASIBLE") => assert!(most_mw < 250.0, "base {base:e}"),
            Err(code) => assert!(base >= 1e100 && code == "PHYSICS.UNSUPPORTED", "base {base:e}: {code}"),
        }
    }
}

/// A case reports the base of its file, and impedances are per unit on it.
#[test]
fn a_case_reports_the_base_of_its_file() {
    for base in BASES {
        let case = CONGESTED.replace("baseMVA = 100", &format!("baseMVA = {base:e}"));
        let case = ingest(case.as_bytes(), "matpower");
        assert_eq!(case["base_mva"], base);
        let parameters = wattbook_study::Case::read(&text(&case)).expect("a case").parameters();
        assert_eq!(common::column(&parameters.columns, ColumnName::XPu), [0.1; 3]);
        assert_eq!(common::column(&parameters.columns, ColumnName::CostC1), [10.0, 50.0]);
    }
}

/// Quantities that are unique and independent of the scale, by formulation, with the tolerance of its method.
fn invariants(formulation: &str, scale: Scale) -> (Vec<(ColumnName, f64)>, f64) {
    let Scale { unit, money, .. } = scale;
    match formulation {
        "dcopf" => (vec![(ColumnName::Lmp, money), (ColumnName::FlowMw, unit)], 1e-6),
        "dcpf" => (vec![(ColumnName::FlowMw, unit)], 1e-6),
        "socwr" => (vec![(ColumnName::Lmp, money)], 1e-3),
        _ => (vec![(ColumnName::VmPu, 1.0), (ColumnName::FlowMw, unit)], 1e-6),
    }
}

/// Cases of the data folder with unique optima and polynomial costs.
const PUBLIC: [&str; 2] = ["pglib/pglib_opf_case5_pjm.m", "pglib/pglib_opf_case14_ieee.m"];

#[test]
fn answers_do_not_depend_on_base_units_and_money() {
    let public = PUBLIC.iter().filter_map(|path| String::from_utf8(data(path)?).ok());
    for case in std::iter::once(CONGESTED.to_string()).chain(public) {
        for formulation in ["dcopf", "dcpf", "socwr", "acpf"] {
            let one = Scale {
                base: 100.0,
                unit: 1.0,
                money: 1.0,
            };
            let (names, _) = invariants(formulation, one);
            let reference = back(
                &Answer::of(&study(&case, formulation).expect("a solvable case")),
                one,
                &names,
            );
            let mut refused = Vec::new();
            for scale in scales() {
                let what = format!("{} {formulation} {scale:?}", &case[..30]);
                match study(&scaled(&case, scale), formulation) {
                    Ok(study) => {
                        let (names, tolerance) = invariants(formulation, scale);
                        same(&back(&Answer::of(&study), scale, &names), &reference, tolerance, &what);
                    }
                    Err(code) => refused.push((what, code)),
                }
            }
            assert!(refused.is_empty(), "{refused:?}");
        }
    }
}

/// A link with losses past the congested line: 20 MW of it are worth 0.95 * 50 - 10 - 3 $/MWh each.
#[test]
fn links_do_not_depend_on_base_units_and_money() {
    let links = "mpc.dcline = [
1 3 1 15 13 0 0 1 1 0 20 -5 5 -5 5 2 0.05;
];
mpc.dclinecost = [
2 0 0 2 3 0;
];
";
    let case = format!("{CONGESTED}{links}");
    let one = Scale {
        base: 100.0,
        unit: 1.0,
        money: 1.0,
    };
    let names = |formulation: &str, scale: Scale| {
        let (mut names, tolerance) = invariants(formulation, scale);
        names.extend([(ColumnName::LinkMw, scale.unit), (ColumnName::LinkToMw, scale.unit)]);
        if formulation == "dcopf" {
            names.extend([
                (ColumnName::LinkShadow, scale.money),
                (ColumnName::LinkRent, scale.unit * scale.money),
            ]);
        }
        (names, tolerance)
    };
    for formulation in ["dcopf", "dcpf"] {
        let answer = Answer::of(&study(&case, formulation).expect("a solvable case"));
        let reference = back(&answer, one, &names(formulation, one).0);
        if formulation == "dcopf" {
            same(answer.at(ColumnName::LinkMw), &[20.0], 1e-9, "the link is full");
            same(answer.at(ColumnName::LinkToMw), &[17.0], 1e-9, "what arrives");
            same(answer.at(ColumnName::LinkShadow), &[34.5], 1e-9, "its shadow price");
        }
        for scale in scales() {
            let study = study(&scaled(&case, scale), formulation).unwrap_or_else(|code| panic!("{scale:?}: {code}"));
            let (names, tolerance) = names(formulation, scale);
            let what = format!("{formulation} {scale:?}");
            same(&back(&Answer::of(&study), scale, &names), &reference, tolerance, &what);
        }
    }
}

/// Explanations, paths, series, plans and derivatives in MW are those of the same case.
#[test]
fn answers_about_a_case_do_not_depend_on_its_base_and_units() {
    let answers = |scale: Scale| -> Vec<f64> {
        let Scale { unit, money, .. } = scale;
        let what = format!("{scale:?}");
        let mut study = study(&scaled(CONGESTED, scale), "dcopf").unwrap_or_else(|code| panic!("{what}: {code}"));
        let edit = |bus: &str, mw: f64| json!({ bus: mw * unit }).to_string();
        let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{what}: {value} is no number"));
        let mut all = Vec::new();
        // Bus 3 at 900 MW: 400 MW there, (2 x 500 + 100) / 3 MW over a line of 80.
        let explained = Answer::run(Job::explanation(&study, (&edit("3", 750.0)[..], ""))).expect("an explanation");
        for entry in explained["relaxation"].as_array().expect("amounts") {
            all.push(number(&entry["mw"]) / unit);
        }
        all.push(number(&explained["demand_limit"]["demand_mw"]) / unit);
        let sensitivity = Answer::from(study.sensitivity("x", ("", ""), r#"{"bus":2}"#).expect("a column"));
        let valid = sensitivity["warrant"]["valid_mw"].as_array().expect("an interval");
        all.extend(valid.iter().map(|end| number(end) / unit));
        let spec = json!({ "buses": [2], "columns": ["lmp", "flow_mw"] });
        let series = Series::new(&study, &spec.to_string()).expect("a series");
        let steps = series.solve(&[0.0, 20.0 * unit, -20.0 * unit], 1).expect("steps");
        let column = |name| common::column(&steps.columns, name);
        all.extend(column(ColumnName::Lmp).iter().map(|price| price / money));
        all.extend(column(ColumnName::FlowMw).iter().map(|mw| mw / unit));
        let track =
            Answer::track(&mut study, r#"{"branch":3}"#, -40.0 * unit, 100.0 * unit, "", false).expect("a path");
        for point in track["breakpoints"].as_array().expect("breakpoints") {
            all.push(number(&point["mw"]) / unit);
        }
        let plan = json!({
            "objective": { "kind": "weighted_lmp", "weights": [{ "bus": 3, "weight": 1.0 }] },
            "candidates": [1, 2, 3], "max_increase_per_branch_mw": 60.0 * unit, "budget_mw": 60.0 * unit,
            "increment_mw": 20.0 * unit, "max_changed_lines": 1, "exact_solve_budget": 16,
        });
        let plan = Answer::run(Job::plan(&study, &plan.to_string())).expect("a plan");
        for change in plan["proposal"].as_array().expect("a proposal") {
            all.push(number(&change["branch"]));
            all.push(number(&change["delta_mw"]) / unit);
        }
        all
    };
    let one = Scale {
        base: 100.0,
        unit: 1.0,
        money: 1.0,
    };
    let want = answers(one);
    for scale in scales() {
        same(&answers(scale), &want, 1e-5, &format!("{scale:?}"));
    }
}

/// An AC power flow on a base far from every power of the case is refused, and no mismatch of it is accepted as a
/// solution.
#[test]
fn a_power_flow_is_judged_in_mw() {
    for base in BASES {
        let case = CONGESTED.replace("baseMVA = 100", &format!("baseMVA = {base:e}"));
        match study(&case, "acpf") {
            Ok(study) => {
                let head = Answer::of(&study).head;
                for test in ["mismatch_mw", "mismatch_mvar", "flow_error_mva"] {
                    let found = head["certificate"][test].as_f64().expect("a number");
                    assert!(found <= 2e-3, "base {base:e}: {test} of {found}");
                }
            }
            Err(code) => assert!(
                code.starts_with("SOLVE.") || code == "PHYSICS.UNSUPPORTED",
                "base {base:e}: {code}"
            ),
        }
    }
}

/// A curvature below the rounding of the prices, and uniformly small costs.
#[test]
fn the_smallest_costs_are_costs() {
    for c2 in [1e-300, 1e-40, 1e-20, 1e-17] {
        let case = CONGESTED.replace("2 0 0 3 0 10 0;", &format!("2 0 0 3 {c2:e} 10 0;"));
        for (formulation, tolerance) in [("dcopf", 1e-7), ("socwr", 1e-3)] {
            let reference = Answer::of(&study(CONGESTED, formulation).expect("a solvable case"));
            let solved = Answer::of(&study(&case, formulation).unwrap_or_else(|code| panic!("{c2:e}: {code}")));
            let what = format!("{formulation} c2 = {c2:e}");
            same(
                solved.at(ColumnName::Lmp),
                reference.at(ColumnName::Lmp),
                tolerance,
                &what,
            );
            same(&[solved.objective()], &[reference.objective()], tolerance, &what);
        }
    }
}

/// Large powers in another island, and a large constant cost, do not loosen the tolerances of other limits.
#[test]
fn large_powers_elsewhere_do_not_loosen_tolerances() {
    let beside = |mw: f64, fixed: f64| {
        CONGESTED
            .replace(
                "];\nmpc.gen =",
                &format!("4 3 {mw:e} 0 0 0 1 1 0 230 1 1.1 0.9;\n5 1 {mw:e} 0 0 0 1 1 0 230 1 1.1 0.9;\n];\nmpc.gen ="),
            )
            .replace(
                "];\nmpc.branch =",
                &format!("4 0 0 0 0 1 100 1 {:e} 0;\n];\nmpc.branch =", 4.0 * mw),
            )
            .replace(
                "];\nmpc.gencost =",
                &format!(
                    "4 5 0 {:e} 0 {:e} 0 0 0 0 1 -360 360;\n];\nmpc.gencost =",
                    10.0 / mw,
                    9.0 * mw
                ),
            )
            .replace(
                "2 0 0 3 0 50 0;\n",
                &format!("2 0 0 3 0 50 0;\n2 0 0 3 0 1 {fixed:e};\n"),
            )
    };
    for (mw, fixed) in [
        (100.0, 0.0),
        (1e6, 0.0),
        (1e10, 0.0),
        (1e14, 0.0),
        (100.0, 1e9),
        (100.0, 1e15),
    ] {
        let what = format!("{mw:e} MW, {fixed:e} $/h");
        match study(&beside(mw, fixed), "dcopf") {
            Ok(study) => {
                let solved = Answer::of(&study);
                same(&solved.at(ColumnName::Lmp)[..3], &PRICES, 1e-4, &what);
                let flow = solved.at(ColumnName::FlowMw)[2];
                assert!(flow <= 80.0 + 1e-3, "{what}: {flow} MW over a line of 80 MW");
            }
            Err(code) => assert!(mw > 1e9 || fixed > 1e9, "{what}: {code}"),
        }
    }
}
