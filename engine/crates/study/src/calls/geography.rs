//! Geographic layers for balanced and multiconductor cases.

use crate::calls::ingest::network_of;
use crate::contract::{self as c, Column, ColumnName};
use crate::convert::sentence;
use crate::results::{find, CaseReply};
use wattbook_network::error::Result;
use wattbook_network::geo::{self, Space, SpaceBasis};

/// Reads a geographic layer and stores the positions it matches in a module: a `GeoAppliedHead` and the columns of the
/// case's rows.
///
/// Errors: those of `wattbook_network::geo::apply_geo`, among them `INPUT.GEO_NO_MATCH`, and those of describing the
/// module.
pub fn apply_geo(module_json: &str, bytes: &[u8]) -> Result<CaseReply<c::GeoAppliedHead>> {
    let applied = geo::apply_geo(module_json, bytes)?;
    let CaseReply { head: case, columns } = network_of(applied.module_json)?;
    let head = c::GeoAppliedHead {
        drawing: applied.drawing.map(|d| drawing(&case, &columns, d)),
        report: report(applied.report),
        case,
    };
    Ok(CaseReply { head, columns })
}

/// Positions and routes of a module as the text of a `.geo.json` file.
///
/// Errors: `INPUT.GEO_EMPTY`, `MODULE.*`.
pub fn geo_json(module_json: &str) -> Result<String> {
    geo::to_geo_json(module_json)
}

fn report(r: geo::GeoReport) -> c::GeoReport {
    c::GeoReport {
        space: match r.space {
            Space::Geographic => c::CoordsSpace::Geographic,
            Space::Projected => c::CoordsSpace::Projected,
            Space::Drawing => c::CoordsSpace::Drawing,
            Space::Unknown => c::CoordsSpace::Unknown,
        },
        basis: match r.basis {
            SpaceBasis::Marker => c::GeoBasis::Marker,
            SpaceBasis::Names => c::GeoBasis::Names,
            SpaceBasis::Inferred => c::GeoBasis::Inferred,
            SpaceBasis::Nothing => c::GeoBasis::Nothing,
        },
        bus_records: r.bus_records as u32,
        branch_records: r.branch_records as u32,
        matched_buses: r.matched_buses as u32,
        matched_branches: r.matched_branches as u32,
        unmatched_records: r.unmatched_records as u32,
        unplaced_buses: r.unplaced_buses as u32,
        warnings: r
            .warnings
            .into_iter()
            .map(|w| c::GeoWarning {
                record: w.record as u32,
                code: w.code.to_string(),
                message: w.message(),
                sentence: sentence(&w.sentence),
            })
            .collect(),
        warnings_left_out: r.warnings_left_out as u32,
    }
}

/// A drawing with the original ids of the case.
fn drawing(case: &c::IngestedNetworkHead, columns: &[Column], d: geo::GeoDrawing) -> c::GeoDrawing {
    let id = |name, row: usize| c::ElementKey::Id(find(columns, name).map_or(0, |ids| ids[row] as u64));
    let bus = |row: usize| match case {
        c::IngestedNetworkHead::Balanced(_) => id(ColumnName::BusId, row),
        c::IngestedNetworkHead::Multiconductor(case) => c::ElementKey::Key(case.graph.buses[row].id.clone()),
    };
    let branch = |row: usize| match case {
        c::IngestedNetworkHead::Balanced(_) => id(ColumnName::BranchId, row),
        c::IngestedNetworkHead::Multiconductor(case) => c::ElementKey::Key(case.graph.edges[row].id.clone()),
    };
    let point = |(row, [x, y]): (usize, [f64; 2])| c::GeoDrawingBus { bus: bus(row), x, y };
    let path = |(row, points): (usize, Vec<[f64; 2]>)| c::GeoDrawingBranch {
        branch: branch(row),
        points,
    };
    c::GeoDrawing {
        buses: d.buses.into_iter().map(point).collect(),
        branches: d.branches.into_iter().map(path).collect(),
    }
}
