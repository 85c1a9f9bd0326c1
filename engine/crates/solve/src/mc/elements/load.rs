//! The current of a load at a voltage.

use crate::mc::{magnitude, C};
use wattbook_network::feeder::{LoadBranch, LoadLaw, VoltageBand};

/// Voltages below this, V, count as zero.
const NO_VOLTAGE: f64 = 1e-9;
/// Steepness of the drop-out of ZIP loads (OpenDSS, `Load.DoZIPVModel`).
const DROP_OUT: f64 = 500.0;

/// A load law without a limit has no current at zero voltage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoVoltage;

/// Current into a branch that draws `power` at nominal voltage, with the voltage `u` across it.
pub(crate) fn current(branch: &LoadBranch, band: Option<VoltageBand>, power: C, u: C) -> Result<C, NoVoltage> {
    if power == C::default() {
        return Ok(power);
    }
    if branch.law == LoadLaw::Impedance {
        return Ok(nominal_admittance(branch, power) * u);
    }
    let size = magnitude(u);
    if size < NO_VOLTAGE {
        return match band {
            Some(_) => Ok(C::default()),
            None => Err(NoVoltage),
        };
    }
    let [p, q] = factors(branch.law, band, size, branch.v_nominal);
    let square = size * size;
    Ok(C::new(power.re * p / square, -power.im * q / square) * u)
}

/// `conj(S) / v^2`; zero without a nominal voltage.
pub(crate) fn nominal_admittance(branch: &LoadBranch, power: C) -> C {
    if branch.v_nominal > 0.0 {
        power.conj() / (branch.v_nominal * branch.v_nominal)
    } else {
        C::default()
    }
}

/// Factors of active and of reactive power at the voltage `size`.
fn factors(law: LoadLaw, band: Option<VoltageBand>, size: f64, nominal: f64) -> [f64; 2] {
    let v = size / nominal;
    // Constant current and constant power outside the band; `None` where their own law applies.
    let limited = band.and_then(|b| outside(&b, v));
    let (current, power) = match limited {
        Some(Outside::Impedance) => return [v * v; 2],
        Some(Outside::Law { current, power }) => (current, power),
        None => (v, 1.0),
    };
    match law {
        LoadLaw::Power => [power; 2],
        LoadLaw::Current => [current; 2],
        LoadLaw::Impedance => [v * v; 2],
        LoadLaw::Zip { active, reactive } => {
            let cutoff = band.map_or(0.0, |b| b.cutoff);
            let part = if cutoff > 0.0 {
                0.5 * (1.0 + libm::tanh(DROP_OUT * (v - cutoff)))
            } else {
                1.0
            };
            [active, reactive].map(|[z, i, p]| (z * v * v + i * current + p * power) * part)
        }
        LoadLaw::Exponential { active, reactive } => match limited {
            Some(_) => [power; 2],
            None => [active, reactive].map(|exponent| libm::pow(v, exponent)),
        },
    }
}

enum Outside {
    Impedance,
    Law { current: f64, power: f64 },
}

/// The replacement law outside the voltage band (OpenDSS, `Load.pas`: `InterpolateY95`, `InterpolateY95I`, `Y105`).
fn outside(band: &VoltageBand, v: f64) -> Option<Outside> {
    let VoltageBand { low, min, max, .. } = *band;
    if v <= low {
        Some(Outside::Impedance)
    } else if v <= min {
        let part = (v - low) / (min - low);
        Some(Outside::Law {
            current: v * (low + (1.0 - low) * part),
            power: v * (low + (1.0 / min - low) * part),
        })
    } else if v > max {
        Some(Outside::Law {
            current: v * v / max,
            power: v * v / (max * max),
        })
    } else {
        None
    }
}
