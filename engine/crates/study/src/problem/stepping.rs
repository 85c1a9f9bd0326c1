//! States that are stepped from that of the base case, so that a state is the same however it was reached.

use crate::edits::Edits;
use std::sync::Arc;
use wattbook_network::error::Result;

/// A solved state that knows the one it was stepped from.
pub(super) trait Stepped: Sized {
    /// None where it was solved from nothing.
    fn base(&self) -> Option<&Arc<Self>>;

    fn edits(&self) -> &Edits;

    /// Errors: the codes of edits, `SOLVE.*`.
    fn cold(&self, edits: &Edits) -> Result<Arc<Self>>;

    /// From the state of the base case, which this is.
    ///
    /// Errors: the codes of edits, `SOLVE.*`.
    fn step(self: &Arc<Self>, edits: &Edits) -> Result<Arc<Self>>;
}

/// The state at absolute edits.
///
/// Errors: the codes of edits, `SOLVE.*`.
pub(super) fn at<S: Stepped>(state: &Arc<S>, edits: &Edits) -> Result<Arc<S>> {
    if edits == state.edits() {
        return Ok(Arc::clone(state));
    }
    let base = state.base().unwrap_or(state);
    if !base.edits().is_empty() {
        return base.cold(edits);
    }
    if edits.is_empty() {
        return Ok(Arc::clone(base));
    }
    base.step(edits)
}

/// Absolute edits from the solution of the base case where it has one, else from nothing.
///
/// Errors: the codes of edits, `SOLVE.*`.
pub(super) fn from_base<S: Stepped>(cold: impl Fn(&Edits) -> Result<Arc<S>>, edits: &Edits) -> Result<Arc<S>> {
    match cold(&Edits::default()) {
        Ok(base) => at(&base, edits),
        Err(error) if edits.is_empty() => Err(error),
        Err(_) => cold(edits),
    }
}
