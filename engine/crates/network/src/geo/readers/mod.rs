//! Readers of geographic layers: detection of the kind of file, and its records.

mod csv;
mod features;
mod fields;
mod json;
pub(super) mod powerworld;
pub(super) mod psse;

pub(crate) use fields::shortened;

use crate::error::{EngineError, Result};
use crate::geo::layer::{space, GeoLayer, GeoRecord, RecordWarning};
use crate::input::text;
use crate::message;

/// Reads a geographic layer, whose kind follows from its contents: CSV with or without a header, JSON records, GeoJSON,
/// or a PowerWorld `.aux` table of bus positions.
///
/// # Errors
/// `INPUT.EMPTY`, `INPUT.ENCODING`, `INPUT.GEO_FORMAT` for other contents, `INPUT.GEO_EMPTY` if no record has usable
/// coordinates.
pub fn parse_layer(bytes: &[u8]) -> Result<GeoLayer> {
    let text = text::decode(bytes)?;
    let first = text.trim_start().bytes().next();
    let mut draft = match first {
        None => return Err(EngineError::new("INPUT.EMPTY", message!("file.empty"))),
        Some(b'{' | b'[') => json::read(&text)?,
        _ if powerworld::is_auxiliary(&text) => powerworld::read_layer(&text),
        _ => csv::read(&text)?,
    };
    let (space, basis) = space::decide(&draft);
    let mut warnings = std::mem::take(&mut draft.warnings);
    let records: Vec<GeoRecord> = std::mem::take(&mut draft.records)
        .into_iter()
        .filter(|r| match space::refusal(space, &r.position) {
            Some((code, why)) => {
                warnings.push(RecordWarning::new(r.number, code, why));
                false
            }
            None => true,
        })
        .collect();
    if records.is_empty() {
        let message = match warnings.first() {
            Some(w) => message!("geo.no_coordinates_first", record = w.record, why = w.sentence.clone()),
            None => message!("geo.no_coordinates"),
        };
        return Err(EngineError::new("INPUT.GEO_EMPTY", message));
    }
    Ok(GeoLayer {
        space,
        basis,
        provenance: draft.provenance,
        records,
        warnings,
    })
}
