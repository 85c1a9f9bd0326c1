//! Edits of loads: by name, over all phases.

use crate::amounts::{fit, Unfit};
use crate::contract as c;
use crate::edits::at_power_factor;
use serde_json::json;
use std::collections::HashMap;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::feeder::Feeder;
use wattbook_network::message;
use wattbook_solve::mc::McData;

/// Prefix of full load names.
const CLASS: &str = "load.";

/// The loads of a feeder by name.
pub struct Loads {
    base: McData,
    names: Vec<String>,
    /// By lower-case name, both with and without the class.
    rows: HashMap<String, usize>,
}

impl Loads {
    pub fn new(feeder: &Feeder) -> Self {
        let names: Vec<String> = feeder.loads.iter().map(|load| load.name.clone()).collect();
        let mut rows = HashMap::with_capacity(2 * names.len());
        for (row, name) in names.iter().enumerate() {
            let name = name.to_ascii_lowercase();
            if let Some(short) = name.strip_prefix(CLASS) {
                rows.entry(short.to_owned()).or_insert(row);
            }
            rows.entry(name).or_insert(row);
        }
        Self {
            base: McData::base(feeder),
            names,
            rows,
        }
    }

    fn row(&self, name: &str) -> Option<usize> {
        self.rows.get(&name.to_ascii_lowercase()).copied()
    }

    /// The same edits keyed by the full names of their loads.
    ///
    /// # Errors
    /// `EDIT.UNKNOWN_LOAD`; `EDIT.LOAD_POWER` where a power is not finite or too large, whether it is stated, follows
    /// from a constant power factor, or is that of a phase; `EDIT.LOAD_TWICE`.
    pub fn named(&self, loads: c::McLoads) -> Result<c::McLoads> {
        let mut out = c::McLoads::new();
        for (name, power) in loads {
            let Some(row) = self.row(&name) else {
                let message = message!("feeder.unknown_load", load = &name);
                return Err(about("EDIT.UNKNOWN_LOAD", &name, message));
            };
            for (power, unit) in [(power.p_kw, "kW"), (power.q_kvar, "kvar")] {
                fit(power.unwrap_or_default(), unit).map_err(|unfit| match unfit {
                    Unfit::NotFinite => about("EDIT.LOAD_POWER", &name, message!("feeder.load_power", load = &name)),
                    Unfit::TooLarge(amount, most) => {
                        let message = message!("feeder.load_too_large", load = &name, amount = amount, most = most);
                        about("EDIT.LOAD_POWER", &name, message)
                    }
                })?;
            }
            let mut powers = self.base.load(row).to_vec();
            let var = reactive(totals(&powers), &power).unwrap_or_default();
            if fit(var / 1000.0, "kvar").is_err() {
                let message = message!("feeder.load_power_factor", load = &name);
                return Err(about("EDIT.LOAD_POWER", &name, message));
            }
            change(&mut powers, &power);
            if powers.iter().flatten().any(|part| fit(part / 1000.0, "kVA").is_err()) {
                let message = message!("feeder.load_phases_cancel", load = &name);
                return Err(about("EDIT.LOAD_POWER", &name, message));
            }
            if out.insert(self.names[row].clone(), power).is_some() {
                let message = message!("feeder.load_twice", load = &name);
                return Err(about("EDIT.LOAD_TWICE", &name, message));
            }
        }
        Ok(out)
    }

    /// The powers of all loads with these edits, whose keys are those of `named`.
    pub fn data(&self, loads: &c::McLoads) -> McData {
        let mut data = self.base.clone();
        for (name, edit) in loads {
            let Some(row) = self.row(name) else { continue };
            change(data.load_mut(row), edit);
        }
        data
    }
}

/// Applies an edit to the powers of the phases.
fn change(powers: &mut [[f64; 2]], edit: &c::McLoadPower) {
    let [p, q] = totals(powers);
    if let Some(kilo) = edit.p_kw {
        spread(1000.0 * kilo, p, 0, powers);
    }
    if let Some(var) = reactive([p, q], edit) {
        spread(var, q, 1, powers);
    }
}

/// Sum over the phases.
fn totals(powers: &[[f64; 2]]) -> [f64; 2] {
    [0, 1].map(|part| powers.iter().map(|power| power[part]).sum())
}

/// The reactive power, var, of a load of `p` W and `q` var after an edit: as stated, or at constant power factor;
/// `None` where it is unchanged.
fn reactive([p, q]: [f64; 2], edit: &c::McLoadPower) -> Option<f64> {
    match (edit.p_kw, edit.q_kvar) {
        (_, Some(kilo)) => Some(1000.0 * kilo),
        (Some(kilo), None) => at_power_factor([p, q], 1000.0 * kilo),
        _ => None,
    }
}

/// Spreads a total in proportion to the phases' powers, whose sum is `sum`; in equal parts where `sum` is zero.
fn spread(total: f64, sum: f64, part: usize, powers: &mut [[f64; 2]]) {
    let equal = 1.0 / powers.len().max(1) as f64;
    for power in powers {
        power[part] = total * if sum == 0.0 { equal } else { power[part] / sum };
    }
}

fn about(code: &'static str, load: &str, message: message::Message) -> EngineError {
    let load = match load.split_at_checked(CLASS.len()) {
        Some((class, name)) if class.eq_ignore_ascii_case(CLASS) => name,
        _ => load,
    };
    EngineError::new(code, message).with_details(json!({ "element": format!("{CLASS}{load}") }))
}
