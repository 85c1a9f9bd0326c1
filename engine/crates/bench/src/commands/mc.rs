//! Multiconductor power flow of scripts with their companion files: reading, cold solve and edits of a load.

use super::timing::{least_on_processor as least, least_prepared};
use crate::Outcome;
use serde_json::json;
use std::path::Path;
use wattbook_network::distribution::{
    feeder_from_module, ingest_distribution, Controls, FeederOptions, SourceImpedance,
};
use wattbook_solve::mc::{voltages, McData, McModel, McOptions, McSolution};

const OPTIONS: FeederOptions = FeederOptions {
    source_impedance: SourceImpedance::Branch,
    controls: Controls::Held,
};

/// Factor by which an edit multiplies a load.
const EDIT: f64 = 1.2;

/// Writes the module of a script to `folder`, and a row of times: `cold_ms` for model and voltages without reading,
/// `edit_ms` for one load changed by 20 % from the previous voltages, `currents_ms` for all currents and powers.
pub fn file(path: &Path, folder: &Path, repeats: usize) -> Outcome {
    let with_path = |e: wattbook_network::EngineError| format!("{}: {e}", path.display());
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let case = ingest_distribution(&bytes, "dss", &companions(path)?).map_err(with_path)?;
    let (feeder, read_ms) = least(repeats, || feeder_from_module(&case.module_json, OPTIONS));
    let feeder = feeder.map_err(with_path)?;
    // The model owns its feeder, so each run needs a copy.
    let cold = |feeder| {
        let data = McData::base(&feeder);
        let model = McModel::new(feeder)?;
        let found = voltages(&model, &data, &McOptions::default(), None)?;
        Ok((model, found))
    };
    let (cold, cold_ms) = least_prepared(repeats, (|| feeder.clone(), cold));
    let (model, found) = cold.map_err(with_path)?;
    let base = McData::base(&feeder);
    let (solution, currents_ms) = least(repeats, || McSolution::from_voltages(&model, &base, found.clone()));
    solution.map_err(with_path)?.ok_or("voltages of another feeder")?;
    let largest = |of: &wattbook_network::feeder::FeederLoad| of.branches.iter().map(|b| b.p_w).sum::<f64>();
    let row = (0..feeder.loads.len()).max_by(|a, b| largest(&feeder.loads[*a]).total_cmp(&largest(&feeder.loads[*b])));
    let mut data = McData::base(&feeder);
    let load = row.ok_or("no load")?;
    data.load_mut(load).iter_mut().flatten().for_each(|part| *part *= EDIT);
    let (edited, edit_ms) = least(repeats, || voltages(&model, &data, &McOptions::default(), Some(&found)));
    let edited = edited.map_err(with_path)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    std::fs::write(folder.join(format!("{name}.module.json")), &case.module_json).map_err(|e| e.to_string())?;
    let p_kw: f64 = data.load(load).iter().map(|p| p[0]).sum::<f64>() / 1000.0;
    println!(
        "{}",
        json!({
            "case": name,
            "terminals": feeder.nodes.len(),
            "unknowns": model.unknowns(),
            "loads": feeder.loads.len(),
            "read_ms": read_ms,
            "cold_ms": cold_ms,
            "iterations": found.iterations,
            "currents_ms": currents_ms,
            "edit_ms": edit_ms,
            "edit_iterations": edited.iterations,
            "load": feeder.loads[load].name,
            "p_kw": p_kw,
        })
    );
    Ok(())
}

/// The files next to and below a script, by path relative to it.
fn companions(script: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let root = script.parent().ok_or("no folder")?;
    let mut out = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(|e| e.to_string())? {
            let path = entry.map_err(|e| e.to_string())?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path != script
                && path
                    .extension()
                    .is_some_and(|e| ["dss", "csv", "txt"].iter().any(|k| e.eq_ignore_ascii_case(k)))
            {
                let name = path
                    .strip_prefix(root)
                    .map_err(|e| e.to_string())?
                    .to_string_lossy()
                    .replace('\\', "/");
                out.push((name, std::fs::read(&path).map_err(|e| e.to_string())?));
            }
        }
    }
    Ok(out)
}
