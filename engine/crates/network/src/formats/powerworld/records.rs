//! Elements of an auxiliary file. A complete export describes an object in several sections, which Simulator and the
//! reader merge by key. The merge here preserves the reader's order, so that records correspond to rows of the network.

use std::collections::HashMap;

use super::objects::Object;

/// An element with the fields of all its sections.
#[derive(Default)]
pub(super) struct Record<'a> {
    /// Values by field name in lower case.
    fields: HashMap<String, &'a str>,
    /// Lines of `<SUBDATA BidCurve>`.
    pub bids: Option<&'a [&'a str]>,
    /// Whether it has `<SUBDATA ReactiveCapability>`.
    pub has_capability_curve: bool,
    /// Whether it is in a `Transformer` section.
    pub is_in_transformer_section: bool,
}

impl<'a> Record<'a> {
    /// The first of `names` that has a value.
    pub fn text(&self, names: &[&str]) -> Option<&'a str> {
        let value = |name: &&str| self.fields.get(&name.to_ascii_lowercase()).copied();
        names.iter().filter_map(value).find(|value| !value.is_empty())
    }

    /// The first of `names` that has a value, as a number; `None` if it is absent or invalid.
    pub fn number(&self, names: &[&str]) -> Option<f64> {
        self.text(names)?.parse().ok()
    }

    /// The number, or zero.
    pub fn amount(&self, names: &[&str]) -> f64 {
        self.number(names).unwrap_or(0.0)
    }

    /// Whether the field has this word as its value.
    pub fn says(&self, names: &[&str], word: &str) -> bool {
        self.text(names).is_some_and(|text| text.eq_ignore_ascii_case(word))
    }
}

/// Keys of a kind of element: each has several names, one per generation of the format.
pub(super) struct Keys(pub &'static [&'static [&'static str]]);

pub(super) const BUS: Keys = Keys(&[&["BusNum", "Number"]]);
pub(super) const LOAD: Keys = Keys(&[&["BusNum", "BusName_NomVolt"], &["LoadID", "ID"]]);
pub(super) const SHUNT: Keys = Keys(&[&["BusNum", "BusName_NomVolt"], &["ShuntID", "ID"]]);
pub(super) const GENERATOR: Keys = Keys(&[&["BusNum", "BusName_NomVolt"], &["GenID", "ID"]]);
pub(super) const BRANCH: Keys = Keys(&[
    &["BusNum", "BusNumFrom", "BusName_NomVolt"],
    &["BusNum:1", "BusNumTo", "BusName_NomVolt:1"],
    &["LineCircuit", "Circuit"],
]);

/// The elements of a kind in the order of the file. Sections of the kind `also` add fields to elements but create none.
pub(super) fn records<'a>(objects: &'a [Object<'a>], kind: &str, also: &str, keys: &Keys) -> Vec<Record<'a>> {
    let mut index: HashMap<Vec<&str>, usize> = HashMap::new();
    let mut out: Vec<Record<'a>> = Vec::new();
    for object in objects.iter().filter(|o| o.kind == kind || o.kind == also) {
        let columns: Vec<Vec<usize>> = keys
            .0
            .iter()
            .map(|names| names.iter().filter_map(|name| object.column(&[name])).collect())
            .collect();
        if kind == "bus" && columns[0].is_empty() {
            continue;
        }
        let keyless = columns.iter().all(Vec::is_empty);
        for (at, row) in object.rows.iter().enumerate() {
            let value = |columns: &Vec<usize>| columns.iter().map(|k| row[*k]).find(|v| !v.is_empty()).unwrap_or("");
            let slot = match keyless {
                // The reader matches rows without keys by position.
                true => at.min(out.len()),
                false => {
                    let key: Vec<&str> = columns.iter().map(value).collect();
                    let next = out.len();
                    match object.kind == kind {
                        true => *index.entry(key).or_insert(next),
                        false => match index.get(&key) {
                            Some(known) => *known,
                            None => continue,
                        },
                    }
                }
            };
            if slot == out.len() {
                out.push(Record::default());
            }
            let record = &mut out[slot];
            record.is_in_transformer_section |= object.kind == "transformer";
            for (name, value) in object.fields.iter().zip(row) {
                record.fields.insert(name.to_ascii_lowercase(), value);
            }
            for block in object.subdata.iter().filter(|block| block.row == at) {
                match block.name {
                    name if name.eq_ignore_ascii_case("BidCurve") => record.bids = Some(&block.lines),
                    name if name.eq_ignore_ascii_case("ReactiveCapability") => record.has_capability_curve = true,
                    _ => {}
                }
            }
        }
    }
    out
}
