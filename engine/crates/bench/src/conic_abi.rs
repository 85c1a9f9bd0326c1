//! The session of the relaxation for another host, as `abi` has that of the DC formulations.

use crate::conic::{ConicCall, ConicSession};
use serde_json::json;
use std::cell::RefCell;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

thread_local! {
    static STATE: RefCell<(Option<ConicSession>, String)> = const { RefCell::new((None, String::new())) };
}

/// Runs `work` on the session; a refusal becomes the text.
fn with(work: impl FnOnce(&mut ConicSession) -> Result<bool>) -> u32 {
    STATE.with_borrow_mut(|(session, text)| {
        let outcome = match session {
            Some(session) => work(session),
            None => Err(EngineError::new(
                "INTERNAL",
                message!("engine.failed", cause = "no case is open"),
            )),
        };
        u32::from(outcome.unwrap_or_else(|error| {
            *text = json!({ "status": error.code, "message": error.message() }).to_string();
            false
        }))
    })
}

/// Reads a module.
///
/// # Safety
/// `text` comes from `bench_alloc(len)`, is given away by this call and is filled with UTF-8.
#[no_mangle]
pub unsafe extern "C" fn bench_conic_open(text: *mut u8, len: usize) -> u32 {
    let bytes = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(text, len)) };
    let opened = std::str::from_utf8(&bytes)
        .map_err(|e| EngineError::new("INTERNAL", message!("engine.failed", cause = e.to_string())))
        .and_then(ConicSession::open);
    STATE.with_borrow_mut(|(session, text)| match opened {
        Ok(found) => {
            *session = Some(found);
            1
        }
        Err(error) => {
            *text = json!({ "status": error.code, "message": error.message() }).to_string();
            0
        }
    })
}

/// Makes the call `ConicCall::new(what, k)`, which is what a host times.
#[no_mangle]
pub extern "C" fn bench_conic_call(what: usize, k: usize) -> u32 {
    with(|session| match ConicCall::new(what, k) {
        Some(call) => session.call(call).map(|()| true),
        None => Err(EngineError::new(
            "INTERNAL",
            message!("engine.failed", cause = "no such call"),
        )),
    })
}

/// Keeps the last optimum as the base of the steps.
#[no_mangle]
pub extern "C" fn bench_conic_keep() -> u32 {
    with(|session| Ok(session.keep()))
}

/// Writes down the last answer as JSON and gives the length of the text.
#[no_mangle]
pub extern "C" fn bench_conic_text() -> usize {
    STATE.with_borrow_mut(|(session, text)| {
        if let Some(session) = session {
            *text = session.answer().to_string();
        }
        text.len()
    })
}

/// Where the text of `bench_conic_text` is.
#[no_mangle]
pub extern "C" fn bench_conic_text_at() -> *const u8 {
    STATE.with_borrow(|(_, text)| text.as_ptr())
}
