//! The parser's writers of balanced networks.

use powerio::{BalancedNetwork, Destination, DiagnosticSeverity, EmittedOutput, PioModule};

use crate::analysis::Warning;
use crate::error::{EngineError, Result};
use crate::sentences::recognised::is_restored_by_appendix;
use crate::sentences::{loss_with_code, sentence};
use crate::{message, message_key, module};

/// A network in another format, with its losses. Only the balanced writers are used, since `powerio::emit` would link
/// those of every other kind of value.
///
/// # Errors
/// `EXPORT.FORMAT`, `EXPORT.REFUSED`.
pub(super) fn emit(balanced: &PioModule<BalancedNetwork>, format: &str) -> Result<(Vec<u8>, Vec<Warning>)> {
    let refused = |e: powerio::Error| module::parse_error("EXPORT.REFUSED", &e);
    let Some(target) = powerio_tx::format::parse_target_format(format) else {
        return Err(EngineError::new(
            "EXPORT.FORMAT",
            message!("export.format", format = format),
        ));
    };
    let destination = Destination::memory("case").map_err(refused)?;
    let result = powerio_tx::emit(balanced, target, destination).map_err(refused)?;
    let mut warnings = Vec::new();
    for d in result.diagnostics() {
        match d.severity() {
            DiagnosticSeverity::Error => {
                return Err(EngineError::new(
                    "EXPORT.REFUSED",
                    sentence(message_key!("export.refused", cause), d.message()),
                )
                .with_details(serde_json::json!({ "parser_code": d.code() })))
            }
            _ if is_restored_by_appendix(d) => {}
            severity if severity >= DiagnosticSeverity::Warning => {
                warnings.push(Warning::new("EXPORT.LOSS", loss_with_code(d)))
            }
            _ => {}
        }
    }
    let mut artifacts = match result.into_output() {
        EmittedOutput::Memory { artifacts } => artifacts.into_iter(),
        _ => return Err(EngineError::new("EXPORT.REFUSED", message!("export.not_written"))),
    };
    match (artifacts.next(), artifacts.next()) {
        (Some(only), None) => Ok((only.into_bytes(), warnings)),
        _ => Err(EngineError::new("EXPORT.FORMAT", message!("export.folder"))),
    }
}
