//! The response of powers and multipliers to a right-hand side.

use super::method::Quadratic;
use crate::dc::basis::kkt::{clear_rows, fixed_multipliers, Item, Status};
use crate::dc::optimize::state::SolverState;

/// Response of the system to a right-hand side.
pub(in crate::dc::optimize) struct Response {
    /// Rates of the active rows' multipliers.
    pub dy: Vec<(usize, f64)>,
    /// `sum dy g`, by column.
    pub gradient: Vec<f64>,
    /// Rates of the free columns' powers, zero elsewhere.
    pub dp: Vec<f64>,
    /// Right-hand side by item after elimination of the free quadratic columns, and its product with the inverse.
    pub rhs: Vec<f64>,
    pub solved: Vec<f64>,
}

impl SolverState<'_, Quadratic> {
    /// Solves `G_F dp = r`, `G_F' dy - Q dp = s` with `r` by row and `s` by column; refined once in precise solves.
    pub(in crate::dc::optimize) fn respond(&self, r: &[f64], s: Option<&[f64]>) -> Response {
        let mut response = self.respond_once(r, s);
        if !self.precision.is_refined() {
            return response;
        }
        let mut left = vec![0.0; self.rows.len()];
        let values = self.products.values(self.model, &self.rows, &self.active, &response.dp);
        for (&row, value) in self.active.iter().zip(values) {
            left[row] = r[row] - value;
        }
        let mut wrong = vec![0.0; self.p.len()];
        for j in (0..self.p.len()).filter(|&j| self.status[j] == Status::Free) {
            wrong[j] = s.map_or(0.0, |s| s[j]) - (response.gradient[j] - self.q[j] * response.dp[j]);
        }
        let correction = self.respond_once(&left, Some(&wrong));
        let add = |x: &mut [f64], by: &[f64]| x.iter_mut().zip(by).for_each(|(x, by)| *x += by);
        add(&mut response.dp, &correction.dp);
        add(&mut response.gradient, &correction.gradient);
        // Only the rows of pairs, which come last, may be in one of the two alone.
        let others = correction.dy.iter().skip(response.dy.len());
        response.dy.extend(others.map(|&(row, _)| (row, 0.0)));
        for (y, by) in response.dy.iter_mut().zip(&correction.dy) {
            y.1 += by.1;
        }
        response
    }

    fn respond_once(&self, r: &[f64], s: Option<&[f64]>) -> Response {
        let kkt = &self.method.kkt;
        let s_at = |j: usize| s.map_or(0.0, |s| s[j]);
        // The multipliers that the columns of pairs fix, and what they leave of `s`.
        let fixed = fixed_multipliers(&kkt.pairs, s_at);
        let pull = fixed
            .iter()
            .any(|(_, y)| *y != 0.0)
            .then(|| self.products.gradient(self.model, &self.rows, &fixed));
        let rest = |j: usize| s_at(j) - pull.as_ref().map_or(0.0, |pull| pull[j]);
        let mut by_row = r.to_vec();
        if s.is_some() {
            let mut pulled = vec![0.0; self.p.len()];
            let mut any = false;
            for &j in &kkt.quadratic {
                pulled[j] = rest(j) / self.q[j];
                any |= pulled[j] != 0.0;
            }
            if any {
                let values = self.products.values(self.model, &self.rows, &self.active, &pulled);
                for (&row, value) in self.active.iter().zip(values) {
                    by_row[row] += value;
                }
            }
        }
        let entry = |item: &Item| match *item {
            Item::Row(row) => by_row[row],
            Item::Column(j) => rest(j),
        };
        let rhs: Vec<f64> = kkt.items.iter().map(entry).collect();
        let x = kkt.times(&rhs);
        let mut dy = Vec::with_capacity(self.active.len());
        let mut dp = vec![0.0; self.p.len()];
        for (item, &x) in kkt.items.iter().zip(&x) {
            match *item {
                Item::Row(row) => dy.push((row, x)),
                Item::Column(j) => dp[j] = x,
            }
        }
        if pull.is_some() {
            dy.extend(fixed);
        }
        let gradient = self.products.gradient(self.model, &self.rows, &dy);
        for &j in &kkt.quadratic {
            dp[j] = (gradient[j] - s_at(j)) / self.q[j];
        }
        clear_rows(&kkt.pairs, (&self.products, self.model, &self.rows), r, &mut dp);
        Response {
            dy,
            gradient,
            dp,
            rhs,
            solved: x,
        }
    }

    /// `sum q dp^2` over the free quadratic columns.
    pub(in crate::dc::optimize) fn curvature(&self, dp: &[f64]) -> f64 {
        self.method
            .kkt
            .quadratic
            .iter()
            .map(|&j| self.q[j] * dp[j] * dp[j])
            .sum()
    }
}
