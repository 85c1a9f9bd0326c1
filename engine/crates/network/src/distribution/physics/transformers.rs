//! Transformers.

use powerio::dist::{DistTransformer, DistWinding, DistWindingConn};
use serde_json::Value;

use super::super::refuse;
use super::equipment::finite;
use super::nodes::expect_terminals;
use super::refusals::Refusals;
use super::{element, number, Reading};
use crate::error::Result;
use crate::feeder::{Connection, Feeder, FeederTransformer, FeederWinding};
use crate::{message, message_key};

impl Reading<'_> {
    pub fn transformers(&self, feeder: &mut Feeder, refused: &mut Refusals) -> Result<()> {
        for transformer in self.net.transformers() {
            let name = element("transformer", &transformer.name, &transformer.extras);
            if !self.service.has("transformer", &transformer.name, &transformer.extras) {
                continue;
            }
            if self.refuses(&name, transformer, refused) {
                continue;
            }
            let [first, second] = &transformer.windings[..] else {
                continue;
            };
            let windings = [
                self.winding(&name, transformer, first)?,
                self.winding(&name, transformer, second)?,
            ];
            let (no_load_percent, magnetising_percent) = no_load(transformer);
            let x_percent = transformer.xsc_pct.first().copied().unwrap_or(f64::NAN);
            let numbers = [x_percent, no_load_percent, magnetising_percent];
            finite(&name, message_key!("quantity.winding"), &numbers)?;
            let leads = transformer.extras.get("leadlag").and_then(Value::as_str);
            let antifloat = number(&transformer.extras, "ppm_antifloat").unwrap_or(1.0);
            feeder.transformers.push(FeederTransformer {
                phases: transformer.phases,
                windings,
                s_va: first.s_rating,
                x_percent,
                no_load_percent,
                magnetising_percent,
                // `euro` is a synonym for `lead`.
                leads: leads.is_some_and(|word| word.trim().to_ascii_lowercase().starts_with(['e']) || is_lead(word)),
                antifloat_ppm: if self.is_script() { antifloat } else { 0.0 },
                name,
            });
        }
        Ok(())
    }

    fn winding(&self, name: &str, t: &DistTransformer, w: &DistWinding) -> Result<FeederWinding> {
        let connection = match w.conn {
            DistWindingConn::Delta => Connection::Delta,
            _ => Connection::Wye,
        };
        let needed = match (t.phases, connection) {
            (1, _) => 2,
            (2, Connection::Delta) => 3,
            (phases, Connection::Delta) => phases,
            (phases, Connection::Wye) => phases + 1,
        };
        expect_terminals(name, w.terminal_map.len(), needed)?;
        finite(
            name,
            message_key!("quantity.winding"),
            &[w.v_ref, w.s_rating, w.r_pct, w.tap],
        )?;
        if t.phases == 0 || [w.v_ref, w.s_rating, w.tap].iter().any(|v| *v <= 0.0) {
            let message = message!("feeder.winding_rating", element = name);
            return Err(refuse("INPUT.RATING", name, message));
        }
        let neutral = w.r_neutral.filter(|r| *r >= 0.0 && connection == Connection::Wye);
        Ok(FeederWinding {
            nodes: self.nodes.all(name, &w.bus, &w.terminal_map)?,
            connection,
            v_rated: w.v_ref,
            r_percent: w.r_pct,
            tap: w.tap,
            neutral_ohm: neutral.map(|r| [r, w.x_neutral.unwrap_or(0.0)]),
        })
    }

    /// Refuses properties of a transformer that have no model, and returns whether there are any.
    fn refuses(&self, name: &str, t: &DistTransformer, refused: &mut Refusals) -> bool {
        let extras = &t.extras;
        let message = if extras.contains_key("dss_autotrans_original") {
            message!("feeder.autotransformer", element = name)
        } else if t.windings.len() != 2 {
            message!("feeder.windings", element = name, count = t.windings.len())
        } else if t.xsc_pct.first() == Some(&0.0) {
            message!("feeder.no_leakage", element = name)
        } else if extras.get("pmd_tm_set").is_some_and(differs_between_phases) {
            message!("feeder.phase_taps", element = name)
        } else if extras.contains_key("pmd_polarity") || self.is_rotated(t) {
            message!("feeder.polarity", element = name)
        } else if let Some(property) = unread(extras, self.net.base_frequency()) {
            message!("feeder.property", element = name, property = property)
        } else {
            return false;
        };
        refused.add(name, message);
        true
    }

    /// Whether the phases of both windings are listed in different order. JSON does not define the orientation of wye
    /// against delta, so the vector group is then unknown.
    fn is_rotated(&self, t: &DistTransformer) -> bool {
        let [first, second] = &t.windings[..] else { return false };
        let phases = |w: &DistWinding| w.terminal_map.iter().take(t.phases).cloned().collect::<Vec<_>>();
        !self.is_script() && t.phases == 3 && first.conn != second.conn && phases(first) != phases(second)
    }
}

fn is_lead(word: &str) -> bool {
    word.trim().to_ascii_lowercase().starts_with("le")
}

fn differs_between_phases(taps: &Value) -> bool {
    let windings = taps.as_array().map_or(&[][..], Vec::as_slice);
    windings
        .iter()
        .filter_map(Value::as_array)
        .any(|phases| phases.windows(2).any(|pair| pair[0] != pair[1]))
}

/// A property outside the typed fields that changes the admittances.
fn unread(extras: &powerio::dist::Extras, base_frequency: f64) -> Option<&'static str> {
    let is_set = |key: &str| number(extras, key).is_some_and(|v| v != 0.0);
    if number(extras, "basefreq").is_some_and(|f| f != base_frequency) {
        return Some("basefreq");
    }
    ["g_no_load", "b_no_load"].into_iter().find(|key| is_set(key))
}

/// Percentages of the no-load branch at the second winding, which OpenDSS gives directly and BMOPF as the admittance of
/// a coil.
fn no_load(t: &DistTransformer) -> (f64, f64) {
    let of = |key: &str| number(&t.extras, key).unwrap_or(0.0);
    let Some(shunt) = t.extras.get("no_load_shunt") else {
        return (of("%noloadloss"), of("%imag"));
    };
    let part = |key: &str| shunt.get(key).and_then(Value::as_f64).unwrap_or(f64::NAN);
    if part("winding") != 2.0 {
        return (f64::NAN, f64::NAN);
    }
    let Some(second) = t.windings.get(1) else {
        return (f64::NAN, f64::NAN);
    };
    let root = if second.conn == DistWindingConn::Wye && matches!(t.phases, 2 | 3) {
        3f64.sqrt()
    } else {
        1.0
    };
    let v = second.v_ref * second.tap / root;
    let percent = 100.0 * v * v * t.phases as f64 / t.windings[0].s_rating;
    (part("g") * percent, -part("b") * percent)
}
