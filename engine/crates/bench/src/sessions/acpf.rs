//! The AC power flow of one case on one side: the timed calls of `npm run bench -- acpf`, and their answers.
//!
//! Outputs are those of the DC OPF plus the slack of a distributed solve, with set-points of at most 1.03 pu. The
//! imbalance is thus known, so that one reference per island is an equivalent problem.

use super::bits::Bits;
use super::calls::{missing, Calls};
use super::plan;
use serde_json::{json, Value};
use wattbook_network::analysis::AnalysisNetwork;
use wattbook_network::error::Result;
use wattbook_network::network_from_module;
use wattbook_solve::ac::{AcCertificate, AcData, AcModel, AcOptions, AcSolution, SlackRule};
use wattbook_solve::dc::{Convention, DcData, DcModel, DcOptimizer, DualActiveSet};
use wattbook_study::contract::Column;
use wattbook_study::Study;

/// Set-point of all generators, per unit, at most the upper limit of the bus.
const SET_POINT: f64 = 1.03;
/// The corresponding options of a Study.
const OPTIONS: &str = r#"{"dispatch":"dcopf","slack":"distributed","set_point_pu":1.03}"#;

/// One of the timed calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowCall {
    /// Admittances, order of elimination, patterns of the factors.
    Model,
    /// From the case alone, start included.
    Solve,
    /// From given voltages, like a peer.
    Newton,
    /// A Study of the case, with the dispatch of the DC OPF.
    Study,
    /// The k-th demand edit, as displayed during a drag and as committed.
    Preview(usize),
    Commit(usize),
}

impl FlowCall {
    /// The call of a number, as hosts use them.
    pub fn new(what: usize, k: usize) -> Option<Self> {
        [
            Self::Model,
            Self::Solve,
            Self::Newton,
            Self::Study,
            Self::Preview(k),
            Self::Commit(k),
        ]
        .get(what)
        .copied()
    }
}

/// The result of the last call.
enum Last {
    Nothing,
    Solution(Box<AcSolution>),
    /// Columns of a Study, which refuses results without a certificate.
    Reply(Vec<Column>),
}

/// A case as a power flow with one reference per island, and the results of its calls.
pub struct FlowSession {
    module: String,
    /// Outputs and bus types for both sides; voltages are those of the start.
    pub network: AnalysisNetwork,
    pub data: AcData,
    model: Option<AcModel>,
    study: Option<Study>,
    edits: Vec<String>,
    last: Last,
}

impl FlowSession {
    /// Reads a module, dispatches it and finds the common start of both sides.
    ///
    /// # Errors
    /// `MODULE.*`, and those of the solves.
    pub fn open(module_json: &str) -> Result<Self> {
        let mut network = network_from_module(module_json)?;
        let edits = plan::demand_edits(&network);
        let dc = DcModel::new(&network, Convention::Service)?;
        let mut data = AcData::base(&network);
        data.output = DualActiveSet.optimum(&dc, &DcData::base(&network), None)?.dispatch;
        for (set_point, g) in data.set_point.iter_mut().zip(&network.generators) {
            *set_point = SET_POINT.min(network.buses[g.bus].vmax_pu);
        }
        let options = AcOptions {
            slack: SlackRule::Distributed,
            ..AcOptions::default()
        };
        let balanced = AcModel::new(&network)?.solve(&data, options)?;
        data.output = balanced.output;
        for (row, bus) in network.buses.iter_mut().enumerate() {
            let was_reference = std::mem::replace(&mut bus.is_reference, false);
            bus.is_pv |= was_reference;
            if balanced.slack.iter().any(|slack| slack.bus == row) {
                (bus.is_reference, bus.is_pv) = (true, false);
            }
        }
        let start = AcModel::new(&network)?.start(&data, SlackRule::Single)?;
        for (bus, (magnitude, angle)) in network.buses.iter_mut().zip(start) {
            (bus.vm_pu, bus.va_rad) = (magnitude, angle);
        }
        Ok(Self {
            module: module_json.to_string(),
            network,
            data,
            model: None,
            study: None,
            edits,
            last: Last::Nothing,
        })
    }

    /// Makes a call and stores its result for `answer`.
    ///
    /// # Errors
    /// Those of the call; `INTERNAL` if an earlier call is missing.
    pub fn call(&mut self, call: FlowCall) -> Result<()> {
        let edit = |k: usize| self.edits.get(k).ok_or_else(|| missing("such edit"));
        let solved = |only_stored_start: bool| -> Result<Last> {
            let options = AcOptions {
                only_stored_start,
                ..AcOptions::default()
            };
            let model = self.model.as_ref().ok_or_else(|| missing("model"))?;
            Ok(Last::Solution(Box::new(model.solve(&self.data, options)?)))
        };
        self.last = match call {
            FlowCall::Model => {
                self.model = Some(AcModel::new(&self.network)?);
                Last::Nothing
            }
            FlowCall::Solve => solved(false)?,
            FlowCall::Newton => solved(true)?,
            FlowCall::Study => {
                self.study = Some(Study::create(&self.module, "acpf", OPTIONS)?);
                Last::Nothing
            }
            FlowCall::Preview(k) => {
                let study = self.study.as_ref().ok_or_else(|| missing("Study"))?;
                Last::Reply(study.preview((edit(k)?, ""))?.columns)
            }
            FlowCall::Commit(k) => {
                let edit = edit(k)?.clone();
                let study = self.study.as_mut().ok_or_else(|| missing("Study"))?;
                // A result without a valid certificate is refused.
                Last::Reply(study.commit("", (&edit, ""), "")?.columns)
            }
        };
        Ok(())
    }

    /// The solution of the last call.
    pub fn solution(&self) -> Option<&AcSolution> {
        match &self.last {
            Last::Solution(solution) => Some(solution),
            _ => None,
        }
    }

    /// Demand edits of the drag.
    pub fn n_edits(&self) -> usize {
        self.edits.len()
    }
}

impl Calls for FlowSession {
    fn call(&mut self, what: usize, k: usize) -> Result<()> {
        let call = FlowCall::new(what, k).ok_or_else(|| missing("such call"))?;
        self.call(call)
    }

    fn keep(&mut self) -> bool {
        self.study.is_some()
    }

    fn answer(&self) -> Value {
        match &self.last {
            Last::Nothing => json!({}),
            Last::Solution(s) => {
                let certificate = AcCertificate::new(&self.network, s);
                json!({
                    "status": if certificate.holds() { "feasible" } else { "uncertified" },
                    "start": format!("{:?}", s.start),
                    "iterations": s.steps,
                    "mismatch_mw": certificate.mismatch_mw.max(certificate.mismatch_mvar),
                    "bits": Bits::of_power_flow(s).hex(),
                })
            }
            Last::Reply(columns) => {
                let mut bits = Bits::default();
                columns.iter().for_each(|column| bits.add(Bits::of(&column.values)));
                json!({ "status": "feasible", "bits": bits.hex() })
            }
        }
    }
}
