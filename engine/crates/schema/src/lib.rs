//! JSON Schema of the contract, from the sources of `wattbook-study` compiled without the engine. The output is in
//! `engine/src/contractSchemas.generated.ts`; for the tools of agents in `tools.generated.ts` of `extension/webmcp` and
//! `agents/tools.json` of the Python package; for the quantities in `quantities.generated.ts` of `engine/src`,
//! `words.generated.ts` of `widgets/src/text/names` and `quantities_generated.py`.

mod agents;
pub mod quantities;

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::transform::{transform_subschemas, Transform};
use schemars::Schema;
use serde_json::Value;

#[allow(dead_code, unused_imports, reason = "the sources are hashed in wattbook-study")]
#[path = "../../study/src/contract/mod.rs"]
mod contract;

pub use agents::{agent_tools, limits};
pub use contract::ColumnName;

use contract::{
    Capabilities, CommitResult, Display, Edits, ErrorBody, Explanation, GeoApplied, GeoDrawing, GeoReport,
    IngestedJsonDrop, IngestedNetwork, JobStep, LayoutHead, LmpComponents, Loadability, LoadabilityTarget, McPreview,
    McReplay, McResult, McRows, McStudyFile, Network, Placement, PlanOutcomeJson, PlanSpecJson, Preview, SensTarget,
    SensitivityColumn, SensitivityMatrix, Solution, SolutionModule, SolveRequest, SolveResponse, Topology, Track,
    TrackState,
};

/// Removes Rust's number formats, which JSON Schema does not know; `integer`, `number` and the bounds state the same.
#[derive(Clone)]
struct WithoutFormats;

impl Transform for WithoutFormats {
    fn transform(&mut self, schema: &mut Schema) {
        schema.remove("format");
        transform_subschemas(self, schema);
    }
}

/// Fields that an answer omits are absent, never null.
#[derive(Clone)]
struct AbsentNotNull;

impl Transform for AbsentNotNull {
    fn transform(&mut self, schema: &mut Schema) {
        let required = schema.get("required").cloned().unwrap_or_default();
        let is_required = |name: &String| required.as_array().is_some_and(|all| all.iter().any(|one| one == name));
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            for (_, property) in properties.iter_mut().filter(|(name, _)| !is_required(name)) {
                without_null(property);
            }
        }
        transform_subschemas(self, schema);
    }
}

fn without_null(schema: &mut Value) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|one| one != "null");
        if let [only] = types.as_slice() {
            schema["type"] = only.clone();
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|one| !one.is_null());
    }
    if let Some(Value::Array(any)) = schema.get_mut("anyOf") {
        any.retain(|one| one["type"] != "null");
        if let [Value::Object(only)] = any.as_slice() {
            let only = only.clone();
            let object = schema.as_object_mut().expect("a schema with properties");
            object.remove("anyOf");
            object.extend(only);
        }
    }
}

/// Schemas (2020-12) by type name; a `$ref` has the form `#/$defs/NAME`. Requests have the schema that the engine
/// reads, answers the one that it writes; a type used in both must have one schema.
///
/// # Panics
/// If a type has two different schemas.
pub fn schemas() -> BTreeMap<String, Value> {
    macro_rules! definitions {
        ($settings:expr, [$($t:ty),* $(,)?]) => {{
            let mut generator = $settings.with_transform(WithoutFormats).into_generator();
            $( generator.subschema_for::<$t>(); )*
            generator.take_definitions(true)
        }};
    }
    let requests = definitions!(
        SchemaSettings::draft2020_12().for_deserialize(),
        [SolveRequest, Edits, SensTarget, LoadabilityTarget, PlanSpecJson]
    );
    let answers = definitions!(
        SchemaSettings::draft2020_12()
            .for_serialize()
            .with_transform(AbsentNotNull),
        [
            Solution,
            SolveResponse,
            CommitResult,
            SensitivityColumn,
            SensitivityMatrix,
            Preview,
            LmpComponents,
            Explanation,
            Track,
            TrackState,
            Loadability,
            PlanOutcomeJson,
            JobStep,
            Capabilities,
            SolutionModule,
            Topology,
            Network,
            IngestedNetwork,
            IngestedJsonDrop,
            Display,
            GeoReport,
            GeoApplied,
            GeoDrawing,
            LayoutHead,
            Placement,
            McRows,
            McResult,
            McPreview,
            McReplay,
            McStudyFile,
            ErrorBody,
        ]
    );
    let mut all = BTreeMap::new();
    for (name, schema) in requests.into_iter().chain(answers) {
        if let Some(other) = all.insert(name.clone(), schema.clone()) {
            assert_eq!(
                other, schema,
                "{name} has one schema in requests and another in answers"
            );
        }
    }
    all
}
