//! The location of a value, and its refusal.

use super::kinds::{Fault, Kind};
use super::variables::Variables;
use crate::distribution::refuse;
use crate::distribution::script::{self, Param, Verb};
use crate::error::EngineError;
use crate::message;
use crate::message::pieces::piece;
use crate::message::Message;

/// Most characters of a name in the details.
const LONGEST_NAME: usize = 200;

/// A line of the script, or of a file that it includes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// Counted from one.
    pub line: usize,
    pub file: Option<&'a str>,
}

impl Place<'_> {
    /// Turns a clause about this line into a sentence.
    pub fn says(&self, what: Message) -> Message {
        match self.file {
            Some(file) => message!("feeder.line_of_file", line = self.line, file = file, what = what),
            None => message!("feeder.line_of_script", line = self.line, what = what),
        }
    }
}

/// The owner of an option.
pub(super) enum Owner<'a> {
    /// `class.name`.
    Element(&'a str),
    Command(Verb),
}

impl Owner<'_> {
    fn element(&self) -> &str {
        match self {
            Self::Element(name) => name,
            Self::Command(Verb::Solve) => "Solve",
            Self::Command(_) => "Set",
        }
    }

    /// The name in the details of errors.
    fn name(&self, option: &str) -> String {
        match self {
            Self::Element(name) => piece(name, LONGEST_NAME),
            Self::Command(_) => format!("option.{option}"),
        }
    }
}

/// The kind of an option, and its name.
pub(super) struct Taken<'a> {
    pub option: &'a str,
    pub kind: Kind,
}

/// The refusal of a value of the wrong kind.
pub(super) fn wrong(
    owner: &Owner<'_>,
    taken: &Taken<'_>,
    line: &str,
    param: &Param,
    variables: &Variables,
    at: Place<'_>,
) -> Option<EngineError> {
    /// Longest part of a value in a message.
    const LONGEST: usize = 60;
    let (element, option) = (owner.element(), taken.option);
    let written = &line[param.value.clone()];
    let message = if script::is_name_of_next(line, param) {
        let next = piece(written, LONGEST);
        message!("feeder.value_left_out", element = element, option = option, next = next)
    } else {
        let (text, quoted) = variables.put_in(written, param.value != param.quoted);
        let Fault { item, need } = taken.kind.fault(&text, quoted, variables)?;
        match item {
            _ if text.trim().is_empty() => {
                message!("feeder.value_empty", element = element, option = option, need = need)
            }
            Some(item) => {
                let value = piece(&item, LONGEST);
                message!(
                    "feeder.value_in_list",
                    element = element,
                    option = option,
                    value = value,
                    need = need
                )
            }
            None => {
                let value = piece(written, LONGEST);
                match param.name {
                    Some(_) => message!(
                        "feeder.value",
                        element = element,
                        option = option,
                        value = value,
                        need = need
                    ),
                    None => {
                        message!(
                            "feeder.value_by_position",
                            element = element,
                            option = option,
                            value = value,
                            need = need
                        )
                    }
                }
            }
        }
    };
    Some(refusal(owner, option, written, message, at))
}

/// The refusal of a line with nothing between two commas, after which the rest would be ignored.
pub(super) fn cut_off(element: &str, at: Place<'_>) -> EngineError {
    let message = message!("feeder.value_cut_off", element = element);
    refusal(&Owner::Element(element), "", "", message, at)
}

/// The refusal of an undefined name.
pub(super) fn undefined(element: &str, option: &str, value: &str, at: Place<'_>) -> EngineError {
    let message = message!(
        "feeder.value_undefined",
        element = element,
        option = option,
        value = piece(value, 60)
    );
    refusal(&Owner::Element(element), option, value, message, at)
}

fn refusal(owner: &Owner<'_>, option: &str, value: &str, message: Message, at: Place<'_>) -> EngineError {
    let option = &*piece(option, LONGEST_NAME);
    let mut error = refuse("INPUT.PARSE", &owner.name(option), at.says(message));
    if let Some(details) = error.details.as_mut() {
        details["line"] = at.line.into();
        if let Some(file) = at.file {
            details["file"] = piece(file, LONGEST_NAME).into();
        }
        if !option.is_empty() {
            details["option"] = option.into();
            details["value"] = piece(value, 60).into();
        }
    }
    error
}
