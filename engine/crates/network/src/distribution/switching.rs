//! Switch controls, which leave elements open.

use powerio::dist::{MulticonductorNetwork, UntypedObject};

use super::settings::Settings;
use super::{last, refuse, script};
use crate::error::Result;
use crate::message;

/// The `Open` commands that are equivalent to the switch controls of a parsed script, one per line.
///
/// A control opens its line in a solution if the last of its action, state (see `crate::distribution::reading::gather`)
/// and normal state is `open`, which the parser ignores. A list gives one state per conductor. With a lock, with
/// controls off, and with `Open` or `Close` of the same line, the result depends on their kind and order, which the
/// parser does not preserve (`SwtControl` in the OpenDSS sources; checked against its results for each order).
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` for an opened element other than a line and if the lost order matters, `INPUT.PARSE` for an
/// element that does not exist; the message names the control.
pub(super) fn opened(net: &MulticonductorNetwork) -> Result<String> {
    let mut out = String::new();
    for control in net.untyped_objects().iter().filter(|o| o.class == "swtcontrol") {
        if last(control, "enabled").is_some_and(is_no) {
            continue;
        }
        let states: Vec<Vec<bool>> = control
            .props
            .iter()
            .filter(|(name, _)| matches!(name.as_deref(), Some("action" | "normal")))
            .map(|(_, value)| states(value))
            .collect();
        refuse_unclear(net, control, &states)?;
        let Some(open) = states.last().filter(|open| open.contains(&true)) else {
            continue;
        };
        let name = format!("swtcontrol.{}", control.name);
        let target = last(control, "switchedobj").unwrap_or_default();
        let Some(line) = line_name(target) else {
            let message = message!("feeder.control_opens_other", control = &control.name, target = target);
            return Err(refuse("PHYSICS.UNSUPPORTED", &name, message));
        };
        let known = net.lines().iter().any(|l| l.name.eq_ignore_ascii_case(line));
        let aside = |o: &UntypedObject| o.class == "line" && o.name.eq_ignore_ascii_case(line);
        if !known {
            if net.untyped_objects().iter().any(aside) || already_open(net, line) {
                continue;
            }
            let message = message!("feeder.control_opens_nothing", control = &control.name, line = line);
            return Err(refuse("INPUT.PARSE", &name, message));
        }
        let Some(quoted) = script::quote(&format!("Line.{line}")) else {
            let message = message!("feeder.control_opens_unwritable", control = &control.name, line = line);
            return Err(refuse("INPUT.PARSE", &name, message));
        };
        let terminal = if last(control, "switchedterm").is_some_and(|t| t == "2") {
            2
        } else {
            1
        };
        if open.iter().all(|o| *o) {
            out.push_str(&format!("Open {quoted} {terminal}\n"));
        } else {
            for conductor in (1..=open.len()).filter(|c| open[c - 1]) {
                out.push_str(&format!("Open {quoted} {terminal} {conductor}\n"));
            }
        }
    }
    Ok(out)
}

/// Refuses a control whose effect depends on the lost order.
fn refuse_unclear(net: &MulticonductorNetwork, control: &UntypedObject, states: &[Vec<bool>]) -> Result<()> {
    let name = format!("swtcontrol.{}", control.name);
    let opens = states.iter().flatten().any(|open| *open);
    let yes = |property: &str| {
        let named = |(name, value): &(Option<String>, String)| {
            name.as_deref() == Some(property) && value.trim_start().starts_with(['y', 'Y', 't', 'T'])
        };
        control.props.iter().any(named)
    };
    let is_off = Settings::new(net)
        .of("controlmode")
        .any(|mode| mode.eq_ignore_ascii_case("off"));
    if (opens && (yes("lock") || is_off)) || yes("reset") {
        let message = message!("feeder.control_locked", control = &control.name);
        return Err(refuse("PHYSICS.UNSUPPORTED", &name, message));
    }
    let target = last(control, "switchedobj").and_then(line_name).unwrap_or_default();
    let of_line = |args: &str| {
        let first = script::params(args).into_iter().next();
        first.is_some_and(|p| line_name(&args[p.value]).is_some_and(|line| line.eq_ignore_ascii_case(target)))
    };
    let commanded = |verb: &str| net.commands().iter().any(|(v, args)| v == verb && of_line(args));
    let closes = states.iter().flatten().any(|open| !*open);
    if (opens && commanded("close")) || (closes && commanded("open")) {
        let message = message!("feeder.control_unclear", control = &control.name, line = target);
        return Err(refuse("PHYSICS.UNSUPPORTED", &name, message));
    }
    Ok(())
}

/// The states of an action: words that begin with `o` mean open.
fn states(action: &str) -> Vec<bool> {
    action
        .split([' ', ',', '\t', '|'])
        .filter(|w| !w.is_empty())
        .map(|w| w.starts_with(['o', 'O']))
        .collect()
}

/// Name of the line that a control switches; a name without class is that of a line.
fn line_name(target: &str) -> Option<&str> {
    match target.split_once('.') {
        Some((class, name)) => (class.eq_ignore_ascii_case("line") && !name.is_empty()).then_some(name),
        None => (!target.is_empty()).then_some(target),
    }
}

fn already_open(net: &MulticonductorNetwork, line: &str) -> bool {
    let original = format!("line.{line}");
    let of = |s: &powerio::dist::DistShunt| {
        s.extras
            .get("dss_original_element")
            .and_then(|v| v.as_str().map(str::to_owned))
    };
    net.shunts()
        .iter()
        .any(|s| of(s).is_some_and(|o| o.eq_ignore_ascii_case(&original)))
}

/// Whether the value is `no` or `false`, by its first letter as in OpenDSS.
pub(super) fn is_no(value: &str) -> bool {
    value.trim_start().starts_with(['n', 'N', 'f', 'F'])
}
