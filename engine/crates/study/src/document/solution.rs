//! What a solution module states about itself, without its network. Displaying the numbers reads and checks all of it.

use crate::contract::{
    AddedElements, BranchEdits, DemandDeltas, DispatchSource, FormulationId, GeneratorEdits, InterfaceEdits, LinkEdits,
    RatingDeltas, StorageEdits,
};
use serde::Deserialize;

/// The state that a solution belongs to.
pub(super) struct Claim {
    pub case_sha256: String,
    pub formulation: FormulationId,
    pub deltas: DemandDeltas,
    pub rates: RatingDeltas,
    pub reactive: DemandDeltas,
    pub generators: GeneratorEdits,
    pub branches: BranchEdits,
    pub links: LinkEdits,
    pub storage: StorageEdits,
    pub interfaces: InterfaceEdits,
    pub added: AddedElements,
    pub result_sha256: String,
    /// The dispatch source that an AC power flow was solved with.
    pub dispatch: Option<DispatchSource>,
}

#[derive(Deserialize)]
struct Module {
    extensions: Extensions,
}

#[derive(Deserialize)]
struct Extensions {
    #[serde(rename = "wattbook.dc-opf")]
    dc: Option<Dc>,
    #[serde(rename = "wattbook.ac")]
    ac: Option<Ac>,
}

#[derive(Deserialize)]
struct Dc {
    case_sha256: String,
    deltas: DemandDeltas,
    rates: RatingDeltas,
    #[serde(default)]
    generators: GeneratorEdits,
    #[serde(default)]
    branches: BranchEdits,
    #[serde(default)]
    link_edits: LinkEdits,
    #[serde(default)]
    storage_edits: StorageEdits,
    #[serde(default)]
    interfaces: InterfaceEdits,
    #[serde(default)]
    added: AddedElements,
    result_sha256: String,
}

#[derive(Deserialize)]
struct Ac {
    case_sha256: String,
    deltas: DemandDeltas,
    rates: RatingDeltas,
    reactive: DemandDeltas,
    #[serde(default)]
    generators: GeneratorEdits,
    #[serde(default)]
    branches: BranchEdits,
    #[serde(default)]
    link_edits: LinkEdits,
    #[serde(default)]
    storage_edits: StorageEdits,
    #[serde(default)]
    interfaces: InterfaceEdits,
    #[serde(default)]
    added: AddedElements,
    head: AcHead,
}

#[derive(Deserialize)]
struct AcHead {
    formulation: FormulationId,
    result_sha256: String,
    power_flow: Option<AcReport>,
}

#[derive(Deserialize)]
struct AcReport {
    dispatch: DispatchSource,
}

/// Errors: a description of the missing part.
pub(super) fn solution_claim(text: &str) -> Result<Claim, String> {
    let module: Module = serde_json::from_str(text).map_err(|e| e.to_string())?;
    match module.extensions {
        Extensions { ac: Some(ac), .. } => Ok(Claim {
            case_sha256: ac.case_sha256,
            formulation: ac.head.formulation,
            deltas: ac.deltas,
            rates: ac.rates,
            reactive: ac.reactive,
            generators: ac.generators,
            branches: ac.branches,
            links: ac.link_edits,
            storage: ac.storage_edits,
            interfaces: ac.interfaces,
            added: ac.added,
            result_sha256: ac.head.result_sha256,
            dispatch: ac.head.power_flow.map(|report| report.dispatch),
        }),
        Extensions { dc: Some(dc), .. } => Ok(Claim {
            case_sha256: dc.case_sha256,
            formulation: FormulationId::Dcopf,
            deltas: dc.deltas,
            rates: dc.rates,
            reactive: DemandDeltas::new(),
            generators: dc.generators,
            branches: dc.branches,
            links: dc.link_edits,
            storage: dc.storage_edits,
            interfaces: dc.interfaces,
            added: dc.added,
            result_sha256: dc.result_sha256,
            dispatch: None,
        }),
        _ => Err("Wattbook did not write it".into()),
    }
}
