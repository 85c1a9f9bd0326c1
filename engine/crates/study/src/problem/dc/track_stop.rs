//! Why a track ends before its goal.

use super::track::MOST_BREAKPOINTS;
use super::{explain, DcState};
use crate::contract as c;
use crate::contract::GeneratorValue;
use crate::convert::{plain, sentence};
use crate::edits::{degrees, ColumnTarget, Target};
use wattbook_network::analysis::ElementRef;
use wattbook_network::error::EngineError;
use wattbook_network::message;
use wattbook_network::message::amounts::mw;
use wattbook_network::message::{Message, Value};
use wattbook_solve::dc::{self, Stop};

/// Distance past a stop at which its contradiction is examined, MW.
const PAST_MW: f64 = 0.01;
/// Limits this close, relative to 1 + limit, have met, MW.
const MET_MW: f64 = 1e-6;

impl DcState {
    pub(super) fn stop(
        &self,
        stopped: Option<(f64, Stop)>,
        start_mw: f64,
        step_mw: f64,
        target: ColumnTarget,
    ) -> Option<c::TrackStop> {
        let (position, stop) = stopped?;
        let mw = start_mw + step_mw * position;
        let (reason, message, error) = match stop {
            Stop::EditLimit => return Some(self.used_up(mw, target)),
            Stop::NoSolution(error) => {
                let message = match explain::reason_of(&error) {
                    Some(reason) => self.no_solution(target, mw, step_mw > 0.0, reason.clone()),
                    None => (*error.sentence).clone(),
                };
                (c::TrackStopReason::Infeasible, message, Some(error))
            }
            Stop::NotFollowed(error) => (c::TrackStopReason::NotFollowed, (*error.sentence).clone(), Some(error)),
            Stop::TooManyBreakpoints => {
                let message = message!(
                    "stop.breakpoints",
                    breakpoints = MOST_BREAKPOINTS,
                    position = target.position(mw)
                );
                (c::TrackStopReason::TooManyBreakpoints, message, None)
            }
        };
        Some(stop_at(mw, reason, &message, error.as_ref()))
    }

    /// The position just past a stop at which the contradiction is examined.
    pub(super) fn past(stop: &c::TrackStop, goal_mw: f64) -> f64 {
        let beyond = goal_mw - stop.mw;
        stop.mw + beyond.signum() * PAST_MW.min(0.5 * beyond.abs())
    }

    /// Adds to a stop the contradiction just past it, and the minimum relaxation that reaches the goal. `None` stands
    /// for a failed check: the message then retains the solver's contradiction, which is verified as well.
    pub(super) fn tell_stop(
        &self,
        target: ColumnTarget,
        stop: &mut c::TrackStop,
        goal_mw: f64,
        (at_goal, past): (Option<&dc::Explanation>, Option<&dc::Explanation>),
    ) {
        let Some(at_goal) = at_goal else { return };
        let explained = past.map(|past| {
            let message = self.no_solution(target, stop.mw, goal_mw > stop.mw, past.bare_reason.clone());
            (message.to_string(), sentence(&message))
        });
        let (message, first) = explained.unwrap_or_else(|| (stop.message.clone(), stop.sentence.clone()));
        let remedy = at_goal.remedy(Some(self.value_at(target, goal_mw)));
        stop.message = format!("{message} {remedy}");
        stop.sentence = c::Message {
            key: "stop.explained".into(),
            values: [("stop", first), ("remedy", sentence(&remedy))]
                .map(|(name, part)| (name.into(), c::MessageValue::Message(part)))
                .into(),
        };
        stop.explanation = Some(explain::named_explanation(&self.dc().case.network, at_goal));
    }

    /// Demand, rating, limit or phase shift at a position, as messages state it.
    fn value_at(&self, target: ColumnTarget, position: f64) -> Value {
        let value = self.absolute_mw(target, position);
        match target {
            ColumnTarget::Shift(_) => degrees(value),
            ColumnTarget::Edit(_)
            | ColumnTarget::Generator(..)
            | ColumnTarget::Link(..)
            | ColumnTarget::Interface(..) => mw(value),
        }
    }

    /// "No solution above 152.7 MW at bus 474: ...".
    fn no_solution(&self, target: ColumnTarget, position_mw: f64, rising: bool, reason: Message) -> Message {
        let network = &self.dc().case.network;
        let limit = mw(explain::within(self.absolute_mw(target, position_mw), rising));
        match (target, rising) {
            (ColumnTarget::Edit(Target::Demand(row)), true) => {
                let bus = ElementRef::from(&network.buses[row]);
                message!("stop.demand_above", limit = limit, element = &bus, reason = reason)
            }
            (ColumnTarget::Edit(Target::Demand(row)), false) => {
                let bus = ElementRef::from(&network.buses[row]);
                message!("stop.demand_below", limit = limit, element = &bus, reason = reason)
            }
            (ColumnTarget::Edit(Target::Rating(row)), true) => {
                let branch = ElementRef::from(&network.branches[row]);
                message!("stop.rating_above", limit = limit, element = &branch, reason = reason)
            }
            (ColumnTarget::Edit(Target::Rating(row)), false) => {
                let branch = ElementRef::from(&network.branches[row]);
                message!("stop.rating_below", limit = limit, element = &branch, reason = reason)
            }
            (ColumnTarget::Shift(row), _) => {
                let branch = ElementRef::from(&network.branches[row]);
                let value = self.absolute_mw(target, position_mw);
                // Rounded towards the path, on which a solution exists.
                let limit = degrees(
                    if rising {
                        (value * 1e3).floor()
                    } else {
                        (value * 1e3).ceil()
                    } / 1e3,
                );
                match rising {
                    true => message!("stop.shift_above", limit = limit, element = &branch, reason = reason),
                    false => message!("stop.shift_below", limit = limit, element = &branch, reason = reason),
                }
            }
            (ColumnTarget::Generator(row, GeneratorValue::PMin), _) => {
                let unit = ElementRef::from(&network.generators[row]);
                message!("stop.minimum_above", limit = limit, element = &unit, reason = reason)
            }
            (ColumnTarget::Generator(row, _), _) => {
                let unit = ElementRef::from(&network.generators[row]);
                message!("stop.maximum_below", limit = limit, element = &unit, reason = reason)
            }
            (ColumnTarget::Link(row, GeneratorValue::PMin), true) => {
                let link = ElementRef::from(&network.links[row]);
                message!(
                    "stop.link_minimum_above",
                    limit = limit,
                    element = &link,
                    reason = reason
                )
            }
            (ColumnTarget::Link(row, GeneratorValue::PMin), false) => {
                let link = ElementRef::from(&network.links[row]);
                message!(
                    "stop.link_minimum_below",
                    limit = limit,
                    element = &link,
                    reason = reason
                )
            }
            (ColumnTarget::Link(row, _), true) => {
                let link = ElementRef::from(&network.links[row]);
                message!(
                    "stop.link_maximum_above",
                    limit = limit,
                    element = &link,
                    reason = reason
                )
            }
            (ColumnTarget::Link(row, _), false) => {
                let link = ElementRef::from(&network.links[row]);
                message!(
                    "stop.link_maximum_below",
                    limit = limit,
                    element = &link,
                    reason = reason
                )
            }
            (ColumnTarget::Interface(..), _) => {
                let of = target.element(&self.dc().case, self.dc());
                match rising {
                    true => message!("stop.interface_above", limit = limit, element = &of, reason = reason),
                    false => message!("stop.interface_below", limit = limit, element = &of, reason = reason),
                }
            }
        }
    }

    /// The stop where the target cannot move further.
    pub(super) fn used_up(&self, mw: f64, target: ColumnTarget) -> c::TrackStop {
        let message = match target {
            ColumnTarget::Edit(Target::Demand(_)) => message!("stop.demand_zero"),
            ColumnTarget::Edit(Target::Rating(_)) => message!("stop.rating_zero"),
            ColumnTarget::Generator(..) => message!("stop.limits_meet"),
            ColumnTarget::Link(row, value) => {
                let link = ElementRef::from(&self.dc().case.network.links[row]);
                let other = match value {
                    GeneratorValue::PMin => GeneratorValue::PMax,
                    _ => GeneratorValue::PMin,
                };
                let other_mw = self.position_mw(ColumnTarget::Link(row, other));
                match (mw - other_mw).abs() <= MET_MW * (1.0 + other_mw.abs()) {
                    true => message!("stop.link_limits_meet", link = &link),
                    false => message!("stop.link_reverses", link = &link),
                }
            }
            ColumnTarget::Shift(_) => message!("stop.shift_limits"),
            ColumnTarget::Interface(..) => {
                let interface = target.element(&self.dc().case, self.dc());
                message!("stop.interface_limits_meet", interface = &interface)
            }
        };
        stop_at(mw, c::TrackStopReason::EditLimit, &message, None)
    }
}

fn stop_at(mw: f64, reason: c::TrackStopReason, message: &Message, error: Option<&EngineError>) -> c::TrackStop {
    c::TrackStop {
        mw: plain(mw),
        reason,
        message: message.to_string(),
        sentence: sentence(message),
        error: error.map(crate::convert::error_body),
        explanation: None,
    }
}

/// The stop of a track that was ended early.
pub(super) fn interrupted(mw: f64, target: ColumnTarget) -> c::TrackStop {
    let message = message!("stop.interrupted", position = target.position(mw));
    stop_at(mw, c::TrackStopReason::Interrupted, &message, None)
}
