//! Reactors to ground given by their impedance.

use powerio::dist::{MulticonductorNetwork, UntypedObject};

use crate::distribution::reading::values;
use crate::distribution::{last, script};

/// Lines that set the second bus of such reactors in a parsed script to ground, at nodes `0` of the first bus (OpenDSS
/// manual, "Reactor", property Bus2). The parser reads reactors with an impedance only between two buses.
pub(crate) fn grounded(net: &MulticonductorNetwork) -> String {
    let reactors = net.untyped_objects().iter().filter(|o| o.class == "reactor");
    reactors.filter_map(line).collect()
}

fn line(reactor: &UntypedObject) -> Option<String> {
    let last = |property| last(reactor, property);
    last("x")?;
    let is_delta = last("conn").is_some_and(|conn| conn.to_ascii_lowercase().starts_with(['d', 'l']));
    if last("bus2").is_some() || is_delta {
        return None;
    }
    let bus = last("bus1")?.split('.').next()?;
    let phases = last("phases").map_or(Some(3.0), values::number)? as usize;
    if !(1..=3).contains(&phases) {
        return None;
    }
    let object = script::quote(&format!("Reactor.{}", reactor.name))?;
    let ground = script::quote(&format!("{bus}{}", ".0".repeat(phases)))?;
    Some(format!("Edit {object} bus2={ground}\n"))
}
