//! The displayed data of a multiconductor module.

mod counts;
mod devices;
pub(super) mod warnings;

use powerio::dist::MulticonductorNetwork;
use powerio::{PioModule, PioValue};

use crate::distribution::elements::fold::{original, Fold};
use crate::distribution::elements::service::Service;
use crate::distribution::elements::{check, edges};
use crate::distribution::{network, space, Distribution, DistributionBus, DistributionEdgeKind};
use crate::error::Result;
use crate::module;
use crate::sha256::sha256_hex;

/// # Errors
/// `MODULE.KIND`, `MODULE.WRITE` and the errors of [`check::network`].
pub(crate) fn distribution(parsed: &PioModule<PioValue>) -> Result<Distribution> {
    let net = network(parsed)?;
    let fold = Fold::new(net);
    check::network(net, &fold)?;
    let service = Service::new(net);
    let (module_json, reopened) = module::settled(parsed)?;
    if let Some(parsed) = reopened {
        return distribution(&parsed);
    }
    module::refuse_unreadable(&module_json)?;
    let mut edges = edges::all(net, &fold, &service);
    let regulated = devices::regulated(net, &service);
    for edge in edges.iter_mut().filter(|e| e.kind == DistributionEdgeKind::Transformer) {
        edge.regulated = regulated.contains(&edge.id.to_lowercase());
    }
    let buses = buses(net, &fold, &service);
    let declared = space::declared(net);
    Ok(Distribution {
        sha256: sha256_hex(module_json.as_bytes()),
        module_json,
        name: net.name().clone().unwrap_or_default(),
        counts: counts::all(net, &fold, &edges),
        load_kw: buses.iter().fold(0.0, |sum, b| sum + b.load_kw),
        gen_kw: gen_w(net, &service) / 1000.0,
        base_frequency: base_frequency(parsed, net),
        coords_space: declared.map(|(space, _)| space),
        coords_kind: declared.map(|(_, kind)| kind),
        buses,
        edges,
        warnings: warnings::all(parsed, net, &service),
    })
}

fn buses(net: &MulticonductorNetwork, fold: &Fold, service: &Service) -> Vec<DistributionBus> {
    let mut load_w = vec![0.0; fold.buses.len()];
    for load in net.loads() {
        let is_load = original(&load.extras).is_none();
        if let (true, Some(row)) = (
            is_load && service.has("load", &load.name, &load.extras),
            fold.row(&load.bus),
        ) {
            load_w[row] += load.p_nom.iter().sum::<f64>();
        }
    }
    let mut devices = devices::by_bus(net, fold, service).into_iter();
    let of = |(row, &at): (usize, &usize)| {
        let bus = &net.buses()[at];
        let written = |t: &&String| !fold.internal_terminals.contains(&(row, (*t).clone()));
        DistributionBus {
            id: bus.id.clone(),
            terminals: bus.terminals.iter().filter(written).cloned().collect(),
            grounded: bus.grounded.clone(),
            xy: bus.location.map(|l| [l.x, l.y]),
            load_kw: load_w[row] / 1000.0,
            has_source: fold.sources.contains(&row),
            devices: devices.next().unwrap_or_default(),
        }
    };
    fold.buses.iter().enumerate().map(of).collect()
}

/// Power of generators, and available power of inverters within their rating, W. The sum begins with a positive zero.
fn gen_w(net: &MulticonductorNetwork, service: &Service) -> f64 {
    let generators = net
        .generators()
        .iter()
        .filter(|g| service.has("generator", &g.name, &g.extras));
    let inverters = net
        .ibrs()
        .iter()
        .filter(|i| service.has("pvsystem", &i.name, &i.extras));
    let available = |i: &powerio::dist::DistIbr| {
        let most = i.p_max.as_ref().map(|p| p.iter().sum::<f64>());
        let power = i.p_avail.or(most).unwrap_or(0.0);
        match i.s_max.is_empty() {
            true => power,
            false => power.min(i.s_max.iter().sum()),
        }
    };
    let powers = generators.map(|g| g.p_nom.iter().sum::<f64>());
    powers.chain(inverters.map(available)).fold(0.0, |sum, p| sum + p)
}

/// The base frequency, unless the parser reports that it assumed its default.
fn base_frequency(parsed: &PioModule<PioValue>, net: &MulticonductorNetwork) -> Option<f64> {
    let assumed = |d: &powerio::Diagnostic| d.code() == "READ.MULTICONDUCTOR.VALUE_DEFAULTED";
    (!parsed.diagnostics().iter().any(assumed)).then(|| net.base_frequency())
}
