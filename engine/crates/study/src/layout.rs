//! Synthetic layouts of cases of either model.

use crate::contract as c;
use crate::ingest::network_of;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::layout;
use wattbook_network::message;

/// A layout in steps, so that a worker can answer others and be cancelled between them.
pub struct Layout {
    run: layout::Layout,
    default_scale_km: f64,
}

impl Layout {
    /// Prepares the layout of a module's network.
    ///
    /// Errors: `MODULE.INVALID`, `MODULE.KIND`.
    pub fn start(module_json: &str) -> Result<Self> {
        let graph = layout::layout_graph(module_json)?;
        Ok(Self {
            default_scale_km: layout::default_scale_km(graph.len()),
            run: layout::Layout::new(&graph, layout::LayoutOptions::default()),
        })
    }

    /// Works for about `budget_iterations` iterations over the whole graph. The budgets do not change the result.
    pub fn step(&mut self, budget_iterations: u32) -> c::LayoutProgress {
        let layout::Progress { done, fraction } = self.run.step(budget_iterations as usize);
        c::LayoutProgress { done, fraction }
    }

    /// [`Layout::step`] with a `LayoutProgress` as JSON.
    pub fn step_json(&mut self, budget_iterations: u32) -> String {
        crate::to_json(&self.step(budget_iterations))
    }

    /// Longer side of the drawing where nothing better is known, kilometres.
    pub fn default_scale_km(&self) -> f64 {
        self.default_scale_km
    }

    /// Does what is left; `x0, y0, x1, y1, ...` by bus row of the module, longer side 1, centred at the origin, y upwards.
    pub fn finish(self) -> Vec<f64> {
        self.run.finish().into_iter().flatten().collect()
    }
}

/// Stamps positions of [`Layout::finish`] into a module as synthetic locations, the origin at `lon`, `lat` in degrees and one
/// unit `scale_km` kilometres long there (the default of [`Layout::default_scale_km`] without); the `IngestedNetwork`.
///
/// Errors: `INPUT.PLACEMENT`, `MODULE.*`, and those of describing the module.
pub fn apply_layout_json(
    module_json: &str,
    positions: &[f64],
    lon: f64,
    lat: f64,
    scale_km: Option<f64>,
) -> Result<String> {
    let points = positions.chunks_exact(2);
    if !points.remainder().is_empty() {
        let said = message!("request.positions", count = positions.len());
        return Err(EngineError::new("INPUT.PLACEMENT", said));
    }
    let points: Vec<[f64; 2]> = points.map(|p| [p[0], p[1]]).collect();
    let scale_km = scale_km.unwrap_or_else(|| layout::default_scale_km(points.len()));
    let stamped = layout::apply_layout(module_json, &points, [lon, lat], scale_km)?;
    Ok(crate::to_json(&network_of(stamped)?))
}

/// What is needed to move or rescale a placed case: a `Placement`, or `null` unless every bus has a synthetic location.
///
/// Errors: `MODULE.INVALID`, `MODULE.KIND`.
pub fn placement_json(module_json: &str) -> Result<String> {
    let placement = layout::placement_of(module_json)?.map(|p| c::Placement {
        positions: p.positions,
        centre_lon_lat: p.centre_lon_lat,
        scale_km: p.scale_km,
    });
    Ok(crate::to_json(&placement))
}
