//! Keys by which a record refers to a bus or a branch: number, uid, name.

use std::collections::BTreeMap;

use super::{GeoTarget, Refusal};
use crate::geo::layer::GeoRecord;
use crate::geo::readers::shortened;
use crate::message;
use crate::message::Message;

/// The label of a record in messages.
pub(crate) fn label(record: &GeoRecord) -> Message {
    let known = record.id.as_ref().or(record.uid.as_ref()).or(record.name.as_ref());
    known.map_or_else(
        || message!("geo.without_key"),
        |key| message!("geo.key", key = shortened(key)),
    )
}

/// Buses and branches by their keys.
pub(crate) struct Index<'a> {
    target: &'a GeoTarget,
    ids: BTreeMap<u64, usize>,
    uids: BTreeMap<&'a str, usize>,
    branch_uids: BTreeMap<&'a str, usize>,
    /// `None` if several buses have the name.
    names: BTreeMap<String, Option<usize>>,
}

impl<'a> Index<'a> {
    pub fn new(target: &'a GeoTarget) -> Self {
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
        // Reversed, so that the first of several rows with one key remains.
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

    /// The bus to which a record refers.
    pub fn bus(&self, record: &GeoRecord) -> Result<usize, Refusal> {
        let by_uid = record.uid.as_deref().and_then(|u| self.bus_uid(u));
        let by_id = record
            .id
            .as_deref()
            .and_then(|id| self.bus_id(id).or_else(|| self.bus_uid(id)));
        match (by_uid, by_id) {
            (Some(a), Some(b)) if a != b => {
                let message = message!("geo.id_and_uid_differ", record = label(record));
                return Err(("GEO.CONTRADICTION", message));
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

    /// A bus given as an end of a branch.
    pub fn end(&self, key: &str) -> Option<usize> {
        let by_name = || self.names.get(&key.to_lowercase()).copied().flatten();
        self.bus_id(key).or_else(|| self.bus_uid(key)).or_else(by_name)
    }

    /// A branch by uid or by its 1-based row. The flag tells whether the key is the source's own uid rather than a
    /// number that may denote another branch in another edition of the case.
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

/// `12` and `12.0` are the same number.
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
