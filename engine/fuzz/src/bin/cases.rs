//! Runs targets on a requested number of mutated seeds, which are the same in every run and on every machine.
//!
//!     cargo run --release -p wattbook-fuzz --bin cases -- <cases> [target ...]
//!     cargo run --release -p wattbook-fuzz --bin cases -- <from>..<cases> [target ...]
//!
//! The second form continues after `from` mutated seeds, so that hours of cases can be run in parts.

use std::process::ExitCode;
use wattbook_fuzz::plan::Plan;
use wattbook_fuzz::{memory, run, target, Target, TARGETS};

#[global_allocator]
static COUNTING: memory::Counting = memory::Counting;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some((from, cases)) = arguments.next().and_then(|numbers| part(&numbers)) else {
        eprintln!("cases [<from>..]<cases> [target ...]");
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
        let plan = Plan::with_cases(target, cases);
        let first = if from == 0 { 0 } else { plan.first_mutated() + from };
        if let Err(report) = run::planned(&plan, first) {
            eprintln!("{report}");
            code = ExitCode::FAILURE;
        }
    }
    code
}

/// The range of mutated seeds: those after the first number, up to the second.
fn part(numbers: &str) -> Option<(usize, usize)> {
    let (from, to) = numbers.split_once("..").unwrap_or(("0", numbers));
    Some((from.parse().ok()?, to.parse().ok()?))
}
