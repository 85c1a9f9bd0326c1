//! The allocations of a case, counted by its thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static LIVE: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
    static TOTAL: Cell<i64> = const { Cell::new(0) };
}

/// The system's allocator with three counters per thread: the `#[global_allocator]` of the test binary.
pub struct Counting;

/// Bytes that the current thread allocated since [`start`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Most bytes held at once.
    pub peak: usize,
    /// Sum of all allocations: a measure of work that does not depend on the machine's load.
    pub total: usize,
}

/// Sets the counters of the current thread to zero.
pub fn start() {
    LIVE.set(0);
    PEAK.set(0);
    TOTAL.set(0);
}

/// Reads the counters of the current thread.
pub fn usage() -> Usage {
    Usage {
        peak: PEAK.get().max(0) as usize,
        total: TOTAL.get().max(0) as usize,
    }
}

/// Bytes that the current thread holds now and did not hold at [`start`]; negative if it has freed older ones.
pub fn held() -> i64 {
    LIVE.get()
}

fn count(change: i64) {
    let live = LIVE.get() + change;
    LIVE.set(live);
    PEAK.set(PEAK.get().max(live));
    TOTAL.set(TOTAL.get() + change.max(0));
}

// SAFETY: every call goes to the system's allocator unchanged; the counters are plain cells without destructors.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        System.alloc(layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        System.alloc_zeroed(layout)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        System.dealloc(pointer, layout)
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        System.realloc(pointer, layout, size)
    }
}
