//! Storage units as generators: with a fixed output where they are held, and with the cost of [`Storage::cost`] where they are valued
//! (docs/method/dc-opf.md, section 1).

use std::borrow::Cow;
use wattbook_network::analysis::{AnalysisNetwork, ElementRef, EnergySource, Generator, Storage, StorageModel};

/// The network with a generator for each storage unit that takes part, in the order of their rows, after all others.
pub(crate) fn with_storages(network: &AnalysisNetwork) -> Cow<'_, AnalysisNetwork> {
    if network.storages_injecting().next().is_none() {
        return Cow::Borrowed(network);
    }
    let mut with = network.clone();
    add_storages(network, &mut with);
    Cow::Owned(with)
}

/// Appends these generators to a network that was made of `network`, and returns the rows of the storage units and of their generators.
pub(crate) fn add_storages(network: &AnalysisNetwork, with: &mut AnalysisNetwork) -> Vec<(usize, usize)> {
    let rows = network.storages_injecting().map(|(row, storage)| {
        with.generators.push(generator(storage, network.base_mva));
        if let Some(own) = with.storages.get_mut(row) {
            own.model = StorageModel::AsGenerator;
        }
        (row, with.generators.len() - 1)
    });
    rows.collect()
}

/// The number of generators of `with_storages` that stand for storage units, the last ones.
pub(crate) fn storage_generators(with: &AnalysisNetwork) -> usize {
    let stands = |storage: &&Storage| storage.model == StorageModel::AsGenerator;
    with.storages.iter().filter(stands).count()
}

/// The reference to the storage unit that a generator of `with_storages` stands for; `None` for another generator.
pub(crate) fn storage_of(with: &AnalysisNetwork, generator: usize) -> Option<ElementRef> {
    let first = with.generators.len() - storage_generators(with);
    let stands = |storage: &&Storage| storage.model == StorageModel::AsGenerator;
    let mut storages = with.storages.iter().filter(stands);
    storages.nth(generator.checked_sub(first)?).map(ElementRef::from)
}

/// Its reactive power is held in either case.
fn generator(storage: &Storage, base: f64) -> Generator {
    let [pmin_pu, pmax_pu] = match storage.model {
        StorageModel::Valued => storage.limits_pu(),
        _ => [storage.p_pu; 2],
    };
    Generator {
        id: storage.id,
        uid: storage.uid.clone(),
        bus: storage.bus,
        in_service: true,
        pg_pu: storage.p_pu,
        qg_pu: storage.q_pu,
        pmin_pu,
        pmax_pu,
        qmin_pu: storage.q_pu,
        qmax_pu: storage.q_pu,
        vset_pu: 1.0,
        regulates_voltage: false,
        regulated_bus: None,
        cost: storage.cost(base),
        has_cost: true,
        energy_source: EnergySource::Other,
    }
}
