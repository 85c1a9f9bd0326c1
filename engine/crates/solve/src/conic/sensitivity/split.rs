//! The optimality conditions with every row and cone either tight or loose, through which derivatives are taken.
//!
//! The last Nesterov-Todd scaling does not serve because its curvature is right only on the central path. In the limit,
//! a tight cone fixes its slack to the boundary, with the boundary's curvature times its multiplier, and a loose cone
//! has no effect.

use crate::conic::interior_point::cone::{margin, tail, Scaling};
use crate::conic::interior_point::weights::Weights;
use crate::conic::model::vectors::{ConeVector, Vector};

/// Hardness of a tight cone's tangent: `v = (HARD, sqrt(HARD^2 - 1) u)`.
const HARD: f64 = 1e4;
/// Smallest weight of a tight row.
const LEAST_WEIGHT: f64 = 1e7;
/// A tight cone has the direction of its multiplier, or of its slack if the multiplier is smaller than this.
const SMALL: f64 = 1e-3;
/// A ratio of multiplier to slack between this and its inverse is ambiguous: the row may be tight on one side of the
/// present state and loose on the other.
const AMBIGUOUS: f64 = 1e-3;
/// If slack and multiplier, in units of their rates, are within this factor of each other, the state is at the
/// breakpoint.
const AT_BREAKPOINT: f64 = 10.0;
/// Rates below this share of the largest have no reliable sign.
const NO_RATE: f64 = 1e-9;

/// The side of a breakpoint on which a state lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Loose,
    At,
    Tight,
}

impl Place {
    /// The position of an interior point, from the rates `ds` of the slack if loose and `dz` of the multiplier if
    /// tight: `s - |ds / dz| z` is the slack without the effect of the barrier, negative if tight.
    pub fn side(self, s: &ConeVector, z: &ConeVector, ds: f64, dz: f64) -> Side {
        let (s, z) = match self {
            Place::Linear(k) => (s.linear[k], z.linear[k]),
            Place::Jabr(k) => (margin(&s.jabr[k]), z.jabr[k][0]),
            Place::Thermal(k) => (margin(&s.thermal[k]), z.thermal[k][0]),
        };
        let (slack, multiplier) = (s * dz.abs(), z * ds.abs());
        match () {
            () if multiplier * AT_BREAKPOINT < slack => Side::Loose,
            () if slack * AT_BREAKPOINT < multiplier => Side::Tight,
            () => Side::At,
        }
    }
}

/// The tight rows and cones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Split {
    pub linear: Vec<bool>,
    pub jabr: Vec<bool>,
    pub thermal: Vec<bool>,
}

/// A row or cone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Linear(usize),
    Jabr(usize),
    Thermal(usize),
}

fn size<const N: usize>(z: &[f64; N]) -> f64 {
    z[0] + tail(z)
}

/// `ds0 - s1'ds1 / |s1|`: the rate at which a slack moves away from the boundary.
pub(crate) fn margin_rate<const N: usize>(s: &[f64; N], ds: &[f64; N]) -> f64 {
    let length = tail(s);
    let mut along = 0.0;
    for k in 1..N {
        along += s[k] * ds[k];
    }
    ds[0] - if length > 0.0 { along / length } else { 0.0 }
}

fn is_ambiguous(z: f64, s: f64) -> bool {
    z > AMBIGUOUS * s && s > AMBIGUOUS * z
}

fn tight<const N: usize>(s: &[f64; N], z: &[f64; N]) -> Scaling<N> {
    let of_z = size(z);
    let (from, sign) = if of_z < SMALL { (s, 1.0) } else { (z, -1.0) };
    let length = tail(from);
    let mut w = [0.0; N];
    w[0] = HARD;
    let reach = (HARD * HARD - 1.0).sqrt();
    for k in 1..N {
        w[k] = if length > 0.0 {
            sign * reach * from[k] / length
        } else {
            0.0
        };
    }
    Scaling::given(w, (size(s) / of_z).sqrt())
}

/// A tangent of the optimum.
pub(crate) struct Tangent {
    pub v: Vector,
    pub ds: ConeVector,
    pub split: Split,
    /// Relative residual of the linear system.
    pub residual: f64,
}

impl Tangent {
    /// Rates of slacks and multipliers below this are rounding errors.
    pub fn rounding(&self) -> f64 {
        1e-10 * (self.ds.norm() + self.v.z.norm())
    }
}

impl Split {
    /// Decides by the larger of slack and multiplier.
    pub fn new(s: &ConeVector, z: &ConeVector) -> Self {
        Self {
            linear: s.linear.iter().zip(&z.linear).map(|(s, z)| z > s).collect(),
            jabr: s.jabr.iter().zip(&z.jabr).map(|(s, z)| margin(s) <= size(z)).collect(),
            thermal: (s.thermal.iter().zip(&z.thermal))
                .map(|(s, z)| margin(s) <= size(z))
                .collect(),
        }
    }

    /// Rows and cones that a direction may switch.
    pub fn ambiguous(s: &ConeVector, z: &ConeVector) -> Vec<Place> {
        let linear = s.linear.iter().zip(&z.linear).enumerate();
        let linear = linear
            .filter(|(_, (s, z))| is_ambiguous(**z, **s))
            .map(|(k, _)| Place::Linear(k));
        let jabr = s.jabr.iter().zip(&z.jabr).enumerate();
        let jabr = jabr
            .filter(|(_, (s, z))| is_ambiguous(size(z), margin(s)))
            .map(|(k, _)| Place::Jabr(k));
        let thermal = s.thermal.iter().zip(&z.thermal).enumerate();
        let thermal = thermal
            .filter(|(_, (s, z))| is_ambiguous(size(z), margin(s)))
            .map(|(k, _)| Place::Thermal(k));
        linear.chain(jabr).chain(thermal).collect()
    }

    pub fn is_tight(&self, place: Place) -> bool {
        match place {
            Place::Linear(k) => self.linear[k],
            Place::Jabr(k) => self.jabr[k],
            Place::Thermal(k) => self.thermal[k],
        }
    }

    pub fn switch(&mut self, place: Place) {
        let flag = match place {
            Place::Linear(k) => &mut self.linear[k],
            Place::Jabr(k) => &mut self.jabr[k],
            Place::Thermal(k) => &mut self.thermal[k],
        };
        *flag = !*flag;
    }

    /// The ambiguous entries that a direction contradicts, with their rates: tight ones whose multiplier would become
    /// negative, and loose ones whose slack would.
    pub fn contradicted(&self, ambiguous: &[Place], s: &ConeVector, d: [&ConeVector; 2]) -> Vec<(Place, f64)> {
        let limits = d.map(|d| NO_RATE * d.norm());
        let rated = ambiguous.iter().map(|&place| (place, self.rate(place, s, d)));
        rated
            .filter(|&(place, rate)| rate < -limits[usize::from(self.is_tight(place))])
            .collect()
    }

    /// Growth rate of a tight entry's multiplier or a loose entry's slack along a direction of slacks and multipliers.
    pub fn rate(&self, place: Place, s: &ConeVector, [ds, dz]: [&ConeVector; 2]) -> f64 {
        match (place, self.is_tight(place)) {
            (Place::Linear(k), true) => dz.linear[k],
            (Place::Linear(k), false) => ds.linear[k],
            (Place::Jabr(k), true) => dz.jabr[k][0],
            (Place::Jabr(k), false) => margin_rate(&s.jabr[k], &ds.jabr[k]),
            (Place::Thermal(k), true) => dz.thermal[k][0],
            (Place::Thermal(k), false) => margin_rate(&s.thermal[k], &ds.thermal[k]),
        }
    }

    /// The weights of the split.
    pub fn weights(&self, s: &ConeVector, z: &ConeVector) -> Weights {
        let linear = self.linear.iter().zip(s.linear.iter().zip(&z.linear));
        let jabr = self.jabr.iter().zip(s.jabr.iter().zip(&z.jabr));
        let thermal = self.thermal.iter().zip(s.thermal.iter().zip(&z.thermal));
        Weights {
            linear: linear
                .map(|(t, (s, z))| if *t { (z / s).max(LEAST_WEIGHT) } else { 0.0 })
                .collect(),
            jabr: jabr
                .map(|(t, (s, z))| if *t { tight(s, z) } else { Scaling::out() })
                .collect(),
            thermal: thermal
                .map(|(t, (s, z))| if *t { tight(s, z) } else { Scaling::out() })
                .collect(),
        }
    }
}
