//! The engine for browsers and Node, a thin layer over `wattbook-study`.
//!
//! Requests and responses are JSON texts of the contract; responses with numbers by row are `{json: string, columns:
//! Column[]}` with one `Float64Array` per column, whose buffer can be transferred. An error is thrown as a string that
//! holds an `ErrorBody`. A panic traps the instance: the TypeScript facade maps the trap to `INTERNAL` and replaces the
//! instance.

mod feeder;
mod files;
mod job;
mod layout;
mod series;

use js_sys::{Array, Float64Array, Object, Reflect};
use wasm_bindgen::prelude::*;
use wattbook_network::EngineError;

/// The thrown form of an error.
pub(crate) fn thrown(error: EngineError) -> JsValue {
    JsValue::from_str(&wattbook_study::error_json(&error))
}

/// Converts an answer to an object.
pub(crate) fn replied(reply: wattbook_study::Reply) -> Result<Object, JsValue> {
    let columns = Array::new();
    for column in &reply.columns {
        let (name, ..) = column.name.head();
        let one = Object::new();
        Reflect::set(&one, &"name".into(), &name.into())?;
        Reflect::set(&one, &"element".into(), &column.element.name().into())?;
        Reflect::set(&one, &"unit".into(), &column.unit.into())?;
        Reflect::set(&one, &"values".into(), &Float64Array::from(column.values.as_slice()))?;
        columns.push(&one);
    }
    let object = Object::new();
    Reflect::set(&object, &"json".into(), &reply.json.into())?;
    Reflect::set(&object, &"columns".into(), &columns)?;
    if !reply.matrices.is_empty() {
        let matrices: Array = reply
            .matrices
            .iter()
            .map(|m| Float64Array::from(m.as_slice()))
            .collect();
        Reflect::set(&object, &"matrices".into(), &matrices)?;
    }
    Ok(object)
}

/// Version of the contract, equal to that of the npm package.
#[wasm_bindgen]
pub fn contract_version() -> String {
    wattbook_study::CONTRACT_VERSION.into()
}

/// SHA-256 of the Rust contract source, lower-case hexadecimal.
#[wasm_bindgen]
pub fn contract_source_sha256() -> String {
    wattbook_study::contract_source_sha256()
}

/// Format token of a case file by its name, or undefined.
#[wasm_bindgen]
pub fn format_of(name: &str) -> Option<String> {
    wattbook_network::format_of(name).map(str::to_owned)
}

/// Formulations, operands and parameters (`Capabilities`).
#[wasm_bindgen]
pub fn capabilities() -> String {
    wattbook_study::capabilities_json()
}

/// Reads the bytes of a case file (`IngestedCaseHead`). Throws `INPUT.*`, `PHYSICS.UNSUPPORTED`.
#[wasm_bindgen]
pub fn ingest_case(bytes: &[u8], format: &str) -> Result<Object, JsValue> {
    replied(wattbook_study::ingest_case(bytes, format).map_err(thrown)?.whole())
}

/// Describes a module in the form of `ingest_case` (`IngestedCaseHead`; its `module_json` is empty where the text is
/// unchanged). Throws `MODULE.*` as well.
#[wasm_bindgen]
pub fn inspect_module(module_json: &str) -> Result<Object, JsValue> {
    replied(wattbook_study::inspect_module(module_json).map_err(thrown)?)
}

/// Stateless solve (`SolveRequest` to `Solved`). Throws `MODULE.*`, `SOLVE.*` and the codes of edits.
#[wasm_bindgen]
pub fn solve_module(module_json: &str, request_json: &str) -> Result<Object, JsValue> {
    replied(wattbook_study::solve_module(module_json, request_json).map_err(thrown)?)
}

/// Reads a solution module without a solve (`SolutionModuleHead`). Throws `MODULE.*`.
#[wasm_bindgen]
pub fn read_solution_module(text: &str) -> Result<Object, JsValue> {
    replied(wattbook_study::read_solution_module(text).map_err(thrown)?)
}

/// Whether the case with this hash is open, so that its Studies need no module.
#[wasm_bindgen]
pub fn case_is_open(sha256: &str) -> bool {
    wattbook_study::Case::opened(sha256).is_ok()
}

/// A case with edits; see `wattbook_study::Study`. Edits are absolute from the base case, in MW by id or uid.
#[wasm_bindgen]
pub struct Study(pub(crate) wattbook_study::Study);

#[wasm_bindgen]
impl Study {
    /// Reads the module and solves the base case.
    #[wasm_bindgen(constructor)]
    pub fn new(module_json: &str, formulation: &str, options_json: &str) -> Result<Study, JsValue> {
        wattbook_study::Study::create(module_json, formulation, options_json)
            .map(Study)
            .map_err(thrown)
    }

    /// Solves the base case of an open case. Throws `CASE.LOST`.
    pub fn of_case(sha256: &str, formulation: &str, options_json: &str) -> Result<Study, JsValue> {
        wattbook_study::Case::opened(sha256)
            .and_then(|case| wattbook_study::Study::of_case(&case, formulation, options_json))
            .map(Study)
            .map_err(thrown)
    }

    /// Identification of the rows of the columns (`RowsHead`).
    pub fn rows(&self) -> Result<Object, JsValue> {
        replied(self.0.rows())
    }

    /// Describes the case with further elements (`IngestedCaseHead`).
    pub fn network_with(&self, added: &str) -> Result<Object, JsValue> {
        replied(self.0.network_with(added).map_err(thrown)?)
    }

    /// The committed optimum (`SolutionHead`).
    pub fn current_solution(&self) -> Result<Object, JsValue> {
        replied(self.0.current_solution().map_err(thrown)?)
    }

    /// Exact solve of absolute edits, stored on success (`CommitHead`).
    pub fn commit(&mut self, case_id: &str, edits: &str, target: &str) -> Result<Object, JsValue> {
        replied(self.0.commit(case_id, edits, target).map_err(thrown)?)
    }

    /// As `commit`, with an empty result hash; `result_sha256` returns the hash.
    pub fn unhashed_commit(&mut self, case_id: &str, edits: &str, target: &str) -> Result<Object, JsValue> {
        replied(self.0.unhashed_commit(case_id, edits, target).map_err(thrown)?)
    }

    /// Hash of the committed result.
    pub fn result_sha256(&self) -> String {
        self.0.result_sha256()
    }

    /// First-order update without a solve (`PreviewHead`).
    pub fn preview(&self, edits: &str) -> Result<Object, JsValue> {
        replied(self.0.preview(edits).map_err(thrown)?)
    }

    /// Sensitivity column at the given edits (`SensitivityHead`); the Study is unchanged.
    pub fn sensitivity(&self, case_id: &str, edits: &str, target: &str) -> Result<Object, JsValue> {
        replied(self.0.sensitivity(case_id, edits, target).map_err(thrown)?)
    }

    /// The price of a bus as energy and congestion (`LmpComponents`).
    pub fn lmp_components(&self, target: &str) -> Result<String, JsValue> {
        self.0.lmp_components_json(target).map_err(thrown)
    }

    /// Flows after the outage of a branch, MW by dense branch row, NaN where a branch is not energised.
    pub fn outage_flows(&self, target: &str) -> Result<Float64Array, JsValue> {
        let flows = self.0.outage_flows(target).map_err(thrown)?;
        Ok(Float64Array::from(flows.as_slice()))
    }

    /// What changes after the outage of a branch, as columns of a result.
    pub fn outage_columns(&self, target: &str) -> Result<Object, JsValue> {
        replied(self.0.outage_columns(target).map_err(thrown)?)
    }

    /// Returns to the base case (`CommitHead`).
    pub fn reset(&mut self, case_id: &str) -> Result<Object, JsValue> {
        replied(self.0.reset(case_id).map_err(thrown)?)
    }

    /// Prices at a position of the track, $/MWh by dense bus row, NaN where a bus is not energised.
    pub fn track_prices(&self, mw: f64) -> Result<Float64Array, JsValue> {
        let prices = self.0.track_prices(mw).map_err(thrown)?;
        Ok(Float64Array::from(prices.as_slice()))
    }

    /// Cost and segment at a position of the track (`TrackState`), and the columns of a commit there.
    pub fn track_state(&self, mw: f64) -> Result<Object, JsValue> {
        replied(self.0.track_state(mw).map_err(thrown)?)
    }

    /// The committed optimum as the text of a solution module; `module_json` is the module that the Study was created
    /// from.
    pub fn save_solution_module(&self, module_json: &str) -> Result<String, JsValue> {
        self.0.save_solution_module_json(module_json).map_err(thrown)
    }
}
