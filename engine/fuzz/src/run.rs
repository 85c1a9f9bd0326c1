//! The run of one target: every input of its plan, each in a thread of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

use crate::memory::{self, Usage};
use crate::plan::Plan;
use crate::Target;

/// Stack of a case, bytes, equal to that of the engine in a page or worker (wasm32's default).
const STACK: usize = 1 << 20;
/// Seconds after which a case counts as hanging; generous, because tests share the machine. Work is bounded by
/// [`ALLOCATED`]. The wait is in steps of a second, so that a process that is suspended meanwhile loses one step and no
/// case.
const PATIENCE: u32 = 20;
/// Most bytes that a case may hold at once: a constant, and a number per byte of its input (the parser stores a record
/// of about 2 KB for every unknown line of a script).
const HELD: (usize, usize) = (24 << 20, 1_200);
/// Most bytes that a case may allocate in total, likewise; quadratic growth exceeds it.
const ALLOCATED: (usize, usize) = (384 << 20, 5_000);
/// Number of findings that are printed in full.
const SHOWN: usize = 8;

/// The outcome of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    pub cases: usize,
    pub most_held: usize,
    pub slowest: Duration,
    /// Number of the slowest case.
    pub slowest_case: usize,
    /// Findings by kind: their number, the first case, its message.
    findings: BTreeMap<String, Finding>,
}

/// The findings of one kind.
#[derive(Debug)]
struct Finding {
    count: usize,
    /// The first of them, and its message.
    number: usize,
    message: String,
    /// Its input; absent if the folder is not writable.
    saved: Option<PathBuf>,
}

/// Runs the fixed plan of a target.
///
/// # Panics
/// With every kind of finding, the file of its input and the command that repeats it.
pub fn fixed(target: &'static Target) {
    if let Err(report) = planned(&Plan::new(target, true), 0) {
        panic!("{report}");
    }
}

/// Runs the cases of the plan from number `first` and prints one line; the error lists every kind of finding.
pub fn planned(plan: &Plan, first: usize) -> Result<(), String> {
    silence();
    let target = plan.target();
    let since = Instant::now();
    let mut outcome = Outcome::default();
    for number in first..plan.len() {
        let (what, bytes) = plan.input(number);
        if let Err(message) = one(target, &bytes, number, &mut outcome) {
            outcome.keep(target, number, &what, &bytes, message);
        }
        outcome.cases += 1;
    }
    println!(
        "fuzz {}: {} cases in {:.0} s, at most {} KiB held, the slowest (case {}) {:.2} s, {} findings",
        target.name,
        outcome.cases,
        since.elapsed().as_secs_f64(),
        outcome.most_held >> 10,
        outcome.slowest_case,
        outcome.slowest.as_secs_f64(),
        outcome.findings.len()
    );
    match outcome.findings.is_empty() {
        true => Ok(()),
        false => Err(outcome.report(target)),
    }
}

/// Runs one case in its own thread, which isolates panics, stack overflows and memory.
fn one(target: &'static Target, bytes: &[u8], number: usize, outcome: &mut Outcome) -> Result<(), String> {
    let (send, receive) = mpsc::channel::<Usage>();
    let (run, input) = (target.run, bytes.to_vec());
    let since = Instant::now();
    // The runtime prints the name before it aborts the process on a stack overflow.
    let case = std::thread::Builder::new()
        .name(format!("{THREAD}{} {number}", target.name))
        .stack_size(STACK)
        .spawn(move || {
            memory::start();
            run(&input);
            // The receiver is gone only if the case took too long, which is already a finding.
            let _ = send.send(memory::usage());
        })
        .map_err(|e| e.to_string())?;
    let wait = || receive.recv_timeout(Duration::from_secs(1));
    let late = Err(RecvTimeoutError::Timeout);
    let answer = (0..PATIENCE).map(|_| wait()).find(|answer| *answer != late);
    let used = match answer.unwrap_or(late) {
        Ok(used) => used,
        Err(RecvTimeoutError::Timeout) => return Err(format!("not done after {PATIENCE} s")),
        Err(RecvTimeoutError::Disconnected) => {
            let ended = case.join();
            let panic_message = || last_panic(&format!("{THREAD}{} {number}", target.name));
            return Err(ended.map_or_else(|_| panic_message(), |()| "ended without an answer".into()));
        }
    };
    let took = since.elapsed();
    if took > outcome.slowest {
        (outcome.slowest, outcome.slowest_case) = (took, number);
    }
    outcome.most_held = outcome.most_held.max(used.peak);
    let within = |(constant, factor): (usize, usize), value: usize| value <= constant + factor * bytes.len();
    if !within(HELD, used.peak) || !within(ALLOCATED, used.total) {
        return Err(format!("memory: {} bytes of input, {used:?}", bytes.len()));
    }
    Ok(())
}

impl Outcome {
    fn keep(&mut self, target: &Target, number: usize, what: &str, bytes: &[u8], message: String) {
        // Findings whose messages differ only in numbers are of one kind.
        let kind: String = message.chars().filter(|c| !c.is_ascii_digit()).take(120).collect();
        let finding = self.findings.entry(kind).or_insert_with(|| Finding {
            count: 0,
            number,
            message: format!("{message}\n  input: {what}"),
            saved: save(target, number, bytes).ok(),
        });
        finding.count += 1;
    }

    fn report(&self, target: &Target) -> String {
        let mut out = format!("{}: {} kinds of findings\n", target.name, self.findings.len());
        for finding in self.findings.values().take(SHOWN) {
            let short: String = finding.message.chars().take(1500).collect();
            out.push_str(&format!(
                "- {} times, first in case {}: {short}\n",
                finding.count, finding.number
            ));
            if let Some(path) = &finding.saved {
                out.push_str(&format!(
                    "  again: cargo run --release -p wattbook-fuzz --bin replay -- {} {}\n",
                    target.name,
                    path.display()
                ));
            }
        }
        out
    }
}

/// Writes the input of a finding below `target/`, which is not part of the repository.
fn save(target: &Target, number: usize, bytes: &[u8]) -> std::io::Result<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../target/fuzz-findings")
        .join(target.name);
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{number}.bin"));
    std::fs::write(&path, bytes)?;
    Ok(path)
}

/// Prefix of the names of case threads.
const THREAD: &str = "case of ";
static LAST_PANIC: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());

/// Stores the panic messages of case threads instead of printing them; other panics are printed as usual.
fn silence() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let thread = std::thread::current();
            match thread.name().filter(|name| name.starts_with(THREAD)) {
                Some(name) => {
                    let mut panics = LAST_PANIC.lock().unwrap_or_else(|e| e.into_inner());
                    panics.insert(name.to_string(), info.to_string());
                }
                None => usual(info),
            }
        }));
    });
}

fn last_panic(thread: &str) -> String {
    let mut panics = LAST_PANIC.lock().unwrap_or_else(|e| e.into_inner());
    panics
        .remove(thread)
        .unwrap_or_else(|| "a panic without a message".into())
}
