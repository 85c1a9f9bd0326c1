//! HVDC links and their costs.

use powerio::{BalancedNetwork, Hvdc, SourceFormat};

use crate::analysis::{Bus, Cost, Link};
use crate::assemble::buses::BusIndex;
use crate::assemble::generators::limit;
use crate::assemble::{cost, finite, source_uid};
use crate::element::{ElementKind, ElementRef};
use crate::error::{EngineError, Result};
use crate::message::amounts::plain;
use crate::message::{written, Value};
use crate::{message, message_key};

pub(crate) const FREE: Cost = Cost::Quadratic {
    c2: 0.0,
    c1: 0.0,
    c0: 0.0,
};

/// Whether the links of a network are those of MATPOWER's `dcline`. Links of other formats are converters with controls
/// of their own.
pub(crate) fn are_dc_lines(net: &BalancedNetwork) -> bool {
    matches!(
        net.source_format(),
        SourceFormat::Matpower
            | SourceFormat::PowerModelsJson
            | SourceFormat::EgretJson
            | SourceFormat::PandapowerJson
            | SourceFormat::InMemory
    )
}

/// Marks a link that was added to a case: its converters control no voltage, whatever the format of the case.
pub(crate) const ADDED: &str = "wattbook_added_link";

/// Extra of a link: whether its converters hold the voltages of its from and its to end.
pub(crate) const HOLDS_VOLTAGE: &str = "wattbook_holds_voltage";

/// Rows of the module that are links of the network, in the order of their ids.
pub(crate) fn rows(net: &BalancedNetwork) -> impl Iterator<Item = usize> + '_ {
    let all = are_dc_lines(net);
    let links = net.hvdc().iter().enumerate();
    links
        .filter(move |(_, link)| all || is_modelled(link))
        .map(|(row, _)| row)
}

/// Whether a link is modelled whatever the format of its case: it was added, or its reader states what its converters do.
pub(crate) fn is_modelled(link: &Hvdc) -> bool {
    is_added(link) || link.extras.contains_key(HOLDS_VOLTAGE)
}

fn holds_voltage(link: &Hvdc) -> [bool; 2] {
    let stated = link.extras.get(HOLDS_VOLTAGE);
    [0, 1].map(|end| match stated {
        Some(ends) => ends.get(end).and_then(serde_json::Value::as_bool) == Some(true),
        None => !is_added(link),
    })
}

pub(crate) fn is_added(link: &Hvdc) -> bool {
    link.extras.contains_key(ADDED)
}

/// Links in source order, per unit; those of formats with converters are refused in service. A link at an isolated bus is out of
/// service.
///
/// # Errors
/// `INPUT.LINK` for limits that cross or losses outside [0, 1), `INPUT.COST` naming the link, `INPUT.NOT_FINITE`,
/// `INPUT.UNKNOWN_BUS`.
pub(crate) fn read(net: &BalancedNetwork, index: &BusIndex, buses: &[Bus], base: f64) -> Result<Vec<Link>> {
    let link = |(k, row): (usize, usize)| {
        let link = &net.hvdc()[row];
        let element = ElementRef::new(ElementKind::Hvdc, k as u64 + 1, source_uid(net, &link.uid));
        read_one(link, index, buses, base, element)
    };
    rows(net).enumerate().map(link).collect()
}

fn read_one(h: &Hvdc, index: &BusIndex, buses: &[Bus], base: f64, element: ElementRef) -> Result<Link> {
    let (from, to) = (index.row_of(h.from.0, &element)?, index.row_of(h.to.0, &element)?);
    let in_service = h.in_service && buses[from].in_service && buses[to].in_service;
    let refused = |code, message| Err(EngineError::new(code, message).at(element.clone()));
    let ends = || (Value::from(h.from.to_string()), Value::from(h.to.to_string()));
    let active = |value: f64, quantity| Ok(limit(value, quantity, &element)? / base);
    let pmin_pu = active(h.pmin, message_key!("quantity.lower_active_limit"))?;
    let pmax_pu = active(h.pmax, message_key!("quantity.upper_active_limit"))?;
    let loss0_pu = finite(h.loss0, message_key!("quantity.loss"), &element)? / base;
    let loss1 = finite(h.loss1, message_key!("quantity.loss"), &element)?;
    if in_service && !(pmin_pu <= pmax_pu && pmin_pu < f64::INFINITY && pmax_pu > f64::NEG_INFINITY) {
        let (from, to) = ends();
        let message = message!(
            "case.link_limits",
            link = &element,
            from = from,
            to = to,
            minimum = plain(h.pmin, "MW"),
            maximum = plain(h.pmax, "MW")
        );
        return refused("INPUT.LINK", message);
    }
    if in_service && !((0.0..1.0).contains(&loss1) && loss0_pu >= 0.0) {
        let (from, to) = ends();
        let message = message!(
            "case.link_losses",
            link = &element,
            from = from,
            to = to,
            constant = plain(h.loss0, "MW"),
            share = written(loss1)
        );
        return refused("INPUT.LINK", message);
    }
    let cost = match h.cost.as_ref().map(|c| cost::read(c, base)) {
        Some(Ok(curve)) => curve.cost,
        Some(Err(why)) if in_service => {
            let (from, to) = ends();
            let message = message!("cost.link_refused", link = &element, from = from, to = to, why = why);
            return refused("INPUT.COST", message);
        }
        // A link out of service costs nothing.
        Some(Err(_)) | None => FREE,
    };
    let reactive = |value: f64, quantity| Ok(limit(value, quantity, &element)? / base);
    let (lower, upper) = (
        message_key!("quantity.lower_reactive_limit"),
        message_key!("quantity.upper_reactive_limit"),
    );
    let (set_q, set_v) = (
        message_key!("quantity.reactive_set_point"),
        message_key!("quantity.voltage_set_point"),
    );
    Ok(Link {
        id: element.id,
        name: None,
        from,
        to,
        in_service,
        pf_pu: finite(h.pf / base, message_key!("quantity.active_set_point"), &element)?,
        pmin_pu,
        pmax_pu,
        loss0_pu,
        loss1,
        cost,
        q_pu: [
            finite(h.qf / base, set_q, &element)?,
            finite(h.qt / base, set_q, &element)?,
        ],
        qmin_pu: [reactive(h.qminf, lower)?, reactive(h.qmint, lower)?],
        qmax_pu: [reactive(h.qmaxf, upper)?, reactive(h.qmaxt, upper)?],
        vset_pu: [finite(h.vf, set_v, &element)?, finite(h.vt, set_v, &element)?],
        regulates_voltage: holds_voltage(h),
        uid: element.uid,
    })
}
