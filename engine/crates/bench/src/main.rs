//! The native side of `npm run bench` (tests/bench/run.mjs): runs one benchmark on the given files and writes one JSON
//! object per line. The engine has no clock, so it is timed from here.

mod commands;

use commands::{acpf, dcopf, explain, layout, mc, network, outages, parse, secure, socwr};
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: wattbook-bench parse REPEATS FILE...
       wattbook-bench layout REPEATS FOLDER FILE...
       wattbook-bench dcopf REPEATS CONVENTION FOLDER FILE...
       wattbook-bench drag REPEATS BUSES STEPS FOLDER FILE...
       wattbook-bench sens REPEATS COLUMNS FOLDER FILE...
       wattbook-bench socwr REPEATS FOLDER FILE...
       wattbook-bench socwr-rows REPEATS FILE...
       wattbook-bench acpf REPEATS FOLDER FILE...
       wattbook-bench mc REPEATS FOLDER SCRIPT...
       wattbook-bench network REPEATS EDITS FILE...
       wattbook-bench secure REPEATS STEPS FOLDER FILE...
       wattbook-bench outages REPEATS FOLDER FILE...
       wattbook-bench explain REPEATS SHARE FOLDER MODULE...";

/// The result of a benchmark, or the message that ends it.
pub(crate) type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("wattbook-bench: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Outcome {
    let [what, repeats, rest @ ..] = arguments else {
        return Err(USAGE.into());
    };
    let repeats: usize = repeats.parse().map_err(|_| USAGE.to_string())?;
    let number = |text: &String| text.parse::<usize>().map_err(|_| USAGE.to_string());
    let each = |files: &[String], work: &dyn Fn(&Path) -> Outcome| files.iter().try_for_each(|f| work(Path::new(f)));
    match (what.as_str(), rest) {
        ("parse", files) => each(files, &|f| parse::file(f, repeats)),
        ("layout", [folder, files @ ..]) => each(files, &|f| layout::file(f, Path::new(folder), repeats)),
        ("dcopf", [convention, folder, files @ ..]) => {
            each(files, &|f| dcopf::dcopf(f, convention, Path::new(folder), repeats))
        }
        ("drag", [buses, steps, folder, files @ ..]) => {
            let (buses, steps) = (number(buses)?, number(steps)?);
            each(files, &|f| dcopf::drag(f, Path::new(folder), buses, steps, repeats))
        }
        ("sens", [columns, folder, files @ ..]) => {
            let columns = number(columns)?;
            each(files, &|f| dcopf::sens(f, Path::new(folder), columns, repeats))
        }
        ("socwr", [folder, files @ ..]) => each(files, &|f| socwr::file(f, Path::new(folder), repeats)),
        ("acpf", [folder, files @ ..]) => each(files, &|f| acpf::file(f, Path::new(folder), repeats)),
        ("mc", [folder, files @ ..]) => each(files, &|f| mc::file(f, Path::new(folder), repeats)),
        ("network", [edits, files @ ..]) => {
            let edits = number(edits)?;
            each(files, &|f| network::file(f, edits, repeats))
        }
        ("secure", [steps, folder, files @ ..]) => {
            let steps = number(steps)?;
            each(files, &|f| secure::file(f, steps, Path::new(folder), repeats))
        }
        ("outages", [folder, files @ ..]) => each(files, &|f| outages::file(f, Path::new(folder), repeats)),
        ("socwr-rows", files) => each(files, &|f| socwr::row(f, repeats)),
        ("explain", [share, folder, files @ ..]) => {
            let share = share.parse().map_err(|_| USAGE.to_string())?;
            each(files, &|f| explain::file(f, share, Path::new(folder), repeats))
        }
        _ => Err(USAGE.into()),
    }
}
