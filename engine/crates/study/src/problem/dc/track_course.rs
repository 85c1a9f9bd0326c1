//! The axis of a track: a demand or a rating in MW from the base case, a limit of a generator, a link or an interface in MW, or a phase shift in
//! degrees.

use super::{Dc, DcOpf, DcState};
use crate::contract::{GeneratorValue, InterfaceValue};
use crate::edits::{ColumnTarget, Edits, Parts, Target};
use crate::problem::stepping::at;
use std::sync::Arc;
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::dc::{self, DcData, DcModel, LinkLimit, MovingLink};
use wattbook_solve::vocabulary::Direction;

/// How the program moves with a limit of a link (dense row), `PMin` or `PMax`.
///
/// Errors: `LINK.NO_PREVIEW` where the power of the link is fixed or has one direction because both would burn power, and where
/// another limit would change the columns of the link.
pub(super) fn moving_link(dc: &Dc, row: usize, value: GeneratorValue) -> Result<MovingLink> {
    let limit = match value {
        GeneratorValue::PMin => LinkLimit::Min,
        GeneratorValue::PMax | GeneratorValue::Cost => LinkLimit::Max,
    };
    let moving = dc.model.moving_link(row, &dc.case.network.links[row], limit);
    moving.ok_or_else(|| no_link_path(dc, row))
}

/// The error for a limit of a link that no path can move.
pub(super) fn no_link_path(dc: &Dc, row: usize) -> EngineError {
    let link = &dc.case.network.links[row];
    let element = ElementRef::from(link);
    let is_directed = dc.model.directed_links().iter().any(|(directed, _)| *directed == row);
    let message = match (is_directed, link.pmin_pu == link.pmax_pu) {
        (true, _) => message!("edit.link_directed", link = &element),
        (false, true) => message!("edit.link_fixed", link = &element),
        (false, false) => message!("edit.link_reversed_limit", link = &element),
    };
    EngineError::new("LINK.NO_PREVIEW", message).at(element)
}

/// The direction of one more unit of a target, in the units of the solver. A phase shift is measured by the power that it moves, so that
/// steps have the size of those of other targets.
///
/// Errors: `LINK.NO_PREVIEW`.
pub(super) fn direction(dc: &Dc, target: ColumnTarget) -> Result<Direction> {
    Ok(match target {
        ColumnTarget::Edit(target) => dc.model.with_following(&dc::Target::from(target).into()),
        ColumnTarget::Generator(row, GeneratorValue::PMin) => Direction {
            output_min: vec![(row, 1.0)],
            ..Direction::default()
        },
        ColumnTarget::Generator(row, GeneratorValue::PMax) => Direction {
            output_max: vec![(row, 1.0)],
            ..Direction::default()
        },
        ColumnTarget::Generator(row, GeneratorValue::Cost) => Direction {
            cost: vec![(row, 1.0)],
            ..Direction::default()
        },
        ColumnTarget::Link(row, GeneratorValue::Cost) => dc.model.link_cost(row),
        ColumnTarget::Link(row, value) => moving_link(dc, row, value)?.direction,
        ColumnTarget::Shift(row) => Direction::of_phase_shift(row).times(dc.model.shift_per_power(row)),
        ColumnTarget::Interface(i, value) => dc.model.with_following(&Direction::of_interface(i, value.into())),
    })
}

/// MW or degrees per unit of a step along [`direction`].
pub(super) fn step(dc: &Dc, target: ColumnTarget) -> f64 {
    let step = target.step(dc.case.network.base_mva);
    match target {
        ColumnTarget::Shift(row) => step * dc.model.shift_per_power(row),
        ColumnTarget::Edit(_) | ColumnTarget::Generator(..) | ColumnTarget::Link(..) | ColumnTarget::Interface(..) => {
            step
        }
    }
}

impl DcState {
    /// The position of this state on a track of the target, MW or degrees.
    pub(super) fn position_mw(&self, target: ColumnTarget) -> f64 {
        match target {
            ColumnTarget::Edit(target) => self.edits.of(target),
            ColumnTarget::Generator(row, value) => self.limit_mw(row, value),
            ColumnTarget::Link(row, value) => self.link_limit_mw(row, value),
            ColumnTarget::Shift(row) => self.shift_degrees(row),
            ColumnTarget::Interface(i, value) => self.interface_mw(i, value),
        }
    }

    /// A limit of an interface, infinite where it has none.
    fn interface_mw(&self, i: usize, value: InterfaceValue) -> f64 {
        let limit = self.dc().interfaces().get(i);
        match value {
            InterfaceValue::MinMw => limit.and_then(|limit| limit.min_mw).unwrap_or(f64::NEG_INFINITY),
            InterfaceValue::MaxMw => limit.and_then(|limit| limit.max_mw).unwrap_or(f64::INFINITY),
        }
    }

    fn link_limit_mw(&self, row: usize, value: GeneratorValue) -> f64 {
        let network = &self.dc().case.network;
        let (link, edit) = (&network.links[row], self.edits.network.links.get(&row));
        let (edited, limit) = match value {
            GeneratorValue::PMin => (edit.and_then(|edit| edit.p_min), link.pmin_pu),
            _ => (edit.and_then(|edit| edit.p_max), link.pmax_pu),
        };
        edited.unwrap_or(limit * network.base_mva)
    }

    /// The values of a limit of a link at which its columns stay and its limits do not cross, MW.
    fn link_reach_mw(&self, row: usize, value: GeneratorValue) -> (f64, f64) {
        let base = self.dc().case.network.base_mva;
        let Ok(MovingLink { reach, .. }) = moving_link(self.dc(), row, value) else {
            let here = self.link_limit_mw(row, value);
            return (here, here);
        };
        let (low, high) = (reach.0 * base, reach.1 * base);
        match value {
            GeneratorValue::PMin => (low, high.min(self.link_limit_mw(row, GeneratorValue::PMax))),
            _ => (low.max(self.link_limit_mw(row, GeneratorValue::PMin)), high),
        }
    }

    fn shift_degrees(&self, row: usize) -> f64 {
        let edit = self.edits.network.branches.get(&row);
        let of_case = || self.dc().case.network.branches[row].shift_rad.to_degrees();
        edit.and_then(|edit| edit.shift).unwrap_or_else(of_case)
    }

    fn limit_mw(&self, row: usize, value: GeneratorValue) -> f64 {
        let network = &self.dc().case.network;
        let (unit, edit) = (&network.generators[row], self.edits.network.generators.get(&row));
        let (edited, limit) = match value {
            GeneratorValue::PMin => (edit.and_then(|edit| edit.p_min), unit.pmin_pu),
            _ => (edit.and_then(|edit| edit.p_max), unit.pmax_pu),
        };
        edited.unwrap_or(limit * network.base_mva)
    }

    /// The range of valid positions. A demand or a rating ends at zero (a demand that is negative in the file has no
    /// lower end), and the limits of a generator or a link end where they meet, those of a link with losses also at zero. A phase shift
    /// has no end of its own.
    pub(super) fn reach_mw(&self, target: ColumnTarget) -> (f64, f64) {
        let base = match target {
            ColumnTarget::Edit(Target::Demand(row)) if self.dc().base.demand[row] < 0.0 => {
                return (f64::NEG_INFINITY, f64::INFINITY);
            }
            ColumnTarget::Edit(Target::Demand(row)) => self.dc().base.demand[row],
            ColumnTarget::Edit(Target::Rating(row)) => self.dc().base.rating[row],
            ColumnTarget::Shift(_) => return (f64::NEG_INFINITY, f64::INFINITY),
            ColumnTarget::Interface(i, InterfaceValue::MinMw) => {
                return (f64::NEG_INFINITY, self.interface_mw(i, InterfaceValue::MaxMw));
            }
            ColumnTarget::Interface(i, InterfaceValue::MaxMw) => {
                return (self.interface_mw(i, InterfaceValue::MinMw), f64::INFINITY);
            }
            ColumnTarget::Link(row, value) => return self.link_reach_mw(row, value),
            ColumnTarget::Generator(row, GeneratorValue::PMin) => {
                return (f64::NEG_INFINITY, self.limit_mw(row, GeneratorValue::PMax));
            }
            ColumnTarget::Generator(row, _) => return (self.limit_mw(row, GeneratorValue::PMin), f64::INFINITY),
        };
        (-base * self.dc().case.network.base_mva, f64::INFINITY)
    }

    fn edits_at(&self, target: ColumnTarget, mw: f64) -> Edits {
        match target {
            ColumnTarget::Edit(target) => self.edits.moved(target, mw),
            ColumnTarget::Generator(row, value) => self.edits.with_limit(row, value, mw),
            ColumnTarget::Link(row, value) => self.edits.with_link_limit(&self.dc().case, row, value, mw),
            ColumnTarget::Shift(row) => self.edits.with_shift(&self.dc().case, row, mw),
            ColumnTarget::Interface(i, value) => self.edits.with_interface_limit(&self.dc().options, i, value, mw),
        }
    }

    /// The state at a position.
    ///
    /// Errors: the codes of edits, `SOLVE.*`.
    pub(super) fn at_position(self: &Arc<Self>, target: ColumnTarget, mw: f64) -> Result<Arc<Self>> {
        if mw == self.position_mw(target) {
            let limited = self.with_limit(target)?;
            return Ok(limited.map_or_else(|| Arc::clone(self), Arc::new));
        }
        let edits = self.edits_at(target, mw);
        match target {
            ColumnTarget::Edit(_) => return at(self, &edits),
            ColumnTarget::Generator(row, _) => edits.check_generator(&self.dc().case, row)?,
            ColumnTarget::Link(row, _) => edits.check_link(&self.dc().case, row)?,
            ColumnTarget::Shift(row) => edits.check_branch(&self.dc().case, row)?,
            ColumnTarget::Interface(..) => {}
        }
        let there = Arc::new(DcOpf(self.with_network(&edits)?)).cold(&edits)?;
        Ok(there.with_limit(target)?.map_or(there, Arc::new))
    }

    fn with_network(&self, edits: &Edits) -> Result<Dc> {
        let Dc { case, options, .. } = self.dc();
        Dc::secured(&case.with_network(&edits.network), options)
    }

    /// The search for the contradiction at a position.
    ///
    /// Errors: the codes of edits, `PHYSICS.UNSUPPORTED`.
    pub(super) fn explaining(&self, target: ColumnTarget, mw: f64) -> Result<dc::Explaining> {
        let edits = self.edits_at(target, mw);
        let explain = |model: &DcModel, data: DcData| dc::Explaining::new(model, &data);
        match target {
            ColumnTarget::Edit(_) | ColumnTarget::Interface(..) => {
                explain(self.dc().network_model(), self.dc().data(&edits)?)
            }
            ColumnTarget::Generator(..) | ColumnTarget::Link(..) | ColumnTarget::Shift(_) => {
                let there = self.with_network(&edits)?;
                explain(&there.model, there.data(&edits)?)
            }
        }
    }

    /// Demand, rating or limit at a position, MW, or phase shift, degrees.
    pub(super) fn absolute_mw(&self, target: ColumnTarget, mw: f64) -> f64 {
        let base = match target {
            ColumnTarget::Edit(Target::Demand(row)) => self.dc().base.demand[row],
            ColumnTarget::Edit(Target::Rating(row)) => self.dc().base.rating[row],
            ColumnTarget::Generator(..)
            | ColumnTarget::Link(..)
            | ColumnTarget::Shift(_)
            | ColumnTarget::Interface(..) => return mw,
        };
        base * self.dc().case.network.base_mva + mw
    }
}
