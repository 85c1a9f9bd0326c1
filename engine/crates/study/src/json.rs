//! JSON of the contract's types, out and in.

use wattbook_network::error::EngineError;
use wattbook_network::message;

/// Serialises a contract value. These types hold finite numbers, strings and lists only, so it cannot fail; were it to, the
/// text says so instead of hiding it.
pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|e| {
        let sentence = r#"{"key":"client.engine_failed"}"#;
        format!("{{\"code\":\"INTERNAL\",\"message\":\"not serialisable: {e}\",\"sentence\":{sentence}}}")
    })
}

/// Reads a JSON argument; the empty text and `null` mean the default.
pub(crate) fn from_json<T: serde::de::DeserializeOwned + Default>(what: &str, text: &str) -> Result<T, EngineError> {
    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed == "null" {
        return Ok(T::default());
    }
    serde_json::from_str(trimmed).map_err(|e| {
        // Requests are written by programs: where in the text it is means nothing to people.
        let told = e.to_string();
        let place = format!(" at line {} column {}", e.line(), e.column());
        let cause = told.strip_suffix(&place).unwrap_or(&told);
        EngineError::new(
            "INPUT.REQUEST",
            message!("request.unreadable", what = what, cause = cause),
        )
        .with_details(serde_json::json!({ "line": e.line(), "column": e.column() }))
    })
}
