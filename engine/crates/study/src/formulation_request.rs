//! Formulation and options of a Study, as requested.

use crate::contract as c;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::message::Message;

/// A formulation that Studies can have, and its options.
pub(crate) struct FormulationRequest {
    pub formulation: c::FormulationId,
    pub options: c::SolveOptions,
}

impl FormulationRequest {
    pub fn read(formulation: &str, options_json: &str) -> Result<Self> {
        let unavailable = |message: Message| EngineError::new("FORMULATION.UNAVAILABLE", message);
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
