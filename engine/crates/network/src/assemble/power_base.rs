//! The power base of the analysis network: that of the file where it suits the powers of the case.
//!
//! Solvers judge in per unit, to about 1e-8. On a base far from the powers of the case that is too much or nothing: 1e-8 of 1e10 MVA
//! is 100 MW. Such a case is solved on a base of the size of its powers, a power of two times that of the file, so that per-unit
//! numbers move exactly. Results are in MW and do not depend on it.

use powerio::BalancedNetwork;
use std::ops::RangeInclusive;

use crate::element::ElementRef;
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::written;

/// Typical powers of a case, per unit, whose base is kept, and the largest base that is, MVA: 1e-8 of it is 10 W.
const SUITABLE: RangeInclusive<f64> = 1e-4..=1e4;
const LARGEST_MVA: f64 = 1000.0;
/// No larger demand is solved (`amounts` of the study crate), MW.
const LARGEST_MW: f64 = 1e9;

/// The base of the analysis network, MVA, as that of the file and a power of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PowerBase {
    file_mva: f64,
    /// `mva` is two to this times `file_mva`.
    pub exponent: i32,
    pub mva: f64,
}

impl PowerBase {
    /// Chooses it. The base of a file is positive.
    ///
    /// # Errors
    /// `INPUT.BASE_MVA` where no such base can be written.
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
    /// As [`Self::admittance`].
    pub fn impedance(&self, pu: f64, element: &ElementRef) -> Result<f64> {
        self.moved(pu, self.exponent, element)
    }

    /// An admittance in per unit of the file's base.
    ///
    /// # Errors
    /// `INPUT.BASE_MVA` naming the element, where the number has no place on the base of the network.
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

/// Median size of the demands of a case, else of the upper limits of its generators, MW; None without any.
fn typical_mw(net: &BalancedNetwork) -> Option<f64> {
    let loads = net.loads().iter().filter(|load| load.in_service).map(|load| load.p);
    let units = net.generators().iter().filter(|unit| unit.in_service);
    median(loads).or_else(|| median(units.map(|unit| unit.pmax)))
}

/// Median of the sizes that are positive numbers.
fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut sizes: Vec<f64> = values.map(f64::abs).filter(|size| size.is_normal()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    sizes.get(sizes.len() / 2).copied()
}
