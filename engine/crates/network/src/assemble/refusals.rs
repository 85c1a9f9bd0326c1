//! Equipment that no formulation supports, which is refused by name and never simplified.

use powerio::{BalancedNetwork, BusType};
use std::collections::HashSet;

use crate::assemble::{links, source_uid};
use crate::element::{ElementKind, ElementRef};
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::{Message, Value};

/// Specification: "closed transmission switches, in-service storage and in-service HVDC links are rejected until
/// supported." Switches and storage are supported, and so are links in the form of MATPOWER's `dcline`.
/// Equipment at an isolated bus counts as out of service. Static var compensators and converter stations,
/// which only a foreign module can contain, are refused likewise.
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
    let element = |kind, row: usize, uid: &Option<String>| ElementRef::new(kind, row as u64 + 1, source_uid(net, uid));
    let refuse =
        |element: ElementRef, message: Message| Err(EngineError::new("PHYSICS.UNSUPPORTED", message).at(element));
    let number = |bus: powerio::BusId| Value::from(bus.to_string());
    for (row, h) in net.hvdc().iter().enumerate() {
        if !links::are_dc_lines(net) && !links::is_modelled(h) && h.in_service && live(h.from.0) && live(h.to.0) {
            let link = element(ElementKind::Hvdc, row, &h.uid);
            let message = message!("case.hvdc", link = &link, from = number(h.from), to = number(h.to));
            return refuse(link, message);
        }
    }
    if let Some(svc) = net
        .static_var_compensators()
        .iter()
        .find(|s| s.in_service && live(s.bus.0))
    {
        let message = message!("case.static_var_compensator", bus = number(svc.bus));
        return Err(EngineError::new("PHYSICS.UNSUPPORTED", message));
    }
    let converters = net.detailed_connectivity().as_ref().map_or(0, |d| {
        d.voltage_source_converters.len() + d.line_commutated_converters.len()
    });
    if converters > 0 {
        let message = message!("case.converter_stations", count = converters);
        return refuse(element(ElementKind::Hvdc, 0, &None), message);
    }
    Ok(())
}
