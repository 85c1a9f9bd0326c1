//! Long work in steps, so that Python can interrupt between them.

use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};
use wattbook_network::{message, EngineError, Result};
use wattbook_study::Job as Inner;

use crate::answer::{answer_of, Answer};
use crate::case::Case;
use crate::detached;
use crate::series::numbers;
use crate::study::Study;

/// Long work in steps; see `wattbook_study::Job`. It outlives its Study and later commits.
#[pyclass(module = "wattbook._engine", frozen)]
pub struct Job {
    /// `None` once finished.
    inner: Mutex<Option<Inner>>,
}

impl Job {
    fn of(job: Inner) -> Self {
        Self {
            inner: Mutex::new(Some(job)),
        }
    }

    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Option<Inner>) -> Option<Result<T>> + Send,
    ) -> PyResult<T> {
        detached(py, || {
            let mut guard = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            let finished = || EngineError::new("JOB.FINISHED", message!("client.job_finished"));
            work(&mut guard).ok_or_else(finished)?
        })
    }
}

#[pymethods]
impl Job {
    /// The layout of a module of either model (`LayoutHead`).
    #[staticmethod]
    fn layout(py: Python<'_>, module_json: &str) -> PyResult<Self> {
        detached(py, || Inner::layout(module_json)).map(Self::of)
    }

    /// The outages of a Study's committed state (`ScreeningOptions`), reported in its steps.
    #[staticmethod]
    #[pyo3(signature = (study, options_json = "null"))]
    fn screening(py: Python<'_>, study: &Study, options_json: &str) -> PyResult<Self> {
        study.with(py, |s| Inner::screening(s, options_json)).map(Self::of)
    }

    /// Why absolute edits of a Study have no solution (`Explanation`, or `null`). The Study can be used while the job
    /// runs.
    #[staticmethod]
    #[pyo3(signature = (study, edits_json = "null"))]
    fn explanation(py: Python<'_>, study: &Study, edits_json: &str) -> PyResult<Self> {
        study.with(py, |s| Inner::explanation(s, edits_json)).map(Self::of)
    }

    /// The explanation of a `SolveRequest` on a module, where no Study can be created.
    #[staticmethod]
    #[pyo3(signature = (module_json, request_json = "{}"))]
    fn explanation_of_module(py: Python<'_>, module_json: &str, request_json: &str) -> PyResult<Self> {
        detached(py, || Inner::explanation_of_module(module_json, request_json)).map(Self::of)
    }

    /// The exact path (`Track`) of one demand or rating, MW from the base case, or of a generator limit, MW.
    #[staticmethod]
    #[pyo3(signature = (study, target_json, from_mw, to_mw, watch_json = "null", explain = false))]
    fn track(
        py: Python<'_>,
        study: &Study,
        target_json: &str,
        from_mw: f64,
        to_mw: f64,
        watch_json: &str,
        explain: bool,
    ) -> PyResult<Self> {
        study
            .with(py, |s| {
                Inner::track(s, target_json, from_mw, to_mw, watch_json, explain)
            })
            .map(Self::of)
    }

    /// The growth of a demand (`LoadabilityTarget`) until voltage collapse (`Loadability`).
    #[staticmethod]
    fn loadability(py: Python<'_>, study: &Study, target_json: &str) -> PyResult<Self> {
        study.with(py, |s| Inner::loadability(s, target_json)).map(Self::of)
    }

    /// Many hours as one program (`DaySpec`, `DayHead`): `values` are little-endian f64, those of all elements step by step.
    #[staticmethod]
    fn day(py: Python<'_>, study: &Study, spec_json: &str, values: &[u8]) -> PyResult<Self> {
        let values = numbers(values);
        study.with(py, |s| Inner::day(s, spec_json, &values)).map(Self::of)
    }

    /// A new Study, solved in steps; `study` returns it.
    #[staticmethod]
    #[pyo3(signature = (case, formulation = "dcopf", options_json = "null"))]
    fn opening(py: Python<'_>, case: &Case, formulation: &str, options_json: &str) -> PyResult<Self> {
        detached(py, || Inner::study(&case.inner, formulation, options_json)).map(Self::of)
    }

    /// `Study.commit` in steps; `finish(study)` makes its state that of the Study (`CommitHead`).
    #[staticmethod]
    #[pyo3(signature = (study, case_id, edits_json = "null", target_json = "null"))]
    fn commit(py: Python<'_>, study: &Study, case_id: &str, edits_json: &str, target_json: &str) -> PyResult<Self> {
        study
            .with(py, |s| Inner::commit(s, case_id, edits_json, target_json))
            .map(Self::of)
    }

    /// A plan (`PlanSpecJson`) on the committed state of a Study, which is unchanged (`PlanOutcomeJson`).
    #[staticmethod]
    fn plan(py: Python<'_>, study: &Study, spec_json: &str) -> PyResult<Self> {
        study.with(py, |s| Inner::plan(s, spec_json)).map(Self::of)
    }

    /// The day of `day`, and its answer as `finish` returns it; every later call raises `JOB.FINISHED`.
    fn finish_day<'py>(&self, py: Python<'py>) -> PyResult<(Answer<'py>, Option<SolvedDay>)> {
        let finished = self.with(py, |job| job.take().map(Inner::finish))?;
        let day = finished.day().map(|inner| SolvedDay { inner });
        Ok((answer_of(py, finished.reply)?, day))
    }

    /// Works for a budget, in units of about a millisecond on a desktop or less (`JobStep`).
    fn step(&self, py: Python<'_>, budget: u32) -> PyResult<String> {
        self.with(py, |job| job.as_mut().map(|job| job.step_json(budget)))
    }

    /// The Study of `opening`; every later call raises `JOB.FINISHED`.
    fn study(&self, py: Python<'_>) -> PyResult<Study> {
        let finished = self.with(py, |job| job.take().map(Inner::finish))?;
        let (study, _) = detached(py, || finished.study())?;
        Ok(Study::of(study))
    }

    /// The result, or the partial result of an unfinished job; every later call raises `JOB.FINISHED`. A Study passed
    /// here adopts the path of a track, until its next track or commit, or the state of a commit.
    #[pyo3(signature = (study = None))]
    fn finish<'py>(&self, py: Python<'py>, study: Option<&Study>) -> PyResult<Answer<'py>> {
        let finished = self.with(py, |job| job.take().map(Inner::finish))?;
        if let Some(study) = study {
            study.with(py, |s| {
                s.keep(&finished);
                Ok(())
            })?;
        }
        answer_of(py, finished.reply)
    }
}

/// A solved day, for its derivatives; see `wattbook_study::SolvedDay`.
#[pyclass(module = "wattbook._engine", frozen)]
pub struct SolvedDay {
    inner: wattbook_study::SolvedDay,
}

#[pymethods]
impl SolvedDay {
    /// Derivatives by the demand of a bus in a step, counted from 0 (`DaySensitivity`).
    fn column<'py>(&self, py: Python<'py>, target_json: &str, step: usize) -> PyResult<Answer<'py>> {
        answer_of(py, detached(py, || self.inner.column(target_json, step))?)
    }
}
