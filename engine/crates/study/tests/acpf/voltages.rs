//! Voltages against MATPOWER's, reactive limits, and the balance of the bundled grids.

use crate::balance::largest_imbalance;
use crate::common::{column, data, data_case, grid, Solved};
use crate::AS_FILED;
use std::collections::BTreeMap;
use std::path::Path;
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

#[test]
fn voltages_are_those_of_matpower() {
    let Some(summary) = data("reference/computed/acpf_summary.csv") else {
        return;
    };
    let summary = String::from_utf8(summary).expect("text");
    let root = |folder: &str, name: &str| format!("{folder}/{name}.m");
    let mut compared = 0;
    for line in summary.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let (name, n_bus) = (cells[0], cells[2].parse::<usize>().unwrap_or(usize::MAX));
        // RTS-GMLC has an HVDC link, which the engine refuses.
        if cells[1] != "1" || n_bus > 3000 || name.contains("RTS_GMLC") {
            continue;
        }
        let want = format!("reference/computed/acpf/{name}.acpf.bus.csv");
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
        let folder = std::env::var_os("WATTBOOK_DATA").map_or(beside, Into::into);
        let folders = ["matpower", "activsg200", "activsg500", "activsg2000", "new_england250"];
        let found = folders.iter().map(|f| root(f, name)).find(|p| folder.join(p).is_file());
        let (Some(path), true) = (found, folder.join(&want).is_file()) else {
            continue;
        };
        let module = data_case(&path).expect("the data folder");
        let study = Study::create(&module, "acpf", AS_FILED).unwrap_or_else(|e| panic!("{name}: {e}"));
        let flow = Solved::of(&study);
        let ids = study.rows().columns;
        let ids = column(&ids, ColumnName::BusId);
        let row_of: BTreeMap<u64, usize> = ids.iter().enumerate().map(|(k, id)| (*id as u64, k)).collect();
        let want = String::from_utf8(data(&want).expect("the folder")).expect("text");
        for line in want.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let number = |k: usize| cells[k].parse::<f64>().expect("a number");
            let row = row_of[&cells[0].parse().expect("a bus")];
            let magnitude = flow.at(ColumnName::VmPu)[row];
            if magnitude.is_nan() {
                continue;
            }
            let turn = flow.at(ColumnName::VaRad)[row].to_degrees() - number(2);
            let turn = turn - 360.0 * (turn / 360.0).round();
            assert!((magnitude - number(1)).abs() < 1e-8, "{name} {}: {magnitude}", cells[0]);
            assert!(turn.abs() < 1e-6, "{name} {}: {turn} degrees apart", cells[0]);
        }
        // 1e-8 per unit is where the solver stops.
        let imbalance = largest_imbalance(&module, &flow);
        assert!(imbalance < 2e-6, "{name}: {imbalance} MVA");
        compared += 1;
    }
    assert!(compared >= 20, "{compared} cases were compared");
}

#[test]
fn bundled_grids_solve_and_balance() {
    for name in ["illinois", "carolina", "texas", "california"] {
        let module = grid(name);
        let study = Study::create(&module, "acpf", "null").unwrap_or_else(|e| panic!("{name}: {e}"));
        let flow = Solved::of(&study);
        let imbalance = largest_imbalance(&module, &flow);
        println!("{name}: {imbalance:.1e} MVA, {}", flow.head["power_flow"]);
        assert!(imbalance < 2e-6, "{name}: {imbalance} MVA");
        assert_eq!(flow.head["status"], "feasible");
        assert!(flow.head.get("objective").is_none());
        let certificate = &flow.head["certificate"];
        assert!(certificate["mismatch_mw"].as_f64().expect("a mismatch") < 1e-4);
        assert!(certificate["mismatch_mvar"].as_f64().expect("a mismatch") < 1e-4);
        let losses: f64 = [ColumnName::FlowMw, ColumnName::FlowToMw]
            .iter()
            .flat_map(|name| flow.at(*name).iter().filter(|x| !x.is_nan()))
            .sum();
        let told = flow.head["power_flow"]["losses_mw"].as_f64().expect("losses");
        assert!((losses - told).abs() < 1e-6 * told.abs(), "{losses} against {told}");
    }
}

#[test]
fn reactive_limits_are_kept_and_reported() {
    let Some(module) = data_case("activsg200/case_ACTIVSg200.m").or_else(|| data_case("matpower/case118.m")) else {
        return;
    };
    let study = Study::create(&module, "acpf", r#"{"q_limits":true}"#).expect("a solvable case");
    let flow = Solved::of(&study);
    assert_eq!(flow.head["power_flow"]["reactive_limits"], "kept");
    let [q, low, high] =
        [ColumnName::DispatchMvar, ColumnName::QMinMvar, ColumnName::QMaxMvar].map(|name| flow.at(name).to_vec());
    let references: Vec<u64> = flow.head["slack"]
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|s| s["bus"].as_u64())
        .collect();
    let stands_at = study.rows().columns;
    let stands_at = column(&stands_at, ColumnName::GeneratorBus).to_vec();
    for row in (0..q.len()).filter(|&row| !q[row].is_nan() && !references.contains(&(stands_at[row] as u64))) {
        assert!(
            q[row] >= low[row] - 1e-4 && q[row] <= high[row] + 1e-4,
            "{row}: {} outside {} to {}",
            q[row],
            low[row],
            high[row]
        );
    }
}
