//! The elements of a feeder whose currents are linear in its voltages.

use crate::mc::elements::transformer::Transformer;
use crate::mc::elements::{Entries, Lines, Shunts};
use crate::mc::factor::Admittances;
use crate::mc::unknowns::slots::Slots;
use crate::mc::C;
use wattbook_sparse::{Singular, TreeFactors, TreeOrder};

/// Elements at slots.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    pub lines: Lines,
    /// Shunt admittances at the ends of lines.
    pub line_shunts: Shunts,
    pub shunts: Shunts,
    pub transformers: Vec<Transformer>,
}

impl Linear {
    /// Factors the admittance matrix of these elements and of `loads`, which are admittances between two slots.
    ///
    /// # Errors
    /// The unknown at which the matrix is singular.
    pub fn factor(
        &self,
        slots: &Slots,
        order: TreeOrder,
        loads: impl Iterator<Item = ([u32; 2], C)>,
    ) -> Result<TreeFactors, Singular> {
        let mut matrix = Admittances::new(slots, order);
        self.lines.stamp(&mut matrix);
        self.line_shunts.stamp(&mut matrix);
        self.shunts.stamp(&mut matrix);
        self.transformers.iter().for_each(|t| t.stamp(&mut matrix));
        for (at, y) in loads {
            let [i, j] = at.map(|slot| slot as usize);
            matrix.between(i, j, y);
        }
        matrix.factor()
    }

    /// Adds the current that leaves each slot.
    pub fn leave(&self, u: &[C], leaving: &mut [C]) {
        self.lines.leave(u, leaving);
        self.line_shunts.leave(u, leaving);
        self.shunts.leave(u, leaving);
        for t in &self.transformers {
            t.currents(u, |_, slot, current| leaving[slot] += current);
        }
    }

    /// Calls `add` with each current and its slot.
    pub fn currents(&self, u: &[C], mut add: impl FnMut(usize, C)) {
        self.lines.at_ends(u, &mut add);
        self.line_shunts.currents(u, |_, _, slot, current| add(slot, current));
        self.shunts.currents(u, |_, _, slot, current| add(slot, current));
        for t in &self.transformers {
            t.currents(u, |_, slot, current| add(slot, current));
        }
    }

    /// Adds the magnitudes of all products of an admittance and a voltage at each slot.
    pub fn products(&self, sizes: &[f64], products: &mut [f64]) {
        self.lines.products(sizes, products);
        self.line_shunts.products(sizes, products);
        self.shunts.products(sizes, products);
        self.transformers.iter().for_each(|t| t.products(sizes, products));
    }
}
