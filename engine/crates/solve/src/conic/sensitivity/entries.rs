//! Sparse vectors of the program's shape, for right-hand sides with few entries.

use crate::conic::model::vectors::Vector;

/// A position in a `Vector`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    X(usize),
    U(usize, usize),
    Y(usize, usize),
    Linear(usize),
    Thermal(usize, usize),
}

/// Values at positions; values at the same position are added.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Entries(Vec<(Entry, f64)>);

fn value(v: &Vector, entry: Entry) -> f64 {
    match entry {
        Entry::X(k) => v.x[k],
        Entry::U(k, c) => v.u[k][c],
        Entry::Y(k, c) => v.y[k][c],
        Entry::Linear(k) => v.z.linear[k],
        Entry::Thermal(k, c) => v.z.thermal[k][c],
    }
}

impl Entries {
    pub fn add(&mut self, entry: Entry, value: f64) {
        self.0.push((entry, value));
    }

    /// Adds `factor * gradient` over `(w_f, w_t, e, wi)` of a pair.
    pub fn add_local(&mut self, pair: usize, nodes: [usize; 2], factor: f64, gradient: &[f64; 4]) {
        let places = [
            Entry::X(nodes[0]),
            Entry::X(nodes[1]),
            Entry::U(pair, 0),
            Entry::U(pair, 1),
        ];
        self.0.extend(places.into_iter().zip(gradient.map(|g| factor * g)));
    }

    pub fn add_all(&mut self, factor: f64, other: &Self) {
        self.0
            .extend(other.0.iter().map(|&(entry, value)| (entry, factor * value)));
    }

    /// Removes the entries of some variables.
    pub fn drop_columns(&mut self, is_out: impl Fn(usize) -> bool) {
        self.0.retain(|(entry, _)| !matches!(entry, Entry::X(k) if is_out(*k)));
    }

    pub fn dot(&self, v: &Vector) -> f64 {
        self.0.iter().map(|&(entry, by)| by * value(v, entry)).sum()
    }

    /// `dot` over balances and rows only.
    pub fn of_constraints(&self, v: &Vector) -> f64 {
        let rows = self
            .0
            .iter()
            .filter(|(entry, _)| !matches!(entry, Entry::X(_) | Entry::U(..)));
        rows.map(|&(entry, by)| by * value(v, entry)).sum()
    }

    pub fn add_to(&self, v: &mut Vector) {
        for &(entry, by) in &self.0 {
            *match entry {
                Entry::X(k) => &mut v.x[k],
                Entry::U(k, c) => &mut v.u[k][c],
                Entry::Y(k, c) => &mut v.y[k][c],
                Entry::Linear(k) => &mut v.z.linear[k],
                Entry::Thermal(k, c) => &mut v.z.thermal[k][c],
            } += by;
        }
    }
}
