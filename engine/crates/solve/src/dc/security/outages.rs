//! Outages of one or several branches, and how they move flows.
//!
//! The outage of lines `K` acts like transfers `d` between their ends that carry all of what remains on them,
//! `d = (I - PTDF_KK)^-1 f_K`, and moves the flow of line `l` by `PTDF_lK d` (Guo et al., IEEE Trans. Power Syst. 24
//! (2009); Davis and Overbye, HICSS 44 (2011)).

use crate::dc::model::DcModel;
use std::ops::Range;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_sparse::{Descent, Inverse, Part};

/// Transfers solved together, and most branches that are out together.
pub(super) const TOGETHER: usize = 8;
/// A smaller part of a transfer that remains on its line means that the outage splits the island.
const SPLITS: f64 = 1e-8;
/// Angles that are stored for screening, at most 32 MB.
const MOST_STORED: usize = 1 << 22;

/// Lines that are out together, with `(I - PTDF_KK)^-1`.
#[derive(Clone, Debug)]
pub(super) struct Out {
    pub lines: Vec<usize>,
    pub inverse: Inverse,
    /// Position among the outages of the request.
    pub index: usize,
}

/// Outages whose transfers are solved together.
#[derive(Clone, Debug)]
pub(super) struct Together {
    pub outages: Range<usize>,
    /// The part of the factor above the ends of their lines.
    pub part: Part,
    /// The angles there for one unit of power sent over the line of each outage; empty where they are not stored, as for
    /// outages of several lines.
    pub angles: Vec<[f64; TOGETHER]>,
}

/// The outages that leave the islands whole, in the order of the elimination tree.
#[derive(Clone, Debug, Default)]
pub(super) struct OutagesOut {
    outages: Vec<Out>,
    pub chunks: Vec<Together>,
    /// Branch row of each line.
    rows: Vec<usize>,
    pub splitting: Vec<usize>,
    pub idle: Vec<usize>,
}

/// For several right-hand sides, angles by elimination index; the last entry is that of the references.
pub(super) fn angles(model: &DcModel) -> Vec<[f64; TOGETHER]> {
    vec![[0.0; TOGETHER]; model.n_places() + 1]
}

/// Angles in a part of the factor for one unit of power sent over each of a few lines from its from end to its to end.
fn transfer_angles(model: &DcModel, part: &Part, lines: &[usize], x: &mut [[f64; TOGETHER]]) {
    for &k in part.columns() {
        x[k as usize] = [0.0; TOGETHER];
    }
    for (j, &k) in lines.iter().enumerate() {
        x[model.entry(model.lines[k].from)][j] += 1.0;
        x[model.entry(model.lines[k].to)][j] -= 1.0;
    }
    model.solve_transfers_on(part, x);
}

/// The part of the factor above the ends of lines.
fn part_above<'a>(model: &DcModel, lines: impl Iterator<Item = &'a usize>) -> Part {
    let ends = lines.flat_map(|&l| [model.lines[l].from, model.lines[l].to]);
    model.part_between(ends.collect(), std::iter::empty())
}

/// The share of each transfer that a line carries.
pub(super) fn shares(model: &DcModel, x: &[[f64; TOGETHER]], l: usize) -> [f64; TOGETHER] {
    let line = &model.lines[l];
    let (from, to) = (&x[model.entry(line.from)], &x[model.entry(line.to)]);
    std::array::from_fn(|j| line.b * (from[j] - to[j]))
}

impl OutagesOut {
    pub fn new(
        model: &DcModel,
        tree: &Descent,
        requested: &[(usize, &[usize])],
        line_of: impl Fn(usize) -> Option<usize>,
    ) -> Result<Self> {
        let (mut splitting, mut idle) = (Vec::new(), Vec::new());
        let mut bridges = vec![false; model.lines.len()];
        for bridge in &model.bridges.bridges {
            bridges[bridge.line] = true;
        }
        let mut members: Vec<(usize, Vec<usize>)> = Vec::new();
        for &(index, branches) in requested {
            let lines: Option<Vec<usize>> = branches.iter().map(|&branch| line_of(branch)).collect();
            match lines {
                Some(lines) if lines.len() > TOGETHER => {
                    let message = message!("security.too_many", most = TOGETHER);
                    return Err(EngineError::new("INPUT.REQUEST", message));
                }
                Some(lines) if lines.iter().any(|&l| bridges[l]) => splitting.push(index),
                Some(mut lines) if !lines.is_empty() => {
                    lines.sort_unstable();
                    lines.dedup();
                    members.push((index, lines));
                }
                _ => idle.push(index),
            }
        }
        let ranks = tree.ranks();
        let rank = |lines: &[usize]| {
            let places = lines.iter().flat_map(|&l| [model.lines[l].from, model.lines[l].to]);
            let places = places.map(|bus| model.entry(bus)).filter(|&place| place < ranks.len());
            places.min().map(|place| ranks[place])
        };
        members.sort_by_cached_key(|(index, lines)| (rank(lines), *index));
        let mut outages = Vec::with_capacity(members.len());
        let mut together = Vec::new();
        let mut stored = 0;
        let mut x = angles(model);
        for chunk in chunks(&members, |m| m.1.len()) {
            let lines: Vec<usize> = chunk.iter().flat_map(|m| m.1.iter().copied()).collect();
            let part = part_above(model, lines.iter());
            transfer_angles(model, &part, &lines, &mut x);
            let from = outages.len();
            let mut first = 0;
            // Of each outage, the first of its lines among those of the chunk.
            let mut columns = [0; TOGETHER];
            for (index, own) in chunk {
                let n = own.len();
                let mut matrix = vec![0.0; n * n];
                for (i, &k) in own.iter().enumerate() {
                    let share = shares(model, &x, k);
                    for j in 0..n {
                        matrix[i * n + j] = f64::from(u8::from(i == j)) - share[first + j];
                    }
                }
                columns[outages.len() - from] = first;
                first += n;
                let least = (0..n).fold(f64::INFINITY, |m, i| m.min(matrix[i * n + i].abs()));
                let inverse = (least > SPLITS).then(|| Inverse::of(n, matrix)).flatten();
                let holds = |inverse: &Inverse| {
                    (0..n).all(|i| inverse.row(i).iter().all(|v| v.is_finite() && v.abs() < 1.0 / SPLITS))
                };
                match inverse.filter(holds) {
                    Some(inverse) => outages.push(Out {
                        lines: own.clone(),
                        inverse,
                        index: *index,
                    }),
                    None => splitting.push(*index),
                }
            }
            if from < outages.len() {
                let size = part.columns().len() * TOGETHER;
                let is_stored = outages[from..].iter().all(|out| out.lines.len() == 1) && stored + size <= MOST_STORED;
                let places = part.columns().iter().filter(|_| is_stored);
                let angles: Vec<_> = places.map(|&k| columns.map(|column| x[k as usize][column])).collect();
                stored += angles.len() * TOGETHER;
                together.push(Together {
                    outages: from..outages.len(),
                    part,
                    angles,
                });
            }
        }
        splitting.sort_unstable();
        Ok(Self {
            outages,
            chunks: together,
            rows: model.lines.iter().map(|line| line.row).collect(),
            splitting,
            idle,
        })
    }

    pub fn len(&self) -> usize {
        self.outages.len()
    }

    /// Branch row of a line of the network.
    pub fn row_of(&self, line: usize) -> usize {
        self.rows[line]
    }

    pub fn all(&self) -> &[Out] {
        &self.outages
    }

    /// The outage with a position among those of the request.
    pub fn find(&self, index: usize) -> Option<&Out> {
        self.outages.iter().find(|out| out.index == index)
    }

    /// The lines out of service in an outage of the request, with the share of the flow of each that a line takes over.
    pub fn weights(&self, model: &DcModel, outage: usize, l: usize) -> Vec<(usize, f64)> {
        let Some(out) = self.find(outage) else {
            return Vec::new();
        };
        let mut x = angles(model);
        let part = part_above(model, out.lines.iter().chain([&l]));
        transfer_angles(model, &part, &out.lines, &mut x);
        let share = shares(model, &x, l);
        let weight = |i: usize| (0..out.lines.len()).map(|j| share[j] * out.inverse.at(j, i)).sum();
        let lines = out.lines.iter().enumerate();
        lines.map(|(i, &k)| (k, weight(i))).collect()
    }
}

/// Consecutive groups whose sizes sum to `TOGETHER` at most.
fn chunks<T>(list: &[T], size: impl Fn(&T) -> usize) -> impl Iterator<Item = &[T]> {
    let mut begin = 0;
    std::iter::from_fn(move || {
        if begin == list.len() {
            return None;
        }
        let (first, mut sum) = (begin, 0);
        while begin < list.len() && (begin == first || sum + size(&list[begin]) <= TOGETHER) {
            sum += size(&list[begin]);
            begin += 1;
        }
        Some(&list[first..begin])
    })
}
