//! N-1 screening of AC power flows: a closed form, numbers of other programs, and commits of the same outages.

use crate::common::{column, data_case, ingest, parse, text};
use crate::AS_FILED;
use serde_json::{json, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{Job, Study};

fn rows(study: &Study, options: &str, budget: u32) -> Vec<Value> {
    let mut run = Job::screening(study, options).unwrap();
    let mut rows = Vec::new();
    loop {
        let step = parse(&run.step_json(budget).unwrap());
        rows.extend(step["rows"].as_array().unwrap().iter().cloned());
        if step["done"] == true {
            return rows;
        }
    }
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or(f64::NAN)
}

/// Two equal lines without losses between a source at 1 pu and a load of `p` pu at unity power factor: with the reactance
/// `x` of what remains, `v^4 - v^2 + (p x)^2 = 0`.
#[test]
fn one_of_two_equal_lines_in_closed_form() {
    let module = text(&ingest(
        b"function mpc = two
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
 1 3 0 0 0 0 1 1 0 230 1 1.05 0.95;
 2 1 80 0 0 0 1 1 0 230 1 1.05 0.95;
];
mpc.gen = [ 1 0 0 100 -100 1 100 1 200 0; ];
mpc.branch = [
 1 2 0 0.4 0 75 75 75 0 0 1 -360 360;
 1 2 0 0.4 0 75 75 75 0 0 1 -360 360;
];
",
        "matpower",
    ));
    let study = Study::create(&module, "acpf", "{}").unwrap();
    let rows = rows(&study, "", 1);
    let v = f64::sqrt(0.5 + f64::sqrt(0.25 - 0.32 * 0.32));
    // The source feeds the load and the losses of the line, which are reactive.
    let apparent = f64::hypot(80.0, 40.0 * (0.8 / v).powi(2));
    for row in &rows {
        assert_eq!(
            (&row["kind"], &row["lowest_voltage_bus"]),
            (&json!("loading"), &json!(2))
        );
        assert!((number(row, "lowest_voltage_pu") - v).abs() < 1e-9, "{row}");
        assert!((number(row, "worst_mw") - 80.0).abs() < 1e-6, "{row}");
        assert!((number(row, "worst_mva") - apparent).abs() < 1e-6, "{row}");
        assert!((number(row, "worst_loading") - apparent / 75.0).abs() < 1e-8, "{row}");
        let counts = [
            "overloads",
            "new_overloads",
            "voltage_violations",
            "new_voltage_violations",
        ];
        assert_eq!(
            counts.map(|key| row[key].as_u64()),
            [Some(1), Some(1), Some(1), Some(1)]
        );
        let new = &row["worst_new_overload"];
        assert!((number(new, "mva") - apparent).abs() < 1e-6, "{row}");
        // Distribution factors move 40 MW to the other line, whose reactive flow at the source remains.
        let before = f64::sqrt(0.5 + f64::sqrt(0.25 - 0.16 * 0.16));
        let estimate = f64::hypot(80.0, 10.0 * (0.8 / before).powi(2));
        assert!(
            (number(row, "estimated_loading") - estimate / 75.0).abs() < 1e-8,
            "{row}"
        );
    }
    assert_eq!(rows[0]["worst_branch"], 2);
}

/// Outages of MATPOWER's case39: pandapower 3.5.6 (`runpp` with `tolerance_mva=1e-8`), and for the voltages without
/// reactive limits also lightsim2grid 1.2.0 (`ContingencyAnalysisCPP`), which agrees to 1e-10.
#[test]
fn outages_have_the_numbers_of_other_programs() {
    let Some(module) = data_case("matpower/case39.m") else {
        return;
    };
    let plain = [
        (3, 31, 0.982, 42, 471.697_238_084_350_03),
        (12, 7, 0.974_009_248_361_629_6, 11, 776.830_025_633_862_5),
        (23, 31, 0.982, 13, 640.778_067_272_020_4),
        (25, 15, 0.936_884_526_710_758_1, 26, 495.560_535_480_557_35),
    ];
    let limited = [
        (3, 31, 0.982, 42, 473.884_311_420_963),
        (12, 7, 0.973_998_439_041_081_9, 11, 776.827_008_563_930_5),
        (23, 31, 0.982, 13, 640.780_944_693_975_1),
        (25, 15, 0.936_904_206_010_042_2, 26, 495.553_340_484_756_23),
    ];
    for (q_limits, wanted) in [(false, plain), (true, limited)] {
        let options = json!({ "dispatch": "file", "slack": "single", "q_limits": q_limits });
        let study = Study::create(&module, "acpf", &options.to_string()).unwrap();
        let asked = json!({ "branches": [3, 12, 23, 25] });
        let rows = rows(&study, &asked.to_string(), 3);
        assert_eq!(rows.len(), 4);
        for (row, (branch, bus, voltage, worst, mva)) in rows.iter().zip(wanted) {
            let named = [&row["branch"], &row["lowest_voltage_bus"], &row["worst_branch"]];
            assert_eq!(named.map(|id| id.as_u64()), [Some(branch), Some(bus), Some(worst)]);
            assert!((number(row, "lowest_voltage_pu") - voltage).abs() < 1e-8, "{row}");
            assert!((number(row, "worst_mva") - mva).abs() < 1e-5, "{row}");
            assert_eq!(row["reactive_limits"] == "kept", q_limits, "{row}");
        }
    }
}

/// An outage is the power flow of a commit that puts the branch out of service, edits of the state included.
#[test]
fn outages_are_commits_without_the_branch() {
    let Some(module) = data_case("matpower/case39.m") else {
        return;
    };
    let mut study = Study::create(&module, "acpf", AS_FILED).unwrap();
    study.commit("more", (r#"{"15":40}"#, r#"{"23":-30}"#), "").unwrap();
    let rows = rows(&study, "null", 50);
    let mut splitting = 0;
    for row in rows.iter().step_by(4) {
        let branch = row["branch"].as_u64().unwrap();
        let target = json!({ "branch": branch }).to_string();
        if row["kind"] == "islanding" {
            splitting += 1;
            assert_eq!(study.outage_columns(&target).unwrap_err().code, "OUTAGE.ISLANDING");
            continue;
        }
        let after = study.outage_columns(&target).unwrap().columns;
        let edits = json!({ "deltas": { "15": 40 }, "rates": { "23": -30 }, "branches": { branch.to_string(): { "status": false } } });
        let mut without = Study::create(&module, "acpf", AS_FILED).unwrap();
        let want = without.commit("out", edits.to_string().as_str(), "").unwrap().columns;
        for name in [
            ColumnName::VmPu,
            ColumnName::VaRad,
            ColumnName::FlowToMvar,
            ColumnName::Loading,
        ] {
            for (got, want) in column(&after, name).iter().zip(column(&want, name)) {
                // The branch that is out takes no part in the commit, and carries nothing after the outage.
                let same = (got - want).abs() < 1e-5 || (want.is_nan() && (*got == 0.0 || got.is_nan()));
                assert!(same, "{name:?} without {branch}: {got} against {want}");
            }
        }
        let flows = study.outage_flows(&target).unwrap();
        assert_eq!(flows, column(&after, ColumnName::FlowMw));
        let most = column(&after, ColumnName::Loading)
            .iter()
            .fold(0.0f64, |most, x| most.max(*x));
        assert!((number(row, "worst_loading") - most).abs() < 1e-9, "{row}");
    }
    assert!(splitting < 6, "{splitting}");
}

#[test]
fn estimated_outages_are_reported_and_options_checked() {
    let Some(module) = data_case("matpower/case39.m") else {
        return;
    };
    let mut study = Study::create(&module, "acpf", AS_FILED).unwrap();
    let all = rows(&study, "{}", 1000);
    let some = rows(&study, r#"{"min_estimated_loading":0.85}"#, 7);
    assert_eq!(all.len(), some.len());
    let mut left = 0;
    for (all, some) in all.iter().zip(&some) {
        let light = all["kind"] == "loading" && number(all, "estimated_loading") < 0.85;
        left += usize::from(light);
        if light {
            assert_eq!(some["kind"], "estimated");
            assert_eq!(some["estimated_loading"], all["estimated_loading"]);
            assert!(some.get("worst_loading").is_none());
        } else {
            assert_eq!(some, all);
        }
    }
    assert!(left > 0 && left < all.len(), "{left} of {}", all.len());
    for (options, code) in [
        (r#"{"branches":[99999]}"#, "BRANCH.UNKNOWN"),
        (r#"{"min_estimated_loading":-1}"#, "INPUT.REQUEST"),
        (r#"{"outages":[1]}"#, "INPUT.REQUEST"),
    ] {
        assert_eq!(
            Job::screening(&study, options).err().map(|e| e.code),
            Some(code),
            "{options}"
        );
    }
    let edits = r#"{"branches":{"1":{"status":false}}}"#;
    study.commit("out", edits, "").unwrap();
    let refused = Job::screening(&study, r#"{"branches":[1]}"#).err().map(|e| e.code);
    assert_eq!(refused, Some("INPUT.REQUEST"));
}
