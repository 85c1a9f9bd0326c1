//! Checks of a file before and after reading: too large, packed, empty, without equipment.

use powerio::BalancedNetwork;

use crate::error::{EngineError, Result};
use crate::message::amounts::plain;
use crate::message::Message;
use crate::{message, message_key};

/// Largest file, in bytes: 128 MiB (specification, Limits).
const LARGEST: usize = 128 << 20;
/// First bytes of a zip.
pub(crate) const ZIP: &[u8] = b"PK\x03\x04";
/// First bytes of archives and compressed files, with the key of their message.
const PACKED: [(&[u8], &str); 5] = [
    (ZIP, message_key!("file.packed_zip")),
    (b"PK\x05\x06", message_key!("file.packed_empty_zip")),
    (b"\x1f\x8b", message_key!("file.packed_gzip")),
    (b"7z\xbc\xaf\x27\x1c", message_key!("file.packed_7z")),
    (b"BZh", message_key!("file.packed_bzip2")),
];

/// Refuses files that no reader should get; a zip may be one of `archives`.
///
/// # Errors
/// `INPUT.EMPTY`, `INPUT.TOO_LARGE`, `INPUT.PACKED`.
pub(crate) fn before_reading(bytes: &[u8], archives: bool) -> Result<()> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(EngineError::new("INPUT.EMPTY", message!("file.empty")));
    }
    if bytes.len() > LARGEST {
        let message = message!("file.too_large", size = plain((bytes.len() >> 20) as f64, "MiB"));
        return Err(EngineError::new("INPUT.TOO_LARGE", message));
    }
    let is_packed = |(magic, _): &&(&[u8], &str)| bytes.starts_with(magic);
    match PACKED
        .iter()
        .find(is_packed)
        .filter(|(magic, _)| !(archives && *magic == ZIP))
    {
        Some((_, key)) => Err(EngineError::new("INPUT.PACKED", Message::of_key(key))),
        None => Ok(()),
    }
}

/// Refuses a network without possible flows: files with positions only, and files that end before their equipment.
///
/// # Errors
/// `INPUT.EMPTY` without a bus, `INPUT.NO_EQUIPMENT` without any load, generator, branch or transformer, or with
/// several unconnected buses.
pub(crate) fn after_reading(net: &BalancedNetwork) -> Result<()> {
    if net.buses().is_empty() {
        return Err(EngineError::new("INPUT.EMPTY", message!("file.no_buses")));
    }
    let connected = net.branches().len() + net.transformers_3w().len() + net.switches().len() + net.hvdc().len();
    let powered = net.loads().len() + net.generators().len() + net.storage().len();
    let several = net.buses().len() > 1;
    if (several && connected == 0) || connected + powered == 0 {
        let count = net.buses().len();
        let message = match net.buses().iter().any(|b| b.location.is_some()) {
            true => message!("file.positions_only", count = count),
            false => message!("file.no_equipment", count = count),
        };
        return Err(EngineError::new("INPUT.NO_EQUIPMENT", message));
    }
    Ok(())
}
