//! Conventions of branch susceptances.

/// How branch susceptances are formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// `b = x/(r^2+x^2)`, taps ignored, phase shifts and shunt conductance counted.
    Service,
    /// As `Service` without phase shifts (PowerModels' DCPPowerModel, the DC column of PGLib's BASELINE.md).
    PowerModels,
    /// `b = 1/(x tau)`, phase shifts and shunt conductance counted (MATPOWER manual, section 3.7).
    Matpower,
}
