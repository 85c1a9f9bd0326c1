//! Generation-2 module texts: reading and writing through the parser's own serialisation.

use std::borrow::Cow;

use powerio::{
    BalancedNetwork, Destination, Diagnostic, DiagnosticCode, DiagnosticSeverity, EmittedOutput, PioModule, PioValue,
    Source,
};

use crate::analysis::Warning;
use crate::error::{EngineError, Result};
use crate::message::pieces::clean;
use crate::message::{visible, Message, Value};
use crate::sentences::sentence;
use crate::{assumed_costs, matpower, message, message_key, switches};

/// Prefix of this crate's diagnostics inside a module; those of the parser have none.
pub(crate) const OWN_CODES: &str = "WATTBOOK.";
/// A text that only multiconductor modules contain.
const MULTICONDUCTOR: &str = "powerio.MulticonductorNetwork";
/// Codes of the warnings that a module stores.
pub(crate) const STORED_CODES: [&str; 14] = [
    "COST.ASSUMED",
    "COST.FUEL_UNKNOWN",
    "COST.NO_TABLE",
    "COST.NOT_IN_FORMAT",
    "COST.REACTIVE_IGNORED",
    "GEO.OUT_OF_RANGE",
    "INPUT.COMPANION",
    "INPUT.FIELD_IGNORED",
    "INPUT.HELD",
    "INPUT.LEFT_OUT",
    "INPUT.LIMITS_NOT_IN_FORMAT",
    "INPUT.NUMBERS",
    "INPUT.STAR_IN_FILE",
    "INPUT.STATUS_NOT_IN_FORMAT",
];

/// A module text without forbidden characters in names. Every function here reads a module in this form, so the hash of
/// this text is the identity of the case.
///
/// # Errors
/// `MODULE.INVALID` if names differ by such characters only.
pub fn clean_module(module_json: String) -> Result<String> {
    Ok(match cleaned(&module_json, "MODULE.INVALID")? {
        Cow::Owned(clean) => clean,
        Cow::Borrowed(_) => module_json,
    })
}

/// Opens a module text. Its switches are branches.
///
/// # Errors
/// `MODULE.INVALID`, also if names differ only by forbidden characters.
pub(crate) fn open(module_json: &str) -> Result<PioModule<PioValue>> {
    let invalid = |e: powerio::Error| parse_error("MODULE.INVALID", &e);
    let text = cleaned(module_json, "MODULE.INVALID")?;
    let source = Source::from_memory("case.module.json", text.as_bytes()).map_err(invalid)?;
    let mut module = powerio::deserialize(source).map_err(invalid)?;
    switches::as_branches(&mut module);
    Ok(module)
}

/// # Errors
/// `code` if names differ only by forbidden characters.
fn cleaned<'a>(module_json: &'a str, code: &'static str) -> Result<Cow<'a, str>> {
    let clean = visible::module_text(module_json);
    let merged = match clean {
        Cow::Borrowed(_) => None,
        Cow::Owned(_) => visible::merged(module_json, !module_json.contains(MULTICONDUCTOR)),
    };
    match merged {
        None => Ok(clean),
        Some(name) => Err(EngineError::new(code, message!("file.names_merge", name = name))),
    }
}

/// The balanced network of a module.
pub(crate) fn balanced(module: &PioModule<PioValue>) -> Result<&BalancedNetwork> {
    match module.value() {
        PioValue::BalancedNetwork(network) => Ok(network),
        other => Err(not_balanced(other)),
    }
}

fn not_balanced(value: &PioValue) -> EngineError {
    let holds = value.type_name();
    EngineError::new("MODULE.KIND", message!("module.not_balanced", kind = holds))
        .with_details(serde_json::json!({ "holds": holds }))
}

/// The balanced network of a module, mutable.
///
/// # Errors
/// `MODULE.KIND` if the module contains another kind of network.
pub(crate) fn balanced_mut(module: &mut PioModule<PioValue>) -> Result<&mut BalancedNetwork> {
    match module.value_mut() {
        PioValue::BalancedNetwork(network) => Ok(network),
        other => Err(not_balanced(other)),
    }
}

/// The module as text, and the module itself again if names in it had to be changed, since everything else is derived
/// from that one.
/// # Errors
/// `MODULE.WRITE`; `INPUT.DUPLICATE_ELEMENT` if names differ only by forbidden characters.
pub(crate) fn settled(module: &PioModule<PioValue>) -> Result<(String, Option<PioModule<PioValue>>)> {
    let text = serialized(module)?;
    const MERGED: &str = "INPUT.DUPLICATE_ELEMENT";
    let reopened = match cleaned(&text, MERGED)? {
        Cow::Borrowed(_) => None,
        Cow::Owned(clean) => Some(open(&clean).map_err(|e| EngineError { code: MERGED, ..e })?),
    };
    match reopened {
        None => Ok((text, None)),
        Some(module) => Ok((write(&module)?, Some(module))),
    }
}

/// The module as text, without times and paths, so that equal input gives equal text.
pub(crate) fn write(module: &PioModule<PioValue>) -> Result<String> {
    clean_module(serialized(module)?)
}

fn serialized(module: &PioModule<PioValue>) -> Result<String> {
    let destination = Destination::memory("case").map_err(not_written)?;
    let emitted = powerio::serialize(module, destination).map_err(not_written)?;
    let artifact = match emitted.into_output() {
        EmittedOutput::Memory { artifacts } => artifacts.into_iter().next(),
        _ => None,
    };
    let empty = || EngineError::new("MODULE.WRITE", message!("module.no_text"));
    String::from_utf8(artifact.ok_or_else(empty)?.into_bytes()).map_err(not_written)
}

/// Refuses modules that cannot be read again. Numbers that are not finite are checked in active rows; in rows out of
/// service they are written as words, which the parser cannot read in a few fields.
///
/// # Errors
/// `INPUT.NOT_FINITE`.
pub(crate) fn refuse_unreadable(module_json: &str) -> Result<()> {
    const WORDS: [&str; 3] = ["\"Infinity\"", "\"-Infinity\"", "\"NaN\""];
    const LIMITS: [&str; 4] = ["\"pmax\"", "\"pmin\"", "\"qmax\"", "\"qmin\""];
    let reads_back = |line: &str| LIMITS.iter().any(|limit| line.starts_with(limit));
    let written = |line: &str| WORDS.iter().any(|word| line.contains(word)) && !reads_back(line.trim_start());
    if !module_json.lines().any(written) || open(module_json).is_ok() {
        return Ok(());
    }
    Err(EngineError::new("INPUT.NOT_FINITE", message!("case.not_finite_aside")))
}

/// A parser failure with a code of this crate; the parser's own code is in `details.parser_code`.
pub(crate) fn parse_error(code: &'static str, error: &powerio::Error) -> EngineError {
    let first = error.diagnostics().first();
    let whole = error.to_string();
    let message = sentence(refusal_of(code), first.map_or(&whole, |d| d.message()));
    let parser_code = first.map(|d| d.code().to_string());
    EngineError::new(code, message).with_details(serde_json::json!({ "parser_code": parser_code }))
}

/// The sentence for unknown messages of the parser.
fn refusal_of(code: &str) -> &'static str {
    match code {
        "MODULE.INVALID" => message_key!("reader.module", cause),
        "MODULE.WRITE" => message_key!("module.not_written", cause),
        "EXPORT.REFUSED" => message_key!("export.refused", cause),
        _ => message_key!("reader.file", cause),
    }
}

fn not_written(error: impl std::fmt::Display) -> EngineError {
    let message = sentence(message_key!("module.not_written", cause), &error.to_string());
    EngineError::new("MODULE.WRITE", message)
}

/// The message of a stored warning. A module stores only the English text; a text that is not a known message, because
/// it has numbers or names or is from another version, is shown unchanged.
pub(crate) fn stored_message(text: &str) -> Message {
    let known = matpower::stored().chain(of_readers());
    let found = known.into_iter().find(|message| message.english() == text);
    let found = found.or_else(|| assumed_costs::stored(text));
    found.unwrap_or_else(|| message!("module.stored_warning", text = Value::Text(clean(text))))
}

/// Stores a warning in the module, so that later sessions report it too.
pub(crate) fn store_warning(module: &mut PioModule<PioValue>, warning: &Warning) -> Result<()> {
    let code = DiagnosticCode::new(format!("{OWN_CODES}{}", warning.code)).map_err(not_written)?;
    let diagnostic = Diagnostic::new(code, DiagnosticSeverity::Warning, warning.message());
    module.add_diagnostic(diagnostic).map_err(not_written)
}

/// Every warning without numbers or names that a module may store for the other formats.
fn of_readers() -> [Message; 17] {
    [
        message!("cost.not_in_psse"),
        message!("cost.not_in_powerworld"),
        message!("cost.not_in_pwb"),
        message!("cost.not_in_pslf"),
        message!("cost.not_in_cdf"),
        message!("cost.not_in_ucte"),
        message!("cost.not_in_xiidm"),
        message!("cost.not_in_cgmes"),
        message!("cdf.no_limits"),
        message!("ucte.no_limits"),
        message!("cost.not_in_document"),
        message!("pwb.no_status"),
        message!("pwb.not_known"),
        message!("document.solved_power_flow"),
        message!("document.unit_commitment"),
        message!("feeder.late_frequency"),
        message!("pandapower.bus_numbers"),
    ]
}
