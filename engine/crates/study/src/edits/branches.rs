//! Edits of branches: status, rating, reactance, tap ratio and phase shift.

use super::amounts::check_value;
use super::targets::not_editable;
use super::Edits;
use crate::case::Case;
use crate::contract::{self as c, BranchEdit};
use std::collections::{BTreeMap, BTreeSet};
use wattbook_network::analysis::{AnalysisNetwork, Branch, ElementRef};
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
            let element = ElementRef::from(branch);
            let message = message!("edit.branch_twice", branch = &element);
            return Err(EngineError::new("BRANCH.MALFORMED", message).at(element));
        }
    }
    edits.retain(|_, edit| *edit != BranchEdit::default());
    Ok(edits)
}

/// Errors: `BRANCH.MALFORMED`, `BRANCH.ISOLATED_BUS`, `EDIT.NOT_EDITABLE`.
fn check(network: &AnalysisNetwork, branch: &Branch, edit: &BranchEdit) -> Result<()> {
    let element = ElementRef::from(branch);
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
        let checked = check_value(&element, value, unit, quantity).and_then(|()| match is_positive && value <= 0.0 {
            true => {
                let quantity = Message::of_key(quantity);
                Err(message!(
                    "edit.value_not_positive",
                    element = &element,
                    quantity = quantity
                ))
            }
            false => Ok(()),
        });
        checked.map_err(|refused| EngineError::new("BRANCH.MALFORMED", refused).at(element.clone()))?;
    }
    if branch.is_switch && (edit.x.is_some() || edit.tap.is_some() || edit.shift.is_some()) {
        let message = message!("edit.switch_value", branch = &element);
        return Err(EngineError::new("EDIT.NOT_EDITABLE", message).at(element));
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
    /// Whether the case can have the edit of a branch.
    ///
    /// Errors: `BRANCH.MALFORMED`, `BRANCH.ISOLATED_BUS`, `EDIT.NOT_EDITABLE`.
    pub fn check_branch(&self, case: &Case, row: usize) -> Result<()> {
        let network = &case.original().network;
        match self.network.branches.get(&row) {
            Some(edit) => check(network, &network.branches[row], edit),
            None => Ok(()),
        }
    }

    /// Phase shifts that differ from those of another state, whose case is `case`: row, from and to in degrees.
    pub fn shift_changes(&self, case: &Case, state: &Edits) -> Vec<(usize, f64, f64)> {
        let shift = |edits: &Edits, row: usize| {
            let of_case = || case.original().network.branches[row].shift_rad.to_degrees();
            edits
                .network
                .branches
                .get(&row)
                .and_then(|edit| edit.shift)
                .unwrap_or_else(of_case)
        };
        let (own, other) = (&self.network.branches, &state.network.branches);
        let rows: BTreeSet<usize> = own.keys().chain(other.keys()).copied().collect();
        let changes = rows.into_iter().map(|row| (row, shift(state, row), shift(self, row)));
        changes.filter(|(_, from, to)| from != to).collect()
    }

    /// Edits of branches by id.
    pub fn branches_by_id(&self, case: &Case) -> c::BranchEdits {
        let id = |row: usize| case.network.branches[row].id.to_string();
        let edits = self.network.branches.iter();
        edits.map(|(&row, edit)| (id(row), edit.clone())).collect()
    }

    /// Added elements, or a branch, a link or a storage unit whose edit differs from that of another state, unless `previews` has the difference: they
    /// change the network, so a preview does not exist.
    ///
    /// Errors: `BRANCH.NO_PREVIEW`, `LINK.NO_PREVIEW`, `STORAGE.NO_PREVIEW`.
    pub fn check_network_preview(&self, case: &Case, state: &Edits, previews: BranchPreviews) -> Result<()> {
        if self.network.added != state.network.added {
            return Err(EngineError::new("BRANCH.NO_PREVIEW", message!("added.preview")));
        }
        self.check_link_preview(case, state, previews == BranchPreviews::Shifts)?;
        self.check_storage_preview(case, state)?;
        let (own, other) = (&self.network.branches, &state.network.branches);
        let has_preview = |row: &usize| match previews {
            BranchPreviews::None => false,
            BranchPreviews::Shifts => {
                let branch = &case.network.branches[*row];
                without(own.get(row), |edit| edit.shift = None) == without(other.get(row), |edit| edit.shift = None)
                    && branch.in_service
                    && !branch.is_zero_impedance()
            }
            BranchPreviews::Outage => self.outage_from(case, state) == Some(*row),
        };
        let mut rows = own.keys().chain(other.keys());
        let Some(&row) = rows.find(|row| own.get(row) != other.get(row) && !has_preview(row)) else {
            return Ok(());
        };
        let element = ElementRef::from(&case.network.branches[row]);
        let status = |edits: &BTreeMap<usize, BranchEdit>| edits.get(&row).and_then(|edit| edit.status);
        let message = match status(own) == Some(false) && status(other) != Some(false) {
            true => message!("edit.outage_preview", branch = &element),
            false => message!("edit.branch_preview", branch = &element),
        };
        Err(EngineError::new("BRANCH.NO_PREVIEW", message).at(element))
    }

    /// The branch that these edits take out of service, if they differ in nothing else from those of another state, whose case is `case`.
    pub fn outage_from(&self, case: &Case, state: &Edits) -> Option<usize> {
        let (own, other) = (&self.network.branches, &state.network.branches);
        let differs = |row: &&usize| own.get(row) != other.get(row);
        let mut rows = own.keys().chain(other.keys()).filter(differs).copied();
        let row = rows.next().filter(|first| rows.all(|row| row == *first))?;
        let is_out =
            own.get(&row).is_some_and(|edit| edit.status == Some(false)) && case.network.branches[row].in_service;
        let mut back = self.clone();
        match other.get(&row) {
            Some(edit) => back.network.branches.insert(row, edit.clone()),
            None => back.network.branches.remove(&row),
        };
        let rest =
            without(own.get(&row), |edit| edit.status = None) == without(other.get(&row), |edit| edit.status = None);
        (is_out && rest && back == *state).then_some(row)
    }
}

/// An edit without one of its values.
fn without(edit: Option<&BranchEdit>, value: impl Fn(&mut BranchEdit)) -> BranchEdit {
    let mut edit = edit.cloned().unwrap_or_default();
    value(&mut edit);
    edit
}

/// Which edits of branches states of a formulation can preview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BranchPreviews {
    None,
    /// Phase shifts, in which the optimum is piecewise affine, as it is in limits of links.
    Shifts,
    /// One branch that goes out of service, at fixed injections.
    Outage,
}
