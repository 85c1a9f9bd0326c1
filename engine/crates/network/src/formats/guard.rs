//! What can be said about a file before and after any reader: too large, packed, empty, without equipment.

use powerio::BalancedNetwork;

use crate::error::{EngineError, Result};

/// Largest file, in bytes: 128 MiB (specification, Limits).
const LARGEST: usize = 128 << 20;
/// First bytes of archives and compressed files, and their names.
const PACKED: [(&[u8], &str); 5] = [
    (b"PK\x03\x04", "zip archive"),
    (b"PK\x05\x06", "empty zip archive"),
    (b"\x1f\x8b", "gzip file"),
    (b"7z\xbc\xaf\x27\x1c", "7z archive"),
    (b"BZh", "bzip2 file"),
];

/// Refuses what no reader should see.
///
/// # Errors
/// `INPUT.EMPTY`, `INPUT.TOO_LARGE`, `INPUT.PACKED`.
pub(crate) fn before_reading(bytes: &[u8]) -> Result<()> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(EngineError::new("INPUT.EMPTY", "The file is empty."));
    }
    if bytes.len() > LARGEST {
        let message = format!("The file has {} MiB; the limit is 128.", bytes.len() >> 20);
        return Err(EngineError::new("INPUT.TOO_LARGE", message));
    }
    match PACKED.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        Some((_, what)) => {
            let message = format!("The file is a {what}; unpack it first.");
            Err(EngineError::new("INPUT.PACKED", message))
        }
        None => Ok(()),
    }
}

/// Refuses a network in which nothing can flow: files that only carry positions, and files cut off before their equipment.
///
/// # Errors
/// `INPUT.EMPTY` without a bus, `INPUT.NO_EQUIPMENT` without any load, generator, branch or transformer, or with several
/// buses that nothing connects.
pub(crate) fn after_reading(net: &BalancedNetwork) -> Result<()> {
    if net.buses().is_empty() {
        return Err(EngineError::new("INPUT.EMPTY", "The case has no buses."));
    }
    let connected = net.branches().len() + net.transformers_3w().len() + net.switches().len() + net.hvdc().len();
    let powered = net.loads().len() + net.generators().len() + net.storage().len();
    let several = net.buses().len() > 1;
    if (several && connected == 0) || connected + powered == 0 {
        let hint = match net.buses().iter().any(|b| b.location.is_some()) {
            true => " Its positions can be applied to a case as a geographic layer.",
            false => "",
        };
        let message = format!(
            "The file has {} buses and nothing that connects them: it carries no network, or it is cut off.{hint}",
            net.buses().len()
        );
        return Err(EngineError::new("INPUT.NO_EQUIPMENT", message));
    }
    Ok(())
}
