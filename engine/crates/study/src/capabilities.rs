//! What the engine can solve and differentiate. Anything not listed here is refused before factorisation.

use crate::contract::*;
use crate::problem::options_of;
use serde::Serialize;
use ts_rs::TS;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

const OPERANDS: [Operand; 5] = [
    Operand::Price(Power::Active),
    Operand::Dispatch(Power::Active),
    Operand::Flow {
        power: Power::Active,
        end: FlowEnd::From,
    },
    Operand::Flow {
        power: Power::Active,
        end: FlowEnd::To,
    },
    Operand::Voltage(VoltageKind::Angle),
];
const PARAMETERS: [Parameter; 9] = [
    Parameter::Demand(Power::Active),
    Parameter::Cost(CostTerm::Quadratic),
    Parameter::Cost(CostTerm::Linear),
    Parameter::LineLimit,
    Parameter::SeriesAdmittance(AdmittancePart::Susceptance),
    Parameter::GenBound {
        power: Power::Active,
        bound: Bound::Min,
    },
    Parameter::GenBound {
        power: Power::Active,
        bound: Bound::Max,
    },
    Parameter::Transformer(TransformerPart::PhaseShift),
    Parameter::Switching,
];

const fn flow(power: Power, end: FlowEnd) -> Operand {
    Operand::Flow { power, end }
}

const AC_OPERANDS: [Operand; 6] = [
    Operand::Voltage(VoltageKind::Magnitude),
    Operand::Voltage(VoltageKind::Angle),
    flow(Power::Active, FlowEnd::From),
    flow(Power::Active, FlowEnd::To),
    flow(Power::Reactive, FlowEnd::From),
    flow(Power::Reactive, FlowEnd::To),
];
const AC_PARAMETERS: [Parameter; 8] = [
    Parameter::Demand(Power::Active),
    Parameter::Demand(Power::Reactive),
    Parameter::SeriesAdmittance(AdmittancePart::Conductance),
    Parameter::SeriesAdmittance(AdmittancePart::Susceptance),
    Parameter::ShuntAdmittance(AdmittancePart::Conductance),
    Parameter::ShuntAdmittance(AdmittancePart::Susceptance),
    Parameter::Transformer(TransformerPart::Ratio),
    Parameter::Transformer(TransformerPart::PhaseShift),
];

const CONIC_OPERANDS: [Operand; 11] = [
    Operand::Price(Power::Active),
    Operand::Price(Power::Reactive),
    Operand::Dispatch(Power::Active),
    Operand::Dispatch(Power::Reactive),
    Operand::Voltage(VoltageKind::Squared),
    Operand::Voltage(VoltageKind::ProductReal),
    Operand::Voltage(VoltageKind::ProductImag),
    flow(Power::Active, FlowEnd::From),
    flow(Power::Active, FlowEnd::To),
    flow(Power::Reactive, FlowEnd::From),
    flow(Power::Reactive, FlowEnd::To),
];
const CONIC_PARAMETERS: [Parameter; 15] = [
    Parameter::Demand(Power::Active),
    Parameter::Demand(Power::Reactive),
    Parameter::Cost(CostTerm::Quadratic),
    Parameter::Cost(CostTerm::Linear),
    Parameter::LineLimit,
    Parameter::VoltageBound(Bound::Min),
    Parameter::VoltageBound(Bound::Max),
    limit(Power::Active, Bound::Min),
    limit(Power::Active, Bound::Max),
    limit(Power::Reactive, Bound::Min),
    limit(Power::Reactive, Bound::Max),
    Parameter::SeriesAdmittance(AdmittancePart::Conductance),
    Parameter::SeriesAdmittance(AdmittancePart::Susceptance),
    Parameter::ShuntAdmittance(AdmittancePart::Conductance),
    Parameter::ShuntAdmittance(AdmittancePart::Susceptance),
];

const fn limit(power: Power, bound: Bound) -> Parameter {
    Parameter::GenBound { power, bound }
}

/// Every operand and every parameter that a formulation can differentiate.
fn derivatives_of(formulation: FormulationId) -> (&'static [Operand], &'static [Parameter]) {
    match formulation {
        FormulationId::Dcopf => (&OPERANDS, &PARAMETERS),
        FormulationId::Acpf => (&AC_OPERANDS, &AC_PARAMETERS),
        FormulationId::Socwr => (&CONIC_OPERANDS, &CONIC_PARAMETERS),
        FormulationId::Dcpf => (&[], &[]),
    }
}

/// Union of the lists, in order of first appearance.
fn union<T: Copy + PartialEq>(lists: &[&[T]]) -> Vec<T> {
    let mut all = Vec::new();
    for &one in lists.iter().copied().flatten() {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// Whether a formulation under these options can map a request to its KKT rows; a power flow has no KKT rows.
///
/// Errors: `SENS.UNSUPPORTED`.
pub(crate) fn supports(formulation: FormulationId, options: &SolveOptions, request: &SensRequest) -> Result<()> {
    let (operands, parameters) = derivatives_of(formulation);
    if !operands.contains(&request.operand) || !parameters.contains(&request.parameter) {
        return Err(unavailable(formulation, request));
    }
    let by_shift = request.parameter == Parameter::Transformer(TransformerPart::PhaseShift);
    let is_dc = formulation == FormulationId::Dcopf;
    if by_shift && is_dc && options.dc_convention == Some(DcConvention::Powermodels) {
        let (operand, parameter) = (tag(&request.operand), tag(&request.parameter));
        let message = message!("sens.no_phase_shift", operand = operand, parameter = parameter);
        return Err(EngineError::new("SENS.UNSUPPORTED", message));
    }
    Ok(())
}

/// The error for a derivative that a formulation does not have.
fn unavailable(formulation: FormulationId, request: &SensRequest) -> EngineError {
    let message = message!(
        "sens.unavailable",
        operand = tag(&request.operand),
        parameter = tag(&request.parameter),
        formulation = formulation.id(),
    );
    EngineError::new("SENS.UNSUPPORTED", message)
}

/// A tag as spelled in requests.
fn tag<T: serde::Serialize>(value: &T) -> String {
    crate::json::to_json(value)
}

/// Result columns of a formulation.
fn columns_of(formulation: FormulationId) -> &'static [ColumnName] {
    match formulation {
        FormulationId::Dcopf => &DCOPF_COLUMNS,
        FormulationId::Dcpf => &DCPF_COLUMNS,
        FormulationId::Acpf => &ACPF_COLUMNS,
        FormulationId::Socwr => &SOCWR_COLUMNS,
    }
}

/// What Studies of a formulation support besides reading results. Those with price columns have prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Ability {
    /// Commits of demands and ratings.
    Edits,
    /// First-order columns of a demand, a rating, or a limit or the cost of a generator.
    Sensitivities,
    /// Exact paths along a demand, a rating or a generator limit.
    Paths,
    /// N-1 screening.
    Outages,
    /// The reason why edits have no solution, and the minimum relaxation.
    Explanations,
    /// LMP components: energy and congestion by line, with losses and voltage limits where the formulation has them.
    LmpComponents,
    /// How much demand can grow before voltage collapse.
    Loadability,
    /// Solves that report their iterations and can be cancelled.
    Progress,
    /// Capacity plans.
    Plans,
}

/// What Studies of a formulation support; empty where this engine has no Studies of it.
pub fn abilities_of(formulation: FormulationId) -> &'static [Ability] {
    use Ability::{Edits, Explanations, LmpComponents, Loadability, Outages, Paths, Plans, Progress, Sensitivities};
    match formulation {
        FormulationId::Dcopf => &[Edits, Sensitivities, Paths, Outages, Explanations, LmpComponents, Plans],
        FormulationId::Dcpf => &[Edits],
        FormulationId::Acpf => &[Edits, Sensitivities, Outages, Loadability],
        FormulationId::Socwr => &[Edits, Sensitivities, Explanations, LmpComponents, Plans, Progress],
    }
}

/// Capabilities of this build as JSON.
pub fn capabilities_json() -> String {
    let formulations = [
        FormulationId::Dcpf,
        FormulationId::Dcopf,
        FormulationId::Acpf,
        FormulationId::Socwr,
    ]
    .into_iter()
    .map(|formulation| {
        let blocks: &[&str] = match formulation {
            FormulationId::Dcopf => &["objective", "prices", "va", "flows", "dispatch"],
            FormulationId::Dcpf => &["va", "flows", "injections", "slack"],
            FormulationId::Acpf => &["vm", "va", "flows", "dispatch", "injections", "slack", "power_flow"],
            FormulationId::Socwr => &["objective", "prices", "vm", "flows", "dispatch"],
        };
        let (operands, parameters) = derivatives_of(formulation);
        ProblemCaps {
            formulation,
            available: !blocks.is_empty(),
            blocks: blocks.iter().map(|b| b.to_string()).collect(),
            columns: columns_of(formulation).to_vec(),
            options: options_of(formulation).map(str::to_owned).collect(),
            operands: operands.to_vec(),
            parameters: parameters.to_vec(),
        }
    })
    .collect();
    crate::json::to_json(&Capabilities {
        formulations,
        operands: union(&[&OPERANDS, &AC_OPERANDS, &CONIC_OPERANDS]),
        parameters: union(&[&PARAMETERS, &AC_PARAMETERS, &CONIC_PARAMETERS]),
    })
}
