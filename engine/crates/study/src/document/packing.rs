//! Bytes of a Study file, plain or gzip, to text and back.

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use flate2::Compression;
use std::borrow::Cow;
use std::io::{Read, Write};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// Largest size of a file in bytes, also after decompression: 128 MiB, as for every file.
const LARGEST: usize = 128 << 20;
const GZIP: &[u8] = b"\x1f\x8b";

/// The text of a file.
///
/// Errors: `STUDY_FILE.EMPTY`, `STUDY_FILE.TOO_LARGE`, `STUDY_FILE.GZIP`, `STUDY_FILE.TEXT`.
pub(super) fn unpacked(bytes: &[u8]) -> Result<Cow<'_, str>> {
    let too_large = || EngineError::new("STUDY_FILE.TOO_LARGE", message!("study_file.too_large"));
    if bytes.len() > LARGEST {
        return Err(too_large());
    }
    let bytes: Cow<'_, [u8]> = match bytes.starts_with(GZIP) {
        false => bytes.into(),
        true => {
            let mut out = Vec::new();
            // Decompression stops one byte above the limit, whatever the size of the content.
            let mut limited = MultiGzDecoder::new(bytes).take(LARGEST as u64 + 1);
            limited.read_to_end(&mut out).map_err(|cause| {
                EngineError::new(
                    "STUDY_FILE.GZIP",
                    message!("study_file.gzip", cause = cause.to_string()),
                )
            })?;
            if out.len() > LARGEST {
                return Err(too_large());
            }
            out.into()
        }
    };
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(EngineError::new("STUDY_FILE.EMPTY", message!("study_file.empty")));
    }
    let not_text = |_| EngineError::new("STUDY_FILE.TEXT", message!("study_file.text"));
    Ok(match bytes {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes).map_err(not_text)?.into(),
        Cow::Owned(bytes) => String::from_utf8(bytes).map_err(|e| not_text(e.utf8_error()))?.into(),
    })
}

/// The bytes of a file. Gzip headers have no name and no time, so equal texts give equal bytes.
///
/// Errors: `STUDY_FILE.TOO_LARGE`.
pub(super) fn packed(text: String, gzip: bool) -> Result<Vec<u8>> {
    if text.len() > LARGEST {
        return Err(EngineError::new(
            "STUDY_FILE.TOO_LARGE",
            message!("study_file.too_large"),
        ));
    }
    if !gzip {
        return Ok(text.into_bytes());
    }
    let failed = |cause: std::io::Error| {
        EngineError::new(
            "STUDY_FILE.GZIP",
            message!("study_file.gzip", cause = cause.to_string()),
        )
    };
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).map_err(failed)?;
    encoder.finish().map_err(failed)
}
