//! DC OPF results as generation-2 modules. The solved network and the columns of the result are in the parser's own
//! slots, which other tools read; data without a slot are in an extension of the module.

use powerio::{
    BalancedNetwork, BranchSusceptanceFormula, DcOpfInstance, DcOpfSolution, PioModule, PioValue, Termination,
    ThreeWindingTransformerTerminalActivePower,
};
use serde_json::Value;
use std::sync::Arc;

use super::seal::{is_intact, sealed, SEAL};
use crate::assemble::lowering::stars;
use crate::error::{EngineError, Result};
use crate::message::Message;
use crate::{assemble, message, message_key, module};

/// Name of the extension.
const EXTENSION: &str = "wattbook.dc-opf";

/// The formula of the branch susceptances in a stored result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `x / (r^2 + x^2)`.
    Series,
    /// `1 / (x tau)`.
    TapAdjusted,
    /// `1 / x`, which no convention of this engine uses.
    ReactanceOnly,
}

/// A DC OPF result in physical units. Columns by row; zero for inactive rows.
#[derive(Clone, Debug, PartialEq)]
pub struct SolutionColumns {
    pub formula: Formula,
    /// $/h.
    pub objective: f64,
    /// By bus: degrees, MW (generation minus demand), $/MWh.
    pub angle_deg: Vec<f64>,
    pub injection_mw: Vec<f64>,
    pub price: Vec<f64>,
    /// By branch: MW at the from end; multipliers (>= 0, $/MWh) of `flow <= rating` and of `-flow <= rating`.
    pub flow_mw: Vec<f64>,
    pub upper_multiplier: Vec<f64>,
    pub lower_multiplier: Vec<f64>,
    /// By generator, MW.
    pub dispatch_mw: Vec<f64>,
    /// Largest nodal imbalance, MW, if the producer states it.
    pub mismatch_mw: Option<f64>,
    pub producer: Option<String>,
    /// The extension, with the data without a slot.
    pub extension: Option<Value>,
    /// Whether a module is unchanged since this crate wrote it; ignored by the writer.
    pub is_intact: bool,
}

/// Writes the solution module of a balanced module. Columns are by dense row of the analysis network, in which the rows
/// of lowered three-winding transformers follow the canonical ones; their flows become the terminal powers of the
/// transformer.
///
/// # Errors
/// `MODULE.INVALID`, `MODULE.KIND`, and `MODULE.WRITE` for a network whose solution the format cannot represent (for
/// instance without a reference bus).
pub fn write_solution_module(module_json: &str, columns: &SolutionColumns) -> Result<String> {
    let mut parsed = parse(module_json)?;
    let network = module::balanced(&parsed)?.clone();
    let fail = |e: powerio::Error| module::parse_error("MODULE.WRITE", &e);
    let (n_bus, n_branch) = (network.buses().len(), network.branches().len());
    let by_bus = [&columns.angle_deg, &columns.injection_mw, &columns.price];
    let by_branch = [&columns.flow_mw, &columns.upper_multiplier, &columns.lower_multiplier];
    if by_bus.iter().any(|c| c.len() < n_bus) || by_branch.iter().any(|c| c.len() < n_branch) {
        return Err(EngineError::new("MODULE.WRITE", message!("module.fewer_rows")));
    }
    let terminals = terminal_powers(&network, &columns.flow_mw[n_branch..]);
    let formula = match columns.formula {
        Formula::Series => BranchSusceptanceFormula::SeriesSusceptance,
        Formula::TapAdjusted => BranchSusceptanceFormula::TapAdjustedReactance,
        Formula::ReactanceOnly => BranchSusceptanceFormula::ReactanceOnly,
    };
    let instance = DcOpfInstance::from_network(network)
        .map_err(fail)?
        .with_branch_susceptance_formula(formula);
    let flow = &columns.flow_mw[..n_branch];
    let mut solution = DcOpfSolution::new(
        Arc::new(instance),
        Termination::Converged,
        columns.angle_deg[..n_bus].to_vec(),
        columns.injection_mw[..n_bus].to_vec(),
        flow.to_vec(),
        // There are no losses, and zeros are positive.
        flow.iter().map(|f| 0.0 - f).collect(),
        columns.dispatch_mw.clone(),
        columns.objective,
        terminals,
    )
    .and_then(|s| s.with_bus_active_power_marginals(columns.price[..n_bus].to_vec()))
    .and_then(|s| {
        s.with_branch_thermal_limit_multipliers(
            columns.upper_multiplier[..n_branch].to_vec(),
            columns.lower_multiplier[..n_branch].to_vec(),
        )
    })
    .map_err(fail)?;
    if let Some(producer) = &columns.producer {
        solution = solution.with_producer(producer.clone());
    }
    let mut residuals = *solution.residuals();
    residuals.max_active_power_mismatch = columns.mismatch_mw;
    *parsed.value_mut() = PioValue::DcOpfSolution(solution.with_residuals(residuals));
    if let Some(extension) = &columns.extension {
        parsed.insert_extension(EXTENSION, extension.clone()).map_err(fail)?;
    }
    sealed(parsed)
}

/// Reads a solution module: its columns by row of the stored tables, and the solved network as a separate module.
///
/// # Errors
/// `MODULE.INVALID`; `MODULE.KIND` if it is not a DC OPF solution; `MODULE.NO_SOLUTION` if its producer found none;
/// `MODULE.INCOMPLETE` without prices or multipliers.
pub fn read_solution_module(text: &str) -> Result<(SolutionColumns, String)> {
    let mut parsed = parse(text)?;
    let is_intact = parsed.extensions().contains_key(EXTENSION) && is_intact(&mut parsed)?;
    let PioValue::DcOpfSolution(solution) = parsed.value() else {
        let message = message!("module.not_a_solution", kind = parsed.value().type_name());
        return Err(EngineError::new("MODULE.KIND", message));
    };
    match solution.termination() {
        Termination::Converged | Termination::NotReported => {}
        other => {
            let message = message!("module.no_optimum", outcome = format!("{other:?}"));
            return Err(EngineError::new("MODULE.NO_SOLUTION", message));
        }
    }
    let column = |slot: Option<&[f64]>, absent: &'static str| {
        let incomplete = || EngineError::new("MODULE.INCOMPLETE", Message::of_key(absent));
        slot.map(<[f64]>::to_vec).ok_or_else(incomplete)
    };
    let multipliers = message_key!("module.no_multipliers");
    let buses = solution.bus_order();
    let (branches, generators) = (solution.branch_order(), solution.generator_order());
    // Every identity occurs in the solution's own order.
    let by_bus = |read: &dyn Fn(powerio::BusId) -> Option<f64>| buses.iter().filter_map(|&id| read(id)).collect();
    let by_name = |names: &[String], read: &dyn Fn(&str) -> Option<f64>| -> Vec<f64> {
        names.iter().filter_map(|name| read(name)).collect()
    };
    let columns = SolutionColumns {
        formula: match solution.instance().branch_susceptance_formula() {
            BranchSusceptanceFormula::SeriesSusceptance => Formula::Series,
            BranchSusceptanceFormula::TapAdjustedReactance => Formula::TapAdjusted,
            _ => Formula::ReactanceOnly,
        },
        objective: solution.objective(),
        angle_deg: by_bus(&|id| solution.bus_voltage_angle(id)),
        injection_mw: by_bus(&|id| solution.bus_active_injection(id)),
        price: column(solution.bus_active_power_marginals(), message_key!("module.no_prices"))?,
        flow_mw: by_name(&branches, &|name| solution.branch_from_active_flow(name)),
        upper_multiplier: column(solution.branch_from_limit_multipliers(), multipliers)?,
        lower_multiplier: column(solution.branch_to_limit_multipliers(), multipliers)?,
        dispatch_mw: by_name(&generators, &|name| solution.generator_active_power(name)),
        mismatch_mw: solution.residuals().max_active_power_mismatch,
        producer: solution.producer().map(str::to_owned),
        extension: parsed.extensions().get(EXTENSION).cloned(),
        is_intact,
    };
    if let Some(what) = not_finite(&columns) {
        let message = message!("module.not_finite", column = Message::of_key(what));
        return Err(EngineError::new("MODULE.INVALID", message));
    }
    let network = solution.network().clone();
    Ok((columns, network_module(&parsed, network, EXTENSION)?))
}

fn not_finite(columns: &SolutionColumns) -> Option<&'static str> {
    let named = [
        (message_key!("column.angles"), &columns.angle_deg),
        (message_key!("column.injections"), &columns.injection_mw),
        (message_key!("column.prices"), &columns.price),
        (message_key!("column.flows"), &columns.flow_mw),
        (message_key!("column.multipliers"), &columns.upper_multiplier),
        (message_key!("column.multipliers"), &columns.lower_multiplier),
        (message_key!("column.dispatch"), &columns.dispatch_mw),
    ];
    let finite = |column: &[f64]| column.iter().all(|x| x.is_finite());
    let found = named.iter().find(|(_, column)| !finite(column));
    found
        .map(|(what, _)| *what)
        .or((!columns.objective.is_finite()).then_some(message_key!("column.objective")))
}

pub(super) fn parse(text: &str) -> Result<PioModule<PioValue>> {
    module::open(text)
}

/// Powers into every three-winding transformer of the table at its windings, from the leg flows of those in service.
fn terminal_powers(network: &BalancedNetwork, legs_mw: &[f64]) -> Vec<ThreeWindingTransformerTerminalActivePower> {
    let back: Vec<f64> = legs_mw.iter().map(|f| 0.0 - f).collect();
    let powers = at_windings(network, legs_mw, &back).into_iter();
    powers.map(ThreeWindingTransformerTerminalActivePower::new).collect()
}

/// Values at the windings of every three-winding transformer of the table, from those at the from and to ends of the
/// legs of those in service.
pub(super) fn at_windings(network: &BalancedNetwork, from: &[f64], to: &[f64]) -> Vec<[f64; 3]> {
    let ends = from.chunks_exact(3).zip(to.chunks_exact(3));
    let mut of_stars = stars(network).into_iter().zip(ends).map(|(star, (from, to))| {
        let mut power = [0.0; 3];
        for (k, leg) in star.legs.iter().enumerate() {
            power[k] = if leg.to == star.bus.id { from[k] } else { to[k] };
        }
        power
    });
    let transformers = network.transformers_3w().iter();
    transformers
        .map(|t| t.in_service.then(|| of_stars.next()).flatten().unwrap_or_default())
        .collect()
}

/// The solved network as a module, with every record of the solution module except the extension and its seal.
pub(super) fn network_module(
    parsed: &PioModule<PioValue>,
    network: BalancedNetwork,
    extension: &str,
) -> Result<String> {
    let fail = |e: powerio::Error| module::parse_error("MODULE.WRITE", &e);
    let mut out = PioModule::new(PioValue::BalancedNetwork(network)).with_producer(parsed.producer().clone());
    for source in parsed.sources() {
        out.add_source_descriptor(source.clone()).map_err(fail)?;
    }
    for diagnostic in parsed.diagnostics() {
        out.add_diagnostic(diagnostic.clone()).map_err(fail)?;
    }
    for entry in parsed.history() {
        out.add_history_entry(entry.clone()).map_err(fail)?;
    }
    for (name, value) in parsed
        .extensions()
        .iter()
        .filter(|(name, _)| *name != extension && *name != SEAL)
    {
        out.insert_extension(name.clone(), value.clone()).map_err(fail)?;
    }
    // The targets of the diagnostics are another value now.
    out.sever_value_targets();
    assemble::analysis_network(&out)?;
    module::write(&out)
}
