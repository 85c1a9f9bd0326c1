//! Matches branch records to branches.

use std::collections::BTreeMap;

use crate::coordinates::{distance_km, Space};
use crate::element::{ElementKind, ElementRef};
use crate::geo::layer::{GeoLayer, GeoRecord, Position, RecordWarning};
use crate::geo::matching::index::{label, Index};
use crate::geo::matching::{GeoTarget, Refusal, TargetBranch};
use crate::message;

/// Accepted distance between a route's end and its bus, in addition to a twentieth of the branch's length.
const END_TOLERANCE_KM: f64 = 1.0;

type Route = Vec<[f64; 2]>;

/// A record that names the ends of its branch: its route, and the bus row at which the route starts.
type ByPair<'a> = (&'a GeoRecord, &'a Route, usize);

/// The routes by branch row, and the records without a branch.
///
/// "A route matches by uid or branch id, then by the unordered from/to bus pair." A match needs agreement: the ends
/// that the record names must be those of the branch, and the route must begin and end at the known positions of its
/// buses (in either direction). If neither position is known, a record with a row number alone has nothing to confirm
/// it and is unmatched, since numberings change between editions of a case. A record that contradicts the branch of its
/// id is matched by its pair if it has one. Each of several parallel circuits gets the next record of their pair, in
/// the order of rows and records; if there are fewer records than circuits, the remaining circuits share the last one.
pub(crate) fn assign(
    layer: &GeoLayer,
    target: &GeoTarget,
    index: &Index,
    ends: &Ends,
) -> (Vec<Option<Route>>, Vec<RecordWarning>) {
    let mut routes: Vec<Option<Route>> = vec![None; target.branches.len()];
    let mut refused = Vec::new();
    let mut refuse =
        |r: &GeoRecord, (code, message): Refusal| refused.push(RecordWarning::new(r.number, code, message));
    let mut pairs: BTreeMap<(usize, usize), Vec<ByPair>> = BTreeMap::new();
    for record in &layer.records {
        let Position::Branch(path) = &record.position else {
            continue;
        };
        let named = [&record.from, &record.to].map(|end| end.as_deref().map(|key| index.end(key)));
        let by_key = index
            .branch(record)
            .map(|(row, own)| (row, own, fits(named, &target.branches[row])));
        let both_named = named.iter().all(|end| end.flatten().is_some());
        let refusal = match by_key {
            None => ("GEO.UNMATCHED", message!("geo.no_branch", record = label(record))),
            Some((row, false, true)) if !both_named && !ends.known(&target.branches[row]) => unchecked(record),
            Some((row, _, true)) => match ends.agree(path, (target.branches[row].from, target.branches[row].to)) {
                Some(reversed) if routes[row].is_none() => {
                    let from = named[0].flatten();
                    routes[row] = Some(directed(path, reversed, from, target.branches[row].from));
                    continue;
                }
                Some(_) => ("GEO.DUPLICATE", message!("geo.routed_before", branch = branch(row))),
                None => disagreement(record),
            },
            Some((row, _, false)) => {
                let message = message!("geo.other_ends", record = label(record), branch = branch(row));
                ("GEO.CONTRADICTION", message)
            }
        };
        match (named[0].flatten(), named[1].flatten()) {
            (Some(a), Some(b)) if refusal.0 != "GEO.DUPLICATE" => {
                pairs.entry(pair(a, b)).or_default().push((record, path, a))
            }
            _ => refuse(record, refusal),
        }
    }
    let parallel = rows_by_pair(target);
    for (key, records) in pairs {
        let rows = parallel.get(&key).into_iter().flatten().copied();
        let mut rows = rows
            .filter(|&row| routes[row].is_none())
            .collect::<Vec<_>>()
            .into_iter();
        let mut last: Option<(&Route, usize)> = None;
        for (record, path, from) in records {
            if ends.agree(path, key).is_none() {
                refuse(record, disagreement(record));
            } else if let Some(row) = rows.next() {
                routes[row] = Some(aligned(
                    path,
                    ends,
                    from,
                    target.branches[row].from,
                    target.branches[row].to,
                ));
                last = Some((path, from));
            } else {
                let message = message!("geo.no_further_branch", record = label(record));
                refuse(record, ("GEO.UNMATCHED", message));
            }
        }
        if let Some((path, from)) = last {
            for row in rows {
                routes[row] = Some(aligned(
                    path,
                    ends,
                    from,
                    target.branches[row].from,
                    target.branches[row].to,
                ));
            }
        }
    }
    (routes, refused)
}

/// Whether the ends that a record names are those of the branch. An end that is not a bus of the case does not fit.
fn fits(named: [Option<Option<usize>>; 2], branch: &TargetBranch) -> bool {
    let one = |end: &Option<usize>| *end == Some(branch.from) || *end == Some(branch.to);
    match named {
        [Some(Some(a)), Some(Some(b))] => pair(a, b) == pair(branch.from, branch.to),
        _ => named.iter().flatten().all(one),
    }
}

fn branch(row: usize) -> ElementRef {
    ElementRef::numbered(ElementKind::Branch, row as u64 + 1)
}

fn pair(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// Rows of the branches between two buses, ascending.
fn rows_by_pair(target: &GeoTarget) -> BTreeMap<(usize, usize), Vec<usize>> {
    let mut rows: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (row, branch) in target.branches.iter().enumerate() {
        rows.entry(pair(branch.from, branch.to)).or_default().push(row);
    }
    rows
}

fn disagreement(record: &GeoRecord) -> Refusal {
    let message = message!("geo.route_ends_elsewhere", record = label(record));
    ("GEO.ENDS_DISAGREE", message)
}

fn unchecked(record: &GeoRecord) -> Refusal {
    let message = message!("geo.route_unchecked", record = label(record));
    ("GEO.UNCHECKED", message)
}

fn aligned(path: &Route, ends: &Ends, named_from: usize, from: usize, to: usize) -> Route {
    let reversed = ends.agree(path, (from, to)).unwrap_or(None);
    directed(path, reversed, Some(named_from), from)
}

/// The route from the branch's own `from` end, reversed according to the positions or otherwise the names.
fn directed(path: &Route, reversed: Option<bool>, named_from: Option<usize>, from: usize) -> Route {
    let turn = reversed.unwrap_or(named_from.is_some_and(|f| f != from));
    if turn {
        return path.iter().rev().copied().collect();
    }
    path.clone()
}

/// Agreement of route ends with known bus positions.
pub(crate) struct Ends<'a> {
    space: Space,
    known: &'a [Option<[f64; 2]>],
    /// Tolerance in planar spaces: a hundredth of the drawing's extent.
    planar: f64,
}

impl<'a> Ends<'a> {
    pub fn new(space: Space, known: &'a [Option<[f64; 2]>]) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in known.iter().flatten() {
            for axis in 0..2 {
                low[axis] = low[axis].min(p[axis]);
                high[axis] = high[axis].max(p[axis]);
            }
        }
        let extent = (high[0] - low[0]).max(high[1] - low[1]).max(0.0);
        Self {
            space,
            known,
            planar: 0.01 * extent,
        }
    }

    /// Whether the position of at least one end is known.
    fn known(&self, branch: &TargetBranch) -> bool {
        self.known[branch.from].is_some() || self.known[branch.to].is_some()
    }

    /// `None` for a disagreement. Otherwise whether the route runs from the second bus to the first, if positions
    /// determine it.
    pub fn agree(&self, path: &[[f64; 2]], (from, to): (usize, usize)) -> Option<Option<bool>> {
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else {
            return None;
        };
        let (a, b) = (self.known[from], self.known[to]);
        let length = match (a, b) {
            (Some(a), Some(b)) => self.distance(a, b),
            (None, None) => return Some(None),
            _ => self.distance(first, last),
        };
        let floor = if self.space == Space::Geographic {
            END_TOLERANCE_KM
        } else {
            self.planar
        };
        let tolerance = floor + 0.05 * length;
        let miss = |p: Option<[f64; 2]>, q: [f64; 2]| p.map_or(0.0, |p| self.distance(p, q));
        let forward = miss(a, first).max(miss(b, last));
        let backward = miss(a, last).max(miss(b, first));
        if forward.min(backward) > tolerance {
            return None;
        }
        Some((forward != backward).then_some(backward < forward))
    }

    fn distance(&self, a: [f64; 2], b: [f64; 2]) -> f64 {
        if self.space == Space::Geographic {
            return distance_km(a, b);
        }
        libm::hypot(a[0] - b[0], a[1] - b[1])
    }
}
