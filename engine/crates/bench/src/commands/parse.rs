//! `parse`: from the bytes of a case file to its module text and back, step by step.

use super::timing::least;
use crate::Outcome;
use serde_json::json;
use std::path::Path;
use wattbook_network::{format_of, ingest_case, network_from_module, ParsedCase};

/// Times one file: `parse` (bytes to the parser's network), `analysis` (its rules), `write` (module text and hash),
/// `total` (all three together, as in `ingest_case`) and `read` (module text to analysis network). A refused file
/// reports its code.
pub(crate) fn file(path: &Path, repeats: usize) -> Outcome {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(format) = format_of(&name) else {
        return Err(format!("{} is no case file", path.display()));
    };
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let (case, total) = least(repeats, || ingest_case(&bytes, format));
    let line = match case {
        Err(error) => json!({ "file": path, "bytes": bytes.len(), "refused": error.code }),
        Ok(case) => {
            let failed = |e: wattbook_network::EngineError| format!("{}: {e}", path.display());
            let (parsed, parse) = least(repeats, || ParsedCase::read(&bytes, format));
            let parsed = parsed.map_err(failed)?;
            let (network, analysis) = least(repeats, || parsed.network());
            network.map_err(failed)?;
            let (text, write) = least(repeats, || parsed.module_json());
            if text.map_err(failed)? != case.module_json {
                return Err(format!("{}: the steps give another module", path.display()));
            }
            let (network, read) = least(repeats, || network_from_module(&case.module_json));
            network.map_err(failed)?;
            json!({
                "file": path,
                "bytes": bytes.len(),
                "n_bus": case.network.n_canonical_buses,
                "module_bytes": case.module_json.len(),
                "sha256": case.sha256,
                "parse_ms": parse,
                "analysis_ms": analysis,
                "write_ms": write,
                "total_ms": total,
                "read_ms": read,
            })
        }
    };
    println!("{line}");
    Ok(())
}
