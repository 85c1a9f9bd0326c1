//! A solution with its factored Jacobian, from which edits, derivatives and series start.

use super::solution::{AcFlows, AcSolution, Found};
use crate::ac::model::analysis::{AcData, AcModel};
use crate::ac::newton::equations::Equations;
use crate::ac::newton::jacobian::Jacobian;
use crate::ac::newton::method::Newton;
use crate::ac::newton::reactive::{enforce, ReactiveLimits};
use crate::ac::newton::starts::Start;
use num_complex::Complex64;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// A solution with its factored Jacobian.
#[derive(Clone, Debug)]
pub struct AcBase {
    pub(crate) solution: AcSolution,
    pub(crate) jacobian: Jacobian,
    /// Power that each node injects into the network, and the corresponding current.
    pub(crate) injections: Vec<Complex64>,
    pub(crate) currents: Vec<Complex64>,
}

impl AcModel {
    /// Factors the Jacobian at a solution of this model.
    ///
    /// # Errors
    /// `SOLVE.NOT_CONVERGED` if the Jacobian is singular.
    pub fn base(&self, solution: AcSolution) -> Result<AcBase> {
        let mut equations = Equations::new(self, &solution.data, solution.options.slack)?;
        put_limits(&mut equations, &solution);
        let mut newton = Newton::default();
        newton.evaluate(&equations, &solution.voltages);
        let jacobian = newton
            .jacobian_at(&equations, &solution.voltages)
            .map_err(|_| EngineError::new("SOLVE.NOT_CONVERGED", message!("ac.singular")))?;
        let mut currents = vec![Complex64::default(); self.kinds.len()];
        self.admittance.times(&solution.voltages.phasor, &mut currents);
        Ok(AcBase {
            solution,
            jacobian,
            injections: newton.injections,
            currents,
        })
    }
}

pub(crate) fn put_limits(equations: &mut Equations, solution: &AcSolution) {
    for (node, side) in solution.sides.iter().enumerate() {
        if let Some(side) = *side {
            equations.limit(node, side);
        }
    }
}

impl AcBase {
    pub fn solution(&self) -> &AcSolution {
        &self.solution
    }

    /// Solves other data of the same model by chord steps from this base (Stott, Proc. IEEE 62 (1974), section IV on
    /// constant Jacobians), or from the usual starts if that fails. The result is a function of base and data alone.
    ///
    /// Reactive limits are enforced if they are in the base.
    ///
    /// # Errors
    /// As `AcModel::solve`.
    pub fn step(&self, model: &AcModel, data: &AcData) -> Result<AcSolution> {
        match self.follow(model, data)? {
            Some(solution) => Ok(solution),
            None => model.solve(data, self.solution.options),
        }
    }

    /// `step` from this base alone; `None` if the chord steps fail.
    ///
    /// # Errors
    /// `SOLVE.INFEASIBLE` for an island with power but no voltage control; `INPUT.VOLTAGE_SET_POINT`.
    pub fn follow(&self, model: &AcModel, data: &AcData) -> Result<Option<AcSolution>> {
        let followed = self.chords(model, data)?;
        Ok(followed.map(|(newton, found)| AcSolution::new(data, self.solution.options, newton, found)))
    }

    /// `follow` for voltages and flows alone, as a drag displays them many times per commit.
    ///
    /// # Errors
    /// As `follow`.
    pub fn follow_flows(&self, model: &AcModel, data: &AcData) -> Result<Option<AcFlows>> {
        let followed = self.chords(model, data)?;
        Ok(followed.map(|(newton, found)| found.flows(data, &newton)))
    }

    fn chords<'a>(&self, model: &'a AcModel, data: &AcData) -> Result<Option<(Newton, Found<'a>)>> {
        let options = self.solution.options;
        let mut equations = Equations::new(model, data, options.slack)?;
        put_limits(&mut equations, &self.solution);
        let mut voltages = self.solution.voltages.clone();
        let mut moved = false;
        for (node, magnitude) in voltages.magnitude.iter_mut().enumerate() {
            if equations.holds_voltage(node) && !equations.is_remote(node) && *magnitude != equations.set_point[node] {
                *magnitude = equations.set_point[node];
                moved = true;
            }
        }
        if moved {
            voltages.set_phasors();
        }
        let mut newton = Newton::default();
        let known = (!moved).then_some(&self.injections[..]);
        let stepped = newton.solve_from(&self.jacobian, known, &equations, &mut voltages);
        if stepped.is_err() {
            return Ok(None);
        }
        let mut sides = self.solution.sides.clone();
        let limits = match self.solution.reactive_limits {
            ReactiveLimits::Kept { .. } => match enforce(&mut newton, &mut equations, &mut voltages, &mut sides) {
                Some(rounds) => ReactiveLimits::Kept { rounds },
                None => return Ok(None),
            },
            other => other,
        };
        let found = Found {
            equations,
            voltages,
            sides,
            limits,
            start: Start::Base,
        };
        Ok(Some((newton, found)))
    }
}
