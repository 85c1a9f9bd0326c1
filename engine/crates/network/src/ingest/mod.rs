//! From the bytes of a case file to its module text and analysis network.

pub(crate) mod json_drop;

use powerio::{BalancedNetwork, PioModule, PioValue, Source};

use crate::analysis::{AnalysisNetwork, Warning};
use crate::error::{EngineError, Result};
use crate::formats;
use crate::input::{guard, text};
use crate::sha256::sha256_hex;
use crate::{assemble, matpower, message, module, switches};

/// A case: its module and derived data.
#[derive(Clone, Debug)]
pub struct Ingested {
    /// Generation-2 module text; equal input bytes give equal text on every platform.
    pub module_json: String,
    /// SHA-256 of `module_json` in lower-case hexadecimal: the identity of the case.
    pub sha256: String,
    pub network: AnalysisNetwork,
    /// Whether every active bus has a longitude and latitude.
    pub has_coords: bool,
    /// Warnings of the parser, followed by those of the analysis rules.
    pub warnings: Vec<Warning>,
}

/// Reads the bytes of a case file. `format` is a token of [`crate::format_of`] (`matpower`, `psse`, `powerworld`, `pwb`,
/// `pslf`, `ieee-cdf`, `ucte`, `xiidm`, `cgmes`), one of [`crate::JSON_FORMATS`], or `text` for a text whose content decides.
///
/// # Errors
/// `INPUT.EMPTY`, `INPUT.TOO_LARGE`, `INPUT.PACKED`, `INPUT.ENCODING`, `INPUT.FORMAT` for another format,
/// `INPUT.TRUNCATED`, `INPUT.NO_EQUIPMENT`, `INPUT.TABLE`, `INPUT.MATPOWER_SCRIPT`, `INPUT.REVISION` and
/// `INPUT.INCREMENTAL` (RAW), `INPUT.IMPLAUSIBLE` (PWB), `INPUT.TRANSFORMER` (EPC), `INPUT.CALCULATION` (GO Challenge
/// 3), `INPUT.PARSE` (refused by the parser, with its own code in `details`), and the errors of
/// [`crate::network_from_module`].
pub fn ingest_case(bytes: &[u8], format: &str) -> Result<Ingested> {
    finish(&parse(bytes, format)?)
}

/// Reads a generation-2 module and applies the analysis rules: the same network that [`crate::ingest_case`] returned with it.
///
/// # Errors
/// `MODULE.INVALID` if the text is not a generation-2 module, `MODULE.KIND` if it is not a balanced network,
/// `PHYSICS.UNSUPPORTED` for storage in service and HVDC converters of formats without `dcline`, and
/// `INPUT.*` for impossible values; messages name the element.
pub fn network_from_module(module_json: &str) -> Result<AnalysisNetwork> {
    assemble::analysis_network(&module::open(module_json)?)
}

fn parse(bytes: &[u8], format: &str) -> Result<PioModule<PioValue>> {
    guard::before_reading(bytes, format == "cgmes")?;
    let mut parsed = match format {
        "matpower" => read_matpower(bytes)?,
        other => formats::read(bytes, other)?,
    };
    switches::as_branches(&mut parsed);
    Ok(parsed)
}

/// A case file after parsing and checks: the steps of [`ingest_case`] separately, for timing.
#[derive(Clone, Debug)]
pub struct ParsedCase(PioModule<PioValue>);

impl ParsedCase {
    /// # Errors
    /// Those of [`ingest_case`] about the file.
    pub fn read(bytes: &[u8], format: &str) -> Result<Self> {
        parse(bytes, format).map(Self)
    }

    /// Applies the analysis rules.
    ///
    /// # Errors
    /// Those of [`crate::network_from_module`].
    pub fn network(&self) -> Result<AnalysisNetwork> {
        assemble::analysis_network(&self.0)
    }

    /// Writes the module.
    ///
    /// # Errors
    /// `MODULE.WRITE`.
    pub fn module_json(&self) -> Result<String> {
        module::write(&self.0)
    }
}

fn read_matpower(bytes: &[u8]) -> Result<PioModule<PioValue>> {
    let text = text::decode(bytes)?;
    let text = matpower::usual_comments(&text);
    let text = matpower::blank_block_comments(&text);
    let text = match matpower::as_version_2(&text)? {
        Some(rewritten) => rewritten.into(),
        None => text,
    };
    let (text, findings) = matpower::prepared(&text)?;
    let source = Source::from_memory("case.m", text.as_bytes()).map_err(|e| module::parse_error("INPUT.PARSE", &e))?;
    let mut parsed = powerio::parse(source).map_err(|e| module::parse_error("INPUT.PARSE", &e))?;
    formats::refuse_error_diagnostics(&parsed)?;
    compare_rows(module::balanced(&parsed)?, &findings.rows)?;
    if let (PioValue::BalancedNetwork(network), Some(name)) = (parsed.value_mut(), findings.case_name) {
        *network.name_mut() = name;
    }
    module::balanced_mut(&mut parsed)?
        .branches_mut()
        .extend(findings.switches);
    for warning in &findings.warnings {
        module::store_warning(&mut parsed, warning)?;
    }
    Ok(parsed)
}

/// Requires every row of a table to have become an element, however the file is written.
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
            let message = message!("matpower.rows_unread", table = table, rows = *rows, read = read);
            return Err(EngineError::new("INPUT.TABLE", message));
        }
    }
    Ok(())
}

/// Analysis network, module text and hash of a parsed module.
pub(crate) fn finish(parsed: &PioModule<PioValue>) -> Result<Ingested> {
    guard::after_reading(module::balanced(parsed)?)?;
    let mut network = assemble::analysis_network(parsed)?;
    let (module_json, reopened) = module::settled(parsed)?;
    if let Some(parsed) = reopened {
        network = assemble::analysis_network(&parsed)?;
    }
    module::refuse_unreadable(&module_json)?;
    Ok(Ingested {
        sha256: sha256_hex(module_json.as_bytes()),
        module_json,
        has_coords: network.has_coords(),
        warnings: network.warnings.clone(),
        network,
    })
}
