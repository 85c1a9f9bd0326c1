//! The paint of an element: its own attributes and those it inherits.

use crate::unreadable;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use roxmltree::Node;
use std::str::FromStr;
use svgtypes::Color;
use wattbook_network::message;
use wattbook_network::{EngineError, Result};

/// The paint of an area or a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Paint {
    Nothing,
    /// Red, green and blue from 0 to 1, and the opacity.
    Colour([f32; 3], f64),
    /// The gradient of this id.
    Gradient(String),
}

/// The presentation attributes that our pictures use, by their names in SVG.
#[derive(Clone)]
pub(crate) struct Look {
    pub(crate) fill: Paint,
    pub(crate) fill_opacity: f64,
    pub(crate) is_even_odd: bool,
    pub(crate) stroke: Paint,
    pub(crate) stroke_opacity: f64,
    pub(crate) stroke_width: f64,
    pub(crate) cap: LineCapStyle,
    pub(crate) join: LineJoinStyle,
    pub(crate) dashes: Vec<f32>,
    /// Whether the stroke lies below the filled area.
    pub(crate) is_stroke_first: bool,
    /// Product of the opacities of the element and its ancestors: overlapping shapes of a group show through one
    /// another.
    pub(crate) opacity: f64,
    pub(crate) font_size: f64,
    pub(crate) is_bold: bool,
    /// The fraction of a text's width that lies before its position.
    pub(crate) anchor: f64,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            fill: Paint::Colour([0.0; 3], 1.0),
            fill_opacity: 1.0,
            is_even_odd: false,
            stroke: Paint::Nothing,
            stroke_opacity: 1.0,
            stroke_width: 1.0,
            cap: LineCapStyle::ButtCap,
            join: LineJoinStyle::MiterJoin,
            dashes: Vec::new(),
            is_stroke_first: false,
            opacity: 1.0,
            font_size: 11.0,
            is_bold: false,
            anchor: 0.0,
        }
    }
}

impl Look {
    /// The look of an element inside a parent with this look; `style` overrides attributes.
    pub(crate) fn of(&self, node: Node) -> Result<Self> {
        let mut look = self.clone();
        let mut own_opacity = 1.0;
        let style = node.attribute("style").unwrap_or_default();
        let declarations = style.split(';').filter_map(|one| one.split_once(':'));
        let attributes = node.attributes().map(|one| (one.name(), one.value()));
        for (name, value) in attributes.chain(declarations) {
            match (name.trim(), value.trim()) {
                ("opacity", value) => own_opacity = share(value)?,
                (name, value) => look.set(name, value)?,
            }
        }
        look.opacity *= own_opacity;
        Ok(look)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        match name {
            "fill" => self.fill = paint(value)?,
            "fill-opacity" => self.fill_opacity = share(value)?,
            "fill-rule" => self.is_even_odd = value == "evenodd",
            "stroke" => self.stroke = paint(value)?,
            "stroke-opacity" => self.stroke_opacity = share(value)?,
            "stroke-width" => self.stroke_width = number(value)?,
            "stroke-linecap" => {
                self.cap = match value {
                    "round" => LineCapStyle::RoundCap,
                    "square" => LineCapStyle::ProjectingSquareCap,
                    _ => LineCapStyle::ButtCap,
                }
            }
            "stroke-linejoin" => {
                self.join = match value {
                    "round" => LineJoinStyle::RoundJoin,
                    "bevel" => LineJoinStyle::BevelJoin,
                    _ => LineJoinStyle::MiterJoin,
                }
            }
            "stroke-dasharray" => self.dashes = dashes(value)?,
            "paint-order" => self.is_stroke_first = value.starts_with("stroke"),
            "font-size" => self.font_size = number(value)?,
            "font-weight" => self.is_bold = value == "bold" || value.parse().is_ok_and(|weight: f64| weight >= 600.0),
            "text-anchor" => {
                self.anchor = match value {
                    "middle" => 0.5,
                    "end" => 1.0,
                    _ => 0.0,
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Pixels of an attribute, 0 where it is absent.
pub(crate) fn length(node: Node, name: &str) -> Result<f64> {
    node.attribute(name).map_or(Ok(0.0), number)
}

/// Largest coordinate: beyond it, single precision does not resolve tenths of a pixel.
const LARGEST: f64 = 1e6;

/// A number, with or without the suffix `px`.
pub(crate) fn number(text: &str) -> Result<f64> {
    let value = text.trim().trim_end_matches("px").parse::<f64>();
    match value {
        Ok(value) if value.abs() <= LARGEST => Ok(value),
        _ => Err(unreadable(&format!("`{text}` is no length"))),
    }
}

fn share(text: &str) -> Result<f64> {
    Ok(number(text)?.clamp(0.0, 1.0))
}

fn dashes(text: &str) -> Result<Vec<f32>> {
    if text == "none" {
        return Ok(Vec::new());
    }
    let parts = text.split([' ', ',']).filter(|part| !part.is_empty());
    let lengths = parts.map(|part| Ok(number(part)?.max(0.0) as f32));
    let lengths: Vec<f32> = lengths.collect::<Result<_>>()?;
    // Dashes of zero length draw a solid line in SVG; PDF forbids them.
    Ok(if lengths.iter().sum::<f32>() > 0.0 {
        lengths
    } else {
        Vec::new()
    })
}

fn paint(text: &str) -> Result<Paint> {
    if let Some(id) = text.strip_prefix("url(#").and_then(|rest| rest.strip_suffix(')')) {
        return Ok(Paint::Gradient(id.into()));
    }
    match text {
        "none" | "transparent" => Ok(Paint::Nothing),
        _ => colour(text).map(|(parts, opacity)| Paint::Colour(parts, opacity)),
    }
}

/// Red, green and blue from 0 to 1, and the opacity.
pub(crate) fn colour(text: &str) -> Result<([f32; 3], f64)> {
    let refused = || EngineError::new("ARGUMENT.CHOICE", message!("figure.colour", colour = text));
    let Color {
        red,
        green,
        blue,
        alpha,
    } = Color::from_str(text).map_err(|_| refused())?;
    // As many digits as a byte resolves.
    let parts = [red, green, blue].map(|part| (f32::from(part) / 255.0 * 1e4).round() / 1e4);
    Ok((parts, f64::from(alpha) / 255.0))
}
