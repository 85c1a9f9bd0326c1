//! Edits as they cross the engine's boundary: JSON texts, changes from the base case by id or uid.

use crate::contract as c;
use wattbook_network::error::Result;

/// Texts of `DemandDeltas`, `RatingDeltas`, `ReactiveDeltas` and `GeneratorEdits`; an empty one or `null` has no edits. Made of two
/// to four of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct EditTexts<'a> {
    pub deltas: &'a str,
    pub rates: &'a str,
    pub reactive: &'a str,
    pub generators: &'a str,
}

impl EditTexts<'_> {
    /// Errors: `INPUT.REQUEST`.
    pub(crate) fn read(&self) -> Result<c::Edits> {
        Ok(c::Edits {
            deltas: crate::json::from_json("demand changes", self.deltas)?,
            rates: crate::json::from_json("rating changes", self.rates)?,
            reactive: crate::json::from_json("changes of reactive demand", self.reactive)?,
            generators: crate::json::from_json("changes of generators", self.generators)?,
        })
    }
}

/// Demand and ratings; reactive demand follows by the power factor.
impl<'a, D: AsRef<str> + ?Sized, R: AsRef<str> + ?Sized> From<(&'a D, &'a R)> for EditTexts<'a> {
    fn from((deltas, rates): (&'a D, &'a R)) -> Self {
        Self {
            deltas: deltas.as_ref(),
            rates: rates.as_ref(),
            ..Self::default()
        }
    }
}

/// Demand, ratings, reactive demand.
impl<'a> From<(&'a str, &'a str, &'a str)> for EditTexts<'a> {
    fn from((deltas, rates, reactive): (&'a str, &'a str, &'a str)) -> Self {
        Self {
            deltas,
            rates,
            reactive,
            ..Self::default()
        }
    }
}

/// Demand, ratings, reactive demand, generators.
impl<'a> From<(&'a str, &'a str, &'a str, &'a str)> for EditTexts<'a> {
    fn from((deltas, rates, reactive, generators): (&'a str, &'a str, &'a str, &'a str)) -> Self {
        Self {
            deltas,
            rates,
            reactive,
            generators,
        }
    }
}
