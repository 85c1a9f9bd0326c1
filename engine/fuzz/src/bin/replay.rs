//! Runs one input again: a saved file, or a case of the fixed run by its number.
//!
//!     cargo run --release -p wattbook-fuzz --bin replay -- <target> <file | number>

use std::process::ExitCode;
use wattbook_fuzz::plan::Plan;
use wattbook_fuzz::{memory, target, TARGETS};

#[global_allocator]
static COUNTING: memory::Counting = memory::Counting;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, input] = &arguments[..] else {
        let names: Vec<&str> = TARGETS.iter().map(|t| t.name).collect();
        eprintln!("replay <target> <file | number>; the targets are: {}", names.join(", "));
        return ExitCode::FAILURE;
    };
    let Some(target) = target(name) else {
        eprintln!("There is no target `{name}`.");
        return ExitCode::FAILURE;
    };
    let bytes = match input.parse::<usize>() {
        Ok(number) => {
            let (what, bytes) = Plan::new(target, true).input(number);
            println!("case {number}: {what}");
            bytes
        }
        Err(_) => match std::fs::read(input) {
            Ok(bytes) => bytes,
            Err(e) => {
                eprintln!("{input}: {e}");
                return ExitCode::FAILURE;
            }
        },
    };
    let since = std::time::Instant::now();
    memory::start();
    (target.run)(&bytes);
    let used = memory::usage();
    println!(
        "{} bytes: passed in {:.3} s, {used:?}",
        bytes.len(),
        since.elapsed().as_secs_f64()
    );
    ExitCode::SUCCESS
}
