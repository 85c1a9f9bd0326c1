//! Checks around the MATPOWER reader, which refuse what it would silently skip or misread.
//!
//! The reader takes `mpc.<table> = [ ... ];` literals at the start of a line, whereas MATLAB executes the whole file.
//! Arithmetic on whole columns is evaluated beforehand ([`conversions`]), and every other statement that affects a
//! table is refused with its line.

mod assignments;
mod constants;
mod conversions;
mod expressions;
mod statements;
mod tables;
mod version1;

use assignments::{assignment_in_header, assignment_target, first_word, Target};
pub(crate) use statements::{blank_block_comments, usual_comments};
use statements::{statements, Statement};
pub(crate) use version1::as_version_2;

use std::borrow::Cow;

use powerio::Branch;

use crate::analysis::Warning;
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::pieces::piece;
use crate::message::Message;

/// Tables that become elements of the network.
const TABLES: [&str; 9] = [
    "baseMVA",
    "bus",
    "gen",
    "branch",
    "gencost",
    "dcline",
    "dclinecost",
    "storage",
    "switch",
];
/// Fields that change MATPOWER's optimal power flow and are not in this model: user constraints, costs and reserves.
const IGNORED_WITH_WARNING: [&str; 14] = [
    "A", "l", "u", "N", "H", "Cw", "fparm", "z0", "zl", "zu", "reserves", "if", "softlims", "iflims",
];
/// Numeric table without effect: areas and their reference buses, which MATPOWER does not use either.
const WITHOUT_EFFECT: &str = "areas";
const BLOCK_OPENERS: [&str; 7] = ["for", "parfor", "while", "if", "switch", "try", "spmd"];
/// Bytes; bounds the time for nested brackets in hostile input.
const LONGEST_HEADER: usize = 2_000;
const BLOCK_ENDS: [&str; 6] = ["end", "endfor", "endwhile", "endif", "endswitch", "end_try_catch"];

/// The results of the checks.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Name behind `function mpc =`.
    pub case_name: Option<String>,
    pub warnings: Vec<Warning>,
    /// Numeric tables unknown to MATPOWER and this model.
    unread: Vec<String>,
    /// Number of rows of each table, to be compared with the reader's result.
    pub rows: Vec<(String, usize)>,
    /// The rows of PowerModels' table `mpc.switch`, which the reader skips, as branches.
    pub switches: Vec<Branch>,
}

/// The file for the reader, and the results of its checks: arithmetic is evaluated, everything else is checked.
///
/// # Errors
/// Those of [`inspect`], and `INPUT.MATPOWER_SCRIPT` for arithmetic that cannot be evaluated.
pub(crate) fn prepared(source: &str) -> Result<(Cow<'_, str>, Findings)> {
    let written = statements(source);
    match conversions::evaluated(source, &written)? {
        None => Ok((source.into(), judge(&written)?)),
        Some(text) => {
            let findings = inspect(&text)?;
            Ok((text.into(), findings))
        }
    }
}

/// Checks a whole file before it is read.
///
/// # Errors
/// `INPUT.TRUNCATED` for an unterminated table or statement, `INPUT.MATPOWER_SCRIPT` for a statement that changes a
/// table and is not a plain literal, `INPUT.TABLE` for rows that the reader would misread, `PHYSICS.UNSUPPORTED` for
/// tables of DC grids that it would skip.
fn inspect(source: &str) -> Result<Findings> {
    judge(&statements(source))
}

fn judge(statements: &[Statement<'_>]) -> Result<Findings> {
    let mut findings = Findings::default();
    let mut seen: Vec<&str> = Vec::new();
    let mut depth = 0usize;
    for statement in statements {
        let word = first_word(statement.text);
        if statement.unterminated {
            return Err(truncated(statement));
        }
        if BLOCK_OPENERS.contains(&word) && statement.text.len() > LONGEST_HEADER {
            let message = message!("matpower.block_head", line = statement.line, word = word);
            return Err(EngineError::new("INPUT.MATPOWER_SCRIPT", message));
        }
        let nested = BLOCK_OPENERS
            .contains(&word)
            .then(|| assignment_in_header(statement.text))
            .flatten();
        if let Some(target) = nested {
            judge_assignment(statement, &target, depth + 1, &mut seen, &mut findings)?;
        }
        if word == "function" {
            findings.case_name = findings.case_name.or_else(|| function_name(statement.text));
        } else if BLOCK_OPENERS.contains(&word) {
            depth += 1;
        } else if BLOCK_ENDS.contains(&statement.text) {
            depth = depth.saturating_sub(1);
        } else if let Some(target) = assignment_target(statement.text) {
            judge_assignment(statement, &target, depth, &mut seen, &mut findings)?;
        } else if statement.end.is_none() && (word == "mpc" || "mpc".starts_with(statement.text)) {
            return Err(truncated(statement));
        }
    }
    for table in ["baseMVA", "bus", "gen", "branch"] {
        if !seen.contains(&table) {
            let message = message!("matpower.missing_table", table = table);
            return Err(EngineError::new("INPUT.MISSING_TABLE", message));
        }
    }
    let unread = std::mem::take(&mut findings.unread);
    if !unread.is_empty() {
        let message = message!("matpower.unread_tables", count = unread.len(), tables = unread);
        findings.warnings.push(Warning::new("INPUT.FIELD_IGNORED", message));
    }
    let rows = |table: &str| {
        findings
            .rows
            .iter()
            .find(|(name, _)| name == table)
            .map_or(0, |(_, rows)| *rows)
    };
    if rows("gencost") > rows("gen") {
        let message = message!("matpower.reactive_costs");
        findings.warnings.push(Warning::new("COST.REACTIVE_IGNORED", message));
    }
    if !seen.contains(&"gencost") {
        let message = message!("matpower.no_costs");
        findings.warnings.push(Warning::new("COST.NO_TABLE", message));
    }
    Ok(findings)
}

fn judge_assignment<'a>(
    statement: &Statement<'a>,
    target: &Target<'a>,
    depth: usize,
    seen: &mut Vec<&'a str>,
    findings: &mut Findings,
) -> Result<()> {
    let script = |what: Message| {
        let message = message!("matpower.script", line = statement.line, what = what);
        EngineError::new("INPUT.MATPOWER_SCRIPT", message)
    };
    match *target {
        Target::Whole => Err(script(message!("matpower.whole_case"))),
        Target::Part { field, .. } if TABLES.contains(&field) => {
            Err(script(message!("matpower.part_changed", field = field)))
        }
        Target::Part { field, .. } => {
            warn_ignored(field, findings);
            Ok(())
        }
        Target::Field { field, rhs } if TABLES.contains(&field) => {
            if depth > 0 {
                return Err(script(message!("matpower.in_block", field = field)));
            }
            if seen.contains(&field) {
                return Err(script(message!("matpower.set_twice", field = field)));
            }
            if !statement.at_line_start || !statement.text.starts_with(&format!("mpc.{field}")) {
                return Err(script(message!("matpower.not_at_line_start", field = field)));
            }
            seen.push(field);
            if field == "baseMVA" {
                return match (rhs.parse::<f64>(), statement.end) {
                    (Ok(_), Some(b';')) => Ok(()),
                    _ => Err(script(message!("matpower.base_not_number"))),
                };
            }
            let rows =
                tables::literal_rows(rhs).ok_or_else(|| script(message!("matpower.not_numbers", field = field)))?;
            if field == "bus" && rows.is_empty() {
                return Err(EngineError::new("INPUT.EMPTY", message!("file.no_buses")));
            }
            findings.rows.push((field.to_string(), rows.len()));
            tables::check(field, &rows, statement.line)?;
            if field == "switch" {
                findings.switches = tables::switches(&rows)?;
            }
            Ok(())
        }
        Target::Field { field, rhs } => {
            tables::refuse_unread_equipment(field, rhs)?;
            warn_ignored(field, findings);
            let known = IGNORED_WITH_WARNING.contains(&field) || field == WITHOUT_EFFECT;
            if !known && tables::literal_rows(rhs).is_some_and(|rows| holds_numbers(&rows)) {
                findings.unread.push(format!("`mpc.{}`", piece(field, 40)));
            }
            Ok(())
        }
    }
}

/// Whether a table contains a number, unlike those of names and notes.
fn holds_numbers(rows: &[Vec<&str>]) -> bool {
    rows.iter().flatten().any(|token| token.parse::<f64>().is_ok())
}

fn warn_ignored(field: &str, findings: &mut Findings) {
    if IGNORED_WITH_WARNING.contains(&field) {
        let message = ignored(field);
        if findings.warnings.iter().all(|w| w.sentence != message) {
            findings.warnings.push(Warning::new("INPUT.LEFT_OUT", message));
        }
    }
}

fn ignored(field: &str) -> Message {
    message!("matpower.ignored_field", field = field)
}

/// Every warning that a module may store for this format.
pub(crate) fn stored() -> impl Iterator<Item = Message> {
    let costs = [message!("matpower.reactive_costs"), message!("matpower.no_costs")];
    costs.into_iter().chain(IGNORED_WITH_WARNING.into_iter().map(ignored))
}

fn truncated(statement: &Statement<'_>) -> EngineError {
    let what = statement
        .text
        .split(['=', '\n'])
        .next()
        .map_or_else(String::new, |text| piece(text, 40));
    if statement.end.is_some() {
        let message = message!("matpower.quote_open", line = statement.line, statement = what);
        return EngineError::new("INPUT.TRUNCATED", message);
    }
    let message = message!("matpower.cut", statement = what, line = statement.line);
    EngineError::new("INPUT.TRUNCATED", message)
}

/// `name` of `function mpc = name` or `function name`.
fn function_name(text: &str) -> Option<String> {
    let rest = text.strip_prefix("function")?.trim_start();
    let name = first_word(rest.split_once('=').map_or(rest, |(_, right)| right.trim_start()));
    (!name.is_empty()).then(|| name.to_string())
}

#[cfg(test)]
mod tests;
