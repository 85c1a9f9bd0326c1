//! Bounds of the columns, including the bounds that a bridge imposes on the single unit behind it
//! (docs/method/dc-opf.md, section 2).

use crate::dc::model::DcModel;

/// Bounds by column. `below` and `above` name the line that imposes a bound; `None` for the unit's own bound.
#[derive(Clone, Debug, Default)]
pub(super) struct Bounds {
    pub lo: Vec<f64>,
    pub hi: Vec<f64>,
    pub below: Vec<Option<usize>>,
    pub above: Vec<Option<usize>>,
    /// Lines that are enforced by a bound and need no row.
    pub is_bound: Vec<bool>,
}

/// Bounds contradict each other if they cross by more than this, per unit.
const CROSSING: f64 = 1e-9;

impl Bounds {
    /// Adds a column with a lower bound of zero.
    pub fn add_slack(&mut self, most: f64) {
        self.lo.push(0.0);
        self.hi.push(most);
        self.below.push(None);
        self.above.push(None);
    }

    pub fn new(
        model: &DcModel,
        presolve: bool,
        island_demand: &[f64],
        line_base: &[f64],
        limits: &[(f64, f64)],
    ) -> Self {
        let mut found = Self {
            lo: model.columns.iter().map(|c| c.lo).collect(),
            hi: model.columns.iter().map(|c| c.hi).collect(),
            below: vec![None; model.columns.len()],
            above: vec![None; model.columns.len()],
            is_bound: vec![false; model.lines.len()],
        };
        if !presolve {
            return found;
        }
        for &l in &model.unit_lines {
            let Some(bridge) = &model.bridge_rows[l] else { continue };
            let Some(unit) = bridge.unit else { continue };
            // flow = base + sign p_unit, including the output of fixed units beside it.
            let mut base = line_base[l] + bridge.kappa * island_demand[model.columns[unit].island];
            for &j in bridge.columns.iter().filter(|&&j| j != unit) {
                base += bridge.sign * model.columns[j].lo;
            }
            let (lo, hi) = (limits[l].0 - base, limits[l].1 - base);
            let (lo, hi) = if bridge.sign > 0.0 { (lo, hi) } else { (-hi, -lo) };
            if lo > found.lo[unit] {
                (found.lo[unit], found.below[unit]) = (lo, Some(l));
            }
            if hi < found.hi[unit] {
                (found.hi[unit], found.above[unit]) = (hi, Some(l));
            }
            found.is_bound[l] = true;
        }
        // If bounds cross, the lines remain rows, so that the method finds and names the conflict.
        for (j, column) in model.columns.iter().enumerate() {
            if found.lo[j] > found.hi[j] - CROSSING && column.hi > column.lo {
                (found.lo[j], found.hi[j]) = (column.lo, column.hi);
                (found.below[j], found.above[j]) = (None, None);
                for &l in &model.unit_lines {
                    if model.bridge_rows[l].as_ref().is_some_and(|b| b.unit == Some(j)) {
                        found.is_bound[l] = false;
                    }
                }
            }
        }
        found
    }
}
