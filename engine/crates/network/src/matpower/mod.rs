//! Checks around the MATPOWER reader: what it would silently skip or misread is an error here.
//!
//! The reader takes `mpc.<table> = [ ... ];` literals that begin a line. MATLAB would execute the whole file: arithmetic on
//! whole columns is carried out beforehand ([`conversions`]), and every other statement that touches a table is refused with its
//! line.

mod assignments;
mod constants;
mod conversions;
mod expressions;
mod statements;
mod tables;
mod version1;

use assignments::{assignment_in_header, assignment_target, first_word, Target};
pub(crate) use statements::blank_block_comments;
use statements::{statements, Statement};
pub(crate) use version1::as_version_2;

use std::borrow::Cow;

use crate::analysis::Warning;
use crate::error::{EngineError, Result};
use crate::sentences::piece;

/// Tables that become elements of the network.
const TABLES: [&str; 8] = [
    "baseMVA",
    "bus",
    "gen",
    "branch",
    "gencost",
    "dcline",
    "dclinecost",
    "storage",
];
/// Fields that change MATPOWER's optimal power flow and have no place in this model.
const IGNORED_WITH_WARNING: [&str; 14] = [
    "A", "l", "u", "N", "H", "Cw", "fparm", "z0", "zl", "zu", "reserves", "if", "softlims", "iflims",
];
const BLOCK_OPENERS: [&str; 7] = ["for", "parfor", "while", "if", "switch", "try", "spmd"];
/// Bytes; keeps the judgement of nested brackets from taking long on hostile input.
const LONGEST_HEADER: usize = 2_000;
const BLOCK_ENDS: [&str; 6] = ["end", "endfor", "endwhile", "endif", "endswitch", "end_try_catch"];

/// What the fences learned about the file.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Name behind `function mpc =`.
    pub case_name: Option<String>,
    pub warnings: Vec<Warning>,
    /// Rows of each table, to be compared with what the reader made of it.
    pub rows: Vec<(String, usize)>,
}

/// The file as the reader shall see it, and what is known of it: arithmetic is carried out, everything else judged.
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

/// Judges a whole file before it is read.
///
/// # Errors
/// `INPUT.TRUNCATED` for an unterminated table or statement, `INPUT.MATPOWER_SCRIPT` for a statement that changes a table
/// and is not a plain literal, `INPUT.TABLE` for rows that the reader would misread, `PHYSICS.UNSUPPORTED` for tables of
/// closed switches and DC grids that it would skip.
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
            let message = format!(
                "Line {}: the head of the `{word}` block is too long to be judged.",
                statement.line
            );
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
            let message =
                format!("The file has no `mpc.{table}`: it is not a MATPOWER version 2 case, or it is cut off.");
            return Err(EngineError::new("INPUT.MISSING_TABLE", message));
        }
    }
    let rows = |table: &str| {
        findings
            .rows
            .iter()
            .find(|(name, _)| name == table)
            .map_or(0, |(_, rows)| *rows)
    };
    if rows("gencost") > rows("gen") {
        let message = "The second half of `mpc.gencost` prices reactive power; it is not part of this model.";
        findings.warnings.push(Warning {
            code: "COST.REACTIVE_IGNORED",
            message: message.into(),
            element: None,
        });
    }
    if !seen.contains(&"gencost") {
        let message =
            "The file has no `mpc.gencost`: every generator is free. If costs were expected, the file is cut off.";
        findings.warnings.push(Warning {
            code: "COST.NO_TABLE",
            message: message.into(),
            element: None,
        });
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
    let script = |what: String| {
        let message = format!(
            "Line {}: {what} Only plain table literals can be read; run the file and save the case.",
            statement.line
        );
        EngineError::new("INPUT.MATPOWER_SCRIPT", message)
    };
    match *target {
        Target::Whole => Err(script(
            "the whole case is replaced by the result of an expression.".into(),
        )),
        Target::Part { field, .. } if TABLES.contains(&field) => Err(script(format!(
            "`mpc.{field}` is changed by a statement that is not evaluated."
        ))),
        Target::Part { field, .. } => {
            warn_ignored(field, findings);
            Ok(())
        }
        Target::Field { field, rhs } if TABLES.contains(&field) => {
            if depth > 0 {
                return Err(script(format!("`mpc.{field}` is set inside a block.")));
            }
            if seen.contains(&field) {
                return Err(script(format!("`mpc.{field}` is set twice.")));
            }
            if !statement.at_line_start || !statement.text.starts_with(&format!("mpc.{field}")) {
                return Err(script(format!(
                    "`mpc.{field}` does not begin its line, or is spaced out."
                )));
            }
            seen.push(field);
            if field == "baseMVA" {
                return match (rhs.parse::<f64>(), statement.end) {
                    (Ok(_), Some(b';')) => Ok(()),
                    _ => Err(script(
                        "`mpc.baseMVA` is not a plain number followed by a semicolon.".into(),
                    )),
                };
            }
            let rows =
                tables::literal_rows(rhs).ok_or_else(|| script(format!("`mpc.{field}` is not a table of numbers.")))?;
            if field == "bus" && rows.is_empty() {
                return Err(EngineError::new("INPUT.EMPTY", "The case has no buses."));
            }
            findings.rows.push((field.to_string(), rows.len()));
            tables::check(field, &rows, statement.line)
        }
        Target::Field { field, rhs } => {
            tables::refuse_unread_equipment(field, rhs)?;
            warn_ignored(field, findings);
            Ok(())
        }
    }
}

fn warn_ignored(field: &str, findings: &mut Findings) {
    if IGNORED_WITH_WARNING.contains(&field) {
        let message = format!("`mpc.{field}` changes MATPOWER's optimal power flow and is not part of this model.");
        if findings.warnings.iter().all(|w| w.message != message) {
            findings.warnings.push(Warning {
                code: "INPUT.FIELD_IGNORED",
                message,
                element: None,
            });
        }
    }
}

fn truncated(statement: &Statement<'_>) -> EngineError {
    let what = statement
        .text
        .split(['=', '\n'])
        .next()
        .map_or_else(String::new, |text| piece(text, 40));
    if statement.end.is_some() {
        let message = format!("Line {}: a quote is not closed in `{what}`.", statement.line);
        return EngineError::new("INPUT.TRUNCATED", message);
    }
    let message = format!(
        "The file ends inside the statement `{what}` of line {}: it is cut off.",
        statement.line
    );
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
