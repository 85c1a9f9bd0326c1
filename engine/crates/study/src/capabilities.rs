//! What the engine can solve and differentiate. What is not listed here is refused before any factorisation.

use crate::contract::*;

const OPERANDS: [Operand; 1] = [Operand::Price(Power::Active)];
const PARAMETERS: [Parameter; 2] = [Parameter::Demand(Power::Active), Parameter::LineLimit];

/// Whether a formulation maps a request to its KKT rows. A power flow has none.
pub(crate) fn supports(formulation: FormulationId, request: &SensRequest) -> bool {
    formulation == FormulationId::Dcopf
        && OPERANDS.contains(&request.operand)
        && PARAMETERS.contains(&request.parameter)
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
