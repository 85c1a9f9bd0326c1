//! The native side of `npm run bench` (tests/bench/run.mjs): does the work of one benchmark on the files it is given and
//! writes one JSON object a line. The engine has no clock, so it is timed from here.

mod layout;
mod parse;
mod timing;

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "usage: wattbook-bench parse REPEATS FILE...
       wattbook-bench layout REPEATS FOLDER FILE...";

/// What a benchmark has to say, or the sentence that ends it.
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
    match (what.as_str(), rest) {
        ("parse", files) => files.iter().try_for_each(|f| parse::file(&PathBuf::from(f), repeats)),
        ("layout", [folder, files @ ..]) => files
            .iter()
            .try_for_each(|f| layout::file(&PathBuf::from(f), &PathBuf::from(folder), repeats)),
        _ => Err(USAGE.into()),
    }
}
