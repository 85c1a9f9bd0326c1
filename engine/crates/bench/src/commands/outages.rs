//! `outages`: AC power flows after every single branch outage, natively. Writes their voltages for peers as
//! `.outages.bin`: little-endian numbers, for each solved outage its branch row and then real and imaginary part of every
//! bus.

use super::network::opened;
use super::timing::least_on_processor;
use crate::Outcome;
use serde_json::json;
use std::path::Path;
use wattbook_solve::ac::{AcData, AcEffect, AcLimits, AcModel, AcOptions, AcScreening, AcSelection};

pub(crate) fn file(path: &Path, folder: &Path, repeats: usize) -> Outcome {
    let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (network, ..) = opened(path)?;
    let data = AcData::base(&network);
    let model = AcModel::new(&network).map_err(|e| failed(&e))?;
    let solution = model.solve(&data, AcOptions::default()).map_err(|e| failed(&e))?;
    let base = model.base(solution).map_err(|e| failed(&e))?;
    let start = || {
        let limits = AcLimits {
            rating: network.branches.iter().map(|b| b.rating_pu).collect(),
            voltage: network.buses.iter().map(|b| [b.vmin_pu, b.vmax_pu]).collect(),
        };
        AcScreening::new(&model, &base, limits, AcSelection::default())
    };
    let (outages, took) = least_on_processor(repeats, || {
        let mut screening = start();
        let outages = screening.step(&model, &base, &network, usize::MAX);
        outages.map(|outages| (outages, screening.counts))
    });
    let (outages, counts) = outages.map_err(|e| failed(&e))?;
    let mut screening = start();
    let (mut bytes, mut solved, mut splitting) = (Vec::new(), 0, 0);
    for outage in &outages {
        splitting += usize::from(matches!(outage.effect, AcEffect::Islanding { .. }));
        if !matches!(outage.effect, AcEffect::Solved(_)) {
            continue;
        }
        solved += 1;
        let after = screening.flows_after(&model, &base, &network, outage.branch);
        let Ok(after) = after.map_err(|e| failed(&e))? else {
            return Err(failed(&format!("no flows after the outage of row {}", outage.branch)));
        };
        bytes.extend((outage.branch as f64).to_le_bytes());
        for (magnitude, angle) in after.magnitude.iter().zip(&after.angle) {
            bytes.extend((magnitude * angle.cos()).to_le_bytes());
            bytes.extend((magnitude * angle.sin()).to_le_bytes());
        }
    }
    let voltages = folder.join(format!("{name}.outages.bin"));
    std::fs::write(&voltages, bytes).map_err(|e| format!("{}: {e}", voltages.display()))?;
    let row = json!({
        "case": name,
        "n_bus": network.buses.len(),
        "outages": outages.len(),
        "splitting": splitting,
        "solved": solved,
        "by_newton": counts.by_newton,
        "steps": counts.steps as f64 / counts.by_steps.max(1) as f64,
        "ms": took,
    });
    println!("{row}");
    Ok(())
}
