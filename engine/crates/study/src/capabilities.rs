//! What the engine can solve and differentiate. What is not listed here is refused before any factorisation.

use crate::contract::*;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;

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

/// Whether a formulation under these options maps a request to its KKT rows. A power flow has none.
///
/// Errors: `SENS.UNSUPPORTED`.
pub(crate) fn supports(formulation: FormulationId, options: &SolveOptions, request: &SensRequest) -> Result<()> {
    let (operand, parameter) = (tag(&request.operand), tag(&request.parameter));
    let refuse = |said: Message| Err(EngineError::new("SENS.UNSUPPORTED", said));
    let mapped = OPERANDS.contains(&request.operand) && PARAMETERS.contains(&request.parameter);
    if formulation != FormulationId::Dcopf || !mapped {
        let formulation = formulation.id();
        return refuse(message!(
            "sens.unavailable",
            operand = operand,
            parameter = parameter,
            formulation = formulation,
        ));
    }
    let by_shift = request.parameter == Parameter::Transformer(TransformerPart::PhaseShift);
    if by_shift && options.dc_convention == Some(DcConvention::Powermodels) {
        return refuse(message!(
            "sens.no_phase_shift",
            operand = operand,
            parameter = parameter
        ));
    }
    Ok(())
}

/// A tag as it stands in requests.
fn tag<T: serde::Serialize>(value: &T) -> String {
    crate::to_json(value)
}

/// Columns of the results of a formulation.
fn columns_of(formulation: FormulationId) -> &'static [ColumnName] {
    match formulation {
        FormulationId::Dcopf => &DCOPF_COLUMNS,
        FormulationId::Dcpf => &DCPF_COLUMNS,
        FormulationId::Acpf | FormulationId::Socwr => &[],
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
            FormulationId::Acpf | FormulationId::Socwr => &[],
        };
        let differentiable = formulation == FormulationId::Dcopf;
        ProblemCaps {
            formulation,
            available: !blocks.is_empty(),
            blocks: blocks.iter().map(|b| b.to_string()).collect(),
            columns: columns_of(formulation).to_vec(),
            operands: if differentiable { OPERANDS.to_vec() } else { Vec::new() },
            parameters: if differentiable {
                PARAMETERS.to_vec()
            } else {
                Vec::new()
            },
        }
    })
    .collect();
    crate::to_json(&Capabilities {
        formulations,
        operands: OPERANDS.to_vec(),
        parameters: PARAMETERS.to_vec(),
    })
}
