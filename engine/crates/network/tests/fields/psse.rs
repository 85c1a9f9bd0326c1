//! PSS/E RAW files of revisions 30, 33 and 35 with every section. A line `@! KIND COLUMN ...` heads the records below it; several of
//! them head the lines of one record.

use std::collections::HashMap;

use crate::fields::{changes, check, is_changeable, offset, outcome, Field, WithoutEffect};

const RAW_30: &str = include_str!("raw_30.txt");
const RAW_33: &str = include_str!("raw_33.txt");
const RAW_35: &str = include_str!("raw_35.txt");

/// Numeric fields below their headings.
fn raw_fields(text: &str) -> Vec<Field> {
    let mut out = Vec::new();
    let mut heads: Vec<Vec<&str>> = Vec::new();
    let mut below = false;
    let mut count: HashMap<&str, usize> = HashMap::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("@! ") {
            if below {
                heads.clear();
            }
            below = false;
            heads.push(heading.split_whitespace().collect());
            continue;
        }
        let is_record = !line.starts_with("0 /") && line != "Q" && line.contains(',');
        let Some((kind, columns)) = heads.first().and_then(|head| head.split_first()).filter(|_| is_record) else {
            below |= !heads.is_empty();
            continue;
        };
        below = true;
        let record = count.entry(kind).or_default();
        *record += 1;
        let code = line.split(" /").next().unwrap_or(line);
        for (column, token) in code.split(',').enumerate().filter(|(_, token)| is_changeable(token)) {
            let from = offset(text, token);
            let name = columns.get(column).unwrap_or_else(|| panic!("{kind} {column}: {line}"));
            out.push(Field {
                name: format!("{kind}.{name}"),
                record: record.to_string(),
                span: from..from + token.len(),
            });
        }
        if heads.len() > 1 {
            heads.remove(0);
        }
    }
    out
}

/// In every revision.
const EVERYWHERE: [WithoutEffect<'static>; 75] = [
    ("BUS.OWNER", OWNER),
    ("LOAD.OWNER", OWNER),
    ("GENERATOR.MBASE", DYNAMICS),
    ("GENERATOR.ZR", DYNAMICS),
    ("GENERATOR.ZX", DYNAMICS),
    ("GENERATOR.RT#2", "named: step-up transformer"),
    ("GENERATOR.XT#2", "named: step-up transformer"),
    (
        "GENERATOR.GTAP",
        "the ratio of a step-up transformer, which is named by its impedance",
    ),
    (
        "GENERATOR.RMPCT",
        "the share of a plant among those that regulate one bus; where they differ they are named",
    ),
    ("GENERATOR.O*", OWNER),
    ("GENERATOR.F*", OWNER),
    ("BRANCH.LEN", "the length of a line, whose impedance is in per unit"),
    ("BRANCH.O1", OWNER),
    ("BRANCH.F1", OWNER),
    ("TRANSFORMER.NMETR", METER),
    ("TRANSFORMER.O*", OWNER),
    ("TRANSFORMER.F*", OWNER),
    ("WINDING.RMA", HELD),
    ("WINDING.RMI", HELD),
    ("WINDING.VMA", HELD),
    ("WINDING.VMI", HELD),
    ("WINDING.NTP", HELD),
    ("WINDING.CR", HELD),
    ("WINDING.CX", HELD),
    (
        "SECOND.NOMV",
        "the nominal voltage of the second winding counts where its ratio is in per unit of it (CW 3)",
    ),
    ("WINDING3.RMA", HELD),
    ("WINDING3.RMI", HELD),
    ("WINDING3.VMA", HELD),
    ("WINDING3.VMI", HELD),
    ("WINDING3.NTP", HELD),
    ("WINDING3.CR", HELD),
    ("WINDING3.CX", HELD),
    ("AREA.PTOL", SCHEDULE),
    ("DC.R*", OFF),
    ("DC.SETVL", OFF),
    ("DC.V*", OFF),
    ("DC.D*", OFF),
    ("DC.CCC*", OFF),
    ("CONVERTER.*", OFF),
    ("VSC.RDC", OFF),
    ("VSC.O1", OWNER),
    ("VSC.F1", OWNER),
    ("VSC-CONVERTER.*", OFF),
    ("MULTI-TERMINAL.N*", OFF),
    ("MULTI-TERMINAL.VCON*", OFF),
    ("MULTI-TERMINAL.VCMOD", OFF),
    (
        "MULTI-SECTION.*",
        "groups lines that are in the file as lines between buses that are in it",
    ),
    ("ZONE.I", NAMES),
    ("OWNER.I", NAMES),
    ("FACTS.PDES", OFF),
    ("FACTS.QDES", OFF),
    ("FACTS.VSET", OFF),
    ("FACTS.SHMX", OFF),
    ("FACTS.TRMX", OFF),
    ("FACTS.VT*", OFF),
    ("FACTS.VSMX", OFF),
    ("FACTS.IMX", OFF),
    ("FACTS.LINX", OFF),
    ("FACTS.RMPCT", OFF),
    ("FACTS.OWNER", OFF),
    ("FACTS.SET*", OFF),
    ("FACTS.VSREF", OFF),
    ("SWITCHED-SHUNT.VSW*", HELD),
    ("SWITCHED-SHUNT.RMPCT", HELD),
    ("SWITCHED-SHUNT.N1", HELD),
    ("SWITCHED-SHUNT.N2", HELD),
    ("SWITCHED-SHUNT.B1", HELD),
    ("SWITCHED-SHUNT.B2", HELD),
    ("GENERATOR.QT#3", "limits follow from the power factor (WMOD 2)"),
    ("GENERATOR.QB#3", "limits follow from the power factor (WMOD 2)"),
    (
        "GENERATOR.QG#4",
        "reactive power follows from the power factor (WMOD 3)",
    ),
    (
        "GENERATOR.QT#4",
        "reactive power follows from the power factor (WMOD 3)",
    ),
    (
        "GENERATOR.QB#4",
        "reactive power follows from the power factor (WMOD 3)",
    ),
    ("GENERATOR.WPF#1", "the machine is no renewable one (WMOD 0)"),
    ("GENERATOR.WPF#2", "the machine is no renewable one (WMOD 0)"),
];
const SINCE_33: [WithoutEffect<'static>; 23] = [
    ("HEADER.XFRRAT", "ratings as currents are those at 1 pu"),
    ("HEADER.NXFRAT", "ratings as currents are those at 1 pu"),
    ("HEADER.BASFRQ", "impedances are those at the frequency of the file"),
    ("BUS.EVHI", "a limit for emergencies; limits are NVHI and NVLO"),
    ("BUS.EVLO", "a limit for emergencies; limits are NVHI and NVLO"),
    ("LOAD.SCALE", "whether PSS/E scales the load together with others"),
    (
        "LOAD.INTRPT",
        "whether the load may be interrupted, in programs that shed load",
    ),
    ("BRANCH.MET", METER),
    ("WINDING.CNXA", HELD),
    ("WINDING3.CNXA", HELD),
    ("INDUCTION-MACHINE.I", OFF),
    ("INDUCTION-MACHINE.SC", OFF),
    ("INDUCTION-MACHINE.DC", OFF),
    ("INDUCTION-MACHINE.AREA", OFF),
    ("INDUCTION-MACHINE.ZONE", OFF),
    ("INDUCTION-MACHINE.OWNER", OFF),
    ("INDUCTION-MACHINE.TC", OFF),
    ("INDUCTION-MACHINE.BC", OFF),
    ("INDUCTION-MACHINE.MBASE", OFF),
    ("INDUCTION-MACHINE.RATEKV", OFF),
    ("INDUCTION-MACHINE.PC", OFF),
    ("INDUCTION-MACHINE.PSET", OFF),
    ("SWITCHED-SHUNT.ADJM", HELD),
];
const SINCE_35: [WithoutEffect<'static>; 10] = [
    ("RATING-SET.NUMBER", NAMES),
    ("SWITCHING-DEVICE.NSTAT", "the status that the device has normally"),
    ("SWITCHING-DEVICE.MET", METER),
    ("SWITCHING-DEVICE.STYPE", "a breaker or a disconnector"),
    (
        "TRANSFORMER.ZCOD#1",
        "which impedance a table corrects, of three windings",
    ),
    ("SUBSTATION.SRG", "the resistance of its grounding"),
    ("NODE.VM", "result of a solution"),
    ("NODE.VA", "result of a solution"),
    ("NODE-SWITCH.TYPE", "a breaker or a disconnector"),
    ("NODE-SWITCH.NSTAT", "the status that the device has normally"),
];

const OWNER: &str = "who owns equipment, and which part of it";
const DYNAMICS: &str = "for short circuits and dynamics: a power flow states powers in MW and Mvar";
const RATING: &str = "another set of ratings; limits are the first one";
const METER: &str = "where a tie line is metered";
const HELD: &str = "the range and the target of a control that is held, which is named";
const SCHEDULE: &str = "the tolerance of a scheduled interchange, which is named";
const OFF: &str = "the equipment is out of service, and refused by name where it is in service";
const NAMES: &str = "the number that a name belongs to";

fn check_all(text: &str, lists: &[&[WithoutEffect<'_>]]) {
    check("psse", text, &raw_fields(text), &lists.concat());
}

#[test]
fn no_field_of_revision_30_is_lost_without_a_word() {
    check_all(RAW_30, &[&EVERYWHERE]);
}

#[test]
fn no_field_of_revision_33_is_lost_without_a_word() {
    check_all(RAW_33, &[&EVERYWHERE, &SINCE_33]);
}

#[test]
fn no_field_of_revision_35_is_lost_without_a_word() {
    let kinds = ["BRANCH", "SWITCHING-DEVICE", "WINDING", "WINDING3"];
    let names = kinds
        .iter()
        .flat_map(|kind| (4..=12).map(move |set| format!("{kind}.RATE{set}")));
    let names: Vec<String> = names.collect();
    let ratings: Vec<WithoutEffect<'_>> = names.iter().map(|name| (&name[..], RATING)).collect();
    check_all(RAW_35, &[&EVERYWHERE, &SINCE_33, &SINCE_35, &ratings]);
}

/// The table of RAWX for a kind of records, with the replacement of `I`, of `ID` and of `NAME`.
fn rawx_table(kind: &str) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match kind {
        "HEADER" => ("caseid", "", ""),
        "BUS" => ("bus", "ibus", ""),
        "LOAD" => ("load", "ibus", "loadid"),
        "FIXED-SHUNT" => ("fixshunt", "ibus", "shntid"),
        "GENERATOR" => ("generator", "ibus", "machid"),
        "BRANCH" => ("acline", "ibus", ""),
        "SWITCHING-DEVICE" => ("sysswd", "ibus", ""),
        "TRANSFORMER" | "IMPEDANCES" | "IMPEDANCES3" | "WINDING" | "WINDING3" | "SECOND" => ("transformer", "ibus", ""),
        "AREA" => ("area", "iarea", ""),
        "DC" | "CONVERTER" => ("twotermdc", "", "id"),
        "VSC" | "VSC-CONVERTER" => ("vscdc", "ibus", ""),
        "TABLE" => ("impcor", "itable", ""),
        "MULTI-TERMINAL" => ("ntermdc", "", ""),
        "MULTI-SECTION" => ("msline", "ibus", "mslid"),
        "ZONE" => ("zone", "izone", ""),
        "TRANSFER" => ("iatrans", "", ""),
        "OWNER" => ("owner", "iowner", ""),
        "FACTS" => ("facts", "ibus", ""),
        "SWITCHED-SHUNT" => ("swshunt", "ibus", "shntid"),
        "INDUCTION-MACHINE" => ("indmach", "ibus", "imid"),
        "SUBSTATION" => ("sub", "", ""),
        "NODE" => ("subnode", "ibus", ""),
        "NODE-SWITCH" => ("subswd", "", ""),
        "TERMINAL" => ("subterm", "ibus", ""),
        _ => return None,
    })
}

/// The name in RAWX of a column in RAW; `line` counts the lines of the record.
fn rawx_column(kind: &str, column: &str, line: usize) -> String {
    let (_, bus, id) = rawx_table(kind).expect("a table");
    let suffix = match kind {
        "WINDING" | "WINDING3" | "SECOND" => ["1", "2", "3"][line - 2],
        "CONVERTER" => ["r", "i"][line - 1],
        "VSC-CONVERTER" => ["1", "2"][line - 1],
        _ => "",
    };
    let name = match (kind, column) {
        (_, "I") => bus,
        (_, "J") => "jbus",
        (_, "K") => "kbus",
        (_, "ID") => id,
        (_, "STATUS") => "stat",
        ("TRANSFORMER", "NMETR") => "nmet",
        ("DC", "METER") => "met",
        ("AREA", "NAME") => "arname",
        ("SUBSTATION", "IS") => "isub",
        ("NODE" | "NODE-SWITCH" | "TERMINAL", "NI") => "inode",
        ("NODE-SWITCH", "NJ") => "jnode",
        ("NODE-SWITCH", "CKT") => "swdid",
        ("BRANCH", "R" | "X" | "B") | ("SWITCHING-DEVICE" | "NODE-SWITCH", "X") => {
            return format!("{}pu", column.to_lowercase());
        }
        ("WINDING" | "WINDING3", column) if column.starts_with("RATE") => {
            return format!("wdg{suffix}{}", column.to_lowercase());
        }
        (_, column) => return format!("{}{suffix}", column.to_lowercase().replace('-', "_")),
    };
    format!("{name}{suffix}")
}

/// A file with headings as RAWX, by the names of the columns.
fn rawx_of(text: &str) -> String {
    use serde_json::{json, Map, Value};
    let mut tables: std::collections::BTreeMap<&str, Vec<Map<String, Value>>> = std::collections::BTreeMap::new();
    let mut heads: Vec<Vec<&str>> = Vec::new();
    let (mut at, mut substation) = (0, Value::Null);
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("@! ") {
            if at >= heads.len() {
                heads.clear();
            }
            heads.push(heading.split_whitespace().collect());
            at = if heads.len() == 1 { 0 } else { at };
            continue;
        }
        let is_record = !line.starts_with("0 /") && line.contains(',');
        let Some(head) = heads.get(at.min(heads.len().saturating_sub(1))).filter(|_| is_record) else {
            continue;
        };
        let (kind, columns) = (head[0], &head[1..]);
        let continues = matches!(
            kind,
            "IMPEDANCES" | "IMPEDANCES3" | "WINDING" | "WINDING3" | "SECOND" | "CONVERTER" | "VSC-CONVERTER"
        );
        let position = if continues { at } else { 0 };
        at += 1;
        let Some((table, ..)) = rawx_table(kind) else { continue };
        let values: Vec<Value> = line
            .split(" /")
            .next()
            .unwrap_or(line)
            .split(',')
            .map(|token| match token.trim().parse::<f64>() {
                Ok(_) => serde_json::from_str(token.trim()).expect("a number"),
                Err(_) => json!(token.trim_matches('\'')),
            })
            .collect();
        let rows = tables.entry(table).or_default();
        if kind == "TABLE" {
            for point in values[1..values.len() - 3].chunks(3) {
                let row = json!({"itable": values[0], "tap": point[0], "refact": point[1], "imfact": point[2]});
                rows.push(row.as_object().expect("a row").clone());
            }
            continue;
        }
        if !continues {
            rows.push(Map::new());
        }
        let row = rows.last_mut().expect("a record");
        match (kind, values.len()) {
            ("SUBSTATION", _) => substation = values[0].clone(),
            ("NODE" | "NODE-SWITCH" | "TERMINAL", _) => drop(row.insert("isub".into(), substation.clone())),
            _ => {}
        }
        for (k, value) in values.iter().enumerate() {
            let name = match (kind, k + 1 == values.len()) {
                ("TERMINAL", true) => "eqid".to_string(),
                _ => rawx_column(kind, columns[k], position),
            };
            row.insert(name, value.clone());
        }
    }
    let titles = text.lines().skip_while(|line| line.starts_with('@')).skip(1);
    for (title, name) in titles.zip(["title1", "title2"]) {
        tables.entry("caseid").or_default()[0].insert(name.into(), json!(title));
    }
    let mut network = Map::new();
    for (table, rows) in tables {
        let mut fields: Vec<&String> = rows.iter().flat_map(Map::keys).collect();
        fields.sort();
        fields.dedup();
        let of = |row: &Map<String, Value>| -> Vec<Value> {
            fields
                .iter()
                .map(|field| row.get(*field).cloned().unwrap_or(Value::Null))
                .collect()
        };
        let data: Vec<Value> = match table {
            "caseid" => of(&rows[0]),
            _ => rows.iter().map(|row| json!(of(row))).collect(),
        };
        network.insert(table.into(), json!({"fields": fields, "data": data}));
    }
    json!({ "network": network }).to_string()
}

/// The columns of RAWX stand in any order, and each is read as that of RAW: after any change of a field both files give the same
/// network and the same warnings, or are refused with the same code.
#[test]
fn every_field_of_rawx_is_read_as_in_raw() {
    let mut differ = Vec::new();
    let mut compare = |what: String, raw: &str| {
        let [raw, rawx] = [outcome("psse", raw), outcome("psse-rawx", &rawx_of(raw))];
        let equal = match (&raw, &rawx) {
            (Err(raw), Err(rawx)) => raw.0 == rawx.0,
            (raw, rawx) => raw == rawx,
        };
        if !equal {
            let brief = |side: Result<String, (&'static str, String)>| side.map(|text| text.len());
            differ.push(format!("{what}: RAW {:?}, RAWX {:?}", brief(raw), brief(rawx)));
        }
    };
    compare("unchanged".into(), RAW_35);
    outcome("psse-rawx", &rawx_of(RAW_35)).expect("a case");
    // Of these the number of lines of a record in RAW depends, or the end of the record.
    let structure = [
        "TRANSFORMER.K",
        "MULTI-TERMINAL.N",
        "TABLE.",
        "RATING-SET.",
        "HEADER.REV",
    ];
    let fields = raw_fields(RAW_35);
    for field in fields
        .iter()
        .filter(|field| !structure.iter().any(|name| field.name.starts_with(name)))
    {
        for value in changes(&RAW_35[field.span.clone()]).into_iter().take(2) {
            let changed = format!("{}{value}{}", &RAW_35[..field.span.start], &RAW_35[field.span.end..]);
            compare(format!("{} = {value}", field.name), &changed);
        }
    }
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ.join("\n"));
}
