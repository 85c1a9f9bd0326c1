//! The winding of a transformer to which a property without `wdg` applies.
//!
//! In OpenDSS a property for all windings (`kVs=[115 4.16]`) leaves the last one active, so a following `Tap=1.05` is
//! the tap of that winding. The parser stays at the winding of the last `wdg`.

use std::collections::BTreeMap;

use crate::distribution::reading::values;
use crate::distribution::script::{Param, Verb};

/// Properties for all windings.
const OF_ALL: [&str; 6] = ["buses", "conns", "kvs", "kvas", "taps", "%rs"];
/// Properties of one winding.
const OF_ONE: [&str; 9] = ["bus", "conn", "kv", "kva", "tap", "%r", "rneut", "xneut", "rdcohms"];

/// The transformers of a script up to a line.
#[derive(Default)]
pub(crate) struct Windings {
    /// The active object, if it is a transformer.
    active: Option<String>,
    by_name: BTreeMap<String, Transformer>,
}

#[derive(Clone, Copy)]
struct Transformer {
    windings: usize,
    /// Whether a property for all windings came after the last `wdg`.
    is_at_last: bool,
}

const NEW: Transformer = Transformer {
    windings: 2,
    is_at_last: false,
};

impl Windings {
    /// Rewrites a line that begins, edits or continues an object; `None` if the parser reads it as OpenDSS does.
    pub fn line(&mut self, verb: Verb, object: &str, line: &str, params: &[Param]) -> Option<String> {
        if verb != Verb::More {
            self.activate(object);
            if let (Verb::New, Some(name)) = (verb, &self.active) {
                self.by_name.insert(name.clone(), NEW);
            }
        }
        let inserted = self.missing(line, params)?;
        Some(with(line, inserted))
    }

    /// Rewrites a line `Class.Name.Property=value`.
    pub fn reference(&mut self, reference: &str, line: &str, params: &[Param]) -> Option<String> {
        let (object, property) = reference.rsplit_once('.')?;
        self.activate(object);
        let start = params.first()?.name.as_ref()?.start;
        // The same line as an edit, in which the property has its own name.
        let edit = format!("{}Edit {object} ", &line[..start]);
        let line = format!("{edit}{property}{}", &line[start + reference.len()..]);
        let params = crate::distribution::script::params(&line);
        let inserted = self.missing(&line, params.get(2..)?)?;
        Some(with(&line, inserted))
    }

    fn activate(&mut self, object: &str) {
        let name = object.to_ascii_lowercase();
        self.active = name.starts_with("transformer.").then_some(name);
    }

    /// Positions where a `wdg` is missing before a property of one winding, with its number; records the effects of the
    /// properties.
    fn missing(&mut self, line: &str, params: &[Param]) -> Option<Vec<(usize, usize)>> {
        let transformer = self.by_name.entry(self.active.clone()?).or_insert(NEW);
        let mut inserted = Vec::new();
        for param in params {
            let Some(name) = &param.name else { continue };
            let property = line[name.clone()].to_ascii_lowercase();
            if OF_ALL.contains(&property.as_str()) {
                transformer.is_at_last = true;
            } else if property == "wdg" {
                transformer.is_at_last = false;
            } else if property == "windings" {
                let count = values::number(&line[param.value.clone()]);
                transformer.windings = count.map_or(transformer.windings, |count| count as usize);
            } else if OF_ONE.contains(&property.as_str()) && std::mem::take(&mut transformer.is_at_last) {
                inserted.push((name.start, transformer.windings));
            }
        }
        (!inserted.is_empty()).then_some(inserted)
    }
}

fn with(line: &str, inserted: Vec<(usize, usize)>) -> String {
    let mut out = line.to_owned();
    for (at, winding) in inserted.into_iter().rev() {
        out.insert_str(at, &format!("wdg={winding} "));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Windings;
    use crate::distribution::script::{self, Verb};

    fn read(windings: &mut Windings, line: &str) -> Option<String> {
        let params = script::params(line);
        if let Some(name) = &params[0].name {
            return windings.reference(&line[name.clone()], line, &params);
        }
        let verb = script::verb(&line[params[0].value.clone()]);
        let object = match verb {
            Verb::More => "",
            _ => &line[params[1].value.clone()],
        };
        windings.line(verb, object, line, &params[1..])
    }

    #[test]
    fn after_a_list_the_last_winding_is_meant() {
        let mut windings = Windings::default();
        for (line, expected) in [
            ("New Transformer.t windings=2 kVs=[115 4.16] XHL=8", None),
            ("~ kva=500 tap=1.05", Some("~ wdg=2 kva=500 tap=1.05")),
            ("~ wdg=1 %r=1 taps=(1 1)", None),
            ("New Load.l bus1=a", None),
            ("~ kv=1", None),
            (
                "Transformer.T.Tap=(0.1 1 +)",
                Some("Edit Transformer.T wdg=2 Tap=(0.1 1 +)"),
            ),
            ("Transformer.t.Tap=1.1", None),
            (
                "New Transformer.u windings=3 buses=(a b c) kv=4",
                Some("New Transformer.u windings=3 buses=(a b c) wdg=3 kv=4"),
            ),
            ("New Transformer.u kv=4", None),
        ] {
            assert_eq!(read(&mut windings, line).as_deref(), expected, "{line}");
        }
    }
}
