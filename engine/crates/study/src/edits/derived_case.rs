//! The case with the network that edits make of it, and the islands that arise in it.

use super::{branches, generators, links, storages, Edits, NetworkEdits};
use crate::case::Case;
use crate::contract as c;
use crate::convert::{element, new_diagnostic};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use wattbook_network::analysis::{AnalysisNetwork, ElementRef};
use wattbook_network::message;
use wattbook_network::message::amounts::mw;
use wattbook_network::union_find::components;
use wattbook_network::{AddedElements, StoredEdits};

/// More new islands than this are counted and not named.
const NAMED_ISLANDS: usize = 5;

impl Edits {
    /// The edits as they are stored in the module of the case.
    pub fn stored(&self, case: &Case) -> StoredEdits {
        let (generators, branches) = (self.network.generators.iter(), self.network.branches.iter());
        StoredEdits {
            demand_mw: self.demand.clone(),
            demand_mvar: self.reactive_mvar(case),
            rating_mw: self.rating.clone(),
            generators: generators.map(|(&row, edit)| (row, generators::stored(edit))).collect(),
            branches: branches.map(|(&row, edit)| (row, branches::values(edit))).collect(),
            links: self
                .network
                .links
                .iter()
                .map(|(&row, edit)| (row, links::values(edit)))
                .collect(),
            storages: self
                .network
                .storages
                .iter()
                .map(|(&row, edit)| (row, storages::values(edit)))
                .collect(),
            added: self.network.added.clone(),
        }
    }
}

impl Case {
    /// The case before values of its elements were edited.
    pub(crate) fn original(&self) -> &Case {
        self.original.as_deref().unwrap_or(self)
    }

    /// The case as it was read.
    pub(super) fn as_read(self: &Arc<Self>) -> &Arc<Self> {
        let mut case = self;
        while let Some(original) = &case.original {
            case = original;
        }
        case
    }

    /// The case as it was read with further elements. It is made once for those who use it at the same time.
    pub(crate) fn with_added(self: &Arc<Self>, added: &AddedElements) -> Arc<Self> {
        let read = self.as_read();
        if added.is_empty() {
            return Arc::clone(read);
        }
        let mut latest = read.extended.lock().unwrap_or_else(PoisonError::into_inner);
        let known = latest.as_ref().filter(|(same, _)| same == added);
        if let Some(case) = known.and_then(|(_, case)| case.upgrade()) {
            return case;
        }
        let mut network = (*read.network).clone();
        network.add(added);
        let keys = Arc::new(read.keys.extended(&network));
        let case = Arc::new(Self {
            keys,
            ..read.derived(Arc::new(network), Vec::new())
        });
        *latest = Some((added.clone(), Arc::downgrade(&case)));
        case
    }

    /// The case as it was read with these elements and values in its network. Its identity is that of the case.
    pub(crate) fn with_network(self: &Arc<Self>, edits: &NetworkEdits) -> Arc<Self> {
        let original = &self.with_added(&edits.added);
        if edits.is_empty() {
            return Arc::clone(original);
        }
        let derived = match edits.has_no_values() {
            true => original.derived(Arc::clone(&original.network), Vec::new()),
            false => {
                let network = edited((*original.network).clone(), edits);
                let remarks = remarks(original, &network, edits);
                original.derived(Arc::new(network), remarks)
            }
        };
        Arc::new(Self {
            interfaces: edits.interfaces.clone(),
            ..derived
        })
    }

    /// This case with other values in its network and a further remark.
    pub(crate) fn varied(self: &Arc<Self>, network: Arc<AnalysisNetwork>, remark: Option<c::Diagnostic>) -> Arc<Self> {
        let original = self.original.as_ref().unwrap_or(self);
        let remarks = self.remarks.iter().cloned().chain(remark).collect();
        Arc::new(Self {
            interfaces: self.interfaces.clone(),
            ..original.derived(network, remarks)
        })
    }

    /// A case with another network of the same elements.
    pub(crate) fn derived(self: &Arc<Self>, network: Arc<AnalysisNetwork>, remarks: Vec<c::Diagnostic>) -> Self {
        Self {
            network,
            keys: Arc::clone(&self.keys),
            sha256: self.sha256.clone(),
            original: Some(Arc::clone(self)),
            remarks,
            interfaces: c::InterfaceEdits::new(),
            orders: Arc::clone(&self.orders),
            extended: Mutex::default(),
        }
    }
}

/// A network with these values in it.
pub(crate) fn edited(mut network: AnalysisNetwork, edits: &NetworkEdits) -> AnalysisNetwork {
    for (&row, edit) in &edits.generators {
        generators::put(&mut network.generators[row], edit, network.base_mva);
    }
    for (&row, edit) in &edits.branches {
        network.set_branch(row, &branches::values(edit));
    }
    for (&row, edit) in &edits.links {
        network.set_link(row, &links::values(edit));
    }
    for (&row, edit) in &edits.storages {
        network.set_storage(row, &storages::values(edit));
    }
    network
}

/// What results in an edited network begin with: its new islands, and costs that edits assume.
fn remarks(original: &Case, now: &AnalysisNetwork, edits: &NetworkEdits) -> Vec<c::Diagnostic> {
    let mut found = new_islands(&original.network, now);
    found.extend(assumed_costs(&original.network, edits));
    found
}

/// That units without a cost in the source have one by edits.
fn assumed_costs(network: &AnalysisNetwork, edits: &NetworkEdits) -> Option<c::Diagnostic> {
    let is_assumed =
        |(row, edit): &(&usize, &c::GeneratorEdit)| edit.cost.is_some() && !network.generators[**row].has_cost;
    let message = match (
        edits.generators.iter().filter(is_assumed).count(),
        network.generators.len(),
    ) {
        (0, _) => return None,
        (_, 1) => message!("costs.assumed_given_only"),
        (assumed, units) => message!("costs.assumed_given", assumed = assumed, units = units),
    };
    Some(new_diagnostic("COST.ASSUMED", &message, None))
}

/// The islands that branches and links taken out of service cut off from the rest of their network, with their demand and generation. The
/// largest part stays unnamed.
fn new_islands(before: &AnalysisNetwork, now: &AnalysisNetwork) -> Vec<c::Diagnostic> {
    let mut branches = before.branches.iter().zip(&now.branches);
    let mut links = before.links.iter().zip(&now.links);
    if !branches.any(|(before, now)| before.in_service && !now.in_service)
        && !links.any(|(before, now)| before.in_service && !now.in_service)
    {
        return Vec::new();
    }
    if !is_parted(before, now) {
        return Vec::new();
    }
    let islands = cut_off(before, now);
    let mut named: Vec<c::Diagnostic> = islands.iter().filter_map(|island| island.diagnostic(now)).collect();
    let more = named.len().saturating_sub(NAMED_ISLANDS);
    named.truncate(NAMED_ISLANDS);
    if more > 0 {
        let message = message!("result.more_islands", count = more);
        named.push(new_diagnostic("ISLAND.NEW", &message, None));
    }
    named
}

/// The island of each bus; links connect islands too.
fn island_labels(network: &AnalysisNetwork) -> Vec<usize> {
    let branches = network.branches.iter().filter(|branch| branch.in_service);
    let links = network.links_in_service().map(|(_, link)| (link.from, link.to));
    components(
        network.buses.len(),
        branches.map(|branch| (branch.from, branch.to)).chain(links),
    )
}

/// Whether the ends of a branch or link that went out of service are in different islands now.
fn is_parted(before: &AnalysisNetwork, now: &AnalysisNetwork) -> bool {
    let islands = island_labels(now);
    let branches = before.branches.iter().zip(&now.branches);
    let branches = branches.filter(|(before, now)| before.in_service && !now.in_service);
    let links = before.links.iter().zip(&now.links);
    let links = links.filter(|(before, now)| before.in_service && !now.in_service);
    let mut ends = branches
        .map(|(branch, _)| (branch.from, branch.to))
        .chain(links.map(|(link, _)| (link.from, link.to)));
    ends.any(|(from, to)| islands[from] != islands[to])
}

/// Dense rows of the buses of an island.
struct CutOff(Vec<usize>);

impl CutOff {
    /// `None` without demand and generators: the model omits such an island and says so.
    fn diagnostic(&self, network: &AnalysisNetwork) -> Option<c::Diagnostic> {
        let first: ElementRef = ElementRef::from(&network.buses[self.0[0]]);
        let base = network.base_mva;
        let demand: f64 = self.0.iter().map(|&bus| network.buses[bus].demand_pu).sum::<f64>() * base;
        let units = network.generators.iter();
        let mut units = units
            .filter(|unit| unit.in_service && self.0.binary_search(&unit.bus).is_ok())
            .peekable();
        let has_units = units.peek().is_some();
        let capacity = units.map(|unit| unit.pmax_pu).sum::<f64>() * base;
        let island = match self.0.len() - 1 {
            0 => message!("result.island_bus", bus = &first),
            more => message!("result.island_buses", bus = &first, count = more),
        };
        if !has_units && demand == 0.0 {
            return None;
        }
        let message = match has_units {
            false => message!("result.island_unsupplied", island = island, demand = mw(demand)),
            true => message!(
                "result.island",
                island = island,
                demand = mw(demand),
                capacity = mw(capacity)
            ),
        };
        Some(new_diagnostic("ISLAND.NEW", &message, Some(element(&first))))
    }
}

/// The islands of the network now, which links connect too, that are part of a larger island before, apart from the largest
/// part of each, in the order of their first buses.
fn cut_off(before: &AnalysisNetwork, now: &AnalysisNetwork) -> Vec<CutOff> {
    let (old, new) = (island_labels(before), island_labels(now));
    let mut parts: BTreeMap<usize, BTreeMap<usize, Vec<usize>>> = BTreeMap::new();
    for (row, _) in now.buses.iter().enumerate().filter(|(_, bus)| bus.in_service) {
        parts
            .entry(old[row])
            .or_default()
            .entry(new[row])
            .or_default()
            .push(row);
    }
    let mut islands: Vec<CutOff> = Vec::new();
    for parts in parts.into_values().filter(|parts| parts.len() > 1) {
        // Of equal parts the first counts as the largest.
        let largest = parts
            .iter()
            .rev()
            .max_by_key(|(_, buses)| buses.len())
            .map(|(&label, _)| label);
        let others = parts.into_iter().filter(|(label, _)| Some(*label) != largest);
        islands.extend(others.map(|(_, buses)| CutOff(buses)));
    }
    islands.sort_by_key(|island| island.0[0]);
    islands
}
