//! Equipment that no formulation supports: refused with the element named, never simplified.

use powerio::{BalancedNetwork, BusType};
use std::collections::HashSet;

use crate::analysis::{ElementKind, ElementRef};
use crate::assemble::source_uid;
use crate::error::{EngineError, Result};

/// Specification: "closed transmission switches, in-service storage and in-service HVDC links are rejected until supported."
/// Equipment at an isolated bus is out of service. Static var compensators and converter stations, which only a foreign
/// module can carry, are refused likewise.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` with the first such element.
pub(crate) fn check(net: &BalancedNetwork) -> Result<()> {
    let isolated: HashSet<usize> = net
        .buses()
        .iter()
        .filter(|b| b.kind == BusType::Isolated)
        .map(|b| b.id.0)
        .collect();
    let live = |id: usize| !isolated.contains(&id);
    let refuse = |kind, row: usize, uid: &Option<String>, what: String| {
        let element = ElementRef {
            kind,
            id: row as u64 + 1,
            uid: source_uid(net, uid),
        };
        Err(EngineError::new("PHYSICS.UNSUPPORTED", what).at(element))
    };
    for (row, s) in net.switches().iter().enumerate() {
        if s.closed {
            let what = format!(
                "Switch {} between buses {} and {} is closed; closed transmission switches are not supported.",
                row + 1,
                s.from,
                s.to
            );
            return refuse(ElementKind::Switch, row, &s.uid, what);
        }
    }
    for (row, s) in net.storage().iter().enumerate() {
        if s.in_service && live(s.bus.0) {
            let what = format!(
                "Storage unit {} at bus {} is in service; storage is not supported.",
                row + 1,
                s.bus
            );
            return refuse(ElementKind::Storage, row, &s.uid, what);
        }
    }
    for (row, h) in net.hvdc().iter().enumerate() {
        if h.in_service && live(h.from.0) && live(h.to.0) {
            let what = format!(
                "HVDC link {} between buses {from} and {to} is in service; HVDC links are not supported. Out of service \
                 (status 0 in the file) it is left out; a fixed transfer can stand there as a demand at bus {from} and a \
                 generator at bus {to}.",
                row + 1,
                from = h.from,
                to = h.to
            );
            return refuse(ElementKind::Hvdc, row, &h.uid, what);
        }
    }
    if let Some(svc) = net
        .static_var_compensators()
        .iter()
        .find(|s| s.in_service && live(s.bus.0))
    {
        let what = format!(
            "The static var compensator at bus {} is in service; it is not supported.",
            svc.bus
        );
        return Err(EngineError::new("PHYSICS.UNSUPPORTED", what));
    }
    let converters = net.detailed_connectivity().as_ref().map_or(0, |d| {
        d.voltage_source_converters.len() + d.line_commutated_converters.len()
    });
    if converters > 0 {
        let what = format!("The module carries {converters} converter stations; HVDC is not supported.");
        return refuse(ElementKind::Hvdc, 0, &None, what);
    }
    Ok(())
}
