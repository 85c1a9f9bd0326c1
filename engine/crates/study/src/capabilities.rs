//! What the engine can solve and differentiate. What is not listed here is refused before any factorisation.

use crate::contract::*;

const OPERANDS: [Operand; 1] = [Operand::Price(Power::Active)];
const PARAMETERS: [Parameter; 2] = [Parameter::Demand(Power::Active), Parameter::LineLimit];

/// Whether a formulation maps a request to its KKT rows.
pub(crate) fn supports(request: &SensRequest) -> bool {
    OPERANDS.contains(&request.operand) && PARAMETERS.contains(&request.parameter)
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
        let available = formulation == FormulationId::Dcopf;
        let blocks: &[&str] = if available {
            &["objective", "prices", "va", "flows", "dispatch"]
        } else {
            &[]
        };
        ProblemCaps {
            formulation,
            available,
            blocks: blocks.iter().map(|b| b.to_string()).collect(),
            operands: if available { OPERANDS.to_vec() } else { Vec::new() },
            parameters: if available { PARAMETERS.to_vec() } else { Vec::new() },
        }
    })
    .collect();
    crate::to_json(&Capabilities {
        formulations,
        operands: OPERANDS.to_vec(),
        parameters: PARAMETERS.to_vec(),
    })
}
