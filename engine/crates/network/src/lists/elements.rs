//! The elements of a case by the names that lists give them.

use std::collections::HashMap;

use powerio::BalancedNetwork;

use crate::analysis::{AnalysisNetwork, Bus};
use crate::identifiers::{circuits, transformer_circuits, units};

/// Difference of voltage levels that a name states with fewer digits, kV.
const KV_TOLERANCE: f64 = 0.01;
/// Width of the name before the voltage level in extended bus names of PSS/E.
const NAME_WIDTH: usize = 12;
/// Buses of one name that are compared with a voltage level, and branches of a bus that an outage of it may have.
const MOST: usize = 100;

/// Legs of a three-winding transformer; none where it is out of service.
type Legs = Option<[usize; 3]>;

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Dense rows of branches that are open after the outage.
    Branches(Vec<usize>),
    Generator(usize),
    OutOfService,
}

/// A case with look-ups by numbers, names and identifiers.
pub(super) struct Elements<'a> {
    pub network: &'a AnalysisNetwork,
    buses: HashMap<u64, usize>,
    /// By name in capitals with single blanks.
    names: HashMap<String, Vec<usize>>,
    /// Between two buses, the lesser row first.
    pairs: HashMap<[usize; 2], Vec<usize>>,
    /// By circuit in lower case.
    circuits: HashMap<([usize; 2], String), usize>,
    at_bus: Vec<Vec<usize>>,
    /// Branches in service at each bus.
    in_service: Vec<usize>,
    branch_names: HashMap<String, Vec<usize>>,
    branch_uids: HashMap<&'a str, usize>,
    units: HashMap<usize, Vec<usize>>,
    unit_ids: HashMap<(usize, String), usize>,
    generator_uids: HashMap<&'a str, usize>,
    /// By buses and circuit, and the first between three buses.
    transformers: HashMap<([usize; 3], String), Legs>,
    first_transformers: HashMap<[usize; 3], Legs>,
    /// By bus: whether demand, a link or storage is connected to it, and whether any injection is.
    has_demand: Vec<bool>,
    injects: Vec<bool>,
    /// By bus: number of the owner.
    owners: Vec<u64>,
}

impl<'a> Elements<'a> {
    /// `net` is the parser's network of `network`.
    pub fn new(net: &BalancedNetwork, network: &'a AnalysisNetwork) -> Self {
        let mut buses = HashMap::with_capacity(network.buses.len());
        let mut names: HashMap<String, Vec<usize>> = HashMap::new();
        for (row, bus) in network.buses.iter().enumerate() {
            buses.insert(bus.id, row);
            if let Some(name) = &bus.name {
                names.entry(plain(name)).or_default().push(row);
            }
        }
        let mut pairs: HashMap<[usize; 2], Vec<usize>> = HashMap::new();
        let mut at_bus = vec![Vec::new(); network.buses.len()];
        let mut in_service = vec![0; network.buses.len()];
        let mut branch_names: HashMap<String, Vec<usize>> = HashMap::new();
        for (row, branch) in network.branches.iter().enumerate() {
            pairs.entry(pair(branch.from, branch.to)).or_default().push(row);
            at_bus[branch.from].push(row);
            in_service[branch.from] += usize::from(branch.in_service);
            if branch.to != branch.from {
                at_bus[branch.to].push(row);
                in_service[branch.to] += usize::from(branch.in_service);
            }
            if let Some(name) = &branch.name {
                branch_names.entry(plain(name)).or_default().push(row);
            }
        }
        let has_load = |bus: &Bus| bus.demand_pu != 0.0 || bus.gs_pu != 0.0;
        let mut has_demand: Vec<bool> = network.buses.iter().map(has_load).collect();
        for (_, link) in network.links_in_service() {
            (has_demand[link.from], has_demand[link.to]) = (true, true);
        }
        for (_, storage) in network.storages_injecting() {
            has_demand[storage.bus] = true;
        }
        let mut injects = has_demand.clone();
        for unit in network.generators.iter().filter(|unit| unit.in_service) {
            injects[unit.bus] = true;
        }
        let mut at_units: HashMap<usize, Vec<usize>> = HashMap::new();
        for (row, unit) in network.generators.iter().enumerate() {
            at_units.entry(unit.bus).or_default().push(row);
        }
        let mut legs = network.n_canonical_branches..network.branches.len();
        let (mut transformers, mut first_transformers) = (HashMap::new(), HashMap::new());
        for (transformer, circuit) in net.transformers_3w().iter().zip(transformer_circuits(net)) {
            let mut leg = || legs.next().unwrap_or(0);
            let legs = transformer.in_service.then(|| [leg(), leg(), leg()]);
            let ends = transformer
                .windings
                .each_ref()
                .map(|winding| buses.get(&(winding.bus.0 as u64)).copied());
            if let [Some(a), Some(b), Some(c)] = ends {
                let ends = triple([a, b, c]);
                transformers.entry((ends, circuit.to_lowercase())).or_insert(legs);
                first_transformers.entry(ends).or_insert(legs);
            }
        }
        let mut of_circuit = HashMap::new();
        for (row, circuit) in circuits(net).into_iter().enumerate() {
            let branch = &network.branches[row];
            let key = (pair(branch.from, branch.to), circuit.to_lowercase());
            of_circuit.entry(key).or_insert(row);
        }
        let mut unit_ids = HashMap::new();
        for (row, id) in units(net).into_iter().enumerate() {
            unit_ids
                .entry((network.generators[row].bus, id.to_lowercase()))
                .or_insert(row);
        }
        // A property that PSS/E writes only where it is not 1.
        let owner = |bus: &powerio::Bus| {
            bus.extras
                .get("psse_owner")
                .and_then(serde_json::Value::as_u64)
                .unwrap_or(1)
        };
        let uid = |uid: &'a Option<String>, row| Some((uid.as_deref()?, row));
        let branches = network.branches.iter().enumerate();
        let generators = network.generators.iter().enumerate();
        Self {
            network,
            buses,
            names,
            pairs,
            circuits: of_circuit,
            at_bus,
            in_service,
            branch_names,
            branch_uids: branches.filter_map(|(row, branch)| uid(&branch.uid, row)).collect(),
            units: at_units,
            unit_ids,
            generator_uids: generators.filter_map(|(row, unit)| uid(&unit.uid, row)).collect(),
            transformers,
            first_transformers,
            has_demand,
            injects,
            owners: net.buses().iter().map(owner).collect(),
        }
    }

    /// The bus of a number, of a name, or of a name with its voltage level (`NAME  138.00`, `NAME_138`).
    pub fn bus(&self, text: &str) -> Option<usize> {
        let text = text.trim();
        if let Ok(number) = text.parse::<u64>() {
            if let Some(row) = self.buses.get(&number) {
                return Some(*row);
            }
        }
        if let Some([only]) = self.names.get(&plain(text)).map(Vec::as_slice) {
            return Some(*only);
        }
        let split = text.rsplit_once(char::is_whitespace).or_else(|| text.rsplit_once('_'));
        let fixed = text.char_indices().nth(NAME_WIDTH).map(|(at, _)| text.split_at(at));
        [split, fixed].into_iter().flatten().find_map(|(name, kv)| {
            let kv: f64 = kv.trim().parse().ok()?;
            let of_level = |row: &&usize| (self.network.buses[**row].base_kv - kv).abs() <= KV_TOLERANCE;
            let named = self.names.get(&plain(name)).filter(|rows| rows.len() <= MOST)?;
            let mut rows = named.iter().filter(of_level);
            rows.next().filter(|_| rows.next().is_none()).copied()
        })
    }

    /// Number of the owner of a bus, 1 where the format has none.
    pub fn owner(&self, bus: usize) -> u64 {
        self.owners.get(bus).copied().unwrap_or(1)
    }

    /// Row of the branch between two buses. Without a circuit it is the only one, or that of circuit 1.
    pub fn branch(&self, ends: [usize; 2], circuit: Option<&str>) -> Option<usize> {
        let ends = pair(ends[0], ends[1]);
        let of = |circuit: &str| self.circuits.get(&(ends, circuit.trim().to_lowercase())).copied();
        match (circuit, self.pairs.get(&ends)?.as_slice()) {
            (Some(circuit), _) => of(circuit),
            (None, [only]) if *only < self.network.n_canonical_branches => Some(*only),
            (None, _) => of("1"),
        }
    }

    /// Row of the branch of a name that no other branch has.
    pub fn branch_named(&self, name: &str) -> Option<usize> {
        match self.branch_names.get(&plain(name)).map(Vec::as_slice) {
            Some([only]) => Some(*only),
            _ => None,
        }
    }

    /// Row of the branch of an id or a uid.
    pub fn branch_of_key(&self, key: &str) -> Option<usize> {
        row_of_key(key, self.network.branches.len(), &self.branch_uids)
    }

    /// Row of the generator of an id or a uid.
    pub fn generator_of_key(&self, key: &str) -> Option<usize> {
        row_of_key(key, self.network.generators.len(), &self.generator_uids)
    }

    /// Row of the unit of an identifier at a bus.
    pub fn unit(&self, bus: usize, id: &str) -> Option<usize> {
        self.unit_ids.get(&(bus, id.trim().to_lowercase())).copied()
    }

    /// Rows of the units at a bus.
    pub fn units_at(&self, bus: usize) -> &[usize] {
        self.units.get(&bus).map_or(&[], Vec::as_slice)
    }

    /// The branches between the buses of one.
    pub fn parallel(&self, branch: usize) -> &[usize] {
        let ends = &self.network.branches[branch];
        self.pairs.get(&pair(ends.from, ends.to)).map_or(&[], Vec::as_slice)
    }

    /// The branches at a bus.
    pub fn branches_at(&self, bus: usize) -> &[usize] {
        &self.at_bus[bus]
    }

    /// The three-winding transformers in service: their buses and legs.
    pub fn transformers(&self) -> Vec<([usize; 3], [usize; 3])> {
        let every = self.transformers.iter();
        let mut all: Vec<_> = every.filter_map(|((ends, _), legs)| Some((*ends, (*legs)?))).collect();
        all.sort_unstable_by_key(|(_, legs)| *legs);
        all
    }

    /// A branch or a generator as it is named by a list.
    pub fn outage_of_branch(&self, row: usize) -> Found {
        match self.network.branches[row].in_service {
            true => Found::Branches(vec![row]),
            false => Found::OutOfService,
        }
    }

    pub fn outage_of_generator(&self, row: usize) -> Found {
        match self.network.generators[row].in_service {
            true => Found::Generator(row),
            false => Found::OutOfService,
        }
    }

    /// The outage of the three-winding transformer between three buses, also where the case has it as three branches at
    /// a star point. One leg remains, without flow: without any leg the star point would be an island.
    pub fn outage_of_transformer(&self, ends: [usize; 3], circuit: Option<&str>) -> Option<Found> {
        let key = triple(ends);
        let found = match circuit {
            Some(circuit) => self.transformers.get(&(key, circuit.trim().to_lowercase())),
            None => self.first_transformers.get(&key),
        };
        if let Some(legs) = found {
            return Some(legs.map_or(Found::OutOfService, |legs| self.without_dead_end(&legs)));
        }
        let at = ends.into_iter().min_by_key(|end| self.at_bus[*end].len())?;
        let other = |row: usize, bus: usize| {
            let branch = &self.network.branches[row];
            branch.from + branch.to - bus
        };
        let star = |leg: &usize| {
            let star = other(*leg, at);
            let legs: [usize; 3] = self.at_bus[star].as_slice().try_into().ok()?;
            let mut reached = legs.map(|leg| other(leg, star));
            reached.sort_unstable();
            let circuit = circuit.unwrap_or("1").trim().to_lowercase();
            let is_named = self.circuits.get(&(pair(at, star), circuit)) == Some(leg);
            (reached == key && is_named && !self.injects[star]).then_some(legs)
        };
        let legs = self.at_bus[at].iter().take(MOST).find_map(star)?;
        Some(self.without_dead_end(&legs))
    }

    /// The outage of a bus with its units and branches; `None` where demand or more than units would be lost. A branch
    /// remains, without flow.
    pub fn outage_of_bus(&self, bus: usize) -> Option<(Vec<usize>, Vec<usize>)> {
        if self.has_demand[bus] || self.at_bus[bus].len() > MOST {
            return None;
        }
        let units = self.units_at(bus).iter().copied();
        let units = units.filter(|unit| self.network.generators[*unit].in_service).collect();
        let branches = match self.without_dead_end(&self.at_bus[bus]) {
            Found::Branches(rows) => rows,
            _ => Vec::new(),
        };
        Some((branches, units))
    }

    /// The branches at one bus without injection that must open so that none of them has flow: all in service but one,
    /// and but those to buses without anything else.
    pub fn without_dead_end(&self, rows: &[usize]) -> Found {
        let in_service = |row: &&usize| self.network.branches[**row].in_service;
        let is_dead = |bus: usize| !self.injects[bus] && self.in_service[bus] == 1;
        let live = rows.iter().filter(in_service).filter(|row| {
            let branch = &self.network.branches[**row];
            !is_dead(branch.from) && !is_dead(branch.to)
        });
        if !rows.iter().any(|row| in_service(&row)) {
            return Found::OutOfService;
        }
        let mut live: Vec<usize> = live.copied().collect();
        // A branch without impedance cannot be an outage.
        live.sort_by_key(|row| !self.network.branches[*row].is_zero_impedance());
        Found::Branches(live.into_iter().skip(1).collect())
    }
}

fn row_of_key(key: &str, rows: usize, uids: &HashMap<&str, usize>) -> Option<usize> {
    match key.bytes().all(|b| b.is_ascii_digit()) {
        true => key.parse::<usize>().ok()?.checked_sub(1).filter(|row| *row < rows),
        false => uids.get(key).copied(),
    }
}

fn pair(a: usize, b: usize) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

fn triple(mut ends: [usize; 3]) -> [usize; 3] {
    ends.sort_unstable();
    ends
}

/// A name in capitals with single blanks.
fn plain(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    words.join(" ").to_uppercase()
}
