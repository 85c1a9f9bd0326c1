//! Switch controls: what they open stands open.

use powerio::dist::{MulticonductorNetwork, UntypedObject};

use super::{refuse, script};
use crate::error::Result;
use crate::message;

/// The `Open` commands that the switch controls of a parsed script amount to, one a line.
///
/// A control opens its line when the circuit is solved if its action (or state; see `crate::distribution::reading::gather`) is `open`, which the parser
/// leaves aside. A list gives one state a conductor.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` for an opened element that is no line, `INPUT.PARSE` for one that does not exist; the control is named.
pub(super) fn opened(net: &MulticonductorNetwork) -> Result<String> {
    let mut out = String::new();
    for control in net.untyped_objects().iter().filter(|o| o.class == "swtcontrol") {
        let action = last(control, "action").unwrap_or_default();
        let open: Vec<bool> = states(action);
        let disabled = last(control, "enabled").is_some_and(is_no);
        if disabled || !open.contains(&true) {
            continue;
        }
        let name = format!("swtcontrol.{}", control.name);
        let target = last(control, "switchedobj").unwrap_or_default();
        let Some(line) = line_name(target) else {
            let said = message!("feeder.control_opens_other", control = &control.name, target = target);
            return Err(refuse("PHYSICS.UNSUPPORTED", &name, said));
        };
        let known = net.lines().iter().any(|l| l.name.eq_ignore_ascii_case(line));
        let aside = |o: &UntypedObject| o.class == "line" && o.name.eq_ignore_ascii_case(line);
        if !known {
            if net.untyped_objects().iter().any(aside) || already_open(net, line) {
                continue;
            }
            let said = message!("feeder.control_opens_nothing", control = &control.name, line = line);
            return Err(refuse("INPUT.PARSE", &name, said));
        }
        let Some(quoted) = script::quote(&format!("Line.{line}")) else {
            let said = message!("feeder.control_opens_unwritable", control = &control.name, line = line);
            return Err(refuse("INPUT.PARSE", &name, said));
        };
        let terminal = if last(control, "switchedterm").is_some_and(|t| t.trim() == "2") {
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

/// The states that an action gives: words that begin with `o` mean open.
fn states(action: &str) -> Vec<bool> {
    action
        .split([' ', ',', '\t', '|'])
        .filter(|w| !w.is_empty())
        .map(|w| w.starts_with(['o', 'O']))
        .collect()
}

/// Last value of a property.
fn last<'a>(object: &'a UntypedObject, property: &str) -> Option<&'a str> {
    let named = |(name, _): &&(Option<String>, String)| name.as_deref() == Some(property);
    object.props.iter().rev().find(named).map(|(_, value)| value.as_str())
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

/// `no` and `false`, as OpenDSS reads them: by the first letter.
pub(super) fn is_no(value: &str) -> bool {
    value.trim_start().starts_with(['n', 'N', 'f', 'F'])
}
