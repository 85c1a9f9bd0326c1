//! Edits of the limits of interfaces. Interfaces are an option of a formulation and no elements of the case, so their edits are by name.

use super::amounts::check_value;
use super::Edits;
use crate::contract::{
    Diagnostic, FormulationId, InterfaceEdit, InterfaceEdits, InterfaceLimit, InterfaceValue, SolveOptions,
};
use crate::convert::new_diagnostic;
use crate::problem::{options_of, Problem};
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::mw_exact;
use wattbook_network::message_key;

/// Resolves names of the interfaces that the options of a problem limit. Limits equal to those of the options are left out, so that an
/// edit and its inverse are no edit. A formulation without limits of interfaces has all edits and does not read them.
///
/// Errors: `INTERFACE.UNKNOWN`, `INTERFACE.MALFORMED`, `INTERFACE.LIMITS`.
pub(super) fn resolve(problem: &dyn Problem, wanted: &InterfaceEdits) -> Result<InterfaceEdits> {
    let limits = problem.options().limits.as_ref();
    let limited = limits.map_or(&[][..], |limits| &limits.interfaces[..]);
    let mut edits = InterfaceEdits::new();
    for (name, edit) in wanted {
        let place = limited.iter().position(|limit| limit.name == *name);
        let element = ElementRef::interface(place.unwrap_or_default(), name.clone());
        check_amounts(&element, edit)?;
        let left = match place {
            Some(i) => changed(&limited[i], &element, edit)?,
            None if !are_read(problem.formulation()) => *edit,
            None => {
                let message = message!("request.unknown_interface", name = name);
                return Err(EngineError::new("INTERFACE.UNKNOWN", message));
            }
        };
        if left != InterfaceEdit::default() {
            edits.insert(name.clone(), left);
        }
    }
    Ok(edits)
}

/// Whether a formulation has limits of interfaces.
fn are_read(formulation: FormulationId) -> bool {
    options_of(formulation).any(|option| option == "limits")
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

/// A diagnostic that edited limits of interfaces have no effect in a formulation; `None` where they have, and without edits.
pub(crate) fn unread(formulation: FormulationId, edits: &InterfaceEdits) -> Option<Diagnostic> {
    if edits.is_empty() || are_read(formulation) {
        return None;
    }
    let names: Vec<&str> = edits.keys().map(String::as_str).collect();
    let message = message!(
        "result.interfaces_unread",
        count = names.len(),
        names = names.join(", ")
    );
    Some(new_diagnostic("INTERFACE.UNREAD", &message, None))
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
    pub fn interface_changes(&self, options: &SolveOptions, state: &Edits) -> Vec<InterfaceChange> {
        let (own, other) = (&self.network.interfaces, &state.network.interfaces);
        if own == other {
            return Vec::new();
        }
        let (before, after) = (limited(options, other), limited(options, own));
        let limits = before.iter().zip(&after).enumerate();
        let changes = limits.flat_map(|(interface, (before, after))| {
            let change = |value, from: Option<f64>, to: Option<f64>| {
                let (from, to) = from.zip(to).filter(|(from, to)| from != to)?;
                Some(InterfaceChange {
                    interface,
                    value,
                    from,
                    to,
                })
            };
            [
                change(InterfaceValue::MinMw, before.min_mw, after.min_mw),
                change(InterfaceValue::MaxMw, before.max_mw, after.max_mw),
            ]
        });
        changes.flatten().collect()
    }

    /// Errors: `INTERFACE.NO_PREVIEW` for a limit that another state does not have, or that only it has.
    pub fn check_interface_preview(&self, options: &SolveOptions, state: &Edits) -> Result<()> {
        let (own, other) = (&self.network.interfaces, &state.network.interfaces);
        if own == other {
            return Ok(());
        }
        let (before, after) = (limited(options, other), limited(options, own));
        let is_other = |before: &InterfaceLimit, after: &InterfaceLimit| {
            before.min_mw.is_some() != after.min_mw.is_some() || before.max_mw.is_some() != after.max_mw.is_some()
        };
        let mut limits = before.iter().zip(&after).enumerate();
        let Some((i, (limit, _))) = limits.find(|(_, (before, after))| is_other(before, after)) else {
            return Ok(());
        };
        let element = ElementRef::interface(i, limit.name.clone());
        let message = message!("edit.interface_preview", interface = &element);
        Err(EngineError::new("INTERFACE.NO_PREVIEW", message).at(element))
    }
}
