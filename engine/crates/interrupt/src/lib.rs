//! Interruption of long work.
//!
//! Loops count their work ([`work`]). After each portion, the caller that made the work interruptible is consulted and
//! can end it: the call then unwinds to [`interruptible`] from wherever it is. Values that it owns are dropped; changes
//! in place must therefore happen at its end. Work outside [`interruptible`] is only counted, as is all work in
//! WebAssembly, where the worker is terminated instead. Results do not depend on interruptions.
//!
//! The unwinding is that of a panic without a message, as in salsa (`Cancelled::throw`).

use std::cell::{Cell, RefCell};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::rc::Rc;

/// Work between consultations of the caller, in multiplications with their reads and writes: a few milliseconds.
pub const PORTION: usize = 1 << 21;

/// The work was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// A caller: whether it wants the work to end, and the remaining work until it is consulted.
#[derive(Clone)]
struct Caller {
    stop: Rc<dyn Fn() -> bool>,
    portion: usize,
}

thread_local! {
    static LEFT: Cell<usize> = const { Cell::new(PORTION) };
    /// The callers of the work of this thread, the innermost last.
    static CALLERS: RefCell<Vec<Caller>> = const { RefCell::new(Vec::new()) };
}

/// Removes the caller however the work ends.
struct Called;

impl Drop for Called {
    fn drop(&mut self) {
        CALLERS.with(|callers| callers.borrow_mut().pop());
    }
}

/// Runs `task`, which ends once `stop` returns true; `stop` is called on this thread after each portion of work.
///
/// # Errors
/// `Interrupted`. Panics of the task propagate.
pub fn interruptible<T>(stop: impl Fn() -> bool + 'static, task: impl FnOnce() -> T) -> Result<T, Interrupted> {
    interruptible_after(PORTION, stop, task)
}

/// [`interruptible`] with another size of portions, for tests.
///
/// # Errors
/// As [`interruptible`].
pub fn interruptible_after<T>(
    portion: usize,
    stop: impl Fn() -> bool + 'static,
    task: impl FnOnce() -> T,
) -> Result<T, Interrupted> {
    let stop: Rc<dyn Fn() -> bool> = Rc::new(stop);
    CALLERS.with(|callers| callers.borrow_mut().push(Caller { stop, portion }));
    LEFT.with(|left| left.set(portion));
    let called = Called;
    let outcome = catch_unwind(AssertUnwindSafe(task));
    drop(called);
    outcome.map_err(|payload| match payload.downcast::<Interrupted>() {
        Ok(interrupted) => *interrupted,
        Err(panic) => resume_unwind(panic),
    })
}

/// Counts work that is about to be done or was just done; ends the task here if its caller wants that.
#[inline]
pub fn work(amount: usize) {
    LEFT.with(|left| match left.get().checked_sub(amount) {
        Some(rest) => left.set(rest),
        None => {
            let portion = caller().map_or(PORTION, |caller| caller.portion);
            left.set(portion);
            check();
        }
    });
}

/// Ends the task here if its caller wants that.
#[cold]
pub fn check() {
    if is_wanted() {
        interrupt();
    }
}

/// Whether the caller wants the task to end; for work that waits for other threads.
pub fn is_wanted() -> bool {
    caller().is_some_and(|caller| (caller.stop)())
}

fn caller() -> Option<Caller> {
    CALLERS.with(|callers| callers.borrow().last().cloned())
}

/// Ends the task, which must have a caller.
pub fn interrupt() {
    resume_unwind(Box::new(Interrupted));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work may be interrupted at each portion, without lasting effects.
    #[test]
    fn each_portion_of_work_can_be_the_last() {
        for last in 1..5 {
            let portions = Rc::new(Cell::new(0));
            let heard = Rc::clone(&portions);
            let stop = move || {
                heard.set(heard.get() + 1);
                heard.get() == last
            };
            let done = Cell::new(0);
            let outcome = interruptible(stop, || {
                for _ in 0..100 {
                    work(PORTION / 2 + 1);
                    done.set(done.get() + 1);
                }
            });
            assert_eq!(outcome, Err(Interrupted));
            assert_eq!((portions.get(), done.get()), (last, 2 * last - 1));
        }
        assert_eq!(interruptible(|| false, || work(10 * PORTION)), Ok(()));
        assert!(!is_wanted());
        work(10 * PORTION);
    }

    #[test]
    fn the_innermost_caller_is_heard_and_panics_go_on() {
        let inner = interruptible(|| false, || interruptible(|| true, check));
        assert_eq!(inner, Ok(Err(Interrupted)));
        let panic = catch_unwind(|| interruptible(|| false, || std::panic::panic_any(7))).unwrap_err();
        assert_eq!(panic.downcast_ref::<i32>(), Some(&7));
        assert!(!is_wanted());
    }
}
