//! The minimum relaxation of every case without a DC optimum.
//!
//! `cargo run --release -p wattbook-solve --example explain -- <folder of MATPOWER files or modules> [--convention
//! powermodels|service|matpower] [--demand FACTOR] [part of a name ...]`: one line a case, `case,kind,total_mw,gap_mw,relaxed,contradicting,cold_ms,explain_ms,message`; ends
//! with status 1 where a case without an optimum is not explained. The folder's subfolders are read too.

use std::path::{Path, PathBuf};
use std::time::Instant;
use wattbook_network::{ingest_case, network_from_module};
use wattbook_solve::dc::{explain, Convention, DcData, DcModel, DcOptimizer, DualActiveSet};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "m" || e == "json") {
            found.push(path);
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("usage: explain <folder> [--convention powermodels|service|matpower] [name ...]");
        std::process::exit(2);
    };
    let mut convention = Convention::Service;
    let mut factor = 1.0;
    let mut parts = Vec::new();
    while let Some(argument) = arguments.next() {
        if argument == "--demand" {
            factor = arguments.next().and_then(|f| f.parse().ok()).unwrap_or(1.0);
            continue;
        }
        match (argument.as_str(), argument == "--convention") {
            (_, true) => {
                convention = match arguments.next().as_deref() {
                    Some("powermodels") => Convention::PowerModels,
                    Some("matpower") => Convention::Matpower,
                    _ => Convention::Service,
                }
            }
            (part, false) => parts.push(part.to_string()),
        }
    }
    let mut paths = Vec::new();
    files(Path::new(&folder), &mut paths);
    let (mut explained, mut failed) = (0, 0);
    println!("case,kind,total_mw,gap_mw,relaxed,contradicting,cold_ms,explain_ms,message");
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !parts.is_empty() && !parts.iter().any(|p| name.contains(p.as_str())) {
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let read = if path.extension().is_some_and(|e| e == "m") {
            ingest_case(&bytes, "matpower").map(|i| i.network)
        } else {
            network_from_module(&String::from_utf8_lossy(&bytes))
        };
        let Ok(network) = read else { continue };
        let Ok(model) = DcModel::new(&network, convention) else {
            continue;
        };
        let mut data = DcData::base(&network);
        data.demand.iter_mut().for_each(|demand| *demand *= factor);
        let clock = Instant::now();
        let has_optimum = DualActiveSet.optimum(&model, &data, None).is_ok();
        let cold = clock.elapsed().as_secs_f64() * 1e3;
        if has_optimum {
            continue;
        }
        let clock = Instant::now();
        let outcome = explain(&model, &data);
        let ms = clock.elapsed().as_secs_f64() * 1e3;
        match outcome {
            Ok(Some(e)) => {
                explained += 1;
                println!(
                    "{name},{:?},{:.6},{:.1e},{},{},{cold:.1},{ms:.1},\"{}\"",
                    e.kind,
                    e.relaxation_total_mw,
                    e.verified.gap_mw,
                    e.relaxation.len(),
                    e.elements.len(),
                    e.message()
                );
            }
            Ok(None) => {
                failed += 1;
                println!("{name},has an optimum after all,,,,,{cold:.1},{ms:.1},");
            }
            Err(error) => {
                failed += 1;
                println!("{name},{},,,,,{cold:.1},{ms:.1},\"{}\"", error.code, error.message());
            }
        }
    }
    eprintln!("{explained} explained, {failed} failed");
    std::process::exit(i32::from(failed > 0));
}
