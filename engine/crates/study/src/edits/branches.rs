//! Edits of branches: status, rating, reactance, tap ratio and phase shift.

use super::amounts::{Edited, BRANCH_RATING, PHASE_SHIFT, REACTANCE, TAP_RATIO};
use super::targets::not_editable;
use super::Edits;
use crate::case::Case;
use crate::contract::{self as c, BranchEdit};
use crate::convert::branch_ref;
use std::collections::BTreeMap;
use wattbook_network::analysis::{AnalysisNetwork, Branch, ElementRef};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;
use wattbook_network::BranchValues;

/// Resolves keys. Values that the branch has in the case are left out, so that an edit and its inverse are no edit.
///
/// Errors: `BRANCH.UNKNOWN`, `BRANCH.MALFORMED` also for one that is named twice, `BRANCH.ISOLATED_BUS`, `EDIT.NOT_EDITABLE`.
pub(super) fn resolve(case: &Case, wanted: &c::BranchEdits) -> Result<BTreeMap<usize, BranchEdit>> {
    let network = &case.original().network;
    let mut edits = BTreeMap::new();
    for (key, edit) in wanted {
        let unknown = || EngineError::new("BRANCH.UNKNOWN", message!("edit.unknown_branch", key = key));
        let row = case.keys.branch(key).ok_or_else(unknown)?;
        let branch = &network.branches[row];
        check(network, branch, edit)?;
        if edits.insert(row, changed(network, branch, edit)).is_some() {
            return Err(malformed(branch, |branch| {
                message!("edit.branch_twice", branch = branch)
            }));
        }
    }
    edits.retain(|_, edit| *edit != BranchEdit::default());
    Ok(edits)
}

/// Errors: `BRANCH.MALFORMED`, `BRANCH.ISOLATED_BUS`, `EDIT.NOT_EDITABLE`.
fn check(network: &AnalysisNetwork, branch: &Branch, edit: &BranchEdit) -> Result<()> {
    let element = branch_ref(branch);
    if !branch.editable {
        return Err(not_editable(element));
    }
    let amount = |what: &Edited, value: Option<f64>| value.map_or(Ok(()), |value| what.check(&element, value));
    amount(&BRANCH_RATING, edit.rating)?;
    amount(&REACTANCE, edit.x)?;
    amount(&TAP_RATIO, edit.tap)?;
    amount(&PHASE_SHIFT, edit.shift)?;
    if edit.rating.is_some_and(|rating| rating <= 0.0) {
        return Err(malformed(branch, |branch| {
            message!("edit.branch_rating_not_positive", branch = branch)
        }));
    }
    if edit.tap.is_some_and(|tap| tap <= 0.0) {
        return Err(malformed(branch, |branch| {
            message!("edit.tap_not_positive", branch = branch)
        }));
    }
    if let Some(x) = edit.x {
        if branch.is_zero_impedance() || (x == 0.0 && branch.r_pu == 0.0) {
            let message = message!("edit.no_impedance", branch = &element);
            return Err(EngineError::new("EDIT.NOT_EDITABLE", message).at(element));
        }
    }
    let is_isolated = |bus: usize| !network.buses[bus].in_service;
    if edit.status == Some(true) && (is_isolated(branch.from) || is_isolated(branch.to)) {
        let message = message!("edit.branch_isolated", branch = &element);
        return Err(EngineError::new("BRANCH.ISOLATED_BUS", message).at(element));
    }
    Ok(())
}

fn malformed(branch: &Branch, message: fn(&ElementRef) -> Message) -> EngineError {
    let element = branch_ref(branch);
    EngineError::new("BRANCH.MALFORMED", message(&element)).at(element)
}

/// The values that differ from those of the case.
fn changed(network: &AnalysisNetwork, branch: &Branch, edit: &BranchEdit) -> BranchEdit {
    let rating = branch.rating_pu * network.base_mva;
    BranchEdit {
        status: edit.status.filter(|&status| status != branch.in_service),
        rating: edit.rating.filter(|&mw| branch.rating_is_fallback || mw != rating),
        x: edit.x.filter(|&x| x != network.file_impedance(branch.x_pu)),
        tap: edit.tap.filter(|&tap| tap != branch.tap),
        shift: edit.shift.filter(|shift| shift.to_radians() != branch.shift_rad),
    }
}

/// Values as they are stored in the module of the case.
pub(super) fn values(edit: &BranchEdit) -> BranchValues {
    BranchValues {
        in_service: edit.status,
        rating_mw: edit.rating,
        x_pu: edit.x,
        tap: edit.tap,
        shift_deg: edit.shift,
    }
}

impl Edits {
    /// Edits of branches by id.
    pub fn branches_by_id(&self, case: &Case) -> c::BranchEdits {
        let id = |row: usize| case.network.branches[row].id.to_string();
        let edits = self.network.branches.iter();
        edits.map(|(&row, edit)| (id(row), edit.clone())).collect()
    }

    /// A branch whose edit differs from that of another state: it changes the network, so a preview does not exist.
    ///
    /// Errors: `BRANCH.NO_PREVIEW`.
    pub fn check_branch_preview(&self, case: &Case, state: &Edits) -> Result<()> {
        let (own, other) = (&self.network.branches, &state.network.branches);
        let mut rows = own.keys().chain(other.keys());
        let Some(&row) = rows.find(|row| own.get(row) != other.get(row)) else {
            return Ok(());
        };
        let element = branch_ref(&case.network.branches[row]);
        let message = message!("edit.branch_preview", branch = &element);
        Err(EngineError::new("BRANCH.NO_PREVIEW", message).at(element))
    }
}
