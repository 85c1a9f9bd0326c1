//! How a solve goes on: where it begins, how carefully and how exactly. Each question has a type of its own.

/// The optimum that a solve begins from, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Cold,
    /// An optimum: its factor may be the one that the answer is solved on.
    Warm,
}

/// What the factor is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Factor {
    /// It is the canonical factor of the present active set.
    Canonical,
    /// The active set has changed since.
    Changed,
}

/// How many changes are made at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Caution {
    Ordinary,
    /// After a stall: one, and a fresh factor every few.
    Cautious,
}

impl Caution {
    /// Of an attempt to solve, counted from zero.
    pub(super) fn of_attempt(attempt: i32) -> Self {
        if attempt > 0 {
            Self::Cautious
        } else {
            Self::Ordinary
        }
    }
}

/// How exactly systems are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Precision {
    Standard,
    /// After a stall: systems are factored whole (`Kkt::factor_whole`) and their solutions refined.
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

/// What happens to the perturbation of the costs where ties make many steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Perturbation {
    /// It stays as it is.
    Fixed,
    /// It grows.
    Growing,
}
