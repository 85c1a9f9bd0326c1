//! The loads, which edits change.

use wattbook_network::feeder::Feeder;

/// Largest distance of loads from the line between two others, relative to the largest change along it.
const ALONG: f64 = 1e-9;

/// Active and reactive power of each branch of each load at nominal voltage, W and var, which edits change.
#[derive(Clone, Debug, PartialEq)]
pub struct McData {
    powers: Vec<[f64; 2]>,
    /// By load, followed by the end of the last: start of its branches.
    start: Vec<u32>,
}

impl McData {
    /// The loads of the feeder as read.
    pub fn base(feeder: &Feeder) -> Self {
        let branches = feeder.loads.iter().flat_map(|load| &load.branches);
        let ends = feeder.loads.iter().scan(0, |end, load| {
            *end += load.branches.len() as u32;
            Some(*end)
        });
        Self {
            powers: branches.map(|b| [b.p_w, b.q_var]).collect(),
            start: std::iter::once(0).chain(ends).collect(),
        }
    }

    fn range(&self, load: usize) -> std::ops::Range<usize> {
        match self.start.get(load..load + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => 0..0,
        }
    }

    /// The branches of a load by its row; empty for an unknown row.
    pub fn load(&self, load: usize) -> &[[f64; 2]] {
        &self.powers[self.range(load)]
    }

    /// As `load`.
    pub fn load_mut(&mut self, load: usize) -> &mut [[f64; 2]] {
        let range = self.range(load);
        &mut self.powers[range]
    }

    /// The `t` with which these loads are `base + t (end - base)` up to rounding; `None` if there is none or `end`
    /// equals `base`.
    pub fn along(&self, base: &Self, end: &Self) -> Option<f64> {
        if self.start != base.start || self.start != end.start {
            return None;
        }
        let parts = || {
            let all = self.powers.iter().zip(&base.powers).zip(&end.powers);
            all.flat_map(|((own, base), end)| [0, 1].map(|k| (own[k] - base[k], end[k] - base[k])))
        };
        let (dot, square, largest) = parts().fold((0.0, 0.0, 0.0_f64), |(dot, square, largest), (own, whole)| {
            (dot + own * whole, square + whole * whole, largest.max(whole.abs()))
        });
        let t = dot / square;
        let allowed = ALONG * largest * t.abs().max(1.0);
        let is_along = t.is_finite() && parts().all(|(own, whole)| (own - t * whole).abs() <= allowed);
        is_along.then_some(t)
    }

    /// A branch by its index among those of all loads.
    pub(crate) fn of_branch(&self, row: usize) -> [f64; 2] {
        self.powers[row]
    }

    /// Whether the number of loads and of their branches is that of this feeder.
    pub(crate) fn fits(&self, feeder: &Feeder) -> bool {
        self.start.len() == feeder.loads.len() + 1
            && (0..feeder.loads.len()).all(|load| self.range(load).len() == feeder.loads[load].branches.len())
    }
}
