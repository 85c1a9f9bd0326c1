//! References inside a document, and the tree of its states.

use crate::contract as c;
use std::collections::{BTreeMap, BTreeSet};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;

const LONGEST_ID: usize = 128;

/// Every id is well formed, and every reference has a target.
///
/// Errors: `STUDY_FILE.ID`, `STUDY_FILE.REFERENCE`, `STUDY_FILE.ORDER`, `STUDY_FILE.CYCLE`.
pub(super) fn references(document: &c::StudyDocument) -> Result<()> {
    let c::StudyDocument {
        states,
        goals,
        experiments,
        decisions,
        ..
    } = document;
    ids("states", states)?;
    ids("goals", goals)?;
    ids("experiments", experiments)?;
    ids("decisions", decisions)?;
    let state = |place: String, id: &Option<String>| known(states, place, id.as_ref());
    let goal = |place: String, id: &Option<String>| known(goals, place, id.as_ref());
    known(states, "applied_state".into(), Some(&document.applied_state))?;
    known(states, "inspected_state".into(), Some(&document.inspected_state))?;
    state("recommended_state".into(), &document.recommended_state)?;
    goal("active_goal".into(), &document.active_goal)?;
    for (id, one) in states {
        state(format!("states.{id}.parent"), &one.parent)?;
    }
    for (id, one) in goals {
        known(states, format!("goals.{id}.start_state"), Some(&one.start_state))?;
        state(format!("goals.{id}.candidate_state"), &one.candidate_state)?;
    }
    for (id, one) in experiments {
        state(format!("experiments.{id}.state"), &one.state)?;
        goal(format!("experiments.{id}.goal"), &one.goal)?;
        known(decisions, format!("experiments.{id}.decision"), one.decision.as_ref())?;
        trial(document, id, one)?;
    }
    for (id, one) in decisions {
        state(format!("decisions.{id}.state"), &one.state)?;
        goal(format!("decisions.{id}.goal"), &one.goal)?;
    }
    order(document)?;
    parents(states)
}

fn ids<T>(kind: &str, table: &BTreeMap<String, T>) -> Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_id = |id: &str| !id.is_empty() && id.len() <= LONGEST_ID && id.chars().all(plain);
    match table.keys().find(|id| !is_id(id)) {
        None => Ok(()),
        Some(id) => {
            let message = message!("study_file.id", kind = kind, id = id);
            Err(EngineError::new("STUDY_FILE.ID", message))
        }
    }
}

fn known<T>(table: &BTreeMap<String, T>, place: String, id: Option<&String>) -> Result<()> {
    match id {
        Some(id) if !table.contains_key(id) => Err(dangling(place, id)),
        _ => Ok(()),
    }
}

/// The error for a reference without a target.
pub(super) fn dangling(place: String, name: &str) -> EngineError {
    let message = message!("study_file.reference", place = place, name = name);
    EngineError::new("STUDY_FILE.REFERENCE", message)
}

/// A planning trial belongs to its goal.
fn trial(document: &c::StudyDocument, id: &str, experiment: &c::StudyExperiment) -> Result<()> {
    let Some(number) = experiment.trial else {
        return Ok(());
    };
    let goal = experiment.goal.as_ref().and_then(|goal| document.goals.get(goal));
    let outcome = goal.and_then(|goal| goal.outcome.as_ref());
    match outcome.is_some_and(|outcome| outcome.has_trial(number)) {
        true => Ok(()),
        false => Err(dangling(format!("experiments.{id}.trial"), &number.to_string())),
    }
}

/// `experiment_order` lists every experiment exactly once.
fn order(document: &c::StudyDocument) -> Result<()> {
    let mut listed = BTreeSet::new();
    for id in &document.experiment_order {
        known(&document.experiments, "experiment_order".into(), Some(id))?;
        if !listed.insert(id) {
            let message = message!("study_file.order_twice", id = id);
            return Err(EngineError::new("STUDY_FILE.ORDER", message));
        }
    }
    match document.experiments.keys().find(|id| !listed.contains(id)) {
        None => Ok(()),
        Some(id) => {
            let message = message!("study_file.order_missing", id = id);
            Err(EngineError::new("STUDY_FILE.ORDER", message))
        }
    }
}

/// Work for one state (`wattbook_interrupt`): a few look-ups.
const OF_STATE: usize = 1000;

/// No state is its own ancestor. Each chain of parents is followed once.
fn parents(states: &BTreeMap<String, c::StateNode>) -> Result<()> {
    let mut good: BTreeSet<&str> = BTreeSet::new();
    for start in states.keys() {
        wattbook_interrupt::work(OF_STATE);
        let mut chain = BTreeSet::new();
        let mut at = Some(start.as_str());
        while let Some(id) = at.filter(|id| !good.contains(id)) {
            if !chain.insert(id) {
                let message = message!("study_file.cycle", state = id);
                return Err(EngineError::new("STUDY_FILE.CYCLE", message));
            }
            at = states.get(id).and_then(|state| state.parent.as_deref());
        }
        good.extend(chain);
    }
    Ok(())
}
