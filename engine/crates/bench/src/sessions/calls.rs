//! The timed calls of a session: numbered calls with their results.

use serde_json::Value;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// A case of one formulation with its timed calls.
pub trait Calls {
    /// Makes the k-th call of a kind and stores its result for `answer`.
    ///
    /// # Errors
    /// Those of the called function; `INTERNAL` if an earlier call is missing.
    fn call(&mut self, what: usize, k: usize) -> Result<()>;

    /// Stores the result of the last call as the base of further calls; false without a result.
    fn keep(&mut self) -> bool;

    /// The result of the last call, with its certificate.
    fn answer(&self) -> Value;
}

pub(crate) fn missing(what: &str) -> EngineError {
    let cause = format!("the benchmark has no {what} yet");
    EngineError::new("INTERNAL", message!("engine.failed", cause = cause))
}
