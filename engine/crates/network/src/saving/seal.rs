//! The seal of a solution module: a hash of its contents that detects later changes.

use powerio::{PioModule, PioValue};
use serde_json::Value;

use crate::error::Result;
use crate::module;
use crate::sha256::sha256_hex;

/// Name of the extension that holds it.
pub(super) const SEAL: &str = "wattbook.seal";

/// The text of a module with its seal.
pub(super) fn sealed(mut parsed: PioModule<PioValue>) -> Result<String> {
    let hash = hash(&mut parsed)?;
    put(&mut parsed, hash)?;
    module::write(&parsed)
}

/// Whether a module is unchanged since it was sealed. Clears its seal.
pub(super) fn is_intact(parsed: &mut PioModule<PioValue>) -> Result<bool> {
    let stored = parsed.extensions().get(SEAL).cloned();
    Ok(stored == Some(Value::String(hash(parsed)?)))
}

fn hash(parsed: &mut PioModule<PioValue>) -> Result<String> {
    put(parsed, String::new())?;
    Ok(sha256_hex(module::write(parsed)?.as_bytes()))
}

fn put(parsed: &mut PioModule<PioValue>, hash: String) -> Result<()> {
    let fail = |e: powerio::Error| module::parse_error("MODULE.WRITE", &e);
    parsed.insert_extension(SEAL, Value::String(hash)).map_err(fail)?;
    Ok(())
}
