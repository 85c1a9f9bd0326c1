//! Balanced formats other than MATPOWER: preprocessing for their readers, and checks of the result.

pub(crate) mod by_name;
mod cdf;
mod cgmes;
mod grid;
pub(crate) mod json;
pub(crate) mod powerworld;
pub(crate) mod pslf;
mod psse;
mod pwb;
mod ucte;
mod xiidm;
mod xml;

use powerio::{BalancedNetwork, Diagnostic, DiagnosticSeverity, FormatId, PioModule, PioValue, Source};

use crate::analysis::Warning;
use crate::error::{EngineError, Result};
use crate::input::text;
use crate::message::Message;
use crate::sentences::recognised::lacks_branch_status;
use crate::sentences::{remark, sentence};
use crate::{geo, message, message_key, module};

/// Reads a file of one of the formats that [`crate::ingest_case`] lists, MATPOWER excepted.
///
/// # Errors
/// `INPUT.*` and `PHYSICS.UNSUPPORTED`; see [`crate::ingest_case`].
pub(crate) fn read(bytes: &[u8], format: &str) -> Result<PioModule<PioValue>> {
    match format {
        // The file itself states its revision.
        "psse" | "psse34" | "psse35" => read_psse(&text::decode(bytes)?),
        "psse-rawx" => read_rawx(bytes),
        "powerworld" => read_powerworld(bytes),
        "pwb" => read_pwb(bytes),
        "pslf" => read_pslf(bytes),
        "ieee-cdf" => cdf::read(&text::decode(bytes)?),
        "ucte" => read_ucte(&text::decode(bytes)?),
        "xiidm" => xiidm::read(&text::decode(bytes)?),
        "cgmes" => cgmes::read(bytes),
        TEXT => read_text(bytes),
        other => match json::JSON_FORMATS.into_iter().find(|known| *known == other) {
            Some(format) => json::read(bytes, format),
            None => {
                let message = match json::DISTRIBUTION_JSON_FORMATS.contains(&other) || other == "dss" {
                    true => message!("file.format_of_distribution", format = other),
                    false => message!("file.format_unknown", format = other),
                };
                Err(EngineError::new("INPUT.FORMAT", message))
            }
        },
    }
}

/// Token of a text file whose content decides the format.
const TEXT: &str = "text";

fn read_text(bytes: &[u8]) -> Result<PioModule<PioValue>> {
    let text = text::decode(bytes)?;
    if cdf::is_one(&text) {
        cdf::read(&text)
    } else if xiidm::is_one(&text) {
        xiidm::read(&text)
    } else {
        Err(EngineError::new("INPUT.FORMAT", message!("file.text_unknown")))
    }
}

fn read_rawx(bytes: &[u8]) -> Result<PioModule<PioValue>> {
    let raw = psse::rawx::as_raw(&text::decode(bytes)?)?;
    let mut parsed = read_psse(&raw.text).map_err(|error| raw.located(error))?;
    for warning in &raw.warnings {
        module::store_warning(&mut parsed, warning)?;
    }
    Ok(parsed)
}

fn read_psse(original: &str) -> Result<PioModule<PioValue>> {
    let prepared = psse::prepare(original)?;
    let counts = prepared.counts;
    let parsed = parse("case.raw", prepared.text.as_bytes()).map_err(|e| psse::located(e, original))?;
    let mut parsed = without(parsed, psse::is_reported_otherwise)?;
    let net = module::balanced(&parsed)?;
    compare(
        message_key!("file.bus_records", stated, read),
        counts.buses,
        net.buses().len(),
    )?;
    compare(
        message_key!("file.load_records", stated, read),
        counts.loads,
        net.loads().len(),
    )?;
    let generators = message_key!("file.generator_records", stated, read);
    compare(generators, counts.generators, net.generators().len())?;
    prepared.complete(module::balanced_mut(&mut parsed)?);
    place(&mut parsed, "psse", original);
    prepared.place_nodes(module::balanced_mut(&mut parsed)?);
    for warning in &prepared.warnings {
        module::store_warning(&mut parsed, warning)?;
    }
    tell_no_costs(&mut parsed, message!("cost.not_in_psse"))?;
    Ok(parsed)
}

fn read_powerworld(bytes: &[u8]) -> Result<PioModule<PioValue>> {
    let original = text::decode(bytes)?;
    let auxiliary = powerworld::prepare(&original)?;
    let mut parsed = parse("case.aux", auxiliary.text.as_bytes()).map_err(|e| powerworld::located(e, &original))?;
    let warnings = auxiliary.complete(module::balanced_mut(&mut parsed)?)?;
    for warning in &warnings {
        module::store_warning(&mut parsed, warning)?;
    }
    place(&mut parsed, "powerworld", &original);
    // If costs were omitted, the file has some.
    if !warnings.iter().any(|w| w.sentence.key.starts_with("powerworld.costs_")) {
        tell_no_costs(&mut parsed, message!("cost.not_in_powerworld"))?;
    }
    Ok(parsed)
}

fn read_pwb(bytes: &[u8]) -> Result<PioModule<PioValue>> {
    if bytes.iter().all(|b| *b == 0) {
        return Err(EngineError::new("INPUT.EMPTY", message!("file.zero_bytes")));
    }
    let mut parsed = parse("case.pwb", bytes)?;
    pwb::refuse_implausible(module::balanced(&parsed)?)?;
    tell_no_costs(&mut parsed, message!("cost.not_in_pwb"))?;
    store(&mut parsed, "INPUT.FIELD_IGNORED", message!("pwb.not_known"))?;
    // The reader's own warning about missing status and costs.
    if parsed.diagnostics().iter().any(lacks_branch_status) {
        store(&mut parsed, "INPUT.STATUS_NOT_IN_FORMAT", message!("pwb.no_status"))?;
    }
    Ok(parsed)
}

fn read_pslf(bytes: &[u8]) -> Result<PioModule<PioValue>> {
    let original = text::decode(bytes)?;
    let (text, transformers) = pslf::prepare(&original)?;
    let mut parsed = parse("case.epc", text.as_bytes())?;
    if let Some(d) = parsed
        .diagnostics()
        .iter()
        .find(|d| d.code() == "READ.PSLF.SOURCE_MALFORMED")
    {
        let message = message!("file.contradiction", what = remark(d.message()));
        return Err(EngineError::new("INPUT.TABLE", message));
    }
    let net = module::balanced_mut(&mut parsed)?;
    pslf::correct(net, &transformers)?;
    let warnings = pslf::complete(net, &pslf::records(&original))?;
    for warning in &warnings {
        module::store_warning(&mut parsed, warning)?;
    }
    tell_no_costs(&mut parsed, message!("cost.not_in_pslf"))?;
    Ok(parsed)
}

fn read_ucte(text: &str) -> Result<PioModule<PioValue>> {
    let mut parsed = parse("case.uct", text.as_bytes())?;
    let net = module::balanced_mut(&mut parsed)?;
    ucte::complete(net);
    for warning in &ucte::warnings(net) {
        module::store_warning(&mut parsed, warning)?;
    }
    tell_no_costs(&mut parsed, message!("cost.not_in_ucte"))?;
    Ok(parsed)
}

/// Sets positions of substations, which the parser does not transfer to the network.
fn place(parsed: &mut PioModule<PioValue>, format: &str, text: &str) {
    if let PioValue::BalancedNetwork(net) = parsed.value_mut() {
        geo::source::place(net, format, text);
    }
}

/// The module without those diagnostics of the parser that warnings of this crate replace.
fn without(mut parsed: PioModule<PioValue>, superseded: fn(&Diagnostic) -> bool) -> Result<PioModule<PioValue>> {
    if !parsed.diagnostics().iter().any(superseded) {
        return Ok(parsed);
    }
    let rest = parsed
        .diagnostics()
        .iter()
        .filter(|d| !superseded(d))
        .cloned()
        .collect();
    let failed = |e: powerio::Error| module::parse_error("INPUT.PARSE", &e);
    match parsed.take_source() {
        Some(source) => PioModule::parsed(parsed.into_value(), source, rest).map_err(failed),
        None => Ok(parsed),
    }
}

/// The module of a network that this crate built from the text of a file.
fn built(net: BalancedNetwork, name: &str, format: &str, text: &str) -> Result<PioModule<PioValue>> {
    let fail = |e: powerio::Error| module::parse_error("INPUT.PARSE", &e);
    let source = Source::from_memory(name, text.as_bytes()).map_err(fail)?;
    let source = source.with_format(FormatId::new(format).map_err(fail)?);
    let mut parsed = PioModule::parsed(PioValue::from(net), source, Vec::new()).map_err(fail)?;
    // The network is not the one that the parser's writer would reproduce.
    module::balanced_mut(&mut parsed)?;
    Ok(parsed)
}

/// Parses a file and refuses errors that the parser marks.
fn parse(name: &str, bytes: &[u8]) -> Result<PioModule<PioValue>> {
    let source = Source::from_memory(name, bytes).map_err(|e| module::parse_error("INPUT.PARSE", &e))?;
    let parsed = powerio::parse(source).map_err(|e| module::parse_error("INPUT.PARSE", &e))?;
    refuse_error_diagnostics(&parsed)?;
    Ok(parsed)
}

/// Refuses diagnostics of Error severity, which the parser may return with `Ok`.
pub(crate) fn refuse_error_diagnostics(parsed: &PioModule<PioValue>) -> Result<()> {
    let of_error = |d: &&powerio::Diagnostic| d.severity() == DiagnosticSeverity::Error;
    match parsed.diagnostics().iter().find(of_error) {
        Some(d) => Err(
            EngineError::new("INPUT.PARSE", sentence(message_key!("reader.file", cause), d.message()))
                .with_details(serde_json::json!({ "parser_code": d.code() })),
        ),
        None => Ok(()),
    }
}

/// Requires every record of a section to have become an element.
fn compare(key: &'static str, stated: usize, read: usize) -> Result<()> {
    if stated == read {
        return Ok(());
    }
    let values = vec![("stated", stated.into()), ("read", read.into())];
    Err(EngineError::new("INPUT.TABLE", Message { key, values }))
}

/// One warning per case if the format has no costs.
fn tell_no_costs(parsed: &mut PioModule<PioValue>, message: Message) -> Result<()> {
    if has_costs(module::balanced(parsed)?) {
        return Ok(());
    }
    store(parsed, "COST.NOT_IN_FORMAT", message)
}

fn has_costs(net: &BalancedNetwork) -> bool {
    net.generators().iter().any(|g| g.cost.is_some())
}

fn store(parsed: &mut PioModule<PioValue>, code: &'static str, message: Message) -> Result<()> {
    module::store_warning(parsed, &Warning::new(code, message))
}
