//! Generation-2 module texts: reading and writing through the parser's own serialisation.

use powerio::{
    BalancedNetwork, Destination, Diagnostic, DiagnosticCode, DiagnosticSeverity, EmittedOutput, PioModule, PioValue,
    Source,
};

use crate::analysis::{AnalysisNetwork, Warning};
use crate::assemble;
use crate::error::{EngineError, Result};
use crate::geo::store;
use crate::sentences::told;

/// Prefix of our own diagnostics inside a module; the parser's have none.
pub(crate) const OWN_CODES: &str = "WATTBOOK.";
/// Codes of the fence warnings that a module keeps.
pub(crate) const STORED_CODES: [&str; 7] = [
    "COST.NO_TABLE",
    "COST.NOT_IN_FORMAT",
    "COST.REACTIVE_IGNORED",
    "GEO.OUT_OF_RANGE",
    "INPUT.FIELD_IGNORED",
    "INPUT.STAR_IN_FILE",
    "INPUT.STATUS_NOT_IN_FORMAT",
];

/// Reads a generation-2 module and applies the analysis rules: the same network that [`crate::ingest_case`] returned with it.
///
/// # Errors
/// `MODULE.INVALID` when the text is no generation-2 module, `MODULE.KIND` when it holds something else than a balanced
/// network, `PHYSICS.UNSUPPORTED` for closed switches, in-service storage and in-service HVDC, and `INPUT.*` for values no
/// network can have; the element is named.
pub fn network_from_module(module_json: &str) -> Result<AnalysisNetwork> {
    let source = Source::from_memory("case.module.json", module_json.as_bytes())
        .map_err(|e| parse_error("MODULE.INVALID", &e))?;
    let module = powerio::deserialize(source).map_err(|e| parse_error("MODULE.INVALID", &e))?;
    assemble::analysis_network(&module)
}

/// The balanced network of a module.
pub(crate) fn balanced(module: &PioModule<PioValue>) -> Result<&BalancedNetwork> {
    match module.value() {
        PioValue::BalancedNetwork(network) => Ok(network),
        other => {
            let message = format!("The module holds a `{}`, not a balanced network.", other.type_name());
            Err(EngineError::new("MODULE.KIND", message))
        }
    }
}

/// The module as text. It carries no clock and no path, so that equal input gives equal text.
pub(crate) fn write(module: &PioModule<PioValue>) -> Result<String> {
    let fail = |what: String| EngineError::new("MODULE.WRITE", told(&what));
    let destination = Destination::memory("case").map_err(|e| fail(e.to_string()))?;
    let emitted = powerio::serialize(module, destination).map_err(|e| fail(e.to_string()))?;
    let EmittedOutput::Memory { artifacts } = emitted.into_output() else {
        return Err(fail("the module was not written to memory".into()));
    };
    let artifact = artifacts
        .into_iter()
        .next()
        .ok_or_else(|| fail("the module has no text".into()))?;
    String::from_utf8(artifact.into_bytes()).map_err(|e| fail(e.to_string()))
}

/// Numbers that are not finite are checked where they take part. In rows out of service they are written as words, and a
/// few fields cannot be read as words again: such a module would be refused by the next session that opens it.
///
/// # Errors
/// `INPUT.NOT_FINITE`.
pub(crate) fn refuse_unreadable(module_json: &str) -> Result<()> {
    const WORDS: [&str; 3] = ["\"Infinity\"", "\"-Infinity\"", "\"NaN\""];
    const LIMITS: [&str; 4] = ["\"pmax\"", "\"pmin\"", "\"qmax\"", "\"qmin\""];
    let reads_back = |line: &str| LIMITS.iter().any(|limit| line.starts_with(limit));
    let written = |line: &str| WORDS.iter().any(|word| line.contains(word)) && !reads_back(line.trim_start());
    if !module_json.lines().any(written) || store::open(module_json).is_ok() {
        return Ok(());
    }
    let message = "A load, shunt or other element that is out of service has a value that is no finite number.";
    Err(EngineError::new("INPUT.NOT_FINITE", message))
}

/// A parser failure under our code; the parser's own code goes to `details.parser_code`.
pub(crate) fn parse_error(code: &'static str, error: &powerio::Error) -> EngineError {
    let first = error.diagnostics().first();
    let message = first.map_or_else(|| told(&error.to_string()), |d| told(d.message()));
    let parser_code = first.map(|d| d.code().to_string());
    EngineError::new(code, message).with_details(serde_json::json!({ "parser_code": parser_code }))
}

/// Keeps a fence warning in the module, so that whoever opens the module later is told as well.
pub(crate) fn store_warning(module: &mut PioModule<PioValue>, warning: &Warning) -> Result<()> {
    let fail = |e: powerio::Error| EngineError::new("MODULE.WRITE", told(&e.to_string()));
    let code = DiagnosticCode::new(format!("{OWN_CODES}{}", warning.code)).map_err(fail)?;
    let diagnostic = Diagnostic::new(code, DiagnosticSeverity::Warning, warning.message.clone());
    module.add_diagnostic(diagnostic).map_err(fail)
}
