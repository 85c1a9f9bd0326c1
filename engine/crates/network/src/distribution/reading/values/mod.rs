//! Checks the values of a script against the kinds of their options.
//!
//! The parser uses its default for an invalid number and the first letter of an invalid word, mostly without a
//! diagnostic. OpenDSS refuses most of these. Here each is refused with its line of the script.

mod classes;
mod kinds;
mod numbers;
mod place;
mod references;
mod variables;

pub(crate) use place::Place;
pub(crate) use references::References;

use self::classes::Class;
use self::kinds::Kind;
use self::place::{cut_off, wrong, Owner, Taken};
use self::variables::Variables;
use crate::distribution::script::{Param, Verb};
use crate::distribution::settings;
use crate::error::EngineError;

/// The state of a script up to a line, on which the meaning of values depends.
#[derive(Default)]
pub(crate) struct Values {
    /// The active element, `class.name`, and its class if known.
    active: String,
    class: Option<&'static Class>,
    variables: Variables,
    /// The first wrong value. Missing files are reported before it, since they may define variables.
    pub refused: Option<EngineError>,
    pub references: References,
}

/// A number as the parser stores it, without the brackets of an expression.
pub(crate) fn number(text: &str) -> Option<f64> {
    numbers::number(text, true, &Variables::default())
}

impl Values {
    /// Checks a line that begins with a command.
    pub fn line(&mut self, verb: Verb, line: &str, params: &[Param], at: Place<'_>) {
        if self.refused.is_some() {
            return;
        }
        let behind = |count| params.get(count..).unwrap_or_default();
        match verb {
            Verb::New | Verb::Edit | Verb::BatchEdit | Verb::Select => {
                let object = params.get(1).map_or("", |p| &line[p.value.clone()]);
                self.activate(object);
                if verb == Verb::New {
                    self.references.define(&self.active);
                }
                if verb != Verb::Select {
                    self.assignments(line, behind(2), None, at);
                }
            }
            Verb::More => self.assignments(line, behind(1), None, at),
            Verb::Set | Verb::Solve => self.settings(verb, line, behind(1), at),
            Verb::Var => self.variables.define(line, behind(1)),
            Verb::Clear => {
                self.variables.clear();
                self.activate("");
            }
            Verb::Redirect | Verb::Compile | Verb::BusCoords | Verb::LatLongCoords | Verb::Other => {}
        }
    }

    /// Checks a line `Class.Name.Option=value`, in which class, name or both may be omitted.
    pub fn reference(&mut self, reference: &str, line: &str, params: &[Param], at: Place<'_>) {
        let Some((first, others)) = params.split_first().filter(|_| self.refused.is_none()) else {
            return;
        };
        let parts: Vec<&str> = reference.splitn(3, '.').collect();
        let (class, name, option) = match parts.as_slice() {
            [class, name, option] => (*class, Some(*name), *option),
            [name, option] => (self.class.map_or("", Class::name), Some(*name), *option),
            [option] => ("", None, *option),
            _ => return,
        };
        if let Some(name) = name {
            self.activate(&format!("{class}.{name}"));
        }
        let Some(class) = self.class else { return };
        let position = class.position(option);
        self.assignment(class, position, line, first, at);
        if self.refused.is_none() {
            self.assignments(line, others, position, at);
        }
    }

    fn activate(&mut self, object: &str) {
        let (class, name) = object.split_once('.').unwrap_or_default();
        self.class = Class::of(class);
        self.active = format!("{}.{name}", class.to_ascii_lowercase());
    }

    /// Checks values of the active element; `before` is the position of the last option on the line.
    fn assignments(&mut self, line: &str, params: &[Param], before: Option<usize>, at: Place<'_>) {
        let Some(class) = self.class else { return };
        let mut position = before;
        for (k, param) in params.iter().enumerate() {
            if param.name.is_none() && param.value.is_empty() {
                // The parser and OpenDSS stop reading the line here.
                if k + 1 < params.len() {
                    self.refused = Some(cut_off(&self.active, at));
                }
                return;
            }
            position = match &param.name {
                Some(name) => class.position(&line[name.clone()]),
                None => Some(position.map_or(0, |before| before + 1)),
            };
            self.assignment(class, position, line, param, at);
            if self.refused.is_some() {
                return;
            }
        }
    }

    /// Checks the value of the option at a position.
    fn assignment(&mut self, class: &Class, position: Option<usize>, line: &str, param: &Param, at: Place<'_>) {
        let Some((option, kind)) = position.and_then(|k| class.option(k)) else {
            return;
        };
        let owner = Owner::Element(&self.active);
        self.refused = wrong(&owner, &Taken { option, kind }, line, param, &self.variables, at);
        let (value, _) = self.variables.put_in(&line[param.value.clone()], false);
        self.references.note(&self.active, option, &value, at);
    }

    /// Checks options of `Set` or `Solve`.
    fn settings(&mut self, verb: Verb, line: &str, params: &[Param], at: Place<'_>) {
        let mut before = None;
        for param in params {
            if param.name.is_none() && param.value.is_empty() {
                return;
            }
            let written = param.name.clone().map_or("", |name| &line[name]);
            let (position, option) = settings::option(written, before);
            before = position;
            // `Set voltagebases=115, 4.16` assigns a number to `algorithm`, which has no effect.
            if param.name.is_none() && !settings::is_of_solution(&option) {
                continue;
            }
            let kind = settings::kind(&option).map_or(Kind::Text, Kind::named);
            let taken = Taken { option: &option, kind };
            self.refused = wrong(&Owner::Command(verb), &taken, line, param, &self.variables, at);
            if self.refused.is_some() {
                return;
            }
        }
    }
}
