//! Loads: their branches and their laws.

use powerio::dist::{Configuration, DistLoad, DistLoadVoltageModel as Model};

use super::super::elements::fold::original;
use super::equipment::finite;
use super::nodes::expect_terminals;
use super::refusals::Refusals;
use super::{number, Reading};
use crate::error::Result;
use crate::feeder::{Feeder, FeederLoad, LoadBranch, LoadLaw, VoltageBand};
use crate::message::written;
use crate::{message, message_key};

/// Load models of OpenDSS that the parser reads correctly.
const READ: [f64; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 8.0];

impl Reading<'_> {
    pub fn loads(&self, feeder: &mut Feeder, refused: &mut Refusals) -> Result<()> {
        for load in self.net.loads() {
            let name = format!("load.{}", load.name);
            if original(&load.extras).is_some() || !self.service.has("load", &load.name, &load.extras) {
                continue;
            }
            let model = load.extras.get("model").map(|_| number(&load.extras, "model"));
            if let Some(model) = model.filter(|m| !m.is_some_and(|m| READ.contains(&m))) {
                let model = model.map_or_else(|| written("?"), written);
                refused.add(&name, message!("feeder.load_model", element = &name, model = model));
                continue;
            }
            let neutral = |key: &str, open: f64| number(&load.extras, key).is_some_and(|v| v != open);
            if number(&load.extras, "rneut").is_some_and(|r| r >= 0.0) || neutral("xneut", 0.0) {
                refused.add(&name, message!("feeder.load_neutral", element = &name));
                continue;
            }
            let Some((laws, band)) = laws(load) else {
                refused.add(&name, message!("feeder.load_law", element = &name));
                continue;
            };
            let branches = self.branches(&name, load, &laws)?;
            feeder.loads.push(FeederLoad { name, branches, band });
        }
        Ok(())
    }

    fn branches(&self, name: &str, load: &DistLoad, laws: &[(f64, LoadLaw)]) -> Result<Vec<LoadBranch>> {
        finite(name, message_key!("quantity.active_power"), &load.p_nom)?;
        finite(name, message_key!("quantity.reactive_power"), &load.q_nom)?;
        let nodes = self.nodes.all(name, &load.bus, &load.terminal_map)?;
        let (n, terminals) = (load.p_nom.len(), nodes.len());
        expect_terminals(name, load.q_nom.len(), n)?;
        let pair = |k: usize| match load.configuration {
            // A load at a single terminal returns through ground.
            Configuration::SinglePhase => [nodes.first().copied(), nodes.get(1).copied()],
            Configuration::Delta => [Some(nodes[k]), Some(nodes[(k + 1) % terminals])],
            _ => [Some(nodes[k]), nodes.last().copied()],
        };
        let needed = match load.configuration {
            Configuration::SinglePhase => terminals.clamp(1, 2),
            Configuration::Delta if n == 2 => 3,
            Configuration::Delta => n,
            _ => n + 1,
        };
        expect_terminals(name, terminals, needed)?;
        if load.configuration == Configuration::SinglePhase {
            expect_terminals(name, n, 1)?;
        }
        Ok((0..n)
            .map(|k| LoadBranch {
                nodes: pair(k),
                p_w: load.p_nom[k],
                q_var: load.q_nom[k],
                v_nominal: laws[k].0,
                law: laws[k].1,
            })
            .collect())
    }
}

/// Nominal voltage and law of each branch, and the band.
type Laws = (Vec<(f64, LoadLaw)>, Option<VoltageBand>);

/// The laws of a load; `None` if the file does not define all of them.
fn laws(load: &DistLoad) -> Option<Laws> {
    // One value may apply to all phases.
    let of = |values: &[f64], k: usize| match values {
        [one] => Some(*one),
        values => values.get(k).copied(),
    };
    let v_nominal = |k: usize| of(load.voltage_model.v_nom(), k);
    let law = |k: usize| {
        let law = match &load.voltage_model {
            // Constant power needs no nominal voltage.
            Model::ConstantPower { .. } => return Some((v_nominal(k).unwrap_or(0.0), LoadLaw::Power)),
            Model::ConstantCurrent { .. } => LoadLaw::Current,
            Model::ConstantImpedance { .. } => LoadLaw::Impedance,
            Model::Zip {
                alpha_z,
                alpha_i,
                alpha_p,
                beta_z,
                beta_i,
                beta_p,
                ..
            }
            | Model::BoundedZip {
                alpha_z,
                alpha_i,
                alpha_p,
                beta_z,
                beta_i,
                beta_p,
                ..
            } => LoadLaw::Zip {
                active: [of(alpha_z, k)?, of(alpha_i, k)?, of(alpha_p, k)?],
                reactive: [of(beta_z, k)?, of(beta_i, k)?, of(beta_p, k)?],
            },
            Model::Exponential { gamma_p, gamma_q, .. } | Model::BoundedExponential { gamma_p, gamma_q, .. } => {
                LoadLaw::Exponential {
                    active: of(gamma_p, k)?,
                    reactive: of(gamma_q, k)?,
                }
            }
            _ => return None,
        };
        Some((v_nominal(k)?, law))
    };
    let laws: Vec<(f64, LoadLaw)> = (0..load.p_nom.len()).map(law).collect::<Option<_>>()?;
    let coefficients = |law: &LoadLaw| match law {
        LoadLaw::Zip { active, reactive } => active.iter().chain(reactive).all(|c| c.is_finite()),
        LoadLaw::Exponential { active, reactive } => active.is_finite() && reactive.is_finite(),
        _ => true,
    };
    let usable = |(v, law): &(f64, LoadLaw)| {
        v.is_finite() && (*v > 0.0 || *law == LoadLaw::Power && *v == 0.0) && coefficients(law)
    };
    let band = match &load.voltage_model {
        Model::BoundedZip {
            v_low_pu,
            v_min_pu,
            v_max_pu,
            cutoff_pu,
            ..
        } => Some([*v_low_pu, *v_min_pu, *v_max_pu, *cutoff_pu]),
        Model::BoundedExponential {
            v_low_pu,
            v_min_pu,
            v_max_pu,
            ..
        } => Some([*v_low_pu, *v_min_pu, *v_max_pu, 0.0]),
        _ => None,
    };
    let is_band = |b: [f64; 4]| b.iter().all(|v| v.is_finite() && *v >= 0.0) && b[2] > 0.0;
    let ordered = band.is_none_or(is_band);
    (ordered && laws.iter().all(usable)).then_some((
        laws,
        band.map(|[low, min, max, cutoff]| VoltageBand { low, min, max, cutoff }),
    ))
}
