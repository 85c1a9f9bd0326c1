//! The contract's types to JSON and back.

use crate::contract as c;
use wattbook_network::error::EngineError;
use wattbook_network::message;

/// Serialises a contract value. These types hold finite numbers, strings and lists only, so this cannot fail; if it
/// ever did, the text would contain the error instead of hiding it.
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
        // The position in the text is of no use in a message: programs write requests.
        let message = match misread_field::<T>(trimmed) {
            Some((field, cause)) => message!("request.unreadable_field", what = what, field = field, cause = cause),
            None => message!("request.unreadable", what = what, cause = cause(&e)),
        };
        let details = serde_json::json!({ "line": e.line(), "column": e.column() });
        EngineError::new("INPUT.REQUEST", message).with_details(details)
    })
}

/// Reads a `SolveRequest`; an error in its options names the option.
///
/// Errors: `INPUT.REQUEST`.
pub(crate) fn solve_request(text: &str) -> Result<c::SolveRequest, EngineError> {
    from_json("request", text).map_err(|error| {
        let whole: Option<serde_json::Value> = serde_json::from_str(text).ok();
        let options = whole.map(|request| request["options"].to_string());
        let in_options = options.and_then(|text| from_json::<c::SolveOptions>("options", &text).err());
        in_options.unwrap_or(error)
    })
}

/// The field of an object that cannot be read, and why.
fn misread_field<T: serde::de::DeserializeOwned>(text: &str) -> Option<(String, String)> {
    let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
    fields.into_iter().find_map(|(field, value)| {
        let alone = serde_json::Map::from_iter([(field.clone(), value)]);
        let error = serde_json::from_value::<T>(alone.into()).err()?;
        let cause = cause(&error);
        // Missing and unknown fields are not errors of this field's value.
        let is_of_value = !cause.starts_with("missing field") && !cause.starts_with("unknown field");
        is_of_value.then_some((field, cause))
    })
}

/// serde's message without the position and without Rust terms.
fn cause(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&place).unwrap_or(&text);
    let Some((found, expected)) = text
        .strip_prefix("invalid type: ")
        .and_then(|of_type| of_type.rsplit_once(", expected "))
    else {
        return text.to_owned();
    };
    let expected = match expected {
        "f64" => "a number",
        "u8" | "u32" | "u64" | "usize" | "i32" | "i64" => "a whole number",
        "a boolean" => "true or false",
        other => other,
    };
    format!("{found} where {expected} is expected")
}

#[cfg(test)]
mod tests {
    use super::from_json;

    #[derive(Debug, Default, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Request {
        size: Option<f64>,
        count: Option<u32>,
        is_wide: Option<bool>,
    }

    #[test]
    fn invalid_values_are_named_with_the_expected_type() {
        for (text, says) in [
            (
                r#"{"size":"1.03","count":2}"#,
                "`size`: string \"1.03\" where a number is expected",
            ),
            (
                r#"{"size":1,"count":true}"#,
                "`count`: boolean `true` where a whole number is expected",
            ),
            (
                r#"{"is_wide":1}"#,
                "`is_wide`: integer `1` where true or false is expected",
            ),
            (r#"{"sise":1}"#, "unknown field `sise`, expected one of"),
            ("[", "EOF"),
        ] {
            let error = from_json::<Request>("options", text).expect_err(text);
            assert!(error.message().contains(says), "{text}: {error}");
        }
    }
}
