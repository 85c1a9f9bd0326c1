//! Permanent limits of equipment and of its terminals.

use std::collections::HashMap;

use super::model::{Model, Object};
use crate::error::Result;
use crate::formats::grid::Limits;

#[derive(Clone, Copy)]
enum Limit {
    Ampere(f64),
    Power(f64),
}

/// Limits by the identifier of the terminal or of the equipment.
#[derive(Default)]
pub(super) struct LimitSets(HashMap<String, Vec<Limit>>);

impl LimitSets {
    pub fn read(model: &Model<'_>) -> Result<Self> {
        let mut sets = Self::default();
        for (class, is_current) in [
            ("CurrentLimit", true),
            ("ApparentPowerLimit", false),
            ("ActivePowerLimit", false),
        ] {
            for limit in model.all(class) {
                let Some(set) = model.of(limit, "OperationalLimit.OperationalLimitSet") else {
                    continue;
                };
                let kind = model.of(limit, "OperationalLimit.OperationalLimitType");
                if !is_permanent(limit, kind)? {
                    continue;
                }
                let value = limit.number(&format!("{class}.value"))?;
                let value = match value {
                    Some(value) => Some(value),
                    None => limit.number(&format!("{class}.normalValue"))?,
                };
                let owner = set
                    .text("OperationalLimitSet.Terminal")
                    .or_else(|| set.text("OperationalLimitSet.Equipment"));
                if let (Some(value), Some(owner)) = (value, owner) {
                    let limit = if is_current {
                        Limit::Ampere(value)
                    } else {
                        Limit::Power(value)
                    };
                    sets.0.entry(owner.to_string()).or_default().push(limit);
                }
            }
        }
        Ok(sets)
    }

    /// The limits of a terminal or of equipment at a voltage in kV.
    pub fn of(&self, owner: &str, kv: f64) -> Limits {
        let mut out = Limits::default();
        for limit in self.0.get(owner).into_iter().flatten() {
            match limit {
                Limit::Ampere(ampere) => out.current(*ampere, kv),
                Limit::Power(power) => out.power(*power),
            }
        }
        out
    }
}

/// Whether a limit holds permanently: by the kind of its type, its infinite duration, or its name.
fn is_permanent(limit: &Object<'_>, kind: Option<&Object<'_>>) -> Result<bool> {
    let Some(kind) = kind else {
        return Ok(limit.name().is_some_and(|name| name.contains("PATL")));
    };
    let word = kind
        .word("OperationalLimitType.limitType")
        .or_else(|| kind.word("OperationalLimitType.kind"));
    match word {
        Some(word) => Ok(word == "patl"),
        None => Ok(kind.flag("OperationalLimitType.isInfiniteDuration")? == Some(true)),
    }
}
