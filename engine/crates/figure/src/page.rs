//! The page of a PDF: elements of a picture as PDF operators.

use crate::fonts::Font;
use crate::images::Pixels;
use crate::look::{colour, length, number, Look, Paint};
use crate::{deflated, unreadable};
use pdf_writer::types::{FunctionShadingType, TextRenderingMode};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str};
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::str::FromStr;
use svgtypes::{SimplePathSegment, SimplifyingPathParser, Transform, ViewBox};
use wattbook_network::Result;

const POINTS_PER_CM: f64 = 72.0 / 2.54;
/// Control point distance of a quarter circle as a cubic Bézier curve: 4/3 (sqrt(2) - 1).
const QUARTER: f64 = 0.552_284_749_8;
/// Distance from the middle of letters to their baseline, as a fraction of the font size.
const MIDDLE: f64 = 0.36;
/// Largest nesting depth of elements.
const MOST_DEPTH: usize = 64;

/// Width and height that percentages refer to, and how deep an element lies.
#[derive(Clone, Copy)]
struct Place {
    width: f64,
    height: f64,
    depth: usize,
    is_in_use: bool,
}

/// A colour bar from left to right: its ends, and its colours by offset.
struct Gradient {
    from: f64,
    to: f64,
    stops: Vec<(f32, [f32; 3])>,
}

pub(crate) struct Page<'a> {
    document: &'a Document<'a>,
    content: Content,
    fonts: [Font; 2],
    /// Names of the graphics states by opacity of areas and lines, in thousandths.
    opacities: BTreeMap<(u16, u16), String>,
    images: Vec<Pixels>,
    gradients: Vec<Gradient>,
}

impl<'a> Page<'a> {
    pub(crate) fn new(document: &'a Document<'a>) -> Self {
        Self {
            document,
            content: Content::new(),
            fonts: [Font::new(false), Font::new(true)],
            opacities: BTreeMap::new(),
            images: Vec::new(),
            gradients: Vec::new(),
        }
    }

    /// The file whose only page shows the picture.
    pub(crate) fn pdf(mut self, width_cm: f64) -> Result<Vec<u8>> {
        let root = self.document.root_element();
        let (width, height) = match root.attribute("viewBox") {
            Some(text) => view_box(text)?,
            None => (length(root, "width")?, length(root, "height")?),
        };
        let scale = width_cm * POINTS_PER_CM / width;
        let size = [scale * width, scale * height];
        // A PDF page is at most 200 inches wide and high.
        if !size.iter().all(|side| (1.0..=14_400.0).contains(side)) {
            return Err(unreadable("its size is outside the limits of a page"));
        }
        self.content.transform(matrix([scale, 0.0, 0.0, -scale, 0.0, size[1]]));
        self.content.set_miter_limit(4.0);
        let place = Place {
            width,
            height,
            depth: 0,
            is_in_use: false,
        };
        self.children(root, &Look::default().of(root)?, place)?;
        self.file(size)
    }

    fn children(&mut self, parent: Node, look: &Look, place: Place) -> Result<()> {
        if place.depth >= MOST_DEPTH {
            return Err(unreadable("its elements lie too deep inside one another"));
        }
        let inner = Place {
            depth: place.depth + 1,
            ..place
        };
        for child in parent.children().filter(Node::is_element) {
            self.element(child, &look.of(child)?, inner)?;
        }
        Ok(())
    }

    fn element(&mut self, node: Node, look: &Look, place: Place) -> Result<()> {
        let name = node.tag_name().name();
        if matches!(name, "title" | "desc" | "defs" | "linearGradient") {
            return Ok(());
        }
        self.content.save_state();
        if let Some(text) = node.attribute("transform") {
            let transform = Transform::from_str(text).map_err(|e| unreadable(&e.to_string()))?;
            let Transform { a, b, c, d, e, f } = transform;
            self.content.transform(matrix([a, b, c, d, e, f]));
        }
        match name {
            "g" => self.children(node, look, place)?,
            "svg" => self.picture(node, look, place)?,
            "use" => self.used(node, look, place)?,
            "rect" => self.rect(node, look, place)?,
            "circle" => {
                let [x, y, radius] = ["cx", "cy", "r"].map(|name| length(node, name));
                let (x, y, radius) = (x?, y?, radius?);
                self.paint(look, |content| {
                    round_rect(content, [x - radius, y - radius, 2.0 * radius, 2.0 * radius], radius)
                })?;
            }
            "path" => {
                let data = node.attribute("d").unwrap_or_default();
                let segments: std::result::Result<Vec<_>, _> = SimplifyingPathParser::from(data).collect();
                let segments = segments.map_err(|e| unreadable(&e.to_string()))?;
                if !segments.is_empty() {
                    self.paint(look, |content| path(content, &segments))?;
                }
            }
            "text" => self.text(node, look)?,
            "image" => self.image(node, look)?,
            name => return Err(unreadable(&format!("an element `{name}`"))),
        }
        self.content.restore_state();
        Ok(())
    }

    /// A nested picture, clipped at its edges.
    fn picture(&mut self, node: Node, look: &Look, place: Place) -> Result<()> {
        let [x, y, width, height] = box_of(node, place)?;
        let (wide, tall) = match node.attribute("viewBox") {
            Some(text) => view_box(text)?,
            None => (width, height),
        };
        let scale = if wide > 0.0 { width / wide } else { 1.0 };
        self.content
            .rect(n(x), n(y), n(width), n(height))
            .clip_nonzero()
            .end_path();
        self.content.transform(matrix([scale, 0.0, 0.0, scale, x, y]));
        let inner = Place {
            width: wide,
            height: tall,
            ..place
        };
        self.children(node, look, inner)
    }

    /// The children of another group, drawn with the look of this one.
    fn used(&mut self, node: Node, look: &Look, place: Place) -> Result<()> {
        if place.is_in_use {
            return Err(unreadable("a use inside a use"));
        }
        let id = node.attribute("href").and_then(|href| href.strip_prefix('#'));
        let Some(used) = id.and_then(|id| self.by_id(id)) else {
            return Ok(());
        };
        let inner = Place {
            is_in_use: true,
            ..place
        };
        self.children(used, look, inner)
    }

    fn by_id(&self, id: &str) -> Option<Node<'a, 'a>> {
        self.document
            .descendants()
            .find(|node| node.attribute("id") == Some(id))
    }

    fn rect(&mut self, node: Node, look: &Look, place: Place) -> Result<()> {
        let area = box_of(node, place)?;
        let radius = length(node, "rx")?.clamp(0.0, 0.5 * area[2].min(area[3]).max(0.0));
        let Paint::Gradient(id) = &look.fill else {
            return self.paint(look, |content| round_rect(content, area, radius));
        };
        let stops = self.stops(id)?;
        if !stops.is_empty() {
            round_rect(&mut self.content, area, radius);
            self.content.clip_nonzero().end_path();
            let name = format!("S{}", self.gradients.len());
            self.content.shading(Name(name.as_bytes()));
            self.gradients.push(Gradient {
                from: area[0],
                to: area[0] + area[2],
                stops,
            });
        }
        Ok(())
    }

    /// The colours of a gradient in order.
    fn stops(&self, id: &str) -> Result<Vec<(f32, [f32; 3])>> {
        let Some(gradient) = self.by_id(id) else {
            return Ok(Vec::new());
        };
        let mut last = 0.0_f32;
        let stops = gradient.children().filter(Node::is_element).map(|stop| {
            let offset = stop.attribute("offset").unwrap_or("0");
            let part = match offset.strip_suffix('%') {
                Some(percent) => number(percent)? / 100.0,
                None => number(offset)?,
            };
            last = last.max((part as f32).clamp(0.0, 1.0));
            Ok((last, colour(stop.attribute("stop-color").unwrap_or("#000"))?.0))
        });
        stops.collect()
    }

    /// Fills and strokes a shape that `draw` adds to the content.
    fn paint(&mut self, look: &Look, draw: impl Fn(&mut Content)) -> Result<()> {
        let is_filled = self.fill(look)?;
        let is_stroked = look.stroke_width > 0.0 && self.stroke(look)?;
        if is_filled || is_stroked {
            self.set_opacity(look);
        }
        let content = &mut self.content;
        if is_filled && is_stroked && look.is_stroke_first {
            draw(content);
            content.stroke();
        }
        if !(is_filled || is_stroked) {
            return Ok(());
        }
        draw(content);
        match (is_filled, is_stroked && !look.is_stroke_first, look.is_even_odd) {
            (true, true, false) => content.fill_nonzero_and_stroke(),
            (true, true, true) => content.fill_even_odd_and_stroke(),
            (true, false, false) => content.fill_nonzero(),
            (true, false, true) => content.fill_even_odd(),
            (false, ..) => content.stroke(),
        };
        Ok(())
    }

    /// Sets the fill colour; false if there is no paint.
    fn fill(&mut self, look: &Look) -> Result<bool> {
        match &look.fill {
            Paint::Nothing => Ok(false),
            Paint::Colour([r, g, b], _) => {
                self.content.set_fill_rgb(*r, *g, *b);
                Ok(true)
            }
            Paint::Gradient(_) => Err(unreadable("a gradient outside a rectangle")),
        }
    }

    /// Sets colour, width, caps, joins and dashes of lines; false if there is no paint.
    fn stroke(&mut self, look: &Look) -> Result<bool> {
        match &look.stroke {
            Paint::Nothing => Ok(false),
            Paint::Colour([r, g, b], _) => {
                self.content
                    .set_stroke_rgb(*r, *g, *b)
                    .set_line_width(n(look.stroke_width))
                    .set_line_cap(look.cap)
                    .set_line_join(look.join);
                if !look.dashes.is_empty() {
                    self.content.set_dash_pattern(look.dashes.iter().copied(), 0.0);
                }
                Ok(true)
            }
            Paint::Gradient(_) => Err(unreadable("a gradient outside a rectangle")),
        }
    }

    fn set_opacity(&mut self, look: &Look) {
        let own = |paint: &Paint| match paint {
            Paint::Colour(_, opacity) => *opacity,
            _ => 1.0,
        };
        let thousandths = |opacity: f64| (1000.0 * look.opacity * opacity).round() as u16;
        let area = thousandths(look.fill_opacity * own(&look.fill));
        let line = thousandths(look.stroke_opacity * own(&look.stroke));
        if (area, line) != (1000, 1000) {
            let count = self.opacities.len();
            let name = self
                .opacities
                .entry((area, line))
                .or_insert_with(|| format!("G{count}"));
            self.content.set_parameters(Name(name.as_bytes()));
        }
    }

    /// A text as runs of one font each, positioned by the widths of the fonts.
    fn text(&mut self, node: Node, look: &Look) -> Result<()> {
        let spacing = length(node, "letter-spacing")?;
        let size = look.font_size;
        let mut runs = Vec::new();
        for child in node.children() {
            let own = if child.is_element() {
                look.of(child)?
            } else {
                look.clone()
            };
            let text = if child.is_element() {
                only_text(child)?
            } else {
                child.text().unwrap_or_default()
            };
            let line = self.fonts[usize::from(own.is_bold)].line(&with_single_spaces(text))?;
            let width = size * line.width + spacing * (line.bytes.len() / 2) as f64;
            if !line.bytes.is_empty() {
                runs.push((own, line, width));
            }
        }
        let whole: f64 = runs.iter().map(|(.., width)| width).sum();
        let is_central = node.attribute("dominant-baseline") == Some("central");
        let mut x = length(node, "x")? - look.anchor * whole;
        let y = length(node, "y")? + if is_central { MIDDLE * size } else { 0.0 };
        for (mut own, line, width) in runs {
            own.join = pdf_writer::types::LineJoinStyle::RoundJoin;
            let is_filled = self.fill(&own)?;
            let is_stroked = own.stroke_width > 0.0 && self.stroke(&own)?;
            self.set_opacity(&own);
            // An outline lies below the letters, so it is drawn first.
            let modes = [
                (is_stroked, TextRenderingMode::Stroke),
                (is_filled, TextRenderingMode::Fill),
            ];
            for (_, mode) in modes.into_iter().filter(|(is_drawn, _)| *is_drawn) {
                self.content
                    .begin_text()
                    .set_text_rendering_mode(mode)
                    .set_font(Name(FONTS[usize::from(own.is_bold)].as_bytes()), n(size))
                    .set_char_spacing(n(spacing))
                    .set_text_matrix([1.0, 0.0, 0.0, -1.0, n(x), n(y)])
                    .show(Str(&line.bytes))
                    .end_text();
            }
            x += width;
        }
        Ok(())
    }

    fn image(&mut self, node: Node, look: &Look) -> Result<()> {
        let [width, height] = ["width", "height"].map(|name| length(node, name));
        let (width, height) = (width?, height?);
        self.set_opacity(&Look {
            fill: Paint::Nothing,
            ..look.clone()
        });
        // The unit square with its first row at the top, in coordinates that point down.
        self.content.transform(matrix([width, 0.0, 0.0, -height, 0.0, height]));
        let name = format!("I{}", self.images.len());
        self.content.x_object(Name(name.as_bytes()));
        self.images
            .push(Pixels::read(node.attribute("href").unwrap_or_default())?);
        Ok(())
    }

    fn file(self, size: [f64; 2]) -> Result<Vec<u8>> {
        let mut pdf = Pdf::new();
        let mut next = Ref::new(1);
        let [catalog, pages, page, content] = [(); 4].map(|()| next.bump());
        let fonts = self.fonts.each_ref().map(|font| font.is_used().then(|| next.bump()));
        let images: Vec<Ref> = self.images.iter().map(|_| next.bump()).collect();
        let gradients: Vec<Ref> = self.gradients.iter().map(|_| next.bump()).collect();
        pdf.catalog(catalog).pages(pages);
        pdf.pages(pages).kids([page]).count(1);
        let mut written = pdf.page(page);
        written
            .parent(pages)
            .media_box(Rect::new(0.0, 0.0, n(size[0]), n(size[1])))
            .contents(content);
        let mut resources = written.resources();
        let mut names = resources.fonts();
        for (name, id) in FONTS.iter().zip(fonts) {
            if let Some(id) = id {
                names.pair(Name(name.as_bytes()), id);
            }
        }
        names.finish();
        let mut names = resources.ext_g_states();
        for ((area, line), name) in &self.opacities {
            names
                .insert(Name(name.as_bytes()))
                .start::<pdf_writer::writers::ExtGraphicsState>()
                .non_stroking_alpha(f32::from(*area) / 1000.0)
                .stroking_alpha(f32::from(*line) / 1000.0);
        }
        names.finish();
        named(resources.x_objects(), 'I', &images);
        named(resources.shadings(), 'S', &gradients);
        resources.finish();
        written.finish();
        pdf.stream(content, &deflated(&self.content.finish())?)
            .filter(Filter::FlateDecode);
        for (font, id) in self.fonts.iter().zip(fonts) {
            if let Some(id) = id {
                font.write(&mut pdf, id, &mut next)?;
            }
        }
        for (pixels, id) in self.images.iter().zip(images) {
            pixels.write(&mut pdf, id, &mut next);
        }
        for (gradient, id) in self.gradients.iter().zip(gradients) {
            gradient.write(&mut pdf, id, &mut next);
        }
        Ok(pdf.finish())
    }
}

/// Names of the fonts in the page's resources.
const FONTS: [&str; 2] = ["F0", "F1"];

/// Adds resources named by a letter and their number.
fn named(mut names: pdf_writer::Dict, letter: char, ids: &[Ref]) {
    for (k, id) in ids.iter().enumerate() {
        names.pair(Name(format!("{letter}{k}").as_bytes()), *id);
    }
}

impl Gradient {
    fn write(&self, pdf: &mut Pdf, id: Ref, next: &mut Ref) {
        // The function covers the whole bar, wherever the first and the last stop are.
        let mut stops = self.stops.clone();
        if let (Some(first), Some(last)) = (stops.first().copied(), stops.last().copied()) {
            stops.insert(0, (0.0, first.1));
            stops.push((1.0, last.1));
            stops.dedup();
        }
        let parts: Vec<Ref> = stops
            .windows(2)
            .map(|pair| {
                let part = next.bump();
                pdf.exponential_function(part)
                    .domain([0.0, 1.0])
                    .c0(pair[0].1)
                    .c1(pair[1].1)
                    .n(1.0);
                part
            })
            .collect();
        let whole = next.bump();
        pdf.stitching_function(whole)
            .domain([0.0, 1.0])
            .bounds(
                stops
                    .iter()
                    .skip(1)
                    .take(parts.len().saturating_sub(1))
                    .map(|(at, _)| *at),
            )
            .encode(parts.iter().flat_map(|_| [0.0, 1.0]))
            .functions(parts.iter().copied());
        let mut shading = pdf.function_shading(id);
        shading
            .shading_type(FunctionShadingType::Axial)
            .coords([n(self.from), 0.0, n(self.to), 0.0])
            .function(whole)
            .extend([true, true]);
        shading.color_space().device_rgb();
    }
}

/// A length with no more digits than are visible.
fn n(value: f64) -> f32 {
    ((1e4 * value).round() / 1e4) as f32
}

fn matrix(parts: [f64; 6]) -> [f32; 6] {
    parts.map(|part| ((1e7 * part).round() / 1e7) as f32)
}

/// Width and height of a `viewBox` whose corner is the origin, as in all our pictures.
fn view_box(text: &str) -> Result<(f64, f64)> {
    let ViewBox { x, y, w, h } = ViewBox::from_str(text).map_err(|e| unreadable(&e.to_string()))?;
    if (x, y) != (0.0, 0.0) {
        return Err(unreadable("a `viewBox` that does not begin at 0"));
    }
    Ok((w, h))
}

/// Left, top, width and height of an element; percentages refer to the enclosing picture.
fn box_of(node: Node, place: Place) -> Result<[f64; 4]> {
    let part = |name: &str, whole: f64| match node.attribute(name).and_then(|text| text.strip_suffix('%')) {
        Some(percent) => Ok(whole * number(percent)? / 100.0),
        None => length(node, name),
    };
    Ok([
        part("x", place.width)?,
        part("y", place.height)?,
        part("width", place.width)?,
        part("height", place.height)?,
    ])
}

fn path(content: &mut Content, segments: &[SimplePathSegment]) {
    let mut at = (0.0, 0.0);
    for segment in segments {
        match *segment {
            SimplePathSegment::MoveTo { x, y } => {
                content.move_to(n(x), n(y));
                at = (x, y);
            }
            SimplePathSegment::LineTo { x, y } => {
                content.line_to(n(x), n(y));
                at = (x, y);
            }
            SimplePathSegment::CurveTo { x1, y1, x2, y2, x, y } => {
                content.cubic_to(n(x1), n(y1), n(x2), n(y2), n(x), n(y));
                at = (x, y);
            }
            SimplePathSegment::Quadratic { x1, y1, x, y } => {
                let third = |end: f64, control: f64| n(end + 2.0 / 3.0 * (control - end));
                let (u, v) = at;
                content.cubic_to(third(u, x1), third(v, y1), third(x, x1), third(y, y1), n(x), n(y));
                at = (x, y);
            }
            SimplePathSegment::ClosePath => {
                content.close_path();
            }
        }
    }
}

/// A rectangle with rounded corners, which is a circle where they meet.
fn round_rect(content: &mut Content, [x, y, width, height]: [f64; 4], radius: f64) {
    if radius <= 0.0 {
        content.rect(n(x), n(y), n(width), n(height));
        return;
    }
    let (right, bottom, control) = (x + width, y + height, (1.0 - QUARTER) * radius);
    let mut at = (x + radius, y);
    content.move_to(n(at.0), n(at.1));
    // Each side and the corner at its end: the point before it, two control points, and the point after it.
    for [from, first, second, to] in [
        [
            (right - radius, y),
            (right - control, y),
            (right, y + control),
            (right, y + radius),
        ],
        [
            (right, bottom - radius),
            (right, bottom - control),
            (right - control, bottom),
            (right - radius, bottom),
        ],
        [
            (x + radius, bottom),
            (x + control, bottom),
            (x, bottom - control),
            (x, bottom - radius),
        ],
        [(x, y + radius), (x, y + control), (x + control, y), (x + radius, y)],
    ] {
        if [n(from.0), n(from.1)] != [n(at.0), n(at.1)] {
            content.line_to(n(from.0), n(from.1));
        }
        content.cubic_to(n(first.0), n(first.1), n(second.0), n(second.1), n(to.0), n(to.1));
        at = to;
    }
    content.close_path();
}

/// The text of a `tspan`, which must have no child elements.
fn only_text<'a>(node: Node<'a, 'a>) -> Result<&'a str> {
    match node.tag_name().name() {
        "tspan" => Ok(node.text().unwrap_or_default()),
        name => Err(unreadable(&format!("an element `{name}` in a text"))),
    }
}

/// Collapses white space to single spaces.
fn with_single_spaces(text: &str) -> String {
    let mut single = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter.is_whitespace() {
            true if single.ends_with(' ') => {}
            true => single.push(' '),
            false => single.push(letter),
        }
    }
    single
}
