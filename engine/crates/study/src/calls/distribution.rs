//! Multiconductor cases in the contract's types.

use crate::contract as c;
use crate::convert::new_diagnostic;
use wattbook_network::analysis::CoordsKind;
use wattbook_network::distribution::{self as d, Distribution};
use wattbook_network::error::Result;
use wattbook_network::geo::Space;

/// Reads a multiconductor case file; an `IngestedDistribution` as JSON. `format` is `dss`, `bmopf-json` or `pmd-json`;
/// `companions` are the files that a script refers to, by their path relative to it.
///
/// Errors: those of `wattbook_network::distribution::ingest_distribution`.
pub fn ingest_distribution_json(bytes: &[u8], format: &str, companions: &[(String, Vec<u8>)]) -> Result<String> {
    Ok(crate::json::to_json(&distribution(d::ingest_distribution(
        bytes, format, companions,
    )?)))
}

/// Describes a multiconductor module in the same form as `ingest_distribution_json`.
///
/// Errors: those of `wattbook_network::distribution::inspect_distribution`.
pub fn inspect_distribution_json(module_json: &str) -> Result<String> {
    Ok(crate::json::to_json(&distribution(d::inspect_distribution(
        module_json,
    )?)))
}

/// A multiconductor case in the contract's type.
pub(crate) fn distribution(from: Distribution) -> c::IngestedDistribution {
    c::IngestedDistribution {
        module_json: from.module_json,
        sha256: from.sha256,
        name: from.name,
        model: "multiconductor".into(),
        counts: from.counts.into_iter().map(|(kind, n)| (kind.to_owned(), n)).collect(),
        load_kw: from.load_kw,
        gen_kw: from.gen_kw,
        base_frequency: from.base_frequency,
        coords_space: match from.coords_space {
            Some(Space::Geographic) => c::CoordsSpace::Geographic,
            Some(Space::Projected) => c::CoordsSpace::Projected,
            Some(Space::Drawing) => c::CoordsSpace::Drawing,
            Some(Space::Unknown) => c::CoordsSpace::Unknown,
            None => c::CoordsSpace::None,
        },
        coords_kind: match from.coords_kind {
            Some(CoordsKind::File) => c::CoordsKind::File,
            Some(CoordsKind::Synthetic) => c::CoordsKind::Synthetic,
            Some(CoordsKind::Manual) => c::CoordsKind::Manual,
            None => c::CoordsKind::SyntheticPending,
        },
        graph: c::DistributionGraph {
            buses: from.buses.into_iter().map(bus).collect(),
            edges: from.edges.into_iter().map(edge).collect(),
        },
        warnings: from.warnings.into_iter().map(warning).collect(),
    }
}

fn bus(b: d::DistributionBus) -> c::DistributionBus {
    c::DistributionBus {
        id: b.id,
        terminals: b.terminals,
        grounded: b.grounded,
        xy: b.xy,
        load_kw: b.load_kw,
        has_source: b.has_source,
        devices: b.devices.into_iter().map(device).collect(),
    }
}

fn device(d: d::DistributionDevice) -> c::DistributionDevice {
    use d::DistributionDeviceKind as Kind;
    c::DistributionDevice {
        kind: match d.kind {
            Kind::Source => c::DistributionDeviceKind::Source,
            Kind::Load => c::DistributionDeviceKind::Load,
            Kind::Generator => c::DistributionDeviceKind::Generator,
            Kind::Inverter => c::DistributionDeviceKind::Inverter,
            Kind::Storage => c::DistributionDeviceKind::Storage,
            Kind::Capacitor => c::DistributionDeviceKind::Capacitor,
            Kind::Reactor => c::DistributionDeviceKind::Reactor,
            Kind::Shunt => c::DistributionDeviceKind::Shunt,
        },
        id: d.id,
        terminals: d.terminals,
        in_service: d.in_service,
    }
}

fn edge(e: d::DistributionEdge) -> c::DistributionEdge {
    c::DistributionEdge {
        kind: match e.kind {
            d::DistributionEdgeKind::Line => c::DistributionEdgeKind::Line,
            d::DistributionEdgeKind::Switch => c::DistributionEdgeKind::Switch,
            d::DistributionEdgeKind::Transformer => c::DistributionEdgeKind::Transformer,
        },
        id: e.id,
        from: e.from,
        to: e.to,
        conductors: e.conductors,
        closed: e.closed,
        regulated: e.regulated,
        n_phases: e.n_phases,
        path: e.path,
    }
}

fn warning(w: d::DistributionWarning) -> c::Diagnostic {
    c::Diagnostic {
        element_name: w.element,
        ..new_diagnostic(w.code, &w.sentence, None)
    }
}
