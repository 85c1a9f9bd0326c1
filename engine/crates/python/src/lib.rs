//! The engine for Python: the module `wattbook._engine`, a thin layer over `wattbook-study`.
//!
//! Requests and responses are JSON texts of the contract; responses with numbers by row are pairs of a text and columns
//! (`answer::Answer`). Parsing and solving run with the GIL released and can be interrupted (`wattbook_interrupt`); a
//! panic is caught and raised as `EngineError` with code `INTERNAL`.

mod answer;
mod case;
mod feeder;
mod files;
mod job;
mod layout;
mod series;
mod study;

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;
use std::time::{Duration, Instant};
use wattbook_network::message;
use wattbook_network::EngineError as Failure;

/// Solves allocate and free vectors of some 100 kB, which the platforms' allocators would return to the system each
/// time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

create_exception!(
    wattbook._engine,
    EngineError,
    PyException,
    "Failure of the engine; args are (code, message, element as JSON or None, details as JSON or None, sentence as JSON or None)."
);

/// Runs engine work with the GIL released; failures and panics become `EngineError`.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> wattbook_network::Result<T> + Send,
) -> PyResult<T> {
    // The work owns or locks what it changes and stores results only on success, so an interrupt leaves nothing half
    // done.
    let (outcome, interrupt) = py.detach(|| {
        let interrupt: Rc<RefCell<Option<PyErr>>> = Rc::default();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let heard = Cell::new(Instant::now());
            let raised = Rc::clone(&interrupt);
            let stop = move || {
                if heard.get().elapsed() < HEARD_AFTER {
                    return false;
                }
                heard.set(Instant::now());
                let signal = Python::attach(signals).err();
                let is_raised = signal.is_some();
                *raised.borrow_mut() = signal;
                is_raised
            };
            wattbook_interrupt::interruptible(stop, work)
        }));
        let interrupt = interrupt.borrow_mut().take();
        (outcome, interrupt)
    });
    match (outcome, interrupt) {
        (_, Some(interrupt)) => Err(interrupt),
        (Ok(Ok(result)), None) => result.map_err(raised),
        (Ok(Err(interrupted)), None) => Err(raised(internal(&interrupted))),
        (Err(panic), None) => Err(raised(internal(panic.as_ref()))),
    }
}

/// Longest time without checking for Python signals during a call; steps of jobs are shorter, and Python checks between
/// them.
const HEARD_AFTER: Duration = Duration::from_millis(50);

/// Raises what Python has pending: an interrupt, or the end of a call that `in_thread` cancelled.
fn signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()?;
    py.import("wattbook.threads")?.call_method0("stop_if_cancelled")?;
    Ok(())
}

fn internal(panic: &(dyn std::any::Any + Send)) -> Failure {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    let what = text.unwrap_or("no message");
    Failure::new("INTERNAL", message!("engine.failed", cause = what))
}

fn raised(error: Failure) -> PyErr {
    let body: serde_json::Value = serde_json::from_str(&wattbook_study::error_json(&error)).unwrap_or_default();
    let part = |key: &str| body.get(key).filter(|v| !v.is_null()).map(ToString::to_string);
    EngineError::new_err((
        error.code,
        error.message(),
        part("element"),
        part("details"),
        part("sentence"),
    ))
}

/// Format token of a case file by its name, or `None`.
#[pyfunction]
fn format_of(name: &str) -> Option<&'static str> {
    wattbook_network::format_of(name)
}

/// The English text of a message of the catalogue (`Message`), which the page formats in its own language.
#[pyfunction]
fn tell(message_json: &str) -> PyResult<String> {
    wattbook_study::tell_json(message_json).map_err(raised)
}

/// Formulations, operands and parameters (`Capabilities`).
#[pyfunction]
fn capabilities() -> String {
    wattbook_study::capabilities_json()
}

/// Reads the bytes of a case file (`IngestedCaseHead`).
#[pyfunction]
fn ingest_case<'py>(py: Python<'py>, data: &[u8], format: &str) -> PyResult<answer::SplitAnswer<'py>> {
    answer::split_answer(
        py,
        detached(py, || Ok(wattbook_study::ingest_case(data, format)?.apart()))?,
    )
}

/// Describes a module in the form of `ingest_case` (`IngestedCaseHead`; its `module_json` is empty where the text is
/// unchanged).
#[pyfunction]
fn inspect_module<'py>(py: Python<'py>, module_json: &str) -> PyResult<answer::Answer<'py>> {
    answer::answer_of(py, detached(py, || wattbook_study::inspect_module(module_json))?)
}

/// Stateless solve (`SolveRequest` to `Solved`), without the values of requested sensitivity matrices.
#[pyfunction]
#[pyo3(signature = (module_json, request_json = "{}"))]
fn solve_module<'py>(py: Python<'py>, module_json: &str, request_json: &str) -> PyResult<answer::Answer<'py>> {
    answer::answer_of(
        py,
        detached(py, || wattbook_study::solve_module(module_json, request_json))?,
    )
}

/// Reads a solution module without a solve (`SolutionModuleHead`).
#[pyfunction]
fn read_solution_module<'py>(py: Python<'py>, text: &str) -> PyResult<answer::Answer<'py>> {
    answer::answer_of(py, detached(py, || wattbook_study::read_solution_module(text))?)
}

#[pymodule]
fn _engine(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("CONTRACT_VERSION", wattbook_study::CONTRACT_VERSION)?;
    m.add("CONTRACT_SOURCE_SHA256", wattbook_study::contract_source_sha256())?;
    m.add("EngineError", m.py().get_type::<EngineError>())?;
    m.add_class::<case::Case>()?;
    m.add_class::<study::Study>()?;
    m.add_class::<job::Job>()?;
    m.add_class::<series::Series>()?;
    m.add_class::<job::SolvedDay>()?;
    m.add_function(wrap_pyfunction!(format_of, m)?)?;
    m.add_function(wrap_pyfunction!(tell, m)?)?;
    m.add_function(wrap_pyfunction!(capabilities, m)?)?;
    m.add_function(wrap_pyfunction!(ingest_case, m)?)?;
    m.add_function(wrap_pyfunction!(inspect_module, m)?)?;
    m.add_function(wrap_pyfunction!(solve_module, m)?)?;
    m.add_function(wrap_pyfunction!(read_solution_module, m)?)?;
    feeder::add_to(m)?;
    files::add_to(m)?;
    layout::add_to(m)
}
