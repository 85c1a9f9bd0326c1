//! Least time of several repeats: what disturbs a run only ever makes it longer.

use std::time::Instant;

/// Milliseconds after which nothing is repeated any more.
const ENOUGH: f64 = 500.0;

/// Runs `work` `repeats` times, less often where it takes long, at least once; the last result and the least milliseconds.
pub(crate) fn least<T>(repeats: usize, work: impl FnMut() -> T) -> (T, f64) {
    let start = Instant::now();
    least_by(repeats, unprepared(work), || start.elapsed().as_secs_f64() * 1e3)
}

/// The same in time of this thread on a processor, where the system counts that.
pub(crate) fn least_on_processor<T>(repeats: usize, work: impl FnMut() -> T) -> (T, f64) {
    least_prepared(repeats, unprepared(work))
}

/// The same of work on what is made anew for each run, which is not counted.
pub(crate) fn least_prepared<I, T>(repeats: usize, run: (impl FnMut() -> I, impl FnMut(I) -> T)) -> (T, f64) {
    let start = Instant::now();
    least_by(repeats, run, || {
        processor_ms().unwrap_or_else(|| start.elapsed().as_secs_f64() * 1e3)
    })
}

fn unprepared<T>(mut work: impl FnMut() -> T) -> (impl FnMut(), impl FnMut(()) -> T) {
    (|| (), move |()| work())
}

#[cfg(unix)]
fn processor_ms() -> Option<f64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes into the structure that it is given.
    let is_known = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) } == 0;
    is_known.then(|| time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6)
}

#[cfg(not(unix))]
fn processor_ms() -> Option<f64> {
    None
}

fn least_by<I, T>(
    repeats: usize,
    (mut prepare, mut work): (impl FnMut() -> I, impl FnMut(I) -> T),
    clock: impl Fn() -> f64,
) -> (T, f64) {
    let mut once = || {
        let input = prepare();
        let start = clock();
        let result = work(input);
        (result, clock() - start)
    };
    let (mut result, mut least) = once();
    let mut spent = least;
    for _ in 1..repeats {
        if spent > ENOUGH {
            break;
        }
        let (next, ms) = once();
        result = next;
        least = least.min(ms);
        spent += ms;
    }
    (result, least)
}

/// The largest memory that the process had so far, where the system tells.
pub(crate) fn peak_mb() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}
