//! Images in a picture: PNG data URLs, converted to pixels of the PDF.

use crate::{deflated, unreadable};
use base64::prelude::{Engine, BASE64_STANDARD};
use pdf_writer::{Filter, Pdf, Ref};
use wattbook_network::Result;
use zune_core::options::DecoderOptions;
use zune_png::error::PngDecodeErrors;
use zune_png::PngDecoder;

const PNG: &str = "data:image/png;base64,";
/// Largest side of an image in pixels: more than a metre at 300 dpi.
const MOST_SIDE: usize = 16_384;

/// The pixels of an image, row by row from the top.
pub(crate) struct Pixels {
    width: i32,
    height: i32,
    /// Three bytes per pixel, deflated.
    colours: Vec<u8>,
    /// One byte per pixel, deflated; absent for an opaque image.
    alphas: Option<Vec<u8>>,
}

impl Pixels {
    /// Reads an image from a data URL. Errors: `INPUT.SVG` unless it holds a valid PNG.
    pub(crate) fn read(address: &str) -> Result<Self> {
        let data = address
            .strip_prefix(PNG)
            .ok_or_else(|| unreadable("an image is not the data of a PNG"))?;
        let bytes = BASE64_STANDARD
            .decode(data.trim())
            .map_err(|e| unreadable(&e.to_string()))?;
        let damaged = |e: PngDecodeErrors| unreadable(&format!("a PNG is damaged: {e:?}"));
        let options = DecoderOptions::default()
            .set_max_width(MOST_SIDE)
            .set_max_height(MOST_SIDE)
            .png_set_strip_to_8bit(true);
        let mut decoder = PngDecoder::new_with_options(&bytes, options);
        let pixels = decoder.decode_raw().map_err(damaged)?;
        let (Some((width, height)), Some(space)) = (decoder.get_dimensions(), decoder.get_colorspace()) else {
            return Err(unreadable("a PNG has no size"));
        };
        let parts = space.num_components();
        let is_grey = parts < 3;
        let colour = |pixel: &[u8]| {
            if is_grey {
                [pixel[0]; 3]
            } else {
                [pixel[0], pixel[1], pixel[2]]
            }
        };
        let colours: Vec<u8> = pixels.chunks_exact(parts).flat_map(colour).collect();
        let alphas: Vec<u8> = match space.has_alpha() {
            true => pixels.chunks_exact(parts).map(|pixel| pixel[parts - 1]).collect(),
            false => Vec::new(),
        };
        Ok(Self {
            width: width as i32,
            height: height as i32,
            colours: deflated(&colours)?,
            alphas: alphas
                .iter()
                .any(|alpha| *alpha < 255)
                .then(|| deflated(&alphas))
                .transpose()?,
        })
    }

    /// Writes the image; its mask takes a reference from `next`.
    pub(crate) fn write(&self, pdf: &mut Pdf, id: Ref, next: &mut Ref) {
        let mask = self.alphas.as_ref().map(|alphas| {
            let mask = next.bump();
            self.write_part(pdf, mask, alphas).color_space().device_gray();
            mask
        });
        let mut image = self.write_part(pdf, id, &self.colours);
        image.color_space().device_rgb();
        if let Some(mask) = mask {
            image.s_mask(mask);
        }
    }

    fn write_part<'a>(&self, pdf: &'a mut Pdf, id: Ref, bytes: &'a [u8]) -> pdf_writer::writers::ImageXObject<'a> {
        let mut image = pdf.image_xobject(id, bytes);
        image.filter(Filter::FlateDecode);
        image
            .width(self.width)
            .height(self.height)
            .bits_per_component(8)
            .interpolate(true);
        image
    }
}
