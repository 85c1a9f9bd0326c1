//! The session for another host, WebAssembly or a process that loads the library, with numbers as inputs and outputs:
//! one session per instance and thread. Every call returns 1 on success; `bench_text`, which no host times, returns its
//! answer.

use crate::sessions::bits::Bits;
use crate::sessions::dcopf::{Derivative, Session, Target};
use std::cell::RefCell;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::dc::{DcSolution, SensitivityColumn};

enum Last {
    Nothing,
    Solve(Box<Result<DcSolution>>),
    Column(Box<SensitivityColumn>),
    Derivative(Derivative),
}

struct State {
    session: Option<Session>,
    last: Last,
    text: String,
}

thread_local! {
    static STATE: RefCell<State> = const {
        RefCell::new(State { session: None, last: Last::Nothing, text: String::new() })
    };
}

/// Runs `work` on the session; a refusal becomes the last answer.
fn with(work: impl FnOnce(&mut Session) -> Result<Last>) -> u32 {
    STATE.with_borrow_mut(|state| {
        let outcome = match &mut state.session {
            Some(session) => work(session),
            None => Err(EngineError::new(
                "INTERNAL",
                message!("engine.failed", cause = "no case is open"),
            )),
        };
        state.last = outcome.unwrap_or_else(|error| Last::Solve(Box::new(Err(error))));
        u32::from(!matches!(&state.last, Last::Solve(outcome) if outcome.is_err()))
    })
}

/// Memory for the text of `bench_open`.
#[no_mangle]
pub extern "C" fn bench_alloc(len: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; len].into_boxed_slice()).cast()
}

/// Reads a module.
///
/// # Safety
/// `text` comes from `bench_alloc(len)`, is given away by this call and is filled with UTF-8.
#[no_mangle]
pub unsafe extern "C" fn bench_open(text: *mut u8, len: usize, convention: u32) -> u32 {
    let bytes = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(text, len)) };
    let name = ["service", "powermodels", "matpower"].get(convention as usize);
    let opened = std::str::from_utf8(&bytes)
        .map_err(|e| EngineError::new("INTERNAL", message!("engine.failed", cause = e.to_string())))
        .and_then(|text| Session::open(text, name.unwrap_or(&"")));
    STATE.with_borrow_mut(|state| match opened {
        Ok(session) => {
            state.session = Some(session);
            1
        }
        Err(error) => {
            state.last = Last::Solve(Box::new(Err(error)));
            0
        }
    })
}

#[no_mangle]
pub extern "C" fn bench_build() -> u32 {
    with(|session| session.build().map(|()| Last::Nothing))
}

#[no_mangle]
pub extern "C" fn bench_solve() -> u32 {
    with(|session| Ok(Last::Solve(Box::new(session.solve()))))
}

/// Stores the optimum of the last solve.
#[no_mangle]
pub extern "C" fn bench_prepare(buses: usize, per_bus: usize, columns: usize) -> u32 {
    with(|session| {
        let optimum = session.solve()?;
        session.prepare(optimum, buses, per_bus, columns)?;
        Ok(Last::Nothing)
    })
}

/// Number of steps.
#[no_mangle]
pub extern "C" fn bench_steps() -> usize {
    STATE.with_borrow(|state| state.session.as_ref().map_or(0, |session| session.steps().len()))
}

/// The original id of the bus that step `k` changes; 0 without such a step.
#[no_mangle]
pub extern "C" fn bench_step_bus(k: usize) -> u64 {
    STATE.with_borrow(|state| {
        let session = state.session.as_ref();
        session.and_then(|session| session.moved(k)).map_or(0, |(bus, _)| bus)
    })
}

/// The change of step `k` in MW; NaN without such a step.
#[no_mangle]
pub extern "C" fn bench_step_mw(k: usize) -> f64 {
    STATE.with_borrow(|state| {
        let session = state.session.as_ref();
        session
            .and_then(|session| session.moved(k))
            .map_or(f64::NAN, |(_, mw)| mw)
    })
}

#[no_mangle]
pub extern "C" fn bench_step(k: usize) -> u32 {
    with(|session| Ok(Last::Solve(Box::new(session.step(k)))))
}

/// Solves at other demands, in MW by dense bus row.
///
/// # Safety
/// `demand_mw` points to `len` numbers, which stay the caller's.
#[no_mangle]
pub unsafe extern "C" fn bench_at_demand(demand_mw: *const f64, len: usize) -> u32 {
    let demand = unsafe { std::slice::from_raw_parts(demand_mw, len) };
    with(|session| Ok(Last::Solve(Box::new(session.at_demand(demand)))))
}

#[no_mangle]
pub extern "C" fn bench_preview(k: usize) -> u32 {
    with(|session| session.preview(k).map(|column| Last::Column(Box::new(column))))
}

/// The `k`-th column of the kind `Target::ALL[what]`.
#[no_mangle]
pub extern "C" fn bench_column(what: usize, k: usize) -> u32 {
    with(|session| session.column(Target::ALL[what].0, k).map(Last::Derivative))
}

/// Formats the last answer as JSON and returns the length of the text.
#[no_mangle]
pub extern "C" fn bench_text() -> usize {
    STATE.with_borrow_mut(|state| {
        let only = |bits: Bits| serde_json::json!({ "bits": bits.hex() });
        let json = match &state.last {
            Last::Nothing => serde_json::json!({}),
            Last::Solve(outcome) => Session::answer(outcome).json(),
            Last::Column(column) => only(Bits::of_column(column)),
            Last::Derivative(derivative) => only(derivative.bits()),
        };
        state.text = json.to_string();
        state.text.len()
    })
}

/// The address of the text of `bench_text`.
#[no_mangle]
pub extern "C" fn bench_text_at() -> *const u8 {
    STATE.with_borrow(|state| state.text.as_ptr())
}
