//! Switches of pandapower networks: the reader leaves them out, which is right only for closed ones at a line or transformer.

use crate::error::{EngineError, Result};
use crate::message;
use serde_json::Value;

/// Refuses switches that change the network: open ones, and those between two buses.
///
/// # Errors
/// `PHYSICS.UNSUPPORTED` naming the row of the switch table.
pub(super) fn refuse_switches(text: &str) -> Result<()> {
    let Ok(document) = serde_json::from_str::<Value>(text) else {
        return Ok(()); // the parser says what is wrong
    };
    let Some(frame) = document.pointer("/_object/switch/_object") else {
        return Ok(());
    };
    // pandapower writes the table as JSON inside a string.
    let table = match frame {
        Value::String(inner) => serde_json::from_str(inner).unwrap_or(Value::Null),
        other => other.clone(),
    };
    let columns = table["columns"].as_array().map_or(&[][..], Vec::as_slice);
    let column = |name: &str| columns.iter().position(|c| c == name);
    let (Some(kind), Some(closed)) = (column("et"), column("closed")) else {
        return Ok(());
    };
    for (row, values) in table["data"].as_array().into_iter().flatten().enumerate() {
        let said = match (values[kind].as_str(), values[closed].as_bool()) {
            (Some("b"), _) => message!("pandapower.bus_switch", row = row),
            (_, Some(true)) => continue,
            _ => message!("pandapower.open_switch", row = row),
        };
        return Err(EngineError::new("PHYSICS.UNSUPPORTED", said));
    }
    Ok(())
}
