//! Case files of format version 1: bare variables that a function returns, and branches without angle limits.
//!
//! They are rewritten as version 2, like in MATPOWER's `loadcase`; line numbers are preserved.

use super::assignments::first_word;
use super::statements::{statements, Statement};
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::pieces::piece;

/// The tables that become part of `mpc`; `areas` are not in this model.
const TABLES: [&str; 5] = ["baseMVA", "bus", "gen", "branch", "gencost"];
/// Columns of a branch row up to its status; version 2 adds the angle limits.
const BRANCH_COLUMNS: usize = 11;

/// The file as version 2, or `None` if its function does not return `[baseMVA, bus, gen, branch, ...]`.
///
/// # Errors
/// `INPUT.MATPOWER_SCRIPT` if a statement uses a table other than by assigning it at the start of a line.
pub(crate) fn as_version_2(source: &str) -> Result<Option<String>> {
    let code = |line: &&str| !line.is_empty() && !line.starts_with('%');
    let head = source.lines().map(str::trim).find(code);
    let Some(name) = head.and_then(function_name) else {
        return Ok(None);
    };
    let mut out = String::with_capacity(source.len() + source.len() / 8);
    let mut copied = 0;
    for (k, statement) in statements(source).iter().enumerate() {
        // A statement is a slice of the source.
        let from = statement.text.as_ptr() as usize - source.as_ptr() as usize;
        let text = match (k, set_table(statement)?) {
            (0, _) => format!("function mpc = {name}"),
            (_, Some("branch")) => format!("mpc.{}", with_angle_limits(statement.text)),
            (_, Some(_)) => format!("mpc.{}", statement.text),
            (_, None) => continue,
        };
        out.push_str(&source[copied..from]);
        out.push_str(&text);
        copied = from + statement.text.len();
    }
    out.push_str(&source[copied..]);
    Ok(Some(out))
}

/// `name` of `function [baseMVA, bus, gen, branch, ...] = name`.
fn function_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("function")?.trim_start().strip_prefix('[')?;
    let (values, rest) = rest.split_once(']')?;
    let mut values = values.split([',', ' ', '\t']).filter(|v| !v.is_empty());
    let returned = TABLES[..4].iter().all(|table| values.next() == Some(table));
    let name = first_word(rest.trim_start().strip_prefix('=')?.trim_start());
    (returned && !name.is_empty()).then_some(name)
}

/// The table that a statement assigns, or `None` for unrelated statements.
fn set_table(statement: &Statement<'_>) -> Result<Option<&'static str>> {
    let word = first_word(statement.text);
    if word == "function" {
        return Ok(None);
    }
    let table = TABLES.into_iter().find(|table| *table == word);
    let rest = statement.text[word.len()..].trim_start();
    if table.is_some() && statement.at_line_start && rest.starts_with('=') && !rest.starts_with("==") {
        return Ok(table);
    }
    let words = |text: &str| {
        let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words.any(|word| TABLES.contains(&word))
    };
    let used = statement
        .text
        .lines()
        .map(|line| line.split('%').next().unwrap_or(""))
        .any(words);
    if !used {
        return Ok(None);
    }
    let message = message!(
        "matpower.version1_table",
        line = statement.line,
        statement = piece(statement.text, 40)
    );
    Err(EngineError::new("INPUT.MATPOWER_SCRIPT", message))
}

/// The branch table with -360 and 360 appended to each row, which mean no limit. Rows of another length are left to the
/// reader.
fn with_angle_limits(text: &str) -> String {
    let Some(open) = text.find('[') else {
        return text.to_owned();
    };
    let mut out = text[..=open].to_owned();
    let mut closed = false;
    for (k, line) in text[open + 1..].split('\n').enumerate() {
        if k > 0 {
            out.push('\n');
        }
        let (code, comment) = line.split_at(line.find('%').unwrap_or(line.len()));
        let end = if closed {
            0
        } else {
            code.find(']').unwrap_or(code.len())
        };
        for (k, row) in code[..end].split(';').enumerate() {
            if k > 0 {
                out.push(';');
            }
            let numbers = row.split([',', ' ', '\t', '\r']).filter(|t| !t.is_empty()).count();
            out.push_str(row.trim_end());
            if numbers == BRANCH_COLUMNS {
                out.push_str(" -360 360");
            }
        }
        closed |= end < code.len();
        out.push_str(&code[end..]);
        out.push_str(comment);
    }
    out
}
