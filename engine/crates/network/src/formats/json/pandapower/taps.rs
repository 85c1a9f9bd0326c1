//! Tap changers: their effect on the nominal voltages and the phase shift of a transformer.

use super::document::{Document, Row};
use crate::error::{EngineError, Result};
use crate::message;

/// The quantities of a two-winding transformer that tap changers affect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Windings {
    pub hv_kv: f64,
    pub lv_kv: f64,
    pub shift_deg: f64,
}

/// The side of a tap changer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Hv,
    Lv,
}

/// The effect of a tap changer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Changer {
    /// It rotates the voltage without changing its magnitude.
    Ideal,
    /// It adds a voltage at an angle (`Ratio`, `Symmetrical`).
    Complex,
    /// Ratio and angle of a row of `trafo_characteristic_table`, inverted if the tap is at the star point.
    Table { ratio: f64, angle_deg: f64 },
}

/// A tap changer at its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tap {
    pub side: Side,
    pub changer: Changer,
    /// Steps from the neutral position.
    pub steps: f64,
    pub step_percent: Option<f64>,
    pub step_degree: Option<f64>,
}

impl Windings {
    /// Applies a tap changer (`_calc_tap_from_dataframe`, `_get_trafo_shift`).
    pub fn apply(&mut self, tap: Tap) {
        let direction = match tap.side {
            Side::Hv => 1.0,
            Side::Lv => -1.0,
        };
        let kv = match tap.side {
            Side::Hv => &mut self.hv_kv,
            Side::Lv => &mut self.lv_kv,
        };
        match tap.changer {
            Changer::Table { ratio, angle_deg } => {
                *kv *= ratio;
                self.shift_deg += direction * angle_deg;
            }
            Changer::Ideal => {
                let by_degree = tap.step_degree.filter(|degree| *degree != 0.0);
                let half_chord = tap.steps * tap.step_percent.unwrap_or(0.0) / 100.0 / 2.0;
                self.shift_deg += match by_degree {
                    Some(degree) => direction * tap.steps * degree,
                    None => direction * 2.0 * libm::asin(half_chord).to_degrees(),
                };
            }
            Changer::Complex => {
                let added = *kv * tap.step_percent.unwrap_or(0.0) * tap.steps / 100.0;
                let angle = tap.step_degree.unwrap_or(0.0).to_radians();
                let (along, across) = (*kv + added * libm::cos(angle), added * libm::sin(angle));
                self.shift_deg += libm::atan(direction * across / along).to_degrees();
                *kv = (along * along + across * across).sqrt();
            }
        }
    }
}

/// The tap changer of a row whose columns begin with `tap` or `tap2`; `None` if it changes nothing.
///
/// # Errors
/// `INPUT.TABLE` if an ideal one has two steps, or a table lacks its position.
pub(super) fn tap(document: &Document, row: &Row<'_>, prefix: &str, side: Side) -> Result<Option<Tap>> {
    let column = |name: &str| format!("{prefix}_{name}");
    let position = row.number(&column("pos"));
    let number = |name: &str| row.number(&column(name));
    let (step_percent, step_degree) = (number("step_percent"), number("step_degree"));
    let has_types = row.table.has(&column("changer_type"));
    let depends = row.table.has(&column("dependency_table")) && row.flag("tap_dependency_table", false);
    let changer = if has_types && depends {
        let ratio = characteristic(document, row, "voltage_ratio")?;
        let angle_deg = characteristic(document, row, "angle_deg")?;
        Some(Changer::Table { ratio, angle_deg })
    } else if has_types {
        match row.text(&column("changer_type")) {
            Some("Ideal") => Some(Changer::Ideal),
            Some("Ratio" | "Symmetrical") => Some(Changer::Complex),
            _ => None,
        }
    } else {
        // Networks before version 3 (`convert_trafo_pst_logic`).
        let is_set = |step: Option<f64>| step.is_some_and(|step| step != 0.0);
        match (is_set(step_percent), is_set(step_degree)) {
            (true, _) => Some(Changer::Complex),
            (false, true) => Some(Changer::Ideal),
            (false, false) => None,
        }
    };
    let is_set = |step: Option<f64>| step.is_some_and(|step| step != 0.0);
    if changer == Some(Changer::Ideal) && is_set(step_percent) && is_set(step_degree) && row.is_in_service() {
        let message = message!("pandapower.two_steps", table = row.table.name(), row = row.label());
        return Err(EngineError::new("INPUT.TABLE", message));
    }
    let steps = position.unwrap_or(0.0) - number("neutral").or(position).unwrap_or(0.0);
    Ok(changer.map(|changer| Tap {
        side,
        changer,
        steps: if position.is_some() { steps } else { 0.0 },
        step_percent,
        step_degree,
    }))
}

/// Whether the impedance and the ratio of a transformer come from a table.
pub(super) fn depends_on_table(row: &Row<'_>) -> bool {
    row.flag("tap_dependency_table", false)
}

/// A value of `trafo_characteristic_table` at the tap position of a transformer.
///
/// # Errors
/// `INPUT.TABLE` if the table has no such value.
pub(super) fn characteristic(document: &Document, row: &Row<'_>, column: &str) -> Result<f64> {
    const TABLE: &str = "trafo_characteristic_table";
    let (id, step) = (row.number("id_characteristic_table"), row.number("tap_pos"));
    let found = document
        .rows(TABLE)
        .filter(|r| id.is_some() && r.number("id_characteristic") == id && r.number("step") == step)
        .last();
    let found = found.and_then(|found| found.number(column));
    // Elements out of service are not used.
    found.or_else(|| (!row.is_in_service()).then_some(1.0)).ok_or_else(|| {
        let message = message!(
            "pandapower.no_characteristic",
            table = row.table.name(),
            row = row.label(),
            characteristic = TABLE,
            column = column
        );
        EngineError::new("INPUT.TABLE", message)
    })
}
