//! Sections without elements: those that change a result, and those without effect.

use super::objects::Object;
use crate::analysis::Warning;
use crate::message;

/// Sections of elements, which are read.
const READ: [&str; 9] = [
    "bus",
    "load",
    "shunt",
    "gen",
    "branch",
    "transformer",
    "xfcorrection",
    "3wxformer",
    "substation",
];
/// Names, groups, drawings, options and results, and data that only commands of the writing program apply.
const WITHOUT_EFFECT: [&str; 39] = [
    "pwcaseinformation",
    "owner",
    "zone",
    "superarea",
    "balancingauthority",
    "limitset",
    "ratingsetnamebus",
    "ratingsetnamebranch",
    "ratingsetnameinterface",
    "limit_monitoring_options",
    "limit_monitoring_options_value",
    "sim_solution_options",
    "sim_solution_options_value",
    "postpowerflowactions",
    "contingency",
    "contingencyelement",
    "globalcontingencyactions",
    "ctg_options",
    "ctg_options_value",
    "remedialaction",
    "gicxformer",
    "gic_options",
    "injectiongroup",
    "studymwtransactions",
    "multisectionline",
    "section",
    "mwtransaction",
    "modelexpression",
    "modelfilter",
    "modelcondition",
    "filter",
    "customexpression",
    "datamaintainer",
    "message_log_options",
    "opfsolutionoptions",
    "breakergroup",
    "owner_area",
    "partpoint",
    "pvcurve_options",
];

/// Warnings about sections: limits of interfaces, area interchange, DC lines out of service, and unknown sections.
pub(super) fn warnings(objects: &[Object<'_>]) -> Vec<Warning> {
    let rows = |kinds: &[&str]| -> usize {
        let of = objects.iter().filter(|o| kinds.contains(&o.kind.as_str()));
        of.map(|o| o.rows.len()).sum()
    };
    let mut out = Vec::new();
    let interfaces = rows(&["interface"]);
    if interfaces > 0 {
        out.push(Warning::new(
            "INPUT.LEFT_OUT",
            message!("powerworld.interfaces", count = interfaces),
        ));
    }
    let areas: usize = objects.iter().filter(|o| o.kind == "area").map(controlled).sum();
    if areas > 0 {
        out.push(Warning::new(
            "INPUT.FIELD_IGNORED",
            message!("powerworld.areas", count = areas),
        ));
    }
    let links = rows(&super::UNSUPPORTED.map(|(kind, _)| kind));
    if links > 0 {
        out.push(Warning::new(
            "INPUT.FIELD_IGNORED",
            message!("powerworld.links_out_of_service", count = links),
        ));
    }
    let mut unknown: Vec<(&str, usize)> = Vec::new();
    for object in objects.iter().filter(|o| !o.rows.is_empty()) {
        let kind = object.kind.as_str();
        let is_link = super::UNSUPPORTED.iter().any(|(link, _)| *link == kind);
        if is_link || READ.contains(&kind) || WITHOUT_EFFECT.contains(&kind) || matches!(kind, "area" | "interface") {
            continue;
        }
        match unknown.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, rows)) => *rows += object.rows.len(),
            None => unknown.push((kind, object.rows.len())),
        }
    }
    if !unknown.is_empty() {
        let count: usize = unknown.iter().map(|(_, rows)| rows).sum();
        let names: Vec<String> = unknown.iter().map(|(kind, _)| format!("`{kind}`")).collect();
        let message = message!("powerworld.sections", count = count, sections = names);
        out.push(Warning::new("INPUT.FIELD_IGNORED", message));
    }
    out
}

/// Number of areas whose interchange Simulator would control.
fn controlled(object: &Object<'_>) -> usize {
    let Some(column) = object.column(&["BGAGC", "AGCStatus"]) else {
        return 0;
    };
    let off =
        |text: &str| text.is_empty() || text.to_ascii_lowercase().starts_with("off") || text.eq_ignore_ascii_case("NO");
    object.rows.iter().filter(|row| !off(row[column])).count()
}
