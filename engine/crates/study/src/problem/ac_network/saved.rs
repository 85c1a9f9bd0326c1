//! Results of the AC formulations in solution modules, read back bit for bit and certified again without a solve.

use super::AcNetwork;
use crate::case::Case;
use crate::contract::{self as c, ColumnName};
use crate::edits::Edits;
use crate::json::to_json;
use crate::problem::assumed::case_of;
use crate::problem::saved::{restored, stored, tampered, Read, Saved, SavedEdits, StoredColumn};
use crate::results::Results;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::sha256::sha256_hex;
use wattbook_network::{read_ac_solution_module, write_ac_solution_module, AcColumns, AcOwn};
use wattbook_solve::ac::{AcCertificate, AcClaim, AcData, Limited, SlackRule};
use wattbook_solve::conic::{ConicCertificate, ConicClaim, ConicData, ConicMultipliers, Cuts, PairMultipliers};
use wattbook_solve::{further_generators, LinkPower};

/// Layout version of [`Details`].
const VERSION: u32 = 2;

/// A result with the data that its certificate needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Details {
    version: u32,
    case_sha256: String,
    /// Changes from the case, by id.
    deltas: c::DemandDeltas,
    rates: c::RatingDeltas,
    reactive: c::DemandDeltas,
    /// Values that replace those of the case, by id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    generators: c::GeneratorEdits,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    branches: c::BranchEdits,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    link_edits: c::LinkEdits,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    storage_edits: c::StorageEdits,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    interfaces: c::InterfaceEdits,
    #[serde(default, skip_serializing_if = "c::AddedElements::is_empty")]
    added: c::AddedElements,
    /// False where it was solved without assumed ratings.
    #[serde(default = "yes", skip_serializing_if = "is_so")]
    assumed_ratings: bool,
    /// Set where storage was valued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    storage: Option<c::StorageOption>,
    head: c::SolutionHead,
    /// By dense row; null where a row is not energised.
    columns: Vec<StoredColumn>,
    proof: Proof,
    /// Hash over all other fields.
    details_sha256: String,
}

fn yes() -> bool {
    true
}

fn is_so(so: &bool) -> bool {
    *so
}

/// Buses, then the multipliers of cone, angle-difference limits and cuts.
type StoredPair = ([usize; 2], [f64; 4], [f64; 2], [f64; 2]);

/// Data beyond the columns, per unit by dense row.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::problem) enum Proof {
    Flow {
        /// The schedule and the set-points of the generators.
        output: Vec<f64>,
        output_q: Vec<f64>,
        set_point: Vec<f64>,
        /// Buses held at a reactive limit, true at the upper one.
        limited: Vec<(usize, bool)>,
    },
    Relaxation {
        cuts: bool,
        price: Vec<[f64; 2]>,
        thermal: Vec<[[f64; 3]; 2]>,
        pairs: Vec<StoredPair>,
    },
}

impl Proof {
    pub fn of_flow(data: &AcData, limited: &[(usize, Limited)]) -> Self {
        Self::Flow {
            output: data.output.clone(),
            output_q: data.output_q.clone(),
            set_point: data.set_point.clone(),
            limited: limited
                .iter()
                .map(|&(row, side)| (row, side == Limited::AtMax))
                .collect(),
        }
    }

    pub fn of_relaxation(cuts: Cuts, m: &ConicMultipliers) -> Self {
        let pair = |p: &PairMultipliers| (p.buses, p.jabr, p.angle, p.cuts);
        Self::Relaxation {
            cuts: cuts == Cuts::Lifted,
            price: m.price.clone(),
            thermal: m.thermal.clone(),
            pairs: m.pairs.iter().map(pair).collect(),
        }
    }
}

impl AcNetwork {
    /// The solution module of a result.
    ///
    /// Errors: `MODULE.WRITE`.
    pub fn saved(&self, edited: &str, case_id: &str, edits: &Edits, results: &Results, proof: Proof) -> Result<String> {
        let network = &self.case.network;
        let by_id = |edits: &BTreeMap<usize, f64>, id: &dyn Fn(usize) -> u64| {
            edits.iter().map(|(&row, &by)| (id(row).to_string(), by)).collect()
        };
        let bus = |row: usize| network.buses[row].id;
        let mut details = Details {
            version: VERSION,
            case_sha256: self.case.sha256.clone(),
            deltas: by_id(&edits.demand, &bus),
            rates: by_id(&edits.rating, &|row| network.branches[row].id),
            reactive: by_id(&edits.reactive, &bus),
            generators: edits.generators_by_id(&self.case),
            branches: edits.branches_by_id(&self.case),
            link_edits: edits.links_by_id(&self.case),
            storage_edits: edits.storages_by_id(&self.case),
            interfaces: edits.network.interfaces.clone(),
            added: edits.added_by_id(&self.case),
            assumed_ratings: self.options.assumed_ratings.unwrap_or(true),
            storage: self
                .options
                .storage
                .filter(|option| *option == c::StorageOption::Valued),
            head: results.head(case_id),
            columns: results.columns.iter().map(stored).collect(),
            proof,
            details_sha256: String::new(),
        };
        details.details_sha256 = details.sha256();
        let (columns, own) = details.slots();
        let extension = serde_json::to_value(&details)
            .map_err(|e| EngineError::new("MODULE.WRITE", message!("module.write", cause = e.to_string())))?;
        let producer = format!("wattbook {}", crate::CONTRACT_VERSION);
        write_ac_solution_module(edited, &columns, &own, &producer, extension)
    }
}

/// Reads the result of an AC formulation; `None` where the module holds another kind of solution.
///
/// Errors: `MODULE.INVALID`, `MODULE.INCOMPLETE`, `MODULE.TAMPERED`, `MODULE.VERSION`.
pub(crate) fn read(text: &str) -> Result<Option<Read>> {
    let found = read_ac_solution_module(text, |extension| Ok(Details::read(extension)?.slots()))?;
    let Some((extension, producer, module_json)) = found else {
        return Ok(None);
    };
    let details = Details::read(&extension)?;
    let options = c::SolveOptions {
        assumed_ratings: Some(details.assumed_ratings),
        storage: details.storage,
        ..c::SolveOptions::default()
    };
    let case = case_of(&Case::read(&module_json)?, &options);
    let results = details.results();
    if results.sha256() != details.head.result_sha256 {
        return Err(tampered(message!("module.changed.result")));
    }
    if !details.fits(&case.network) {
        return Err(tampered(message!("module.changed.rows")));
    }
    if !details.is_certified(&case.network) {
        return Err(tampered(message!("module.changed.certificate")));
    }
    Ok(Some(Read {
        saved: Saved {
            results,
            case_id: details.head.case,
            edits: Some(SavedEdits {
                case_sha256: details.case_sha256,
                deltas: details.deltas,
                rates: details.rates,
                reactive: (!details.reactive.is_empty()).then_some(details.reactive),
                generators: details.generators,
                branches: details.branches,
                links: details.link_edits,
                storages: details.storage_edits,
                interfaces: details.interfaces,
                added: details.added,
            }),
        },
        case,
        module_json,
        producer,
    }))
}

impl Details {
    fn read(extension: &Value) -> Result<Self> {
        if extension.get("version").and_then(Value::as_u64) != Some(u64::from(VERSION)) {
            return Err(EngineError::new("MODULE.VERSION", message!("module.version")));
        }
        let details: Self = serde_json::from_value(extension.clone())
            .map_err(|e| tampered(message!("module.changed.unreadable", cause = e.to_string())))?;
        match details.sha256() == details.details_sha256 {
            true => Ok(details),
            false => Err(tampered(message!("module.changed.details"))),
        }
    }

    fn sha256(&self) -> String {
        let unsigned = Self {
            details_sha256: String::new(),
            ..self.clone()
        };
        sha256_hex(to_json(&unsigned).as_bytes())
    }

    fn results(&self) -> Results {
        let head = self.head.clone();
        Results {
            formulation: head.formulation,
            status: head.status,
            dc_convention: head.dc_convention,
            objective: head.objective,
            columns: self.columns.iter().map(restored).collect(),
            slack: head.slack,
            power_flow: head.power_flow,
            iterations: None,
            security: None,
            certificate: head.certificate,
            diagnostics: head.diagnostics,
        }
    }

    /// Values of a column, zero where a row is not energised; empty where the column is absent.
    fn values(&self, name: ColumnName, factor: f64) -> Vec<f64> {
        let column = self.columns.iter().find(|(of, _)| *of == name);
        let values = column.map_or(&[][..], |(_, values)| values);
        values.iter().map(|x| x.unwrap_or(0.0) * factor).collect()
    }

    fn pairs(&self, names: [ColumnName; 2], factor: f64) -> Vec<[f64; 2]> {
        let [a, b] = names.map(|name| self.values(name, factor));
        a.into_iter().zip(b).map(|(a, b)| [a, b]).collect()
    }

    fn slots(&self) -> (AcColumns, AcOwn) {
        use ColumnName as N;
        let of = |name| self.values(name, 1.0);
        let mut columns = AcColumns {
            magnitude: of(N::VmPu),
            injection_mw: of(N::InjectionMw),
            injection_mvar: of(N::InjectionMvar),
            from_mw: of(N::FlowMw),
            from_mvar: of(N::FlowMvar),
            to_mw: of(N::FlowToMw),
            to_mvar: of(N::FlowToMvar),
            dispatch_mw: of(N::DispatchMw),
            dispatch_mvar: of(N::DispatchMvar),
        };
        let own = match self.proof {
            Proof::Flow { .. } => AcOwn::Flow {
                angle_deg: self.values(N::VaRad, 1f64.to_degrees()),
            },
            Proof::Relaxation { .. } => {
                // The format has no slot for injections of a relaxation.
                columns.injection_mw = vec![0.0; columns.magnitude.len()];
                columns.injection_mvar = columns.injection_mw.clone();
                AcOwn::Relaxation {
                    objective: self.head.objective.unwrap_or_default(),
                    product_real: of(N::ProductReal),
                    product_imag: of(N::ProductImag),
                    price: of(N::Lmp),
                    price_q: of(N::LmpQ),
                }
            }
        };
        (columns, own)
    }

    /// Whether rows and references match the network.
    fn fits(&self, network: &AnalysisNetwork) -> bool {
        use c::ColumnElement::{
            Branch, Bus, Conductor, Corner, Element, Generator, Link, Load, Source, Storage, Terminal,
        };
        let rows = |element| match element {
            Bus => network.buses.len(),
            Branch => network.branches.len(),
            Generator => network.generators.len(),
            Link => network.links.len(),
            Storage => network.storages.len(),
            // Columns of a case and of a feeder, not of a result.
            Corner | Terminal | Conductor | Element | Source | Load => 0,
        };
        let (buses, branches, generators) = (rows(Bus), rows(Branch), rows(Generator));
        let columns = self
            .columns
            .iter()
            .all(|(name, values)| values.len() == rows(name.head().1));
        let proof = match &self.proof {
            Proof::Flow {
                output,
                output_q,
                set_point,
                limited,
            } => {
                let all = [output, output_q, set_point];
                let all_generators = generators + further_generators(network);
                all.iter().all(|column| column.len() == all_generators) && limited.iter().all(|(row, _)| *row < buses)
            }
            Proof::Relaxation {
                price, thermal, pairs, ..
            } => {
                let inside = pairs.iter().all(|(ends, ..)| ends.iter().all(|row| *row < buses));
                price.len() == buses && thermal.len() == branches && inside
            }
        };
        columns
            && proof
            && self
                .needed(network)
                .iter()
                .all(|name| self.columns.iter().any(|(of, _)| of == name))
    }

    /// Columns that the certificate needs.
    fn needed(&self, network: &AnalysisNetwork) -> Vec<ColumnName> {
        use ColumnName as N;
        let own = match self.proof {
            Proof::Flow { .. } => [N::VmPu, N::VaRad],
            Proof::Relaxation { .. } => [N::ProductReal, N::ProductImag],
        };
        let all = [
            N::VmPu,
            N::FlowMw,
            N::FlowMvar,
            N::FlowToMw,
            N::FlowToMvar,
            N::DispatchMw,
            N::DispatchMvar,
        ];
        let of_links: &[N] = match network.links.is_empty() {
            true => &[],
            false => &[N::LinkMw, N::LinkToMw, N::LinkFromMvar, N::LinkToMvar],
        };
        let of_storages: &[N] = match network.storages.is_empty() {
            true => &[],
            false => &[N::StorageMw, N::StorageMvar],
        };
        let further = of_links.iter().chain(of_storages).copied();
        all.into_iter().chain(own).chain(further).collect()
    }

    /// Whether the result solves the network, by a certificate computed from rows and columns alone.
    fn is_certified(&self, network: &AnalysisNetwork) -> bool {
        use ColumnName as N;
        let per_unit = 1.0 / network.base_mva;
        let flow_from = self.pairs([N::FlowMw, N::FlowMvar], per_unit);
        let flow_to = self.pairs([N::FlowToMw, N::FlowToMvar], per_unit);
        let magnitude = self.values(N::VmPu, 1.0);
        let (mut dispatch, mut dispatch_q) = (
            self.values(N::DispatchMw, per_unit),
            self.values(N::DispatchMvar, per_unit),
        );
        let active = self.pairs([N::LinkMw, N::LinkToMw], per_unit);
        let reactive = self.pairs([N::LinkFromMvar, N::LinkToMvar], per_unit);
        let links = active.into_iter().zip(reactive);
        let links: Vec<LinkPower> = links.map(|(active, reactive)| LinkPower { active, reactive }).collect();
        match &self.proof {
            Proof::Flow {
                output,
                output_q,
                set_point,
                limited,
            } => {
                let Some(report) = &self.head.power_flow else {
                    return false;
                };
                let data = AcData {
                    output: output.clone(),
                    output_q: output_q.clone(),
                    set_point: set_point.clone(),
                    ..AcData::base(network)
                };
                let side = |at_max: bool| if at_max { Limited::AtMax } else { Limited::AtMin };
                LinkPower::extend_outputs(network, &links, &mut dispatch, &mut dispatch_q);
                let limited: Vec<(usize, Limited)> = limited.iter().map(|&(row, at)| (row, side(at))).collect();
                let slack = self.head.slack.iter().flatten();
                let row_of = |id: u64| network.buses.iter().position(|bus| bus.id == id);
                let slack: Vec<usize> = slack.filter_map(|s| row_of(s.bus)).collect();
                let claim = AcClaim {
                    data: &data,
                    slack_rule: match report.slack {
                        c::SlackRule::Single => SlackRule::Single,
                        c::SlackRule::Distributed => SlackRule::Distributed,
                    },
                    magnitude: &magnitude,
                    angle: &self.values(N::VaRad, 1.0),
                    output: &dispatch,
                    output_q: &dispatch_q,
                    flow_from: &flow_from,
                    flow_to: &flow_to,
                    slack: &slack,
                    keeps_limits: report.reactive_limits == c::ReactiveLimits::Kept,
                    limited: &limited,
                };
                AcCertificate::of_claim(network, &claim).holds()
            }
            Proof::Relaxation {
                cuts,
                price,
                thermal,
                pairs,
            } => {
                let pair = |&(buses, jabr, angle, cuts): &([usize; 2], [f64; 4], [f64; 2], [f64; 2])| PairMultipliers {
                    buses,
                    jabr,
                    angle,
                    cuts,
                };
                let multipliers = ConicMultipliers {
                    price: price.clone(),
                    thermal: thermal.clone(),
                    pairs: pairs.iter().map(pair).collect(),
                };
                let (mw, mvar) = (
                    self.values(N::StorageMw, per_unit),
                    self.values(N::StorageMvar, per_unit),
                );
                for (row, _) in network.storages_injecting() {
                    dispatch.push(mw[row]);
                    dispatch_q.push(mvar[row]);
                }
                let squared: Vec<f64> = magnitude.iter().map(|v| v * v).collect();
                let claim = ConicClaim {
                    data: &ConicData::base(network),
                    voltage_squared: &squared,
                    product: &self.pairs([N::ProductReal, N::ProductImag], 1.0),
                    flow_from: &flow_from,
                    flow_to: &flow_to,
                    dispatch: &dispatch,
                    dispatch_q: &dispatch_q,
                    links: &links,
                    multipliers: &multipliers,
                };
                let cuts = if *cuts { Cuts::Lifted } else { Cuts::None };
                let certificate = ConicCertificate::of_claim(network, cuts, &claim);
                let objective = self.head.objective.unwrap_or(f64::NAN);
                certificate.holds() && (certificate.objective - objective).abs() <= 1e-6 * (1.0 + objective.abs())
            }
        }
    }
}
