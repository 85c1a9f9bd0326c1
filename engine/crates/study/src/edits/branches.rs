//! Edits of branches: status, rating, reactance, tap ratio and phase shift.

use super::targets::not_editable;
use super::Edits;
use crate::amounts::{fit, Unfit};
use crate::case::Case;
use crate::contract::{self as c, BranchEdit};
use crate::convert::branch_ref;
use std::collections::BTreeMap;
use wattbook_network::analysis::{AnalysisNetwork, Branch};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;
use wattbook_network::{message_key, BranchValues};

/// Resolves keys of a case without edited values. Values that the branch has in the case are left out, so that an edit and its inverse are no edit.
///
/// Errors: `BRANCH.UNKNOWN`, `BRANCH.MALFORMED` also for one that is named twice, `BRANCH.ISOLATED_BUS`, `EDIT.NOT_EDITABLE`.
pub(crate) fn resolve(case: &Case, wanted: &c::BranchEdits) -> Result<BTreeMap<usize, BranchEdit>> {
    let network = &case.network;
    let mut edits = BTreeMap::new();
    for (key, edit) in wanted {
        let unknown = || EngineError::new("BRANCH.UNKNOWN", message!("edit.unknown_branch", key = key));
        let row = case.keys.branch(key).ok_or_else(unknown)?;
        let branch = &network.branches[row];
        check(network, branch, edit)?;
        if edits.insert(row, changed(network, branch, edit)).is_some() {
            let element = branch_ref(branch);
            let message = message!("edit.branch_twice", branch = &element);
            return Err(EngineError::new("BRANCH.MALFORMED", message).at(element));
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
    let values = [
        (edit.rating, "MW", message_key!("quantity.rating"), true),
        (edit.x, "per unit", message_key!("quantity.reactance"), false),
        (edit.tap, "", message_key!("quantity.tap_ratio"), true),
        (edit.shift, "degrees", message_key!("quantity.phase_shift"), false),
    ];
    for (value, unit, quantity, is_positive) in values {
        let Some(value) = value else { continue };
        let quantity = Message {
            key: quantity,
            values: Vec::new(),
        };
        let refused = match fit(value, unit) {
            Err(Unfit::NotFinite) => message!("edit.value_not_finite", element = &element, quantity = quantity),
            Err(Unfit::TooLarge(amount, most)) => message!(
                "edit.value_too_large",
                element = &element,
                quantity = quantity,
                amount = amount,
                most = most
            ),
            Ok(()) if is_positive && value <= 0.0 => {
                message!("edit.value_not_positive", element = &element, quantity = quantity)
            }
            Ok(()) => continue,
        };
        return Err(EngineError::new("BRANCH.MALFORMED", refused).at(element));
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

    /// Added elements, or a branch or a link whose edit differs from that of another state: they change the network, so a preview does
    /// not exist.
    ///
    /// Errors: `BRANCH.NO_PREVIEW`, `LINK.NO_PREVIEW`.
    pub fn check_network_preview(&self, case: &Case, state: &Edits) -> Result<()> {
        if self.network.added != state.network.added {
            return Err(EngineError::new("BRANCH.NO_PREVIEW", message!("added.preview")));
        }
        self.check_link_preview(case, state)?;
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
