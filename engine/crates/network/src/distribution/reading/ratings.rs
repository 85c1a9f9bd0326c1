//! The power factor that determines the active power of a load given by its transformer rating.
//!
//! In OpenDSS an assignment of `XfkVA` or `AllocationFactor` sets kW with the power factor of that moment; a later
//! power factor changes only the reactive power. The parser stores only the last value of each.

use std::collections::BTreeMap;

use super::copies::is_like;
use crate::distribution::script::{Param, Verb};

/// Loads by name in lower case: the current power factor as in the script, and the one when the rating was assigned.
#[derive(Debug, Default)]
pub(crate) struct Ratings {
    active: Option<String>,
    loads: BTreeMap<String, Load>,
}

#[derive(Clone, Debug, Default)]
struct Load {
    factor: Option<String>,
    at_rating: Option<Option<String>>,
}

impl Ratings {
    /// Records a line that begins, edits or continues an object.
    pub fn line(&mut self, verb: Verb, object: &str, line: &str, params: &[Param]) {
        if verb != Verb::More {
            self.activate(object);
            if let (Verb::New, Some(name)) = (verb, &self.active) {
                self.loads.insert(name.clone(), Load::default());
            }
        }
        for param in params {
            let name = param.name.clone().map_or("", |name| &line[name]);
            self.assign(name, &line[param.value.clone()]);
        }
    }

    /// Records a line `Class.Name.Property=value`.
    pub fn reference(&mut self, reference: &str, line: &str, params: &[Param]) {
        let Some((object, property)) = reference.rsplit_once('.') else {
            return;
        };
        self.activate(object);
        let Some((first, others)) = params.split_first() else {
            return;
        };
        self.assign(property, &line[first.value.clone()]);
        self.line(Verb::More, "", line, others);
    }

    /// The power factor that determined the kW of a load, as in the script: `None` if its rating was never assigned
    /// under a name, `Some(None)` if the default of 0.88 applied.
    pub fn factor(&self, load: &str) -> Option<Option<&str>> {
        let load = self.loads.get(&load.to_ascii_lowercase())?;
        load.at_rating.as_ref().map(Option::as_deref)
    }

    fn activate(&mut self, object: &str) {
        let name = object.to_ascii_lowercase();
        self.active = name.strip_prefix("load.").map(str::to_owned);
    }

    fn assign(&mut self, property: &str, value: &str) {
        let Some(active) = &self.active else { return };
        let property = property.to_ascii_lowercase();
        if is_like(&property) {
            let copied = self.loads.get(&value.to_ascii_lowercase()).cloned();
            self.loads.insert(active.clone(), copied.unwrap_or_default());
            return;
        }
        let load = self.loads.entry(active.clone()).or_default();
        if property == "pf" {
            load.factor = Some(value.to_owned());
        } else if (property.len() >= 2 && "xfkva".starts_with(&property))
            || (!property.is_empty() && "allocationfactor".starts_with(&property))
        {
            load.at_rating = Some(load.factor.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Ratings;
    use crate::distribution::script::{self, Verb};

    #[test]
    fn the_power_factor_before_the_rating_counts() {
        let mut ratings = Ratings::default();
        let lines = [
            "New Load.a xfkva=10 pf=.9",
            "New Load.b pf=.9 xfkva=10 ! pf=.8",
            "~ pf=.7",
            "New Load.c pf=.9",
            "New Load.d like=b pf=.5",
            "Edit Load.A all=.4 pf=1",
            "Load.C.XFkVA=10",
        ];
        for line in lines {
            let params = script::params(line);
            if let Some(name) = &params[0].name {
                ratings.reference(&line[name.clone()], line, &params);
                continue;
            }
            let verb = script::verb(&line[params[0].value.clone()]);
            match verb {
                Verb::More => ratings.line(verb, "", line, &params[1..]),
                _ => ratings.line(verb, &line[params[1].value.clone()], line, &params[2..]),
            }
        }
        let factors = ["a", "B", "c", "d", "e"].map(|load| ratings.factor(load));
        assert_eq!(
            factors,
            [
                Some(Some(".9")),
                Some(Some(".9")),
                Some(Some(".9")),
                Some(Some(".9")),
                None
            ]
        );
    }
}
