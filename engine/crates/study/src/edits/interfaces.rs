//! Edits of the limits of interfaces. Interfaces are an option of a formulation and no elements of the case, so their edits are by name.

use super::amounts::check_value;
use super::targets::Parts;
use super::Edits;
use crate::contract::{Diagnostic, InterfaceEdit, InterfaceEdits, InterfaceLimit, InterfaceValue, SolveOptions};
use crate::convert::new_diagnostic;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::mw_exact;
use wattbook_network::message_key;

/// Checks limits. Those equal to the limits of the options are left out, so that an edit and its inverse are no edit; interfaces that
/// the options do not have keep theirs.
///
/// Errors: `INTERFACE.MALFORMED`, `INTERFACE.LIMITS`.
pub(super) fn resolve(parts: &dyn Parts, wanted: &InterfaceEdits) -> Result<InterfaceEdits> {
    let limited = parts.interfaces();
    let mut edits = InterfaceEdits::new();
    for (name, edit) in wanted {
        let place = limited.iter().position(|limit| limit.name == *name);
        let element = ElementRef::interface(place.unwrap_or_default(), name.clone());
        check_amounts(&element, edit)?;
        let left = place.map_or(Ok(*edit), |i| changed(&limited[i], &element, edit))?;
        if left != InterfaceEdit::default() {
            edits.insert(name.clone(), left);
        }
    }
    Ok(edits)
}

/// Errors: `INTERFACE.MALFORMED`.
fn check_amounts(element: &ElementRef, edit: &InterfaceEdit) -> Result<()> {
    let limits = [
        (edit.min_mw, message_key!("quantity.lower_active_limit")),
        (edit.max_mw, message_key!("quantity.upper_active_limit")),
    ];
    for (limit, quantity) in limits {
        let checked = limit.map_or(Ok(()), |mw| check_value(element, mw, "MW", quantity));
        checked.map_err(|message| EngineError::new("INTERFACE.MALFORMED", message).at(element.clone()))?;
    }
    Ok(())
}

/// The limits that differ from those of the options.
///
/// Errors: `INTERFACE.LIMITS`.
fn changed(limit: &InterfaceLimit, element: &ElementRef, edit: &InterfaceEdit) -> Result<InterfaceEdit> {
    let limits = (edit.min_mw.or(limit.min_mw), edit.max_mw.or(limit.max_mw));
    if let (Some(lower), Some(upper)) = limits {
        if lower > upper {
            let (minimum, maximum) = (mw_exact(lower), mw_exact(upper));
            let message = message!(
                "edit.interface_limits",
                interface = element,
                minimum = minimum,
                maximum = maximum
            );
            return Err(EngineError::new("INTERFACE.LIMITS", message).at(element.clone()));
        }
    }
    Ok(InterfaceEdit {
        min_mw: edit.min_mw.filter(|mw| Some(*mw) != limit.min_mw),
        max_mw: edit.max_mw.filter(|mw| Some(*mw) != limit.max_mw),
    })
}

/// A limit of an interface, by its place, that differs between two sets of edits, MW.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct InterfaceChange {
    pub interface: usize,
    pub value: InterfaceValue,
    pub from: f64,
    pub to: f64,
}

/// The interfaces of options with the limits that edits give them.
pub(crate) fn limited(options: &SolveOptions, edits: &InterfaceEdits) -> Vec<InterfaceLimit> {
    let mut interfaces = options.limits.clone().unwrap_or_default().interfaces;
    for limit in &mut interfaces {
        if let Some(edit) = edits.get(&limit.name) {
            (limit.min_mw, limit.max_mw) = (edit.min_mw.or(limit.min_mw), edit.max_mw.or(limit.max_mw));
        }
    }
    interfaces
}

/// The diagnostic of a formulation in which edited limits of interfaces have no effect.
pub(crate) fn unread(edits: &InterfaceEdits) -> Diagnostic {
    let names: Vec<&str> = edits.keys().map(String::as_str).collect();
    let message = message!(
        "result.interfaces_unread",
        count = names.len(),
        names = names.join(", ")
    );
    new_diagnostic("INTERFACE.UNREAD", &message, None)
}

impl Edits {
    /// The same edits with another limit of an interface, MW; the limit of the options is no edit.
    pub fn with_interface_limit(&self, options: &SolveOptions, i: usize, value: InterfaceValue, mw: f64) -> Self {
        let mut edits = self.clone();
        let limits = options.limits.as_ref();
        let Some(limit) = limits.and_then(|limits| limits.interfaces.get(i)) else {
            return edits;
        };
        let mut edit = edits.network.interfaces.remove(&limit.name).unwrap_or_default();
        match value {
            InterfaceValue::MinMw => edit.min_mw = Some(mw).filter(|_| limit.min_mw != Some(mw)),
            InterfaceValue::MaxMw => edit.max_mw = Some(mw).filter(|_| limit.max_mw != Some(mw)),
        }
        if edit != InterfaceEdit::default() {
            edits.network.interfaces.insert(limit.name.clone(), edit);
        }
        edits
    }

    /// How limits of the interfaces of options differ from those of another state.
    ///
    /// Errors: `INTERFACE.NO_PREVIEW` for a limit that only one of them has.
    pub fn interface_changes(&self, options: &SolveOptions, state: &Edits) -> Result<Vec<InterfaceChange>> {
        let (own, other) = (&self.network.interfaces, &state.network.interfaces);
        let mut changes = Vec::new();
        if own == other {
            return Ok(changes);
        }
        let (before, after) = (limited(options, other), limited(options, own));
        for (interface, (before, after)) in before.iter().zip(&after).enumerate() {
            let limits = [
                (InterfaceValue::MinMw, before.min_mw, after.min_mw),
                (InterfaceValue::MaxMw, before.max_mw, after.max_mw),
            ];
            for (value, from, to) in limits.into_iter().filter(|(_, from, to)| from != to) {
                let Some((from, to)) = from.zip(to) else {
                    let element = ElementRef::interface(interface, after.name.clone());
                    let message = message!("edit.interface_preview", interface = &element);
                    return Err(EngineError::new("INTERFACE.NO_PREVIEW", message).at(element));
                };
                changes.push(InterfaceChange {
                    interface,
                    value,
                    from,
                    to,
                });
            }
        }
        Ok(changes)
    }
}
