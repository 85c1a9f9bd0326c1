//! Equipment of RAW files that the reader would leave out, although it carries power.

use super::fields::{fields, number, unquoted};
use super::sections::Sections;
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::Message;

/// Refuses what is in service and has no place in the model; what is out of service is left out without harm.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` naming the record.
pub(super) fn refuse_unread(sections: &Sections<'_>) -> Result<()> {
    for line in sections.of("INDUCTION MACHINE") {
        let f = fields(line);
        if number(&f, 2, 1.0) != 0.0 {
            let bus = f.first().map_or("", |f| unquoted(f));
            return refuse(message!("psse.induction_machine", bus = bus));
        }
    }
    if let Some(line) = sections.of("GNE").next() {
        let name = fields(line).first().map_or("", |f| unquoted(f)).to_string();
        return refuse(message!("psse.user_element", name = name));
    }
    if sections.mix_dc_with_substations() {
        let mut lines = sections.of("VSC DC LINE");
        while let Some(line) = lines.next() {
            let f = fields(line);
            if number(&f, 1, 1.0) != 0.0 {
                let name = f.first().map_or("", |f| unquoted(f));
                return refuse(message!("psse.vsc_line", name = name));
            }
            lines.by_ref().take(2).for_each(drop);
        }
    }
    let mut lines = sections.of("MULTI-TERMINAL DC");
    while let Some(line) = lines.next() {
        let f = fields(line);
        if number(&f, 4, 1.0) != 0.0 {
            let name = f.first().map_or("", |f| unquoted(f));
            return refuse(message!("psse.multi_terminal", name = name));
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
            return refuse(message!("psse.series_facts", name = name));
        }
    }
    Ok(())
}

fn refuse(said: Message) -> Result<()> {
    Err(EngineError::new("PHYSICS.UNSUPPORTED", said))
}
