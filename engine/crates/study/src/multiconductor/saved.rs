//! Results with their input as files, read back without solving.

use super::{Prepared, State};
use crate::contract::{self as c, Column};
use crate::document::MC_SCHEMA as SCHEMA;
use crate::json::to_json;
use crate::results::Reply;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message::Message;
use wattbook_network::sha256::sha256_hex;
use wattbook_network::{geo, message};
use wattbook_solve::mc::{Complex64, McVoltages};

const VERSION: u32 = 1;

/// Tolerance of numbers against those of a stored solution that another version of the engine wrote: relative to the
/// largest of their column, and absolute in their unit.
const CLOSE: f64 = 1e-9;
const CLOSE_ABSOLUTE: f64 = 1e-6;

impl Prepared {
    pub fn file(&self, state: &State, module_json: &str) -> c::McStudyFile {
        let (head, columns) = self.result(state);
        let (rows, naming) = self.rows.named(self.model.feeder());
        let x = &state.solution.found.unknowns;
        c::McStudyFile {
            schema: SCHEMA.to_owned(),
            version: VERSION,
            input: c::McInput {
                name: head.name.clone(),
                module_json: module_json.to_owned(),
                sha256: self.case_sha256.clone(),
                loads: state.loads.clone(),
            },
            options: self.options,
            result: c::McStoredResult {
                head,
                rows,
                columns: naming.into_iter().chain(columns).map(stored).collect(),
                solution: c::McUnknowns {
                    re: x.iter().map(|z| z.re).collect(),
                    im: x.iter().map(|z| z.im).collect(),
                },
            },
        }
    }
}

fn stored(column: Column) -> c::McStoredColumn {
    c::McStoredColumn {
        name: column.name,
        element: column.element,
        unit: column.unit.to_owned(),
        values: column.values.into_iter().map(|x| (!x.is_nan()).then_some(x)).collect(),
    }
}

/// Opens a stored study (`McStudyFile`) without solving. Its columns are recomputed from the stored solution and
/// compared with the stored ones, and the certificate is recomputed: a `McReplay`, and the columns of rows and result.
///
/// # Errors
/// `INPUT.MC_STUDY` for another document; `MODULE.TAMPERED` where input, solution and numbers do not belong together;
/// those of the module.
pub fn replay_mc_study(text: &str) -> Result<Reply> {
    let (file, prepared, state) = read(text)?;
    let (result, columns) = prepared.result(&state);
    let (rows, naming) = prepared.rows.named(prepared.model.feeder());
    let columns: Vec<Column> = naming.into_iter().chain(columns).collect();
    compare(&file.result, &rows, &result, &columns)?;
    let replay = c::McReplay {
        input: file.input,
        options: file.options,
        rows,
        result,
    };
    Ok(Reply {
        json: to_json(&replay),
        columns,
        matrices: Vec::new(),
    })
}

/// A stored study with the positions of a geographic layer (CSV, JSON, GeoJSON) in its module; the result is unchanged.
///
/// # Errors
/// Those of `replay_mc_study` and of `wattbook_network::geo::apply_geo`.
pub fn apply_mc_study_geo(text: &str, layer: &[u8]) -> Result<String> {
    let (mut file, _, state) = read(text)?;
    let module_json = geo::apply_geo(&file.input.module_json, layer)?.module_json;
    let prepared = Prepared::new(&module_json, file.options)?;
    let state = keep(&prepared, &state.loads, state.solution.found)?;
    file = prepared.file(&state, &module_json);
    Ok(to_json(&file))
}

fn read(text: &str) -> Result<(c::McStudyFile, Prepared, State)> {
    let unreadable = |message: Message| EngineError::new("INPUT.MC_STUDY", message);
    let kind: serde_json::Value =
        serde_json::from_str(text).map_err(|_| unreadable(message!("feeder.no_study_file")))?;
    if kind["schema"] != SCHEMA {
        return Err(unreadable(message!("feeder.no_study_file")));
    }
    if kind["version"] != VERSION {
        return Err(unreadable(message!(
            "feeder.study_version",
            version = kind["version"].to_string()
        )));
    }
    let file: c::McStudyFile = serde_json::from_value(kind)
        .map_err(|e| unreadable(message!("feeder.study_unreadable", cause = e.to_string())))?;
    if sha256_hex(file.input.module_json.as_bytes()) != file.input.sha256 {
        return Err(tampered(message!("feeder.study_module")));
    }
    let prepared = Prepared::new(&file.input.module_json, file.options)?;
    let c::McUnknowns { re, im } = &file.result.solution;
    if re.len() != im.len() {
        return Err(tampered(message!("feeder.study_solution")));
    }
    let head = &file.result.head;
    let found = McVoltages {
        unknowns: re.iter().zip(im).map(|(&re, &im)| Complex64::new(re, im)).collect(),
        iterations: head.iterations as usize,
        last_change_pu: head.last_change_pu,
    };
    let state = keep(&prepared, &file.input.loads, found)?;
    Ok((file, prepared, state))
}

/// The state of a stored solution.
fn keep(prepared: &Prepared, loads: &c::McLoads, found: McVoltages) -> Result<State> {
    let loads = prepared.loads.named(loads.clone())?;
    prepared
        .certified(loads, found)
        .map_err(|_| tampered(message!("feeder.study_solution")))
}

/// # Errors
/// `MODULE.TAMPERED`, naming the first column that differs from that of the solution.
fn compare(stored: &c::McStoredResult, rows: &c::McRows, result: &c::McResult, columns: &[Column]) -> Result<()> {
    let is_same = stored.head.result_sha256 == result.result_sha256;
    let differs = |what: &str| Err(tampered(message!("feeder.study_numbers", what = what)));
    if stored.rows != *rows {
        return differs("rows");
    }
    if stored.columns.len() != columns.len() {
        return differs("columns");
    }
    for (column, own) in stored.columns.iter().zip(columns) {
        let name = own.name.head().0;
        if column.name != own.name || column.values.len() != own.values.len() {
            return differs(name);
        }
        let largest = own
            .values
            .iter()
            .filter(|x| !x.is_nan())
            .fold(0.0, |most: f64, x| most.max(x.abs()));
        let allowed = if is_same { 0.0 } else { CLOSE * largest + CLOSE_ABSOLUTE };
        let fits = |(stored, own): (&Option<f64>, &f64)| match stored {
            None => own.is_nan(),
            Some(stored) => (stored - own).abs() <= allowed,
        };
        if !column.values.iter().zip(&own.values).all(fits) {
            return differs(name);
        }
    }
    let mut head = stored.head.clone();
    if !is_same {
        head.result_sha256.clone_from(&result.result_sha256);
        head.certificate.clone_from(&result.certificate);
        head.totals = result.totals;
        head.lowest.clone_from(&result.lowest);
        head.highest.clone_from(&result.highest);
        head.most_unbalanced.clone_from(&result.most_unbalanced);
    }
    match head == *result {
        true => Ok(()),
        false => differs("head"),
    }
}

fn tampered(message: Message) -> EngineError {
    EngineError::new("MODULE.TAMPERED", message)
}
