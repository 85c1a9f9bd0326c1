//! Tables without a place in the network: refused if they carry power, otherwise named in a warning.

use super::document::{Document, Row, Table};
use super::{counted, Reading};
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::amounts::mw;

/// Equipment that no formulation has.
const REFUSED: [&str; 6] = ["svc", "tcsc", "ssc", "vsc", "vsc_stacked", "vsc_bipolar"];

/// Tables that are read.
const READ: [&str; 27] = [
    "asymmetric_load",
    "asymmetric_sgen",
    "bus",
    "bus_geodata",
    "dcline",
    "ext_grid",
    "gen",
    "impedance",
    "line",
    "line_geodata",
    "load",
    "motor",
    "poly_cost",
    "pwl_cost",
    "sgen",
    "shunt",
    "shunt_characteristic_table",
    "storage",
    "switch",
    "trafo",
    "trafo3w",
    "trafo_characteristic_table",
    "ward",
    "xward",
    "controller",
    "load_dc",
    "source_dc",
];

/// Tables without effect on power flow and optimum, besides results: measurements, groups of elements, curves to which
/// other tables refer, and DC buses and lines, which only converters connect.
const WITHOUT_EFFECT: [&str; 10] = [
    "measurement",
    "group",
    "characteristic",
    "q_capability_characteristic",
    "q_capability_curve_table",
    "q_capability_curve_characteristic",
    "bus_dc",
    "line_dc",
    "output_writer",
    "loss",
];

/// # Errors
/// `PHYSICS.UNSUPPORTED` for equipment in service that no formulation has, `INPUT.REVISION` for a network from before version 2.
pub(super) fn refuse(document: &Document) -> Result<()> {
    for name in REFUSED {
        if let Some(row) = document.rows(name).find(Row::is_in_service) {
            let message = message!("pandapower.refused", table = name, row = row.label());
            return Err(EngineError::new("PHYSICS.UNSUPPORTED", message));
        }
    }
    let in_kw = |table: &&Table| ["p_kw", "ps_kw", "sn_kva"].into_iter().any(|column| table.has(column));
    if let Some(table) = document.tables().find(in_kw) {
        let message = message!("pandapower.kilowatts", table = table.name());
        return Err(EngineError::new("INPUT.REVISION", message));
    }
    Ok(())
}

impl Reading<'_> {
    /// Warns of the parts of the document that are not in the network.
    pub(super) fn tell_left_out(&mut self) {
        let document = self.document;
        let live = |name: &'static str| document.rows(name).filter(Row::is_in_service);
        let controllers = live("controller").count();
        if controllers > 0 {
            self.tell("INPUT.HELD", message!("pandapower.controllers", count = controllers));
        }
        let loads = live("load_dc").count();
        if loads > 0 {
            let power = |row: Row<'_>| row.number_or("p_dc_mw", 0.0) * row.number_or("scaling", 1.0);
            let demand: f64 = live("load_dc").map(power).sum();
            let message = message!("pandapower.loads_dc", count = loads, demand = mw(demand));
            self.tell("INPUT.LEFT_OUT", message);
        }
        let sources = live("source_dc").count();
        if sources > 0 {
            self.tell("INPUT.LEFT_OUT", message!("pandapower.sources_dc", count = sources));
        }
        let known = |name: &str| {
            READ.contains(&name)
                || REFUSED.contains(&name)
                || WITHOUT_EFFECT.contains(&name)
                || name.starts_with("res_")
                || name.starts_with('_')
        };
        let others = document
            .tables()
            .filter(|table| table.len() > 0 && !known(table.name()));
        let others: Vec<(&str, usize)> = others.map(|table| (table.name(), table.len())).collect();
        if !others.is_empty() {
            let tables = counted(others.into_iter());
            self.tell("INPUT.FIELD_IGNORED", message!("pandapower.tables", tables = tables));
        }
    }
}
