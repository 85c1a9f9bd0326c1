//! Conventions of branch susceptances.

use wattbook_network::analysis::Branch;

/// The formula of branch susceptances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// `b = x/(r^2+x^2)`, without taps, with phase shifts and shunt conductances.
    Service,
    /// As `Service` without phase shifts (PowerModels' DCPPowerModel, the DC column of PGLib's BASELINE.md).
    PowerModels,
    /// `b = 1/(x tau)`, with phase shifts and shunt conductances (MATPOWER manual, section 3.7).
    Matpower,
}

impl Convention {
    /// Susceptance of a branch, per unit; zero without impedance, and except in `Matpower` also without reactance.
    pub fn susceptance(self, branch: &Branch) -> f64 {
        let (r, x) = (branch.r_pu, branch.x_pu);
        match self {
            _ if branch.is_zero_impedance() => 0.0,
            Self::Matpower => 1.0 / (x * branch.tap),
            Self::Service | Self::PowerModels => x / (r * r + x * x),
        }
    }

    /// Phase shift of a branch under this convention, radians.
    pub fn phase_shift(self, branch: &Branch) -> f64 {
        match self {
            Self::PowerModels => 0.0,
            Self::Service | Self::Matpower => branch.shift_rad,
        }
    }
}
