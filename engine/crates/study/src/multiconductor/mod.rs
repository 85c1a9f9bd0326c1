//! Multiconductor power flow of a feeder, and edits of its loads.

mod edits;
mod results;
mod rows;
mod saved;
mod trail;

pub use saved::{apply_mc_study_geo, replay_mc_study};

use crate::contract as c;
use crate::json::{from_json, to_json};
use crate::results::Reply;
use edits::Loads;
use rows::Rows;
use trail::Trail;
use wattbook_network::distribution::{feeder_from_module, Controls, FeederOptions, SourceImpedance};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use wattbook_network::sha256::sha256_hex;
use wattbook_solve::mc::{voltages, McCertificate, McData, McModel, McOptions, McSolution, McVoltages};

/// Range of tolerances that an option may set, per unit.
const TOLERANCES: std::ops::RangeInclusive<f64> = 1e-12..=1e-4;

/// A feeder with its model: everything that edits of loads do not change.
struct Prepared {
    options: c::McOptions,
    case_sha256: String,
    model: McModel,
    loads: Loads,
    rows: Rows,
}

/// A state: absolute edits of the loads, and the solution.
struct State {
    loads: c::McLoads,
    solution: McSolution,
    certificate: McCertificate,
}

/// A solved feeder. A failed edit leaves it unchanged. Each state is a function of module, options and edits alone.
pub struct McStudy {
    prepared: Prepared,
    state: State,
    /// Starting points of the next preview.
    trail: Trail,
}

impl Prepared {
    fn new(module_json: &str, options: c::McOptions) -> Result<Self> {
        if !TOLERANCES.contains(&options.tolerance_pu) || options.max_iterations == 0 {
            return Err(EngineError::new("INPUT.REQUEST", message!("feeder.tolerance")));
        }
        let feeder = feeder_from_module(
            module_json,
            FeederOptions {
                source_impedance: match options.source_impedance {
                    c::McSourceImpedance::Refuse => SourceImpedance::Refuse,
                    c::McSourceImpedance::Branch => SourceImpedance::Branch,
                },
                controls: match options.controls {
                    c::McControls::Refuse => Controls::Refuse,
                    c::McControls::Held => Controls::Held,
                },
            },
        )?;
        let model = McModel::new(feeder)?;
        Ok(Self {
            options,
            case_sha256: sha256_hex(module_json.as_bytes()),
            loads: Loads::new(model.feeder()),
            rows: Rows::new(&model),
            model,
        })
    }

    fn voltages(&self, data: &McData, from: Option<&McVoltages>) -> Result<McVoltages> {
        let options = McOptions {
            tolerance: self.options.tolerance_pu,
            max_iterations: self.options.max_iterations as usize,
        };
        voltages(&self.model, data, &options, from)
    }

    /// Solves and certifies the state with these loads.
    fn state(&self, loads: c::McLoads) -> Result<State> {
        let loads = self.loads.named(loads)?;
        let found = self.voltages(&self.loads.data(&loads), None)?;
        self.certified(loads, found)
    }

    /// Certifies the state with these voltages.
    fn certified(&self, loads: c::McLoads, found: McVoltages) -> Result<State> {
        let data = self.loads.data(&loads);
        let Some(solution) = McSolution::from_voltages(&self.model, &data, found)? else {
            return Err(EngineError::new("INPUT.DATA", message!("feeder.other_loads")));
        };
        let certificate = McCertificate::new(self.model.feeder(), &solution);
        if !certificate.holds() {
            let worst = certificate.worst_node.map(|node| self.model.feeder().node_name(node));
            let message = message!("feeder.not_certified", terminal = worst.unwrap_or_default());
            let details = serde_json::json!({
                "kcl_residual_a": certificate.residual_a,
                "kcl_residual_part": certificate.residual_part,
                "current_error_part": certificate.current_error_part,
                "held_error_pu": certificate.held_error,
            });
            return Err(EngineError::new("SOLVE.NOT_CONVERGED", message).with_details(details));
        }
        Ok(State {
            loads,
            solution,
            certificate,
        })
    }
}

impl McStudy {
    /// Solves a multiconductor module; `options_json` is a `McOptions`, `loads_json` a `McLoads`.
    ///
    /// # Errors
    /// Those of `feeder_from_module`, of the model and of the iteration (`wattbook_solve::mc`); `INPUT.REQUEST`; those of edits.
    pub fn new(module_json: &str, options_json: &str, loads_json: &str) -> Result<Self> {
        let prepared = Prepared::new(module_json, from_json("options", options_json)?)?;
        let state = prepared.state(from_json("loads", loads_json)?)?;
        Ok(Self {
            prepared,
            state,
            trail: Trail::default(),
        })
    }

    /// Solves with these loads (`McLoads`, all others as in the case) and stores the result (`McResult` and its
    /// columns).
    ///
    /// # Errors
    /// `INPUT.REQUEST`, `EDIT.*`, and those of the iteration.
    pub fn commit(&mut self, loads_json: &str) -> Result<Reply> {
        self.state = self.prepared.state(from_json("loads", loads_json)?)?;
        self.trail.clear();
        Ok(self.result())
    }

    /// Voltages with these loads, started from an extrapolation of the previous previews (`McPreview`, and columns of
    /// the terminals). The Study is unchanged.
    ///
    /// # Errors
    /// As `commit`.
    pub fn preview(&mut self, loads_json: &str) -> Result<Reply> {
        let Prepared { model, rows, loads, .. } = &self.prepared;
        let edits = loads.named(from_json("loads", loads_json)?)?;
        let data = loads.data(&edits);
        let state = &self.state.solution;
        let from = self.trail.begin((&state.data, &state.found), &data);
        let found = self.prepared.voltages(&data, Some(&from))?;
        let head = c::McPreview {
            iterations: found.iterations as u32,
            last_change_pu: found.last_change_pu,
        };
        let reply = Reply {
            json: to_json(&head),
            columns: rows.magnitudes(model, &model.by_node(&found).unwrap_or_default()),
            matrices: Vec::new(),
        };
        self.trail.push(data, found);
        Ok(reply)
    }

    /// Identification of the rows of the columns (`McRows`).
    pub fn rows(&self) -> Reply {
        self.prepared.rows.reply(self.prepared.model.feeder())
    }

    /// The result: a `McResult` and its columns.
    pub fn result(&self) -> Reply {
        let (head, columns) = self.prepared.result(&self.state);
        Reply {
            json: to_json(&head),
            columns,
            matrices: Vec::new(),
        }
    }

    /// The result with its input (`McStudyFile`); `module_json` is the module that the Study was created from.
    ///
    /// # Errors
    /// `MODULE.OTHER_CASE` for another module.
    pub fn saved_json(&self, module_json: &str) -> Result<String> {
        if sha256_hex(module_json.as_bytes()) != self.prepared.case_sha256 {
            return Err(EngineError::new("MODULE.OTHER_CASE", message!("module.other_case")));
        }
        Ok(to_json(&self.prepared.file(&self.state, module_json)))
    }
}
