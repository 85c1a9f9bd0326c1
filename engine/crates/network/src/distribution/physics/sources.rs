//! Sources and their impedances.

use powerio::dist::VoltageSource;
use serde_json::Value;

use super::super::refuse;
use super::equipment::finite;
use super::nodes::expect_terminals;
use super::refusals::Refusals;
use super::{Reading, SourceImpedance};
use crate::error::Result;
use crate::feeder::{Feeder, FeederLine, FeederSource};
use crate::message::amounts::mva;
use crate::{message, message_key};

/// A source with a short-circuit power of more than this multiple of the load is ideal in effect, but keeps its
/// impedance.
const IDEAL: f64 = 1e6;

impl Reading<'_> {
    pub fn sources(&self, feeder: &mut Feeder, refused: &mut Refusals) -> Result<()> {
        let load_va: f64 = feeder
            .loads
            .iter()
            .flat_map(|l| &l.branches)
            .map(|b| libm::hypot(b.p_w, b.q_var))
            .sum();
        let in_service = self.net.lines().iter().filter(|l| self.line_in_service(l));
        let internal: Vec<usize> = in_service
            .enumerate()
            .filter(|(_, l)| !self.fold.is_line(&l.name))
            .map(|(row, _)| row)
            .collect();
        let mut reported = Vec::new();
        for source in self.net.sources() {
            let name = format!("vsource.{}", source.name);
            if !self.service.has("vsource", &source.name, &source.extras) {
                continue;
            }
            if let Some(property) = ["rs", "xs"]
                .into_iter()
                .find(|key| source.extras.get(*key).is_some_and(is_nonzero))
            {
                let message = message!("feeder.source_impedance_lost", element = &name, property = property);
                refused.add(&name, message);
                continue;
            }
            let source = self.source(&name, source, feeder, &internal)?;
            if let Some(row) = source.impedance.filter(|row| !reported.contains(row)) {
                reported.push(row);
                let level = short_circuit_va(&source, &feeder.lines[row]);
                let is_ideal = load_va * IDEAL <= level;
                if !is_ideal && self.options.source_impedance == SourceImpedance::Refuse {
                    let level = mva(level / 1e6);
                    let message = message!("feeder.source_impedance", element = &name, level = level);
                    refused.add_with_option(&name, message, "source_impedance: \"branch\"");
                }
            }
            feeder.sources.push(source);
        }
        let in_service = |s: &VoltageSource| self.service.has("vsource", &s.name, &s.extras);
        if !self.net.sources().iter().any(in_service) {
            let message = message!("feeder.no_source");
            return Err(refuse("INPUT.NO_EQUIPMENT", "circuit", message));
        }
        Ok(())
    }

    fn source(&self, name: &str, s: &VoltageSource, feeder: &Feeder, internal: &[usize]) -> Result<FeederSource> {
        expect_terminals(name, s.v_magnitude.len(), s.terminal_map.len())?;
        expect_terminals(name, s.v_angle.len(), s.terminal_map.len())?;
        finite(name, message_key!("quantity.voltage"), &s.v_magnitude)?;
        finite(name, message_key!("quantity.voltage"), &s.v_angle)?;
        let nodes = self.nodes.all(name, &s.bus, &s.terminal_map)?;
        let reference = match &s.reference_terminal {
            Some(terminal) => Some(self.nodes.find(name, &s.bus, terminal)?),
            None => None,
        };
        let begins_here = |row: &&usize| nodes.iter().any(|node| feeder.lines[**row].from.contains(node));
        Ok(FeederSource {
            name: name.to_owned(),
            impedance: internal.iter().find(begins_here).copied(),
            nodes,
            reference,
            volts: s.v_magnitude.clone(),
            angles_rad: s.v_angle.clone(),
        })
    }
}

/// Power of a three-phase short circuit behind the impedance: the squared voltages divided by the positive-sequence
/// impedance.
fn short_circuit_va(source: &FeederSource, line: &FeederLine) -> f64 {
    let n = line.from.len();
    let sequence = |m: &[f64]| {
        let diagonal: f64 = (0..n).map(|k| m[k * n + k]).sum();
        let rest = m.iter().sum::<f64>() - diagonal;
        diagonal / n as f64 - if n > 1 { rest / (n * (n - 1)) as f64 } else { 0.0 }
    };
    let z = libm::hypot(sequence(&line.r), sequence(&line.x));
    source.volts.iter().map(|v| v * v).sum::<f64>() / z
}

/// Whether any number in the value differs from zero.
pub(super) fn is_nonzero(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(is_nonzero),
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::Null => false,
        _ => true,
    }
}
