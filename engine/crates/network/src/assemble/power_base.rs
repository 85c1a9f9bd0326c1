//! The power base of the analysis network: that of the file, if it suits the powers of the case.
//!
//! Solvers have tolerances of about 1e-8 per unit. On a base far from the powers of the case, that is far too much or
//! too little: 1e-8 of 1e10 MVA is 100 MW. Such a case is solved on a base similar to its powers, a power of two times
//! that of the file, so that per-unit numbers convert exactly. Results are in MW and independent of the base.

use powerio::BalancedNetwork;
use std::ops::RangeInclusive;

use crate::element::ElementRef;
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::written;

/// Typical powers of a case, per unit, for which the base remains, and the largest base that remains, MVA: 1e-8 of it
/// is 10 W.
const SUITABLE: RangeInclusive<f64> = 1e-4..=1e4;
const LARGEST_MVA: f64 = 1000.0;
/// Largest demand that is solved (`amounts` of the study crate), MW.
const LARGEST_MW: f64 = 1e9;

/// The base of the analysis network, MVA: that of the file times a power of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PowerBase {
    file_mva: f64,
    /// `mva` is `file_mva` times two to the power of this.
    pub exponent: i32,
    pub mva: f64,
}

impl PowerBase {
    /// Chooses the base for a network, whose file base is positive.
    ///
    /// # Errors
    /// `INPUT.BASE_MVA` if the base is out of the range of numbers.
    pub fn of(net: &BalancedNetwork) -> Result<Self> {
        let file_mva = net.base_mva();
        let refused = || EngineError::new("INPUT.BASE_MVA", message!("case.base_mva", base = written(file_mva)));
        if !(file_mva.is_finite() && file_mva > 0.0) {
            return Err(refused());
        }
        let typical = typical_mw(net).map_or(file_mva.min(LARGEST_MVA), |mw| mw.min(LARGEST_MW));
        let part = typical / file_mva;
        let suits = SUITABLE.contains(&part) && file_mva <= LARGEST_MVA;
        let exponent = match suits {
            true => 0,
            false => libm::ilogb(typical) - libm::ilogb(file_mva),
        };
        let mva = libm::ldexp(file_mva, exponent);
        if !mva.is_normal() {
            return Err(refused());
        }
        Ok(Self {
            file_mva,
            exponent,
            mva,
        })
    }

    /// An impedance in per unit of the file's base.
    ///
    /// # Errors
    /// Those of [`Self::admittance`].
    pub fn impedance(&self, pu: f64, element: &ElementRef) -> Result<f64> {
        self.moved(pu, self.exponent, element)
    }

    /// An admittance in per unit of the file's base.
    ///
    /// # Errors
    /// `INPUT.BASE_MVA` naming the element, if the number is out of range on the base of the network.
    pub fn admittance(&self, pu: f64, element: &ElementRef) -> Result<f64> {
        self.moved(pu, -self.exponent, element)
    }

    fn moved(&self, pu: f64, exponent: i32, element: &ElementRef) -> Result<f64> {
        if exponent == 0 || pu == 0.0 || !pu.is_finite() {
            return Ok(pu);
        }
        let moved = libm::ldexp(pu, exponent);
        if moved.is_normal() {
            return Ok(moved);
        }
        let message = message!(
            "case.base_out_of_proportion",
            base = written(format!("{:e}", self.file_mva)),
            element = element,
            value = written(format!("{pu:e}"))
        );
        Err(EngineError::new("INPUT.BASE_MVA", message).at(element.clone()))
    }
}

/// Median demand of a case, otherwise median upper limit of its generators, MW; `None` without either.
fn typical_mw(net: &BalancedNetwork) -> Option<f64> {
    let loads = net.loads().iter().filter(|load| load.in_service).map(|load| load.p);
    let units = net.generators().iter().filter(|unit| unit.in_service);
    median(loads).or_else(|| median(units.map(|unit| unit.pmax)))
}

/// Median of the positive finite values.
fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut sizes: Vec<f64> = values.map(f64::abs).filter(|size| size.is_normal()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).copied()
}
