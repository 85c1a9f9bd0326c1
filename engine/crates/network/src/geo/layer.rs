//! A geographic layer: what a file says about places, before it is matched to a case.

use super::report::RecordWarning;
use super::{csv, json, powerworld, space};
use crate::error::{EngineError, Result};
use crate::formats::text;
use crate::message;
use crate::message::visible::visible;
use crate::message::Message;

/// Coordinate space of a layer. Only geographic coordinates are longitudes and latitudes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    Geographic,
    Projected,
    /// Units of a drawing.
    Drawing,
    Unknown,
}

impl Space {
    /// `geographic`, `projected`, `drawing` or `unknown`.
    pub fn token(self) -> &'static str {
        match self {
            Space::Geographic => "geographic",
            Space::Projected => "projected",
            Space::Drawing => "drawing",
            Space::Unknown => "unknown",
        }
    }
}

/// What the space of a layer was decided by, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceBasis {
    /// A marker (`powerio_geo`, a member that ends in `geo_kind`) or a `crs` in the file.
    Marker,
    /// Field names that say latitude and longitude, or unmarked GeoJSON, whose coordinates are such by RFC 7946.
    Names,
    /// Columns `x` and `y`, or none, with values that lie like longitudes and latitudes far from the origin.
    Inferred,
    /// Nothing says what the coordinates are.
    Nothing,
}

/// Where positions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    Source,
    Synthetic,
    Manual,
    Derived,
}

/// A position: a bus has a point, a branch a path of at least two.
#[derive(Clone, Debug, PartialEq)]
pub enum Position {
    /// `[x, y]`: longitude and latitude in geographic space.
    Bus([f64; 2]),
    Branch(Vec<[f64; 2]>),
}

/// One record of a layer. Keys are as written, trimmed.
#[derive(Clone, Debug, PartialEq)]
pub struct GeoRecord {
    /// 1-based number of the record in the file: a row of data, or a feature.
    pub number: usize,
    pub position: Position,
    pub id: Option<String>,
    pub uid: Option<String>,
    pub name: Option<String>,
    pub from: Option<String>,
    pub to: Option<String>,
    /// Where it differs from the layer's.
    pub provenance: Option<Provenance>,
}

/// A parsed layer: every record has finite coordinates that its space allows.
#[derive(Clone, Debug, PartialEq)]
pub struct GeoLayer {
    pub space: Space,
    pub basis: SpaceBasis,
    pub provenance: Option<Provenance>,
    pub records: Vec<GeoRecord>,
    /// Records that were left out, and why.
    pub warnings: Vec<RecordWarning>,
}

/// Reads a geographic layer: CSV with or without a header, JSON records, GeoJSON, or a PowerWorld `.aux` table of bus
/// positions. The contents decide which.
///
/// # Errors
/// `INPUT.EMPTY`, `INPUT.ENCODING`, `INPUT.GEO_FORMAT` when it is none of these, `INPUT.GEO_EMPTY` when no record has usable
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
        let said = match warnings.first() {
            Some(w) => message!("geo.no_coordinates_first", record = w.record, why = w.sentence.clone()),
            None => message!("geo.no_coordinates"),
        };
        return Err(EngineError::new("INPUT.GEO_EMPTY", said));
    }
    Ok(GeoLayer {
        space,
        basis,
        provenance: draft.provenance,
        records,
        warnings,
    })
}

/// What the names of a record's coordinates say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// Latitude and longitude by name.
    Degrees,
    /// A GeoJSON geometry.
    GeoJson,
    /// `x` and `y`, or columns without names.
    Plain,
}

/// A layer while it is read.
#[derive(Default)]
pub(super) struct Draft {
    pub marker: Option<Space>,
    pub provenance: Option<Provenance>,
    pub records: Vec<GeoRecord>,
    pub naming: Vec<Naming>,
    pub warnings: Vec<RecordWarning>,
}

impl Draft {
    /// Keys are compared with those of a case, in which no invisible character is left.
    pub fn push(&mut self, mut record: GeoRecord, naming: Naming) {
        let GeoRecord {
            id,
            uid,
            name,
            from,
            to,
            ..
        } = &mut record;
        for key in [id, uid, name, from, to].into_iter().flatten() {
            *key = visible(key).into_owned();
        }
        self.records.push(record);
        self.naming.push(naming);
    }

    pub fn warn(&mut self, record: usize, code: &'static str, said: Message) {
        self.warnings.push(RecordWarning::new(record, code, said));
    }
}
