//! Sessions of calls (`Calls`) for another host, like the DC session in `dcopf`: one session per instance and thread.

use crate::sessions::acpf::FlowSession;
use crate::sessions::calls::{missing, Calls};
use crate::sessions::socwr::ConicSession;
use serde_json::json;
use std::cell::RefCell;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

type Session = Box<dyn Calls>;

thread_local! {
    static STATE: RefCell<(Option<Session>, String)> = const { RefCell::new((None, String::new())) };
}

/// Runs `work` on the session; a refusal becomes the text.
fn with(work: impl FnOnce(&mut dyn Calls) -> Result<bool>) -> u32 {
    STATE.with_borrow_mut(|(session, text)| {
        let outcome = match session {
            Some(session) => work(session.as_mut()),
            None => Err(missing("case")),
        };
        u32::from(outcome.unwrap_or_else(|error| {
            *text = formatted(&error);
            false
        }))
    })
}

fn formatted(error: &EngineError) -> String {
    json!({ "status": error.code, "message": error.message() }).to_string()
}

fn open(text: &str, formulation: u32) -> Result<Session> {
    Ok(match formulation {
        0 => Box::new(ConicSession::open(text)?),
        _ => Box::new(FlowSession::open(text)?),
    })
}

/// Reads a module for the relaxation (0) or the AC power flow (1).
///
/// # Safety
/// `text` comes from `bench_alloc(len)`, is given away by this call and is filled with UTF-8.
#[no_mangle]
pub unsafe extern "C" fn bench_calls_open(text: *mut u8, len: usize, formulation: u32) -> u32 {
    let bytes = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(text, len)) };
    let opened = std::str::from_utf8(&bytes)
        .map_err(|e| EngineError::new("INTERNAL", message!("engine.failed", cause = e.to_string())))
        .and_then(|text| open(text, formulation));
    STATE.with_borrow_mut(|(session, text)| match opened {
        Ok(found) => {
            *session = Some(found);
            1
        }
        Err(error) => {
            *text = formatted(&error);
            0
        }
    })
}

/// Makes the call that a host times.
#[no_mangle]
pub extern "C" fn bench_calls_make(what: usize, k: usize) -> u32 {
    with(|session| session.call(what, k).map(|()| true))
}

/// Stores the result of the last call as the base of later calls.
#[no_mangle]
pub extern "C" fn bench_calls_keep() -> u32 {
    with(|session| Ok(session.keep()))
}

/// Formats the last answer as JSON and returns the length of the text.
#[no_mangle]
pub extern "C" fn bench_calls_text() -> usize {
    STATE.with_borrow_mut(|(session, text)| {
        if let Some(session) = session {
            *text = session.answer().to_string();
        }
        text.len()
    })
}

/// The address of the text of `bench_calls_text`.
#[no_mangle]
pub extern "C" fn bench_calls_text_at() -> *const u8 {
    STATE.with_borrow(|(_, text)| text.as_ptr())
}
