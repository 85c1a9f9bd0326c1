//! The exact path of the optimum along one demand, one rating, or one limit of a generator, a link or an interface, on an axis in MW, or along one
//! phase shift, on an axis in degrees.

use super::results::{columns, Numbers};
use super::security::interface_of;
use super::sensitivity::event;
use super::track_course::{direction, step};
use super::track_pieces::{Crossing, Joined, Piece};
use super::{Dc, DcState};
use crate::contract::{self as c, Column};
use crate::convert::{self, plain};
use crate::edits::{difference, ColumnTarget, Edits, Target};
use crate::problem::{Along, Path};
use crate::results::dense;
use std::borrow::Cow;
use std::sync::Arc;
use wattbook_network::analysis::{Generator, Link};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_solve::dc::{self, DualActiveSet, End};
use wattbook_solve::vocabulary::Direction;

/// Largest number of breakpoints on each side of the committed state.
pub(super) const MOST_BREAKPOINTS: usize = 500;
/// Positions this close, relative to 1 + position, count as one, MW.
const SAME_MW: f64 = 1e-7;

/// Steps this small count as zero, per unit.
const HERE: f64 = 1e-9;

/// Rounding error by which a position may lie beyond an end of a path, MW.
const SLACK_MW: f64 = 1e-7;

/// A path in ascending MW.
#[derive(Debug)]
pub(super) struct DcPath {
    /// The state from which the path starts, and the parameter that moves.
    state: Arc<DcState>,
    target: ColumnTarget,
    pieces: Vec<Piece>,
    /// The track runs downwards, so segments are counted from the last piece.
    falling: bool,
}

impl DcPath {
    pub(super) fn new(state: &Arc<DcState>, target: ColumnTarget, joined: Joined, falling: bool) -> Self {
        Self {
            state: Arc::clone(state),
            target,
            pieces: joined.pieces,
            falling,
        }
    }
}

impl Path for DcPath {
    fn prices(&self, mw: f64) -> Result<Vec<f64>> {
        let (mw, _, piece) = self.piece_at(mw)?;
        let position = piece.position(mw);
        let Dc { case, model, .. } = self.state.dc();
        let (rows, base) = (case.network.buses.len(), case.network.base_mva);
        let price = |bus| piece.region.price_at(bus, position) / base;
        Ok(dense(rows, |bus| model.bus_is_active(bus), price))
    }

    fn columns(&self, mw: f64) -> Result<Vec<Column>> {
        let (mw, _, piece) = self.piece_at(mw)?;
        let position = piece.position(mw);
        let (dc, region) = (self.state.dc(), &piece.region);
        let mut data = match self.target {
            ColumnTarget::Edit(target) => {
                let step = (mw - self.state.edits.of(target)) / dc.case.network.base_mva;
                self.state.solution.data.moved(&direction(dc, self.target)?, step)
            }
            ColumnTarget::Generator(..)
            | ColumnTarget::Link(..)
            | ColumnTarget::Shift(_)
            | ColumnTarget::Interface(..) => self.state.solution.data.clone(),
        };
        if self.state.pool.is_some() {
            // A program with ratings that may be exceeded has none of them.
            let own = self.state.dc().data(&self.state.edits)?;
            let step = (mw - self.state.position_mw(self.target)) / step(dc, self.target);
            data.rating = match self.target {
                ColumnTarget::Edit(target) => own.moved(&dc::Target::from(target).into(), step).rating,
                ColumnTarget::Generator(..)
                | ColumnTarget::Link(..)
                | ColumnTarget::Shift(_)
                | ColumnTarget::Interface(..) => own.rating,
            };
        }
        let dispatch = region.dispatch_at(position);
        let model = match self.target {
            ColumnTarget::Shift(_) => {
                let moved = mw - self.state.position_mw(self.target);
                dc.model.at(&direction(dc, self.target)?, moved / step(dc, self.target))
            }
            ColumnTarget::Edit(_)
            | ColumnTarget::Generator(..)
            | ColumnTarget::Link(..)
            | ColumnTarget::Interface(..) => Cow::Borrowed(&*dc.model),
        };
        let (theta, flow) = model.angles_and_flows(&data.demand, &dispatch);
        let mut shadow = vec![0.0; flow.len()];
        for (branch, value) in region.shadows_at(&dc.model, position) {
            shadow[branch] = value;
        }
        Ok(columns(
            dc,
            &Numbers {
                demand: &data.demand,
                rating: &data.rating,
                price: &region.prices_at(position),
                theta: &theta,
                flow: &flow,
                shadow: &shadow,
                dispatch: &dispatch,
                generators: &self.generators_at(mw),
                links: &self.links_at(mw),
            },
        ))
    }

    fn state(&self, mw: f64) -> Result<c::TrackState> {
        let (mw, segment, piece) = self.piece_at(mw)?;
        let Dc { case, model, .. } = self.state.dc();
        let network = &case.network;
        let shadows = piece.region.shadows_at(model, piece.position(mw)).into_iter();
        Ok(c::TrackState {
            mw,
            objective: piece.objective(mw),
            exact: true,
            segment: segment as u32,
            binding: shadows
                .filter_map(|(row, shadow)| {
                    let (limit, branch) = model.limit_of(row);
                    let branch = branch?;
                    Some(c::TrackBinding {
                        branch: network.branches[branch].id,
                        uid: network.branches[branch].uid.clone(),
                        outage: limit.outage().branches,
                        generators_out: limit.outage().generators,
                        interface: interface_of(limit),
                        shadow: plain(shadow.abs() / network.base_mva),
                    })
                })
                .collect(),
        })
    }
}

impl DcPath {
    /// The generators of the case with the moving limit at a position.
    fn generators_at(&self, mw: f64) -> Cow<'_, [Generator]> {
        let network = &self.state.dc().case.network;
        let ColumnTarget::Generator(row, value) = self.target else {
            return Cow::Borrowed(&network.generators);
        };
        let mut generators = network.generators.clone();
        let limit = mw / network.base_mva;
        match value {
            c::GeneratorValue::PMin => generators[row].pmin_pu = limit,
            _ => generators[row].pmax_pu = limit,
        }
        Cow::Owned(generators)
    }

    /// The links of the case with the moving limit at a position.
    fn links_at(&self, mw: f64) -> Cow<'_, [Link]> {
        let network = &self.state.dc().case.network;
        let ColumnTarget::Link(row, value) = self.target else {
            return Cow::Borrowed(&network.links);
        };
        let mut links = network.links.clone();
        let limit = mw / network.base_mva;
        match value {
            c::GeneratorValue::PMin => links[row].pmin_pu = limit,
            _ => links[row].pmax_pu = limit,
        }
        Cow::Owned(links)
    }

    /// A position clamped to the path, the piece that contains it and its number as a segment; at a breakpoint the
    /// piece before it in the direction of the track.
    fn piece_at(&self, mw: f64) -> Result<(f64, usize, &Piece)> {
        let pieces = &self.pieces;
        let position = || self.target.position(mw);
        let Some((from, to)) = pieces.first().zip(pieces.last()).map(|(a, b)| (a.from_mw, b.to_mw)) else {
            return Err(EngineError::new(
                "TRACK.OUTSIDE",
                message!("track.empty", position = position()),
            ));
        };
        if !(from - SLACK_MW <= mw && mw <= to + SLACK_MW) {
            let [from, to] = [from, to].map(|end| self.target.position(end));
            let message = message!("track.outside", position = position(), from = from, to = to);
            return Err(EngineError::new("TRACK.OUTSIDE", message));
        }
        let mw = mw.max(from).min(to);
        let last = pieces.len() - 1;
        if self.falling {
            let k = pieces.partition_point(|p| p.from_mw <= mw).max(1) - 1;
            Ok((mw, last - k, &pieces[k]))
        } else {
            let k = pieces.partition_point(|p| p.to_mw < mw).min(last);
            Ok((mw, k, &pieces[k]))
        }
    }
}

/// See [`crate::problem::State::along`].
pub(super) fn along(state: &Arc<DcState>, edits: &Edits) -> Option<Along> {
    let Dc { case, model, .. } = state.dc();
    let (rows, base) = (case.network.buses.len(), case.network.base_mva);
    let moves = |to, from| -> Vec<(usize, f64)> {
        let changed = difference(to, from).into_iter();
        changed.map(|(row, from, to)| (row, to - from)).collect()
    };
    let demand = moves(&edits.demand, &state.edits.demand);
    let rating = moves(&edits.rating, &state.edits.rating);
    let length_mw = demand
        .iter()
        .chain(&rating)
        .fold(0.0f64, |most, (_, mw)| most.max(mw.abs()));
    let per_step = |moves: Vec<(usize, f64)>| moves.into_iter().map(|(row, mw)| (row, mw / length_mw)).collect();
    let direction = Direction {
        demand: per_step(demand),
        rating: per_step(rating),
        ..Direction::default()
    };
    let length = length_mw / base;
    let path = dc::parametric_path(
        &DualActiveSet,
        model,
        &state.solution,
        &direction,
        length,
        MOST_BREAKPOINTS,
    );
    if let Some((position, stop)) = path.stopped {
        let is_proved = matches!(stop, dc::Stop::NoSolution(_));
        return is_proved.then_some(Along::Until(position / length));
    }
    let region = path.regions.last()?;
    Some(Along::Prices(dense(
        rows,
        |bus| model.bus_is_active(bus),
        |bus| region.price_at(bus, length) / base,
    )))
}

impl DcState {
    /// The nearest breakpoint on either side, where this state lies on a breakpoint of a track.
    pub(super) fn at_start(&self, target: ColumnTarget) -> Option<End> {
        let along = direction(self.dc(), target).ok()?;
        let warrant = self.solution.derivative(&self.dc().model, &along).warrant;
        [warrant.lower, warrant.upper]
            .into_iter()
            .flatten()
            .min_by(|a, b| a.step.abs().total_cmp(&b.step.abs()))
    }

    /// Whether a limit of a generator or a link lies at a corner of the cost curve. Prices may agree on both sides there, but the cost
    /// of the permitted output does not.
    pub(super) fn is_at_corner(&self, target: ColumnTarget) -> bool {
        let is_here = |end: End| end.step.abs() <= HERE;
        matches!(target, ColumnTarget::Generator(..) | ColumnTarget::Link(..))
            && self.at_start(target).is_some_and(is_here)
    }

    /// The bus whose price changes most from one end to the other, or else has the largest slope at the start; for a
    /// demand or a generator its own bus.
    pub(super) fn watched(&self, target: ColumnTarget, pieces: &[Piece]) -> usize {
        let network = &self.dc().case.network;
        let fallback = match target {
            ColumnTarget::Edit(Target::Demand(bus)) => return bus,
            ColumnTarget::Generator(row, _) => return network.generators[row].bus,
            ColumnTarget::Edit(Target::Rating(branch)) | ColumnTarget::Shift(branch) => network.branches[branch].from,
            ColumnTarget::Link(row, _) => network.links[row].from,
            ColumnTarget::Interface(..) => 0,
        };
        let Some((first, last)) = pieces.first().zip(pieces.last()) else {
            return fallback;
        };
        let prices = |piece: &Piece, mw: f64| piece.region.prices_at(piece.position(mw));
        let (low, high) = (prices(first, first.from_mw), prices(last, last.to_mw));
        let change = |bus: usize| (high[bus] - low[bus]).abs();
        let mut best = fallback;
        // Excesses of limits have buses of their own behind those of the network.
        for bus in 0..network.buses.len() {
            if self.dc().model.bus_is_active(bus) && change(bus) > change(best) * (1.0 + 1e-9) {
                best = bus;
            }
        }
        best
    }

    pub(super) fn describe(
        &self,
        target: ColumnTarget,
        watched: usize,
        (from_mw, to_mw): (f64, f64),
        joined: &Joined,
    ) -> c::Track {
        let network = &self.dc().case.network;
        let base = network.base_mva;
        let falling = from_mw > to_mw;
        let segment = |piece: &Piece| {
            let (from, to) = if falling {
                (piece.to_mw, piece.from_mw)
            } else {
                (piece.from_mw, piece.to_mw)
            };
            c::TrackSegment {
                from_mw: plain(from),
                to_mw: plain(to),
                objective: piece.objective(from),
                objective_end: piece.objective(to),
                price: piece.price(watched, from, base),
                slope: piece.slope(watched, base),
            }
        };
        let breakpoint = |crossing: &Crossing| {
            let price = |k: usize| joined.pieces[k].price(watched, crossing.mw, base);
            let (below, above) = (price(crossing.below), price(crossing.below + 1));
            c::TrackBreakpoint {
                mw: plain(crossing.mw),
                event: event(crossing.end.event),
                element: convert::element(&crossing.end.element),
                price_before: if falling { above } else { below },
                price_after: if falling { below } else { above },
            }
        };
        let mut segments: Vec<_> = joined.pieces.iter().map(segment).collect();
        let mut breakpoints: Vec<_> = joined.crossings.iter().map(breakpoint).collect();
        let (mut begins, mut stopped) = (joined.low.clone(), joined.high.clone());
        if falling {
            segments.reverse();
            breakpoints.reverse();
            std::mem::swap(&mut begins, &mut stopped);
        }
        let (value, branch_value, interface_value) = match target {
            ColumnTarget::Edit(_) => (None, None, None),
            ColumnTarget::Generator(_, value) | ColumnTarget::Link(_, value) => (Some(value), None, None),
            ColumnTarget::Shift(_) => (None, Some(c::BranchValue::Shift), None),
            ColumnTarget::Interface(_, value) => (None, None, Some(value)),
        };
        let reached = |stop: &c::TrackStop, goal: f64| (stop.mw - goal).abs() <= SAME_MW * (1.0 + goal.abs());
        c::Track {
            target: convert::element(&target.element(&self.dc().case, self.dc())),
            value,
            branch_value,
            interface_value,
            watched_bus: network.buses[watched].id,
            from_mw,
            to_mw,
            breakpoints,
            segments,
            begins: begins.filter(|stop| !reached(stop, from_mw)),
            stopped: stopped.filter(|stop| !reached(stop, to_mw)),
        }
    }
}
