//! dLMP/dd and dLMP/d(rating) columns against `reference/computed/sensitivity` (differences of MATPOWER solutions, printed
//! to about 1e-6). Data: `WATTBOOK_DATA`, else `../shared/data`; skipped, with a count, where it is absent.

use crate::common::{ingest, text, Answer};
use serde_json::json;
use std::path::{Path, PathBuf};
use wattbook_study::contract::ColumnName;
use wattbook_study::Study;

fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let mut folders = Vec::new();
    for path in std::fs::read_dir(folder).ok()?.flatten().map(|e| e.path()) {
        if path.is_dir() {
            folders.push(path);
        } else if path.file_name().is_some_and(|n| n == name) {
            return Some(path);
        }
    }
    folders.sort();
    folders.iter().find_map(|f| find(f, name))
}

#[test]
fn columns_match_the_references() {
    let data = std::env::var_os("WATTBOOK_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data"),
        PathBuf::from,
    );
    let Ok(entries) = std::fs::read_dir(data.join("reference/computed/sensitivity")) else {
        println!("skipped: 1 corpus test, no data at {}", data.display());
        return;
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    files.sort();
    let mut failures = Vec::new();
    let mut compared = 0;
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let mut parts = name.split('.');
        let (case, what) = (parts.next().unwrap(), parts.next().unwrap());
        let target = match what.strip_prefix("dlmp_dd_bus") {
            Some(bus) => json!({ "bus": bus }),
            None => json!({ "branch": what.strip_prefix("dlmp_dfmax_branch").expect("a column name") }),
        };
        let path = find(&data, &format!("{case}.m")).unwrap_or_else(|| panic!("no file for {case}"));
        let ingested = ingest(&std::fs::read(path).unwrap(), "matpower");
        let study = Study::create(&text(&ingested), "dcopf", "{\"dc_convention\":\"matpower\"}").unwrap();
        let column = Answer::from(study.sensitivity("x", ("", ""), &target.to_string()).unwrap());
        let solution = Answer::of(&study);
        let table = std::fs::read_to_string(&file).unwrap();
        let mut worst = (0.0f64, 0.0f64);
        for row in table.lines().skip(1) {
            let f: Vec<f64> = row.split(',').map(|x| x.parse().unwrap()).collect();
            let row = ingested
                .at(ColumnName::BusId)
                .iter()
                .position(|id| *id == f[0])
                .unwrap();
            let price = solution.at(ColumnName::Lmp)[row];
            let slope = column.at(ColumnName::LmpSlope)[row];
            worst.0 = worst.0.max((price - f[1]).abs() / f[1].abs().max(1.0));
            worst.1 = worst.1.max((slope - f[2]).abs() / f[2].abs().max(0.1));
        }
        println!(
            "{name}: prices within {:.1e}, column within {:.1e}, {}",
            worst.0, worst.1, column["warrant"]["kind"]
        );
        compared += 1;
        // The base prices in one of the files contain 5e-5 of solver noise; its siblings agree to 1e-11.
        if worst.0 > 1e-4 || worst.1 > 1e-4 {
            failures.push(format!("{name}: {worst:?} {}", column["warrant"]));
        }
    }
    assert!(failures.is_empty() && compared > 0, "{}", failures.join("\n"));
}
