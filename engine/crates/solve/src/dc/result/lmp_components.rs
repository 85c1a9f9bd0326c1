//! A price split into energy and congestion.

use crate::dc::model::DcModel;
use crate::dc::result::solution::DcSolution;

/// Relative error of the sum of the components above which they are refined.
const EXACT: f64 = 1e-12;
/// Largest number of refinements.
const REFINEMENTS: usize = 2;

/// Contribution of one binding line to a price, $/h per unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CongestionPart {
    /// Dense branch row.
    pub branch: usize,
    pub value: f64,
    /// Multiplier of the limit, at least zero.
    pub shadow: f64,
    /// Change of the line's row in the binding direction, per unit injected at the bus and withdrawn at the reference.
    pub shift_factor: f64,
}

/// `price = energy + sum of congestion`, $/h per unit, with respect to a reference distributed over the bus's island.
#[derive(Clone, Debug, PartialEq)]
pub struct LmpComponents {
    pub price: f64,
    /// Mean of the island's prices with the weights of the reference.
    pub energy: f64,
    /// Whether the reference is distributed by demand; otherwise the island has none and it is uniform.
    pub by_demand: bool,
    /// Every line with a shadow price in the bus's island, largest part first.
    pub congestion: Vec<CongestionPart>,
    /// `price - energy - sum of congestion`.
    pub residual: f64,
}

impl DcSolution {
    /// Splits the price of a bus of the model by one sparse solve.
    ///
    /// Prices are `lambda + sum y s` with the shift factors `s` of the binding lines. For weights `w` of the reference
    /// that sum to one, `energy = sum w price`, and each line adds `y` times its flow for one unit from the reference
    /// to the bus. By reciprocity of the susceptance matrix, one solve gives these flows for all lines.
    pub fn lmp_components(&self, model: &DcModel, bus: usize) -> LmpComponents {
        let island = model.island_of_bus[bus];
        let here = |b: usize| model.island_of_bus[b] == island;
        let demand = |b: usize| if here(b) { self.data.demand[b].max(0.0) } else { 0.0 };
        let n = model.links.n_buses;
        let total: f64 = (0..n).map(demand).sum();
        let by_demand = total > 0.0;
        let count = (0..n).filter(|&b| here(b)).count() as f64;
        let weight = |b: usize| match (by_demand, here(b)) {
            _ if b >= n => 0.0,
            (true, _) => demand(b) / total,
            (false, true) => 1.0 / count,
            (false, false) => 0.0,
        };
        let mut injection: Vec<f64> = (0..model.n_bus).map(|b| -weight(b)).collect();
        let price = self.price[bus];
        let energy: f64 = self.price.iter().zip(&injection).map(|(price, w)| -w * price).sum();
        injection[bus] += 1.0;
        let scale = 1.0 + self.price.iter().fold(0.0f64, |m, p| m.max(p.abs()));
        let mut refinements = 0;
        loop {
            let congestion = self.congestion(model, &injection, island, refinements);
            let residual: f64 = price - energy - congestion.iter().map(|part| part.value).sum::<f64>();
            if residual.abs() <= EXACT * scale || refinements == REFINEMENTS {
                return LmpComponents {
                    price,
                    energy,
                    by_demand,
                    congestion,
                    residual,
                };
            }
            refinements += 1;
        }
    }

    fn congestion(&self, model: &DcModel, injection: &[f64], island: usize, refinements: usize) -> Vec<CongestionPart> {
        let [theta] = model.refined_angles([injection], refinements);
        let rate = |l: usize| {
            let over = |(o, c): (usize, f64)| c * (theta[model.lines[o].from] - theta[model.lines[o].to]);
            let direct = model.direct(l).map(|(bus, coefficient)| coefficient * injection[bus]);
            model.terms(l).map(over).sum::<f64>() + direct.sum::<f64>()
        };
        let mut parts: Vec<CongestionPart> = Vec::new();
        for (l, line) in model.lines.iter().enumerate() {
            // Positive at the upper limit.
            let shadow = self.shadow[line.row];
            if shadow != 0.0 && model.island_of_bus[line.from] == island {
                let rate = rate(l);
                parts.push(CongestionPart {
                    branch: line.row,
                    value: -shadow * rate,
                    shadow: shadow.abs(),
                    shift_factor: rate * shadow.signum(),
                });
            }
        }
        parts.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()).then(a.branch.cmp(&b.branch)));
        parts
    }
}
