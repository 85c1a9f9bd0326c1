//! Geographic layers: bus positions and branch routes from separate files, matched to a case and stored in its module.

mod apply;
mod export;
mod layer;
mod matching;
pub(crate) mod readers;
mod ring;
pub(crate) mod source;

pub use crate::coordinates::Space;
pub use apply::{apply_geo, GeoApplied, GeoDrawing};
pub use export::to_geo_json;
pub use layer::{GeoLayer, GeoRecord, Position, Provenance, RecordWarning, SpaceBasis};
pub use matching::report::GeoReport;
pub use matching::{match_layer, GeoMatches, GeoTarget, TargetBranch, TargetBus};
pub use readers::parse_layer;
pub use ring::{spread_shared, RING_METRES};
pub use source::{place_from_source, SourcePlacement};
