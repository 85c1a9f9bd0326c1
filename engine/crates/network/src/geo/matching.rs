//! Records of a layer to the buses and branches of a case.

use std::collections::BTreeMap;

use super::fields::shortened;
use super::layer::{GeoLayer, GeoRecord, Position, Provenance, Space};
use super::report::{GeoReport, RecordWarning};
use super::routes;
use crate::message;
use crate::message::Message;

/// A bus that records may mean.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TargetBus {
    pub id: Option<u64>,
    pub uid: Option<String>,
    pub name: Option<String>,
    /// Position that the case has already.
    pub position: Option<[f64; 2]>,
}

/// A branch that records may mean; its id is its 1-based row. The ends are rows of the buses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TargetBranch {
    pub uid: Option<String>,
    pub from: usize,
    pub to: usize,
}

/// What a layer is matched against.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GeoTarget {
    pub buses: Vec<TargetBus>,
    pub branches: Vec<TargetBranch>,
    /// Space of the positions that the case has already.
    pub space: Option<Space>,
}

/// A layer by the rows of its target.
#[derive(Clone, Debug, PartialEq)]
pub struct GeoMatches {
    pub positions: Vec<Option<[f64; 2]>>,
    /// Where a position comes from, when the record says it.
    pub provenance: Vec<Option<Provenance>>,
    /// Routes from the `from` end to the `to` end.
    pub routes: Vec<Option<Vec<[f64; 2]>>>,
    pub report: GeoReport,
}

/// A reason why a record has no element.
pub(super) type Refusal = (&'static str, Message);

/// Matches a layer.
///
/// A bus record means the bus of its id; records may also match by row uid (form `buses:<n>`, n from 0) or by case-insensitive
/// name. An id and a uid that mean different buses, and a name that several buses have, match nothing. The first record of a
/// bus counts. Routes: see `routes.rs`.
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
                let said = message!("geo.placed_before", record = label(record));
                warnings.push(RecordWarning::new(record.number, "GEO.DUPLICATE", said));
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
    if layer.basis == super::layer::SpaceBasis::Inferred {
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

/// How a message names a record.
pub(super) fn label(record: &GeoRecord) -> Message {
    let known = record.id.as_ref().or(record.uid.as_ref()).or(record.name.as_ref());
    known.map_or_else(
        || message!("geo.without_key"),
        |key| message!("geo.key", key = shortened(key)),
    )
}

/// Buses and branches by what may name them.
pub(super) struct Index<'a> {
    target: &'a GeoTarget,
    ids: BTreeMap<u64, usize>,
    uids: BTreeMap<&'a str, usize>,
    branch_uids: BTreeMap<&'a str, usize>,
    /// None where several buses have the name.
    names: BTreeMap<String, Option<usize>>,
}

impl<'a> Index<'a> {
    fn new(target: &'a GeoTarget) -> Self {
        let buses = || target.buses.iter().enumerate();
        let mut names: BTreeMap<String, Option<usize>> = BTreeMap::new();
        for (row, bus) in buses() {
            if let Some(name) = bus
                .name
                .as_ref()
                .map(|n| n.trim().to_lowercase())
                .filter(|n| !n.is_empty())
            {
                names.entry(name).and_modify(|other| *other = None).or_insert(Some(row));
            }
        }
        // Reversed, so that of rows with one key the first remains.
        Self {
            target,
            ids: buses().rev().filter_map(|(row, b)| Some((b.id?, row))).collect(),
            uids: buses()
                .rev()
                .filter_map(|(row, b)| Some((b.uid.as_deref()?, row)))
                .collect(),
            branch_uids: target
                .branches
                .iter()
                .enumerate()
                .rev()
                .filter_map(|(row, b)| Some((b.uid.as_deref()?, row)))
                .collect(),
            names,
        }
    }

    fn bus(&self, record: &GeoRecord) -> Result<usize, Refusal> {
        let by_uid = record.uid.as_deref().and_then(|u| self.bus_uid(u));
        let by_id = record
            .id
            .as_deref()
            .and_then(|id| self.bus_id(id).or_else(|| self.bus_uid(id)));
        match (by_uid, by_id) {
            (Some(a), Some(b)) if a != b => {
                let said = message!("geo.id_and_uid_differ", record = label(record));
                return Err(("GEO.CONTRADICTION", said));
            }
            (Some(row), _) | (_, Some(row)) => return Ok(row),
            _ => {}
        }
        let names = [record.name.as_deref(), record.id.as_deref(), record.uid.as_deref()];
        let mut ambiguous = false;
        for name in names.into_iter().flatten() {
            match self.names.get(&name.to_lowercase()) {
                Some(Some(row)) => return Ok(*row),
                Some(None) => ambiguous = true,
                None => {}
            }
        }
        Err(if ambiguous {
            ("GEO.AMBIGUOUS", message!("geo.several_buses", record = label(record)))
        } else {
            ("GEO.UNMATCHED", message!("geo.no_bus", record = label(record)))
        })
    }

    fn bus_id(&self, id: &str) -> Option<usize> {
        self.ids.get(&whole(id)?).copied()
    }

    fn bus_uid(&self, uid: &str) -> Option<usize> {
        let by_row = || row_uid(uid, "buses:", self.target.buses.len());
        self.uids.get(uid).copied().or_else(by_row)
    }

    /// A bus named as an end of a branch.
    pub fn end(&self, key: &str) -> Option<usize> {
        let by_name = || self.names.get(&key.to_lowercase()).copied().flatten();
        self.bus_id(key).or_else(|| self.bus_uid(key)).or_else(by_name)
    }

    /// A branch by uid or by its 1-based row; the flag says that it is the source's own uid, and not a number that another
    /// edition of the case may have given to another branch.
    pub fn branch(&self, record: &GeoRecord) -> Option<(usize, bool)> {
        const ROWS: &str = "branches:";
        let n = self.target.branches.len();
        let by_uid = |uid: &str| {
            let own = self.branch_uids.get(uid).map(|&row| (row, !uid.starts_with(ROWS)));
            own.or_else(|| row_uid(uid, ROWS, n).map(|row| (row, false)))
        };
        let id = record.id.as_deref();
        let by_row = |id: &str| {
            let row = whole(id).filter(|&k| k >= 1 && k <= n as u64)?;
            Some((row as usize - 1, false))
        };
        let from_uid = record.uid.as_deref().and_then(by_uid);
        from_uid.or_else(|| id.and_then(by_uid)).or_else(|| id.and_then(by_row))
    }
}

/// `12` and `12.0` are one number.
fn whole(text: &str) -> Option<u64> {
    if let Ok(number) = text.parse::<u64>() {
        return Some(number);
    }
    let number = text.parse::<f64>().ok()?;
    (number.fract() == 0.0 && (0.0..9e15).contains(&number)).then_some(number as u64)
}

fn row_uid(uid: &str, table: &str, n: usize) -> Option<usize> {
    uid.strip_prefix(table)?.parse::<usize>().ok().filter(|&row| row < n)
}
