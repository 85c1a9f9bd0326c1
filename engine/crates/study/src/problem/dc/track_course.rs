//! The axis of a track: a demand or a rating in MW from the base case, a generator limit in MW, or a phase shift in degrees.

use super::{Dc, DcOpf, DcState};
use crate::contract::GeneratorValue;
use crate::edits::{ColumnTarget, Edits, Target};
use crate::problem::stepping::at;
use std::sync::Arc;
use wattbook_network::error::Result;
use wattbook_solve::dc::{self, DcData, DcModel};
use wattbook_solve::vocabulary::Direction;

/// The direction of one more unit of a target, in the units of the solver. A phase shift is measured by the power that it moves, so that
/// steps have the size of those of other targets.
pub(super) fn direction(model: &DcModel, target: ColumnTarget) -> Direction {
    match target {
        ColumnTarget::Edit(target) => model.with_following(&dc::Target::from(target).into()),
        ColumnTarget::Generator(row, GeneratorValue::PMin) => Direction {
            output_min: vec![(row, 1.0)],
            ..Direction::default()
        },
        ColumnTarget::Generator(row, _) => Direction {
            output_max: vec![(row, 1.0)],
            ..Direction::default()
        },
        ColumnTarget::Shift(row) => Direction::of_phase_shift(row).times(model.shift_per_power(row)),
    }
}

/// MW or degrees per unit of a step along [`direction`].
pub(super) fn step(dc: &Dc, target: ColumnTarget) -> f64 {
    let step = target.step(dc.case.network.base_mva);
    match target {
        ColumnTarget::Shift(row) => step * dc.model.shift_per_power(row),
        ColumnTarget::Edit(_) | ColumnTarget::Generator(..) => step,
    }
}

impl DcState {
    /// The position of this state on a track of the target, MW or degrees.
    pub(super) fn position_mw(&self, target: ColumnTarget) -> f64 {
        match target {
            ColumnTarget::Edit(target) => self.edits.of(target),
            ColumnTarget::Generator(row, value) => self.limit_mw(row, value),
            ColumnTarget::Shift(row) => self.shift_degrees(row),
        }
    }

    fn shift_degrees(&self, row: usize) -> f64 {
        let edit = self.edits.network.branches.get(&row);
        let of_case = || self.dc().case.network.branches[row].shift_rad.to_degrees();
        edit.and_then(|edit| edit.shift).unwrap_or_else(of_case)
    }

    fn limit_mw(&self, row: usize, value: GeneratorValue) -> f64 {
        let network = &self.dc().case.network;
        let (unit, edit) = (&network.generators[row], self.edits.network.generators.get(&row));
        let (edited, limit) = match value {
            GeneratorValue::PMin => (edit.and_then(|edit| edit.p_min), unit.pmin_pu),
            _ => (edit.and_then(|edit| edit.p_max), unit.pmax_pu),
        };
        edited.unwrap_or(limit * network.base_mva)
    }

    /// The range of valid positions. A demand or a rating ends at zero (a demand that is negative in the file has no
    /// lower end), and a generator's limits end where they meet. A phase shift has no end of its own.
    pub(super) fn reach_mw(&self, target: ColumnTarget) -> (f64, f64) {
        let base = match target {
            ColumnTarget::Edit(Target::Demand(row)) if self.dc().base.demand[row] < 0.0 => {
                return (f64::NEG_INFINITY, f64::INFINITY);
            }
            ColumnTarget::Edit(Target::Demand(row)) => self.dc().base.demand[row],
            ColumnTarget::Edit(Target::Rating(row)) => self.dc().base.rating[row],
            ColumnTarget::Shift(_) => return (f64::NEG_INFINITY, f64::INFINITY),
            ColumnTarget::Generator(row, GeneratorValue::PMin) => {
                return (f64::NEG_INFINITY, self.limit_mw(row, GeneratorValue::PMax));
            }
            ColumnTarget::Generator(row, _) => return (self.limit_mw(row, GeneratorValue::PMin), f64::INFINITY),
        };
        (-base * self.dc().case.network.base_mva, f64::INFINITY)
    }

    fn edits_at(&self, target: ColumnTarget, mw: f64) -> Edits {
        match target {
            ColumnTarget::Edit(target) => self.edits.moved(target, mw),
            ColumnTarget::Generator(row, value) => self.edits.with_limit(row, value, mw),
            ColumnTarget::Shift(row) => self.edits.with_shift(&self.dc().case, row, mw),
        }
    }

    /// The state at a position.
    ///
    /// Errors: the codes of edits, `SOLVE.*`.
    pub(super) fn at_position(self: &Arc<Self>, target: ColumnTarget, mw: f64) -> Result<Arc<Self>> {
        if mw == self.position_mw(target) {
            return Ok(Arc::clone(self));
        }
        let edits = self.edits_at(target, mw);
        match target {
            ColumnTarget::Edit(_) => return at(self, &edits),
            ColumnTarget::Generator(row, _) => edits.check_generator(&self.dc().case, row)?,
            ColumnTarget::Shift(row) => edits.check_branch(&self.dc().case, row)?,
        }
        Arc::new(DcOpf(self.with_network(&edits)?)).cold(&edits)
    }

    fn with_network(&self, edits: &Edits) -> Result<Dc> {
        let Dc { case, options, .. } = self.dc();
        Dc::secured(&case.with_network(&edits.network), options)
    }

    /// The search for the contradiction at a position.
    ///
    /// Errors: the codes of edits, `PHYSICS.UNSUPPORTED`.
    pub(super) fn explaining(&self, target: ColumnTarget, mw: f64) -> Result<dc::Explaining> {
        let edits = self.edits_at(target, mw);
        let explain = |model: &DcModel, data: DcData| dc::Explaining::new(model, &data);
        match target {
            ColumnTarget::Edit(_) => explain(self.dc().network_model(), self.dc().data(&edits)?),
            ColumnTarget::Generator(..) | ColumnTarget::Shift(_) => {
                let there = self.with_network(&edits)?;
                explain(&there.model, there.data(&edits)?)
            }
        }
    }

    /// Demand, rating or limit at a position, MW, or phase shift, degrees.
    pub(super) fn absolute_mw(&self, target: ColumnTarget, mw: f64) -> f64 {
        let base = match target {
            ColumnTarget::Edit(Target::Demand(row)) => self.dc().base.demand[row],
            ColumnTarget::Edit(Target::Rating(row)) => self.dc().base.rating[row],
            ColumnTarget::Generator(..) | ColumnTarget::Shift(_) => return mw,
        };
        base * self.dc().case.network.base_mva + mw
    }
}
