//! Tables as text: cells by row, and numbers in the notations of various programs.

use crate::error::Result;
use crate::input::text;

/// The cells of a text by row.
#[derive(Clone, Debug)]
pub struct Table {
    /// Trimmed cells, without blank rows and comments.
    pub rows: Vec<Vec<String>>,
    /// Line on which each row begins, counted from 1.
    pub lines: Vec<usize>,
    /// Whether a comma may be the decimal point because semicolons separate the cells.
    pub decimal_comma: bool,
}

impl Table {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// `INPUT.ENCODING` for UTF-16 and binary files.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self> {
        Ok(Self::read(&text::decode(bytes)?))
    }

    /// `,`, `;` or tabs separate the cells, otherwise blanks.
    pub(crate) fn read(text: &str) -> Self {
        let delimiter = delimiter(text);
        let (lines, rows) = rows(text, delimiter).into_iter().unzip();
        Self {
            rows,
            lines,
            decimal_comma: delimiter == Some(';'),
        }
    }

    /// A cell as a finite number.
    pub fn number(&self, cell: &str) -> Option<f64> {
        number(cell, self.decimal_comma)
    }
}

pub(crate) fn number(text: &str, decimal_comma: bool) -> Option<f64> {
    let text = unquoted(text);
    let parsed = match decimal_comma && text.contains(',') {
        true => text.replace(',', ".").parse::<f64>(),
        false => text.parse::<f64>(),
    };
    parsed.ok().filter(|value| value.is_finite())
}

pub(crate) fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(|c| c == '\'' || c == '"').trim()
}

/// The delimiter of the first line that is not a comment: the most frequent one outside quotes, `None` for blanks.
fn delimiter(text: &str) -> Option<char> {
    let line = text.lines().find(|l| !is_comment(l))?;
    let mut quoted = false;
    let mut counts = [(';', 0), ('\t', 0), (',', 0)];
    for c in line.chars() {
        quoted ^= c == '"';
        if let Some(count) = counts.iter_mut().find(|(d, _)| !quoted && *d == c) {
            count.1 += 1;
        }
    }
    let best = counts.into_iter().filter(|(_, n)| *n > 0);
    best.max_by_key(|&(d, n)| (n, d == ';')).map(|(d, _)| d)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || ["//", "!", "#"].iter().any(|mark| line.starts_with(mark))
}

/// First line and trimmed cells of every row that is neither blank nor a comment. Quoted cells may contain delimiters, line ends and
/// doubled quotes; an unclosed quote ends with the file. Text after `!` following the third cell is an OpenDSS comment.
fn rows(text: &str, delimiter: Option<char>) -> Vec<(usize, Vec<String>)> {
    let mut rows = Vec::new();
    let (mut line, mut first) = (1, 1);
    let mut row: Vec<String> = Vec::new();
    let mut cell = String::new();
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    let mut end_row = |row: &mut Vec<String>, cell: &mut String, first: usize| {
        row.push(std::mem::take(cell));
        let mut cells: Vec<String> = std::mem::take(row).iter().map(|c| c.trim().to_owned()).collect();
        if delimiter.is_none() {
            cells = cells
                .iter()
                .flat_map(|c| c.split_whitespace())
                .map(str::to_owned)
                .collect();
        }
        let blank = cells.iter().all(String::is_empty);
        if !blank && (cells[0].is_empty() || !is_comment(&cells[0])) {
            if let Some(last) = cells.get_mut(2) {
                if let Some((value, _)) = last.split_once('!') {
                    *last = value.trim().to_owned();
                }
            }
            rows.push((first, cells));
        }
    };
    while let Some(c) = chars.next() {
        line += usize::from(c == '\n');
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                cell.push('"');
                chars.next();
            }
            '"' if quoted || cell.trim().is_empty() => quoted = !quoted,
            c if quoted => cell.push(c),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' | '\n' => {
                end_row(&mut row, &mut cell, first);
                first = line;
            }
            c if Some(c) == delimiter => row.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    end_row(&mut row, &mut cell, first);
    rows
}
