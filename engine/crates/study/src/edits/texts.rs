//! Edits as they cross the engine's boundary: the contract's `Edits` as JSON.

use crate::contract as c;
use std::borrow::Cow;
use wattbook_network::error::Result;

/// `Edits` as JSON, absolute from the base case and keyed by id or uid; an empty text or `null` has no edits. Tuples are texts of its
/// first fields: `deltas`, `rates`, `reactive`, `generators`.
#[derive(Clone, Debug, Default)]
pub struct EditsJson<'a>(Cow<'a, str>);

impl EditsJson<'_> {
    /// Errors: `INPUT.REQUEST`.
    pub(crate) fn read(&self) -> Result<c::Edits> {
        crate::json::from_json("edits", &self.0)
    }

    fn of(fields: &[(&str, &str)]) -> Self {
        let given = fields.iter().filter(|(_, text)| !matches!(text.trim(), "" | "null"));
        let given: Vec<String> = given.map(|(name, text)| format!("\"{name}\":{text}")).collect();
        Self(Cow::Owned(format!("{{{}}}", given.join(","))))
    }
}

impl<'a> From<&'a str> for EditsJson<'a> {
    fn from(edits: &'a str) -> Self {
        Self(Cow::Borrowed(edits))
    }
}

impl<'a, D: AsRef<str> + ?Sized, R: AsRef<str> + ?Sized> From<(&'a D, &'a R)> for EditsJson<'a> {
    fn from((deltas, rates): (&'a D, &'a R)) -> Self {
        Self::of(&[("deltas", deltas.as_ref()), ("rates", rates.as_ref())])
    }
}

impl<'a> From<(&'a str, &'a str, &'a str)> for EditsJson<'a> {
    fn from((deltas, rates, reactive): (&'a str, &'a str, &'a str)) -> Self {
        Self::of(&[("deltas", deltas), ("rates", rates), ("reactive", reactive)])
    }
}

impl<'a> From<(&'a str, &'a str, &'a str, &'a str)> for EditsJson<'a> {
    fn from((deltas, rates, reactive, generators): (&'a str, &'a str, &'a str, &'a str)) -> Self {
        Self::of(&[
            ("deltas", deltas),
            ("rates", rates),
            ("reactive", reactive),
            ("generators", generators),
        ])
    }
}
