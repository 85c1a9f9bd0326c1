//! The PGLib typ files through the Study with the outputs of our DC OPF, distributed slack and set-points of 1.03 pu.

use crate::balance::largest_imbalance;
use crate::common::{data, ingest, text, Answer};
use std::path::{Path, PathBuf};
use wattbook_study::Study;

const OPTIONS: &str = r#"{"dispatch":"dcopf","slack":"distributed","set_point_pu":1.03}"#;
/// All typ files of PGLib.
const TYP: usize = 66;
/// Larger files run only with `--all`.
const LARGEST: u64 = 1_500_000;

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "m"))
        .collect();
    files.sort();
    files
}

/// Solves and checks; returns the start that converged and the steps.
fn solve(path: &Path) -> Result<(String, u64), String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let module = text(&ingest(&bytes, "matpower"));
    let study = Study::create(&module, "acpf", OPTIONS).map_err(|e| e.to_string())?;
    let flow = Answer::of(&study);
    let report = &flow.head["power_flow"];
    if report["dispatch"] != "dcopf" || report["slack"] != "distributed" {
        return Err(format!("reports {report}"));
    }
    let imbalance = largest_imbalance(&module, &flow);
    if imbalance >= 5e-6 {
        return Err(format!("{imbalance} MVA out of balance"));
    }
    let start = report["start"].as_str().ok_or("no start")?;
    Ok((start.to_string(), report["steps"].as_u64().ok_or("no steps")?))
}

/// Solves all files and returns their number.
fn all_solve(files: &[PathBuf]) -> usize {
    let (mut wrong, mut starts) = (Vec::new(), std::collections::BTreeMap::new());
    for path in files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        match solve(path) {
            Ok((start, steps)) => {
                let most: &mut (usize, u64) = starts.entry(start).or_default();
                *most = (most.0 + 1, most.1.max(steps));
            }
            Err(why) => wrong.push(format!("{name}: {why}")),
        }
    }
    println!("{} files; by start, with the most steps: {starts:?}", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    files.len()
}

#[test]
fn typ_files_of_the_data_folder_solve() {
    if data("pglib/LICENSE").is_none() {
        return;
    }
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
    let folder = std::env::var_os("WATTBOOK_DATA").map_or_else(beside, PathBuf::from);
    let small = |path: &PathBuf| path.metadata().is_ok_and(|file| file.len() < LARGEST);
    let files: Vec<PathBuf> = files(&folder.join("pglib")).into_iter().filter(small).collect();
    assert!(all_solve(&files) >= 15);
}

/// `npm test -- --all` sets the folder of the Python package.
#[test]
fn all_typ_files_solve() {
    let Some(folder) = std::env::var_os("WATTBOOK_PGLIB") else {
        println!("skipped: WATTBOOK_PGLIB names no folder");
        return;
    };
    let folder = Path::new(&folder);
    assert_eq!(all_solve(&files(folder)), TYP);
    // With the file's set-points no fraction of all demand and generation solves; with others everything does, from the
    // third start.
    let bytes = std::fs::read(folder.join("pglib_opf_case24464_goc.m")).expect("a readable file");
    let error = Study::create(&text(&ingest(&bytes, "matpower")), "acpf", "").expect_err("no solution as filed");
    assert_eq!(error.details.expect("details")["options"]["set_point_pu"], 1.03);
}
