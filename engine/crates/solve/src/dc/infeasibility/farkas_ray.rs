//! A dual ray as a bound on all data at once (Farkas' lemma on the box of dispatches).
//!
//! Multipliers of lines and island balances determine prices at buses, `B price = sum y w (e_f - e_t)`. Every dispatch
//! in the box that meets balances and limits satisfies `sum y limit + price'withdrawal <= sum max(price lo, price hi)`;
//! if this inequality fails, there is no such dispatch. Prices are refined on the unfactored matrix and sums are
//! compensated, so the value does not depend on how the rows of the ray were formed, and is reliable far below the
//! tolerance of a limit in MW.

use crate::dc::basis::lazy_rows::LazyRows;
use crate::dc::model::prices::{finish_prices, line_price_rhs};
use crate::dc::model::{DcData, DcModel, DcOutline};
use crate::vocabulary::Direction;

/// A value is significant if it exceeds this share of the terms of its sum, some thousand rounding errors.
const SIGNIFICANT: f64 = 1e-12;

/// Multipliers, with their lines and buses.
#[derive(Clone, Debug)]
pub(crate) struct FarkasRay {
    /// Positive at the lower limit of the line.
    pub lines: Vec<(usize, f64)>,
    price: Vec<f64>,
    /// Upper bound over the box of dispatches, and the sum of the sizes of its terms.
    most: Sum,
}

/// The amount by which data violate the inequality of a ray.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Excess {
    pub value: f64,
    /// Sum of the sizes of its terms.
    pub scale: f64,
}

impl Excess {
    /// Whether this proves that no dispatch exists.
    pub fn is_proof(&self) -> bool {
        self.value > SIGNIFICANT * self.scale
    }

    fn less(self, sum: Sum) -> Self {
        Self {
            value: self.value - sum.value(),
            scale: self.scale + sum.scale,
        }
    }
}

impl FarkasRay {
    /// The ray of multipliers by row.
    pub fn new(model: &DcModel, rows: &LazyRows, terms: &[(usize, f64)]) -> Self {
        let (island, lines) = rows.multipliers(terms.iter().copied());
        Self::of(model, &island, lines)
    }

    /// The ray of island prices and multipliers of lines.
    pub fn of(model: &DcModel, island: &[f64], lines: Vec<(usize, f64)>) -> Self {
        let [mut price] = model.refined_angles([&line_price_rhs(model, &lines)], 2);
        finish_prices(model, island, &lines, &mut price);
        let mut most = Sum::default();
        for column in &model.columns {
            let price = price[column.bus];
            most.add((price * column.lo).max(price * column.hi));
        }
        Self { lines, price, most }
    }

    /// The island whose generators alone contradict its demand, with its price, positive if they supply too little.
    pub fn balance(&self, model: &DcModel) -> Option<(usize, f64)> {
        let bus = self.price.iter().position(|price| *price != 0.0)?;
        self.lines
            .is_empty()
            .then(|| (model.island_of_bus[bus], self.price[bus]))
    }

    /// The divisor after which no multiplier exceeds the cost of violating its limit. The excess is then a lower bound
    /// on every relaxation.
    pub fn dearest(&self, model: &DcModel) -> f64 {
        // Terminals of links have no demand, and ties are no limits.
        let at_buses = self.price[..model.links.n_buses].iter();
        let prices = at_buses.fold(0.0f64, |m, price| m.max(price.abs()));
        let lines = self.lines.iter().filter(|(l, _)| model.lines[*l].tie.is_none());
        let of_line = |&(l, y): &(usize, f64)| y.abs() / model.lines[l].slack_cost();
        lines.map(of_line).fold(prices, f64::max)
    }

    /// The excess after data and limits of `model` have moved along a direction.
    pub fn excess_after(&self, model: &DcModel, data: &DcData, direction: &Direction, step: f64) -> Excess {
        let data = data.moved(direction, step);
        let outline = model.with_shifts(direction, step);
        let limits: Vec<(f64, f64)> = outline.lines.iter().map(|l| l.limits(data.rating[l.row])).collect();
        let excess = self.excess(&outline, &outline.withdrawals(&data.demand), &limits);
        match direction.moves_limits() {
            true => excess.less(self.given_by_limits(model, direction, step)),
            false => excess,
        }
    }

    /// Increase of the bound over the box after limits of generators have moved along a direction.
    fn given_by_limits(&self, model: &DcModel, direction: &Direction, step: f64) -> Sum {
        let price_of = |generator: usize| {
            let column = model.columns.iter().find(|column| column.generator == generator);
            column.map_or(0.0, |column| self.price[column.bus])
        };
        let mut sum = Sum::default();
        for &(generator, d) in &direction.output_max {
            sum.add(price_of(generator).max(0.0) * step * d);
        }
        for &(generator, d) in &direction.output_min {
            sum.add(price_of(generator).min(0.0) * step * d);
        }
        sum
    }

    /// Withdrawals and line limits less the bound over the box of dispatches.
    pub fn excess(&self, outline: &DcOutline, withdrawals: &[f64], limits: &[(f64, f64)]) -> Excess {
        let mut sum = Sum::default();
        for (price, w) in self.price.iter().zip(withdrawals) {
            sum.add(price * w);
        }
        for &(l, y) in &self.lines {
            let (lo, hi) = limits[l];
            sum.add(y * if y > 0.0 { lo } else { hi });
            sum.add(-y * outline.lines[l].offset());
        }
        sum.add(-self.most.value());
        Excess {
            value: sum.value(),
            scale: sum.scale + self.most.scale,
        }
    }
}

/// A sum with a separate sum of its rounding errors (Neumaier, ZAMM 54 (1974)).
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: f64,
    lost: f64,
    scale: f64,
}

impl Sum {
    fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        self.lost += if self.sum.abs() >= term.abs() {
            (self.sum - sum) + term
        } else {
            (term - sum) + self.sum
        };
        self.sum = sum;
        self.scale += term.abs();
    }

    fn value(&self) -> f64 {
        self.sum + self.lost
    }
}
