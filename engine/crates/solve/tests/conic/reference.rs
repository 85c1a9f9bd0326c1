//! The conic relaxation against external references: objectives, prices and the gaps of BASELINE.md.

use crate::common::data_folder;
use std::path::{Path, PathBuf};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::ingest_case;
use wattbook_solve::conic::{ConicCertificate, ConicData, ConicModel, ConicSolution, Cuts};

fn network(path: &Path) -> AnalysisNetwork {
    let bytes = std::fs::read(path).expect("a case file");
    ingest_case(&bytes, "matpower").expect("a case").network
}

#[track_caller]
fn solve(network: &AnalysisNetwork) -> ConicSolution {
    let model = ConicModel::new(network, Cuts::Lifted).expect("a model");
    let solution = model.optimum(&ConicData::base(network), None).expect("an optimum");
    let certificate = ConicCertificate::new(network, Cuts::Lifted, &solution);
    assert!(certificate.holds(), "{certificate:?}");
    solution
}

fn file(data: &Path, case: &str) -> PathBuf {
    let folder = match case.rsplit_once("__") {
        Some((_, part)) => data.join("pglib").join(part),
        None => data.join("pglib"),
    };
    folder.join(format!("{case}.m"))
}

fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).expect("a table");
    let lines = text.lines().skip(1);
    lines.map(|l| l.split(',').map(str::to_string).collect()).collect()
}

#[test]
fn objectives_of_the_reference() {
    let Some(data) = data_folder() else { return };
    let mut compared = 0;
    for row in rows(&data.join("reference/computed/socwr_objectives.csv")) {
        let path = file(&data, &row[0]);
        if !path.is_file() {
            continue;
        }
        let (want, ac, gap): (f64, f64, f64) = (
            row[1].parse().unwrap(),
            row[2].parse().unwrap(),
            row[3].parse().unwrap(),
        );
        let s = solve(&network(&path));
        assert!(
            (s.objective - want).abs() <= 1e-6 * want,
            "{}: {} against {want}",
            row[0],
            s.objective
        );
        let own = 100.0 * (1.0 - s.objective / ac);
        assert!((own - gap).abs() <= 0.02, "{}: gap {own} against {gap}", row[0]);
        compared += 1;
    }
    assert!(compared >= 20, "{compared} rows");
}

/// MATPOWER's case9 (solved by PowerModels).
#[test]
fn case9() {
    let Some(data) = data_folder() else { return };
    let s = solve(&network(&data.join("matpower/case9.m")));
    assert!((s.objective - 5296.6659).abs() < 2e-3, "{}", s.objective);
}

#[test]
fn prices_of_the_reference() {
    let Some(data) = data_folder() else { return };
    let mut compared = 0;
    let folder = data.join("reference/computed/socwr");
    for row in rows(&data.join("reference/computed/socwr_objectives.csv")) {
        let (path, table) = (file(&data, &row[0]), folder.join(format!("{}.socwr.bus.csv", row[0])));
        if !path.is_file() || !table.is_file() {
            continue;
        }
        let network = network(&path);
        let s = solve(&network);
        let header = std::fs::read_to_string(&table).expect("a table");
        let header: Vec<&str> = header.lines().next().unwrap_or_default().split(',').collect();
        let column = |name: &str| header.iter().position(|h| *h == name);
        let (Some(bus), Some(lmp)) = (column("bus_i"), column("lmp_p")) else {
            panic!("{header:?}");
        };
        let mut largest = 0.0f64;
        let mut worst = 0.0f64;
        for row in rows(&table) {
            let (id, want): (u64, f64) = (row[bus].parse().unwrap(), row[lmp].parse().unwrap());
            let at = network.buses.iter().position(|b| b.id == id).expect("a bus");
            worst = worst.max((s.price[at] / network.base_mva - want).abs());
            largest = largest.max(want.abs());
        }
        if row[0] == "pglib_opf_case5_pjm__sad" {
            // The table contradicts the costs: generators 4 and 5 are inside their limits and cost 40 and 10 $/MWh.
            for (generator, cost) in [(3, 40.0), (4, 10.0)] {
                let g = &network.generators[generator];
                assert!(s.dispatch[generator] > g.pmin_pu + 0.1 && s.dispatch[generator] < g.pmax_pu - 0.1);
                assert!((s.price[g.bus] / network.base_mva - cost).abs() < 1e-5);
            }
            continue;
        }
        assert!(worst <= 1e-4 * largest, "{}: {worst} of {largest}", row[0]);
        compared += 1;
    }
    assert!(compared >= 20, "{compared} tables");
}
