//! The power flow for peers: bus admittance matrix, injections, start and bus types. It is written from the analysis
//! network alone, independently of the engine's model, so that equal voltages confirm both.

use num_complex::Complex64;
use serde_json::{json, Value};
use std::collections::BTreeMap;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_solve::ac::{AcData, AcSolution};

/// Rows are the buses in service, in their order. `None` for networks that peers do not support: several islands, or
/// branches without impedance.
pub fn power_flow(network: &AnalysisNetwork, data: &AcData, solution: &AcSolution) -> Option<Value> {
    let branches = || network.branches.iter().filter(|b| b.in_service);
    if solution.slack.len() != 1 || branches().any(|b| b.is_zero_impedance()) {
        return None;
    }
    let mut row_of = vec![usize::MAX; network.buses.len()];
    let rows: Vec<usize> = (0..network.buses.len())
        .filter(|&b| network.buses[b].in_service)
        .collect();
    for (row, &bus) in rows.iter().enumerate() {
        row_of[bus] = row;
    }
    let mut has_unit = vec![false; network.buses.len()];
    for g in network.generators.iter().filter(|g| g.in_service) {
        has_unit[g.bus] = true;
    }
    let (mut reference, mut pv, mut pq) = (Vec::new(), Vec::new(), Vec::new());
    let mut power: Vec<Complex64> = Vec::with_capacity(rows.len());
    let mut admittance = vec![BTreeMap::<usize, Complex64>::new(); rows.len()];
    let mut set_point = vec![None; network.buses.len()];
    for (k, g) in network.generators.iter().enumerate().filter(|(_, g)| g.in_service) {
        set_point[g.bus] = Some(data.set_point[k]);
    }
    let mut start = Vec::with_capacity(rows.len());
    for (row, &b) in rows.iter().enumerate() {
        let bus = &network.buses[b];
        let holds = has_unit[b] && (bus.is_reference || bus.is_pv);
        match (holds, bus.is_reference) {
            (true, true) => reference.push(row),
            (true, false) => pv.push(row),
            _ => pq.push(row),
        }
        power.push(-Complex64::new(data.demand[b], data.demand_q[b]));
        admittance[row].insert(row, Complex64::new(bus.gs_pu, bus.bs_pu));
        let magnitude = set_point[b].filter(|_| holds).unwrap_or(bus.vm_pu);
        start.push(polar(magnitude, bus.va_rad));
    }
    for (k, g) in network.generators.iter().enumerate().filter(|(_, g)| g.in_service) {
        if row_of[g.bus] != usize::MAX {
            power[row_of[g.bus]] += Complex64::new(data.output[k], data.output_q[k]);
        }
    }
    for b in branches() {
        let (f, t) = (row_of[b.from], row_of[b.to]);
        let series = Complex64::new(1.0, 0.0) / Complex64::new(b.r_pu, b.x_pu);
        let [from, to] = [b.shunt_from_pu, b.shunt_to_pu].map(|[g, b]| series + Complex64::new(g, b));
        let ratio = polar(b.tap, b.shift_rad);
        for (row, column, y) in [
            (f, f, from / (b.tap * b.tap)),
            (f, t, -series / ratio.conj()),
            (t, f, -series / ratio),
            (t, t, to),
        ] {
            *admittance[row].entry(column).or_default() += y;
        }
    }
    let (mut starts, mut index, mut entries) = (vec![0], Vec::new(), Vec::new());
    for row in &admittance {
        index.extend(row.keys().copied());
        entries.extend(row.values().copied());
        starts.push(index.len());
    }
    let voltages = rows.iter().map(|&b| polar(solution.magnitude[b], solution.angle[b]));
    Some(json!({
        "starts": starts, "index": index, "admittance": parts(entries), "power": parts(power), "start": parts(start),
        "reference": reference, "pv": pv, "pq": pq, "voltages": parts(voltages),
    }))
}

fn polar(magnitude: f64, angle: f64) -> Complex64 {
    Complex64::new(magnitude * angle.cos(), magnitude * angle.sin())
}

/// Real and imaginary parts.
fn parts(numbers: impl IntoIterator<Item = Complex64>) -> [Vec<f64>; 2] {
    let (re, im) = numbers.into_iter().map(|z| (z.re, z.im)).unzip();
    [re, im]
}
