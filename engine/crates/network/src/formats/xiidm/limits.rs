//! Limits of branches: the permanent ones of the groups that are selected.

use super::elements::number;
use crate::error::Result;
use crate::formats::grid::Limits;
use crate::formats::xml::Element;

/// The limits at an end of a branch at a voltage in kV; `end` is its number, or empty.
pub(super) fn limits(element: &Element<'_>, end: &str, kv: f64) -> Result<Limits> {
    let mut found = Limits::default();
    permanent(element, end, kv, &mut found)?;
    let selected: Vec<&str> = ["selectedOperationalLimitsGroupId", "selectedOperationalLimitsGroupIds"]
        .iter()
        .filter_map(|name| element.attribute(&format!("{name}{end}")))
        .flat_map(|ids| ids.split(','))
        .map(str::trim)
        .collect();
    let group = format!("operationalLimitsGroup{end}");
    for group in element.children.iter().filter(|child| child.name == group) {
        if group.attribute("id").is_some_and(|id| selected.contains(&id)) {
            permanent(group, "", kv, &mut found)?;
        }
    }
    Ok(found)
}

fn permanent(parent: &Element<'_>, end: &str, kv: f64, limits: &mut Limits) -> Result<()> {
    for child in &parent.children {
        let Some(kind) = child.name.strip_suffix(end) else {
            continue;
        };
        let value = || number(child, "permanentLimit");
        match kind {
            "currentLimits" => limits.current(value()?.unwrap_or(f64::INFINITY), kv),
            "apparentPowerLimits" | "activePowerLimits" => limits.power(value()?.unwrap_or(f64::INFINITY)),
            _ => {}
        }
    }
    Ok(())
}
