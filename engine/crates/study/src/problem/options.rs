//! Which options each formulation reads.

use crate::contract::{FormulationId, SolveOptions};
use wattbook_network::error::{EngineError, Result};
use wattbook_network::message;
use FormulationId::{Acpf, Dcopf, Dcpf, Socwr};

/// Name of an option in requests, whether it is given, and the formulations that read it.
type Entry = (&'static str, fn(&SolveOptions) -> bool, &'static [FormulationId]);

/// The convention applies to a session, whose other formulations receive it too; an AC power flow reads it for its
/// schedule.
const OPTIONS: [Entry; 11] = [
    (
        "dc_convention",
        |o| o.dc_convention.is_some(),
        &[Dcopf, Dcpf, Acpf, Socwr],
    ),
    ("dispatch", |o| o.dispatch.is_some(), &[Acpf]),
    ("slack", |o| o.slack.is_some(), &[Acpf]),
    ("q_limits", |o| o.q_limits.is_some(), &[Acpf]),
    ("set_point_pu", |o| o.set_point_pu.is_some(), &[Acpf]),
    (
        "assumed_ratings",
        |o| o.assumed_ratings.is_some(),
        &[Dcopf, Dcpf, Acpf, Socwr],
    ),
    ("lifted_cuts", |o| o.lifted_cuts.is_some(), &[Socwr]),
    ("limits", |o| o.limits.is_some(), &[Dcopf]),
    ("security", |o| o.security.is_some(), &[Dcopf]),
    ("soft", |o| o.soft.is_some(), &[Dcopf]),
    ("storage", |o| o.storage.is_some(), &[Dcopf, Socwr]),
];

/// Names of the options that a formulation reads.
pub fn options_of(formulation: FormulationId) -> impl Iterator<Item = &'static str> {
    let read = OPTIONS
        .iter()
        .filter(move |(_, _, readers)| readers.contains(&formulation));
    read.map(|(option, ..)| *option)
}

/// Refuses an option that the formulation does not read.
///
/// Errors: `INPUT.REQUEST`.
pub(super) fn check(formulation: FormulationId, options: &SolveOptions) -> Result<()> {
    let unread = |(_, is_given, readers): &&Entry| is_given(options) && !readers.contains(&formulation);
    let Some((option, _, readers)) = OPTIONS.iter().find(unread) else {
        return Ok(());
    };
    let readers: Vec<&str> = readers.iter().map(|reader| reader.id()).collect();
    let message = message!(
        "request.option_of_other",
        option = *option,
        formulation = formulation.id(),
        readers = readers.join(", ")
    );
    Err(EngineError::new("INPUT.REQUEST", message))
}
