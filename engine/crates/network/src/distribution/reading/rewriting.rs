//! Lines in words that the parser keeps.

use crate::distribution::script::{self, Param};

/// `DefaultBaseFrequency` and `BaseFrequency` of `set`, abbreviated as OpenDSS allows: a name means the first option that begins
/// with it, and `default` alone is `DefaultDaily`.
pub(crate) fn is_base_frequency(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    (name.len() >= 8 && "defaultbasefrequency".starts_with(&name))
        || (!name.is_empty() && "basefrequency".starts_with(&name))
}

/// `SwtControl.x.State=` as `SwtControl.x.Action=`.
pub(crate) fn property_reference(line: &str, reference: &str, params: &[Param]) -> Option<String> {
    let (object, property) = reference.rsplit_once('.')?;
    let of_control = object.to_ascii_lowercase().starts_with("swtcontrol.");
    let name = params[0].name.clone()?;
    let edit = (of_control && is_state(property)).then(|| (name, format!("{object}.Action")));
    edit.map(|edit| replaced(line, vec![edit]))
}

/// `State` of a switch control, which the parser refuses, as `Action`, which it keeps: both say how the switch stands once the
/// circuit is solved, and `crate::distribution::switching` applies it.
pub(crate) fn states_as_actions(line: &str, params: &[Param]) -> Option<String> {
    let named = params.iter().filter_map(|p| p.name.clone());
    let edits: Vec<_> = named
        .filter(|name| is_state(&line[name.clone()]))
        .map(|name| (name, "Action".to_owned()))
        .collect();
    (!edits.is_empty()).then(|| replaced(line, edits))
}

/// The property `State`; `s` alone is `SwitchedObj`.
fn is_state(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.len() >= 2 && "state".starts_with(&name)
}

/// The line with these parts, which ascend, replaced.
pub(crate) fn replaced(line: &str, parts: Vec<(std::ops::Range<usize>, String)>) -> String {
    let mut out = String::with_capacity(line.len());
    let mut at = 0;
    for (range, text) in parts {
        out.push_str(&line[at..range.start]);
        out.push_str(&text);
        at = range.end;
    }
    out.push_str(&line[at..]);
    out
}

/// Records `bus, latitude, longitude` as `bus, longitude, latitude`.
pub(crate) fn swapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let params = script::params(line);
        if let [bus, latitude, longitude, ..] = params.as_slice() {
            let [bus, latitude, longitude] = [bus, latitude, longitude].map(|p| &line[p.quoted.clone()]);
            out.push_str(&format!("{bus}, {longitude}, {latitude}"));
        }
        out.push('\n');
    }
    out
}
