//! Least time of several repeats: what disturbs a run only ever makes it longer.

use std::time::Instant;

/// Milliseconds after which nothing is repeated any more.
const ENOUGH: f64 = 500.0;

/// Runs `work` `repeats` times, less often where it takes long, at least once; the last result and the least milliseconds.
pub(crate) fn least<T>(repeats: usize, mut work: impl FnMut() -> T) -> (T, f64) {
    let mut once = || {
        let start = Instant::now();
        let result = work();
        (result, start.elapsed().as_secs_f64() * 1e3)
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
