//! Formulation and options of a Study, as they are asked for.

use crate::contract as c;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;

/// A formulation that has Studies, and options for it.
pub(crate) struct Asked {
    pub formulation: c::FormulationId,
    pub options: c::SolveOptions,
}

impl Asked {
    pub fn read(formulation: &str, options_json: &str) -> Result<Self> {
        let unavailable = |said: Message| EngineError::new("FORMULATION.UNAVAILABLE", said);
        let formulation = serde_json::from_value(serde_json::Value::from(formulation)).map_err(|_| {
            unavailable(message!(
                "formulation.unknown",
                formulation = format!("{formulation:?}")
            ))
        })?;
        let options = crate::json::from_json("options", options_json)?;
        Ok(Self { formulation, options })
    }
}
