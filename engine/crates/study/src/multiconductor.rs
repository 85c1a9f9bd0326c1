//! Multiconductor power flow of a feeder, and edits of its loads.

use crate::json::{from_json, to_json};
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use wattbook_network::distribution::{feeder_from_module, Controls, FeederOptions, SourceImpedance};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::feeder::Feeder;
use wattbook_network::message;
use wattbook_solve::mc::{solve, Complex64, McCertificate, McData, McModel, McOptions, McSolution};

/// How a feeder is solved: stored with its result.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    source_impedance: Impedance,
    controls: Acting,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Impedance {
    #[default]
    Refuse,
    Branch,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Acting {
    #[default]
    Refuse,
    Held,
}

/// Power of a load at nominal voltage, over all its phases. What is left out stays as it is.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct LoadPower {
    p_kw: Option<f64>,
    q_kvar: Option<f64>,
}

/// A solved feeder. An edit that fails leaves it as it was.
pub struct McStudy {
    options: Options,
    model: McModel,
    solution: McSolution,
}

impl McStudy {
    /// Solves a multiconductor module. `options_json` is `{source_impedance: "refuse"|"branch", controls: "refuse"|"held"}`.
    ///
    /// # Errors
    /// Those of `feeder_from_module`, of the model and of the iteration (`wattbook_solve::mc`); `INPUT.REQUEST`.
    pub fn new(module_json: &str, options_json: &str) -> Result<Self> {
        let options: Options = from_json("options", options_json)?;
        let feeder = feeder_from_module(
            module_json,
            FeederOptions {
                source_impedance: match options.source_impedance {
                    Impedance::Refuse => SourceImpedance::Refuse,
                    Impedance::Branch => SourceImpedance::Branch,
                },
                controls: match options.controls {
                    Acting::Refuse => Controls::Refuse,
                    Acting::Held => Controls::Held,
                },
            },
        )?;
        let data = McData::base(&feeder);
        let model = McModel::new(feeder)?;
        let solution = solve(&model, &data, &McOptions::default(), None)?;
        Ok(Self {
            options,
            model,
            solution,
        })
    }

    /// Sets loads and solves from the present voltages: `{name: {p_kw, q_kvar}}`, names in any letter case. The phases of a load
    /// keep their proportions.
    ///
    /// # Errors
    /// `INPUT.REQUEST`, `INPUT.UNKNOWN_ELEMENT`, `INPUT.NOT_FINITE`, and those of the iteration.
    pub fn edit_loads(&mut self, edits_json: &str) -> Result<()> {
        let edits: BTreeMap<String, LoadPower> = from_json("edits", edits_json)?;
        let feeder = self.model.feeder();
        let base = McData::base(feeder);
        let mut data = self.solution.data.clone();
        for (name, edit) in edits {
            let of_name = |l: &wattbook_network::feeder::FeederLoad| {
                let own = l.name.strip_prefix("load.").unwrap_or(&l.name);
                own.eq_ignore_ascii_case(&name) || l.name.eq_ignore_ascii_case(&name)
            };
            let Some(row) = feeder.loads.iter().position(of_name) else {
                let said = message!("feeder.unknown_load", load = &name);
                return Err(about("INPUT.UNKNOWN_ELEMENT", &name, said));
            };
            for (part, kilo) in [edit.p_kw, edit.q_kvar].into_iter().enumerate() {
                let Some(kilo) = kilo else { continue };
                if !kilo.is_finite() {
                    let said = message!("feeder.load_power", load = &name);
                    return Err(about("INPUT.NOT_FINITE", &name, said));
                }
                spread(1000.0 * kilo, part, &base.loads[row], &mut data.loads[row]);
            }
        }
        self.solution = solve(&self.model, &data, &McOptions::default(), Some(&self.solution))?;
        Ok(())
    }

    /// Terminal voltages (V, degrees), currents (A, degrees) at both ends of each element, powers of the sources and losses (W, var), by
    /// columns; the check of Kirchhoff's law. Elements that the reader adds are left out.
    pub fn result_json(&self) -> String {
        let (feeder, s) = (self.model.feeder(), &self.solution);
        let certificate = McCertificate::new(feeder, s);
        let loads: Vec<Value> = feeder
            .loads
            .iter()
            .zip(&s.data.loads)
            .map(|(load, powers)| {
                let sum = |part: usize| powers.iter().map(|p| p[part]).sum::<f64>() / 1000.0;
                json!({ "load": load.name, "p_kw": sum(0), "q_kvar": sum(1) })
            })
            .collect();
        to_json(&json!({
            "options": self.options,
            "held_controls": feeder.held_controls,
            "iterations": s.iterations,
            "last_change_pu": s.last_change_pu,
            "kcl_residual_a": certificate.residual_a,
            "kcl_terminal": certificate.worst_node.map(|node| feeder.node_name(node)),
            "is_certified": certificate.holds(),
            "not_supplied": s.not_supplied.iter().map(|row| &feeder.loads[*row].name).collect::<Vec<_>>(),
            "loads": loads,
            "voltages": self.voltages(),
            "currents": self.currents(),
            "sources": self.sources(),
            "losses": self.losses(),
        }))
    }

    fn voltages(&self) -> Value {
        let feeder = self.model.feeder();
        let is_shown = |node: &usize| feeder.buses[feeder.nodes[*node].bus].is_written;
        let nodes: Vec<usize> = (0..feeder.nodes.len()).filter(is_shown).collect();
        let of = |node: &usize| self.solution.voltages[*node];
        json!({
            "bus": nodes.iter().map(|n| &feeder.buses[feeder.nodes[*n].bus].name).collect::<Vec<_>>(),
            "terminal": nodes.iter().map(|n| &feeder.nodes[*n].terminal).collect::<Vec<_>>(),
            "voltage_v": nodes.iter().map(|n| size(of(n))).collect::<Vec<_>>(),
            "angle_deg": nodes.iter().map(|n| degrees(of(n))).collect::<Vec<_>>(),
            "is_energised": nodes.iter().map(|n| self.solution.is_energised[*n]).collect::<Vec<_>>(),
        })
    }

    fn currents(&self) -> Value {
        let (feeder, s) = (self.model.feeder(), &self.solution);
        let mut rows = Currents::default();
        for (line, ends) in feeder
            .lines
            .iter()
            .zip(&s.lines)
            .filter(|(l, _)| is_written(feeder, &l.from))
        {
            rows.add(feeder, &line.name, 1, &line.from, &ends[0]);
            rows.add(feeder, &line.name, 2, &line.to, &ends[1]);
        }
        for (t, ends) in feeder.transformers.iter().zip(&s.transformers) {
            for (k, (winding, currents)) in t.windings.iter().zip(ends).enumerate() {
                rows.add(feeder, &t.name, k + 1, &winding.nodes, currents);
            }
        }
        for (switch, through) in feeder.switches.iter().zip(&s.switches) {
            let back: Vec<Complex64> = through.currents.iter().map(|i| -i).collect();
            rows.add(feeder, &switch.name, 1, &switch.from, &through.currents);
            rows.add(feeder, &switch.name, 2, &switch.to, &back);
        }
        for (shunt, currents) in feeder.shunts.iter().zip(&s.shunts) {
            rows.add(feeder, &shunt.name, 1, &shunt.nodes, currents);
        }
        rows.into_json()
    }

    fn sources(&self) -> Value {
        let names = self.model.feeder().sources.iter().map(|s| &s.name);
        let rows = &self.solution.sources;
        json!({
            "source": names.collect::<Vec<_>>(),
            "p_w": rows.iter().map(|s| s.power_at_terminal.re).collect::<Vec<_>>(),
            "q_var": rows.iter().map(|s| s.power_at_terminal.im).collect::<Vec<_>>(),
            "p_behind_impedance_w": rows.iter().map(|s| s.power.re).collect::<Vec<_>>(),
            "q_behind_impedance_var": rows.iter().map(|s| s.power.im).collect::<Vec<_>>(),
        })
    }

    fn losses(&self) -> Value {
        let feeder = self.model.feeder();
        let lines = feeder.lines.iter().zip(self.solution.line_losses(&self.model));
        let lines = lines
            .filter(|(l, _)| is_written(feeder, &l.from))
            .map(|(l, s)| (&l.name, s));
        let transformers = feeder.transformers.iter().map(|t| &t.name);
        let transformers = transformers.zip(self.solution.transformer_losses(&self.model));
        let rows: Vec<(&String, Complex64)> = lines.chain(transformers).collect();
        json!({
            "element": rows.iter().map(|r| r.0).collect::<Vec<_>>(),
            "p_w": rows.iter().map(|r| r.1.re).collect::<Vec<_>>(),
            "q_var": rows.iter().map(|r| r.1.im).collect::<Vec<_>>(),
        })
    }
}

/// Columns of currents into elements.
#[derive(Default, Serialize)]
struct Currents<'a> {
    element: Vec<&'a str>,
    /// 1 is the from end or the first winding.
    end: Vec<usize>,
    bus: Vec<&'a str>,
    terminal: Vec<&'a str>,
    current_a: Vec<f64>,
    angle_deg: Vec<f64>,
}

impl<'a> Currents<'a> {
    fn add(&mut self, feeder: &'a Feeder, element: &'a str, end: usize, nodes: &[usize], currents: &[Complex64]) {
        for (&node, &current) in nodes.iter().zip(currents) {
            self.element.push(element);
            self.end.push(end);
            self.bus.push(&feeder.buses[feeder.nodes[node].bus].name);
            self.terminal.push(&feeder.nodes[node].terminal);
            self.current_a.push(size(current));
            self.angle_deg.push(degrees(current));
        }
    }

    fn into_json(self) -> Value {
        json!(self)
    }
}

fn is_written(feeder: &Feeder, nodes: &[usize]) -> bool {
    nodes
        .iter()
        .all(|node| feeder.buses[feeder.nodes[*node].bus].is_written)
}

/// A total in the proportions that the phases have in the feeder; in equal parts where that has none.
fn spread(total: f64, part: usize, base: &[[f64; 2]], powers: &mut [[f64; 2]]) {
    let sum: f64 = base.iter().map(|p| p[part]).sum();
    let equal = 1.0 / base.len().max(1) as f64;
    for (power, base) in powers.iter_mut().zip(base) {
        power[part] = total * if sum == 0.0 { equal } else { base[part] / sum };
    }
}

fn size(z: Complex64) -> f64 {
    libm::hypot(z.re, z.im)
}

fn degrees(z: Complex64) -> f64 {
    libm::atan2(z.im, z.re) * (180.0 / std::f64::consts::PI)
}

fn about(code: &'static str, load: &str, said: message::Message) -> EngineError {
    EngineError::new(code, said).with_details(json!({ "element": format!("load.{load}") }))
}
