//! The parts of a result without a slot in a solution module, and their comparison with stored values.

use crate::case::Case;
use crate::contract::{self as c, ColumnName};
use crate::problem::saved::StoredColumn;
use crate::results::Results;
use serde::{Deserialize, Serialize};
use wattbook_network::analysis::{Branch, Generator};
use wattbook_network::sha256::sha256_hex;

/// Layout version of [`Details`].
pub(super) const VERSION: u32 = 2;

/// Columns that a result with security has behind its prices.
pub(super) const SECURITY_PRICES: [ColumnName; 2] = [ColumnName::LmpWithoutSecurity, ColumnName::LmpSecurity];

/// The parts of a result without a slot in a solution module. Lists are of the canonical rows, except `lowered`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Details {
    pub version: u32,
    pub case: String,
    pub case_sha256: String,
    pub dc_convention: c::DcConvention,
    /// MW from the case, by id.
    pub deltas: c::DemandDeltas,
    pub rates: c::RatingDeltas,
    /// Values that replace those of the case, by id.
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub generators: c::GeneratorEdits,
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub branches: c::BranchEdits,
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub link_edits: c::LinkEdits,
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub storage_edits: c::StorageEdits,
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub interfaces: c::InterfaceEdits,
    #[serde(default, skip_serializing_if = "c::AddedElements::is_empty")]
    pub added: c::AddedElements,
    /// False where it was solved without assumed ratings.
    #[serde(default = "yes", skip_serializing_if = "is_so")]
    pub assumed_ratings: bool,
    /// Set where storage was valued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<c::StorageOption>,
    pub result_sha256: String,
    pub certificate: c::Certificate,
    pub diagnostics: Vec<c::Diagnostic>,
    /// Radians, because the degrees of the slot cannot be converted back bit for bit.
    pub va_rad: Vec<f64>,
    pub loading: Vec<f64>,
    /// Branches at their angle-difference limit, whose multiplier is not that of a thermal limit: dense row, $/MWh.
    pub angle_multipliers: Vec<(usize, f64)>,
    pub left_out: LeftOut,
    pub lowered: Lowered,
    /// Powers of HVDC links in service at their from and to ends, MW, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<(u64, [f64; 2])>,
    /// Powers that storage units inject, MW, by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub storages: Vec<(u64, f64)>,
    /// Of an optimum with limits after outages, or with limits that may be exceeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub security: Option<c::SecurityReport>,
    /// What security adds to prices, by dense bus row; null where a bus is not energised.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub security_prices: Vec<StoredColumn>,
    /// Over what `result_sha256` leaves out.
    pub details_sha256: String,
}

fn yes() -> bool {
    true
}

fn is_so(so: &bool) -> bool {
    *so
}

/// Dense rows that are not energised.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct LeftOut {
    pub buses: Vec<usize>,
    pub branches: Vec<usize>,
    pub generators: Vec<usize>,
}

/// Published rows of lowered three-winding transformers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Lowered {
    pub prices: Vec<c::BusValue>,
    pub va: Vec<c::BusValue>,
    pub flows: Vec<c::BranchFlow>,
}

/// Rows of an optimum.
pub(super) struct Published {
    pub prices: Vec<c::BusValue>,
    pub va: Vec<c::BusValue>,
    pub flows: Vec<c::BranchFlow>,
    pub dispatch: Vec<c::GeneratorDispatch>,
    pub links: Vec<(u64, [f64; 2])>,
    pub storages: Vec<(u64, f64)>,
}

impl Published {
    pub fn of(results: &Results, case: &Case) -> Self {
        let network = &case.network;
        let column = |name| results.column(name).unwrap_or_default();
        let buses = |name| bus_values(case, column(name));
        let flows = network.branches.iter().zip(column(ColumnName::FlowMw));
        let limits = column(ColumnName::Loading).iter().zip(column(ColumnName::Shadow));
        let flows = flows.zip(limits).filter(|((_, mw), _)| !mw.is_nan());
        let flow = |((branch, &mw), (&loading, &shadow)): ((&Branch, &f64), (&f64, &f64))| c::BranchFlow {
            branch: branch.id,
            mw,
            loading,
            shadow: Some(shadow),
            mvar: None,
            mw_to: None,
            mvar_to: None,
        };
        let units = network.generators.iter().zip(column(ColumnName::DispatchMw));
        let units = units.filter(|(_, mw)| !mw.is_nan());
        let unit = |(generator, &mw): (&Generator, &f64)| c::GeneratorDispatch {
            gen: generator.id,
            bus: network.buses[generator.bus].id,
            mw,
            mvar: None,
        };
        let ends = column(ColumnName::LinkMw).iter().zip(column(ColumnName::LinkToMw));
        let links = network.links.iter().zip(ends).filter(|(_, (mw, _))| !mw.is_nan());
        let links = links.map(|(link, (&from, &to))| (link.id, [from, to]));
        let storages = network.storages.iter().zip(column(ColumnName::StorageMw));
        let storages = storages.filter(|(_, mw)| !mw.is_nan());
        Self {
            prices: buses(ColumnName::Lmp),
            va: buses(ColumnName::VaRad),
            flows: flows.map(flow).collect(),
            dispatch: units.map(unit).collect(),
            links: links.collect(),
            storages: storages.map(|(storage, &mw)| (storage.id, mw)).collect(),
        }
    }
}

/// Values of the energised rows.
fn bus_values(case: &Case, values: &[f64]) -> Vec<c::BusValue> {
    let rows = case.network.buses.iter().zip(values);
    let rows = rows.filter(|(_, value)| !value.is_nan());
    rows.map(|(bus, &value)| c::BusValue {
        bus: bus.id,
        uid: bus.uid.clone(),
        value,
    })
    .collect()
}

/// $/MWh, >= 0.
pub(super) fn shadow_of(flow: &c::BranchFlow) -> f64 {
    flow.shadow.unwrap_or_default()
}

impl Details {
    /// Over case, edits, certificate and flow rows with loading and multipliers.
    pub fn sha256(&self, flows: &[c::BranchFlow]) -> String {
        let edits = (&self.case_sha256, self.dc_convention, &self.deltas, &self.rates);
        let mut signed = match self.generators.is_empty() {
            true => crate::json::to_json(&(edits, &self.certificate, flows)),
            false => crate::json::to_json(&(edits, &self.generators, &self.certificate, flows)),
        };
        if !self.branches.is_empty() {
            signed.push_str(&crate::json::to_json(&self.branches));
        }
        if !self.link_edits.is_empty() {
            signed.push_str("links");
            signed.push_str(&crate::json::to_json(&self.link_edits));
        }
        if !self.storage_edits.is_empty() {
            signed.push_str("storage");
            signed.push_str(&crate::json::to_json(&self.storage_edits));
        }
        if !self.interfaces.is_empty() {
            signed.push_str("interfaces");
            signed.push_str(&crate::json::to_json(&self.interfaces));
        }
        if let Some(storage) = self.storage {
            signed.push_str(&crate::json::to_json(&storage));
        }
        if !self.added.is_empty() {
            signed.push_str(&crate::json::to_json(&self.added));
        }
        if let Some(security) = &self.security {
            signed.push_str(&crate::json::to_json(security));
        }
        if !self.security_prices.is_empty() {
            signed.push_str(&crate::json::to_json(&self.security_prices));
        }
        if !self.assumed_ratings {
            signed.push_str("without assumed ratings");
        }
        sha256_hex(signed.as_bytes())
    }
}
