//! Data that Wattbook's own converters add to a PowerModels document in the member `wattbook`: identities of branches,
//! generators and storage units, for which the parser reads no PowerModels member, and warnings about source data without a place in
//! the document.

use powerio::{PioModule, PioValue};
use serde::Deserialize;
use std::collections::HashSet;

use crate::analysis::Warning;
use crate::error::Result;
use crate::message::pieces::clean;
use crate::message::visible::visible;
use crate::message::Value;
use crate::{message, module};

#[derive(Default, Deserialize)]
struct Document {
    #[serde(default)]
    wattbook: Additions,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Additions {
    /// By row, in the order of the document; empty for a row without a uid.
    branch_uids: Vec<String>,
    generator_uids: Vec<String>,
    storage_uids: Vec<String>,
    warnings: Vec<StoredWarning>,
}

#[derive(Deserialize)]
struct StoredWarning {
    code: String,
    text: String,
}

/// The codes that a converter may use.
const CODES: [&str; 3] = ["INPUT.LEFT_OUT", "INPUT.HELD", "INPUT.FIELD_IGNORED"];

/// Adds the data of the member `wattbook`; a document without it or with an unknown one is unchanged.
///
/// # Errors
/// `MODULE.*` if the module accepts no warning.
pub(super) fn complete(parsed: &mut PioModule<PioValue>, text: &str) -> Result<()> {
    if !text.contains("\"wattbook\"") {
        return Ok(());
    }
    let Ok(Document { wattbook }) = serde_json::from_str(text) else {
        return Ok(());
    };
    let network = module::balanced_mut(parsed)?;
    let mut used = HashSet::new();
    let mut free =
        |uid: &String| !uid.trim().is_empty() && !network.uid_is_generated(Some(uid)) && used.insert(uid.clone());
    let mut chosen = |uids: Vec<String>| -> Vec<Option<String>> {
        let cleaned = uids.into_iter().map(|uid| clean(&visible(&uid)));
        cleaned.map(|uid| Some(uid).filter(&mut free)).collect()
    };
    let (branches, generators) = (chosen(wattbook.branch_uids), chosen(wattbook.generator_uids));
    let storages = chosen(wattbook.storage_uids);
    if branches.len() == network.branches().len() {
        for (branch, uid) in network.branches_mut().iter_mut().zip(branches) {
            branch.uid = uid.or(branch.uid.take());
        }
    }
    if generators.len() == network.generators().len() {
        for (generator, uid) in network.generators_mut().iter_mut().zip(generators) {
            generator.uid = uid.or(generator.uid.take());
        }
    }
    if storages.len() == network.storage().len() {
        for (storage, uid) in network.storage_mut().iter_mut().zip(storages) {
            storage.uid = uid.or(storage.uid.take());
        }
    }
    for stored in wattbook.warnings {
        let Some(code) = CODES.into_iter().find(|code| *code == stored.code) else {
            continue;
        };
        let message = message!("module.stored_warning", text = Value::Text(clean(&stored.text)));
        module::store_warning(parsed, &Warning::new(code, message))?;
    }
    Ok(())
}
