//! Follows random demands and ratings far up and down, and checks how each path ends.
//!
//! `cargo run --release -p wattbook-solve --example tracks -- [options] <case.m or module.json ...>`
//! Options: `--targets N` (buses and lines a file, 5), `--seed S`, `--reach MW` (5000), `--most N` (breakpoints, 500),
//! `--only KIND:ROW:SIGN` (one path: `bus:12:+` or `branch:7:-`, dense rows). A path must end at its goal, where the edit is used
//! up, at its budget of breakpoints, or where a cold solve has an optimum just before and a proof of infeasibility just past.
//! The cost must be continuous along it: a region that was jumped over shows as a gap.

use std::collections::BTreeMap;
use std::time::Instant;
use wattbook_network::{ingest_case, network_from_module};
use wattbook_solve::dc::{
    parametric_path, Convention, DcData, DcModel, DcOptimizer, DcSolution, DualActiveSet, Path, Region, Stop, Target,
};
use wattbook_solve::vocabulary::Direction;

/// How far from a limit the cold solves look, per unit.
const ASIDE: f64 = 1e-4;
/// Gaps of the cost at a breakpoint, relative, and the position within which a breakpoint is known, relative, per unit.
const SAME_COST: f64 = 1e-9;
const SAME_POINT: f64 = 1e-6;

struct Options {
    files: Vec<String>,
    targets: usize,
    seed: u64,
    reach_mw: f64,
    most: usize,
    only: Option<(Target, f64)>,
}

fn options() -> Option<Options> {
    let mut found = Options {
        files: Vec::new(),
        targets: 5,
        seed: 1,
        reach_mw: 5000.0,
        most: 500,
        only: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(a) = arguments.next() {
        match a.as_str() {
            "--targets" => found.targets = arguments.next()?.parse().ok()?,
            "--seed" => found.seed = arguments.next()?.parse().ok()?,
            "--reach" => found.reach_mw = arguments.next()?.parse().ok()?,
            "--most" => found.most = arguments.next()?.parse().ok()?,
            "--only" => {
                let text = arguments.next()?;
                let mut parts = text.split(':');
                let (kind, row, sign) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
                let target = if kind == "bus" {
                    Target::Demand(row)
                } else {
                    Target::Rating(row)
                };
                found.only = Some((target, if sign == "-" { -1.0 } else { 1.0 }));
            }
            _ => found.files.push(a),
        }
    }
    (!found.files.is_empty()).then_some(found)
}

/// xorshift, as everywhere in the tests.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
}

fn moved(data: &DcData, direction: &Direction, step: f64) -> DcData {
    let mut data = data.clone();
    for &(bus, d) in &direction.demand {
        data.demand[bus] += step * d;
    }
    for &(branch, d) in &direction.rating {
        data.rating[branch] = (data.rating[branch] + step * d).max(0.0);
    }
    data
}

/// The kind of end of a path, and its faults.
fn judge(model: &DcModel, start: &DcSolution, direction: &Direction, path: &Path) -> (&'static str, Vec<String>) {
    let mut wrong = Vec::new();
    for pair in path.regions.windows(2) {
        let (a, b) = (pair[0].objective_at(pair[0].to), pair[1].objective_at(pair[1].from));
        let slope = |r: &Region, at: f64| (r.column.objective + (at - r.at) * r.column.objective_curvature).abs();
        let steepest = slope(&pair[0], pair[0].to).max(slope(&pair[1], pair[1].from));
        if (a - b).abs() > SAME_COST * (1.0 + a.abs()) + SAME_POINT * (1.0 + pair[0].to) * steepest {
            wrong.push(format!(
                "cost jumps from {a} to {b} at {}, slope {steepest:e}",
                pair[0].to
            ));
        }
    }
    let Some((at, stop)) = &path.stopped else {
        return ("goal", wrong);
    };
    let cold = |step: f64| DualActiveSet.optimum(model, &moved(&start.data, direction, step), None);
    let end = match stop {
        Stop::EditLimit => "edit limit",
        Stop::TooManyBreakpoints => "breakpoints",
        Stop::NotFollowed(error) => {
            wrong.push(format!("not followed past {at}: {}", error.message()));
            "NOT FOLLOWED"
        }
        Stop::NoSolution(_) => {
            if let Err(e) = cold((at - ASIDE).max(0.0)) {
                wrong.push(format!("no optimum before the limit {at}: {}", e.message()));
            }
            match cold(at + ASIDE) {
                Ok(_) => wrong.push(format!("an optimum past the limit {at}")),
                Err(e) if e.code != "SOLVE.INFEASIBLE" => {
                    wrong.push(format!("undecided past the limit {at}: {}", e.message()));
                }
                Err(_) => {}
            }
            "infeasible"
        }
    };
    (end, wrong)
}

fn run(name: &str, model: &DcModel, start: &DcSolution, options: &Options, counts: &mut BTreeMap<&'static str, usize>) {
    let base = 100.0;
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ options.seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut paths = Vec::new();
    if let Some((target, sign)) = options.only {
        paths.push((target, sign));
    } else {
        let buses: Vec<usize> = (0..start.data.demand.len())
            .filter(|&bus| model.bus_is_active(bus))
            .collect();
        let lines: Vec<usize> = (0..start.data.rating.len())
            .filter(|&branch| model.branch_is_active(branch) && model.flow_is_unique(branch))
            .collect();
        let binding: Vec<usize> = lines.iter().copied().filter(|&b| start.shadow[b] != 0.0).collect();
        for k in 0..options.targets {
            let mut targets = vec![Target::Demand(buses[random.below(buses.len())])];
            // Every second line binds already.
            let among = if k % 2 == 0 && !binding.is_empty() {
                &binding
            } else {
                &lines
            };
            targets.push(Target::Rating(among[random.below(among.len())]));
            paths.extend(targets.into_iter().flat_map(|t| [(t, 1.0), (t, -1.0)]));
        }
    }
    for (target, sign) in paths {
        let mut length = options.reach_mw / base;
        if sign < 0.0 {
            // Down to zero, and for a bus that injects a little further.
            length = match target {
                Target::Demand(bus) if start.data.demand[bus] > 0.0 => start.data.demand[bus],
                Target::Demand(_) | Target::PhaseShift(_) | Target::Interface(..) => continue,
                Target::Rating(branch) => start.data.rating[branch].min(length),
            };
        }
        let direction = Direction::from(target).times(sign);
        let clock = Instant::now();
        let path = parametric_path(&DualActiveSet, model, start, &direction, length, options.most);
        let ms = clock.elapsed().as_secs_f64() * 1e3;
        let (end, wrong) = judge(model, start, &direction, &path);
        *counts.entry(end).or_default() += 1;
        let what = match target {
            Target::Demand(bus) => format!("bus:{bus}"),
            Target::Rating(branch) => format!("branch:{branch}"),
            Target::PhaseShift(branch) => format!("shift:{branch}"),
            Target::Interface(i, _) => format!("interface:{i}"),
        };
        let sign = if sign > 0.0 { '+' } else { '-' };
        let at = path.regions.last().map_or(0.0, |r| r.to);
        let breakpoints = path.breakpoints.len();
        println!("{name} {what}:{sign} {end} at {at:.6} pu, {breakpoints} breakpoints, {ms:.0} ms");
        for w in wrong {
            *counts.entry("wrong").or_default() += 1;
            println!("  WRONG: {w}");
        }
    }
}

fn main() {
    let Some(options) = options() else {
        eprintln!("usage: tracks [--targets N] [--seed S] [--reach MW] [--most N] [--only KIND:ROW:SIGN] <file ...>");
        std::process::exit(2);
    };
    let mut counts = BTreeMap::new();
    for file in &options.files {
        let name = file.rsplit('/').next().unwrap_or(file);
        let network = match std::fs::read(file) {
            Err(e) => Err(e.to_string()),
            Ok(bytes) if file.ends_with(".json") => {
                network_from_module(&String::from_utf8_lossy(&bytes)).map_err(|e| e.to_string())
            }
            Ok(bytes) => ingest_case(&bytes, "matpower")
                .map(|i| i.network)
                .map_err(|e| e.to_string()),
        };
        let start = network.and_then(|network| {
            let model = DcModel::new(&network, Convention::Service).map_err(|e| e.to_string())?;
            let start = DualActiveSet
                .optimum(&model, &DcData::base(&network), None)
                .map_err(|e| e.to_string())?;
            Ok((model, start))
        });
        match start {
            Ok((model, start)) => run(name, &model, &start, &options, &mut counts),
            Err(e) => {
                *counts.entry("no base optimum").or_default() += 1;
                println!("{name}: {e}");
            }
        }
    }
    println!("{counts:?}");
}
