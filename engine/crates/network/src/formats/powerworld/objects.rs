//! The objects of an auxiliary file, as far as the checks and the lists of outages need them.

use crate::error::{EngineError, Result};
use crate::message;

/// One `DATA` section: object type, field names, rows with one value per field.
pub(crate) struct Object<'a> {
    pub kind: String,
    pub fields: Vec<String>,
    pub rows: Vec<Vec<&'a str>>,
    /// Line of each row, counted from 1.
    pub row_lines: Vec<usize>,
    /// `SUBDATA` of rows: the row, the name and the lines without comments.
    pub subdata: Vec<SubData<'a>>,
    /// Lines of the text from the header to the closing brace, counted from 0.
    pub lines: std::ops::Range<usize>,
}

/// A `<SUBDATA name>` block of a row.
pub(crate) struct SubData<'a> {
    pub row: usize,
    pub name: &'a str,
    pub lines: Vec<&'a str>,
    /// Their numbers, counted from 1.
    pub numbers: Vec<usize>,
}

impl Object<'_> {
    /// Column of the first of `names` that the section declares.
    pub fn column(&self, names: &[&str]) -> Option<usize> {
        let of = |name: &&str| self.fields.iter().position(|f| f.eq_ignore_ascii_case(name));
        names.iter().find_map(of)
    }
}

/// Reads every `DATA` section, legacy (`DATA (Bus, [BusNum, ...])`) or concise (`Bus (BusNum, ...)`), and skips
/// scripts. Other malformed input is left to the parser.
///
/// # Errors
/// `INPUT.TRUNCATED` if the file ends inside a section.
pub(crate) fn objects(text: &str) -> Result<Vec<Object<'_>>> {
    let mut out = Vec::new();
    let mut lines = text.lines().enumerate();
    let mut next_header = None;
    while let Some((number, line)) = next_header.take().or_else(|| lines.next()) {
        let mut header = without_comment(line).trim().to_string();
        if header.is_empty() {
            continue;
        }
        let cut = || {
            let section: String = line.trim().chars().take(40).collect();
            let message = message!("powerworld.cut", section = section, line = number + 1);
            EngineError::new("INPUT.TRUNCATED", message)
        };
        let script = header.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("SCRIPT"));
        let mut parentheses = Parentheses::default();
        parentheses.read(&header);
        // Real headers have a few dozen lines.
        for _ in 0..500 {
            if script || parentheses.closed() {
                break;
            }
            let (_, more) = lines.next().ok_or_else(cut)?;
            let more = without_comment(more).trim();
            parentheses.read(more);
            header.push(' ');
            header.push_str(more);
        }
        if !header.ends_with('{') {
            while without_comment(lines.next().ok_or_else(cut)?.1).trim() != "{" {}
        }
        let Some((kind, fields, csv)) = split_header(&header).filter(|_| !script) else {
            while lines.next().ok_or_else(cut)?.1.trim() != "}" {}
            continue;
        };
        let mut object = Object {
            kind,
            fields,
            rows: Vec::new(),
            row_lines: Vec::new(),
            subdata: Vec::new(),
            lines: number..number,
        };
        let mut row = Vec::new();
        let mut nested = false;
        loop {
            let (at, line) = lines.next().ok_or_else(cut)?;
            let body = line.trim();
            if body == "}" {
                object.lines.end = at + 1;
                break;
            }
            // Some files of contingencies omit the brace before the next section.
            if !nested && row.is_empty() && is_legacy_header(body) {
                object.lines.end = at;
                next_header = Some((at, line));
                break;
            }
            if let Some(name) = body.strip_prefix("<SUBDATA").filter(|_| !nested) {
                nested = true;
                object.subdata.push(SubData {
                    row: object.rows.len().saturating_sub(1),
                    name: name.trim_end_matches('>').trim(),
                    lines: Vec::new(),
                    numbers: Vec::new(),
                });
                continue;
            }
            if nested {
                nested = !body.eq_ignore_ascii_case("</SUBDATA>");
                let line = without_comment(body).trim();
                if let (true, false, Some(block)) = (nested, line.is_empty(), object.subdata.last_mut()) {
                    block.lines.push(line);
                    block.numbers.push(at + 1);
                }
                continue;
            }
            values(without_comment(body).trim(), csv, &mut row);
            if row.len() >= object.fields.len() {
                object.rows.push(std::mem::take(&mut row));
                object.row_lines.push(at + 1);
            }
        }
        out.push(object);
    }
    Ok(out)
}

/// The parentheses of a header, read line by line.
#[derive(Default)]
struct Parentheses {
    depth: i64,
    opened: bool,
    quoted: bool,
}

impl Parentheses {
    fn read(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '"' => self.quoted = !self.quoted,
                '(' if !self.quoted => (self.depth, self.opened) = (self.depth + 1, true),
                ')' if !self.quoted => self.depth -= 1,
                _ => {}
            }
        }
    }

    /// Whether every parenthesis is closed.
    fn closed(&self) -> bool {
        self.opened && self.depth <= 0
    }
}

/// Whether a line begins a section in the legacy form.
fn is_legacy_header(line: &str) -> bool {
    let (word, rest) = line.split_at_checked(4).unwrap_or(("", ""));
    word.eq_ignore_ascii_case("DATA") && rest.trim_start().starts_with('(')
}

/// Object type, fields, and whether commas separate the values.
fn split_header(header: &str) -> Option<(String, Vec<String>, bool)> {
    let (before, rest) = header.split_once('(')?;
    let inner = &rest[..rest.rfind(')')?];
    let legacy = before
        .trim()
        .get(..4)
        .is_some_and(|word| word.eq_ignore_ascii_case("DATA"));
    let names = |list: &str| list.split(',').map(|f| f.trim().to_string()).collect::<Vec<_>>();
    if !legacy {
        return Some((
            before.split_whitespace().next()?.to_ascii_lowercase(),
            names(inner),
            false,
        ));
    }
    let (kind, rest) = inner.split_once('[')?;
    let (list, arguments) = rest.rsplit_once(']')?;
    let kind = kind.trim().trim_end_matches(',').trim().to_ascii_lowercase();
    Some((kind, names(list), arguments.to_ascii_uppercase().contains("CSV")))
}

/// The line up to `//` outside quotes.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '/' if !quoted && before == '/' => return &line[..at - 1],
            _ => {}
        }
        before = c;
    }
    line
}

/// The values of a line of either kind.
pub(crate) fn values_of(line: &str) -> Vec<&str> {
    let mut out = Vec::new();
    values(without_comment(line).trim(), false, &mut out);
    out
}

/// Appends the values of a line without their quotes.
fn values<'a>(line: &'a str, csv: bool, out: &mut Vec<&'a str>) {
    let mut quoted = false;
    let mut start: Option<usize> = None;
    let clean = |v: &'a str| v.trim().trim_matches('"').trim();
    for (at, c) in line.char_indices() {
        let separator = !quoted && if csv { c == ',' } else { c.is_whitespace() || c == ',' };
        match c {
            '"' => {
                quoted = !quoted;
                start = start.or(Some(at));
            }
            _ if separator => match start.take() {
                Some(from) => out.push(clean(&line[from..at])),
                None if csv => out.push(""),
                None => {}
            },
            _ => start = start.or(Some(at)),
        }
    }
    if let Some(from) = start {
        out.push(clean(&line[from..]));
    }
}
