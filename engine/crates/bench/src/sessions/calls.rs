//! What a host times of a session: calls by number, and what they found.

use serde_json::Value;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// A case of one formulation with the calls that are timed.
pub trait Calls {
    /// Makes the k-th call of a kind; what it found is kept for `answer`.
    ///
    /// # Errors
    /// Those of what is called; `INTERNAL` where an earlier call is missing.
    fn call(&mut self, what: usize, k: usize) -> Result<()>;

    /// Keeps what the last call found as the base of further calls; false where it found nothing.
    fn keep(&mut self) -> bool;

    /// What the last call found, with its certificate.
    fn answer(&self) -> Value;
}

pub(crate) fn missing(what: &str) -> EngineError {
    let cause = format!("the benchmark has no {what} yet");
    EngineError::new("INTERNAL", message!("engine.failed", cause = cause))
}
