//! RAWX: the records of RAW, revision 35 and later, as tables of JSON with named columns ("Program Operation Manual" of
//! PSS/E 35, "Extensible Power Flow Data File"). They are written as RAW records, so every record is read as in RAW.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use crate::analysis::Warning;
use crate::error::{EngineError, Result};
use crate::input::psse_fields::quoted;
use crate::message::Value as Part;
use crate::sentences::sentence;
use crate::{message, message_key};

const CASE: &str = "ic sbase rev xfrrat nxfrat basfrq";
const TITLES: [&str; 2] = ["title1", "title2"];
const WINDING: &str = "windv# nomv# ang# wdg#rate1 wdg#rate2 wdg#rate3 wdg#rate4 wdg#rate5 wdg#rate6 wdg#rate7 wdg#rate8 \
                       wdg#rate9 wdg#rate10 wdg#rate11 wdg#rate12 cod# cont# node# rma# rmi# vma# vmi# ntp# tab# cr# cx# cnxa#";
const CONVERTER: &str = "ip# nb# anmx# anmn# rc# xc# ebas# tr# tap# tmx# tmn# stp# ic# nd# if# it# id# xcap#";
const VSC_CONVERTER: &str =
    "ibus# type# mode# dcset# acset# aloss# bloss# minloss# smax# imax# pwf# maxq# minq# vsreg# \
                             nreg# rmpct#";

/// The lines of a record: columns in the order of RAW, with the text that replaces `#`.
type Lines = &'static [(&'static str, &'static str)];

/// Sections of RAW with the tables that have their records.
const TABLES: [(&str, &str, Lines); 18] = [
    (
        "BUS",
        "bus",
        &[("ibus name baskv ide area zone owner vm va nvhi nvlo evhi evlo", "")],
    ),
    (
        "LOAD",
        "load",
        &[(
            "ibus loadid stat area zone pl ql ip iq yp yq owner scale intrpt dgenp dgenq dgenm loadtype",
            "",
        )],
    ),
    ("FIXED SHUNT", "fixshunt", &[("ibus shntid stat gl bl", "")]),
    (
        "GENERATOR",
        "generator",
        &[(
            "ibus machid pg qg qt qb vs ireg nreg mbase zr zx rt xt gtap stat rmpct pt pb baslod o1 f1 o2 f2 o3 f3 o4 f4 \
             wmod wpf",
            "",
        )],
    ),
    (
        "BRANCH",
        "acline",
        &[(
            "ibus jbus ckt rpu xpu bpu name rate1 rate2 rate3 rate4 rate5 rate6 rate7 rate8 rate9 rate10 rate11 rate12 gi bi \
             gj bj stat met len o1 f1 o2 f2 o3 f3 o4 f4",
            "",
        )],
    ),
    (
        "SYSTEM SWITCHING DEVICE",
        "sysswd",
        &[(
            "ibus jbus ckt xpu rate1 rate2 rate3 rate4 rate5 rate6 rate7 rate8 rate9 rate10 rate11 rate12 stat nstat met stype \
             name",
            "",
        )],
    ),
    (
        "TRANSFORMER",
        "transformer",
        &[
            (
                "ibus jbus kbus ckt cw cz cm mag1 mag2 nmet name stat o1 f1 o2 f2 o3 f3 o4 f4 vecgrp zcod",
                "",
            ),
            (
                "r1_2 x1_2 sbase1_2 r2_3 x2_3 sbase2_3 r3_1 x3_1 sbase3_1 vmstar anstar",
                "",
            ),
            (WINDING, "1"),
            (WINDING, "2"),
            (WINDING, "3"),
        ],
    ),
    ("AREA", "area", &[("iarea isw pdes ptol arname", "")]),
    (
        "TWO-TERMINAL DC",
        "twotermdc",
        &[
            (
                "name mdc rdc setvl vschd vcmod rcomp delti met dcvmin cccitmx cccacc",
                "",
            ),
            (CONVERTER, "r"),
            (CONVERTER, "i"),
        ],
    ),
    (
        "VSC DC LINE",
        "vscdc",
        &[
            ("name mdc rdc o1 f1 o2 f2 o3 f3 o4 f4", ""),
            (VSC_CONVERTER, "1"),
            (VSC_CONVERTER, "2"),
        ],
    ),
    ("IMPEDANCE CORRECTION", "impcor", &[("itable tap refact imfact", "")]),
    // Without its converters, buses and links, whose numbers are therefore zero.
    ("MULTI-TERMINAL DC", "ntermdc", &[("name ! ! ! mdc vconv vcmod vconvn", "")]),
    ("INTER-AREA TRANSFER", "iatrans", &[("arfrom arto trid ptran", "")]),
    (
        "FACTS DEVICE",
        "facts",
        &[(
            "name ibus jbus mode pdes qdes vset shmx trmx vtmn vtmx vsmx imx linx rmpct owner set1 set2 vsref fcreg nreg mname",
            "",
        )],
    ),
    (
        "SWITCHED SHUNT",
        "swshunt",
        &[(
            "ibus shntid modsw adjm stat vswhi vswlo swreg nreg rmpct rmidnt binit s1 n1 b1 s2 n2 b2 s3 n3 b3 s4 n4 b4 s5 n5 b5 \
             s6 n6 b6 s7 n7 b7 s8 n8 b8",
            "",
        )],
    ),
    ("GNE", "gne", &[("name", "")]),
    ("INDUCTION MACHINE", "indmach", &[("ibus imid stat", "")]),
    ("SUBSTATION", "sub", &[("isub name lati long srg", "")]),
];
/// Parts of substations, with the number of the substation first.
const NODES: &str = "inode name ibus stat vm va";
const DEVICES: &str = "inode jnode swdid name type stat nstat xpu rate1 rate2 rate3";
const TERMINALS: &str = "ibus inode type jbus kbus eqid";
const PARTS: [(&str, &str, &str); 3] = [
    ("subnode", NODES, "NODE"),
    ("subswd", DEVICES, "SWITCHING DEVICE"),
    ("subterm", TERMINALS, "TERMINAL"),
];
/// Tables without effect: settings of solvers, names, groups, and parts of elements that are refused in service.
const WITHOUT_EFFECT: [&str; 13] = [
    "general",
    "gauss",
    "newton",
    "adjust",
    "tysl",
    "solver",
    "rating",
    "ntermdcconv",
    "ntermdcbus",
    "ntermdclink",
    "msline",
    "zone",
    "owner",
];
/// Tables of elements of which only the status counts, because they are refused in service.
const STATUS_ONLY: [&str; 3] = ["ntermdc", "gne", "indmach"];
/// Columns without effect in RAW that only RAWX has.
const COLUMNS_WITHOUT_EFFECT: [(&str, &str); 3] = [("sysswd", "rsetnam"), ("subswd", "rsetnam"), ("subswd", "met")];

/// A RAWX file as RAW.
pub(in crate::formats) struct Raw {
    /// Revision 35.
    pub text: String,
    /// Tables and columns that RAW does not have.
    pub warnings: Vec<Warning>,
    /// By line of the text, the line of the file.
    lines: Vec<usize>,
}

impl Raw {
    /// The error of the reader of RAW with the line of the file.
    pub fn located(&self, mut error: EngineError) -> EngineError {
        for (name, value) in &mut error.sentence.values {
            if let ("line", Part::Count(line)) = (*name, value) {
                let row = usize::try_from(*line).unwrap_or(0).saturating_sub(1);
                *line = self.lines.get(row).map_or(*line, |line| *line as u64);
            }
        }
        error
    }

    fn push(&mut self, record: &str, line: usize) {
        self.text.push_str(record);
        self.text.push('\n');
        self.lines.push(line);
    }
}

/// Writes the tables as records of RAW, revision 35.
///
/// # Errors
/// `INPUT.PARSE` naming the line for an invalid text and for rows without the width of their table, `INPUT.REVISION` for
/// a revision before 35.
pub(in crate::formats) fn as_raw(text: &str) -> Result<Raw> {
    let document: Value = serde_json::from_str(text).map_err(|error| {
        let message = sentence(message_key!("reader.file", cause), &error.to_string());
        EngineError::new("INPUT.PARSE", message)
    })?;
    let no_network = || EngineError::new("INPUT.PARSE", message!("rawx.no_network"));
    let network = document
        .get("network")
        .and_then(Value::as_object)
        .ok_or_else(no_network)?;
    let lines = lines_of_rows(text);
    let table = |name: &'static str| Table::read(network, name, lines.get(name).map_or(&[], Vec::as_slice));
    let case = table("caseid")?.ok_or_else(no_network)?;
    let Some(case) = case.rows.first().map(|row| Row { table: &case, row }) else {
        return Err(no_network());
    };
    // A missing revision is that of the first program that writes this format.
    let revision = case.text("rev");
    if !matches!(revision.parse::<f64>().map_or(35, |revision| revision as u32), 35 | 36) {
        return Err(EngineError::new(
            "INPUT.REVISION",
            message!("rawx.revision", revision = revision),
        ));
    }
    let mut out = Raw {
        text: String::new(),
        warnings: Vec::new(),
        lines: Vec::new(),
    };
    let header: Vec<String> = CASE
        .split(' ')
        .map(|name| if name == "rev" { "35".into() } else { case.cell(name) })
        .collect();
    out.push(&header.join(","), case.line());
    for title in TITLES {
        out.push(&case.text(title), case.line());
    }
    let (mut unknown, mut ignored) = (Tally::default(), Tally::default());
    let titles = format!("{CASE} {}", TITLES.join(" "));
    ignored.columns(case.table, &[&titles]);
    out.push("0 / END OF SYSTEM-WIDE DATA, BEGIN BUS DATA", 0);
    for (k, (section, name, record)) in TABLES.into_iter().enumerate() {
        if let Some(table) = table(name)? {
            let expanded: Vec<String> = record
                .iter()
                .map(|(columns, mark)| columns.replace('#', mark))
                .collect();
            if !STATUS_ONLY.contains(&name) {
                let known: Vec<&str> = expanded.iter().map(String::as_str).collect();
                ignored.columns(&table, &known);
            }
            match section {
                "IMPEDANCE CORRECTION" => correction_tables(&table, &mut out)?,
                "SUBSTATION" => substations(&table, network, &lines, &mut out)?,
                _ => table.write(&expanded, &mut out),
            }
        }
        let next = TABLES
            .get(k + 1)
            .map_or(String::new(), |(next, ..)| format!(", BEGIN {next} DATA"));
        out.push(&format!("0 / END OF {section} DATA{next}"), 0);
    }
    out.push("Q", 0);
    for (name, columns, _) in PARTS {
        if let Some(table) = table(name)? {
            ignored.columns(&table, &["isub", columns]);
        }
    }
    for (name, content) in network {
        let rows = content.get("data").and_then(Value::as_array).map_or(0, Vec::len);
        let known = name == "caseid"
            || WITHOUT_EFFECT.contains(&name.as_str())
            || TABLES.iter().any(|(_, table, _)| table == name)
            || PARTS.iter().any(|(table, ..)| table == name);
        if !known {
            unknown.add(name.clone(), rows);
        }
    }
    let Tally(tables) = unknown;
    if !tables.is_empty() {
        let (count, tables): (usize, Vec<String>) = (tables.values().sum(), quoted_names(tables.into_keys()));
        let message = message!("document.tables_left_out", count = count, tables = tables);
        out.warnings.push(Warning::new("INPUT.LEFT_OUT", message));
    }
    let Tally(columns) = ignored;
    if !columns.is_empty() {
        let (count, fields): (usize, Vec<String>) = (columns.values().sum(), quoted_names(columns.into_keys()));
        let message = message!("document.fields_ignored", count = count, fields = fields);
        out.warnings.push(Warning::new("INPUT.FIELD_IGNORED", message));
    }
    Ok(out)
}

fn quoted_names(names: impl Iterator<Item = String>) -> Vec<String> {
    names.map(|name| format!("`{name}`")).collect()
}

/// Names of tables or columns with their numbers of values.
#[derive(Default)]
struct Tally(BTreeMap<String, usize>);

impl Tally {
    fn add(&mut self, name: String, count: usize) {
        if count > 0 {
            *self.0.entry(name).or_default() += count;
        }
    }

    /// Counts the values in columns other than `known`.
    fn columns(&mut self, table: &Table<'_>, known: &[&str]) {
        for (column, at) in &table.columns {
            let is_known = known
                .iter()
                .any(|names| names.split_whitespace().any(|name| name == column))
                || COLUMNS_WITHOUT_EFFECT.contains(&(table.name, column.as_str()));
            if !is_known {
                let stated = table.rows.iter().filter(|(_, row)| !row[*at].is_null()).count();
                self.add(format!("{}.{column}", table.name), stated);
            }
        }
    }
}

struct Table<'a> {
    name: &'static str,
    /// Position of a column by its name in lower case.
    columns: HashMap<String, usize>,
    /// Rows with their lines in the file.
    rows: Vec<(usize, &'a [Value])>,
}

impl<'a> Table<'a> {
    /// A table, or the parameters `caseid`, whose data are one row; `None` if the file has no such table.
    fn read(network: &'a Map<String, Value>, name: &'static str, lines: &[usize]) -> Result<Option<Self>> {
        let Some(content) = network.get(name) else {
            return Ok(None);
        };
        let broken = || EngineError::new("INPUT.PARSE", message!("rawx.no_table", table = name));
        let list = |member| content.get(member).and_then(Value::as_array).ok_or_else(broken);
        let (fields, data) = (list("fields")?, list("data")?);
        let mut columns = HashMap::new();
        for (at, field) in fields.iter().enumerate() {
            let field = field.as_str().ok_or_else(broken)?.to_ascii_lowercase();
            if columns.insert(field, at).is_some() {
                return Err(broken());
            }
        }
        let line = |row: usize| lines.get(row).copied().unwrap_or(1);
        let rows: Vec<(usize, &[Value])> = match name {
            "caseid" => vec![(line(0), data.as_slice())],
            _ => {
                let rows = data.iter().enumerate();
                let row = |(k, row): (usize, &'a Value)| Ok((line(k), row.as_array().ok_or_else(broken)?.as_slice()));
                rows.map(row).collect::<Result<_>>()?
            }
        };
        let odd = |(_, row): &&(usize, &[Value])| {
            row.len() != fields.len() || row.iter().any(|value| value.is_array() || value.is_object())
        };
        if let Some((line, row)) = rows.iter().find(odd) {
            let (values, fields) = (row.len(), fields.len());
            let message = message!("rawx.row", line = *line, table = name, values = values, fields = fields);
            return Err(EngineError::new("INPUT.PARSE", message));
        }
        Ok(Some(Self { name, columns, rows }))
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|row| Row { table: self, row })
    }

    /// Rows by the field of a column.
    fn by(&self, column: &str) -> BTreeMap<String, Vec<Row<'_>>> {
        let mut out: BTreeMap<String, Vec<Row<'_>>> = BTreeMap::new();
        for row in self.rows() {
            out.entry(row.cell(column)).or_default().push(row);
        }
        out
    }

    fn write(&self, record: &[String], out: &mut Raw) {
        for row in self.rows() {
            // Two windings have no third one, whose line would be a record of its own.
            let is_short = self.name == "transformer" && row.number("kbus") == 0.0;
            let count = if is_short { 4 } else { record.len() };
            for columns in &record[..count] {
                out.push(&row.cells(columns).join(","), row.line());
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Row<'a> {
    table: &'a Table<'a>,
    row: &'a (usize, &'a [Value]),
}

impl Row<'_> {
    fn line(&self) -> usize {
        self.row.0
    }

    fn value(&self, column: &str) -> Option<&Value> {
        self.row.1.get(*self.table.columns.get(column)?)
    }

    /// The field of RAW for a column; empty, which is the default, for an absent column and `null`.
    fn cell(&self, column: &str) -> String {
        match self.value(column) {
            None if column == "!" => "0".into(),
            Some(Value::String(text)) => quoted(&on_one_line(text)),
            Some(Value::Number(number)) => number.to_string(),
            Some(Value::Bool(flag)) => flag.to_string(),
            _ => String::new(),
        }
    }

    fn text(&self, column: &str) -> String {
        match self.value(column) {
            Some(Value::String(text)) => on_one_line(text),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        }
    }

    fn number(&self, column: &str) -> f64 {
        self.text(column).trim().parse().unwrap_or(0.0)
    }

    fn cells(&self, columns: &str) -> Vec<String> {
        columns.split_whitespace().map(|column| self.cell(column)).collect()
    }
}

fn on_one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

/// Rows of one table number, which RAW writes as one record that ends with a point of zeros.
fn correction_tables(table: &Table<'_>, out: &mut Raw) -> Result<()> {
    let zero = |row: &Row<'_>| {
        ["tap", "refact", "imfact"]
            .iter()
            .all(|column| row.number(column) == 0.0)
    };
    if let Some(row) = table.rows().find(zero) {
        let message = message!("rawx.zero_point", line = row.line());
        return Err(EngineError::new("INPUT.PARSE", message));
    }
    for (number, points) in table.by("itable") {
        for (k, row) in points.iter().enumerate() {
            let lead = if k == 0 { format!("{number},") } else { String::new() };
            let point = row.cells("tap refact imfact").join(",");
            out.push(&format!("{lead}{point},"), row.line());
        }
        out.push("0.0,0.0,0.0", points.last().map_or(0, Row::line));
    }
    Ok(())
}

/// The records of substations, each with its nodes, switching devices and terminals.
fn substations(
    table: &Table<'_>,
    network: &Map<String, Value>,
    lines: &HashMap<String, Vec<usize>>,
    out: &mut Raw,
) -> Result<()> {
    let mut parts = Vec::new();
    for (name, columns, title) in PARTS {
        let table = Table::read(network, name, lines.get(name).map_or(&[], Vec::as_slice))?;
        parts.push((table, columns, title));
    }
    let parts: Vec<_> = parts
        .iter()
        .map(|(table, columns, title)| (table.as_ref().map(|table| table.by("isub")), columns, title))
        .collect();
    for substation in table.rows() {
        out.push(
            &substation.cells("isub name lati long srg").join(","),
            substation.line(),
        );
        let number = substation.cell("isub");
        for (part, columns, title) in &parts {
            let rows = part.as_ref().and_then(|part| part.get(&number));
            for row in rows.into_iter().flatten() {
                let mut cells = row.cells(columns);
                if **columns == TERMINALS {
                    // Only branches have a second bus, and only transformers of three windings a third.
                    let others = match row.text("type").trim() {
                        "B" | "2" => 1,
                        "3" => 2,
                        _ => 0,
                    };
                    cells.drain(3 + others..5);
                }
                out.push(&cells.join(","), row.line());
            }
            out.push(&format!("0 / END OF SUBSTATION {title} DATA"), substation.line());
        }
    }
    Ok(())
}

/// The line on which each row of each table begins, and those of the parameters `caseid`.
fn lines_of_rows(text: &str) -> HashMap<String, Vec<usize>> {
    let mut out: HashMap<String, Vec<usize>> = HashMap::new();
    // The name under which each open list or object stands.
    let mut open: Vec<&str> = Vec::new();
    let (mut line, mut quote, mut escaped, mut name) = (1, None, false, "");
    for (at, byte) in text.bytes().enumerate() {
        line += usize::from(byte == b'\n');
        if let Some(from) = quote {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => (quote, name) = (None, &text[from..at]),
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => quote = Some(at + 1),
            b'{' | b'[' => {
                if let ["", "network", table, "data"] = open[..] {
                    out.entry(table.to_string()).or_default().push(line);
                } else if let (["", "network", "caseid"], "data") = (&open[..], name) {
                    out.entry("caseid".to_string()).or_default().push(line);
                }
                open.push(name);
                name = "";
            }
            b'}' | b']' => {
                open.pop();
                name = "";
            }
            b',' => name = "",
            _ => {}
        }
    }
    out
}
