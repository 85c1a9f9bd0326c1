//! The modes of a solve: its start, its caution and its precision.

/// The optimum from which a solve starts, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Cold,
    /// An optimum, whose factor may serve for the solution.
    Warm,
}

/// The active set to which the factor belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Factor {
    /// The canonical factor of the current active set.
    Canonical,
    /// The active set has changed since.
    Changed,
}

/// How many changes are made at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Caution {
    Ordinary,
    /// After a stall: one, with a fresh factor every few changes.
    Cautious,
}

impl Caution {
    /// The caution of an attempt, counted from zero.
    pub(super) fn of_attempt(attempt: i32) -> Self {
        if attempt > 0 {
            Self::Cautious
        } else {
            Self::Ordinary
        }
    }
}

/// The precision of linear solves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Precision {
    Standard,
    /// After a stall: systems are factored whole (`Kkt::factor_whole`) and their solutions are refined.
    Refined {
        /// Regions of a path shorter than this (per unit) are points.
        degenerate_length: f64,
    },
}

impl Precision {
    pub(super) const REFINED: Self = Self::Refined { degenerate_length: 0.0 };

    pub(super) fn is_refined(self) -> bool {
        self != Self::Standard
    }

    pub(super) fn degenerate_length(self) -> f64 {
        match self {
            Self::Standard => 0.0,
            Self::Refined { degenerate_length } => degenerate_length,
        }
    }
}

/// The perturbation of the costs when ties cause many steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Perturbation {
    /// It is constant.
    Fixed,
    /// It grows.
    Growing,
}
