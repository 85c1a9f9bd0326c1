//! Classification of a JSON document by its content.

use powerio::{classify_json_text, Detection, JsonClass as ParserClass};
use std::collections::BTreeMap;

use super::shape::{members, Shape};

/// Kinds of JSON documents, spelled as the specification does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonKind {
    /// A generation-2 module (any generation: the reader names the one it refuses).
    Module,
    /// A balanced network; `format` is one of [`crate::JSON_FORMATS`].
    Transmission,
    /// A multiconductor network; `format` is one of [`crate::DISTRIBUTION_JSON_FORMATS`].
    Distribution,
    /// The document has the marks of both; the user must choose.
    Ambiguous,
    /// Other documents: no JSON, geography, schemas, the retired bare model JSON.
    Unknown,
}

impl JsonKind {
    /// The specification's spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Module => "module",
            Self::Transmission => "transmission",
            Self::Distribution => "distribution",
            Self::Ambiguous => "ambiguous",
            Self::Unknown => "unknown",
        }
    }
}

/// Kind of a JSON document and the format of its reader; `format` is `None` for modules, ambiguous and unknown
/// documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonClass {
    pub kind: JsonKind,
    pub format: Option<&'static str>,
}

/// JSON formats of balanced networks that [`crate::ingest_case`] reads.
pub const JSON_FORMATS: [&str; 6] = [
    "powermodels-json",
    "egret-json",
    "pandapower-json",
    "opfdata-json",
    "goc3-json",
    "psse-rawx",
];
/// JSON formats of multiconductor networks.
pub const DISTRIBUTION_JSON_FORMATS: [&str; 2] = ["bmopf-json", "pmd-json"];

const UNKNOWN: JsonClass = JsonClass {
    kind: JsonKind::Unknown,
    format: None,
};

/// Classifies a document by its content. Never fails: invalid JSON and JSON without a case are `Unknown`.
///
/// The parser uses the names of top-level members, so it accepts any object with a `bus` as a case. Here a case must
/// also contain equipment; otherwise it may be a geographic layer.
pub fn classify_json(bytes: &[u8]) -> JsonClass {
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return UNKNOWN;
    };
    let detection = match classify_json_text(text) {
        ParserClass::Module => {
            return JsonClass {
                kind: JsonKind::Module,
                format: None,
            }
        }
        ParserClass::Case(detection) => detection,
    };
    let Some(members) = members(text) else {
        return UNKNOWN;
    };
    match detection {
        Detection::Unknown => UNKNOWN,
        Detection::Ambiguous if transmission_equipment(&members) || distribution_equipment(&members) => JsonClass {
            kind: JsonKind::Ambiguous,
            format: None,
        },
        Detection::Ambiguous => UNKNOWN,
        Detection::Known(format) => known(format.name(), &members),
    }
}

fn known(name: &str, members: &BTreeMap<String, Shape>) -> JsonClass {
    let of = |formats: &[&'static str]| formats.iter().copied().find(|f| *f == name);
    let (kind, format, real) = match (of(&JSON_FORMATS), of(&DISTRIBUTION_JSON_FORMATS)) {
        (Some("powermodels-json"), _) => {
            let real = transmission_equipment(members);
            (JsonKind::Transmission, "powermodels-json", real)
        }
        (Some("psse-rawx"), _) => {
            // A document of the case identification alone has no equipment.
            let real = matches!(members.get("network"), Some(Shape::Object(tables)) if *tables > 1);
            (JsonKind::Transmission, "psse-rawx", real)
        }
        (Some(format), _) => (JsonKind::Transmission, format, true),
        (None, Some(format)) => (JsonKind::Distribution, format, distribution_equipment(members)),
        // Surge and JIIDM documents have no reader here.
        (None, None) => return UNKNOWN,
    };
    match real {
        true => JsonClass {
            kind,
            format: Some(format),
        },
        false => UNKNOWN,
    }
}

fn filled(members: &BTreeMap<String, Shape>, name: &str) -> bool {
    matches!(members.get(name), Some(Shape::Object(entries)) if *entries > 0)
}

/// Whether there are buses with an identity and elements at or between them; record lists of a geographic file are
/// arrays.
fn transmission_equipment(members: &BTreeMap<String, Shape>) -> bool {
    filled(members, "bus") && ["branch", "gen", "load"].iter().any(|name| filled(members, name))
}

fn distribution_equipment(members: &BTreeMap<String, Shape>) -> bool {
    const EQUIPMENT: [&str; 8] = [
        "line",
        "transformer",
        "load",
        "voltage_source",
        "generator",
        "switch",
        "shunt",
        "storage",
    ];
    filled(members, "bus") && EQUIPMENT.iter().any(|name| filled(members, name))
}
