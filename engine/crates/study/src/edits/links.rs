//! Edits of HVDC links: status, scheduled power, limits, losses and cost.

use super::amounts::check_value;
use super::Edits;
use crate::case::Case;
use crate::contract::{self as c, GeneratorValue, LinkEdit};
use std::collections::{BTreeMap, BTreeSet};
use wattbook_network::analysis::{AnalysisNetwork, Cost, ElementRef, Link};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::amounts::mw_exact;
use wattbook_network::message::Message;
use wattbook_network::{message_key, LinkValues};

/// Resolves keys of a case without edited values. Values that the link has in the case are left out, so that an edit and its inverse are no
/// edit.
///
/// Errors: `LINK.UNKNOWN`, `LINK.MALFORMED` also for one that is named twice, `LINK.LIMITS`, `LINK.ISOLATED_BUS`.
pub(super) fn resolve(case: &Case, wanted: &c::LinkEdits) -> Result<BTreeMap<usize, LinkEdit>> {
    let network = &case.network;
    let mut edits = BTreeMap::new();
    for (key, edit) in wanted {
        let unknown = || EngineError::new("LINK.UNKNOWN", message!("edit.unknown_link", key = key));
        let row = case.keys.link(key).ok_or_else(unknown)?;
        check(network, row, edit)?;
        let link = &network.links[row];
        if edits.insert(row, changed(network, link, edit)).is_some() {
            let element = ElementRef::from(link);
            let message = message!("edit.link_twice", link = &element);
            return Err(EngineError::new("LINK.MALFORMED", message).at(element));
        }
    }
    edits.retain(|_, edit| *edit != LinkEdit::default());
    Ok(edits)
}

/// Errors: `LINK.MALFORMED`, `LINK.LIMITS`, `LINK.ISOLATED_BUS`.
fn check(network: &AnalysisNetwork, row: usize, edit: &LinkEdit) -> Result<()> {
    let link = &network.links[row];
    let element = ElementRef::from(link);
    check_amounts(&element, edit).map_err(|message| EngineError::new("LINK.MALFORMED", message).at(element.clone()))?;
    let is_isolated = |bus: usize| !network.buses[bus].in_service;
    if edit.status == Some(true) && (is_isolated(link.from) || is_isolated(link.to)) {
        let message = message!("edit.link_isolated", link = &element);
        return Err(EngineError::new("LINK.ISOLATED_BUS", message).at(element));
    }
    let base = network.base_mva;
    let limits = [
        edit.p_min.unwrap_or(link.pmin_pu * base),
        edit.p_max.unwrap_or(link.pmax_pu * base),
    ];
    let is_in_service = edit.status.unwrap_or(link.in_service);
    if is_in_service && limits[0] > limits[1] {
        let message = crossed(&element, limits);
        return Err(EngineError::new("LINK.LIMITS", message).at(element));
    }
    Ok(())
}

/// Errors: what is wrong with the first value that no link can have.
pub(super) fn check_amounts(element: &ElementRef, edit: &LinkEdit) -> std::result::Result<(), Message> {
    let values = [
        (edit.p, "MW", message_key!("quantity.active_set_point")),
        (edit.p_min, "MW", message_key!("quantity.lower_active_limit")),
        (edit.p_max, "MW", message_key!("quantity.upper_active_limit")),
        (edit.loss, "MW", message_key!("quantity.loss")),
        (edit.loss_factor, "", message_key!("quantity.loss_factor")),
        (edit.cost, "$/MWh", message_key!("quantity.cost")),
    ];
    for (value, unit, quantity) in values {
        value.map_or(Ok(()), |value| check_value(element, value, unit, quantity))?;
    }
    if edit.loss.is_some_and(|loss| loss < 0.0) {
        return Err(message!("edit.negative_loss", link = element));
    }
    if edit.loss_factor.is_some_and(|share| !(0.0..1.0).contains(&share)) {
        return Err(message!("edit.loss_factor", link = element));
    }
    Ok(())
}

/// Limits in MW whose lower one is above the upper one.
pub(super) fn crossed(element: &ElementRef, [lower, upper]: [f64; 2]) -> Message {
    let (minimum, maximum) = (mw_exact(lower), mw_exact(upper));
    message!("edit.link_limits", link = element, minimum = minimum, maximum = maximum)
}

/// The values that differ from those of the case.
fn changed(network: &AnalysisNetwork, link: &Link, edit: &LinkEdit) -> LinkEdit {
    let base = network.base_mva;
    let other = |mw: Option<f64>, pu: f64| mw.filter(|mw| mw / base != pu);
    let has_cost = |cost: f64| {
        let own = Cost::Quadratic {
            c2: 0.0,
            c1: cost * base,
            c0: 0.0,
        };
        link.cost == own
    };
    LinkEdit {
        status: edit.status.filter(|&status| status != link.in_service),
        p: other(edit.p, link.pf_pu),
        p_min: other(edit.p_min, link.pmin_pu),
        p_max: other(edit.p_max, link.pmax_pu),
        loss: other(edit.loss, link.loss0_pu),
        loss_factor: edit.loss_factor.filter(|&share| share != link.loss1),
        cost: edit.cost.filter(|&cost| !has_cost(cost)),
    }
}

/// Values as they are stored in the module of the case.
pub(super) fn values(edit: &LinkEdit) -> LinkValues {
    LinkValues {
        in_service: edit.status,
        p_mw: edit.p,
        pmin_mw: edit.p_min,
        pmax_mw: edit.p_max,
        loss_mw: edit.loss,
        loss_factor: edit.loss_factor,
        cost: edit.cost,
    }
}

/// A limit of a link that differs between two sets of edits, per unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LinkChange {
    pub row: usize,
    pub value: GeneratorValue,
    pub from: f64,
    pub to: f64,
}

impl Edits {
    /// Edits of links by id.
    pub fn links_by_id(&self, case: &Case) -> c::LinkEdits {
        let id = |row: usize| case.network.links[row].id.to_string();
        let edits = self.network.links.iter();
        edits.map(|(&row, edit)| (id(row), edit.clone())).collect()
    }

    /// Whether the case can have the edit of a link.
    ///
    /// Errors: `LINK.MALFORMED`, `LINK.LIMITS`, `LINK.ISOLATED_BUS`.
    pub fn check_link(&self, case: &Case, row: usize) -> Result<()> {
        match self.network.links.get(&row) {
            Some(edit) => check(&case.original().network, row, edit),
            None => Ok(()),
        }
    }

    /// How limits of links in service differ from those of another state, whose case is `case`.
    pub fn link_changes(&self, case: &Case, state: &Edits) -> Vec<LinkChange> {
        let (own, other) = (&self.network.links, &state.network.links);
        let rows: BTreeSet<usize> = own.keys().chain(other.keys()).copied().collect();
        let base = case.network.base_mva;
        let changes = rows.into_iter().flat_map(|row| {
            let (before, after) = (&case.network.links[row], &case.original().network.links[row]);
            let edited =
                |limit: fn(&LinkEdit) -> Option<f64>, pu: f64| own.get(&row).and_then(limit).map_or(pu, |mw| mw / base);
            [
                (
                    GeneratorValue::PMin,
                    before.pmin_pu,
                    edited(|edit| edit.p_min, after.pmin_pu),
                ),
                (
                    GeneratorValue::PMax,
                    before.pmax_pu,
                    edited(|edit| edit.p_max, after.pmax_pu),
                ),
            ]
            .map(|(value, from, to)| LinkChange { row, value, from, to })
        });
        let acts = |change: &LinkChange| change.from != change.to && case.network.links[change.row].in_service;
        changes.filter(acts).collect()
    }

    /// Errors: `LINK.NO_PREVIEW` for a link whose edit differs from that of another state, with `limits_move` in more than its limits.
    pub(super) fn check_link_preview(&self, case: &Case, state: &Edits, limits_move: bool) -> Result<()> {
        let (own, other) = (&self.network.links, &state.network.links);
        let rest = |edit: Option<&LinkEdit>| {
            let mut edit = edit.cloned().unwrap_or_default();
            if limits_move {
                (edit.p_min, edit.p_max) = (None, None);
            }
            edit
        };
        let mut rows = own.keys().chain(other.keys());
        let Some(&row) = rows.find(|row| rest(own.get(row)) != rest(other.get(row))) else {
            return Ok(());
        };
        let element = ElementRef::from(&case.network.links[row]);
        let message = message!("edit.link_preview", link = &element);
        Err(EngineError::new("LINK.NO_PREVIEW", message).at(element))
    }
}
