//! Why a track ends before its goal.

use super::track::MOST_BREAKPOINTS;
use super::{explain, DcState};
use crate::contract as c;
use crate::convert::plain;
use crate::edits::Target;
use wattbook_solve::dc::Stop;

/// How far past a stop its contradiction is looked at, MW.
const PAST_MW: f64 = 0.01;

impl DcState {
    pub(super) fn stop(
        &self,
        stopped: Option<(f64, Stop)>,
        start_mw: f64,
        step_mw: f64,
        target: Target,
    ) -> Option<c::TrackStop> {
        let (position, stop) = stopped?;
        let mw = start_mw + step_mw * position;
        let (reason, message, error) = match stop {
            Stop::EditLimit => return Some(used_up(mw, target)),
            Stop::NoSolution(error) => {
                let place = self.place(target, mw, step_mw > 0.0);
                let message = format!("No solution {place}: {}.", explain::reason_of(&error));
                (c::TrackStopReason::Infeasible, message, Some(error))
            }
            Stop::NotFollowed(error) => (c::TrackStopReason::NotFollowed, error.message.clone(), Some(error)),
            Stop::TooManyBreakpoints => {
                let message = format!(
                    "The track has {MOST_BREAKPOINTS} breakpoints up to {mw:.3} MW; ask for another one from there on."
                );
                (c::TrackStopReason::TooManyBreakpoints, message, None)
            }
        };
        Some(c::TrackStop {
            mw: plain(mw),
            reason,
            message,
            error: error.as_ref().map(crate::error_body),
            explanation: None,
        })
    }

    /// Says what contradicts just past a stop, and what the least relaxation is that reaches the goal. Where a check of these
    /// fails the message keeps the contradiction of the solver, which is verified as well.
    pub(super) fn explain_stop(&self, target: Target, stop: &mut c::TrackStop, goal_mw: f64) {
        let explained = |mw: f64| {
            let data = self.dc().data(&self.edits.moved(target, mw)).ok()?;
            self.dc().explain(&data).ok().flatten()
        };
        let Some(at_goal) = explained(goal_mw) else { return };
        let beyond = goal_mw - stop.mw;
        let past_mw = stop.mw + beyond.signum() * PAST_MW.min(0.5 * beyond.abs());
        if let Some(past) = explained(past_mw) {
            let place = self.place(target, stop.mw, beyond > 0.0);
            stop.message = format!("No solution {place}: {}.", explain::without_amount(&past.reason));
        }
        let goal = explain::amount(self.absolute(target, goal_mw));
        let remedy = at_goal.remedy.replacen(':', &format!(" to reach {goal}:"), 1);
        stop.message = format!("{} {remedy}", stop.message);
        stop.explanation = Some(at_goal);
    }

    /// Demand or rating at a position, MW.
    fn absolute(&self, target: Target, mw: f64) -> f64 {
        let base = match target {
            Target::Demand(row) => self.dc().base.demand[row],
            Target::Rating(row) => self.dc().base.rating[row],
        };
        base * self.dc().case.network.base_mva + mw
    }

    /// "above 152.7 MW at bus 474".
    fn place(&self, target: Target, mw: f64, rising: bool) -> String {
        let network = &self.dc().case.network;
        let element = match target {
            Target::Demand(row) => format!("at bus {}", network.buses[row].id),
            Target::Rating(row) => format!("on line {}", network.branches[row].id),
        };
        let side = if rising { "above" } else { "below" };
        let mw = explain::within(self.absolute(target, mw), rising);
        format!("{side} {} {element}", explain::amount(mw))
    }
}

pub(super) fn used_up(mw: f64, target: Target) -> c::TrackStop {
    let what = match target {
        Target::Demand(_) => "demand of the bus",
        Target::Rating(_) => "rating of the branch",
    };
    c::TrackStop {
        mw: plain(mw),
        reason: c::TrackStopReason::EditLimit,
        message: format!("The {what} reaches zero."),
        error: None,
        explanation: None,
    }
}
