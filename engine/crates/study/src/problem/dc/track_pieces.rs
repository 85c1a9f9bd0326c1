//! The regions of a path on an axis in MW or degrees, and the joining of the paths on both sides of a state.

use crate::contract as c;
use crate::convert::plain;
use std::sync::Arc;
use wattbook_solve::dc::{self, End, Region};

/// A region of a path on an axis in MW from the base case.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub from_mw: f64,
    pub to_mw: f64,
    /// MW at position 0 of the region, and MW per position (negative where the path runs downwards).
    pub origin_mw: f64,
    pub step_mw: f64,
    pub region: Arc<Region>,
}

impl Piece {
    pub(super) fn position(&self, mw: f64) -> f64 {
        (mw - self.origin_mw) / self.step_mw
    }

    /// $/MWh.
    pub(super) fn price(&self, bus: usize, mw: f64, base_mva: f64) -> f64 {
        plain(self.region.price_at(bus, self.position(mw)) / base_mva)
    }

    /// ($/MWh)/MW.
    pub(super) fn slope(&self, bus: usize, base_mva: f64) -> f64 {
        plain(self.region.column.price[bus] / base_mva / self.step_mw)
    }

    /// $/h.
    pub(super) fn objective(&self, mw: f64) -> f64 {
        self.region.objective_at(self.position(mw))
    }
}

/// A breakpoint of a path on an axis in MW.
#[derive(Debug)]
pub(super) struct Crossing {
    pub mw: f64,
    pub end: End,
    /// The pieces below and above it.
    pub below: usize,
}

/// The pieces of one track, the breakpoints between them and their ends.
#[derive(Debug, Default)]
pub(super) struct Joined {
    pub pieces: Vec<Piece>,
    pub crossings: Vec<Crossing>,
    pub low: Option<c::TrackStop>,
    pub high: Option<c::TrackStop>,
}

impl Joined {
    /// Adds the pieces below the start, from a path that runs downwards.
    pub(super) fn add_below(&mut self, path: dc::Path, start_mw: f64, step_mw: f64) {
        self.pieces = pieces_of(&path, start_mw, -step_mw);
        self.pieces.reverse();
        let n = self.pieces.len();
        let crossing = |(k, end): (usize, End)| Crossing {
            mw: start_mw - step_mw * end.step,
            below: n - 2 - k,
            end,
        };
        self.crossings = path.breakpoints.into_iter().enumerate().map(crossing).collect();
        self.crossings.reverse();
    }

    /// Adds the pieces above the start. `start_is_inside` states that both paths begin in the same region; otherwise
    /// `at_start` is the breakpoint at the start.
    pub(super) fn add_above(
        &mut self,
        path: dc::Path,
        (start_mw, step_mw): (f64, f64),
        start_is_inside: bool,
        at_start: impl FnOnce() -> Option<End>,
    ) {
        let mut above = pieces_of(&path, start_mw, step_mw);
        let own = begins_inside(&path);
        if !self.pieces.is_empty() && !above.is_empty() {
            if own && start_is_inside {
                let first = &mut above[0];
                first.from_mw = self.pieces.pop().map_or(first.from_mw, |p| p.from_mw);
            } else if let Some(end) = at_start() {
                self.crossings.push(Crossing {
                    mw: start_mw,
                    end,
                    below: self.pieces.len() - 1,
                });
            }
        }
        let n = self.pieces.len();
        let crossing = |(k, end): (usize, End)| Crossing {
            mw: start_mw + step_mw * end.step,
            below: n + k,
            end,
        };
        self.crossings
            .extend(path.breakpoints.into_iter().enumerate().map(crossing));
        self.pieces.extend(above);
    }
}

/// Whether the start of a path lies inside its first region.
pub(super) fn begins_inside(path: &dc::Path) -> bool {
    path.regions.first().is_some_and(|r| r.at == 0.0)
}

/// The regions of a path on an axis in MW, with `step_mw` per position.
fn pieces_of(path: &dc::Path, start_mw: f64, step_mw: f64) -> Vec<Piece> {
    let piece = |region: &Region| {
        let ends = [start_mw + step_mw * region.from, start_mw + step_mw * region.to];
        Piece {
            from_mw: ends[0].min(ends[1]),
            to_mw: ends[0].max(ends[1]),
            origin_mw: start_mw,
            step_mw,
            region: Arc::new(region.clone()),
        }
    };
    path.regions.iter().map(piece).collect()
}
