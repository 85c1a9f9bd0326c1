//! dLMP/dd and dLMP/d(rating) columns against `reference/computed/sensitivity` (differences of MATPOWER solutions, printed
//! to about 1e-6). Data: `WATTBOOK_DATA`, else `../shared/data`; skipped, with a count, where it is absent.

use serde_json::{json, Value};
use std::path::{Path, PathBuf};
use wattbook_study::{ingest_case_json, Study};

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
        let ingested = ingest_case_json(&std::fs::read(path).unwrap(), "matpower").unwrap();
        let ingested: Value = serde_json::from_str(&ingested).unwrap();
        let module = ingested["module_json"].as_str().unwrap();
        let study = Study::create(module, "dcopf", "{\"dc_convention\":\"matpower\"}").unwrap();
        let column: Value =
            serde_json::from_str(&study.sensitivity_json("x", ("", ""), &target.to_string()).unwrap()).unwrap();
        let solution: Value = serde_json::from_str(&study.current_solution_json().unwrap()).unwrap();
        let table = std::fs::read_to_string(&file).unwrap();
        let mut worst = (0.0f64, 0.0f64);
        for row in table.lines().skip(1) {
            let f: Vec<f64> = row.split(',').map(|x| x.parse().unwrap()).collect();
            let at = |list: &Value| {
                list.as_array()
                    .unwrap()
                    .iter()
                    .find(|v| v["bus"].as_f64() == Some(f[0]))
                    .unwrap()["value"]
                    .as_f64()
                    .unwrap()
            };
            worst.0 = worst
                .0
                .max((at(&solution["prices"]) - f[1]).abs() / f[1].abs().max(1.0));
            worst.1 = worst.1.max((at(&column["values"]) - f[2]).abs() / f[2].abs().max(0.1));
        }
        println!(
            "{name}: prices within {:.1e}, column within {:.1e}, {}",
            worst.0, worst.1, column["warrant"]["kind"]
        );
        compared += 1;
        // The base prices in one of the files carry 5e-5 of their solver's noise; its siblings agree to 1e-11.
        if worst.0 > 1e-4 || worst.1 > 1e-4 {
            failures.push(format!("{name}: {worst:?} {}", column["warrant"]));
        }
    }
    assert!(failures.is_empty() && compared > 0, "{}", failures.join("\n"));
}
