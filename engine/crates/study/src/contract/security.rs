//! Security: limits after outages, and what exceeding limits costs.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

use super::ElementKey;

/// Limits after outages in DC OPF (`docs/method/secure.md`). The prices of exceeding them are those of
/// `SoftLimits`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SecurityOptions {
    /// By default `all`: every branch in service by itself. `units`: every generator in service by itself; `all_and_units`: both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outages: Option<Outages>,
    /// Branches that are monitored after outages; by default all with a rating in the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub monitored: Option<Monitored>,
    /// Limits after outages. By default `RATE_C` where some are larger than the ratings and none is larger than three
    /// times the rating, and otherwise 1.2 times the rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub emergency: Option<EmergencyRating>,
    /// Whether limits after outages that no dispatch holds at the demand of the case are raised to 1.02 times the least
    /// flow; by default they are. Otherwise they are exceeded at their price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub raise_limits: Option<bool>,
    /// Participation of generators in replacing the output of one that is out of service, by relative factors of at
    /// least zero; generators without an entry have none. By default in proportion to the largest output in the source
    /// of each that is in service, can move, and may be positive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub participation: Option<BTreeMap<String, f64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Outages {
    All(AllOutages),
    List(Vec<OutageOf>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AllOutages {
    /// Every branch in service by itself.
    All,
    /// Every generator in service by itself.
    Units,
    /// Every branch and every generator.
    #[serde(rename = "all_and_units")]
    AllAndUnits,
}

/// One branch, or up to eight that are out of service together, also with generators.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, deny_unknown_fields)]
pub enum OutageOf {
    Branch(ElementKey),
    Together(Vec<ElementKey>),
    Elements {
        /// That of the list it is from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        name: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<ElementKey>>", optional)]
        branches: Vec<ElementKey>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(as = "Option<Vec<ElementKey>>", optional)]
        generators: Vec<ElementKey>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Monitored {
    /// Branches with both ends at this voltage or above, kV.
    FromKv(f64),
    Branches(Vec<ElementKey>),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum EmergencyRating {
    /// A multiple of the rating.
    Factor(f64),
    OfSource(SourceRating),
}

/// The emergency ratings of the source. A branch without one has its rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SourceRating {
    RateB,
    RateC,
}

/// Prices of exceeding limits, $/MWh. The excess of a branch is shared by all outages, so that the shadow prices of its
/// limits sum to the price at most.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SoftLimits {
    /// Limits after outages; by default 2,000 $/MWh. Hard limits are not raised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outages: Option<ExcessPrice>,
    /// Ratings before outages, which are hard by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub base: Option<f64>,
    /// Demand that is not served, at each bus with demand in the case, at most all of it; by default all demand is
    /// served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lost_load: Option<f64>,
    /// Limits of interfaces; by default 5,000 $/MWh.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub interfaces: Option<ExcessPrice>,
}

/// What exceeding a limit costs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ExcessPrice {
    /// $/MWh.
    UsdPerMwh(f64),
    Hard(HardLimit),
}

/// A limit that is never exceeded: without a dispatch that holds all of them there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum HardLimit {
    Hard,
}

/// Limits of DC OPF in addition to those of the case.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NetworkLimits {
    /// Names are unique.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<InterfaceLimit>>", optional)]
    pub interfaces: Vec<InterfaceLimit>,
}

/// An interface (flowgate): limits on a weighted sum of the flows at the from ends of branches, before outages or after
/// one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InterfaceLimit {
    pub name: String,
    pub branches: Vec<InterfaceBranch>,
    /// By default unlimited; at least one of the two limits is necessary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub min_mw: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub max_mw: Option<f64>,
    /// Branches out of service when the limits apply; by default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outage: Option<OutageOf>,
}

/// A limit of an interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum InterfaceValue {
    #[default]
    MaxMw,
    MinMw,
}

/// Edits of interfaces, keyed by their names in the option `limits`.
pub type InterfaceEdits = BTreeMap<String, InterfaceEdit>;

/// Limits of an interface in place of those of the option `limits`; an absent limit stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InterfaceEdit {
    /// Lower limit of the flow, MW.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub min_mw: Option<f64>,
    /// Upper limit of the flow, MW.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "f64"))]
    #[ts(optional)]
    pub max_mw: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InterfaceBranch {
    pub branch: ElementKey,
    /// Factor of its flow, by default 1; -1 reverses the direction of the branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub weight: Option<f64>,
}

/// What lists of outages, monitored branches and interfaces say about a case (`docs/reference/formats.md`). The options
/// `security` and `limits` take outages, monitored branches and interfaces as they are here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SecurityLists {
    pub outages: Vec<OutageOf>,
    /// Branches; absent if no list selects any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub monitored: Option<Vec<ElementKey>>,
    pub interfaces: Vec<InterfaceLimit>,
    /// Statements that name what the case does not have.
    pub not_found: Vec<ListStatement>,
    /// Statements that name elements out of service.
    pub out_of_service: Vec<ListStatement>,
    /// Statements without effect on a DC model: voltages, shunts, interfaces without limits, outages of nothing.
    pub without_effect: Vec<ListStatement>,
    /// Statements that are not supported.
    pub unsupported: Vec<ListStatement>,
}

/// A statement of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListStatement {
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    pub text: String,
    /// The outage or interface that is left out because of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub left_out: Option<String>,
}

/// The state of an interface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InterfaceFlow {
    pub name: String,
    /// Sum of the weighted flows, after the outage if it has one, MW.
    pub flow_mw: f64,
    /// Absent where unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub min_mw: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub max_mw: Option<f64>,
    /// Power beyond its limit, MW.
    pub excess_mw: f64,
    /// $/MWh, positive at the upper limit and negative at the lower one.
    pub shadow_usd_per_mwh: f64,
}

/// What was secured, and which of the limits set prices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SecurityReport {
    /// Outages that are secured.
    pub outages: u32,
    /// Outages that split an island, and outages of branches that take no part or have no impedance; ids.
    #[ts(type = "Array<Array<number>>")]
    pub splitting: Vec<Vec<u64>>,
    #[ts(type = "Array<Array<number>>")]
    pub without_effect: Vec<Vec<u64>>,
    /// Ids of the generators of outages that are left out, since they are out of service or no other generator of
    /// their island participates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Vec<u32>>>", optional)]
    pub generators_left_out: Vec<Vec<u64>>,
    /// Branches that are monitored after outages.
    pub monitored: u32,
    /// Limits after outages that no dispatch holds, whatever other limits there are, and that are therefore raised.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<RaisedLimit>>", optional)]
    pub raised: Vec<RaisedLimit>,
    /// The rule of the limits after outages, that of the options or the default; absent without the option `security`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub emergency: Option<EmergencyRating>,
    /// Price of exceeding them, $/MWh; absent without the option `security` and where they are hard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub penalty_usd_per_mwh: Option<f64>,
    /// Price of exceeding ratings before outages, $/MWh; absent where they are hard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub base_penalty_usd_per_mwh: Option<f64>,
    /// Price of exceeding limits of interfaces, $/MWh; absent without interfaces and where they are hard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub interface_penalty_usd_per_mwh: Option<f64>,
    /// Demand that is not served, by bus.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<LostLoad>>", optional)]
    pub lost_load: Vec<LostLoad>,
    /// Objective of the optimum without limits after outages and of interfaces, $/h; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub objective_without: Option<f64>,
    /// Cost of these limits without the payments for exceeded limits, $/h; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cost_usd_per_h: Option<f64>,
    /// Part of the objective that pays for exceeded limits, without lost load, $/h, and the sum of the excesses, MW.
    pub penalties_usd_per_h: f64,
    pub excess_mw: f64,
    /// Largest violation over all pairs of a branch and an outage, MW, from the last screening.
    pub worst_violation_mw: f64,
    /// Screenings until no pair was violated.
    pub rounds: u32,
    /// Limits of branches with a shadow price or an excess.
    pub binding: Vec<BindingLimit>,
    /// Every interface, in the order of the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<InterfaceFlow>>", optional)]
    pub interfaces: Vec<InterfaceFlow>,
}

/// Demand of a bus that is not served.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LostLoad {
    #[ts(type = "number")]
    pub bus: u64,
    pub mw: f64,
}

/// A limit of a branch after outages that no dispatch holds at the demand of the case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RaisedLimit {
    #[ts(type = "number")]
    pub branch: u64,
    /// The outage after which the least flow is largest: ids of the branches out of service.
    #[ts(type = "Array<number>")]
    pub outage: Vec<u64>,
    /// Ids of the generators out of service; absent without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<u32>>")]
    pub generators_out: Vec<u64>,
    pub limit_mw: f64,
    /// The least flow after that outage that a dispatch achieves, MW.
    pub least_mw: f64,
    pub raised_to_mw: f64,
}

/// A limit of a branch after an outage, or a rating that may be exceeded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BindingLimit {
    #[ts(type = "number")]
    pub branch: u64,
    /// Ids of the branches that are out of service; empty before outages.
    #[ts(type = "Array<number>")]
    pub outage: Vec<u64>,
    /// Ids of the generators out of service in the outage; absent without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<u32>>")]
    pub generators_out: Vec<u64>,
    /// The name of the outage in the list that it is from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub outage_name: Option<String>,
    /// A parallel branch of the same impedance, whose limit after the outage of this one is the same row: the split of the
    /// shadow price between them is arbitrary, and all of it is here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub twin: Option<u32>,
    /// Flow at the from end, MW.
    pub flow_mw: f64,
    pub limit_mw: f64,
    /// Excess of the branch, MW, shared by its outages.
    pub excess_mw: f64,
    /// $/MWh, at least zero.
    pub shadow_usd_per_mwh: f64,
}

impl BindingLimit {
    /// Whether it is a limit after an outage.
    pub fn is_after_outage(&self) -> bool {
        !self.outage.is_empty() || !self.generators_out.is_empty()
    }
}
