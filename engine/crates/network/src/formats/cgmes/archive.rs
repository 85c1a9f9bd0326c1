//! The XML documents of a set of profiles: a zip, or XML files one after another.

use std::io::{Cursor, Read};

use zip::result::ZipError;
use zip::ZipArchive;

use crate::error::{EngineError, Result};
use crate::input::guard::ZIP;
use crate::input::text;
use crate::message;

/// Most files in a zip, and bytes that they may unpack to: 256 MiB.
const MOST_FILES: usize = 64;
const LARGEST: u64 = 256 << 20;

fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(ZIP)
}

/// The texts of all documents. Names and folders in a zip have no meaning; a zip may contain zips of single documents.
///
/// # Errors
/// `INPUT.TOO_LARGE`, `INPUT.PACKED` for a zip that is damaged or of another kind, `INPUT.ENCODING`, `INPUT.FORMAT` without XML.
pub(super) fn documents(bytes: &[u8]) -> Result<Vec<String>> {
    let mut out = Vec::new();
    if is_zip(bytes) {
        let mut room = LARGEST;
        unpack(bytes, &mut room, true, &mut out)?;
    } else {
        split(&text::decode(bytes)?, &mut out);
    }
    match out.is_empty() {
        true => Err(EngineError::new("INPUT.FORMAT", message!("zip.no_xml"))),
        false => Ok(out),
    }
}

fn unpack(bytes: &[u8], room: &mut u64, is_outer: bool, out: &mut Vec<String>) -> Result<()> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|cause| damaged(&cause))?;
    if archive.len() > MOST_FILES || out.len() > MOST_FILES {
        return Err(EngineError::new(
            "INPUT.TOO_LARGE",
            message!("zip.too_many", most = MOST_FILES),
        ));
    }
    for row in 0..archive.len() {
        let file = archive.by_index(row).map_err(|cause| damaged(&cause))?;
        if !file.is_file() {
            continue;
        }
        let mut content = Vec::new();
        let mut limited = file.take(*room + 1);
        limited.read_to_end(&mut content).map_err(|cause| {
            let message = message!("zip.damaged", cause = cause.to_string());
            EngineError::new("INPUT.PACKED", message)
        })?;
        *room = match room.checked_sub(content.len() as u64) {
            Some(room) => room,
            None => return Err(EngineError::new("INPUT.TOO_LARGE", message!("zip.too_large"))),
        };
        if is_zip(&content) && is_outer {
            unpack(&content, room, false, out)?;
        } else if looks_like_xml(&content) {
            split(&text::decode(&content)?, out);
        }
    }
    Ok(())
}

fn damaged(cause: &ZipError) -> EngineError {
    EngineError::new("INPUT.PACKED", message!("zip.damaged", cause = cause.to_string()))
}

fn looks_like_xml(content: &[u8]) -> bool {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
    content.trim_ascii_start().starts_with(b"<")
}

/// Separates documents behind the end of each `RDF` element.
fn split(text: &str, out: &mut Vec<String>) {
    let mut rest = text;
    while let Some(end) = end_of_document(rest) {
        out.push(trimmed(&rest[..end]).to_string());
        rest = &rest[end..];
    }
    if !trimmed(rest).is_empty() {
        out.push(trimmed(rest).to_string());
    }
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

/// The position behind the first end of an `RDF` element.
fn end_of_document(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find("RDF>") {
        let end = from + at;
        let tag = text[..end].rfind('<').map(|start| &text[start..end]);
        from = end + "RDF>".len();
        if tag.is_some_and(|tag| tag.starts_with("</") && (tag == "</" || tag.ends_with(':'))) {
            return Some(from);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{documents, split};

    fn parts(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        split(text, &mut out);
        out
    }

    #[test]
    fn documents_end_with_their_root() {
        let both = "<?xml?><rdf:RDF>a RDF> b</rdf:RDF>\n\u{feff}<?xml?><r:RDF/>\n";
        assert_eq!(parts(both), ["<?xml?><rdf:RDF>a RDF> b</rdf:RDF>", "<?xml?><r:RDF/>"]);
        assert_eq!(parts("<RDF></RDF> "), ["<RDF></RDF>"]);
    }

    #[test]
    fn damaged_and_foreign_archives_are_refused_by_name() {
        let code = |bytes: &[u8]| documents(bytes).expect_err("refused").code;
        assert_eq!(code(b"PK\x03\x04rest"), "INPUT.PACKED");
    }
}
