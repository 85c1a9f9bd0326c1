//! Synthetic layouts for balanced and multiconductor cases.

use crate::calls::ingest::network_of;
use crate::contract::{self as c, Column, ColumnName};
use crate::problem::work::{Product, Work};
use crate::results::{CaseReply, Reply};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::layout;
use wattbook_network::message;

/// A layout computed in steps.
pub(crate) struct Layout {
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
}

impl std::fmt::Debug for Layout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Layout").finish_non_exhaustive()
    }
}

impl Work for Layout {
    /// One unit of budget is one iteration over the whole graph.
    fn step(&mut self, budget: u32) -> Result<c::JobStep> {
        let layout::Progress { done, fraction } = self.run.step(budget as usize);
        Ok(c::JobStep {
            done,
            fraction,
            ..c::JobStep::default()
        })
    }

    fn finish(self: Box<Self>) -> Result<Product> {
        let (x, y) = self.run.finish().into_iter().map(|[x, y]| (x, y)).unzip();
        let reply = Reply::new(
            &c::LayoutHead {
                default_scale_km: self.default_scale_km,
            },
            vec![Column::new(ColumnName::LayoutX, x), Column::new(ColumnName::LayoutY, y)],
        );
        Ok(reply.into())
    }
}

/// Stores positions of a layout (x0, y0, x1, y1, ...) in a module as synthetic locations: an `IngestedNetworkHead` and
/// the columns of the case's rows. The origin lies at `lon`, `lat` in degrees, and one unit is `scale_km` kilometres
/// long there (by default that of the `LayoutHead`).
///
/// Errors: `INPUT.PLACEMENT`, `MODULE.*`, and those of describing the module.
pub fn apply_layout(
    module_json: &str,
    positions: &[f64],
    lon: f64,
    lat: f64,
    scale_km: Option<f64>,
) -> Result<CaseReply<c::IngestedNetworkHead>> {
    let points = positions.chunks_exact(2);
    if !points.remainder().is_empty() {
        let message = message!("request.positions", count = positions.len());
        return Err(EngineError::new("INPUT.PLACEMENT", message));
    }
    let points: Vec<[f64; 2]> = points.map(|p| [p[0], p[1]]).collect();
    let scale_km = scale_km.unwrap_or_else(|| layout::default_scale_km(points.len()));
    let placed = layout::apply_layout(module_json, &points, [lon, lat], scale_km)?;
    network_of(placed)
}

/// The `Placement` needed to move or rescale a placed case, or `null` unless every bus has a synthetic location.
///
/// Errors: `MODULE.INVALID`, `MODULE.KIND`.
pub fn placement_json(module_json: &str) -> Result<String> {
    let placement = layout::placement_of(module_json)?.map(|p| c::Placement {
        positions: p.positions,
        centre_lon_lat: p.centre_lon_lat,
        scale_km: p.scale_km,
    });
    Ok(crate::json::to_json(&placement))
}
