//! Matches records of a layer to the buses and branches of a case.

mod index;
pub(crate) mod report;
pub(crate) mod routes;

use index::{label, Index};
use report::GeoReport;

use crate::coordinates::Space;
use crate::geo::layer::{GeoLayer, Position, Provenance, RecordWarning, SpaceBasis};
use crate::message;
use crate::message::Message;

/// A bus to which records may refer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TargetBus {
    pub id: Option<u64>,
    pub uid: Option<String>,
    pub name: Option<String>,
    /// Existing position in the case.
    pub position: Option<[f64; 2]>,
}

/// A branch to which records may refer; its id is its 1-based row. Its ends are rows of the buses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TargetBranch {
    pub uid: Option<String>,
    pub from: usize,
    pub to: usize,
}

/// The case to which a layer is matched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GeoTarget {
    pub buses: Vec<TargetBus>,
    pub branches: Vec<TargetBranch>,
    /// Space of the existing positions in the case.
    pub space: Option<Space>,
}

/// The positions of a layer by rows of its target.
#[derive(Clone, Debug, PartialEq)]
pub struct GeoMatches {
    pub positions: Vec<Option<[f64; 2]>>,
    /// The origin of a position, if the record states it.
    pub provenance: Vec<Option<Provenance>>,
    /// Routes from the `from` end to the `to` end.
    pub routes: Vec<Option<Vec<[f64; 2]>>>,
    pub report: GeoReport,
}

/// The reason why a record has no element.
pub(crate) type Refusal = (&'static str, Message);

/// Matches a layer.
///
/// A bus record refers to the bus of its id, or by row uid (form `buses:<n>`, n from 0), or by case-insensitive name.
/// An id and a uid of different buses, and a name of several buses, match nothing. The first record of a bus applies.
/// Routes: see `matching/routes.rs`.
pub fn match_layer(layer: &GeoLayer, target: &GeoTarget) -> GeoMatches {
    let index = Index::new(target);
    let mut warnings = layer.warnings.clone();
    let mut positions = vec![None; target.buses.len()];
    let mut provenance = vec![None; target.buses.len()];
    let (mut bus_records, mut unmatched) = (0, layer.warnings.len());
    for record in &layer.records {
        let Position::Bus(point) = record.position else {
            continue;
        };
        bus_records += 1;
        match index.bus(record) {
            Ok(row) if positions[row].is_none() => {
                positions[row] = Some(point);
                provenance[row] = record.provenance;
            }
            Ok(row) if positions[row] == Some(point) => {}
            Ok(_) => {
                unmatched += 1;
                let message = message!("geo.placed_before", record = label(record));
                warnings.push(RecordWarning::new(record.number, "GEO.DUPLICATE", message));
            }
            Err((code, message)) => {
                unmatched += 1;
                warnings.push(RecordWarning::new(record.number, code, message));
            }
        }
    }
    let stays = |row: usize| target.buses[row].position.filter(|_| target.space == Some(layer.space));
    let known: Vec<Option<[f64; 2]>> = positions.iter().enumerate().map(|(row, p)| p.or(stays(row))).collect();
    let ends = routes::Ends::new(layer.space, &known);
    let (routes, refused) = routes::assign(layer, target, &index, &ends);
    unmatched += refused.len();
    warnings.extend(refused);
    if layer.basis == SpaceBasis::Inferred {
        warnings.push(RecordWarning::new(0, "GEO.INFERRED", message!("geo.inferred")));
    }
    let mut report = GeoReport {
        space: layer.space,
        basis: layer.basis,
        bus_records,
        branch_records: layer.records.len() - bus_records,
        matched_buses: positions.iter().flatten().count(),
        matched_branches: routes.iter().flatten().count(),
        unmatched_records: unmatched,
        unplaced_buses: known.iter().filter(|p| p.is_none()).count(),
        warnings: Vec::new(),
        warnings_left_out: 0,
    };
    report.keep(warnings);
    GeoMatches {
        positions,
        provenance,
        routes,
        report,
    }
}
