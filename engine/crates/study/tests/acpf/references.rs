//! Voltages and losses with default options against MATPOWER's power flow of each file, for every file that it solves
//! (`reference/computed/acpf_summary.csv` and `acpf/` of the data folder).

use crate::balance::largest_imbalance;
use crate::common::{column, data, ingest, text, Answer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

/// Folders of case files in the data folder, beside those of PGLib.
const FOLDERS: [&str; 7] = [
    "matpower",
    "activsg200",
    "activsg500",
    "activsg2000",
    "new_england250",
    "rts_gmlc",
    "cats",
];

fn data_folder() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
    std::env::var_os("WATTBOOK_DATA").map_or_else(beside, PathBuf::from)
}

/// The file of a case; `__api` and `__sad` are sets of PGLib.
fn file(case: &str) -> Option<PathBuf> {
    let (pglib, name) = match case.rsplit_once("__") {
        Some((_, set)) => (format!("pglib/{set}"), case),
        None => ("pglib".to_string(), case),
    };
    let folders = std::iter::once(pglib.as_str()).chain(FOLDERS);
    let mut paths = folders.map(|folder| data_folder().join(folder).join(format!("{name}.m")));
    paths.find(|path| path.is_file())
}

/// Bus number to magnitude and angle in degrees, where the reference has them.
fn voltages(case: &str) -> Option<BTreeMap<u64, (f64, f64)>> {
    let path = data_folder().join(format!("reference/computed/acpf/{case}.acpf.bus.csv"));
    let text = std::fs::read_to_string(path).ok()?;
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |k: usize| cells[k].parse::<f64>().expect("a number");
        (cells[0].parse().expect("a bus"), (number(1), number(2)))
    };
    Some(text.lines().skip(1).map(row).collect())
}

/// The file with the HVDC link of RTS-GMLC out of service: the reference was computed without links.
fn without_links(bytes: Vec<u8>) -> Vec<u8> {
    match String::from_utf8(bytes) {
        Ok(text) => text
            .replace("113 316 1 0 0", "113 316 0 0 0")
            .replace("113\t316\t1\t0\t0", "113\t316\t0\t0\t0")
            .into_bytes(),
        Err(other) => other.into_bytes(),
    }
}

#[test]
fn every_file_that_matpower_solves_has_its_voltages() {
    let Some(summary) = data("reference/computed/acpf_summary.csv") else {
        return;
    };
    let summary = String::from_utf8(summary).expect("text");
    let (mut solved, mut with_voltages, mut wrong) = (0, 0, Vec::new());
    for line in summary.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let (case, converged) = (cells[0], cells[1] == "1");
        let number = |k: usize| cells[k].parse::<f64>().expect("a number");
        if !converged {
            continue;
        }
        let path = file(case).unwrap_or_else(|| panic!("{case}: no file"));
        let bytes = without_links(std::fs::read(&path).expect("a readable file"));
        let module = text(&ingest(&bytes, "matpower"));
        let study = match Study::create(&module, "acpf", "") {
            Ok(study) => study,
            Err(error) => {
                wrong.push(format!("{case}: {error}"));
                continue;
            }
        };
        let flow = Answer::of(&study);
        solved += 1;
        let report = &flow.head["power_flow"];
        if report["dispatch"] != "file" || report["slack"] != "single" {
            wrong.push(format!("{case}: {report}"));
        }
        let losses = flow.head["power_flow"]["losses_mw"].as_f64().expect("losses");
        if (losses - number(8)).abs() >= 1e-6 * number(8).abs().max(10.0) {
            wrong.push(format!("{case}: losses of {losses} MW against {}", number(8)));
        }
        // The solver stops at 1e-8 per unit.
        let imbalance = largest_imbalance(&module, &flow);
        if imbalance >= 5e-6 {
            wrong.push(format!("{case}: {imbalance} MVA out of balance"));
        }
        let rows = study.rows().columns;
        let (vm, va) = (flow.at(ColumnName::VmPu), flow.at(ColumnName::VaRad));
        let Some(want) = voltages(case) else {
            let range = vm.iter().filter(|v| !v.is_nan());
            let range = range.fold((f64::INFINITY, 0.0f64), |(low, high), &v| (low.min(v), high.max(v)));
            if (range.0 - number(4)).abs() > 1e-8 || (range.1 - number(5)).abs() > 1e-8 {
                wrong.push(format!("{case}: voltages from {} to {}", range.0, range.1));
            }
            continue;
        };
        with_voltages += 1;
        let mut worst = (0.0f64, 0.0f64);
        for (row, id) in column(&rows, ColumnName::BusId)
            .iter()
            .enumerate()
            .filter(|(row, _)| !vm[*row].is_nan())
        {
            let (magnitude, angle) = want[&(*id as u64)];
            let turn = va[row].to_degrees() - angle;
            worst.0 = worst.0.max((vm[row] - magnitude).abs());
            worst.1 = worst.1.max((turn - 360.0 * (turn / 360.0).round()).abs());
        }
        if !(worst.0 < 1e-8 && worst.1 < 1e-6) {
            wrong.push(format!("{case}: {:.1e} pu and {:.1e} degrees apart", worst.0, worst.1));
        }
    }
    println!("{solved} files with MATPOWER's losses, {with_voltages} of them with its voltage of every bus");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(solved >= 57, "{solved} files were compared");
}
