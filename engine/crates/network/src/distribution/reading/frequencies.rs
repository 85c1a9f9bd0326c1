//! Base frequencies that a script sets, where the parser reads them differently.

use crate::distribution::reading::rewriting::{is_base_frequency, replaced};
use crate::distribution::reading::values;
use crate::distribution::script::Param;

/// Base frequency of OpenDSS if nothing sets one, Hz.
const FREQUENCY: f64 = 60.0;
/// `DefaultBaseFrequency` for the parser, in the abbreviated form: after the full name the parser refuses reactors
/// because it does not know their initial frequency. The rewritten script states it for each reactor.
pub(crate) const SHORT: &str = "DefaultBaseFreq";

/// The base frequency up to a line of a script.
pub(super) struct Frequencies {
    /// Whether lines that set a frequency are removed.
    strip: bool,
    /// Whether a circuit exists.
    pub circuit: bool,
    /// Hz; NaN for an invalid number.
    now: f64,
    /// Last value to which the script changes after `New Circuit`, as in the script.
    pub late: Option<String>,
}

impl Frequencies {
    /// `beforehand` is set before the script, whose own settings are then removed.
    pub fn new(beforehand: Option<&str>) -> Self {
        Self {
            strip: beforehand.is_some(),
            circuit: false,
            now: beforehand.map_or(FREQUENCY, hertz),
            late: None,
        }
    }

    /// Records the base frequency of a `set` line, and removes it on demand.
    pub fn set(&mut self, line: &str, params: &[Param]) -> Option<String> {
        let mut cuts = Vec::new();
        for param in params {
            let Some(name) = &param.name else { continue };
            if !is_base_frequency(&line[name.clone()]) {
                continue;
            }
            if self.strip {
                cuts.push((name.start..param.quoted.end, String::new()));
                continue;
            }
            let value = hertz(&line[param.value.clone()]);
            if self.circuit && value != self.now {
                self.late = Some(line[param.quoted.clone()].to_owned());
            }
            self.now = value;
            if line[name.clone()].eq_ignore_ascii_case("DefaultBaseFrequency") {
                cuts.push((name.clone(), SHORT.to_owned()));
            }
        }
        (!cuts.is_empty()).then(|| match self.strip && cuts.len() == params.len() {
            true => String::new(),
            false => replaced(line, cuts),
        })
    }

    /// A new reactor or capacitor with the explicit base frequency of its circuit; the parser would assume 60 Hz or
    /// none.
    pub fn given(&self, object: &str, line: &str, params: &[Param]) -> Option<String> {
        let is_meant = object.starts_with("reactor.") || object.starts_with("capacitor.");
        let begins = |name: &str| name.len() >= 3 && "basefreq".starts_with(&name.to_ascii_lowercase());
        let is_given = params
            .iter()
            .filter_map(|p| p.name.clone())
            .any(|name| begins(&line[name]));
        if !is_meant || is_given || self.now == FREQUENCY || !self.now.is_finite() {
            return None;
        }
        let at = params.last()?.quoted.end;
        Some(format!("{} basefreq={}{}", &line[..at], self.now, &line[at..]))
    }
}

/// A frequency in a script; NaN for an invalid number.
fn hertz(text: &str) -> f64 {
    let quotes: &[char] = &['"', '\'', '(', ')', '[', ']', '{', '}'];
    values::number(text.trim_matches(quotes)).unwrap_or(f64::NAN)
}
