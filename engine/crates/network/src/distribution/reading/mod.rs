//! Reads scripts and JSON documents with the parser.

mod companions;
mod copies;
mod duplicates;
mod frequencies;
mod gather;
mod loads;
mod ratings;
mod reactors;
mod rewriting;
mod values;
mod windings;

use powerio::{ArtifactPath, DiagnosticSeverity, FormatId, PioModule, PioValue, Source};
use std::sync::Arc;

use crate::analysis::Warning;
use crate::distribution::elements::check;
use crate::distribution::reading::companions::Companions;
use crate::distribution::reading::frequencies::SHORT;
use crate::distribution::reading::gather::{gather, Gathered, FRAME, SCRIPT};
use crate::distribution::{network, network_mut, refuse, space, switching};
use crate::error::{EngineError, Result};
use crate::input::text;
use crate::sentences::recognised::{element_name, is_lost_include, is_unknown_bus};
use crate::sentences::sentence;
use crate::{message, message_key, module};

/// Reads an OpenDSS script with its companions.
///
/// # Errors
/// See [`crate::distribution::ingest_distribution`].
pub(crate) fn dss(bytes: &[u8], companions: &[(String, Vec<u8>)]) -> Result<PioModule<PioValue>> {
    if bytes.iter().all(|b| *b == 0) {
        return Err(EngineError::new("INPUT.NO_EQUIPMENT", message!("file.zero_bytes")));
    }
    let companions = Companions::new(bytes, companions)?;
    let text = text::decode(bytes)?;
    let mut script = gather(&text, &companions, None)?;
    if let Some(frequency) = script.late_frequency.take() {
        script = gather(&text, &companions, Some(&frequency))?;
        script.late_frequency = Some(frequency);
    }
    let mut parsed = parse(&script, "")?;
    let net = network(&parsed)?;
    let added = switching::opened(net)? + &reactors::grounded(net);
    if !added.is_empty() {
        parsed = parse(&script, &added)?;
    }
    if script.degrees {
        space::declare_degrees(network_mut(&mut parsed)?);
    }
    if network(&parsed)?.name().is_none() {
        return Err(EngineError::new("INPUT.NO_EQUIPMENT", message!("feeder.no_circuit")));
    }
    loads::settle(network_mut(&mut parsed)?, &script.ratings)?;
    if script.late_frequency.is_some() {
        let message = message!("feeder.late_frequency");
        module::store_warning(&mut parsed, &Warning::new("INPUT.FIELD_IGNORED", message))?;
    }
    for file in &script.without_positions {
        let message = message!("feeder.positions_missing", file = file);
        module::store_warning(&mut parsed, &Warning::new("INPUT.COMPANION", message))?;
    }
    Ok(parsed)
}

/// Parses a script inside a frame: the base frequency before it, the lines `added` after it.
fn parse(script: &Gathered, added: &str) -> Result<PioModule<PioValue>> {
    let fail = |e: powerio::Error| module::parse_error("INPUT.PARSE", &e);
    let path = |name: &str| ArtifactPath::new(name).map_err(fail);
    let mut files: Vec<(ArtifactPath, Arc<[u8]>)> = Vec::with_capacity(script.files.len() + 1);
    for (name, bytes) in &script.files {
        files.push((path(name)?, bytes.as_slice().into()));
    }
    let frequency = script.late_frequency.as_ref();
    let before = frequency.map_or(String::new(), |f| format!("Set {SHORT}={f}\n"));
    let framed = !before.is_empty() || !added.is_empty();
    if framed {
        let frame = format!("{before}Redirect {SCRIPT}\n{added}");
        files.push((path(FRAME)?, frame.into_bytes().into()));
    }
    let primary = path(if framed { FRAME } else { SCRIPT })?;
    let source = Source::from_memory_tree(SCRIPT, files, Some(primary)).map_err(fail)?;
    let explained = |e| script.references.explained(e);
    let parsed = powerio::parse(source).map_err(|e| explained(cause(e.diagnostics(), &e)))?;
    refuse_errors(&parsed).map_err(explained)?;
    Ok(parsed)
}

/// Reads a BMOPF or PowerModelsDistribution document.
///
/// # Errors
/// See [`crate::distribution::ingest_distribution`].
pub(crate) fn json(bytes: &[u8], format: &str) -> Result<PioModule<PioValue>> {
    let fail = |e: powerio::Error| module::parse_error("INPUT.PARSE", &e);
    let text = text::decode(bytes)?;
    duplicates::refuse(&text)?;
    let source = Source::from_memory("case.json", text.as_bytes()).map_err(fail)?;
    let source = source.with_format(FormatId::new(format).map_err(fail)?);
    let parsed = powerio::parse(source).map_err(|e| cause(e.diagnostics(), &e))?;
    refuse_errors(&parsed)?;
    match parsed.value() {
        PioValue::MulticonductorNetwork(net) => check::references(net)?,
        other => {
            let message = message!("feeder.not_one_network", kind = other.type_name());
            return Err(EngineError::new("INPUT.CALCULATION", message));
        }
    }
    Ok(parsed)
}

/// Refuses diagnostics of Error severity, which the parser may return with `Ok`, and its warning about an omitted
/// include.
fn refuse_errors(parsed: &PioModule<PioValue>) -> Result<()> {
    let lost = |d: &powerio::Diagnostic| match d.code() {
        "READ.DSS.INCLUDE_DEPTH_LIMIT" | "READ.DSS.INCLUDE_BUDGET" => true,
        "READ.DSS.INCLUDE_LOAD_FAILED" => is_lost_include(d),
        _ => d.severity() == DiagnosticSeverity::Error,
    };
    match parsed.diagnostics().iter().find(|d| lost(d)) {
        Some(d) => Err(refusal(d)),
        None => Ok(()),
    }
}

/// The diagnostic with the cause; the parser puts a general one before it.
fn cause(diagnostics: &[powerio::Diagnostic], error: &powerio::Error) -> EngineError {
    let errors = || diagnostics.iter().filter(|d| d.severity() == DiagnosticSeverity::Error);
    let specific = errors().find(|d| d.code() != "PARSE.DIST.SOURCE_MALFORMED");
    match specific.or_else(|| errors().next()) {
        Some(d) => refusal(d),
        None => module::parse_error("INPUT.PARSE", error),
    }
}

fn refusal(d: &powerio::Diagnostic) -> EngineError {
    /// Longest part of a message, since the parser repeats whole lines of the file.
    const LONGEST: usize = 400;
    let message: String = d.message().chars().take(LONGEST).collect();
    let mut element = element_name(&message);
    let mut code = "INPUT.PARSE";
    if is_unknown_bus(&message) {
        code = "INPUT.UNKNOWN_BUS";
        element = element
            .rsplit_once('.')
            .map_or(String::new(), |(element, _)| element.to_owned());
    }
    let mut error = refuse(code, &element, sentence(message_key!("reader.file", cause), &message));
    if let Some(details) = error.details.as_mut() {
        details["parser_code"] = d.code().into();
    }
    error
}
