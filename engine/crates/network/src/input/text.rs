//! Bytes as text.

use std::borrow::Cow;

use crate::error::{EngineError, Result};
use crate::message;

/// Decodes UTF-8 with or without a byte order mark, and anything else as Latin-1, which older tools write.
///
/// # Errors
/// `INPUT.ENCODING` for UTF-16 and binary files.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) || bytes.contains(&0) {
        return Err(EngineError::new("INPUT.ENCODING", message!("file.encoding")));
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&b| char::from(b)).collect()),
    })
}
