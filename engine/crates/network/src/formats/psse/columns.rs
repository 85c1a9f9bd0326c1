//! The columns of each record by revision, with their defaults, according to the "Program Operation Manual" of PSS/E 29
//! to 36 and files of these revisions in circulation.
//!
//! Every record is rewritten to the columns of revision 35 with each field stated, so that the reader's defaults and
//! its detection of revisions have no effect.

use std::borrow::Cow;
use std::rc::Rc;

use super::sections::Line;
use crate::error::{EngineError, Result};
use crate::input::psse_fields::{bus_fields, fields, finite, is_unclosed, quoted, unquoted};
use crate::message;

/// The columns of revision 35 in their order: `NAME'` is a text, `X!` has no default, and every other column has the
/// default after its `=`. `SBASE` is the base power of the case; an empty default depends on another field.
const COLUMNS: [(&str, &str); 17] = [
    (
        "BUS",
        "I! NAME' BASKV=0 IDE=1 AREA=1 ZONE=1 OWNER=1 VM=1 VA=0 NVHI=1.1 NVLO=0.9 EVHI=1.1 EVLO=0.9",
    ),
    (
        "LOAD",
        "I! ID' STATUS=1 AREA=0 ZONE=0 PL=0 QL=0 IP=0 IQ=0 YP=0 YQ=0 OWNER=1 SCALE=1 INTRPT=0 DGENP=0 DGENQ=0 DGENM=0 LOADTYPE'",
    ),
    ("FIXED SHUNT", "I! ID' STATUS=1 GL=0 BL=0"),
    (
        "GENERATOR",
        "I! ID' PG=0 QG=0 QT=9999 QB=-9999 VS=1 IREG=0 NREG=0 MBASE=SBASE ZR=0 ZX=1 RT=0 XT=0 GTAP=1 STAT=1 RMPCT=100 PT=9999 \
         PB=-9999 BASLOD=0 O1=1 F1=1 O2=0 F2=1 O3=0 F3=1 O4=0 F4=1 WMOD=0 WPF=1",
    ),
    (
        "BRANCH",
        "I! J! CKT' R=0 X! B=0 NAME' RATE1=0 RATE2=0 RATE3=0 RATE4=0 RATE5=0 RATE6=0 RATE7=0 RATE8=0 RATE9=0 RATE10=0 RATE11=0 \
         RATE12=0 GI=0 BI=0 GJ=0 BJ=0 STAT=1 MET=1 LEN=0 O1=1 F1=1 O2=0 F2=1 O3=0 F3=1 O4=0 F4=1",
    ),
    (
        "SYSTEM SWITCHING DEVICE",
        "I! J! CKT' X=0.0001 RATE1=0 RATE2=0 RATE3=0 RATE4=0 RATE5=0 RATE6=0 RATE7=0 RATE8=0 RATE9=0 RATE10=0 RATE11=0 RATE12=0 \
         STAT=1 NSTAT=1 MET=1 STYPE=1 NAME'",
    ),
    (
        "TRANSFORMER",
        "I! J! K=0 CKT' CW=1 CZ=1 CM=1 MAG1=0 MAG2=0 NMETR=2 NAME' STAT=1 O1=1 F1=1 O2=0 F2=1 O3=0 F3=1 O4=0 F4=1 VECGRP' ZCOD=0",
    ),
    ("IMPEDANCES OF TWO WINDINGS", "R1-2=0 X1-2! SBASE1-2=SBASE"),
    (
        "IMPEDANCES",
        "R1-2=0 X1-2! SBASE1-2=SBASE R2-3=0 X2-3! SBASE2-3=SBASE R3-1=0 X3-1! SBASE3-1=SBASE VMSTAR=1 ANSTAR=0",
    ),
    (
        "WINDING",
        "WINDV= NOMV=0 ANG=0 RATE1=0 RATE2=0 RATE3=0 RATE4=0 RATE5=0 RATE6=0 RATE7=0 RATE8=0 RATE9=0 RATE10=0 RATE11=0 RATE12=0 \
         COD=0 CONT=0 NODE=0 RMA=1.1 RMI=0.9 VMA=1.1 VMI=0.9 NTP=33 TAB=0 CR=0 CX=0 CNXA=0",
    ),
    ("SECOND OF TWO WINDINGS", "WINDV= NOMV=0"),
    ("AREA", "I! ISW=0 PDES=0 PTOL=10 ARNAME'"),
    (
        "TWO-TERMINAL DC",
        "NAME' MDC=0 RDC=0 SETVL=0 VSCHD=0 VCMOD=0 RCOMP=0 DELTI=0 METER' DCVMIN=0 CCCITMX=20 CCCACC=1",
    ),
    (
        "CONVERTER",
        "I! NB=0 ANMX=0 ANMN=0 RC=0 XC=0 EBAS=0 TR=1 TAP=1 TMX=1.5 TMN=0.51 STP=0.00625 IC=0 ND=0 IF=0 IT=0 ID' XCAP=0",
    ),
    (
        "VSC DC LINE",
        "NAME' MDC=1 RDC=0 O1=1 F1=1 O2=0 F2=1 O3=0 F3=1 O4=0 F4=1",
    ),
    (
        "VSC CONVERTER",
        "I! TYPE=0 MODE=1 DCSET=0 ACSET=1 ALOSS=0 BLOSS=0 MINLOSS=0 SMAX=0 IMAX=0 PWF=1 MAXQ=9999 MINQ=-9999 VSREG=0 NREG=0 RMPCT=100",
    ),
    (
        "FACTS DEVICE",
        "NAME' I! J=0 MODE=1 PDES=0 QDES=0 VSET=1 SHMX=9999 TRMX=9999 VTMN=0.9 VTMX=1.1 VSMX=1 IMX=0 LINX=0.05 RMPCT=100 OWNER=1 \
         SET1=0 SET2=0 VSREF=0 FCREG=0 NREG=0 MNAME'",
    ),
];

/// The columns of switched shunts, followed by the steps: a status, a number and a susceptance each.
const SWITCHED_SHUNT: &str = "I! ID' MODSW=1 ADJM=0 STAT=1 VSWHI=1 VSWLO=1 SWREG=0 NREG=0 RMPCT=100 RMIDNT' BINIT=0";

/// Columns of other revisions, if they differ; the first entry of a section for a revision applies.
const ELSEWHERE: [(&str, std::ops::RangeInclusive<u32>, &str); 14] = [
    ("BUS", 0..=30, "I NAME BASKV IDE GL BL AREA ZONE VM VA OWNER"),
    (
        "GENERATOR",
        0..=34,
        "I ID PG QG QT QB VS IREG MBASE ZR ZX RT XT GTAP STAT RMPCT PT PB O1 F1 O2 F2 O3 F3 O4 F4 WMOD WPF NREG",
    ),
    // The sign of J is the metered end.
    (
        "BRANCH",
        0..=31,
        "I J CKT R X B RATE1 RATE2 RATE3 GI BI GJ BJ STAT LEN O1 F1 O2 F2 O3 F3 O4 F4",
    ),
    ("BRANCH", 32..=33, BRANCH_33),
    (
        "BRANCH",
        36..=36,
        "I J CKT R X B NAME RATE1 RATE2 RATE3 RATE4 RATE5 RATE6 RATE7 RATE8 RATE9 RATE10 RATE11 RATE12 GI BI GJ BJ STAT NSTAT MET \
         LEN O1 F1 O2 F2 O3 F3 O4 F4",
    ),
    (
        "SYSTEM SWITCHING DEVICE",
        36..=36,
        "I J CKT X RSETNAM STAT NSTAT MET STYPE NAME",
    ),
    (
        "WINDING",
        0..=33,
        "WINDV NOMV ANG RATE1 RATE2 RATE3 COD CONT RMA RMI VMA VMI NTP TAB CR CX CNXA",
    ),
    (
        "WINDING",
        34..=34,
        "WINDV NOMV ANG RATE1 RATE2 RATE3 RATE4 RATE5 RATE6 RATE7 RATE8 RATE9 RATE10 RATE11 RATE12 COD CONT RMA RMI VMA VMI NTP \
         TAB CR CX CNXA NODE",
    ),
    (
        "CONVERTER",
        0..=34,
        "I NB ANMX ANMN RC XC EBAS TR TAP TMX TMN STP IC IF IT ID XCAP ND",
    ),
    (
        "VSC CONVERTER",
        0..=34,
        "I TYPE MODE DCSET ACSET ALOSS BLOSS MINLOSS SMAX IMAX PWF MAXQ MINQ VSREG RMPCT NREG",
    ),
    (
        "FACTS DEVICE",
        0..=34,
        "NAME I J MODE PDES QDES VSET SHMX TRMX VTMN VTMX VSMX IMX LINX RMPCT OWNER SET1 SET2 VSREF FCREG MNAME NREG",
    ),
    // ADJM and STAT came with the fixed shunts, in revision 31.
    ("SWITCHED SHUNT", 0..=30, SHUNT_30),
    (
        "SWITCHED SHUNT",
        31..=34,
        "I MODSW ADJM STAT VSWHI VSWLO SWREG RMPCT RMIDNT BINIT",
    ),
    (
        "SWITCHED SHUNT",
        36..=36,
        "I ID MODSW ADJM STAT VSWHI VSWLO SWREG NREG RMPCT RMIDNT BINIT NAME",
    ),
];
const BRANCH_33: &str = "I J CKT R X B RATE1 RATE2 RATE3 GI BI GJ BJ STAT MET LEN O1 F1 O2 F2 O3 F3 O4 F4";
const SHUNT_30: &str = "I MODSW VSWHI VSWLO SWREG RMPCT RMIDNT BINIT";

/// The positions of the fields of a line, for one section and one set of columns.
pub(super) struct Layout {
    columns: Vec<Column>,
    /// The field of each column; `None` if the line has no such field.
    fields: Vec<Option<usize>>,
    /// Number of fields before the steps of a switched shunt.
    behind: usize,
}

/// Layouts of the lines so far.
#[derive(Default)]
pub(super) struct Layouts(Vec<(&'static str, Option<&'static str>, Rc<Layout>)>);

impl Layouts {
    fn of(&mut self, section: &str, source: Option<&'static str>) -> Rc<Layout> {
        let columns = columns_of(section);
        let known = |(own, from, _): &&(&str, Option<&str>, Rc<Layout>)| *own == columns && *from == source;
        if let Some((.., layout)) = self.0.iter().find(known) {
            return layout.clone();
        }
        let parsed: Vec<Column> = columns.split_whitespace().map(Column::of).collect();
        let names: Vec<&str> = match source {
            None => parsed.iter().map(|column| column.name).collect(),
            Some(names) => names.split_whitespace().collect(),
        };
        let layout = Rc::new(Layout {
            fields: parsed
                .iter()
                .map(|column| names.iter().position(|name| *name == column.name))
                .collect(),
            columns: parsed,
            behind: names.len(),
        });
        self.0.push((columns, source, layout.clone()));
        layout
    }
}

/// One line of a record in the columns of revision 35, each field stated.
#[derive(Clone)]
pub(super) struct Record<'a> {
    /// Its number in the file.
    pub line: usize,
    layout: Rc<Layout>,
    /// Numbers unchanged, texts without quotes.
    cells: Vec<Cow<'a, str>>,
    /// The steps of a switched shunt, unchanged.
    steps: Vec<String>,
    /// False for a machine with a fixed reactive power.
    pub regulates: bool,
}

/// The context that determines the meaning of a line.
pub(super) struct Setting<'a> {
    pub revision: u32,
    /// Base power as in the header.
    pub base: &'a str,
    pub layouts: Layouts,
}

impl<'a> Record<'a> {
    /// Splits a line into fields. `section` is one of [`COLUMNS`].
    ///
    /// # Errors
    /// `INPUT.PARSE` for a text in place of a number, an unclosed quote, and a missing field without a default.
    pub fn read(section: &str, line: Line<'a>, setting: &mut Setting<'_>) -> Result<Self> {
        let f = match section {
            "BUS" => bus_fields(line.text),
            _ => fields(line.text),
        };
        let revision = setting.revision;
        let layout = setting.layouts.of(section, source(section, revision, &f));
        let mut cells = Vec::with_capacity(layout.columns.len());
        for (column, at) in layout.columns.iter().zip(&layout.fields) {
            let field = at.and_then(|at| f.get(at).copied()).unwrap_or("");
            cells.push(column.cell(field, line.number, setting.base)?);
        }
        let steps = match section {
            "SWITCHED SHUNT" => steps(f.get(layout.behind..).unwrap_or_default(), line.number, revision)?,
            _ => Vec::new(),
        };
        let mut record = Self {
            line: line.number,
            layout,
            cells,
            steps,
            regulates: true,
        };
        match (section, revision) {
            // NREG of revision 34 comes after eight steps.
            ("SWITCHED SHUNT", 34) => {
                if let Some(node) = f.get(26).and_then(|node| finite(node)) {
                    record.set("NREG", node.into_owned());
                }
            }
            ("BRANCH", 0..=31) => {
                let to = record.text("J").trim_start_matches('-').to_string();
                record.set("J", to);
            }
            _ => {}
        }
        Ok(record)
    }

    fn at(&self, name: &str) -> Option<usize> {
        self.layout.columns.iter().position(|column| column.name == name)
    }

    /// A field, with texts unquoted.
    pub fn text(&self, name: &str) -> &str {
        self.at(name).and_then(|at| self.cells.get(at)).map_or("", |cell| cell)
    }

    /// A line of defaults only.
    pub fn blank(section: &str, line: Line<'a>, setting: &mut Setting<'_>) -> Self {
        let layout = setting.layouts.of(section, None);
        let defaults = layout.columns.iter().map(|column| match column.default {
            Some("SBASE") => Cow::Owned(setting.base.to_string()),
            default => Cow::Borrowed(default.unwrap_or("")),
        });
        Self {
            line: line.number,
            cells: defaults.collect(),
            layout,
            steps: Vec::new(),
            regulates: true,
        }
    }

    /// A field with a bus number or a code.
    pub fn whole(&self, name: &str) -> i64 {
        self.number(name) as i64
    }

    /// # Errors
    /// `INPUT.PARSE` for a code that PSS/E does not have.
    pub fn refuse_unless(&self, name: &str, codes: std::ops::RangeInclusive<i64>) -> Result<()> {
        let code = self.number(name);
        if code.fract() == 0.0 && codes.contains(&(code as i64)) {
            return Ok(());
        }
        let message = message!("psse.code", line = self.line, field = name, value = self.text(name));
        Err(EngineError::new("INPUT.PARSE", message))
    }

    /// A field as a number; 0 if it is empty.
    pub fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or(0.0)
    }

    pub fn set(&mut self, name: &str, value: String) {
        if let Some(cell) = self.at(name).and_then(|at| self.cells.get_mut(at)) {
            *cell = Cow::Owned(value);
        }
    }

    /// The line for the reader.
    pub fn written(&self) -> String {
        let cell = |(column, cell): (&Column, &Cow<'_, str>)| match column.is_text {
            true => quoted(cell),
            false => cell.to_string(),
        };
        let mut cells: Vec<String> = self.layout.columns.iter().zip(&self.cells).map(cell).collect();
        cells.extend(self.steps.iter().cloned());
        cells.join(",")
    }
}

fn columns_of(section: &str) -> &'static str {
    let found = COLUMNS.iter().find(|(name, _)| *name == section);
    found.map_or(SWITCHED_SHUNT, |(_, columns)| columns)
}

/// The columns of a line, if they are not those of revision 35.
fn source(section: &str, revision: u32, f: &[&str]) -> Option<&'static str> {
    let is_text = |at: usize| f.get(at).is_some_and(|field| field.starts_with(['\'', '"']));
    let is_number = |at: usize| f.get(at).is_some_and(|field| !field.is_empty() && !is_text(at));
    // Some files of revision 34 and later have lines of the earlier form, which have no name and end earlier.
    if section == "BRANCH" && revision >= 34 && f.len() < 24 && is_number(6) {
        return Some(BRANCH_33);
    }
    // The third field of revision 31 is a voltage in files of its first writers.
    if section == "SWITCHED SHUNT" && revision == 31 && f.get(2).is_some_and(|field| field.contains('.')) {
        return Some(SHUNT_30);
    }
    // Not every file of revision 36 has the names.
    if section == "SWITCHED SHUNT" && revision == 36 && is_number(12) {
        return None;
    }
    let here = |(name, revisions, _): &&(&str, std::ops::RangeInclusive<u32>, &str)| {
        *name == section && revisions.contains(&revision)
    };
    ELSEWHERE.iter().find(here).map(|(.., columns)| *columns)
}

/// The steps of a switched shunt as triples: status, number and susceptance in Mvar.
fn steps(f: &[&str], line: usize, revision: u32) -> Result<Vec<String>> {
    let width = if revision >= 35 { 3 } else { 2 };
    let mut out = Vec::new();
    for step in f.chunks(width).take(8) {
        if width == 2 {
            out.push("1".to_string());
        }
        for (k, field) in step.iter().enumerate() {
            let default = if width == 3 && k == 0 { "1" } else { "0" };
            out.push(number(field, default, line)?.into_owned());
        }
    }
    Ok(out)
}

struct Column {
    name: &'static str,
    is_text: bool,
    /// `None` for a mandatory field.
    default: Option<&'static str>,
}

impl Column {
    fn of(written: &'static str) -> Self {
        let (name, default) = written.split_once('=').unwrap_or((written, ""));
        Self {
            name: name.trim_end_matches(['\'', '!']),
            is_text: name.ends_with('\''),
            default: (!name.ends_with('!')).then_some(default),
        }
    }

    fn cell<'a>(&self, field: &'a str, line: usize, base: &str) -> Result<Cow<'a, str>> {
        if is_unclosed(field) {
            let message = message!("psse.quote", line = line);
            return Err(EngineError::new("INPUT.PARSE", message));
        }
        if self.is_text {
            return Ok(Cow::Borrowed(unquoted(field)));
        }
        match self.default {
            None if unquoted(field).is_empty() => {
                let message = message!("psse.required", line = line, field = self.name);
                Err(EngineError::new("INPUT.PARSE", message))
            }
            Some("SBASE") if unquoted(field).is_empty() => Ok(Cow::Owned(base.to_string())),
            default => number(field, default.unwrap_or(""), line),
        }
    }
}

/// A number, or the default if the field is empty.
fn number<'a>(field: &'a str, default: &'static str, line: usize) -> Result<Cow<'a, str>> {
    if unquoted(field).is_empty() {
        return Ok(Cow::Borrowed(default));
    }
    finite(field).ok_or_else(|| not_finite(line, field))
}

pub(super) fn not_finite(line: usize, value: &str) -> EngineError {
    let message = message!("psse.not_finite", line = line, value = unquoted(value));
    EngineError::new("INPUT.PARSE", message)
}
