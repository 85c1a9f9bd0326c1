//! Series: many states of a Study in one call.

use crate::contract::{self as c, Column, ColumnName};
use crate::convert::error_body;
use crate::edits::{self, Target};
use crate::problem::State;
use crate::results::{Reply, Results};
use crate::study::Study;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

/// Exact solves of one Study at many edits: the demand and ratings of some elements by step, with all other edits as
/// committed when the series was created.
///
/// Each step equals the commit of its edits bit for bit and by its hash, so neither the order of steps nor the number
/// of threads matters. The Study is unchanged.
#[derive(Debug)]
pub struct Series {
    state: Arc<dyn State>,
    targets: Vec<Target>,
    /// Names and lengths of the requested columns.
    columns: Vec<(ColumnName, usize)>,
}

impl Series {
    /// A series over the elements of a `SeriesSpec`.
    ///
    /// Errors: `INPUT.REQUEST` for an element named twice and for columns that results of this Study do not have; the
    /// codes of targets.
    pub fn new(study: &Study, spec_json: &str) -> Result<Self> {
        let spec: c::SeriesSpec = crate::json::from_json("series", spec_json)?;
        let state = Arc::clone(&study.current);
        let problem = state.problem();
        let (case, parts) = (problem.case(), problem.parts());
        let buses = spec.buses.into_iter().map(|bus| c::SensTarget::Bus { bus });
        let branches = spec
            .branches
            .into_iter()
            .map(|branch| c::SensTarget::Branch { branch, value: None });
        let mut targets = Vec::new();
        let mut named = BTreeSet::new();
        for key in buses.chain(branches) {
            let target = edits::target(case, parts, &key)?;
            edits::check_editable(case, target)?;
            if !named.insert(match target {
                Target::Demand(row) => (0, row),
                Target::Rating(row) => (1, row),
            }) {
                let message = message!("request.series_twice", element = target.element(case));
                return Err(EngineError::new("INPUT.REQUEST", message));
            }
            targets.push(target);
        }
        let results = state.results();
        let rows = |name: ColumnName| {
            let found = results.column(name).map(|values| (name, values.len()));
            let message = || message!("request.series_column", column = name.head().0);
            found.ok_or_else(|| EngineError::new("INPUT.REQUEST", message()))
        };
        let columns = spec.columns.into_iter().map(rows).collect::<Result<_>>()?;
        Ok(Self {
            targets,
            columns,
            state,
        })
    }

    /// Number of elements of the series, that is, of changes in a step.
    pub fn width(&self) -> usize {
        self.targets.len()
    }

    /// Solves steps on several threads: a `SeriesHead` and the columns, one step after the other.
    ///
    /// `changes_mw` has for each step one change from the base case per element, buses first, in MW (MVA for ratings of
    /// the relaxation). The head reports a step without a solution; the other steps go on.
    ///
    /// Errors: `INPUT.REQUEST` where the number of changes is not a multiple of the number of elements.
    pub fn solve(&self, changes_mw: &[f64], threads: usize) -> Result<Reply> {
        let width = self.width().max(1);
        if changes_mw.len() % width != 0 {
            let message = message!(
                "request.series_values",
                elements = self.width(),
                values = changes_mw.len()
            );
            return Err(EngineError::new("INPUT.REQUEST", message));
        }
        let steps: Vec<&[f64]> = changes_mw.chunks_exact(width).collect();
        let solved = in_parallel(threads, &steps, |step| self.formatted(&self.step(step)));
        let columns = self.columns.iter().enumerate().map(|(k, &(name, rows))| {
            let mut values = Vec::with_capacity(rows * solved.len());
            solved
                .iter()
                .for_each(|(_, columns)| values.extend_from_slice(&columns[k]));
            Column::new(name, values)
        });
        let columns = columns.collect();
        let head = c::SeriesHead {
            steps: solved.into_iter().map(|(step, _)| step).collect(),
        };
        Ok(Reply {
            json: crate::json::to_json(&head),
            columns,
            matrices: Vec::new(),
        })
    }

    fn step(&self, changes_mw: &[f64]) -> Result<Results> {
        let case = self.state.problem().case();
        let mut edits = self.state.edits().clone();
        for (&target, &mw) in self.targets.iter().zip(changes_mw) {
            edits.set(case, target, mw)?;
        }
        Ok(Arc::clone(&self.state).at(&edits)?.results())
    }

    /// A step with the requested columns.
    fn formatted(&self, step: &Result<Results>) -> (c::SeriesStep, Vec<Vec<f64>>) {
        let results = step.as_ref().ok();
        let columns = self.columns.iter().map(|&(name, rows)| {
            let values = results.and_then(|results| results.column(name));
            values.map_or_else(|| vec![f64::NAN; rows], <[f64]>::to_vec)
        });
        let columns = columns.collect();
        let step = c::SeriesStep {
            objective: results.and_then(|results| results.objective),
            result_sha256: results.map(Results::sha256),
            certificate: results.map(|results| results.certificate.clone()),
            error: step.as_ref().err().map(error_body),
        };
        (step, columns)
    }
}

/// Longest time between two consultations of the caller of the threads.
const HEARD_AFTER: Duration = Duration::from_millis(20);

/// Results in the order of `items`, whichever thread computed them.
fn in_parallel<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = threads.clamp(1, items.len().max(1));
    if threads == 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let is_stopped = Arc::new(AtomicBool::new(false));
    let caller = std::thread::current();
    let left = AtomicUsize::new(threads);
    let found: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let solve = || {
        while let Some((k, item)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|k| Some((k, items.get(k)?))) {
            let result = work(item);
            found.lock().unwrap_or_else(PoisonError::into_inner).push((k, result));
        }
    };
    let thread = || {
        let stopped = Arc::clone(&is_stopped);
        // This thread is only interrupted where the caller is.
        let _ = wattbook_interrupt::interruptible(move || stopped.load(Ordering::Relaxed), solve);
        left.fetch_sub(1, Ordering::Relaxed);
        caller.unpark();
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(thread)).collect();
        // A thread that panicked is finished without having counted down.
        while left.load(Ordering::Relaxed) > 0 && !running.iter().all(|thread| thread.is_finished()) {
            std::thread::park_timeout(HEARD_AFTER);
            if wattbook_interrupt::is_wanted() {
                is_stopped.store(true, Ordering::Relaxed);
                break;
            }
        }
    });
    if is_stopped.load(Ordering::Relaxed) {
        wattbook_interrupt::interrupt();
    }
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(k, _)| *k);
    found.into_iter().map(|(_, result)| result).collect()
}
