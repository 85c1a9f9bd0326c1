//! Field names of geographic records: the specification's two tables.

use serde_json::Value;

use crate::coordinates::Space;
use crate::geo::layer::{Draft, GeoRecord, Naming, Position, Provenance};
use crate::input::table::{number, unquoted};
use crate::message;

/// Names are compared without case, spaces and punctuation: `Bus Number`, `bus_number` and `BUSNUMBER` are equal.
const BUS_ID: &[&str] = &["busi", "bus", "busid", "busnumber", "number", "id"];
const LATITUDE: &[&str] = &["lat", "latitude"];
const LONGITUDE: &[&str] = &["lon", "lng", "longitude"];
const X: &[&str] = &["x"];
const Y: &[&str] = &["y"];
const BRANCH_ID: &[&str] = &["branch", "branchid", "branchnumber", "catsid", "id"];
const FROM: &[&str] = &["fbus", "from", "frombus", "busfrom"];
const TO: &[&str] = &["tbus", "to", "tobus", "busto"];
const ENDS: [&[&str]; 4] = [&["lon1", "lng1"], &["lat1"], &["lon2", "lng2"], &["lat2"]];
const UID: &[&str] = &["uid", "rowuid", "busuid", "branchuid"];
const NAME: &[&str] = &["busname", "name"];
const PATH: &[&str] = &["path", "route", "coordinates"];
/// A record with one of these describes a machine at a bus, whose position is not that of the bus.
const GENERATOR: &[&str] = &["genid", "genuid", "generatorid", "generatornumber"];
/// Row numbers of geographic information systems, which do not identify buses.
const GIS_ROW: &[&str] = &["fid", "objectid", "oid", "ogcfid", "gid"];

/// The fields of one record.
pub(crate) struct Fields {
    fields: Vec<(String, Value)>,
    /// Whether a comma may be the decimal point (CSV with semicolons).
    decimal_comma: bool,
}

impl Fields {
    pub fn new(fields: impl Iterator<Item = (String, Value)>, decimal_comma: bool) -> Self {
        let fields = fields.map(|(key, value)| (normalised(&key), value)).collect();
        Self { fields, decimal_comma }
    }

    fn value(&self, names: &[&str]) -> Option<&Value> {
        let present = |name: &&str| self.fields.iter().find(|(key, v)| key == name && !is_blank(v));
        names.iter().find_map(present).map(|(_, v)| v)
    }

    fn number(&self, names: &[&str]) -> Option<f64> {
        match self.value(names)? {
            Value::Number(n) => n.as_f64(),
            Value::String(text) => number(text, self.decimal_comma),
            _ => None,
        }
    }

    fn text(&self, names: &[&str]) -> Option<String> {
        match self.value(names)? {
            Value::String(text) => Some(unquoted(text).to_owned()).filter(|t| !t.is_empty()),
            Value::Number(n) => Some(n.to_string()),
            _ => None,
        }
    }

    fn has(&self, names: &[&str]) -> bool {
        self.value(names).is_some()
    }

    /// The value of a marker column or property: its name ends in `geokind`.
    pub fn marker(&self) -> Option<Space> {
        let (_, value) = self.fields.iter().find(|(key, _)| key.ends_with("geokind"))?;
        value.as_str().and_then(space_of_token)
    }

    /// Whether the record may have coordinates and is worth reading.
    pub fn has_coordinates(&self) -> bool {
        let pair = |a, b| self.has(a) && self.has(b);
        pair(LATITUDE, LONGITUDE) || pair(Y, X) || ENDS.iter().all(|e| self.has(e)) || self.path().is_some()
    }

    fn path(&self) -> Option<Vec<[f64; 2]>> {
        let points = self.value(PATH)?.as_array()?;
        let points: Option<Vec<[f64; 2]>> = points.iter().map(point).collect();
        points.filter(|p| p.len() > 1)
    }

    /// Reads the record and adds it to the layer, or a warning with the reason. `geometry` is that of a GeoJSON
    /// feature, `outer_id` its own id or the member name of a JSON record.
    pub fn add_to(&self, draft: &mut Draft, number: usize, geometry: Option<Position>, outer_id: Option<String>) {
        let from_geometry = geometry.is_some();
        let Some((position, naming)) = geometry.map(|g| (g, Naming::GeoJson)).or_else(|| self.position()) else {
            return draft.warn(number, "GEO.NO_COORDINATES", message!("geo.record_without_coordinates"));
        };
        let target = self.text(&["target"]).map(|t| t.to_ascii_lowercase());
        let is_branch = matches!(position, Position::Branch(_));
        let other = target.filter(|t| t.as_str() != if is_branch { "branch" } else { "bus" });
        if let Some(other) = other {
            return draft.warn(
                number,
                "GEO.NOT_A_BUS",
                message!("geo.describes_other", target = shortened(&other)),
            );
        }
        if !is_branch && self.has(GENERATOR) {
            return draft.warn(number, "GEO.NOT_A_BUS", message!("geo.describes_generator"));
        }
        let outer_id = outer_id.filter(|id| !(from_geometry && self.text(GIS_ROW).is_some_and(|row| row == *id)));
        let record = GeoRecord {
            number,
            position,
            id: self.text(if is_branch { BRANCH_ID } else { BUS_ID }),
            uid: self.text(UID),
            name: self.text(NAME),
            from: self.text(FROM).filter(|_| is_branch),
            to: self.text(TO).filter(|_| is_branch),
            provenance: self.text(&["kind"]).and_then(|k| provenance_of_token(&k)),
        };
        if !is_branch {
            if let Some(Value::Array(members)) = self.value(BUS_ID) {
                return add_members(draft, &record, naming, members);
            }
        }
        let id = record.id.clone().or(outer_id);
        let keyed = id.is_some() || record.uid.is_some() || record.from.is_some() && record.to.is_some();
        if keyed || (!is_branch && record.name.is_some()) {
            draft.push(GeoRecord { id, ..record }, naming);
        } else {
            let message = match is_branch {
                true => message!("geo.no_branch_key"),
                false => message!("geo.no_bus_key"),
            };
            draft.warn(number, "GEO.NO_KEY", message);
        }
    }

    fn position(&self) -> Option<(Position, Naming)> {
        if let [Some(x1), Some(y1), Some(x2), Some(y2)] = ENDS.map(|e| self.number(e)) {
            return Some((Position::Branch(vec![[x1, y1], [x2, y2]]), Naming::Degrees));
        }
        if let Some(path) = self.path() {
            return Some((Position::Branch(path), Naming::GeoJson));
        }
        if let (Some(x), Some(y)) = (self.number(LONGITUDE), self.number(LATITUDE)) {
            return Some((Position::Bus([x, y]), Naming::Degrees));
        }
        let x = self.number(X).or_else(|| self.number(LONGITUDE));
        let y = self.number(Y).or_else(|| self.number(LATITUDE));
        Some((Position::Bus([x?, y?]), Naming::Plain))
    }
}

/// A substation with a list of its buses, each of which gets its position.
fn add_members(draft: &mut Draft, at: &GeoRecord, naming: Naming, members: &[Value]) {
    for member in members {
        let fields = match member {
            Value::Object(o) => Fields::new(o.iter().map(|(k, v)| (k.clone(), v.clone())), false),
            other => Fields::new([("id".to_owned(), other.clone())].into_iter(), false),
        };
        let (id, uid, name) = (fields.text(BUS_ID), fields.text(UID), fields.text(NAME));
        if id.is_some() || uid.is_some() || name.is_some() {
            draft.push(
                GeoRecord {
                    id,
                    uid,
                    name,
                    ..at.clone()
                },
                naming,
            );
        }
    }
}

/// Whether a column of this name belongs to a geographic table.
pub(crate) fn is_known(name: &str) -> bool {
    let name = normalised(name);
    let groups = [BUS_ID, LATITUDE, LONGITUDE, X, Y, BRANCH_ID, FROM, TO, UID, NAME];
    groups.iter().chain(&ENDS).any(|g| g.contains(&name.as_str()))
}

/// `[x, y, ...]` of a GeoJSON position; further numbers are ignored.
pub(crate) fn point(value: &Value) -> Option<[f64; 2]> {
    let numbers = value.as_array()?;
    Some([numbers.first()?.as_f64()?, numbers.get(1)?.as_f64()?])
}

pub(crate) fn space_of_token(token: &str) -> Option<Space> {
    match token.trim().to_ascii_lowercase().as_str() {
        "geographic" => Some(Space::Geographic),
        "projected" => Some(Space::Projected),
        "drawing" | "diagram" => Some(Space::Drawing),
        "unknown" => Some(Space::Unknown),
        _ => None,
    }
}

pub(crate) fn provenance_of_token(token: &str) -> Option<Provenance> {
    match token.trim().to_ascii_lowercase().as_str() {
        "source" => Some(Provenance::Source),
        "synthetic" => Some(Provenance::Synthetic),
        "manual" => Some(Provenance::Manual),
        "derived" => Some(Provenance::Derived),
        _ => None,
    }
}

/// A text of the file for a message: at most 40 characters, without control characters.
pub(crate) fn shortened(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(40).collect()
}

pub(crate) fn normalised(key: &str) -> String {
    let letters = key.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => unquoted(text).is_empty(),
        _ => false,
    }
}
