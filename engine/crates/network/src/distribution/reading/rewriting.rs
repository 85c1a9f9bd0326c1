//! Lines rewritten in terms that the parser supports.

use crate::distribution::script::{self, Param};

/// Whether the name is `DefaultBaseFrequency` or `BaseFrequency` of `set`, abbreviated as in OpenDSS: a name denotes
/// the first option that begins with it, and `default` alone is `DefaultDaily`.
pub(crate) fn is_base_frequency(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    (name.len() >= 8 && "defaultbasefrequency".starts_with(&name))
        || (!name.is_empty() && "basefrequency".starts_with(&name))
}

/// Rewrites `SwtControl.x.State=` to `SwtControl.x.Action=`.
pub(crate) fn property_reference(line: &str, reference: &str, params: &[Param]) -> Option<String> {
    let (object, property) = reference.rsplit_once('.')?;
    let of_control = object.to_ascii_lowercase().starts_with("swtcontrol.");
    let name = params[0].name.clone()?;
    let edit = (of_control && is_state(property)).then(|| (name, format!("{object}.Action")));
    edit.map(|edit| replaced(line, vec![edit]))
}

/// Rewrites `State` of a switch control, which the parser refuses, to `Action`, which it stores: both give the position
/// of the switch after the solution, which `crate::distribution::switching` applies.
pub(crate) fn states_as_actions(line: &str, params: &[Param]) -> Option<String> {
    let named = params.iter().filter_map(|p| p.name.clone());
    let edits: Vec<_> = named
        .filter(|name| is_state(&line[name.clone()]))
        .map(|name| (name, "Action".to_owned()))
        .collect();
    (!edits.is_empty()).then(|| replaced(line, edits))
}

/// Whether the name is that of the property `State`; `s` alone is `SwitchedObj`.
fn is_state(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.len() >= 2 && "state".starts_with(&name)
}

/// The line with the given ascending parts replaced.
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
