//! Line codes and similar objects that a script uses before it defines them.
//!
//! The parser's refusal names only the element.

use std::collections::{BTreeMap, BTreeSet};

use super::place::{undefined, Place};
use crate::error::EngineError;
use crate::sentences::recognised::lost_reference;

/// Options that refer to an object, the class of the object, and the parser's name for it.
const OPTIONS: [(&str, &str, &str); 4] = [
    ("linecode", "linecode", "LineCode"),
    ("geometry", "linegeometry", "LineGeometry"),
    ("spacing", "linespacing", "LineSpacing"),
    ("xfmrcode", "xfmrcode", "XfmrCode"),
];

/// Objects defined so far, and undefined names.
#[derive(Default)]
pub(crate) struct References {
    /// `class.name` in lower case.
    defined: BTreeSet<String>,
    /// By the element in lower case and the option.
    undefined: BTreeMap<(String, &'static str), Undefined>,
}

struct Undefined {
    element: String,
    value: String,
    line: usize,
    file: Option<String>,
}

impl References {
    /// Defines an object, `class.name`.
    pub(super) fn define(&mut self, object: &str) {
        let class = object.split('.').next().unwrap_or_default();
        if OPTIONS.iter().any(|(_, of, _)| *of == class) {
            self.defined.insert(object.to_ascii_lowercase());
        }
    }

    /// Records a value of an option of an element.
    pub(super) fn note(&mut self, element: &str, option: &'static str, value: &str, at: Place<'_>) {
        let Some((_, class, _)) = OPTIONS.iter().find(|(of, _, _)| *of == option) else {
            return;
        };
        if self
            .defined
            .contains(&format!("{class}.{}", value.to_ascii_lowercase()))
        {
            return;
        }
        let key = (element.to_ascii_lowercase(), option);
        self.undefined.entry(key).or_insert_with(|| Undefined {
            element: element.to_owned(),
            value: value.to_owned(),
            line: at.line,
            file: at.file.map(str::to_owned),
        });
    }

    /// Adds the undefined name and its line to a refusal of the parser, if it is about one of these.
    pub fn explained(&self, error: EngineError) -> EngineError {
        let found = lost_reference(&error.sentence).and_then(|(element, what)| {
            let (option, _, _) = OPTIONS
                .iter()
                .find(|(_, _, message)| message.eq_ignore_ascii_case(what))?;
            self.undefined
                .get(&(element.to_ascii_lowercase(), *option))
                .map(|u| (*option, u))
        });
        let Some((option, at)) = found else { return error };
        let (line, file) = (at.line, at.file.as_deref());
        undefined(&at.element, option, &at.value, Place { line, file })
    }
}
