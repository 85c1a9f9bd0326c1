//! DC OPF objectives of public cases against `reference/computed/dcopf_objectives.csv` (HiGHS, MATPOWER/MIPS, CVXOPT).
//!
//! The references leave angle differences free and unrated branches unlimited; the service's 60-degree rule and fallback
//! rating can only change rows whose largest angle difference reaches 60 degrees. Those, and what the spec refuses, are
//! listed with the reason. Data: `WATTBOOK_DATA`, else `../shared/data`; skipped, with a count, where it is absent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use wattbook_network::ingest_case;
use wattbook_solve::dc::{Convention, DcData, DcModel, DcOptimizer, DualActiveSet};

const LARGEST_CASE: usize = 3_000;

fn data_folder() -> PathBuf {
    std::env::var_os("WATTBOOK_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data"),
        PathBuf::from,
    )
}

fn case_files(folder: &Path, files: &mut BTreeMap<String, PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            case_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "m") {
            if let Some(stem) = path.file_stem() {
                files.insert(stem.to_string_lossy().into_owned(), path.clone());
            }
        }
    }
}

struct Row {
    case: String,
    convention: Convention,
    infeasible: bool,
    objective: f64,
    max_angle: Option<f64>,
}

fn rows(table: &str) -> Vec<Row> {
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    let at = |name: &str| {
        header
            .iter()
            .position(|h| *h == name)
            .unwrap_or_else(|| panic!("no column {name}"))
    };
    let (case, convention, status, objective, n_bus, angle) = (
        at("case"),
        at("convention"),
        at("status"),
        at("objective"),
        at("n_bus"),
        at("max_abs_angle_diff_deg"),
    );
    lines
        .map(|line| line.split(',').collect::<Vec<_>>())
        .filter(|f| f[case].starts_with("pglib_") && f[n_bus].parse::<usize>().is_ok_and(|n| n <= LARGEST_CASE))
        .map(|f| Row {
            case: f[case].to_string(),
            convention: match f[convention] {
                "matpower" => Convention::Matpower,
                "powermodels_dcp" => Convention::PowerModels,
                other => panic!("unknown convention {other}"),
            },
            infeasible: f[status].starts_with("infeasible"),
            objective: f[objective].parse().unwrap_or(f64::NAN),
            max_angle: f[angle].parse().ok(),
        })
        .collect()
}

#[test]
fn pglib_objectives_match_the_references() {
    let data = data_folder();
    let Ok(table) = std::fs::read_to_string(data.join("reference/computed/dcopf_objectives.csv")) else {
        println!("skipped: 1 corpus test, no data at {}", data.display());
        return;
    };
    let mut files = BTreeMap::new();
    case_files(&data, &mut files);
    let (mut compared, mut infeasible, mut failures) = (0, 0, Vec::new());
    for row in rows(&table) {
        let name = format!("{} {:?}", row.case, row.convention);
        let Some(path) = files.get(&row.case) else {
            println!("not compared: {name}: no such file here");
            continue;
        };
        let bytes = std::fs::read(path).expect("readable file");
        let network = match ingest_case(&bytes, "matpower") {
            Ok(ingested) => ingested.network,
            Err(e) => {
                println!("not compared: {name}: refused as the spec says: {e}");
                failures.push(format!("{name}: {e}"));
                continue;
            }
        };
        let result = DcModel::new(&network, row.convention)
            .and_then(|model| DualActiveSet.optimum(&model, &DcData::base(&network), None));
        match result {
            _ if row.max_angle.is_some_and(|a| a >= 60.0) => {
                println!(
                    "not compared: {name}: angle differences reach {} degrees",
                    row.max_angle.unwrap_or(0.0)
                );
            }
            Ok(s) if !row.infeasible => {
                let error = (s.objective - row.objective).abs() / row.objective.abs().max(1.0);
                if error.is_nan() || error > 1e-6 {
                    failures.push(format!(
                        "{name}: {} against {} ({error:.1e})",
                        s.objective, row.objective
                    ));
                }
                compared += 1;
            }
            Err(e) if row.infeasible && e.code == "SOLVE.INFEASIBLE" => infeasible += 1,
            Ok(s) => failures.push(format!("{name}: optimum {} of an infeasible case", s.objective)),
            Err(e) => failures.push(format!("{name}: {e}")),
        }
    }
    println!("{compared} optima and {infeasible} infeasible rows agree");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(compared > 0);
}
