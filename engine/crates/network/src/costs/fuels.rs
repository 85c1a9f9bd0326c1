//! Fuels by their names in files.

use powerio::BalancedNetwork;

use crate::analysis::EnergySource;
use crate::assemble::generators::energy_sources;
use crate::input::text;

/// The name of units without fuel data.
pub(super) const UNKNOWN: &str = "unknown";

/// Synonyms for the fuels of the typical costs; a unit of unknown fuel is treated as gas of its size.
const WORDS: [(&str, &str); 23] = [
    ("ng", "gas"),
    ("natural gas", "gas"),
    ("lng", "gas"),
    ("ccgt", "gas"),
    ("ocgt", "gas"),
    ("lignite", "coal"),
    ("hard coal", "coal"),
    ("bit", "coal"),
    ("sub", "coal"),
    ("dfo", "oil"),
    ("rfo", "oil"),
    ("diesel", "oil"),
    ("petroleum", "oil"),
    ("pv", "solar"),
    ("onwind", "wind"),
    ("offwind", "wind"),
    ("ror", "hydro"),
    ("water", "hydro"),
    ("uranium", "nuclear"),
    ("nuc", "nuclear"),
    ("wood", "biomass"),
    ("biogas", "biomass"),
    ("waste", "biomass"),
];

/// The fuel of the typical costs for a synonym; any other word is returned unchanged.
pub(super) fn class_of(fuel: &str) -> &str {
    if VAGUE.contains(&fuel) {
        return "gas";
    }
    WORDS
        .iter()
        .find(|(word, _)| *word == fuel)
        .map_or(fuel, |(_, class)| class)
}

/// Words that name no fuel; such units get the costs of gas.
const VAGUE: [&str; 3] = ["thermal", "other", UNKNOWN];

/// Whether a word does not name a fuel; a unit without a word has an empty one.
pub(super) fn is_vague(word: &str) -> bool {
    word.is_empty() || VAGUE.contains(&word)
}

/// Whether a word names a unit literally; `unknown` names the units without a word.
pub(super) fn names_itself(word: &str, fuel: &str) -> bool {
    word == if fuel.is_empty() { UNKNOWN } else { fuel }
}

/// Whether a word names a unit by the fuel for which the unit's word stands.
pub(super) fn names_class(word: &str, fuel: &str) -> bool {
    !fuel.is_empty() && word == class_of(fuel)
}

/// The energy sources of a network by row; empty if no unit has one.
pub(super) fn of_network(net: &BalancedNetwork) -> Vec<String> {
    let words: Vec<&str> = energy_sources(net).into_iter().map(word_of).collect();
    let silent = words.iter().all(|word| *word == "other");
    words
        .iter()
        .map(|word| if silent { "" } else { word }.to_owned())
        .collect()
}

fn word_of(source: EnergySource) -> &'static str {
    match source {
        EnergySource::Hydro => "hydro",
        EnergySource::Nuclear => "nuclear",
        EnergySource::Wind => "wind",
        EnergySource::Thermal => "thermal",
        EnergySource::Coal => "coal",
        EnergySource::Gas => "gas",
        EnergySource::Solar => "solar",
        EnergySource::Other => "other",
    }
}

/// The fuels by unit that a case file states but its module cannot store; empty for other files.
pub fn fuels_of(bytes: &[u8], format: &str) -> Vec<String> {
    match text::decode(bytes) {
        Ok(text) if format == "matpower" => genfuel(&text),
        _ => Vec::new(),
    }
}

/// The fuels of `mpc.genfuel` in the text of a MATPOWER file, by row of `mpc.gen`; empty without that table.
fn genfuel(text: &str) -> Vec<String> {
    let assigned = text.lines().scan(0, |at, line| {
        let start = *at;
        *at += line.len() + 1;
        Some((start, line))
    });
    let begins = |(_, line): &(usize, &str)| {
        let rest = line.trim_start().strip_prefix("mpc.genfuel");
        rest.is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    let Some((start, _)) = assigned.into_iter().find(begins) else {
        return Vec::new();
    };
    let cell = text.get(start..).and_then(|rest| rest.split_once('{'));
    let Some((list, _)) = cell.and_then(|(_, rest)| rest.split_once('}')) else {
        return Vec::new();
    };
    let lines = list.lines().map(|line| line.split('%').next().unwrap_or(line));
    lines.flat_map(quoted).collect()
}

/// Texts in single or double quotes, trimmed.
fn quoted(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(open) = rest.find(['\'', '"']) {
        let mark = if rest[open..].starts_with('"') { '"' } else { '\'' };
        let Some(close) = rest[open + 1..].find(mark) else {
            break;
        };
        found.push(rest[open + 1..open + 1 + close].trim().to_owned());
        rest = &rest[open + close + 2..];
    }
    found
}
