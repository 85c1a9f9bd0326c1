//! JSON records and GeoJSON.

use serde_json::{Map, Value};

use crate::coordinates::Space;
use crate::error::{EngineError, Result};
use crate::geo::layer::Draft;
use crate::geo::readers::features;
use crate::geo::readers::fields::{normalised, provenance_of_token, space_of_token, Fields};
use crate::message;

/// Reads all records and features of a JSON document at any depth.
///
/// # Errors
/// `INPUT.GEO_FORMAT` for invalid JSON. (Bare `NaN` and `Infinity`, which Python writes, are read as null.)
pub(crate) fn read(text: &str) -> Result<Draft> {
    let parsed = serde_json::from_str(text).or_else(|e| match without_nan(text) {
        Some(text) => serde_json::from_str(&text),
        None => Err(e),
    });
    let value: Value = parsed.map_err(|e| {
        let why = crate::sentences::remark(&e.to_string());
        EngineError::new("INPUT.GEO_FORMAT", message!("geo.not_json", why = why))
    })?;
    let mut reader = Reader::default();
    reader.walk(&value, None);
    Ok(reader.draft)
}

/// The text with `NaN`, `Infinity` and `-Infinity` outside strings replaced by null; `None` if there are none.
fn without_nan(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let (mut quoted, mut escaped, mut found) = (false, false, false);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let word = ["-Infinity", "Infinity", "NaN"]
            .into_iter()
            .find(|w| !quoted && rest.starts_with(w));
        if let Some(word) = word {
            out.push_str("null");
            rest = &rest[word.len()..];
            found = true;
            continue;
        }
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => {}
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    found.then_some(out)
}

#[derive(Default)]
struct Reader {
    draft: Draft,
    /// Number of records and features so far.
    count: usize,
}

impl Reader {
    /// The parser bounds the depth by refusing more than 128 levels.
    fn walk(&mut self, value: &Value, name: Option<&str>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.walk(item, None)),
            Value::Object(object) => self.object(object, name),
            _ => {}
        }
    }

    fn object(&mut self, object: &Map<String, Value>, name: Option<&str>) {
        self.read_marker(object);
        if object.get("type").and_then(Value::as_str) == Some("Feature") {
            self.count += 1;
            return features::read(object, self.count, &mut self.draft);
        }
        if let Some(Value::Array(features)) = object.get("features") {
            return features.iter().for_each(|f| self.walk(f, None));
        }
        let fields = Fields::new(object.iter().map(|(k, v)| (k.clone(), v.clone())), false);
        if fields.has_coordinates() {
            self.count += 1;
            return fields.add_to(&mut self.draft, self.count, None, name.map(str::to_owned));
        }
        for (key, value) in object {
            self.walk(value, Some(key));
        }
    }

    /// `powerio_geo: {space, kind}`, a member whose name ends in `geo_kind`, or `crs`; the outermost applies.
    fn read_marker(&mut self, object: &Map<String, Value>) {
        if let Some(Value::Object(geo)) = object.get("powerio_geo") {
            let token = |key: &str| geo.get(key).and_then(Value::as_str);
            let provenance = token("kind").and_then(provenance_of_token);
            self.draft.provenance = self.draft.provenance.or(provenance);
            let space = token("space").map(|s| space_of_token(s).unwrap_or(Space::Unknown));
            self.draft.marker = self.draft.marker.or(space);
        }
        let marker = object.iter().find(|(key, _)| normalised(key).ends_with("geokind"));
        let marker = marker.and_then(|(_, v)| v.as_str()).and_then(space_of_token);
        self.draft.marker = self.draft.marker.or(marker);
        let crs = object.get("crs").filter(|_| object.contains_key("features"));
        let name = crs.and_then(|c| c.as_str().or_else(|| c.pointer("/properties/name")?.as_str()));
        if let (Some(name), None) = (name, self.draft.marker) {
            let name = normalised(name);
            let degrees = ["epsg4326", "crs84", "wgs84", "4326"]
                .iter()
                .any(|known| name.ends_with(known));
            self.draft.marker = Some(if degrees { Space::Geographic } else { Space::Projected });
        }
    }
}
