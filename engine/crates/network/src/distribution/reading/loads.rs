//! Loads of an OpenDSS script whose power is not given in kW.
//!
//! The parser reads `kW`, `kvar` and `pf`, and assumes its default of 10 kW for a load without kW.

use powerio::dist::{DistLoad, Extras, MulticonductorNetwork};
use serde_json::Value;

use crate::distribution::reading::ratings::Ratings;
use crate::distribution::reading::values;
use crate::distribution::refuse;
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::{written, Message};

/// Corrects the power of loads (OpenDSS manual, "Load", properties kVA, XfkVA and kWh; `LoadSpecType` 2 to 4 in its
/// sources): `kW = kVA |pf|`, `kW = XfkVA AllocationFactor |pf|` with the power factor set before both, `kW = kWh / (24
/// kWhDays) CFactor`, and `kvar = kW sqrt(1/pf^2 - 1)` with the sign of the power factor.
///
/// # Errors
/// `INPUT.LOAD_POWER` naming a load whose specifications contradict each other (OpenDSS uses the last one) or are not
/// numbers.
pub(crate) fn settle(net: &mut MulticonductorNetwork, ratings: &Ratings) -> Result<()> {
    let mut changes = Vec::new();
    for (row, load) in net.loads().iter().enumerate() {
        let Some((kw, kvar)) = stated(load, ratings)? else {
            continue;
        };
        let fields = net.defaulted().get(&format!("load.{}", load.name));
        let kw_is_default = fields.is_some_and(|f| f.contains(&"kw"));
        let has_kvar = !load.extras.contains_key("pf");
        if kw_is_default && !has_kvar {
            changes.push((row, kw, kvar));
            continue;
        }
        let sum = |values: &[f64]| values.iter().sum::<f64>() / 1000.0;
        let (p, q) = (sum(&load.p_nom), sum(&load.q_nom));
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-3 * p.hypot(q).max(1e-6);
        // With kvar there is no power factor, and kVA merely repeats the magnitude of both.
        let agrees = match has_kvar && !kw_is_default {
            true => number(load, &load.extras, "kva")?.is_some_and(|kva| near(p.hypot(q), kva)),
            false => near(p, kw) && near(q, kvar),
        };
        if !agrees {
            return Err(refusal(load, message!("feeder.load_contradicts", load = &load.name)));
        }
    }
    for (row, kw, kvar) in changes {
        let load = &mut net.loads_mut()[row];
        let phases = load.p_nom.len().max(1) as f64;
        load.p_nom.fill(kw * 1000.0 / phases);
        load.q_nom.fill(kvar * 1000.0 / phases);
    }
    Ok(())
}

/// kW and kvar from kVA, transformer rating or energy; `None` if the load states none of them.
fn stated(load: &DistLoad, ratings: &Ratings) -> Result<Option<(f64, f64)>> {
    const PF: f64 = 0.88;
    let of = |key: &str| number(load, &load.extras, key);
    let pf = of("pf")?.unwrap_or(PF);
    let at_rating = match ratings.factor(&load.name) {
        Some(Some(text)) => parsed(load, "pf", values::number(text))?,
        Some(None) => PF,
        None => pf,
    };
    let kw = match (of("kva")?, of("xfkva")?, of("kwh")?) {
        (Some(kva), None, None) => kva * pf.abs(),
        (None, Some(kva), None) => kva * of("allocationfactor")?.unwrap_or(0.5) * at_rating.abs(),
        (None, None, Some(kwh)) => kwh / (24.0 * of("kwhdays")?.unwrap_or(30.0)) * of("cfactor")?.unwrap_or(4.0),
        (None, None, None) => return Ok(None),
        _ => {
            return Err(refusal(load, message!("feeder.load_several_ways", load = &load.name)));
        }
    };
    let kvar = kw * (1.0 / (pf * pf) - 1.0).sqrt() * if pf < 0.0 { -1.0 } else { 1.0 };
    if !kw.is_finite() || !kvar.is_finite() {
        let message = message!("feeder.load_without_power", load = &load.name, factor = written(pf));
        return Err(refusal(load, message));
    }
    Ok(Some((kw, kvar)))
}

fn number(load: &DistLoad, extras: &Extras, key: &str) -> Result<Option<f64>> {
    let value = match extras.get(key) {
        None => return Ok(None),
        Some(Value::String(text)) => values::number(text),
        Some(value) => value.as_f64(),
    };
    parsed(load, key, value).map(Some)
}

fn parsed(load: &DistLoad, property: &str, value: Option<f64>) -> Result<f64> {
    value.ok_or_else(|| {
        let message = message!("feeder.load_not_a_number", load = &load.name, property = property);
        refusal(load, message)
    })
}

fn refusal(load: &DistLoad, message: Message) -> EngineError {
    refuse("INPUT.LOAD_POWER", &format!("load.{}", load.name), message)
}
