//! Lines, shunts and switches.

use powerio::dist::{ConductorMatrix, DistLine, DistShunt};
use std::collections::BTreeMap;

use super::super::elements::fold::source_of;
use super::super::refuse;
use super::nodes::expect_terminals;
use super::refusals::Refusals;
use super::{element, number, original, Reading};
use crate::error::Result;
use crate::feeder::{Feeder, FeederLine, FeederShunt, FeederSwitch};
use crate::message::{written, Message};
use crate::{message, message_key};

impl Reading<'_> {
    /// Adds every line in service, including series reactors and the impedances of sources.
    pub fn lines(&self, feeder: &mut Feeder) -> Result<()> {
        let codes: BTreeMap<String, _> = self
            .net
            .line_codes()
            .iter()
            .map(|c| (c.name.to_lowercase(), c))
            .collect();
        for line in self.net.lines().iter().filter(|l| self.line_in_service(l)) {
            // `unmodelled` refuses lines without their code.
            let Some(code) = codes.get(&line.linecode.to_lowercase()) else {
                continue;
            };
            let name = match source_of(code) {
                Some(source) => format!("vsource.{source}"),
                None => element("line", &line.name, &line.extras),
            };
            let n = code.n_conductors;
            expect_terminals(&name, line.terminal_map_from.len(), n)?;
            expect_terminals(&name, line.terminal_map_to.len(), n)?;
            let whole = |matrix: &ConductorMatrix| flat(&name, matrix, n, line.length);
            feeder.lines.push(FeederLine {
                from: self.nodes.all(&name, &line.bus_from, &line.terminal_map_from)?,
                to: self.nodes.all(&name, &line.bus_to, &line.terminal_map_to)?,
                length: line.length,
                r: whole(&code.r_series)?,
                x: whole(&code.x_series)?,
                g_from: whole(&code.g_from)?,
                b_from: whole(&code.b_from)?,
                g_to: whole(&code.g_to)?,
                b_to: whole(&code.b_to)?,
                name,
            });
        }
        Ok(())
    }

    pub fn line_in_service(&self, line: &DistLine) -> bool {
        self.service.has("line", &line.name, &line.extras)
    }

    pub fn shunts(&self, feeder: &mut Feeder, refused: &mut Refusals) -> Result<()> {
        for shunt in self.net.shunts() {
            let name = element(class_of(shunt), &shunt.name, &shunt.extras);
            let (class, own) = name.split_once('.').unwrap_or(("shunt", &name));
            if !self.service.has(class, own, &shunt.extras) {
                continue;
            }
            if original(&shunt.extras).is_some_and(|o| o.starts_with("generator.")) {
                refused.add(&name, message!("feeder.motor", element = &name));
                continue;
            }
            refuse_steps(&name, shunt, refused);
            let n = shunt.terminal_map.len();
            feeder.shunts.push(FeederShunt {
                nodes: self.nodes.all(&name, &shunt.bus, &shunt.terminal_map)?,
                g: flat(&name, &shunt.g, n, 1.0)?,
                b: flat(&name, &shunt.b, n, 1.0)?,
                name,
            });
        }
        self.rated_capacitors(feeder)
    }

    /// Adds capacitors given by their rating (JSON), as the susceptance that draws it at rated voltage, in equal parts.
    fn rated_capacitors(&self, feeder: &mut Feeder) -> Result<()> {
        use powerio::dist::Configuration::{Delta, SinglePhase, Wye};
        for capacitor in self.net.capacitors() {
            let name = element("capacitor", &capacitor.name, &capacitor.extras);
            if !self.service.has("capacitor", &capacitor.name, &capacitor.extras) {
                continue;
            }
            let terminals = capacitor.terminal_map.len();
            let (pairs, v): (Vec<(usize, usize)>, f64) = match capacitor.configuration {
                Wye if terminals >= 2 => {
                    let phases = terminals - 1;
                    let root = if phases >= 2 { 3f64.sqrt() } else { 1.0 };
                    ((0..phases).map(|k| (k, phases)).collect(), capacitor.v_nom / root)
                }
                Delta if terminals == 3 => ((0..3).map(|k| (k, (k + 1) % 3)).collect(), capacitor.v_nom),
                SinglePhase | Delta if terminals == 2 => (vec![(0, 1)], capacitor.v_nom),
                _ => return expect_terminals(&name, terminals, 2),
            };
            let b_coil = capacitor.q_rated / pairs.len() as f64 / (v * v);
            finite(&name, message_key!("quantity.admittance"), &[b_coil])?;
            let mut b = vec![0.0; terminals * terminals];
            for (i, j) in pairs {
                b[i * terminals + i] += b_coil;
                b[j * terminals + j] += b_coil;
                b[i * terminals + j] -= b_coil;
                b[j * terminals + i] -= b_coil;
            }
            feeder.shunts.push(FeederShunt {
                nodes: self.nodes.all(&name, &capacitor.bus, &capacitor.terminal_map)?,
                g: vec![0.0; b.len()],
                b,
                name,
            });
        }
        Ok(())
    }

    pub fn switches(&self, feeder: &mut Feeder) -> Result<()> {
        for switch in self.net.switches() {
            let name = element("switch", &switch.name, &switch.extras);
            if !self.service.has("switch", &switch.name, &switch.extras) {
                continue;
            }
            expect_terminals(&name, switch.terminal_map_to.len(), switch.terminal_map_from.len())?;
            feeder.switches.push(FeederSwitch {
                from: self.nodes.all(&name, &switch.bus_from, &switch.terminal_map_from)?,
                to: self.nodes.all(&name, &switch.bus_to, &switch.terminal_map_to)?,
                is_closed: !switch.open,
                name,
            });
        }
        Ok(())
    }
}

/// The class of a shunt; the parser has one table for capacitors and reactors.
fn class_of(shunt: &DistShunt) -> &'static str {
    let diagonal = shunt.b.iter().enumerate().filter_map(|(row, b)| b.get(row));
    let b: f64 = diagonal.sum();
    if b > 0.0 {
        "capacitor"
    } else {
        "reactor"
    }
}

/// Refuses banks whose first step alone the parser reads, filters, given capacitances and impedances in delta.
fn refuse_steps(name: &str, shunt: &DistShunt, refused: &mut Refusals) {
    let steps = number(&shunt.extras, "numsteps").is_some_and(|n| n != 1.0);
    if steps || shunt.extras.contains_key("states") {
        refused.add(name, message!("feeder.capacitor_steps", element = name));
    }
    let other = ["cuf", "cmatrix", "r", "xl", "harm", "rmatrix", "xmatrix", "z", "rp"];
    // In OpenDSS a value of zero means that there is none.
    let is_set = |key: &&str| shunt.extras.contains_key(*key) && number(&shunt.extras, key) != Some(0.0);
    // The parser reads a reactor given by its impedance as one to ground in each phase.
    let conn = shunt.extras.get("conn").and_then(serde_json::Value::as_str);
    let is_delta = conn.is_some_and(|conn| conn.trim().to_ascii_lowercase().starts_with(['d', 'l']));
    let joins = |(row, values): (usize, &Vec<f64>)| values.iter().enumerate().any(|(k, b)| k != row && *b != 0.0);
    let conn = (is_delta && !shunt.b.iter().enumerate().any(joins)).then_some("conn");
    if let Some(property) = conn.or_else(|| other.into_iter().find(is_set)) {
        refused.add(name, message!("feeder.property", element = name, property = property));
    }
}

/// A matrix by rows, times a length.
fn flat(element: &str, matrix: &ConductorMatrix, n: usize, length: f64) -> Result<Vec<f64>> {
    expect_terminals(element, matrix.len(), n)?;
    for row in matrix {
        expect_terminals(element, row.len(), n)?;
    }
    let values: Vec<f64> = matrix.iter().flatten().map(|v| v * length).collect();
    finite(element, message_key!("quantity.admittance"), &values)?;
    Ok(values)
}

/// # Errors
/// `INPUT.NOT_FINITE` naming the quantity.
pub(super) fn finite(element: &str, quantity: &'static str, values: &[f64]) -> Result<()> {
    let Some(value) = values.iter().find(|v| !v.is_finite()) else {
        return Ok(());
    };
    let message = message!(
        "feeder.not_finite",
        element = element,
        quantity = Message::of_key(quantity),
        value = written(value)
    );
    Err(refuse("INPUT.NOT_FINITE", element, message))
}
