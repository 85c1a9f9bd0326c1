//! Distribution factors: how injections (PTDF) and outages (LODF) move flows.
//!
//! Wood, Wollenberg and Sheblé, *Power Generation, Operation and Control*, 3rd ed., section 7.6.

use crate::dc::model::DcModel;
use crate::topology::NO_ISLAND;

/// How a withdrawal is shared among the buses of an island.
#[derive(Clone, Debug)]
pub struct SlackShares(Vec<f64>);

impl DcModel {
    /// The shares of a slack from weights by dense bus row: in each island they sum to one. Without weights the reference bus of
    /// an island takes all.
    ///
    /// Errors: the lowest bus row of an island whose weights sum to zero.
    pub fn slack_shares(&self, weights: Option<&[f64]>) -> Result<SlackShares, usize> {
        let mut shares = vec![0.0; self.n_bus];
        let Some(weights) = weights else {
            for &bus in &self.references {
                shares[bus] = 1.0;
            }
            return Ok(SlackShares(shares));
        };
        let mut sums = vec![0.0; self.references.len()];
        for (&island, weight) in self.island_of_bus.iter().zip(weights) {
            if island != NO_ISLAND {
                sums[island] += weight;
            }
        }
        for (bus, &island) in self.island_of_bus[..self.links.n_buses].iter().enumerate() {
            if island == NO_ISLAND {
                continue;
            }
            let share = weights[bus] / sums[island];
            if !share.is_finite() {
                return Err(bus);
            }
            shares[bus] = share;
        }
        Ok(SlackShares(shares))
    }

    /// Power transfer distribution factors of a branch: the change of its flow at the from end, MW, for 1 MW injected at each bus
    /// and withdrawn at the slack of its island; by dense bus row, zero for buses of other islands and buses that take no part.
    ///
    /// None where the branch takes no part, or its flow is not unique because it closes a loop without impedance.
    pub fn ptdf_row(&self, branch: usize, slack: &SlackShares) -> Option<Vec<f64>> {
        let l = self.line_of_branch[branch].filter(|&l| !self.is_undetermined(l))?;
        let line = &self.lines[l];
        if line.is_angle_difference() {
            return Some(vec![0.0; self.n_bus]);
        }
        wattbook_interrupt::work(self.work_of_a_row());
        let mut factors = self.shift_factors_everywhere(l);
        let island = self.island_of_bus[line.from];
        let at_slack: f64 = factors.iter().zip(&slack.0).map(|(factor, share)| factor * share).sum();
        for (factor, &other) in factors.iter_mut().zip(&self.island_of_bus) {
            if other == island {
                *factor -= at_slack;
            }
        }
        Some(factors)
    }

    /// Line outage distribution factors of the outage of a branch: the change of each branch's flow as a fraction of the flow that
    /// the branch carried before; by dense branch row, -1 at the branch itself and NaN where a flow is not unique.
    ///
    /// None where the branch takes no part, its outage splits an island, or its own flow is not unique.
    pub fn lodf_column(&self, branch: usize) -> Option<Vec<f64>> {
        let k = self.line_of_branch[branch].filter(|&k| !self.is_undetermined(k))?;
        if self.bridges.bridges.iter().any(|bridge| bridge.line == k) {
            return None;
        }
        let out = &self.lines[k];
        let mut factors = vec![0.0; self.n_branch];
        if !out.is_angle_difference() {
            wattbook_interrupt::work(self.work_of_a_row());
            let (rates, own) = self.outage_rates(k);
            let scale = if out.merged.is_none() {
                1.0 / out.b / own
            } else {
                1.0 / own
            };
            if !scale.is_finite() {
                return None;
            }
            for (l, line) in self.lines.iter().enumerate() {
                factors[line.row] = match line.is_angle_difference() {
                    true => 0.0,
                    false if self.is_undetermined(l) => f64::NAN,
                    false => scale * rates[l],
                };
            }
        }
        factors[branch] = -1.0;
        Some(factors)
    }

    /// About the operations of a solve for one right-hand side, and of a pass over buses and lines.
    fn work_of_a_row(&self) -> usize {
        16 * (self.n_bus + self.lines.len())
    }

    /// What one radian over a line adds to the flow of each line once the line itself sends nothing, and the part of that radian
    /// that remains after the others have reacted. The change after an outage is their quotient times the radians, or for a branch
    /// without impedance the MW, that the line carried.
    pub(crate) fn outage_rates(&self, k: usize) -> (Vec<f64>, f64) {
        let out = &self.lines[k];
        let mut injection = vec![0.0; self.n_bus];
        let mut at_constant_angles = Vec::new();
        if out.merged.is_none() {
            // A transfer between its ends, of as much as the line carries per unit of angle.
            injection[out.from] += out.b;
            injection[out.to] -= out.b;
        } else {
            // One radian between the parts of the node, on every line that joins them otherwise.
            for (o, c) in self.terms(k) {
                let line = &self.lines[o];
                injection[line.from] += c;
                injection[line.to] -= c;
                at_constant_angles.push((o, -c));
            }
        }
        let mut rates = self.row_rates(&self.angles(&injection), &injection);
        for (o, flow) in at_constant_angles {
            rates[o] += flow;
        }
        let own = if out.merged.is_none() {
            1.0 - rates[k] / out.b
        } else {
            -rates[k]
        };
        (rates, own)
    }
}
