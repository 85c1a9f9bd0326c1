//! Pictures of maps as PDF: one page, with shapes and texts as vectors and fonts embedded.
//!
//! Page and kernel write their pictures as SVG with a few kinds of elements. [`pdf_of_svg`] converts both, so a figure
//! looks the same wherever it was saved.

mod fonts;
mod images;
mod look;
mod page;

use flate2::write::ZlibEncoder;
use flate2::Compression;
use std::io::Write;
use wattbook_network::message;
use wattbook_network::{EngineError, Result};

/// A picture as a PDF of one page (ISO 32000-1), `width_cm` wide, in the proportions of its `viewBox`.
///
/// It may contain groups, nested pictures, rectangles with plain colours or a horizontal gradient, circles, paths,
/// texts, PNG images and uses of its own elements. Errors: `ARGUMENT.CHOICE` for a letter that the fonts do not have
/// and for a colour in a form that SVG 1.1 does not have, `INPUT.SVG` for anything else that cannot be drawn.
pub fn pdf_of_svg(svg: &str, width_cm: f64) -> Result<Vec<u8>> {
    let document = roxmltree::Document::parse(svg).map_err(|e| unreadable(&e.to_string()))?;
    page::Page::new(&document).pdf(width_cm)
}

/// The error for a picture that cannot be drawn.
fn unreadable(cause: &str) -> EngineError {
    EngineError::new("INPUT.SVG", message!("figure.unreadable", cause = cause))
}

/// The bytes of a stream for the filter FlateDecode.
fn deflated(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.map_err(|e| failed(&e.to_string()))
}

/// The error for a failure that the picture did not cause.
fn failed(cause: &str) -> EngineError {
    EngineError::new("INTERNAL", message!("engine.failed", cause = cause))
}
