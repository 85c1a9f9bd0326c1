//! Duplicate elements of a JSON document, of which readers silently use the last.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;

use crate::error::Result;
use crate::message;

/// Refuses a document with a duplicate section or a duplicate element of a section. Invalid JSON is left to the parser.
///
/// # Errors
/// `INPUT.DUPLICATE_ELEMENT` naming the first duplicate.
pub(crate) fn refuse(text: &str) -> Result<()> {
    let Ok(Sections(Some(twin))) = serde_json::from_str(text) else {
        return Ok(());
    };
    let message = message!("feeder.twice", name = &twin);
    Err(crate::distribution::refuse("INPUT.DUPLICATE_ELEMENT", &twin, message))
}

/// The first duplicate name: `section`, or `section.element`.
struct Sections(Option<String>);

/// The first duplicate key of an object; `None` for other values.
struct Keys(Option<String>);

impl<'de> Deserialize<'de> for Sections {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(OfSections)
    }
}

struct OfSections;

impl<'de> Visitor<'de> for OfSections {
    type Value = Sections;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Sections, A::Error> {
        let mut seen = BTreeSet::new();
        let mut twin = None;
        while let Some((section, Keys(key))) = map.next_entry::<String, Keys>()? {
            let inside = key.map(|k| format!("{section}.{k}"));
            let again = (!seen.insert(section.clone())).then_some(section);
            twin = twin.or(again).or(inside);
        }
        Ok(Sections(twin))
    }
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(OfKeys)
    }
}

struct OfKeys;

impl<'de> Visitor<'de> for OfKeys {
    type Value = Keys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Keys, A::Error> {
        let mut seen = BTreeSet::new();
        let mut twin = None;
        while let Some((key, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
            if !seen.insert(key.clone()) {
                twin = twin.or(Some(key));
            }
        }
        Ok(Keys(twin))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Keys, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Keys(None))
    }

    fn visit_bool<E>(self, _: bool) -> std::result::Result<Keys, E> {
        Ok(Keys(None))
    }

    fn visit_i64<E>(self, _: i64) -> std::result::Result<Keys, E> {
        Ok(Keys(None))
    }

    fn visit_u64<E>(self, _: u64) -> std::result::Result<Keys, E> {
        Ok(Keys(None))
    }

    fn visit_f64<E>(self, _: f64) -> std::result::Result<Keys, E> {
        Ok(Keys(None))
    }

    fn visit_str<E>(self, _: &str) -> std::result::Result<Keys, E> {
        Ok(Keys(None))
    }

    fn visit_unit<E>(self) -> std::result::Result<Keys, E> {
        Ok(Keys(None))
    }
}
