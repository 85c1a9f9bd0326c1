//! Arithmetic statements after the tables: MATPOWER's distribution cases state impedances in ohms and demands in kW,
//! and convert them at their end.
//!
//! They are evaluated here on the text: the numbers of the tables are replaced and the statements removed, so that the
//! reader and the checks get literals only. Line numbers are preserved. Statements that cannot be evaluated are refused
//! by name.

use std::collections::BTreeMap;
use std::ops::Range;

use super::assignments::{assignment_in_header, assignment_target, assigns_part, first_word, Target};
use super::constants;
use super::expressions::{Outcome, Reader, Selection, Surroundings, Value, Variables};
use super::statements::Statement;
use super::{tables, BLOCK_ENDS, BLOCK_OPENERS, LONGEST_HEADER, TABLES};
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::pieces::piece;
use crate::message::{written, Message};

/// The source with its arithmetic evaluated; `None` if there is none. `statements` are those of the source.
///
/// # Errors
/// `INPUT.MATPOWER_SCRIPT` for a statement that changes a table and cannot be evaluated.
pub(super) fn evaluated(source: &str, statements: &[Statement<'_>]) -> Result<Option<String>> {
    // A truncated file is refused later with a better message.
    if statements.iter().any(|s| s.unterminated) || !statements.iter().any(is_arithmetic) {
        return Ok(None);
    }
    let mut script = Script {
        source,
        variables: Variables::new(),
        case: Case::default(),
        depth: 0,
        unknown: None,
        edits: Vec::new(),
    };
    for (k, statement) in statements.iter().enumerate() {
        if k > 0 && first_word(statement.text) == "function" {
            // The rest belongs to another function.
            break;
        }
        script.step(statement)?;
    }
    Ok(Some(script.rewritten()))
}

/// Whether a statement changes a table, or states a table or the MVA base by expressions.
fn is_arithmetic(statement: &Statement<'_>) -> bool {
    match assignment_target(statement.text) {
        Some(Target::Part { field, indexed }) => indexed && TABLES.contains(&field),
        Some(Target::Field { field: "baseMVA", rhs }) => rhs.parse::<f64>().is_err(),
        Some(Target::Field { field, rhs }) => TABLES.contains(&field) && !tables::expressions(rhs).is_empty(),
        _ => false,
    }
}

/// The state of the script at one of its statements.
struct Script<'a> {
    source: &'a str,
    variables: Variables<'a>,
    case: Case<'a>,
    depth: usize,
    /// Line of the first statement with unknown effects.
    unknown: Option<usize>,
    /// Ranges of the source with their replacements.
    edits: Vec<(Range<usize>, String)>,
}

impl<'a> Script<'a> {
    fn step(&mut self, statement: &Statement<'a>) -> Result<()> {
        let text = statement.text;
        let word = first_word(text);
        if BLOCK_OPENERS.contains(&word) {
            self.depth += 1;
            self.forget(text);
            if text.len() > LONGEST_HEADER || assignment_in_header(text).is_some() {
                self.unknown.get_or_insert(statement.line);
            }
            return Ok(());
        }
        if BLOCK_ENDS.contains(&text) {
            self.depth = self.depth.saturating_sub(1);
            return Ok(());
        }
        if matches!(word, "function" | "else" | "elseif" | "case" | "otherwise" | "catch") {
            return Ok(());
        }
        match assignment_target(text) {
            Some(Target::Field { field: "baseMVA", rhs }) if self.depth == 0 => self.set_base(statement, rhs),
            Some(Target::Field { field, rhs }) if TABLES.contains(&field) => {
                if self.depth == 0 {
                    self.set_cells(statement, field, rhs)?;
                }
                self.case.tables.insert(field, Table::new(rhs));
                Ok(())
            }
            Some(Target::Part { field, indexed: true }) if self.depth == 0 && TABLES.contains(&field) => {
                self.change(statement, field)
            }
            Some(_) => Ok(()),
            None => {
                self.assign(statement);
                Ok(())
            }
        }
    }

    /// `mpc.baseMVA = expression`.
    fn set_base(&mut self, statement: &Statement<'a>, rhs: &'a str) -> Result<()> {
        if let Ok(base) = rhs.parse() {
            self.case.base_mva = Some(base);
            return Ok(());
        }
        let value = self.value(rhs).and_then(|value| match value {
            Value::Number(base) if base.is_finite() => Ok(base),
            Value::Number(base) => Err(message!("arithmetic.value", value = written(base))),
            Value::Columns(_) => Err(message!("arithmetic.column")),
        });
        let base = value.map_err(|why| refused(statement, "baseMVA", why))?;
        self.case.base_mva = Some(base);
        self.replace(rhs, format!("{base:?}"));
        Ok(())
    }

    /// Numbers of a table that are written as expressions, such as `135/sqrt(3)`.
    fn set_cells(&mut self, statement: &Statement<'a>, field: &str, rhs: &'a str) -> Result<()> {
        for cell in tables::expressions(rhs) {
            if let Some(row) = filled(cell) {
                self.replace(cell, row);
                continue;
            }
            let value = self.value(cell).and_then(|value| match value {
                Value::Number(number) if number.is_finite() => Ok(number),
                _ => Err(message!("arithmetic.not_finite")),
            });
            let number = value.map_err(|why| {
                let why = message!("arithmetic.in_cell", cell = piece(cell, 40), why = why);
                refused(statement, field, why)
            })?;
            self.replace(cell, format!("{number:?}"));
        }
        Ok(())
    }

    /// `mpc.table(:, columns) = expression`.
    fn change(&mut self, statement: &Statement<'a>, field: &str) -> Result<()> {
        let carried_out = match self.unknown {
            Some(line) => Err(message!("arithmetic.unknown_state", line = line)),
            None => Reader::new(statement.text, &self.variables, &mut self.case)
                .and_then(Reader::assignment)
                .and_then(|(selection, value)| self.case.store(&selection, value)),
        };
        carried_out.map_err(|why| refused(statement, field, why))?;
        self.replace(statement.text, "\n".repeat(statement.text.matches('\n').count()));
        Ok(())
    }

    /// A statement outside the case: it sets variables, or has unknown effects.
    fn assign(&mut self, statement: &Statement<'a>) {
        let text = statement.text;
        if text == "define_constants" && self.depth == 0 {
            let constants = constants::all().map(|(name, value)| (name, Some(value)));
            self.variables.extend(constants);
            return;
        }
        let name = first_word(text);
        let rest = text[name.len()..].trim_start();
        if let (true, Some((left, right))) = (text.starts_with('['), text.split_once(']')) {
            let function = right.trim_start().strip_prefix('=').map(|right| right.trim());
            self.forget(left);
            if let (Some(function), 0) = (function, self.depth) {
                self.outputs(&left[1..], function.trim_end_matches("()").trim_end());
            }
        } else if !name.is_empty() && rest.starts_with('=') && !rest.starts_with("==") {
            let value = match self.depth {
                0 => self.value(&rest[1..]).ok(),
                _ => None,
            };
            let number = value.and_then(|value| match value {
                Value::Number(number) => Some(number),
                Value::Columns(_) => None,
            });
            self.variables.insert(name, number);
        } else if !name.is_empty() && assigns_part(rest) {
            // `x(1) = 2`, `x.y = 2`, `x += 2`: the statement affects only `x`.
            self.forget(text);
        } else {
            self.unknown.get_or_insert(statement.line);
        }
    }

    /// `[PQ, PV, ~, ...] = idx_bus`.
    fn outputs(&mut self, names: &'a str, function: &str) {
        let known = !self.variables.contains_key(function);
        let Some(values) = constants::outputs(function).filter(|_| known) else {
            return;
        };
        // After `...` and `%` the line is a comment.
        let code = names
            .lines()
            .map(|line| &line[..line.find('%').or(line.find("...")).unwrap_or(line.len())]);
        let names = code
            .flat_map(|line| line.split(|c: char| c == ',' || c.is_whitespace()))
            .filter(|name| !name.is_empty());
        for (name, value) in names.zip(values) {
            if first_word(name) == name {
                self.variables.insert(name, Some(value));
            }
        }
    }

    fn value(&mut self, text: &'a str) -> Outcome<Value> {
        Reader::new(text, &self.variables, &mut self.case)?.all()
    }

    /// Makes the values of all names in the text unknown from here on.
    fn forget(&mut self, text: &'a str) {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let names = words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()) && *word != "mpc");
        self.variables.extend(names.map(|name| (name, None)));
    }

    /// `part` must be a slice of the source.
    fn replace(&mut self, part: &str, with: String) {
        let from = part.as_ptr() as usize - self.source.as_ptr() as usize;
        self.edits.push((from..from + part.len(), with));
    }

    fn rewritten(mut self) -> String {
        for table in std::mem::take(&mut self.case.tables).into_values() {
            for (token, value) in table.changed() {
                self.replace(token, format!("{value:?}"));
            }
        }
        self.edits.sort_by_key(|(range, _)| range.start);
        let mut out = String::with_capacity(self.source.len() + self.source.len() / 4);
        let mut at = 0;
        for (range, text) in &self.edits {
            out.push_str(&self.source[at..range.start]);
            out.push_str(text);
            at = range.end;
        }
        out.push_str(&self.source[at..]);
        out
    }
}

/// The state of the case at a statement.
#[derive(Default)]
struct Case<'a> {
    base_mva: Option<f64>,
    tables: BTreeMap<&'a str, Table<'a>>,
}

impl Surroundings for Case<'_> {
    fn base_mva(&self) -> Option<f64> {
        self.base_mva
    }

    fn column(&mut self, table: &str, column: usize) -> Outcome<Vec<f64>> {
        Ok(self.table(table)?.column(table, column)?.clone())
    }
}

impl<'a> Case<'a> {
    fn table(&mut self, name: &str) -> Outcome<&mut Table<'a>> {
        let table = self.tables.get_mut(name);
        table.ok_or_else(|| message!("arithmetic.no_table", table = name))
    }

    fn store(&mut self, selection: &Selection<'_>, value: Value) -> Outcome<()> {
        let Selection { table: name, columns } = selection;
        let table = self.table(name)?;
        for &column in columns {
            table.column(name, column)?;
        }
        let values = match value {
            Value::Number(number) => vec![vec![number; table.rows.len()]; columns.len()],
            Value::Columns(values) => values,
        };
        let fits = values.len() == columns.len() && values.iter().all(|v| v.len() == table.rows.len());
        if !fits {
            return Err(message!("arithmetic.sides_differ"));
        }
        if let Some(value) = values.iter().flatten().find(|v| !v.is_finite()) {
            return Err(message!("arithmetic.result", value = written(value)));
        }
        for (&column, values) in columns.iter().zip(values) {
            table.values.insert(column, (values, true));
        }
        Ok(())
    }
}

/// A table literal, and those of its columns that the script uses.
struct Table<'a> {
    literal: bool,
    rows: Vec<Vec<&'a str>>,
    /// Values by 1-based column, and whether the script changed them.
    values: BTreeMap<usize, (Vec<f64>, bool)>,
}

impl<'a> Table<'a> {
    fn new(rhs: &'a str) -> Self {
        let rows = tables::literal_rows(rhs);
        Self {
            literal: rows.is_some(),
            rows: rows.unwrap_or_default(),
            values: BTreeMap::new(),
        }
    }

    fn column(&mut self, name: &str, column: usize) -> Outcome<&Vec<f64>> {
        if !self.literal {
            return Err(message!("arithmetic.not_numbers", table = name));
        }
        if !self.values.contains_key(&column) {
            let mut values = Vec::with_capacity(self.rows.len());
            for (k, row) in self.rows.iter().enumerate() {
                let Some(token) = row.get(column - 1) else {
                    return Err(message!(
                        "arithmetic.row_width",
                        row = k + 1,
                        table = name,
                        columns = row.len()
                    ));
                };
                let value = token.parse();
                let holds = |_| message!("arithmetic.cell", row = k + 1, table = name, value = *token);
                values.push(value.map_err(holds)?);
            }
            self.values.insert(column, (values, false));
        }
        let values = self.values.get(&column).map(|(values, _)| values);
        values.ok_or_else(|| message!("arithmetic.no_column", table = name, column = column))
    }

    /// The numbers in the source that have new values.
    fn changed(&self) -> impl Iterator<Item = (&'a str, f64)> + '_ {
        let columns = self.values.iter().filter(|(_, (_, changed))| *changed);
        columns.flat_map(|(&column, (values, _))| {
            self.rows
                .iter()
                .map(move |row| row[column - 1])
                .zip(values.iter().copied())
        })
    }
}

/// `zeros(1, n)` and `ones(1, n)`, which complete a row, as numbers.
fn filled(cell: &str) -> Option<String> {
    const WIDEST: usize = 64;
    let (name, arguments) = cell.strip_suffix(')')?.split_once('(')?;
    let number = match name.trim() {
        "zeros" => "0",
        "ones" => "1",
        _ => return None,
    };
    let (rows, columns) = arguments.split_once(',')?;
    let columns: usize = columns.trim().parse().ok()?;
    (rows.trim() == "1" && columns <= WIDEST).then(|| vec![number; columns].join(" "))
}

fn refused(statement: &Statement<'_>, field: &str, why: Message) -> EngineError {
    let message = message!(
        "matpower.not_evaluated",
        line = statement.line,
        field = field,
        why = why
    );
    EngineError::new("INPUT.MATPOWER_SCRIPT", message)
}
