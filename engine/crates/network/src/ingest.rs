//! From the bytes of a case file to its module text and analysis network.

use powerio::{BalancedNetwork, DiagnosticSeverity, PioModule, PioValue, Source};
use sha2::{Digest, Sha256};
use std::borrow::Cow;

use crate::analysis::{AnalysisNetwork, Warning};
use crate::error::{EngineError, Result};
use crate::{assemble, matpower, module};

/// A case that was read: its retained module and what is derived from it.
#[derive(Clone, Debug)]
pub struct Ingested {
    /// Generation-2 module text; equal input bytes give equal text on every platform.
    pub module_json: String,
    /// SHA-256 of `module_json` in lower-case hexadecimal: the identity of the case.
    pub sha256: String,
    pub network: AnalysisNetwork,
    /// Every bus that takes part has a longitude and latitude.
    pub has_coords: bool,
    /// What the parser and the analysis rules had to say, in that order.
    pub warnings: Vec<Warning>,
}

/// Reads the bytes of a case file. `format` is a token of [`crate::format_of`].
///
/// # Errors
/// `INPUT.EMPTY`, `INPUT.ENCODING`, `INPUT.FORMAT` for a format that cannot be read yet, `INPUT.TRUNCATED`,
/// `INPUT.MATPOWER_SCRIPT`, `INPUT.TABLE`, `INPUT.PARSE` (anything the parser refused, its own code in `details`), and
/// everything [`crate::network_from_module`] refuses.
pub fn ingest_case(bytes: &[u8], format: &str) -> Result<Ingested> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(EngineError::new("INPUT.EMPTY", "The file is empty."));
    }
    match format {
        "matpower" => ingest_matpower(bytes),
        "psse" | "powerworld" | "pwb" | "pslf" => Err(EngineError::new(
            "INPUT.FORMAT",
            format!("Files of format `{format}` cannot be read yet; save the case as MATPOWER `.m`."),
        )),
        other => Err(EngineError::new(
            "INPUT.FORMAT",
            format!("`{other}` is not a format of balanced case files."),
        )),
    }
}

fn ingest_matpower(bytes: &[u8]) -> Result<Ingested> {
    let text = decode(bytes)?;
    let text = matpower::blank_block_comments(&text);
    let findings = matpower::inspect(&text)?;
    let source = Source::from_memory("case.m", text.as_bytes()).map_err(|e| module::parse_error("INPUT.PARSE", &e))?;
    let mut parsed = powerio::parse(source).map_err(|e| module::parse_error("INPUT.PARSE", &e))?;
    refuse_error_diagnostics(&parsed)?;
    let skipped = parsed
        .diagnostics()
        .iter()
        .any(|d| d.code() == "READ.MATPOWER.INDEXED_ASSIGNMENT");
    if let (true, Some((line, table))) = (skipped, findings.indexed_assignments.first()) {
        let message = format!(
            "Line {line}: a statement changes `mpc.{table}` and cannot be evaluated; run the file and save the case."
        );
        return Err(EngineError::new("INPUT.MATPOWER_SCRIPT", message));
    }
    compare_rows(module::balanced(&parsed)?, &findings.rows)?;
    if let (PioValue::BalancedNetwork(network), Some(name)) = (parsed.value_mut(), findings.case_name) {
        *network.name_mut() = name;
    }
    for warning in &findings.warnings {
        module::store_warning(&mut parsed, warning)?;
    }
    finish(&parsed)
}

/// Every row of a table must have become an element, whatever way the file is written in.
fn compare_rows(net: &BalancedNetwork, tables: &[(String, usize)]) -> Result<()> {
    for (table, rows) in tables {
        let read = match table.as_str() {
            "bus" => net.buses().len(),
            "gen" => net.generators().len(),
            "branch" => net.branches().len(),
            "dcline" => net.hvdc().len(),
            "storage" => net.storage().len(),
            _ => continue,
        };
        if read != *rows {
            let message = format!("`mpc.{table}` has {rows} rows, of which {read} could be read.");
            return Err(EngineError::new("INPUT.TABLE", message));
        }
    }
    Ok(())
}

/// Analysis network, module text and hash of a parsed module.
fn finish(parsed: &PioModule<PioValue>) -> Result<Ingested> {
    let network = assemble::analysis_network(parsed)?;
    let module_json = module::write(parsed)?;
    Ok(Ingested {
        sha256: hex_sha256(module_json.as_bytes()),
        module_json,
        has_coords: network.has_coords(),
        warnings: network.warnings.clone(),
        network,
    })
}

/// UTF-8 with or without a byte order mark; anything else is taken as Latin-1, which older tools write.
fn decode(bytes: &[u8]) -> Result<Cow<'_, str>> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) || bytes.contains(&0) {
        let message = "The file is not plain text (UTF-16 or binary); save it as UTF-8.";
        return Err(EngineError::new("INPUT.ENCODING", message));
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&b| char::from(b)).collect()),
    })
}

/// The parser may answer `Ok` with diagnostics of Error severity: those are failures all the same.
fn refuse_error_diagnostics(parsed: &PioModule<PioValue>) -> Result<()> {
    match parsed
        .diagnostics()
        .iter()
        .find(|d| d.severity() == DiagnosticSeverity::Error)
    {
        Some(d) => {
            Err(EngineError::new("INPUT.PARSE", d.message())
                .with_details(serde_json::json!({ "parser_code": d.code() })))
        }
        None => Ok(()),
    }
}

fn hex_sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}
