//! States that are stepped from that of the base case, so that a state is the same however it was reached.

use crate::edits::Edits;
use std::sync::Arc;
use wattbook_network::error::Result;

/// A solved state that knows the one it was stepped from.
pub(super) trait Based: Sized {
    /// None where it was solved from nothing.
    fn base(&self) -> Option<&Arc<Self>>;

    fn edits(&self) -> &Edits;
}

/// The same with the steps.
pub(super) trait Stepped: Based {
    /// Errors: the codes of edits, `SOLVE.*`.
    fn cold(&self, edits: &Edits) -> Result<Arc<Self>>;

    /// From the state of the base case, which this is.
    ///
    /// Errors: the codes of edits, `SOLVE.*`.
    fn step(self: &Arc<Self>, edits: &Edits) -> Result<Arc<Self>>;
}

/// How a state is reached.
pub(super) enum Way<S> {
    /// It is there.
    Known(Arc<S>),
    FromBase(Arc<S>),
    Cold,
}

/// The way from a state to absolute edits of the same generators.
pub(super) fn way<S: Based>(state: &Arc<S>, edits: &Edits) -> Way<S> {
    if edits == state.edits() {
        return Way::Known(Arc::clone(state));
    }
    let base = state.base().unwrap_or(state);
    match (base.edits().is_empty(), edits.is_empty()) {
        (false, _) => Way::Cold,
        (true, true) => Way::Known(Arc::clone(base)),
        (true, false) => Way::FromBase(Arc::clone(base)),
    }
}

/// The state at absolute edits.
///
/// Errors: the codes of edits, `SOLVE.*`.
pub(super) fn at<S: Stepped>(state: &Arc<S>, edits: &Edits) -> Result<Arc<S>> {
    match way(state, edits) {
        Way::Known(state) => Ok(state),
        Way::FromBase(base) => base.step(edits),
        Way::Cold => state.cold(edits),
    }
}

/// Absolute edits from the solution of the base case where it has one, else from nothing.
///
/// Errors: the codes of edits, `SOLVE.*`.
pub(super) fn from_base<S: Stepped>(cold: impl Fn(&Edits) -> Result<Arc<S>>, edits: &Edits) -> Result<Arc<S>> {
    match cold(&edits.base()) {
        Ok(base) => at(&base, edits),
        Err(error) if edits.is_empty() => Err(error),
        Err(_) => cold(edits),
    }
}
