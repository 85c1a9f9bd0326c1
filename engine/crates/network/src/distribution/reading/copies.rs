//! Objects that copy one another (`like=`): the parser stores every assignment, so copies of copies double their number
//! each time.

use std::collections::HashMap;

use crate::distribution::script::{Param, Verb};
use crate::error::Result;
use crate::message;

/// Most assignments that one object may accumulate by copying; classes have about a hundred properties.
const MOST: usize = 5_000;
/// Most assignments copied in the whole script.
const MOST_IN_ALL: usize = 500_000;

/// Assignments of the objects read so far.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    /// By `class.name` in lower case.
    assigned: HashMap<String, usize>,
    copied: usize,
    active: String,
}

impl Copies {
    /// Records a line that creates or changes an object.
    ///
    /// # Errors
    /// `INPUT.COPIES` naming the object.
    pub fn note(&mut self, verb: Verb, line: &str, params: &[Param]) -> Result<()> {
        let rest = match verb {
            Verb::New | Verb::Edit => {
                let Some(object) = params.get(1) else { return Ok(()) };
                self.active = line[object.value.clone()].to_ascii_lowercase();
                &params[2..]
            }
            Verb::More => &params[1..],
            _ => return Ok(()),
        };
        self.assign(line, rest)
    }

    /// Records a line of the form `Class.Name.Property=value`.
    ///
    /// # Errors
    /// `INPUT.COPIES` naming the object.
    pub fn note_reference(&mut self, reference: &str, line: &str, params: &[Param]) -> Result<()> {
        let Some((object, property)) = reference.rsplit_once('.') else {
            return Ok(());
        };
        self.active = object.to_ascii_lowercase();
        if is_like(property) {
            self.copy(&line[params[0].value.clone()])?;
        }
        self.assign(line, &params[1..])
    }

    fn assign(&mut self, line: &str, params: &[Param]) -> Result<()> {
        *self.assigned.entry(self.active.clone()).or_default() += params.len();
        for param in params {
            let name = param.name.as_ref().map_or("", |name| &line[name.clone()]);
            if is_like(name) {
                self.copy(&line[param.value.clone()])?;
            }
        }
        Ok(())
    }

    fn copy(&mut self, source: &str) -> Result<()> {
        let class = self.active.split('.').next().unwrap_or_default();
        let source = format!("{class}.{}", source.to_ascii_lowercase());
        let more = self.assigned.get(&source).copied().unwrap_or(0);
        let own = self.assigned.entry(self.active.clone()).or_default();
        *own += more;
        self.copied += more;
        if *own > MOST || self.copied > MOST_IN_ALL {
            let message = message!("feeder.copies", element = &self.active, source = source);
            return Err(crate::distribution::refuse("INPUT.COPIES", &self.active, message));
        }
        Ok(())
    }
}

/// `like`, abbreviated as OpenDSS allows.
pub(super) fn is_like(property: &str) -> bool {
    let property = property.to_ascii_lowercase();
    property.len() >= 2 && "like".starts_with(&property)
}
