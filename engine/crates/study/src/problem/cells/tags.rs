//! Operands and parameters of requests as the solvers' operands and parameters, with their units.

use crate::contract as c;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_solve::vocabulary::{BranchEnd, Operand, Parameter};

pub(super) fn units(request: &c::SensRequest) -> String {
    use c::Power::{Active, Reactive};
    let power = |power| match power {
        Active => "MW",
        Reactive => "MVAr",
    };
    let of = match request.operand {
        c::Operand::Price(Active) => "($/MWh)",
        c::Operand::Price(Reactive) => "($/MVArh)",
        c::Operand::Dispatch(p) | c::Operand::Flow { power: p, .. } => power(p),
        c::Operand::Voltage(c::VoltageKind::Angle) => "rad",
        c::Operand::Voltage(c::VoltageKind::Magnitude) => "pu",
        c::Operand::Voltage(_) => "pu^2",
    };
    let by = match request.parameter {
        c::Parameter::Demand(p) | c::Parameter::GenBound { power: p, .. } => power(p),
        c::Parameter::LineLimit => "MW",
        c::Parameter::Cost(c::CostTerm::Quadratic) => "($/MW^2h)",
        c::Parameter::Cost(c::CostTerm::Linear) => "($/MWh)",
        c::Parameter::Transformer(c::TransformerPart::PhaseShift) => "rad",
        c::Parameter::Transformer(c::TransformerPart::Ratio) | c::Parameter::Switching => "1",
        _ => "pu",
    };
    format!("{of}/{by}")
}

/// The solver's parameter, and its internal units per physical unit.
pub(super) fn parameter(tag: c::Parameter, k: usize, network: &AnalysisNetwork) -> (Parameter, f64) {
    let (base, admittance) = (network.base_mva, 1.0 / network.file_admittance(1.0));
    use c::AdmittancePart::{Conductance, Susceptance};
    use c::Bound::{Max, Min};
    use c::Power::{Active, Reactive};
    match tag {
        c::Parameter::Demand(Active) => (Parameter::Demand(k), 1.0 / base),
        c::Parameter::Demand(Reactive) => (Parameter::ReactiveDemand(k), 1.0 / base),
        c::Parameter::LineLimit => (Parameter::Rating(k), 1.0 / base),
        c::Parameter::Cost(c::CostTerm::Linear) => (Parameter::CostLinear(k), base),
        c::Parameter::Cost(c::CostTerm::Quadratic) => (Parameter::CostQuadratic(k), base * base),
        c::Parameter::GenBound { power, bound } => {
            let limit = match (power, bound) {
                (Active, Min) => Parameter::OutputMin(k),
                (Active, Max) => Parameter::OutputMax(k),
                (Reactive, Min) => Parameter::ReactiveMin(k),
                (Reactive, Max) => Parameter::ReactiveMax(k),
            };
            (limit, 1.0 / base)
        }
        c::Parameter::VoltageBound(Min) => (Parameter::VoltageMin(k), 1.0),
        c::Parameter::VoltageBound(Max) => (Parameter::VoltageMax(k), 1.0),
        c::Parameter::Transformer(c::TransformerPart::Ratio) => (Parameter::TapRatio(k), 1.0),
        c::Parameter::Transformer(c::TransformerPart::PhaseShift) => (Parameter::PhaseShift(k), 1.0),
        c::Parameter::ShuntAdmittance(Conductance) => (Parameter::ShuntConductance(k), admittance),
        c::Parameter::ShuntAdmittance(Susceptance) => (Parameter::ShuntSusceptance(k), admittance),
        c::Parameter::SeriesAdmittance(Conductance) => (Parameter::SeriesConductance(k), admittance),
        c::Parameter::SeriesAdmittance(Susceptance) => (Parameter::SeriesSusceptance(k), admittance),
        c::Parameter::Switching => (Parameter::Switching(k), 1.0),
    }
}

/// The solver's operand, and its physical units per internal unit.
pub(super) fn operand(tag: c::Operand, k: usize, base: f64) -> (Operand, f64) {
    use c::Power::{Active, Reactive};
    let end_of = |end| match end {
        c::FlowEnd::From => BranchEnd::From,
        c::FlowEnd::To => BranchEnd::To,
    };
    match tag {
        c::Operand::Price(Active) => (Operand::Price(k), 1.0 / base),
        c::Operand::Price(Reactive) => (Operand::ReactivePrice(k), 1.0 / base),
        c::Operand::Dispatch(Active) => (Operand::Dispatch(k), base),
        c::Operand::Dispatch(Reactive) => (Operand::ReactiveDispatch(k), base),
        c::Operand::Flow { power: Active, end } => (Operand::Flow(k, end_of(end)), base),
        c::Operand::Flow { power: Reactive, end } => (Operand::ReactiveFlow(k, end_of(end)), base),
        c::Operand::Voltage(c::VoltageKind::Magnitude) => (Operand::Magnitude(k), 1.0),
        c::Operand::Voltage(c::VoltageKind::Angle) => (Operand::Angle(k), 1.0),
        c::Operand::Voltage(c::VoltageKind::Squared) => (Operand::VoltageSquared(k), 1.0),
        c::Operand::Voltage(c::VoltageKind::ProductReal) => (Operand::ProductReal(k), 1.0),
        c::Operand::Voltage(c::VoltageKind::ProductImag) => (Operand::ProductImag(k), 1.0),
    }
}
