//! The least time of several runs, since disturbances only lengthen a run.

use std::time::Instant;

/// Milliseconds after which runs are not repeated.
const ENOUGH: f64 = 500.0;

/// Runs `work` up to `repeats` times, less often if it takes long but at least once; returns the last result and the
/// least milliseconds.
pub(crate) fn least<T>(repeats: usize, work: impl FnMut() -> T) -> (T, f64) {
    let start = Instant::now();
    least_by(repeats, unprepared(work), || start.elapsed().as_secs_f64() * 1e3)
}

/// `least` in processor time of this thread, if the system measures it.
pub(crate) fn least_on_processor<T>(repeats: usize, work: impl FnMut() -> T) -> (T, f64) {
    least_prepared(repeats, unprepared(work))
}

/// `least` for work on an input that is prepared for each run outside the measured time.
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
    // SAFETY: the call writes into the given structure.
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

/// The largest memory of the process so far, if the system measures it.
pub(crate) fn peak_mb() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}
