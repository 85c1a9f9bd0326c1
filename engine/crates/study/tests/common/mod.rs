//! Cases shared by several tests.

#![allow(dead_code)] // each test file uses some of it

use serde_json::Value;
use std::io::Read;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use wattbook_network::Result;
use wattbook_study::contract::{Column, ColumnName};
use wattbook_study::{ingest_case, solve_module, CaseReply, Job, Reply, Study, WithModule};

/// Line 2-3 rated 40 MW: objective 808.50, prices 18.20 / 30.10 / 6.30.
pub const THREE_BUS: &str = include_str!("../three_bus.m");
/// Line 1-2 and a three-winding transformer 1-2-3.
pub const THREE_WINDINGS: &str = include_str!("../three_windings.raw");

/// A Study of DC OPF.
pub fn open(module: &str) -> Study {
    Study::create(module, "dcopf", "{}").expect("a solvable case")
}

/// The state after a commit of `Edits`.
pub fn commit(study: &mut Study, edits: &Value) -> Answer {
    let edits = edits.to_string();
    study.commit("x", edits.as_str(), "").expect("a solvable edit");
    Answer::of(study)
}

/// Code and message of a commit that is refused.
pub fn refused(study: &mut Study, edits: &Value) -> (&'static str, String) {
    let edits = edits.to_string();
    let error = study.commit("x", edits.as_str(), "").expect_err("a refusal");
    (error.code, error.message())
}

/// Values within 1e-7, NaN where NaN is expected.
#[track_caller]
pub fn near(got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len());
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-7 || (a.is_nan() && b.is_nan());
    assert!(got.iter().zip(want).all(close), "{got:?} against {want:?}");
}

pub fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

pub fn ingest(bytes: &[u8], format: &str) -> Answer {
    Answer::from(ingest_case(bytes, format).expect("a good case"))
}

/// Module text of an ingested case.
pub fn text(case: &Value) -> String {
    case["module_json"].as_str().expect("module text").to_string()
}

pub fn three_bus() -> String {
    text(&ingest(THREE_BUS.as_bytes(), "matpower"))
}

/// A file of the data folder (`WATTBOOK_DATA`, else `../shared/data` beside the repository), or None with a line on the
/// output.
pub fn data(path: &str) -> Option<Vec<u8>> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
    let folder = std::env::var_os("WATTBOOK_DATA").map_or_else(beside, PathBuf::from);
    if !folder.is_dir() {
        println!("skipped: {path}, no data folder at {}", folder.display());
        return None;
    }
    let file = folder.join(path);
    Some(std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display())))
}

/// Positions of a layout as x0, y0, x1, y1 and so on.
pub fn places(layout: Job) -> Vec<f64> {
    let columns = layout.run().expect("places").reply.columns;
    let rows = columns[0].values.iter().zip(&columns[1].values);
    rows.flat_map(|(x, y)| [*x, *y]).collect()
}

/// Module text of a MATPOWER file of the data folder; None without the folder.
pub fn data_case(path: &str) -> Option<String> {
    Some(text(&ingest(&data(path)?, "matpower")))
}

/// One of the bundled grids.
pub fn grid(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../../server/grids/{name}.json.gz"));
    let packed = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut module = String::new();
    flate2::read::GzDecoder::new(&packed[..])
        .read_to_string(&mut module)
        .expect("a module");
    module
}

pub fn column(columns: &[Column], name: ColumnName) -> &[f64] {
    let column = columns.iter().find(|column| column.name == name);
    &column.unwrap_or_else(|| panic!("no column {name:?}")).values
}

/// The engine's answer to a call: the head, which it derefs to, and columns by name.
#[derive(Clone, Debug)]
pub struct Answer {
    pub head: Value,
    pub columns: Vec<Column>,
    pub matrices: Vec<Vec<f64>>,
}

impl Answer {
    /// The columns bit for bit.
    pub fn bits(&self) -> Vec<(ColumnName, Vec<u64>)> {
        let bits = |column: &Column| (column.name, column.values.iter().map(|x| x.to_bits()).collect());
        self.columns.iter().map(bits).collect()
    }

    /// The committed state of a Study.
    pub fn of(study: &Study) -> Self {
        study.current_solution().expect("a solution").into()
    }

    /// The answer of a job that runs to its end.
    pub fn run(job: Result<Job>) -> Result<Self> {
        Ok(job?.run()?.reply.into())
    }

    /// The answer of a stateless solve; its head is the `response`.
    pub fn solved(module: &str, request: &str) -> Result<Self> {
        let mut answer = Self::from(solve_module(module, request)?);
        answer.head = answer.head["response"].take();
        Ok(answer)
    }

    /// [`Job::track`], whose path the Study stores.
    pub fn track(study: &mut Study, target: &str, from: f64, to: f64, watch: &str, explain: bool) -> Result<Self> {
        let track = Job::track(study, target, from, to, watch, explain)?.run()?;
        study.keep(&track);
        Ok(track.reply.into())
    }

    pub fn at(&self, name: ColumnName) -> &[f64] {
        column(&self.columns, name)
    }

    /// The values of the energised rows.
    pub fn taking(&self, name: ColumnName) -> Vec<f64> {
        self.at(name).iter().copied().filter(|x| !x.is_nan()).collect()
    }

    pub fn has(&self, name: ColumnName) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }

    pub fn objective(&self) -> f64 {
        self.head["objective"].as_f64().expect("an objective")
    }

    pub fn sha256(&self) -> &str {
        self.head["result_sha256"].as_str().expect("a hash")
    }
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Self {
        Self {
            head: parse(&reply.json),
            columns: reply.columns,
            matrices: reply.matrices,
        }
    }
}

impl<H: WithModule> From<CaseReply<H>> for Answer {
    fn from(reply: CaseReply<H>) -> Self {
        reply.whole().into()
    }
}

impl Deref for Answer {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.head
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.head.fmt(f)
    }
}

/// The same head and, bit for bit, the same columns.
impl PartialEq for Answer {
    fn eq(&self, other: &Self) -> bool {
        let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let columns = |answer: &Self| {
            answer
                .columns
                .iter()
                .map(|c| (c.name, bits(&c.values)))
                .collect::<Vec<_>>()
        };
        self.head == other.head && columns(self) == columns(other)
    }
}
