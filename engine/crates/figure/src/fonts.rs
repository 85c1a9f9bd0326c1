//! The fonts of a picture: Arimo, which has the metrics of Helvetica and Arial, embedded with the glyphs in use.

use crate::{deflated, failed};
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Name, Pdf, Rect, Ref, Str};
use std::collections::BTreeMap;
use subsetter::GlyphRemapper;
use ttf_parser::Face;
use wattbook_network::message;
use wattbook_network::message::visible;
use wattbook_network::sha256::sha256_hex;
use wattbook_network::{EngineError, Result};

const REGULAR: &[u8] = include_bytes!("../fonts/Arimo-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../fonts/Arimo-Bold.ttf");
const SYSTEM: SystemInfo = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

/// A font, and the glyphs of it that the picture uses.
pub(crate) struct Font {
    name: &'static str,
    data: &'static [u8],
    face: Face<'static>,
    /// Maps the glyphs of the font to the glyphs of its subset.
    subset: GlyphRemapper,
    /// First letter and width, in thousandths of the font size, by glyph of the subset.
    used: BTreeMap<u16, (char, f32)>,
}

/// A text set in a font: glyphs of its subset, two bytes each, and the width at font size 1.
pub(crate) struct Line {
    pub(crate) bytes: Vec<u8>,
    pub(crate) width: f64,
}

impl Font {
    pub(crate) fn new(is_bold: bool) -> Self {
        let (name, data) = if is_bold {
            ("Arimo-Bold", BOLD)
        } else {
            ("Arimo-Regular", REGULAR)
        };
        Self {
            name,
            data,
            face: Face::parse(data, 0).expect("the fonts of this crate are sound"),
            subset: GlyphRemapper::new(),
            used: BTreeMap::new(),
        }
    }

    pub(crate) fn is_used(&self) -> bool {
        !self.used.is_empty()
    }

    /// Sets a text with the font's widths, without kerning. Errors: `ARGUMENT.CHOICE` for a letter that the font does
    /// not have.
    pub(crate) fn line(&mut self, text: &str) -> Result<Line> {
        let mut line = Line {
            bytes: Vec::with_capacity(2 * text.len()),
            width: 0.0,
        };
        for letter in visible(text).chars().filter(|letter| !is_joiner(*letter)) {
            let glyph = self.face.glyph_index(letter).ok_or_else(|| missing(letter, text))?;
            let advance = f32::from(self.face.glyph_hor_advance(glyph).unwrap_or(0));
            let width = advance / f32::from(self.face.units_per_em());
            let id = self.subset.remap(glyph.0);
            self.used.entry(id).or_insert((letter, 1000.0 * width));
            line.bytes.extend(id.to_be_bytes());
            line.width += f64::from(width);
        }
        Ok(line)
    }

    /// Writes the font with its descendants, whose references start at `next`.
    pub(crate) fn write(&self, pdf: &mut Pdf, id: Ref, next: &mut Ref) -> Result<()> {
        let [descendant, descriptor, file, unicode] = [(); 4].map(|()| next.bump());
        let name = format!("{}+{}", self.tag(), self.name);
        let name = Name(name.as_bytes());
        pdf.type0_font(id)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(descendant)
            .to_unicode(unicode);
        let mut cid = pdf.cid_font(descendant);
        cid.subtype(CidFontType::Type2)
            .base_font(name)
            .system_info(SYSTEM)
            .font_descriptor(descriptor)
            .default_width(0.0)
            .cid_to_gid_map_predefined(Name(b"Identity"));
        // Glyphs of the subset are numbered from 1 in order of use.
        cid.widths()
            .consecutive(1, self.used.values().map(|(_, width)| width.round()));
        drop(cid);
        let em = 1000.0 / f32::from(self.face.units_per_em());
        let bbox = self.face.global_bounding_box();
        let [x0, y0, x1, y1] = [bbox.x_min, bbox.y_min, bbox.x_max, bbox.y_max].map(|v| em * f32::from(v));
        pdf.font_descriptor(descriptor)
            .name(name)
            .flags(FontFlags::NON_SYMBOLIC)
            .bbox(Rect::new(x0, y0, x1, y1))
            .italic_angle(0.0)
            .ascent(em * f32::from(self.face.ascender()))
            .descent(em * f32::from(self.face.descender()))
            .cap_height(em * f32::from(self.face.capital_height().unwrap_or(0)))
            .stem_v(if self.name.ends_with("Bold") { 140.0 } else { 88.0 }) // as Helvetica
            .font_file2(file);
        let subset = subsetter::subset(self.data, 0, &self.subset).map_err(|error| failed(&error.to_string()))?;
        pdf.stream(file, &deflated(&subset)?)
            .filter(pdf_writer::Filter::FlateDecode)
            .pair(Name(b"Length1"), subset.len() as i32);
        let mut letters = UnicodeCmap::<u16>::new(Name(b"Wattbook"), SYSTEM);
        for (id, (letter, _)) in &self.used {
            letters.pair(*id, *letter);
        }
        pdf.cmap(unicode, &deflated(&letters.finish())?)
            .filter(pdf_writer::Filter::FlateDecode);
        Ok(())
    }

    /// Six capitals that identify the subset; equal glyphs give equal letters.
    fn tag(&self) -> String {
        let letters: String = self.used.values().map(|(letter, _)| letter).collect();
        let digits = sha256_hex(letters.as_bytes());
        digits
            .bytes()
            .take(6)
            .map(|digit| char::from(b'A' + digit % 26))
            .collect()
    }
}

/// Joiners have no glyph.
fn is_joiner(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}')
}

fn missing(letter: char, text: &str) -> EngineError {
    EngineError::new(
        "ARGUMENT.CHOICE",
        message!("figure.letter", letter = letter.to_string(), text = text.trim()),
    )
}
