//! Equipment of RAW files that the reader would leave out, although it carries power.

use super::fields::{fields, number, unquoted};
use super::sections::Sections;
use crate::error::{EngineError, Result};

/// Refuses what is in service and has no place in the model; what is out of service is left out without harm.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` naming the record.
pub(super) fn refuse_unread(sections: &Sections<'_>) -> Result<()> {
    for line in sections.of("INDUCTION MACHINE") {
        let f = fields(line);
        if number(&f, 2, 1.0) != 0.0 {
            let bus = f.first().map_or("", |f| unquoted(f));
            return refuse(format!(
                "The induction machine at bus {bus} is in service; induction machines are not supported."
            ));
        }
    }
    if let Some(line) = sections.of("GNE").next() {
        let name = fields(line).first().map_or("", |f| unquoted(f)).to_string();
        return refuse(format!(
            "The file carries the user-written network element `{name}`; such elements are not supported."
        ));
    }
    if sections.mix_dc_with_substations() {
        let mut lines = sections.of("VSC DC LINE");
        while let Some(line) = lines.next() {
            let f = fields(line);
            if number(&f, 1, 1.0) != 0.0 {
                let name = f.first().map_or("", |f| unquoted(f));
                return refuse(format!(
                    "The VSC DC line `{name}` is in service; HVDC is not supported."
                ));
            }
            lines.by_ref().take(2).for_each(drop);
        }
    }
    let mut lines = sections.of("MULTI-TERMINAL DC");
    while let Some(line) = lines.next() {
        let f = fields(line);
        if number(&f, 4, 1.0) != 0.0 {
            let name = f.first().map_or("", |f| unquoted(f));
            return refuse(format!(
                "The multi-terminal DC line `{name}` is in service; HVDC is not supported."
            ));
        }
        let converters_buses_links = (1..=3)
            .map(|k| number(&f, k, 0.0).clamp(0.0, 1e6) as usize)
            .sum::<usize>();
        lines.by_ref().take(converters_buses_links).for_each(drop);
    }
    for line in sections.of("FACTS DEVICE") {
        let f = fields(line);
        let (to, mode) = (number(&f, 2, 0.0), number(&f, 3, 1.0));
        if to != 0.0 && mode != 0.0 {
            let name = f.first().map_or("", |f| unquoted(f));
            return refuse(format!(
                "The series FACTS device `{name}` is in service; series FACTS devices are not supported."
            ));
        }
    }
    Ok(())
}

fn refuse(message: String) -> Result<()> {
    Err(EngineError::new("PHYSICS.UNSUPPORTED", message))
}
