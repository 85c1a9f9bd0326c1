//! Options of the power flow that the network itself contains. They override the defaults, which are those of `runpp`
//! except for the circuit of transformers: pi, as in MATPOWER, PSS/E and the references of pandapower itself, whereas
//! the default of `runpp` is a T circuit.

use std::collections::HashSet;

use serde_json::Value;

use super::document::{number, Document};
use crate::analysis::Warning;
use crate::error::{EngineError, Result};
use crate::message;

/// The parts of `user_pf_options` that change the network.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Options {
    /// Whether transformers are T circuits; otherwise they are pi circuits.
    pub is_t_model: bool,
    /// Whether the network states the circuit.
    pub states_model: bool,
    /// Whether phase shifts of transformers and angles of external grids are included.
    pub angles: bool,
    /// Location of the no-load losses of three-winding transformers that do not state it: `hv`, `mv`, `lv` or `star`.
    pub losses_3w: String,
    /// R/X of closed switches with impedance.
    pub switch_rx_ratio: f64,
    pub voltage_dependent_loads: bool,
    pub line_temperature: bool,
    /// Whether branches with an open end are out of service.
    pub without_open_ends: bool,
}

/// Options that select a calculation other than this one, with the value that changes nothing.
const OTHERS: [(&str, bool); 5] = [
    ("enforce_q_lims", false),
    ("enforce_p_lims", false),
    ("distributed_slack", false),
    ("tdpf", false),
    ("run_control", false),
];

impl Options {
    /// # Errors
    /// `INPUT.TABLE` for a model of transformers that pandapower does not have.
    pub fn read(document: &Document, warnings: &mut Vec<Warning>) -> Result<Self> {
        let stated = document.member("user_pf_options");
        let option = |name: &str| stated.and_then(|options| options.get(name)).filter(|v| !v.is_null());
        let flag = |name: &str, default: bool| option(name).and_then(Value::as_bool).unwrap_or(default);
        let model = option("trafo_model").map(|v| v.as_str().unwrap_or_default());
        if let Some(model) = model.filter(|model| !["t", "pi"].contains(model)) {
            let message = message!("pandapower.trafo_model", model = model);
            return Err(EngineError::new("INPUT.TABLE", message));
        }
        let ignored: Vec<_> = OTHERS
            .into_iter()
            .filter(|(name, without)| flag(name, *without) != *without)
            .map(|(name, _)| name)
            .collect();
        if !ignored.is_empty() {
            let message = message!("pandapower.options", options = ignored);
            warnings.push(Warning::new("INPUT.HELD", message));
        }
        Ok(Self {
            is_t_model: model == Some("t"),
            states_model: model.is_some(),
            angles: match option("calculate_voltage_angles") {
                Some(Value::String(_)) => has_high_voltage(document),
                _ => flag("calculate_voltage_angles", true),
            },
            losses_3w: option("trafo3w_losses")
                .and_then(Value::as_str)
                .unwrap_or("hv")
                .to_lowercase(),
            switch_rx_ratio: option("switch_rx_ratio").and_then(number).unwrap_or(2.0),
            voltage_dependent_loads: flag("voltage_depend_loads", true),
            line_temperature: flag("consider_line_temperature", false),
            without_open_ends: flag("neglect_open_switch_branches", false),
        })
    }
}

/// The rule of `calculate_voltage_angles="auto"`: whether a bus above 70 kV is the start of one line and the end of
/// another.
fn has_high_voltage(document: &Document) -> bool {
    let ends = |column: &str| -> HashSet<usize> { document.rows("line").filter_map(|row| row.whole(column)).collect() };
    let (from, to) = (ends("from_bus"), ends("to_bus"));
    document.rows("bus").any(|row| {
        let index = row.index().ok();
        row.number_or("vn_kv", 0.0) > 70.0 && index.is_some_and(|bus| from.contains(&bus) && to.contains(&bus))
    })
}
