//! Gives targets as many mutated seeds as asked for: the same ones in every run and on every machine.
//!
//!     cargo run --release -p wattbook-fuzz --bin cases -- <cases> [target ...]

use std::process::ExitCode;
use wattbook_fuzz::plan::Plan;
use wattbook_fuzz::{memory, run, target, Target, TARGETS};

#[global_allocator]
static COUNTING: memory::Counting = memory::Counting;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(cases) = arguments.next().and_then(|number| number.parse::<usize>().ok()) else {
        eprintln!("cases <cases> [target ...]");
        return ExitCode::FAILURE;
    };
    let named: Vec<String> = arguments.collect();
    if let Some(unknown) = named.iter().find(|name| target(name).is_none()) {
        eprintln!("There is no target `{unknown}`.");
        return ExitCode::FAILURE;
    }
    let chosen = |one: &&Target| named.is_empty() || named.iter().any(|name| name == one.name);
    let mut code = ExitCode::SUCCESS;
    for target in TARGETS.iter().filter(chosen) {
        if let Err(report) = run::planned(&Plan::with_cases(target, cases)) {
            eprintln!("{report}");
            code = ExitCode::FAILURE;
        }
    }
    code
}
