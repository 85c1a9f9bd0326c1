//! States stepped from that of the base case, so that a state is the same however it was reached.

use crate::edits::Edits;
use std::sync::Arc;
use wattbook_network::error::Result;

/// A solved state that knows the base state it was stepped from.
pub(super) trait Based: Sized {
    /// `None` for a cold solve.
    fn base(&self) -> Option<&Arc<Self>>;

    fn edits(&self) -> &Edits;
}

/// A state that can step to other edits.
pub(super) trait Stepped: Based {
    /// Errors: the codes of edits, `SOLVE.*`.
    fn cold(&self, edits: &Edits) -> Result<Arc<Self>>;

    /// Steps from this state, which must be that of the base case.
    ///
    /// Errors: the codes of edits, `SOLVE.*`.
    fn step(self: &Arc<Self>, edits: &Edits) -> Result<Arc<Self>>;
}

/// How to reach a state.
pub(super) enum Way<S> {
    /// The state is known.
    Known(Arc<S>),
    FromBase(Arc<S>),
    Cold,
}

/// How to reach absolute edits with the same generators from a state.
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

/// Solves absolute edits from the solution of the base case where it has one, else from scratch.
///
/// Errors: the codes of edits, `SOLVE.*`.
pub(super) fn from_base<S: Stepped>(cold: impl Fn(&Edits) -> Result<Arc<S>>, edits: &Edits) -> Result<Arc<S>> {
    match cold(&edits.base()) {
        Ok(base) => at(&base, edits),
        Err(error) if edits.is_empty() => Err(error),
        Err(_) => cold(edits),
    }
}
