//! A geographic layer: the positions of a file before they are matched to a case.

pub(super) mod space;

use crate::coordinates::Space;
use crate::message::visible::visible;
use crate::message::Message;

/// The evidence for the space of a layer, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceBasis {
    /// A marker (`powerio_geo`, a member that ends in `geo_kind`) or a `crs` in the file.
    Marker,
    /// Field names for latitude and longitude, or unmarked GeoJSON, whose coordinates are geographic by RFC 7946.
    Names,
    /// Columns `x` and `y`, or unnamed ones, with values that look like longitude and latitude far from the origin.
    Inferred,
    /// No evidence.
    Nothing,
}

/// The origin of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    Source,
    Synthetic,
    Manual,
    Derived,
}

/// A position: a bus has a point, a branch a path of at least two points.
#[derive(Clone, Debug, PartialEq)]
pub enum Position {
    /// `[x, y]`: longitude and latitude in geographic space.
    Bus([f64; 2]),
    Branch(Vec<[f64; 2]>),
}

/// One record of a layer. Keys are as in the file, trimmed.
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
    /// The origin of this record, if it differs from the layer's.
    pub provenance: Option<Provenance>,
}

/// A warning about one record of a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordWarning {
    /// 1-based number of the record; 0 for the case or the whole layer.
    pub record: usize,
    /// `GEO.UNMATCHED`, `GEO.AMBIGUOUS`, `GEO.CONTRADICTION`, `GEO.ENDS_DISAGREE`, `GEO.UNCHECKED`, `GEO.DUPLICATE`, `GEO.NO_KEY`,
    /// `GEO.NO_COORDINATES`, `GEO.GEOMETRY`, `GEO.OUT_OF_RANGE`, `GEO.NOT_A_BUS`, `GEO.INFERRED`, `GEO.REPLACED`.
    pub code: &'static str,
    pub sentence: Message,
}

impl RecordWarning {
    pub(crate) fn new(record: usize, code: &'static str, sentence: Message) -> Self {
        Self { record, code, sentence }
    }

    /// `sentence` in English.
    pub fn message(&self) -> String {
        self.sentence.english()
    }
}

/// A parsed layer: every record has finite coordinates that its space allows.
#[derive(Clone, Debug, PartialEq)]
pub struct GeoLayer {
    pub space: Space,
    pub basis: SpaceBasis,
    pub provenance: Option<Provenance>,
    pub records: Vec<GeoRecord>,
    /// Omitted records, with reasons.
    pub warnings: Vec<RecordWarning>,
}

/// The evidence in the names of a record's coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Latitude and longitude by name.
    Degrees,
    /// A GeoJSON geometry.
    GeoJson,
    /// `x` and `y`, or columns without names.
    Plain,
}

/// A layer while it is being read.
#[derive(Default)]
pub(crate) struct Draft {
    pub marker: Option<Space>,
    pub provenance: Option<Provenance>,
    pub records: Vec<GeoRecord>,
    pub naming: Vec<Naming>,
    pub warnings: Vec<RecordWarning>,
}

impl Draft {
    /// Adds a record. Keys are compared with those of a case, from which invisible characters have been removed, so
    /// they are removed here too.
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

    pub fn warn(&mut self, record: usize, code: &'static str, message: Message) {
        self.warnings.push(RecordWarning::new(record, code, message));
    }
}
