//! The field test: every numeric field of every record of a file is changed, one at a time. Unless the network, a
//! warning or the refusal changes, the field must be in a list of fields without effect, with the reason; and every
//! entry of the list must be true.

#![allow(dead_code)] // each test file uses its part

use serde_json::Value;
use wattbook_network::ingest_case;

/// A numeric field of one record (or one that holds a word with two states, such as `Closed`).
#[derive(Clone, Debug)]
pub struct Field {
    /// `section.column`, equal for all records of a section.
    pub name: String,
    /// Which record of the section it belongs to, counted from 1; in JSON its keys.
    pub record: String,
    /// Bytes of the text that hold the value.
    pub span: std::ops::Range<usize>,
}

impl Field {
    fn at(&self) -> String {
        format!("{}#{}", self.name, self.record)
    }

    /// A pattern is a name, the beginning of names with `*` at its end, or either with `#` and a record behind it.
    fn matches(&self, pattern: &str) -> bool {
        let (name, record) = pattern.split_once('#').unwrap_or((pattern, ""));
        let of_record = record.is_empty() || self.record == record;
        let named = match name.strip_suffix('*') {
            Some(beginning) => self.name.starts_with(beginning),
            None => self.name == name,
        };
        of_record && named
    }
}

/// A field without effect, and the reason. A reason that begins with `named: ` gives the words with which a warning
/// names the field, whatever its value; that warning must be present.
pub type WithoutEffect<'a> = (&'a str, &'a str);

/// Changes every field of `text` and compares what the reader of `format` makes of it with what it makes of the text itself.
/// `fields` are those of [`matpower_fields`], [`aux_fields`], [`epc_fields`], [`json_fields`] or of an enumeration of your own.
///
/// # Panics
/// With every field that has no effect and is not listed, every listed one that has an effect, and every pattern that no field has.
pub fn check(format: &str, text: &str, fields: &[Field], without_effect: &[WithoutEffect<'_>]) {
    check_by(changes, format, text, fields, without_effect);
}

/// [`check`] for a text in fixed columns, whose fields keep their width ([`fixed_fields`]).
pub fn check_fixed(format: &str, text: &str, fields: &[Field], without_effect: &[WithoutEffect<'_>]) {
    check_by(changes_in_place, format, text, fields, without_effect);
}

fn check_by(
    changes: fn(&str) -> Vec<String>,
    format: &str,
    text: &str,
    fields: &[Field],
    without_effect: &[WithoutEffect<'_>],
) {
    assert!(!fields.is_empty(), "no field was found");
    let original = outcome(format, text);
    if let Err(refused) = &original {
        panic!("the file itself is refused: {}", refused.1);
    }
    let messages: Vec<String> = ingest_case(text.as_bytes(), format).map_or_else(
        |_| Vec::new(),
        |read| read.warnings.iter().map(|warning| warning.message()).collect(),
    );
    for words in without_effect
        .iter()
        .filter_map(|(_, reason)| reason.strip_prefix("named: "))
    {
        assert!(
            messages.iter().any(|message| message.contains(words)),
            "no warning says `{words}`: {messages:#?}"
        );
    }
    let (mut silent, mut untrue) = (Vec::new(), Vec::new());
    for field in fields {
        let current = &text[field.span.clone()];
        let mut effect = None;
        let mut refusal = None;
        for value in changes(current) {
            let changed = format!("{}{value}{}", &text[..field.span.start], &text[field.span.end..]);
            match outcome(format, &changed) {
                // The change was illegal, so it does not test the effect of the field.
                Err((code, _)) if ILLEGAL.contains(&code) => refusal = Some(code.to_string()),
                other if other == original => {}
                other => {
                    let what = other.map_or_else(|(code, message)| format!("{code}: {message}"), |_| String::new());
                    effect = Some(format!("{} {current} -> {value} {what}", field.at()));
                    break;
                }
            }
        }
        let listed = without_effect.iter().any(|(pattern, _)| field.matches(pattern));
        match (listed, effect, refusal) {
            (true, Some(effect), _) => untrue.push(effect),
            (false, None, None) => silent.push(format!("{} = {current}", field.at())),
            _ => {}
        }
    }
    let unknown: Vec<_> = without_effect
        .iter()
        .filter(|(pattern, reason)| reason.is_empty() || !fields.iter().any(|field| field.matches(pattern)))
        .collect();
    assert!(
        silent.is_empty() && untrue.is_empty() && unknown.is_empty(),
        "{format}: without effect and not listed:\n  {}\nlisted and with effect:\n  {}\nlisted and in no record, or without a reason: {unknown:?}",
        silent.join("\n  "),
        untrue.join("\n  ")
    );
}

/// Codes of refusals for values that the format does not permit.
const ILLEGAL: [&str; 4] = ["INPUT.TABLE", "INPUT.PARSE", "INPUT.ID_RANGE", "INPUT.MATPOWER_SCRIPT"];

/// Fields of XML: every attribute with a number, or with the words of two states. A name is the element's and the attribute's, a record the
/// nearest identifier (`id`, `rdf:ID`, `rdf:about`) at the element or around it; elements with text have the field `text`.
pub fn xml_fields(text: &str) -> Vec<Field> {
    let mut out = Vec::new();
    // The names of the elements around, with `/` behind those without an identifier of their own, and their records.
    let mut open: Vec<(String, String)> = Vec::new();
    let mut repeated = std::collections::BTreeMap::new();
    let local = |name: &str| name.rsplit(':').next().unwrap_or(name).to_string();
    let mut rest = 0;
    while let Some(start) = text[rest..].find('<').map(|at| rest + at) {
        let inner = &text[rest..start];
        if let Some((element, record)) = open.last().filter(|_| is_changeable(inner)) {
            out.push(Field {
                name: format!("{}.text", element.trim_end_matches('/')),
                record: record.clone(),
                span: rest..start,
            });
        }
        let end = start + text[start..].find('>').expect("the end of a tag");
        let tag = &text[start + 1..end];
        rest = end + 1;
        if tag.starts_with(['?', '!']) {
            continue;
        }
        if tag.starts_with('/') {
            open.pop();
            continue;
        }
        let mut pieces = tag.trim_end_matches('/').split('"');
        let (name, first) = pieces
            .next()
            .and_then(|p| p.split_once(' '))
            .unwrap_or((tag.trim_end_matches('/'), ""));
        let name = local(name);
        let (mut attributes, mut key) = (Vec::new(), first.to_string());
        while let Some(value) = pieces.next() {
            attributes.push((local(key.trim().trim_end_matches('=')), value));
            key = pieces.next().unwrap_or_default().to_string();
        }
        let own = attributes
            .iter()
            .find(|(key, _)| ["id", "ID", "about"].contains(&&key[..]));
        let around = open.last().map(|(_, record)| record.clone()).unwrap_or_default();
        // Without an identifier of its own, below another one without: by its place there.
        let unnamed = open.last().filter(|(parent, _)| own.is_none() && parent.contains('/'));
        let name = match unnamed {
            Some((parent, _)) => {
                let path = format!("{}/{name}", parent.trim_end_matches('/'));
                let count = repeated.entry(format!("{around} {path}")).or_insert(0);
                *count += 1;
                if *count > 1 {
                    format!("{path}{count}")
                } else {
                    path
                }
            }
            None => name,
        };
        let record = own.map_or(around, |(_, id)| id.to_string());
        for (key, value) in attributes.iter().filter(|(_, value)| is_changeable(value)) {
            let from = offset(text, value);
            out.push(Field {
                name: format!("{name}.{key}"),
                record: record.clone(),
                span: from..from + value.len(),
            });
        }
        if !tag.ends_with('/') {
            let mark = if own.is_none() { "/" } else { "" };
            open.push((format!("{name}{mark}"), record));
        }
    }
    out
}

/// The analysis network with its warnings and further physics of the module, or the refusal.
pub fn outcome(format: &str, text: &str) -> Result<String, (&'static str, String)> {
    let read = ingest_case(text.as_bytes(), format).map_err(|e| (e.code, e.message()))?;
    let module: Value = serde_json::from_str(&read.module_json).expect("a module");
    let mut out = format!("{:?}", read.network);
    for (table, part) in [
        ("loads", "voltage_model"),
        ("branches", "charging"),
        ("generators", "regulated_bus"),
    ] {
        for row in module["value"]["data"][table].as_array().into_iter().flatten() {
            out.push_str(&format!("\n{table} {part} {}", row[part]));
        }
    }
    for row in module["value"]["data"]["branches"].as_array().into_iter().flatten() {
        out.push_str(&format!("\nzero rating {}", row["extras"]["wattbook_rating_zero"]));
    }
    Ok(out)
}

/// Words with two states, and the other state.
const WORDS: [(&str, &str); 12] = [
    ("Closed", "Open"),
    ("Open", "Closed"),
    ("CLOSED", "OPEN"),
    ("OPEN", "CLOSED"),
    ("YES", "NO"),
    ("NO", "YES"),
    ("Yes", "No"),
    ("No", "Yes"),
    ("true", "false"),
    ("false", "true"),
    ("True", "False"),
    ("False", "True"),
];

/// Values to try: flags are flipped, integers are first replaced by integers.
pub fn changes(current: &str) -> Vec<String> {
    let word = current.trim().trim_matches('"').trim();
    if let Some((_, other)) = WORDS.iter().find(|(one, _)| *one == word) {
        return vec![current.replace(word, other)];
    }
    let Ok(value) = word.parse::<f64>() else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let mut push = |text: String| {
        let text = current.replace(word, &text);
        if text != current && !out.contains(&text) {
            out.push(text);
        }
    };
    if value.fract() == 0.0 && !word.contains(['.', 'e', 'E']) {
        if value == 0.0 || value == 1.0 {
            push(format!("{}", 1.0 - value));
        }
        push(format!("{}", value + 1.0));
        push(format!("{}", value - 1.0));
        push(format!("{}", 2.0 * value + 3.0));
        push(format!("{}", -value));
    }
    push(format!("{}", value * 1.1));
    push(format!("{}", value * 0.9));
    push(format!("{}", value + 1.0));
    push(format!("{}", value + 0.01));
    push(format!("{}", value - 0.01));
    out
}

/// [`changes`], rounded to the width of the field.
fn changes_in_place(current: &str) -> Vec<String> {
    let width = current.len();
    let fitted = |text: String| {
        let text = text.trim();
        let rounded = |digits: usize| text.parse::<f64>().map(|value| format!("{value:.digits$}"));
        let shorter = (0..width).rev().filter_map(|digits| rounded(digits).ok());
        let mut candidates = std::iter::once(text.to_string()).chain(shorter);
        candidates
            .find(|text| text.len() <= width)
            .map(|text| format!("{text:>width$}"))
    };
    let fitted = changes(current).into_iter().filter_map(fitted);
    fitted
        .filter(|text| text.trim().parse::<f64>() != current.trim().parse::<f64>())
        .collect()
}

/// Whether a token can be changed by [`changes`].
pub fn is_changeable(token: &str) -> bool {
    !changes(token).is_empty()
}

/// Byte offset of a part of `text`.
pub fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

/// Numbers of the tables `mpc.name = [ ... ];` and of scalars `mpc.name = number;`. Columns are named by the comment row that
/// begins the table (`% bus_i type Pd ...`), else by their number.
pub fn matpower_fields(text: &str) -> Vec<Field> {
    let mut out = Vec::new();
    let mut table: Option<(String, Vec<String>, usize)> = None;
    for line in text.lines() {
        let code = line.split('%').next().unwrap_or("");
        if let Some((name, columns, record)) = &mut table {
            if code.trim_start().starts_with("];") {
                table = None;
                continue;
            }
            if code.trim().is_empty() {
                if let Some(comment) = line.trim().strip_prefix('%').filter(|_| columns.is_empty()) {
                    *columns = comment.split_whitespace().map(str::to_string).collect();
                }
                continue;
            }
            *record += 1;
            let tokens = code.split([' ', '\t', ',', ';']).filter(|token| !token.is_empty());
            for (column, token) in tokens.enumerate().filter(|(_, token)| is_changeable(token)) {
                let column = columns.get(column).cloned().unwrap_or((column + 1).to_string());
                let from = offset(text, token);
                out.push(Field {
                    name: format!("{name}.{column}"),
                    record: record.to_string(),
                    span: from..from + token.len(),
                });
            }
        } else if let Some((name, right)) = code.strip_prefix("mpc.").and_then(|rest| rest.split_once('=')) {
            let right = right.trim().trim_end_matches(';');
            let name = name.trim().to_string();
            if right == "[" {
                table = Some((name, Vec::new(), 0));
            } else if is_changeable(right) {
                let from = offset(text, right);
                let span = from..from + right.len();
                let record = String::new();
                out.push(Field { name, record, span });
            }
        }
    }
    out
}

/// Numbers of a text in fixed columns: the fields of a line by `columns`, which are named and counted from 1, or `None` for a line
/// without fields. Each section counts its records.
pub fn fixed_fields<'c>(
    text: &str,
    mut columns: impl FnMut(&str) -> Option<(&'c str, &'c [(&'c str, usize, usize)])>,
) -> Vec<Field> {
    let mut out = Vec::new();
    let mut count = std::collections::BTreeMap::new();
    for line in text.lines() {
        let Some((section, columns)) = columns(line) else {
            continue;
        };
        let record = count.entry(section).or_insert(0);
        *record += 1;
        for (name, first, last) in columns {
            let Some(cell) = line.get(first - 1..(*last).min(line.len())) else {
                continue;
            };
            if is_changeable(cell) {
                let from = offset(text, cell);
                out.push(Field {
                    name: format!("{section}.{name}"),
                    record: record.to_string(),
                    span: from..from + cell.len(),
                });
            }
        }
    }
    out
}

/// Values of the `DATA` sections of an auxiliary file with one line per header and record, and of the `SUBDATA` in
/// them, whose columns are numbered.
pub fn aux_fields(text: &str) -> Vec<Field> {
    let mut out = Vec::new();
    let (mut kind, mut columns, mut record) = (String::new(), Vec::new(), 0);
    let mut nested: Option<(String, usize)> = None;
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(name) = trimmed.strip_prefix("<SUBDATA") {
            nested = Some((name.trim_end_matches('>').trim().to_string(), 0));
        } else if trimmed == "</SUBDATA>" {
            nested = None;
        } else if let Some(inner) = trimmed.strip_prefix("DATA (") {
            let (name, rest) = inner.split_once(',').expect("a section");
            kind = name.trim().to_string();
            let list = rest
                .trim()
                .trim_start_matches('[')
                .trim_end_matches(')')
                .trim_end_matches(']');
            columns = list.split(',').map(|column| column.trim().to_string()).collect();
            record = 0;
        } else if trimmed.is_empty() || trimmed.starts_with("//") || matches!(trimmed, "{" | "}") {
            continue;
        } else {
            let (section, number) = match &mut nested {
                Some((name, lines)) => {
                    *lines += 1;
                    (format!("{kind}.{name}"), format!("{record}.{lines}"))
                }
                None => {
                    record += 1;
                    (kind.clone(), record.to_string())
                }
            };
            for (column, token) in quoted_tokens(line).into_iter().enumerate() {
                let name = match nested {
                    Some(_) => (column + 1).to_string(),
                    None => columns[column].clone(),
                };
                if is_changeable(token) {
                    let from = offset(text, token);
                    out.push(Field {
                        name: format!("{section}.{name}"),
                        record: number.clone(),
                        span: from..from + token.len(),
                    });
                }
            }
        }
    }
    out
}

/// Values of the sections of a PSLF file, on either side of the colon. Columns are named by the section and by their
/// position left (`L0`) or right (`R0`) of the colon; numbering continues on continuation lines.
pub fn epc_fields(text: &str) -> Vec<Field> {
    let mut out = Vec::new();
    let (mut section, mut record) = (String::new(), 0);
    let (mut right, mut column, mut open) = (false, 0, false);
    for line in text.lines() {
        let header = line.split_once(" data").filter(|(_, rest)| rest.contains('['));
        if let Some((name, _)) = header {
            (section, record, open) = (name.trim().to_string(), 0, false);
            continue;
        }
        if let Some(value) = line.strip_prefix("sbase") {
            let token = value.split_whitespace().next().expect("a base");
            let from = offset(text, token);
            let (name, record) = ("sbase".to_string(), String::new());
            let span = from..from + token.len();
            out.push(Field { name, record, span });
            continue;
        }
        if section.is_empty() || matches!(line.trim(), "" | "!" | "end") {
            continue;
        }
        if !open {
            (right, column) = (false, 0);
            record += 1;
        }
        open = line.trim_end().ends_with('/');
        for token in quoted_tokens(line.trim_end().trim_end_matches('/')) {
            if token == ":" {
                (right, column) = (true, 0);
                continue;
            }
            let side = if right { 'R' } else { 'L' };
            if is_changeable(token) && !token.starts_with('"') {
                let from = offset(text, token);
                out.push(Field {
                    name: format!("{section}.{side}{column}"),
                    record: record.to_string(),
                    span: from..from + token.len(),
                });
            }
            column += 1;
        }
    }
    out
}

/// Tokens of a line between blanks; one in quotes stays whole, with its quotes.
pub fn quoted_tokens(line: &str) -> Vec<&str> {
    let (mut out, mut from, mut quoted) = (Vec::new(), None, false);
    for (at, c) in line.char_indices() {
        match c {
            '"' => {
                quoted = !quoted;
                from = from.or(Some(at));
            }
            _ if c.is_whitespace() && !quoted => out.extend(from.take().map(|from| &line[from..at])),
            _ => from = from.or(Some(at)),
        }
    }
    out.extend(from.map(|from| &line[from..]));
    out
}

/// Numbers and truth values of a JSON document. Keys that are whole numbers and places in lists of lists or objects are records,
/// written `*` in the name; places in lists of plain values are columns.
pub fn json_fields(text: &str) -> Vec<Field> {
    let mut walk = JsonWalk {
        text,
        at: 0,
        out: Vec::new(),
    };
    walk.value(&mut Vec::new(), &mut Vec::new());
    walk.out
}

struct JsonWalk<'a> {
    text: &'a str,
    at: usize,
    out: Vec<Field>,
}

impl JsonWalk<'_> {
    fn next(&mut self) -> u8 {
        while self.text.as_bytes()[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        self.text.as_bytes()[self.at]
    }

    fn string(&mut self) -> String {
        let from = self.at;
        self.at += 1;
        while self.text.as_bytes()[self.at] != b'"' {
            self.at += 1 + usize::from(self.text.as_bytes()[self.at] == b'\\');
        }
        self.at += 1;
        self.text[from + 1..self.at - 1].to_string()
    }

    fn value(&mut self, path: &mut Vec<String>, record: &mut Vec<String>) {
        match self.next() {
            b'{' => {
                self.at += 1;
                while self.next() != b'}' {
                    let key = self.string();
                    self.next();
                    self.at += 1; // the colon
                    let is_record = !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit());
                    self.inside(path, record, key, is_record);
                }
                self.at += 1;
            }
            b'[' => {
                self.at += 1;
                let mut place = 0;
                while self.next() != b']' {
                    let is_record = matches!(self.next(), b'{' | b'[');
                    self.inside(path, record, place.to_string(), is_record);
                    place += 1;
                }
                self.at += 1;
            }
            b'"' => {
                self.string();
            }
            _ => {
                let rest = &self.text[self.at..];
                let length = rest.find([',', '}', ']', ' ', '\n', '\r', '\t']).unwrap_or(rest.len());
                if is_changeable(&rest[..length]) {
                    self.out.push(Field {
                        name: path.join("."),
                        record: record.join("."),
                        span: self.at..self.at + length,
                    });
                }
                self.at += length;
            }
        }
    }

    fn inside(&mut self, path: &mut Vec<String>, record: &mut Vec<String>, key: String, is_record: bool) {
        path.push(if is_record { "*".to_string() } else { key.clone() });
        if is_record {
            record.push(key);
        }
        self.value(path, record);
        path.pop();
        if is_record {
            record.pop();
        }
        if self.next() == b',' {
            self.at += 1;
        }
    }
}
