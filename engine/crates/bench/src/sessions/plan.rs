//! The elements that a benchmark changes: random, and equal on every side.

use wattbook_network::analysis::AnalysisNetwork;
use wattbook_solve::dc::{DcModel, DcSolution};

/// A change of the demand at one bus, from the base case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Dense bus row.
    pub bus: usize,
    /// Per unit.
    pub change: f64,
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// In [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// `count` different members of `list` (all of a shorter list), in random order.
    fn sample<T: Copy>(&mut self, mut list: Vec<T>, count: usize) -> Vec<T> {
        let count = count.min(list.len());
        for k in 0..count {
            let other = k + (self.next() % (list.len() - k) as u64) as usize;
            list.swap(k, other);
        }
        list.truncate(count);
        list
    }
}

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// `per_bus` steps within +-20 % of the demand at each of `buses` random load buses.
pub(crate) fn steps(network: &AnalysisNetwork, model: &DcModel, buses: usize, per_bus: usize) -> Vec<Step> {
    let mut random = Random(SEED);
    let loads = loads(network, model);
    let mut steps = Vec::with_capacity(buses * per_bus);
    for bus in random.sample(loads, buses) {
        for _ in 0..per_bus {
            let share = 0.4 * random.unit() - 0.2;
            let change = share * network.buses[bus].demand_pu;
            steps.push(Step { bus, change });
        }
    }
    steps
}

/// Random load buses.
pub(crate) fn demand_targets(network: &AnalysisNetwork, model: &DcModel, count: usize) -> Vec<usize> {
    Random(SEED).sample(loads(network, model), count)
}

/// Random branches, half of them binding if there are enough.
pub(crate) fn rating_targets(model: &DcModel, optimum: &DcSolution, count: usize) -> Vec<usize> {
    let mut random = Random(SEED);
    let all = || (0..optimum.shadow.len()).filter(|&b| model.branch_is_active(b));
    let binding = all().filter(|&b| optimum.shadow[b] != 0.0).collect();
    let mut chosen = random.sample(binding, count.div_ceil(2));
    let rest = all().filter(|b| !chosen.contains(b)).collect();
    chosen.extend(random.sample(rest, count - chosen.len()));
    chosen
}

/// Demand edits at random loads by up to 20 %, in the form of a Study.
pub(crate) fn demand_edits(network: &AnalysisNetwork) -> Vec<String> {
    const EDITS: usize = 60;
    let mut random = Random(SEED);
    let buses = &network.buses;
    let loads: Vec<usize> = (0..buses.len())
        .filter(|&b| buses[b].in_service && buses[b].demand_pu > 0.0)
        .collect();
    let chosen = random.sample(loads, EDITS);
    let edit = |bus: usize| {
        let mw = (0.4 * random.unit() - 0.2) * buses[bus].demand_pu * network.base_mva;
        serde_json::json!({ buses[bus].id.to_string(): mw }).to_string()
    };
    chosen.into_iter().map(edit).collect()
}

fn loads(network: &AnalysisNetwork, model: &DcModel) -> Vec<usize> {
    (0..network.buses.len())
        .filter(|&b| model.bus_is_active(b) && network.buses[b].demand_pu > 0.0)
        .collect()
}
