//! Messages of the parser whose code is too general; their words are compared here and nowhere else.

use powerio::Diagnostic;

use super::words_of;
use crate::message::Message;

/// Whether a diagnostic of a balanced case has a warning of this crate or has no effect: options of another solver,
/// names of owners and zones, schedules of exchange.
pub(crate) fn has_own_message(diagnostic: &Diagnostic) -> bool {
    let message = diagnostic.message();
    match diagnostic.code() {
        "READ.MATPOWER.INDEXED_ASSIGNMENT"
        | "READ.POWERWORLD.RETAINED_SOURCE_ONLY"
        | "READ.OPFDATA.RETAINED_SOURCE_ONLY"
        | "READ.OPFDATA.VALUE_INFERRED" => true,
        "READ.POWERWORLD.VALUE_DEFAULTED" => lacks_branch_status(diagnostic),
        "READ.PSSE.FIELD_DROPPED" => message.contains(" system wide "),
        "READ.PSSE.SECTION_UNSUPPORTED" => section(message).is_some_and(|(name, _)| WITHOUT_EFFECT.contains(&name)),
        _ => false,
    }
}

/// Whether a loss of the writer of auxiliary files is restored by the sections appended to its text.
pub(crate) fn is_restored_by_appendix(diagnostic: &Diagnostic) -> bool {
    let parts = [
        "piecewise generator cost curve(s) dropped: a PowerWorld",
        "branch terminal admittance record(s) collapsed to total susceptance: a PowerWorld",
        "voltage dependent load model(s) dropped: a PowerWorld",
        "generator cost curve(s) read back as four coefficients: a PowerWorld",
    ];
    parts.iter().any(|part| diagnostic.message().contains(part))
}

/// Sections of a RAW file that name and group elements, and schedules of exchange between areas.
const WITHOUT_EFFECT: [&str; 5] = ["OWNER", "ZONE", "AREA", "INTER-AREA TRANSFER", "MULTI-SECTION LINE"];

/// Name and number of records of `PSS/E GNE section (2 record line(s)) is not modeled: ...`.
fn section(message: &str) -> Option<(&str, usize)> {
    let (name, rest) = message.strip_prefix("PSS/E ")?.split_once(" section (")?;
    let (records, _) = rest.split_once(" record line")?;
    Some((name, records.parse().ok()?))
}

/// Number of records and names of the sections, if all diagnostics are about sections that are not modelled.
pub(crate) fn unmodelled_sections(remarks: &[&Diagnostic]) -> Option<(usize, Vec<String>)> {
    let sections: Option<Vec<_>> = remarks.iter().map(|d| section(d.message())).collect();
    let sections = sections?;
    let records = sections.iter().map(|(_, records)| records).sum();
    Some((
        records,
        sections.into_iter().map(|(name, _)| name.to_string()).collect(),
    ))
}

/// Whether a PowerWorld binary case has no branch status.
pub(crate) fn lacks_branch_status(diagnostic: &Diagnostic) -> bool {
    diagnostic.message().contains("no status tail")
}

/// Whether an include that failed to load was part of the network rather than of a plot or a report.
pub(crate) fn is_lost_include(diagnostic: &Diagnostic) -> bool {
    let verbs = [": redirect ", ": compile ", ": buscoords "];
    verbs.iter().any(|verb| diagnostic.message().contains(verb))
}

/// Whether an element names an unknown bus: `load.a.bus: referenced bus does not exist`.
pub(crate) fn is_unknown_bus(message: &str) -> bool {
    message.ends_with("referenced bus does not exist")
}

/// Field and value of a refusal without a line: `field Vm "x" is not a number`.
pub(crate) fn refused_value(message: &Message) -> Option<(&str, &str)> {
    let (field, rest) = words_of(message)?.strip_prefix("field ")?.split_once(" \"")?;
    let ends = ["\" is not a number", "\" is not a finite number"];
    let value = ends.iter().find_map(|end| rest.strip_suffix(end))?;
    Some((field, value))
}

/// The element and the kind of object of a refusal because the element names an unknown object: `Line.l1: LineCode did
/// not exist at assignment`.
pub(crate) fn lost_reference(message: &Message) -> Option<(&str, &str)> {
    words_of(message)?
        .strip_suffix(" did not exist at assignment")?
        .split_once(": ")
}

/// Whether a diagnostic of a feeder has a warning of this crate or has no effect.
pub(crate) fn is_reported_otherwise(diagnostic: &Diagnostic) -> bool {
    let message = diagnostic.message();
    let begins = |starts: &[&str]| starts.iter().any(|s| message.to_ascii_lowercase().starts_with(s));
    match diagnostic.code() {
        "READ.DSS.RETAINED_SOURCE_ONLY" => {
            let parts = [
                "has no declared length unit",
                "are outside the static circuit profile",
                "is disabled: retained",
                "fixed open ports",
            ];
            begins(&["linecode.", "swtcontrol ", "storage "]) || parts.iter().any(|part| message.contains(part))
        }
        "READ.DSS.VALUE_UNSUPPORTED" => begins(&["regcontrol "]),
        "READ.DSS.OBJECT_UNTYPED" => begins(&["xycurve "]),
        "READ.DSS.REFERENCE_DROPPED" => begins(&["swtcontrol "]),
        _ => false,
    }
}

/// The element at the start of a diagnostic, `Line.a: ...` or `line a: ...`, as `line.a`; empty without one.
pub(crate) fn element_name(message: &str) -> String {
    let Some((head, _)) = message.split_once(": ") else {
        return String::new();
    };
    let words: Vec<&str> = head.split(' ').collect();
    match words.as_slice() {
        [one] => one.split_once('.').map_or(String::new(), |(class, name)| {
            format!("{}.{name}", class.to_lowercase())
        }),
        [class, name] => format!("{}.{name}", class.to_lowercase()),
        _ => String::new(),
    }
}
