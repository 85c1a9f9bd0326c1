//! Equipment of RAW files that carries power and that the reader would ignore.

use super::sections::Sections;
use crate::error::{EngineError, Result};
use crate::input::psse_fields::{fields, number, unquoted};
use crate::message;
use crate::message::Message;

/// Refuses unsupported equipment in service; equipment out of service is omitted.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` naming the record.
pub(super) fn refuse_unread(sections: &Sections<'_>) -> Result<()> {
    let firsts = |section| {
        let lines = sections.records(section).filter_map(|lines| lines.first());
        lines.map(|line| fields(line.text)).collect::<Vec<_>>()
    };
    let name = |f: &[&str]| f.first().map_or(String::new(), |f| unquoted(f).to_string());
    for f in firsts("INDUCTION MACHINE") {
        if number(&f, 2, 1.0) != 0.0 {
            return refuse(message!("psse.induction_machine", bus = name(&f)));
        }
    }
    if let Some(f) = firsts("GNE").first() {
        return refuse(message!("psse.user_element", name = name(f)));
    }
    for f in firsts("MULTI-TERMINAL DC") {
        if number(&f, 4, 1.0) != 0.0 {
            return refuse(message!("psse.multi_terminal", name = name(&f)));
        }
    }
    for f in firsts("FACTS DEVICE") {
        let (to, mode) = (number(&f, 2, 0.0), number(&f, 3, 1.0));
        match (mode != 0.0, to != 0.0) {
            (true, true) => return refuse(message!("psse.series_facts", name = name(&f))),
            (true, false) => {
                let bus = f.get(1).map_or(String::new(), |f| unquoted(f).to_string());
                return refuse(message!("psse.shunt_facts", name = name(&f), bus = bus));
            }
            _ => {}
        }
    }
    Ok(())
}

fn refuse(message: Message) -> Result<()> {
    Err(EngineError::new("PHYSICS.UNSUPPORTED", message))
}
