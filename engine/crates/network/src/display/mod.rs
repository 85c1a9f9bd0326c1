//! One-line drawings (`.pwd`): positions in drawing units, for the diagram and never for the map.

use powerio::{CoordinateSpace, GeoGeometry, GeoTarget, PioValue, Source};

use crate::error::{EngineError, Result};
use crate::message::visible::visible;
use crate::message::Message;
use crate::sentences::remark;
use crate::{message, module};

/// A substation symbol.
#[derive(Clone, Debug, PartialEq)]
pub struct DisplaySubstation {
    pub number: u64,
    pub name: Option<String>,
    pub x: f64,
    pub y: f64,
}

/// A bus symbol.
#[derive(Clone, Debug, PartialEq)]
pub struct DisplayBus {
    pub number: u64,
    pub x: f64,
    pub y: f64,
}

/// A drawn line between two buses.
#[derive(Clone, Debug, PartialEq)]
pub struct DisplayBranch {
    pub from: u64,
    pub to: u64,
    /// Always `None`, since the reader finds no circuit in the drawing. Lines of one pair are in the order of the file.
    pub circuit: Option<String>,
    pub points: Vec<[f64; 2]>,
}

/// The contents of a drawing in its own units; y points upwards.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Display {
    pub substations: Vec<DisplaySubstation>,
    pub buses: Vec<DisplayBus>,
    pub branches: Vec<DisplayBranch>,
    /// Width and height of the canvas, if the file states them.
    pub canvas: Option<[f64; 2]>,
    /// Symbols that could not be read or have no owner.
    pub unmatched: Vec<Message>,
}

/// Reads a PowerWorld display file.
///
/// # Errors
/// `INPUT.EMPTY`; `INPUT.DISPLAY` for other files and for files without supported equipment positions.
pub fn parse_display(bytes: &[u8]) -> Result<Display> {
    if bytes.is_empty() {
        return Err(EngineError::new("INPUT.EMPTY", message!("file.empty")));
    }
    let source = Source::from_memory("drawing.pwd", bytes).map_err(|e| module::parse_error("INPUT.DISPLAY", &e))?;
    let parsed = powerio::parse(source).map_err(|e| module::parse_error("INPUT.DISPLAY", &e))?;
    let PioValue::GeoLayer(layer) = parsed.value() else {
        return Err(EngineError::new("INPUT.DISPLAY", message!("display.not_a_drawing")));
    };
    let mut display = Display {
        unmatched: parsed.diagnostics().iter().map(|d| remark(d.message())).collect(),
        ..Display::default()
    };
    if let CoordinateSpace::Diagram { canvas: Some(canvas) } = &layer.space {
        display.canvas = canvas.width.zip(canvas.height).map(|(w, h)| [w, h]);
    }
    for feature in &layer.features {
        let number = |key: &Option<String>| key.as_deref().and_then(|k| k.parse::<u64>().ok());
        let id = number(&feature.key.id);
        match (&feature.target, &feature.geometry) {
            (GeoTarget::Substation, GeoGeometry::Point([x, y])) if id.is_some() => {
                display.substations.extend(id.map(|number| DisplaySubstation {
                    number,
                    name: feature.key.name.as_deref().map(|name| visible(name).into_owned()),
                    x: *x,
                    y: *y,
                }));
            }
            (GeoTarget::Bus, GeoGeometry::Point([x, y])) if id.is_some() => {
                display
                    .buses
                    .extend(id.map(|number| DisplayBus { number, x: *x, y: *y }));
            }
            (GeoTarget::Branch, GeoGeometry::LineString(points)) => {
                let ends = number(&feature.from).zip(number(&feature.to));
                display.branches.extend(ends.map(|(from, to)| DisplayBranch {
                    from,
                    to,
                    circuit: None,
                    points: points.clone(),
                }));
            }
            _ => display.unmatched.push(message!("display.symbol_without_number")),
        }
    }
    if display.substations.is_empty() && display.buses.is_empty() && display.branches.is_empty() {
        return Err(EngineError::new("INPUT.DISPLAY", message!("display.no_positions")));
    }
    Ok(display)
}
