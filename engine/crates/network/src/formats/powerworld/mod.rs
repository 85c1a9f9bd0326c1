//! Checks and corrections around the reader of PowerWorld auxiliary files.
//!
//! The reader recognises transformers only by `BranchDeviceType`, assumes a base of 100 MVA, and ignores data that its
//! own writer does not write: bid curves, voltage-dependent parts of loads, shunts at the ends of branches, regulated
//! buses, the base of transformers, correction tables. [`prepare`] checks the text, and [`complete`] adds the missing
//! data to the network.

mod correction;
mod costs;
mod export;
mod fields;
mod ignored_sections;
mod network;
pub(crate) mod objects;
mod records;
#[cfg(test)]
mod tests;
mod three_windings;

use std::borrow::Cow;

use powerio::BalancedNetwork;

use crate::analysis::Warning;
use crate::error::{EngineError, Result};
use crate::message::Message;
use crate::sentences::recognised::refused_value;
use crate::{message, message_key};
pub(crate) use export::completed;
use objects::{objects, Object};

/// Objects with power that no reader here models.
const UNSUPPORTED: [(&str, &str); 4] = [
    ("dctransmissionline", message_key!("powerworld.dc_line")),
    ("mtdcrecord", message_key!("powerworld.multi_terminal")),
    ("vscdcline", message_key!("powerworld.vsc_line")),
    ("mtdcconverter", message_key!("powerworld.dc_converter")),
];
/// A checked auxiliary file.
pub(super) struct Auxiliary<'a> {
    /// The text for the reader.
    pub text: Cow<'a, str>,
    objects: Vec<Object<'a>>,
    stars: Option<Warning>,
}

/// Checks an auxiliary file.
///
/// # Errors
/// `INPUT.TRUNCATED`, `PHYSICS.UNSUPPORTED` for DC lines, bypassed series capacitors, and three-winding transformers
/// whose legs are missing from the branches or differ from them.
pub(super) fn prepare(text: &str) -> Result<Auxiliary<'_>> {
    let objects = objects(text)?;
    refuse_unread(&objects)?;
    let stars = three_windings::check(&objects)?;
    let base = base_mva(&objects)
        .filter(|base| *base != "100")
        .map(|base| format!("// baseMVA {base}\n"));
    let text = fields::spelled(text, &objects).map_or(Cow::Borrowed(text), Cow::Owned);
    let mut text = three_windings::without_records(text, &objects);
    if let Some(base) = base {
        text = Cow::Owned(base + &text);
    }
    Ok(Auxiliary { text, objects, stars })
}

impl Auxiliary<'_> {
    /// Adds the data that the reader ignores to the network, and returns warnings about omitted data.
    ///
    /// # Errors
    /// `INPUT.TABLE`, `INPUT.TRANSFORMER` and `INPUT.UNKNOWN_BUS`.
    pub fn complete(self, net: &mut BalancedNetwork) -> Result<Vec<Warning>> {
        let mut warnings = network::complete(net, &self.objects)?;
        warnings.extend(fields::warning(&self.objects));
        warnings.extend(ignored_sections::warnings(&self.objects));
        warnings.extend(self.stars);
        Ok(warnings)
    }
}

/// Adds the line of a value that the reader refused, since it names the field only.
pub(super) fn located(error: EngineError, text: &str) -> EngineError {
    let Some((name, value)) = refused_value(&error.sentence) else {
        return error;
    };
    let line = text.lines().position(|line| objects::values_of(line).contains(&value));
    match line {
        Some(row) => {
            let message = message!("powerworld.not_a_number", line = row + 1, value = value, field = name);
            error.with_sentence(message)
        }
        None => error,
    }
}

fn of<'a, 'b>(objects: &'b [Object<'a>], kind: &'b str) -> impl Iterator<Item = &'b Object<'a>> + 'b {
    objects.iter().filter(move |o| o.kind == kind)
}

fn refuse_unread(objects: &[Object<'_>]) -> Result<()> {
    for (kind, key) in UNSUPPORTED {
        for object in of(objects, kind) {
            let status = object.column(&["Status", "LineStatus", "DCLStatus"]);
            let open = |row: &&Vec<&str>| status.is_some_and(|at| row[at].eq_ignore_ascii_case("open"));
            if object.rows.iter().any(|row| !open(&row)) {
                return Err(EngineError::new("PHYSICS.UNSUPPORTED", Message::of_key(key)));
            }
        }
    }
    for object in of(objects, "branch") {
        let Some(bypass) = object.column(&["SeriesCapStatus"]) else {
            continue;
        };
        if let Some(row) = object
            .rows
            .iter()
            .find(|row| row[bypass].eq_ignore_ascii_case("bypassed"))
        {
            let message = message!("powerworld.bypassed_capacitor", row = row.join(" "));
            return Err(EngineError::new("PHYSICS.UNSUPPORTED", message));
        }
    }
    Ok(())
}

/// The MVA base in either form of the solution options.
fn base_mva<'a>(objects: &[Object<'a>]) -> Option<&'a str> {
    let pair = of(objects, "sim_solution_options_value").find_map(|o| {
        let (name, value) = (o.column(&["VariableName"])?, o.column(&["ValueField"])?);
        let row = o.rows.iter().find(|row| row[name].eq_ignore_ascii_case("MVABase"))?;
        Some(row[value])
    });
    let column = || {
        let options = of(objects, "sim_solution_options");
        options
            .filter_map(|o| Some(o.rows.first()?[o.column(&["MVABase"])?]))
            .next()
    };
    pair.or_else(column).filter(|value| !value.is_empty())
}
