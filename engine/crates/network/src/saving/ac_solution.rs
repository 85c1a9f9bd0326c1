//! AC power flows and optima of the conic relaxation as generation-2 modules. The solved network and the columns of the
//! result are in the parser's own slots, which other tools read, and the whole result is in an extension.

use powerio::{
    AcOpfInstance, AcPfInstance, AcPfSolution, BalancedNetwork, Generator, PioModule, PioValue, SocwrOpfDuals,
    SocwrOpfSolution, SocwrOpfValues, Termination, ThreeWindingTransformerTerminalPower,
};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

use super::seal::{is_intact, sealed};
use super::solution::{at_windings, network_module, parse};
use crate::error::{EngineError, Result};
use crate::{message, module};

/// Name of the extension.
const EXTENSION: &str = "wattbook.ac";

/// A result in physical units by row; zero for inactive rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AcColumns {
    /// By bus: per unit, and MW and MVAr of generation minus demand.
    pub magnitude: Vec<f64>,
    pub injection_mw: Vec<f64>,
    pub injection_mvar: Vec<f64>,
    /// By branch, MW and MVAr into it at its from and at its to end.
    pub from_mw: Vec<f64>,
    pub from_mvar: Vec<f64>,
    pub to_mw: Vec<f64>,
    pub to_mvar: Vec<f64>,
    /// By generator, if the format has slots for them (for a power flow only the extension has them).
    pub dispatch_mw: Vec<f64>,
    pub dispatch_mvar: Vec<f64>,
}

/// The additional columns of a formulation.
#[derive(Clone, Debug, PartialEq)]
pub enum AcOwn {
    /// A power flow: angles, degrees.
    Flow { angle_deg: Vec<f64> },
    /// An optimum of the relaxation: $/h, `wr + j wi` of each branch, prices in $/MWh and $/MVArh.
    Relaxation {
        objective: f64,
        product_real: Vec<f64>,
        product_imag: Vec<f64>,
        price: Vec<f64>,
        price_q: Vec<f64>,
    },
}

/// Writes the solution module of a balanced module. Columns are by dense row of the analysis network, in which the rows
/// of lowered three-winding transformers follow the canonical ones; their flows become the terminal powers of the
/// transformer.
///
/// # Errors
/// `MODULE.INVALID`, `MODULE.KIND`, and `MODULE.WRITE` for a network whose solution the format cannot represent.
pub fn write_ac_solution_module(
    module_json: &str,
    columns: &AcColumns,
    own: &AcOwn,
    producer: &str,
    extension: Value,
) -> Result<String> {
    let mut parsed = parse(module_json)?;
    let mut network = module::balanced(&parsed)?.clone();
    if matches!(own, AcOwn::Flow { .. }) {
        share_set_points(&mut network);
    }
    let fail = |e: powerio::Error| module::parse_error("MODULE.WRITE", &e);
    *parsed.value_mut() = value(network, columns, own, producer)?;
    parsed.insert_extension(EXTENSION, extension).map_err(fail)?;
    sealed(parsed)
}

/// The extension in a module of an AC result, and the solved network as a separate module; `None` for another kind of
/// solution.
///
/// # Errors
/// `MODULE.INVALID`; `MODULE.INCOMPLETE` for an AC result of another producer; `MODULE.TAMPERED` if the slots differ
/// from those that `slots` computes from the extension, or anything else was changed.
pub fn read_ac_solution_module(
    text: &str,
    slots: impl Fn(&Value) -> Result<(AcColumns, AcOwn)>,
) -> Result<Option<(Value, Option<String>, String)>> {
    let mut parsed = parse(text)?;
    let (network, producer) = match parsed.value() {
        PioValue::AcPfSolution(solution) => (solution.network().clone(), solution.producer()),
        PioValue::SocwrOpfSolution(solution) => (solution.network().clone(), solution.producer()),
        _ => return Ok(None),
    };
    let Some(extension) = parsed.extensions().get(EXTENSION) else {
        return Err(EngineError::new("MODULE.INCOMPLETE", message!("module.ac_of_other")));
    };
    let (columns, own) = slots(extension)?;
    let again = value(network.clone(), &columns, &own, producer.unwrap_or_default())?;
    if module::write(&PioModule::new(again))? != module::write(&PioModule::new(parsed.value().clone()))? {
        let message = message!("module.changed", what = message!("module.changed.result"));
        return Err(EngineError::new("MODULE.TAMPERED", message));
    }
    let (extension, producer) = (extension.clone(), producer.map(str::to_owned));
    if !is_intact(&mut parsed)? {
        let message = message!("module.changed", what = message!("module.changed.file"));
        return Err(EngineError::new("MODULE.TAMPERED", message));
    }
    let network = network_module(&parsed, network, EXTENSION)?;
    Ok(Some((extension, producer, network)))
}

/// Of several set-points at one bus, the last row in service applies here but another one in the parser's power flow,
/// so all get the same value.
fn share_set_points(network: &mut BalancedNetwork) {
    let holds = |g: &Generator| g.in_service && g.voltage_regulation_on;
    let holding = network.generators().iter().filter(|g| holds(g));
    let counts: HashMap<_, f64> = holding.map(|g| (g.bus, g.vg)).collect();
    for generator in network.generators_mut().iter_mut().filter(|g| holds(g)) {
        if let Some(set_point) = counts.get(&generator.bus) {
            generator.vg = *set_point;
        }
    }
}

/// The solution in the parser's slots.
fn value(network: BalancedNetwork, columns: &AcColumns, own: &AcOwn, producer: &str) -> Result<PioValue> {
    let fail = |e: powerio::Error| module::parse_error("MODULE.WRITE", &e);
    let (n_bus, n_branch) = (network.buses().len(), network.branches().len());
    let by_bus = [&columns.magnitude, &columns.injection_mw, &columns.injection_mvar];
    let by_branch = [&columns.from_mw, &columns.from_mvar, &columns.to_mw, &columns.to_mvar];
    if by_bus.iter().any(|c| c.len() < n_bus) || by_branch.iter().any(|c| c.len() < n_branch) {
        return Err(EngineError::new("MODULE.WRITE", message!("module.fewer_rows")));
    }
    let [from_mw, from_mvar, to_mw, to_mvar] = by_branch.map(|c| c.split_at(n_branch));
    let active = at_windings(&network, from_mw.1, to_mw.1);
    let reactive = at_windings(&network, from_mvar.1, to_mvar.1);
    let terminals = active.into_iter().zip(reactive);
    let terminals = terminals.map(|(p, q)| ThreeWindingTransformerTerminalPower::new(p, q));
    let terminals: Vec<ThreeWindingTransformerTerminalPower> = terminals.collect();
    let bus = |column: &[f64]| column[..n_bus].to_vec();
    Ok(match own {
        AcOwn::Flow { angle_deg } => {
            let instance = Arc::new(AcPfInstance::from_network(network).map_err(fail)?);
            let solution = AcPfSolution::new(
                instance,
                Termination::Converged,
                bus(&columns.magnitude),
                bus(angle_deg),
                bus(&columns.injection_mw),
                bus(&columns.injection_mvar),
                from_mw.0.to_vec(),
                from_mvar.0.to_vec(),
                to_mw.0.to_vec(),
                to_mvar.0.to_vec(),
                terminals,
            )
            .map_err(fail)?;
            PioValue::AcPfSolution(solution.with_producer(producer))
        }
        AcOwn::Relaxation {
            objective,
            product_real,
            product_imag,
            price,
            price_q,
        } => {
            let instance = Arc::new(AcOpfInstance::from_network(network).map_err(fail)?);
            let mut values = SocwrOpfValues::default();
            values.bus_voltage_magnitude_squared = columns.magnitude[..n_bus].iter().map(|v| v * v).collect();
            values.branch_voltage_product_real = product_real[..n_branch].to_vec();
            values.branch_voltage_product_imaginary = product_imag[..n_branch].to_vec();
            values.generator_active_power = columns.dispatch_mw.clone();
            values.generator_reactive_power = columns.dispatch_mvar.clone();
            values.branch_from_active_power = from_mw.0.to_vec();
            values.branch_from_reactive_power = from_mvar.0.to_vec();
            values.branch_to_active_power = to_mw.0.to_vec();
            values.branch_to_reactive_power = to_mvar.0.to_vec();
            values.three_winding_transformer_terminal_powers = terminals;
            let mut duals = SocwrOpfDuals::default();
            duals.bus_active_power_marginal = Some(bus(price));
            duals.bus_reactive_power_marginal = Some(bus(price_q));
            let solution = SocwrOpfSolution::new(instance, Termination::Converged, values, *objective)
                .and_then(|solution| solution.with_duals(duals))
                .map_err(fail)?;
            PioValue::SocwrOpfSolution(solution.with_producer(producer))
        }
    })
}
