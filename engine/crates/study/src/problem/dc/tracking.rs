//! A track as a job: down from the committed state, up from it, then the explanations of its stops.

use super::sensitivity::check_not_all_fixed;
use super::track::{DcPath, MOST_BREAKPOINTS};
use super::track_course::{direction, step};
use super::track_pieces::{begins_inside, Joined};
use super::track_stop::interrupted;
use super::DcState;
use crate::contract as c;
use crate::edits::ColumnTarget;
use crate::problem::work::{Adopted, Product, Work};
use crate::problem::Course;
use crate::results::Reply;
use std::sync::Arc;
use wattbook_network::error::Result;
use wattbook_solve::dc::{self, DualActiveSet, Following};
use wattbook_solve::vocabulary::Direction;

/// Fraction of the work for following the path where stops are explained as well.
const FOLLOWING: f64 = 0.7;

/// A path in progress, from the state that it was requested for.
#[derive(Debug)]
pub(super) struct Tracking {
    state: Arc<DcState>,
    course: Course,
    low_mw: f64,
    high_mw: f64,
    /// The range of valid positions.
    reach_mw: (f64, f64),
    start_mw: f64,
    start: Arc<DcState>,
    /// One more unit of the target.
    along: Direction,
    start_is_inside: bool,
    joined: Joined,
    phase: Phase,
    fraction: f64,
}

#[derive(Debug)]
enum Phase {
    Below(Box<Following>),
    Above(Box<Following>),
    Explain(Vec<Question>),
    Done,
}

/// The contradiction past one end of a path and at the goal beyond it.
#[derive(Debug)]
struct Question {
    is_low: bool,
    /// The goal, and the position just past the stop.
    at_mw: [f64; 2],
    /// The search in progress.
    search: Option<Box<dc::Explaining>>,
    found: Vec<Option<dc::Explanation>>,
}

impl Question {
    fn is_open(&self) -> bool {
        self.found.len() < self.at_mw.len()
    }
}

impl Tracking {
    /// Errors: `SOLVE.*` where both ends lie on one side of the state and the nearer one has no optimum, `GENERATOR.NO_PREVIEW`,
    /// `LINK.NO_PREVIEW`.
    pub fn new(state: Arc<DcState>, course: &Course) -> Result<Self> {
        let (low_mw, high_mw) = (course.from_mw.min(course.to_mw), course.from_mw.max(course.to_mw));
        let start_mw = state.position_mw(course.target).clamp(low_mw, high_mw);
        let start = state.at_position(course.target, start_mw)?;
        if let ColumnTarget::Generator(row, _) = course.target {
            check_not_all_fixed(start.dc(), row)?;
        }
        let along = direction(start.dc(), course.target)?;
        let mut tracking = Self {
            reach_mw: state.reach_mw(course.target),
            state,
            course: *course,
            low_mw,
            high_mw,
            start_mw,
            start,
            along,
            start_is_inside: true,
            joined: Joined::default(),
            phase: Phase::Done,
            fraction: 0.0,
        };
        tracking.phase = tracking.first();
        Ok(tracking)
    }

    /// MW or degrees per unit of a position of the solver.
    fn unit(&self) -> f64 {
        step(self.state.dc(), self.course.target)
    }

    fn follow(&self, sign: f64, length_mw: f64) -> Box<Following> {
        let direction = self.along.times(sign);
        let length = length_mw / self.unit();
        let start = self.start.solution.clone();
        Box::new(Following::new(start, direction, length, MOST_BREAKPOINTS))
    }

    /// Whether no limit after an outage breaks on a path; otherwise the start has the rows of those that do, and the
    /// path is followed again.
    fn is_secure(&mut self, path: &dc::Path, sign: f64) -> Result<bool> {
        let Some(start) = self.start.beyond(path, &self.along.times(sign))? else {
            return Ok(true);
        };
        self.start = Arc::new(start);
        self.along = direction(self.start.dc(), self.course.target)?;
        Ok(false)
    }

    fn first(&mut self) -> Phase {
        let floor_mw = self.reach_mw.0.min(self.start_mw);
        if self.low_mw >= self.start_mw {
            return self.second();
        }
        if floor_mw >= self.start_mw {
            self.joined.low = Some(self.state.used_up(floor_mw, self.course.target));
            return self.second();
        }
        Phase::Below(self.follow(-1.0, self.start_mw - self.low_mw.max(floor_mw)))
    }

    fn second(&mut self) -> Phase {
        if self.high_mw > self.start_mw || self.joined.pieces.is_empty() {
            let end_mw = self.high_mw.min(self.reach_mw.1).max(self.start_mw);
            return Phase::Above(self.follow(1.0, end_mw - self.start_mw));
        }
        self.third()
    }

    fn third(&mut self) -> Phase {
        let goals = [
            (true, &self.joined.low, self.low_mw.max(self.reach_mw.0)),
            (false, &self.joined.high, self.high_mw.min(self.reach_mw.1)),
        ];
        let questions = goals.into_iter().filter_map(|(is_low, stop, goal_mw)| {
            let stop = stop.as_ref()?;
            let explains = self.course.explain && stop.reason == c::TrackStopReason::Infeasible;
            explains.then(|| Question {
                is_low,
                at_mw: [goal_mw, DcState::past(stop, goal_mw)],
                search: None,
                found: Vec::new(),
            })
        });
        match questions.collect::<Vec<_>>() {
            none if none.is_empty() => Phase::Done,
            questions => Phase::Explain(questions),
        }
    }

    fn took_below(&mut self, path: dc::Path) {
        let (start_mw, step) = (self.start_mw, self.unit());
        let target = self.course.target;
        let stopped = path.stopped.clone();
        self.start_is_inside = begins_inside(&path) && !self.start.is_at_corner(target);
        self.joined.add_below(path, start_mw, step);
        self.joined.low = self.state.stop(stopped, start_mw, -step, target);
        let floor_mw = self.reach_mw.0.min(start_mw);
        if self.joined.low.is_none() && self.low_mw < floor_mw {
            self.joined.low = Some(self.state.used_up(floor_mw, target));
        }
    }

    fn took_above(&mut self, path: dc::Path) {
        let (start_mw, step) = (self.start_mw, self.unit());
        let target = self.course.target;
        self.joined.high = self.state.stop(path.stopped.clone(), start_mw, step, target);
        let ceiling_mw = self.reach_mw.1.max(start_mw);
        if self.joined.high.is_none() && self.high_mw > ceiling_mw {
            self.joined.high = Some(self.state.used_up(ceiling_mw, target));
        }
        let start = &self.start;
        let at_start = || start.at_start(target);
        self.joined
            .add_above(path, (start_mw, step), self.start_is_inside, at_start);
    }

    /// Works on the first open question; true once all are answered. Where a search or one of its checks fails, the
    /// stop retains the solver's contradiction.
    fn answer(&mut self, questions: &mut [Question], budget: u32) -> bool {
        let Some(question) = questions.iter_mut().find(|q| q.is_open()) else {
            return true;
        };
        let search = match question.search.take() {
            Some(search) => Ok(search),
            None => {
                let mw = question.at_mw[question.found.len()];
                self.state.explaining(self.course.target, mw).map(Box::new)
            }
        };
        let advanced = search.and_then(|mut search| Ok((search.step(budget as usize)?, search)));
        match advanced {
            Ok((false, search)) => question.search = Some(search),
            ended => {
                let explanation = ended.ok().and_then(|(_, search)| search.explanation);
                question.found.push(explanation);
            }
        }
        if let [None] = question.found[..] {
            // Without an answer at the goal, the other answer is of no use.
            question.found.push(None);
        }
        if let [goal, past] = &question.found[..] {
            let stop = match question.is_low {
                true => &mut self.joined.low,
                false => &mut self.joined.high,
            };
            if let Some(stop) = stop {
                let found = (goal.as_ref(), past.as_ref());
                self.state.tell_stop(self.course.target, stop, question.at_mw[0], found);
            }
        }
        !questions.iter().any(Question::is_open)
    }

    fn progress(&self, done: bool, at_mw: f64) -> c::JobStep {
        c::JobStep {
            done,
            fraction: if done { 1.0 } else { self.fraction },
            at_mw: Some(at_mw),
            ..c::JobStep::default()
        }
    }

    /// The current position and the fraction of the work that is done.
    fn place(&self) -> (f64, f64) {
        let step = self.unit();
        let whole = (self.high_mw - self.low_mw).max(f64::MIN_POSITIVE);
        let most = if self.course.explain { FOLLOWING } else { 1.0 };
        let end_mw = |stop: &Option<c::TrackStop>, goal: f64| stop.as_ref().map_or(goal, |stop| stop.mw);
        match &self.phase {
            Phase::Below(path) => {
                let down = step * path.position();
                (self.start_mw - down, most * down / whole)
            }
            Phase::Above(path) => {
                let up = step * path.position();
                (self.start_mw + up, most * (self.start_mw - self.low_mw + up) / whole)
            }
            Phase::Explain(questions) => {
                let done = |q: &Question| {
                    let running = q.search.as_ref().map_or(0.0, |search| search.fraction());
                    (q.found.len() as f64 + running) / q.at_mw.len() as f64
                };
                let part = questions.iter().map(done).sum::<f64>() / questions.len().max(1) as f64;
                (
                    end_mw(&self.joined.high, self.high_mw),
                    FOLLOWING + (1.0 - FOLLOWING) * part,
                )
            }
            Phase::Done => (end_mw(&self.joined.high, self.high_mw), 1.0),
        }
    }
}

impl Work for Tracking {
    /// One unit of budget is a region of the path, or about a millisecond of a search.
    fn step(&mut self, budget: u32) -> Result<c::JobStep> {
        let regions = budget as usize;
        self.phase = match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Below(mut path) => match path.step(&DualActiveSet, &self.start.dc().model, regions) {
                true => {
                    let path = path.finish();
                    match self.is_secure(&path, -1.0)? {
                        true => {
                            self.took_below(path);
                            self.second()
                        }
                        false => self.first(),
                    }
                }
                false => Phase::Below(path),
            },
            Phase::Above(mut path) => match path.step(&DualActiveSet, &self.start.dc().model, regions) {
                true => {
                    let path = path.finish();
                    match self.is_secure(&path, 1.0)? {
                        true => {
                            self.took_above(path);
                            self.third()
                        }
                        false => self.second(),
                    }
                }
                false => Phase::Above(path),
            },
            Phase::Explain(mut questions) => match self.answer(&mut questions, budget) {
                true => Phase::Done,
                false => Phase::Explain(questions),
            },
            Phase::Done => Phase::Done,
        };
        let (at_mw, fraction) = self.place();
        self.fraction = fraction.clamp(self.fraction, 1.0);
        Ok(self.progress(matches!(self.phase, Phase::Done), at_mw))
    }

    /// The part followed so far.
    fn finish(mut self: Box<Self>) -> Result<Product> {
        let (step, target) = (self.unit(), self.course.target);
        match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Below(path) => {
                let at_mw = self.start_mw - step * path.position();
                self.took_below(path.finish());
                self.joined.low = Some(interrupted(at_mw, target));
                self.joined.high = Some(interrupted(self.start_mw, target));
            }
            Phase::Above(path) => {
                let at_mw = self.start_mw + step * path.position();
                self.took_above(path.finish());
                self.joined.high = Some(interrupted(at_mw, target));
            }
            Phase::Explain(_) | Phase::Done => {}
        }
        let Course {
            target, from_mw, to_mw, ..
        } = self.course;
        let watched = self
            .course
            .watch
            .unwrap_or_else(|| self.state.watched(target, &self.joined.pieces));
        let track = self.state.describe(target, watched, (from_mw, to_mw), &self.joined);
        // The start of a secured path has the rows of its limits.
        let start = if self.state.pool.is_some() {
            &self.start
        } else {
            &self.state
        };
        let path = DcPath::new(start, target, self.joined, from_mw > to_mw);
        Ok(Product {
            reply: Reply::new(&track, Vec::new()),
            adopted: Adopted::Path(self.state, Arc::new(path)),
        })
    }
}
