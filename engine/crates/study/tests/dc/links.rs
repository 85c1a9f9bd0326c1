//! HVDC links in every formulation: their columns and their solution modules.

use crate::cells::{asking, list, operands, parameters};
use crate::common::{ingest, parse, text, Answer};
use serde_json::json;
use wattbook_study::contract::ColumnName;
use wattbook_study::{inspect_module, read_solution_module, Case, Job, Series, Study};

/// Two islands: 20 $/MWh at bus 1, 50 $/MWh at bus 2 with a demand of 90 MW, and a link that loses 4 MW and 10 %.
pub(crate) const APART: &str = "function mpc = apart
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
	1	3	30	0	0	0	1	1	0	230	1	1.1	0.9;
	2	3	90	0	0	0	1	1	0	230	1	1.1	0.9;
	3	1	0	0	0	0	1	1	0	230	1	1.1	0.9;
];
mpc.gen = [
	1	90	0	99	-99	1	100	1	200	0;
	2	40	0	99	-99	1	100	1	200	0;
];
mpc.branch = [
	1	3	0.01	0.1	0	200	0	0	0	0	1	-60	60;
];
mpc.gencost = [
	2	0	0	2	20	0;
	2	0	0	2	50	0;
];
mpc.dcline = [
	1	2	1	50	0	0	0	1	1	0	60	-9	9	-9	9	4	0.1;
	2	1	0	50	0	0	0	1	1	0	60	-9	9	-9	9	4	0.1;
];
mpc.dclinecost = [
	2	0	0	2	3	0;
	2	0	0	2	0	0;
];
";

pub(crate) fn module() -> String {
    text(&ingest(APART.as_bytes(), "matpower"))
}

#[track_caller]
fn close(got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len());
    for (got, want) in got.iter().zip(want) {
        assert!(
            (got - want).abs() < 1e-9 || (got.is_nan() && want.is_nan()),
            "{got} {want}"
        );
    }
}

#[test]
fn an_optimum_has_powers_prices_and_rent_of_links() {
    let study = Study::create(&module(), "dcopf", "{}").unwrap();
    let result = Answer::of(&study);
    close(result.at(ColumnName::Lmp), &[20.0, 50.0, 20.0]);
    // 60 MW are sent, 60 - 4 - 6 = 50 MW arrive; the second link is out of service.
    close(result.at(ColumnName::LinkMw), &[60.0, f64::NAN]);
    close(result.at(ColumnName::LinkToMw), &[50.0, f64::NAN]);
    close(result.at(ColumnName::LinkPriceDifference), &[30.0, f64::NAN]);
    // One MW more: 0.9 MW at 50 $/MWh for one at 20 and the cost of 3 $/MWh.
    close(result.at(ColumnName::LinkShadow), &[22.0, f64::NAN]);
    close(result.at(ColumnName::LinkRent), &[50.0 * 50.0 - 60.0 * 20.0, f64::NAN]);
    assert!((result.objective() - (90.0 * 20.0 + 40.0 * 50.0 + 60.0 * 3.0)).abs() < 1e-9);
    let rows = Answer::from(study.rows());
    close(rows.at(ColumnName::LinkId), &[1.0, 2.0]);
    close(rows.at(ColumnName::LinkFromBus), &[1.0, 2.0]);
    close(rows.at(ColumnName::LinkToBus), &[2.0, 1.0]);
    let case = Answer::from(inspect_module(&module()).unwrap());
    close(case.at(ColumnName::LinkInService), &[1.0, 0.0]);
    close(case.at(ColumnName::LinkMinMw), &[0.0, 0.0]);
    close(case.at(ColumnName::LinkMaxMw), &[60.0, 60.0]);
}

#[test]
fn an_edit_moves_the_link_as_its_preview_predicts() {
    let mut study = Study::create(&module(), "dcopf", "{}").unwrap();
    let preview = Answer::from(study.preview((r#"{"2":-60}"#, "", "", "")).unwrap());
    assert_eq!(preview["exact"], false, "the link is no longer full");
    let committed: Answer = study.commit("x", (r#"{"2":-60}"#, "", "", ""), "").unwrap().into();
    // 30 MW for 34 / 0.9 MW sent.
    close(committed.at(ColumnName::LinkMw), &[34.0 / 0.9, f64::NAN]);
    close(committed.at(ColumnName::LinkToMw), &[30.0, f64::NAN]);
    close(committed.at(ColumnName::Lmp), &[20.0, 23.0 / 0.9, 20.0]);
    close(committed.at(ColumnName::LinkShadow), &[0.0, f64::NAN]);
}

#[test]
fn a_solution_module_is_restored_with_its_links() {
    let module = module();
    let study = Study::create(&module, "dcopf", "{}").unwrap();
    let text = study.save_solution_module_json(&module).expect("a solution module");
    let back = Answer::from(read_solution_module(&text).expect("a readable module"));
    let result = Answer::of(&study);
    assert_eq!(back["solution"], result.head);
    for name in [
        ColumnName::LinkMw,
        ColumnName::LinkToMw,
        ColumnName::LinkPriceDifference,
        ColumnName::LinkShadow,
        ColumnName::LinkRent,
    ] {
        close(back.at(name), result.at(name));
    }
    let other = text.replacen("[60.0,50.0]", "[60.0,51.0]", 1);
    if other != text {
        assert_eq!(read_solution_module(&other).unwrap_err().code, "MODULE.TAMPERED");
    }
}

#[test]
fn a_power_flow_holds_the_schedule_of_the_file() {
    let study = Study::create(&module(), "dcpf", "{}").unwrap();
    let result = Answer::of(&study);
    close(result.at(ColumnName::LinkMw), &[50.0, f64::NAN]);
    close(result.at(ColumnName::LinkToMw), &[41.0, f64::NAN]);
    // Bus 1 generates 90 MW of 30 + 50 MW; bus 2 lacks 90 - 40 - 41 MW.
    close(result.at(ColumnName::InjectionMw), &[50.0, -41.0, 0.0]);
}

/// Two islands with a link of 40 MW between PQ buses, which loses 2 MW and 5 %. pandapower 3.5.6 (`create_dcline`,
/// `runpp`, tolerance 1e-9 MVA) has these voltages and powers.
pub(crate) const CONVERTERS: &str = "function mpc = converters
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
1 3 0 0 0 0 1 1.02 0 230 1 1.1 0.9;
2 1 80 30 0 0 1 1 0 230 1 1.1 0.9;
3 2 60 20 0 0 1 1 0 230 1 1.1 0.9;
4 3 0 0 0 0 1 1 0 230 1 1.1 0.9;
5 1 70 25 0 0 1 1 0 230 1 1.1 0.9;
];
mpc.gen = [
1 0 0 300 -300 1.02 100 1 400 0;
3 90 0 300 -300 1 100 1 400 0;
4 0 0 300 -300 1 100 1 400 0;
];
mpc.branch = [
1 2 0.01 0.1 0.02 500 0 0 0 0 1 -360 360;
2 3 0.02 0.12 0.02 500 0 0 0 0 1 -360 360;
1 3 0.01 0.08 0.02 500 0 0 0 0 1 -360 360;
4 5 0.02 0.15 0.04 500 0 0 0 0 1 -360 360;
];
mpc.gencost = [
2 0 0 3 0.01 20 0;
2 0 0 3 0.01 30 0;
2 0 0 3 0.01 50 0;
];
mpc.dcline = [
2 5 1 40 36 0 0 1.01 0.99 0 100 -100 100 -100 100 2 0.05;
];
";

#[track_caller]
fn near(got: &[f64], want: &[f64], within: f64) {
    assert_eq!(got.len(), want.len());
    let all = got.iter().zip(want).all(|(got, want)| (got - want).abs() <= within);
    assert!(all, "{got:?} {want:?}");
}

#[test]
fn an_ac_power_flow_holds_powers_and_voltages_of_converters() {
    let module = text(&ingest(CONVERTERS.as_bytes(), "matpower"));
    let study = Study::create(&module, "acpf", "{}").unwrap();
    let result = Answer::of(&study);
    near(result.at(ColumnName::VmPu), &[1.02, 1.01, 1.0, 1.0, 0.99], 1e-9);
    let degrees: Vec<f64> = result.at(ColumnName::VaRad).iter().map(|a| a.to_degrees()).collect();
    near(&degrees, &[0.0, -4.061879688, -0.658784655, 0.0, -2.939016347], 1e-7);
    near(result.at(ColumnName::LinkMw), &[40.0], 1e-12);
    near(result.at(ColumnName::LinkToMw), &[36.0], 1e-12);
    near(result.at(ColumnName::LinkFromMvar), &[45.48208475], 1e-6);
    near(result.at(ColumnName::LinkToMvar), &[21.84124875], 1e-6);
    near(result.at(ColumnName::DispatchMw), &[91.099474, 90.0, 34.23618743], 1e-6);

    // With reactive limits the converter at bus 5 supplies 10 MVAr and no longer holds its voltage.
    let limited = CONVERTERS.replace("-100 100 -100 100 2 0.05", "-100 100 -10 10 2 0.05");
    let module = text(&ingest(limited.as_bytes(), "matpower"));
    let study = Study::create(&module, "acpf", r#"{"q_limits":true}"#).unwrap();
    let result = Answer::of(&study);
    near(result.at(ColumnName::LinkToMvar), &[10.0], 1e-6);
    assert!(result.at(ColumnName::VmPu)[4] < 0.99);

    // The slack of all generators leaves the schedule of the link as it is, and so does that of the DC OPF.
    let module = text(&ingest(CONVERTERS.as_bytes(), "matpower"));
    let study = Study::create(&module, "acpf", r#"{"slack":"distributed"}"#).unwrap();
    near(Answer::of(&study).at(ColumnName::LinkMw), &[40.0], 1e-12);
    let optimum = Answer::of(&Study::create(&module, "dcopf", "{}").unwrap());
    let study = Study::create(&module, "acpf", r#"{"dispatch":"dcopf"}"#).unwrap();
    near(
        Answer::of(&study).at(ColumnName::LinkMw),
        optimum.at(ColumnName::LinkMw),
        1e-9,
    );
}

#[test]
fn a_converter_is_no_reference() {
    // Without its generator, the island of buses 4 and 5 has nothing that balances it.
    let alone = CONVERTERS.replace("4 0 0 300 -300 1 100 1 400 0;", "4 0 0 300 -300 1 100 0 400 0;");
    let module = text(&ingest(alone.as_bytes(), "matpower"));
    let error = Study::create(&module, "acpf", "{}").expect_err("no reference");
    assert_eq!(error.code, "SOLVE.INFEASIBLE");
    assert_eq!(error.element.as_ref().map(|bus| bus.id), Some(5));
}

#[test]
fn the_relaxation_optimises_links() {
    let module = module();
    let study = Study::create(&module, "socwr", "{}").unwrap();
    let result = Answer::of(&study);
    // Nothing flows in the islands, so that the optimum is that of the DC OPF.
    near(&result.at(ColumnName::Lmp)[..2], &[20.0, 50.0], 1e-4);
    near(&result.at(ColumnName::LinkMw)[..1], &[60.0], 1e-4);
    near(&result.at(ColumnName::LinkToMw)[..1], &[50.0], 1e-4);
    near(&result.at(ColumnName::LinkPriceDifference)[..1], &[30.0], 1e-4);
    near(&result.at(ColumnName::LinkShadow)[..1], &[22.0], 1e-3);
    near(&result.at(ColumnName::LinkRent)[..1], &[1300.0], 1e-2);
    assert!(result.at(ColumnName::LinkMw)[1].is_nan());
    near(&[result.objective()], &[90.0 * 20.0 + 40.0 * 50.0 + 60.0 * 3.0], 1e-3);

    // Bus 4 has its own unit, 40 $/MWh and 0.2 $/MWh per MW, besides a full link of 25 MW.
    let module = text(&ingest(MESHED.as_bytes(), "matpower"));
    let mut study = Study::create(&module, "socwr", "{}").unwrap();
    let result = Answer::of(&study);
    near(&result.at(ColumnName::LinkMw)[1..], &[25.0], 1e-3);
    near(&result.at(ColumnName::Lmp)[3..], &[43.0], 1e-3);
    let column = Answer::from(study.sensitivity("x", ("", "", "", ""), r#"{"bus":4}"#).unwrap());
    near(&column.at(ColumnName::LmpSlope)[3..], &[0.2], 1e-6);
    let committed: Answer = study.commit("x", (r#"{"4":-20}"#, "", "", ""), "").unwrap().into();
    // The link alone supplies 20 MW: its ends have one price.
    near(&committed.at(ColumnName::LinkMw)[1..], &[20.0], 1e-3);
    let lmp = committed.at(ColumnName::Lmp);
    near(&[lmp[3]], &[lmp[1]], 1e-4);
}

/// Burning power in both directions of the link gains: 64 MW would return, 60 MW do, so that 50 / 0.9 MW are sent. The
/// line is out of service, because the relaxation burns power in lines too.
#[test]
fn the_relaxation_reports_a_link_that_circulates() {
    let text_of = burning().replace("0	200	0	0	0	0	1	-60	60;", "0	200	0	0	0	0	0	-60	60;");
    let module = text(&ingest(text_of.as_bytes(), "matpower"));
    let study = Study::create(&module, "socwr", "{}").unwrap();
    let result = Answer::of(&study);
    near(&[result.objective()], &[-880.0 + 0.8 * 50.0 / 0.9 - 3.0 * 60.0], 1e-3);
    assert!(
        result.objective() < -910.0,
        "a lower bound on the cost with one direction"
    );
    let diagnostics = result["diagnostics"].as_array().unwrap();
    let found = diagnostics
        .iter()
        .find(|d| d["code"] == "LINK.CIRCULATES")
        .expect("a diagnostic");
    assert_eq!(found["element"]["id"], 1);
}

#[test]
fn solution_modules_of_ac_formulations_are_restored_with_their_links() {
    for (formulation, case) in [("acpf", CONVERTERS), ("socwr", CONVERTERS), ("socwr", APART)] {
        let module = text(&ingest(case.as_bytes(), "matpower"));
        let study = Study::create(&module, formulation, "{}").unwrap();
        let saved = study.save_solution_module_json(&module).expect("a solution module");
        let back = Answer::from(read_solution_module(&saved).expect("a readable module"));
        let result = Answer::of(&study);
        assert_eq!(back["solution"], result.head, "{formulation}");
        for name in [
            ColumnName::LinkMw,
            ColumnName::LinkToMw,
            ColumnName::LinkFromMvar,
            ColumnName::LinkToMvar,
        ] {
            close(back.at(name), result.at(name));
        }
    }
}

/// Negative prices at both ends of a link that loses 10 % and can be reversed.
fn burning() -> String {
    APART
        .replace("1	3	30	0", "1	3	40	0")
        .replace("2	3	90	0", "2	3	40	0")
        .replace("1	100	1	200	0;", "1	100	1	50	0;")
        .replace("2	0	0	2	20	0;", "2	0	0	2	-10	0;")
        .replace("2	0	0	2	50	0;", "2	0	0	2	-12	0;")
        .replace("0	60	-9	9	-9	9	4	0.1;\n	2	1	0", "-60	60	-9	9	-9	9	0	0.1;\n	2	1	0")
        .replace("2	0	0	2	3	0;", "2	0	0	2	0	0;")
}

/// At negative prices a link that loses 10 % would burn power by sending it in both directions. In reverse alone, bus 2
/// sends 10 MW: 50 MW at -12 and 31 MW at -10 $/MWh. Forward nothing is gained: 40 MW each.
#[test]
fn a_link_that_would_burn_power_runs_in_the_cheaper_direction() {
    let module = text(&ingest(burning().as_bytes(), "matpower"));
    let mut study = Study::create(&module, "dcopf", "{}").unwrap();
    let result = Answer::of(&study);
    close(result.at(ColumnName::LinkMw), &[-9.0, f64::NAN]);
    close(result.at(ColumnName::LinkToMw), &[-10.0, f64::NAN]);
    close(result.at(ColumnName::Lmp), &[-10.0, -9.0, -10.0]);
    assert!((result.objective() + 910.0).abs() < 1e-9);
    let codes = result["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["code"].clone());
    assert!(codes.collect::<Vec<_>>().contains(&"LINK.DIRECTION".into()));
    // Derivatives there hold for the state alone, and paths are refused.
    let column = Answer::from(study.sensitivity("x", ("", "", "", ""), r#"{"bus":1}"#).unwrap());
    assert_eq!(column["warrant"]["point_only"], true);
    // With more demand than generation at bus 2 only the other direction is possible.
    let more: Answer = study.commit("x", (r#"{"2":11}"#, "", "", ""), "").unwrap().into();
    assert!(more.at(ColumnName::LinkMw)[0] > 0.0);
    let back: Answer = study.commit("x", ("", "", "", ""), "").unwrap().into();
    close(back.at(ColumnName::LinkMw), &[-9.0, f64::NAN]);
}

/// The congested triangle with a link past its line 1-3, and bus 4 behind another link.
const MESHED: &str = "function mpc = meshed
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;
2 1 100 20 0 0 1 1 0 230 1 1.1 0.9;
3 2 150 30 0 0 1 1 0 230 1 1.1 0.9;
4 2 40 0 0 0 1 1 0 230 1 1.1 0.9;
];
mpc.gen = [
1 170 0 200 -200 1 100 1 400 0;
3 80 0 200 -200 1 100 1 400 0;
4 10 0 200 -200 1 100 1 100 0;
];
mpc.branch = [
1 2 0 0.1 0 500 0 0 0 0 1 -360 360;
2 3 0 0.1 0 500 0 0 0 0 1 -360 360;
1 3 0 0.1 0 80 0 0 0 0 1 -360 360;
];
mpc.gencost = [
2 0 0 3 0 10 0;
2 0 0 3 0 50 0;
2 0 0 3 0.1 40 0;
];
mpc.dcline = [
1 3 1 15 13 0 0 1 1 0 20 -5 5 -5 5 2 0.05;
2 4 1 15 15 0 0 1 1 -25 25 -5 5 -5 5 0 0;
];
";

#[test]
fn everything_about_a_state_works_in_a_case_with_links() {
    let module = text(&ingest(MESHED.as_bytes(), "matpower"));
    let mut study = Study::create(&module, "dcopf", "{}").unwrap();
    let result = Answer::of(&study);
    close(result.at(ColumnName::LinkMw), &[20.0, 25.0]);
    // Unit 3 covers 15 MW at 40 + 0.2 * 15 $/MWh.
    close(result.at(ColumnName::Lmp), &[10.0, 30.0, 50.0, 43.0]);
    assert_eq!(result.at(ColumnName::FlowMw).len(), 3);
    assert_eq!(result.at(ColumnName::DispatchMw).len(), 3);

    // Prices by demand in and out of the island, exact where they say so.
    for (bus, slope) in [(4, 0.2), (2, 0.0)] {
        let target = format!("{{\"bus\":{bus}}}");
        let column = Answer::from(study.sensitivity("x", ("", "", "", ""), &target).unwrap());
        assert_eq!(column.at(ColumnName::LmpSlope).len(), 4);
        assert!((column.at(ColumnName::LmpSlope)[bus - 1] - slope).abs() < 1e-9);
    }
    let target = json!({ "bus": 4 }).to_string();
    let track = Answer::track(&mut study, &target, -40.0, 60.0, "", false).expect("a track");
    // Below 25 MW the link is no longer full: unit 3 reaches its minimum there.
    let breakpoints = track["breakpoints"].as_array().unwrap();
    assert_eq!(breakpoints.len(), 1);
    assert!((breakpoints[0]["mw"].as_f64().unwrap() + 15.0).abs() < 1e-9);
    study.commit("x", ("", "", "", ""), "").unwrap();

    let mut screening = Job::screening(&study, "").unwrap();
    let step = parse(&screening.step_json(100).unwrap());
    assert_eq!(step["rows"].as_array().unwrap().len(), 3);
    assert_eq!(study.outage_flows("{\"branch\":1}").unwrap().len(), 3);
    let parts = parse(&study.lmp_components_json(&target).unwrap());
    assert!((parts["price"].as_f64().unwrap() - 43.0).abs() < 1e-9);
    let series = json!({ "buses": [4], "branches": [], "columns": ["lmp", "link_mw"] }).to_string();
    let series = Series::new(&study, &series).unwrap().solve(&[-10.0, -30.0], 1).unwrap();
    let powers = series.columns.iter().find(|c| c.name == ColumnName::LinkMw).unwrap();
    close(&powers.values, &[20.0, 25.0, 20.0, 10.0]);
    let prices = series.columns.iter().find(|c| c.name == ColumnName::Lmp).unwrap();
    close(&prices.values, &[10.0, 30.0, 50.0, 41.0, 10.0, 30.0, 50.0, 30.0]);

    let case = Case::read(&module).unwrap();
    for (request, columns) in [
        (json!({ "kind": "ptdf" }), 4),
        (json!({ "kind": "ptdf", "slack": { "2": 1.0, "4": 1.0 } }), 4),
        (json!({ "kind": "lodf" }), 3),
    ] {
        let (head, values) = case.distribution_factors(&request.to_string()).unwrap();
        assert_eq!(parse(&head)["columns"], columns);
        assert_eq!(values[0].len(), 3 * columns);
    }
    // Forward and adjoint derivatives of everything by everything.
    let mut compared = 0;
    for operand in &operands() {
        for parameter in &parameters() {
            let wanted = ["Forward", "Adjoint"].map(|mode| asking(operand, parameter, &json!(null), mode));
            let request = json!({ "sensitivities": wanted }).to_string();
            let solved = match Answer::solved(&module, &request) {
                Ok(solved) => solved,
                Err(error) => {
                    assert!(error.code.starts_with("SENS."), "{operand} {parameter}: {error}");
                    continue;
                }
            };
            compared += 1;
            let of = |k: usize| list(&solved["sensitivities"][k]["rows"]).len();
            assert_eq!(of(0), of(1));
            for (forward, adjoint) in solved.matrices[0].iter().zip(&solved.matrices[1]) {
                let same = (forward - adjoint).abs() <= 1e-8 * (1.0 + forward.abs());
                assert!(same || (forward.is_nan() && adjoint.is_nan()), "{operand} {parameter}");
            }
        }
    }

    assert!(compared > 20, "{compared} matrices");

    // More than the island can have: 100 MW of its own and 25 MW from the link.
    let deltas = json!({ "4": 100 });
    let failed = study
        .commit("x", (deltas.to_string().as_str(), "", "", ""), "")
        .unwrap_err();
    assert_eq!(failed.code, "SOLVE.INFEASIBLE");
    let explained = Answer::run(Job::explanation(&study, (&deltas.to_string(), ""))).unwrap();
    let relaxed = explained["relaxation"].as_array().unwrap();
    assert_eq!(relaxed.len(), 1, "{relaxed:?}");
    assert!((relaxed[0]["mw"].as_f64().unwrap() - 15.0).abs() < 1e-3, "{relaxed:?}");
}
