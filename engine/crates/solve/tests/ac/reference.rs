//! AC power flow of whole grids against MATPOWER's Newton power flow from the case's own start
//! (`reference/computed/acpf_summary.csv` and `acpf/` of the data folder; no reactive limits, tolerance 1e-10).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::ingest_case;
use wattbook_solve::ac::{AcCertificate, AcData, AcModel, AcOptions, AcSolution, Start};

/// Case files of the data folder by name, as the reference names them.
fn case_file(data: &Path, case: &str) -> Option<PathBuf> {
    let pglib = match case.rsplit_once("__") {
        Some((_, set)) => data.join("pglib").join(set),
        None => data.join("pglib"),
    };
    let folders = [
        "matpower",
        "new_england250",
        "cats",
        "rts_gmlc",
        "activsg200",
        "activsg500",
        "activsg2000",
    ];
    let mut folders: Vec<PathBuf> = folders.iter().map(|f| data.join(f)).collect();
    folders.insert(0, pglib);
    let in_folder = |folder: &PathBuf| Some(folder.join(format!("{case}.m"))).filter(|p| p.is_file());
    folders.iter().find_map(in_folder)
}

/// None for a case with an HVDC link in service: the reference has no converters.
fn read(path: &Path) -> Option<AnalysisNetwork> {
    let bytes = std::fs::read(path).expect("a readable file");
    match ingest_case(&bytes, "matpower") {
        Ok(ingested) => Some(ingested.network).filter(|network| network.links_in_service().next().is_none()),
        Err(e) => panic!("{}: {e}", path.display()),
    }
}

struct Summary {
    case: String,
    /// Iterations and the losses in MW, where it converged.
    solved: Option<(usize, f64)>,
}

fn summaries(data: &Path) -> Vec<Summary> {
    let text = std::fs::read_to_string(data.join("reference/computed/acpf_summary.csv")).expect("the summary");
    text.lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let number = |k: usize| cells[k].parse::<f64>().expect("a number");
            Summary {
                case: cells[0].to_string(),
                solved: (cells[1] == "1").then(|| (cells[3].parse().expect("a count"), number(8))),
            }
        })
        .collect()
}

/// Bus number to magnitude and angle in degrees.
fn voltages(data: &Path, case: &str) -> Option<BTreeMap<u64, (f64, f64)>> {
    let path = data.join(format!("reference/computed/acpf/{case}.acpf.bus.csv"));
    let text = std::fs::read_to_string(path).ok()?;
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |k: usize| cells[k].parse::<f64>().expect("a number");
        (cells[0].parse().expect("a bus"), (number(1), number(2)))
    };
    Some(text.lines().skip(1).map(row).collect())
}

/// Largest differences in per unit and degrees.
fn apart(network: &AnalysisNetwork, solution: &AcSolution, want: &BTreeMap<u64, (f64, f64)>) -> (f64, f64) {
    let mut worst = (0.0f64, 0.0f64);
    for (row, bus) in network.buses.iter().enumerate().filter(|(_, b)| b.in_service) {
        let (v, angle) = want[&bus.id];
        let turn = solution.angle[row].to_degrees() - angle;
        worst.0 = worst.0.max((solution.magnitude[row] - v).abs());
        worst.1 = worst.1.max((turn - 360.0 * (turn / 360.0).round()).abs());
    }
    worst
}

#[test]
fn voltages_and_losses_are_those_of_matpower() {
    let Some(data) = crate::common::data_folder() else {
        return;
    };
    let (mut compared, mut with_voltages, mut absent) = (0, 0, 0);
    let mut worst = (0.0f64, 0.0f64);
    let mut wrong: Vec<String> = Vec::new();
    for summary in summaries(&data) {
        let Some((iterations, losses_mw)) = summary.solved else {
            continue;
        };
        let case = &summary.case;
        let Some(path) = case_file(&data, case) else {
            absent += 1;
            continue;
        };
        let Some(network) = read(&path) else {
            absent += 1;
            continue;
        };
        let model = AcModel::new(&network).unwrap_or_else(|e| panic!("{case}: {e}"));
        let options = AcOptions {
            only_stored_start: true,
            ..AcOptions::default()
        };
        let solution = model
            .solve(&AcData::base(&network), options)
            .unwrap_or_else(|e| panic!("{case}: {e}"));
        // MATPOWER stops at 1e-10 per unit, which may take one step more.
        let steps = iterations.saturating_sub(1)..=iterations;
        let certificate = AcCertificate::new(&network, &solution);
        let losses = solution.losses * network.base_mva;
        if solution.start != Start::Stored || !steps.contains(&solution.steps) {
            wrong.push(format!("{case}: {} steps against {iterations}", solution.steps));
        }
        if !certificate.holds() {
            wrong.push(format!("{case}: {certificate:?}"));
        }
        if (losses - losses_mw).abs() >= 1e-6 * losses_mw.abs().max(10.0) {
            wrong.push(format!("{case}: losses of {losses} MW against {losses_mw}"));
        }
        compared += 1;
        if let Some(want) = voltages(&data, case) {
            let (v, angle) = apart(&network, &solution, &want);
            if !(v < 1e-8 && angle < 1e-6) {
                wrong.push(format!("{case}: {v:.1e} pu and {angle:.1e} degrees apart"));
            }
            worst = (worst.0.max(v), worst.1.max(angle));
            with_voltages += 1;
        }
    }
    println!(
        "{compared} cases agree, {with_voltages} with voltages: {:.1e} pu, {:.1e} degrees; skipped: {absent} without a file or with HVDC",
        worst.0, worst.1
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= 36, "{compared} cases were compared");
}
