//! `problem`: the DC OPF of a module as peers read it, with the balance row of each bus, so that they can change its demand.

use crate::Outcome;
use serde_json::{json, Map, Value};
use std::path::Path;
use wattbook_bench::{convention, Problem};
use wattbook_network::network_from_module;

/// Writes into `folder`, by the name of the case, `.problem.json`: the program, `base_mva`, and `balance`, the row of each bus by its id.
pub(crate) fn file(path: &Path, wanted: &str, folder: &Path) -> Outcome {
    let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let convention = convention(wanted).ok_or("no such convention")?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.split('.').next().unwrap_or_default().to_string();
    let module = std::fs::read_to_string(path).map_err(|e| failed(&e))?;
    let network = network_from_module(&module).map_err(|e| failed(&e))?;
    let problem = Problem::new(&network, convention);
    let rows = network.buses.iter().zip(&problem.balance);
    let balance: Map<String, Value> = rows.filter_map(|(bus, row)| Some((bus.id.to_string(), json!((*row)?)))).collect();
    let mut program = problem.json();
    program["balance"] = Value::Object(balance);
    program["base_mva"] = json!(network.base_mva);
    let file = folder.join(format!("{name}.problem.json"));
    std::fs::write(&file, program.to_string()).map_err(|e| format!("{}: {e}", file.display()))?;
    println!("{}", json!({ "case": name, "n_bus": network.buses.len(), "quadratic": problem.is_quadratic() }));
    Ok(())
}
