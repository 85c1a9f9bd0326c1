//! Files beyond balanced case files: JSON of any kind, drawings, geographic layers, saved cases, figures.

use crate::{replied, thrown};
use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen::JsCast;
use wattbook_network::message;
use wattbook_network::EngineError;

/// Detects the kind and the reader of a JSON document from its content (`JsonDropClassification`). Never throws.
#[wasm_bindgen]
pub fn classify_json(bytes: &[u8]) -> String {
    wattbook_study::classify_json_json(bytes)
}

/// Classifies a JSON document and reads it (`IngestedJsonDropHead`). Throws the errors of the reader where the kind is
/// certain.
#[wasm_bindgen]
pub fn ingest_json_drop(bytes: &[u8]) -> Result<Object, JsValue> {
    replied(wattbook_study::ingest_json_drop(bytes).map_err(thrown)?.whole())
}

/// Reads a multiconductor case file (`IngestedDistribution`); `format` is `dss`, `bmopf-json` or `pmd-json`.
/// `companions` are the files that a script refers to, an array of `[path relative to the script, Uint8Array]`. Throws
/// `INPUT.*`, `PHYSICS.UNSUPPORTED`.
#[wasm_bindgen]
pub fn ingest_distribution(bytes: &[u8], format: &str, companions: &Array) -> Result<String, JsValue> {
    let companions = companions.iter().map(companion).collect::<Result<Vec<_>, _>>()?;
    wattbook_study::ingest_distribution_json(bytes, format, &companions).map_err(thrown)
}

fn companion(pair: JsValue) -> Result<(String, Vec<u8>), JsValue> {
    let pair = pair.dyn_into::<Array>().ok();
    let parts = pair.and_then(|p| Some((p.get(0).as_string()?, p.get(1).dyn_into::<Uint8Array>().ok()?)));
    let (name, bytes) =
        parts.ok_or_else(|| thrown(EngineError::new("INPUT.REQUEST", message!("request.companion"))))?;
    Ok((name, bytes.to_vec()))
}

/// Describes a multiconductor module in the form of `ingest_distribution` (`IngestedDistribution`). Throws `MODULE.*`
/// as well.
#[wasm_bindgen]
pub fn inspect_distribution(module_json: &str) -> Result<String, JsValue> {
    wattbook_study::inspect_distribution_json(module_json).map_err(thrown)
}

/// Reads a display file (`Display`). Throws `INPUT.EMPTY`, `INPUT.DISPLAY`.
#[wasm_bindgen]
pub fn parse_display(bytes: &[u8]) -> Result<String, JsValue> {
    wattbook_study::parse_display_json(bytes).map_err(thrown)
}

/// Stores the positions of a geographic layer in a module of either model (`GeoAppliedHead`). Throws `INPUT.*`,
/// `MODULE.*`.
#[wasm_bindgen]
pub fn apply_geo(module_json: &str, bytes: &[u8]) -> Result<Object, JsValue> {
    replied(wattbook_study::apply_geo(module_json, bytes).map_err(thrown)?.whole())
}

/// Positions and routes of a module as the text of a `.geo.json` file. Throws `INPUT.GEO_EMPTY`, `MODULE.*`.
#[wasm_bindgen]
pub fn geo_json(module_json: &str) -> Result<String, JsValue> {
    wattbook_study::geo_json(module_json).map_err(thrown)
}

/// The formats that balanced cases can be written in (`ExportFormat[]`).
#[wasm_bindgen]
pub fn export_formats() -> String {
    wattbook_study::export_formats_json()
}

/// Writes a balanced module in another format: `{bytes: Uint8Array, file_name: string, warnings: string}`, the warnings as
/// the JSON text of `Diagnostic[]`. Throws `EXPORT.*`, `MODULE.*`.
#[wasm_bindgen]
pub fn export_module(module_json: &str, format: &str) -> Result<Object, JsValue> {
    let exported = wattbook_study::export_module(module_json, format).map_err(thrown)?;
    let object = Object::new();
    Reflect::set(&object, &"bytes".into(), &Uint8Array::from(exported.bytes.as_slice()))?;
    Reflect::set(&object, &"file_name".into(), &exported.file_name.into())?;
    Reflect::set(&object, &"warnings".into(), &exported.warnings_json.into())?;
    Ok(object)
}

/// The module text with demand and rating edits stored in it. Throws `MODULE.*` and the codes of edits.
#[wasm_bindgen]
pub fn materialize_module(module_json: &str, edits: &str) -> Result<String, JsValue> {
    wattbook_study::materialize_module(module_json, edits).map_err(thrown)
}

/// An SVG picture as the bytes of a PDF of one page with its fonts embedded, `width_cm` wide. Throws `ARGUMENT.CHOICE`, `INPUT.SVG`.
#[wasm_bindgen]
pub fn figure_pdf(svg: &str, width_cm: f64) -> Result<Uint8Array, JsValue> {
    let bytes = wattbook_figure::pdf_of_svg(svg, width_cm).map_err(thrown)?;
    Ok(Uint8Array::from(bytes.as_slice()))
}

/// The table of typical costs (`TypicalCost[]`).
#[wasm_bindgen]
pub fn typical_costs() -> String {
    wattbook_study::typical_costs_json()
}

/// The generators of a case by fuel (`FuelUnits[]`); `fuels` is a JSON list by generator or `null`. Throws
/// `COST.MALFORMED`, `MODULE.*`.
#[wasm_bindgen]
pub fn units_by_fuel(module_json: &str, fuels: &str) -> Result<String, JsValue> {
    wattbook_study::units_by_fuel_json(module_json, fuels).map_err(thrown)
}

/// The module text with assumed costs (`AssumedCosts`), or with those of a CSV file where `table` is not empty. Throws
/// `COST.MALFORMED`, `GENERATOR.UNKNOWN`, `INPUT.*`, `MODULE.*`.
#[wasm_bindgen]
pub fn assume_costs(module_json: &str, costs: &str, table: &[u8]) -> Result<String, JsValue> {
    wattbook_study::assume_costs(module_json, costs, table).map_err(thrown)
}

/// The same costs as edits of a Study (`GeneratorEdits`). Throws also `COST.MALFORMED` for a constant term.
#[wasm_bindgen]
pub fn cost_edits(module_json: &str, costs: &str, table: &[u8]) -> Result<String, JsValue> {
    wattbook_study::cost_edits_json(module_json, costs, table).map_err(thrown)
}

/// Whether the header of a file is that of a cost table. Never throws.
#[wasm_bindgen]
pub fn is_cost_table(bytes: &[u8]) -> bool {
    wattbook_study::is_cost_table(bytes)
}

/// Reads lists of outages, monitored branches and interfaces against a module (`SecurityLists`). `files` is an array of
/// `[name, Uint8Array]`. Throws `INPUT.*`, `MODULE.*`.
#[wasm_bindgen]
pub fn read_security_lists(module_json: &str, files: &Array) -> Result<String, JsValue> {
    let files = files.iter().map(companion).collect::<Result<Vec<_>, _>>()?;
    wattbook_study::read_security_lists_json(module_json, &files).map_err(thrown)
}

/// Whether a file is such a list and no case. Never throws.
#[wasm_bindgen]
pub fn is_security_list(name: &str, bytes: &[u8]) -> bool {
    wattbook_study::is_security_list(name, bytes)
}

/// Reads and checks a Study file, plain or gzip (`StudyBundle`). Throws `STUDY_FILE.*`.
#[wasm_bindgen]
pub fn read_study_bundle(bytes: &[u8]) -> Result<String, JsValue> {
    wattbook_study::read_study_bundle_json(bytes).map_err(thrown)
}

/// The bytes of a Study file from a `StudyBundle`, whose artifacts may have any names. Throws `STUDY_FILE.*`.
#[wasm_bindgen]
pub fn write_study_bundle(bundle_json: &str, gzip: bool) -> Result<Uint8Array, JsValue> {
    let bytes = wattbook_study::write_study_bundle(bundle_json, gzip).map_err(thrown)?;
    Ok(Uint8Array::from(bytes.as_slice()))
}

/// Reads the Study file of a feeder, plain or gzip (`McStudyFile`). Throws `STUDY_FILE.*`.
#[wasm_bindgen]
pub fn read_mc_study_bundle(bytes: &[u8]) -> Result<String, JsValue> {
    wattbook_study::read_mc_study_bundle(bytes).map_err(thrown)
}

/// The bytes of a Study file from a `McStudyFile`. Throws `STUDY_FILE.*`.
#[wasm_bindgen]
pub fn write_mc_study_bundle(text: &str, gzip: bool) -> Result<Uint8Array, JsValue> {
    let bytes = wattbook_study::write_mc_study_bundle(text, gzip).map_err(thrown)?;
    Ok(Uint8Array::from(bytes.as_slice()))
}
