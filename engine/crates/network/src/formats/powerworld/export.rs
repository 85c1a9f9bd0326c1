//! Data that the writer of auxiliary files omits although the format has it; appended to its text in sections that are
//! merged by key.

use powerio::{BalancedNetwork, Branch, BusType, GenCost, Generator, LoadVoltageModel};
use std::collections::HashMap;
use std::fmt::Write;

use super::objects::objects;
use super::records::{records, Record, BRANCH, GENERATOR, LOAD};
use crate::error::Result;

/// The text with regulation and costs of generators, the parts of loads, and the shunts at the ends of branches.
///
/// # Errors
/// Does not fail for the writer's own text; see [`objects`].
pub(crate) fn completed(text: &str, net: &BalancedNetwork) -> Result<String> {
    let sections = objects(text)?;
    let mut out = text.to_string();
    let references = net.buses().iter().filter(|bus| bus.kind == BusType::Ref);
    section(
        &mut out,
        "Bus, [BusNum,BusSlack]",
        references.map(|bus| format!("{} \"YES\"\n", bus.id)),
    );
    let kinds: HashMap<_, _> = net.buses().iter().map(|bus| (bus.id, bus.kind)).collect();
    let units = net.generators().iter().zip(records(&sections, "gen", "", &GENERATOR));
    let holds = |unit: &Generator| unit.voltage_regulation_on && kinds.get(&unit.bus) != Some(&BusType::Pq);
    let rows = units.map(|(unit, record)| {
        let holds = if holds(unit) { "YES" } else { "NO" };
        let regulated = unit.regulated_bus.unwrap_or(unit.bus);
        let (model, fixed, bids) = match &unit.cost {
            None => ("None", 0.0, String::new()),
            Some(cost) if cost.model == 1 => ("Piecewise Linear", first_cost(cost), bid_curve(cost)),
            Some(cost) => ("Cubic", cost.coeffs.last().copied().unwrap_or(0.0), String::new()),
        };
        format!(
            "{} \"{holds}\" {regulated} \"{model}\" {fixed}\n{bids}",
            key(&record, &["BusNum"], "GenID")
        )
    });
    section(
        &mut out,
        "Gen, [BusNum,GenID,GenAVRAble,GenRegNum,GenCostModel,GenFixedCost]",
        rows,
    );
    let loads = net.loads().iter().zip(records(&sections, "load", "", &LOAD));
    let rows = loads.filter_map(|(load, record)| {
        let Some(LoadVoltageModel::Zip {
            p_constant_power,
            q_constant_power,
            p_constant_current,
            q_constant_current,
            p_constant_impedance,
            q_constant_impedance,
            ..
        }) = &load.voltage_model
        else {
            return None;
        };
        Some(format!(
            "{} {p_constant_power} {q_constant_power} {p_constant_current} {q_constant_current} {p_constant_impedance} {q_constant_impedance}\n",
            key(&record, &["BusNum"], "LoadID")
        ))
    });
    let fields = "Load, [BusNum,LoadID,LoadSMW,LoadSMVR,LoadIMW,LoadIMVR,LoadZMW,LoadZMVR]";
    section(&mut out, fields, rows);
    let branches = net
        .branches()
        .iter()
        .zip(records(&sections, "branch", "transformer", &BRANCH));
    let base = net.base_mva();
    let rows = branches.filter_map(|(branch, record)| {
        let ends = branch.charging.filter(|_| stands_apart(branch))?;
        let tap = branch.calc_effective_tap();
        // Equal halves at both ends, and the rest of the from end as a shunt at its bus.
        let (g, b) = (2.0 * ends.g_to, 2.0 * ends.b_to);
        let at_bus = |from: f64, to: f64| (from - to) / (tap * tap) * base;
        let (mw, mvar) = (at_bus(ends.g_fr, ends.g_to), at_bus(ends.b_fr, ends.b_to));
        Some(format!(
            "{} {g} {b} {mw} {mvar}\n",
            key(&record, &["BusNum", "BusNum:1"], "LineCircuit")
        ))
    });
    let fields = "Branch, [BusNum,BusNum:1,LineCircuit,LineG,LineC,LineShuntMW,LineShuntMVR]";
    section(&mut out, fields, rows);
    Ok(out)
}

/// Whether the shunts of a branch are more than one susceptance in equal halves.
fn stands_apart(branch: &Branch) -> bool {
    branch
        .charging
        .is_some_and(|ends| ends.g_fr != 0.0 || ends.g_to != 0.0 || ends.b_fr != ends.b_to)
}

fn section(out: &mut String, header: &str, rows: impl Iterator<Item = String>) {
    let rows: String = rows.collect();
    if !rows.is_empty() {
        let _ = write!(out, "DATA ({header})\n{{\n{rows}}}\n\n");
    }
}

/// Buses and identity of a record, as in the file.
fn key(record: &Record<'_>, buses: &[&str], id: &str) -> String {
    let text = |name: &str| record.text(&[name]).unwrap_or("");
    let buses: Vec<&str> = buses.iter().map(|name| text(name)).collect();
    format!("{} \"{}\"", buses.join(" "), text(id))
}

/// $/h at the first breakpoint.
fn first_cost(cost: &GenCost) -> f64 {
    cost.coeffs.get(1).copied().unwrap_or(0.0)
}

/// From each breakpoint on, the marginal cost to the next.
fn bid_curve(cost: &GenCost) -> String {
    let points: Vec<&[f64]> = cost.coeffs.chunks_exact(2).take(cost.ncost).collect();
    let mut out = "<SUBDATA BidCurve>\n".to_string();
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let price = (to[1] - from[1]) / (to[0] - from[0]);
        let _ = writeln!(out, "{} {price}", from[0]);
    }
    out + "</SUBDATA>\n"
}
