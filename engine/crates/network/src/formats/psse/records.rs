//! The records of a file in the columns of revision 35, and the text from them.

use super::columns::{not_finite, Layouts, Record, Setting};
use super::sections::{order, Line, Sections};
use crate::error::{EngineError, Result};
use crate::input::psse_fields::{fields, finite, number, unquoted};
use crate::message;
use std::collections::BTreeMap;

/// Revision in whose columns records are written.
const WRITTEN: u32 = 35;
/// Sections that the reader transfers to the network.
const READ: [&str; 12] = [
    "BUS",
    "LOAD",
    "FIXED SHUNT",
    "GENERATOR",
    "BRANCH",
    "SYSTEM SWITCHING DEVICE",
    "TRANSFORMER",
    "AREA",
    "TWO-TERMINAL DC",
    "VSC DC LINE",
    "FACTS DEVICE",
    "SWITCHED SHUNT",
];

/// A record with the lines that continue it.
pub(super) struct Entry<'a> {
    pub head: Record<'a>,
    pub more: Vec<Record<'a>>,
}

/// An impedance correction table: ratio in per unit or angle in degrees, and the complex factor.
pub(super) struct Table {
    pub number: i64,
    points: Vec<[f64; 3]>,
}

/// The network data of a file.
#[derive(Default)]
pub(super) struct Records<'a> {
    sections: BTreeMap<&'static str, Vec<Entry<'a>>>,
    pub tables: Vec<Table>,
    /// Number of transformers with code 0.
    pub assumed_codes: usize,
}

impl<'a> Records<'a> {
    /// Splits every record that the reader transfers to the network.
    ///
    /// # Errors
    /// `INPUT.PARSE` naming the line: those of [`Record::read`], records that begin with a comma or end before their
    /// last line, and codes that PSS/E does not have.
    pub fn read(sections: &Sections<'a>, revision: u32, base: &str) -> Result<Self> {
        let layouts = Layouts::default();
        let mut setting = Setting {
            revision,
            base,
            layouts,
        };
        let mut out = Self::default();
        for section in READ {
            let records = sections.records(section);
            let entries = records.map(|lines| entry(section, lines, &mut setting));
            out.sections.insert(section, entries.collect::<Result<_>>()?);
        }
        if revision <= 30 {
            out.shunts_of_buses(sections, &mut setting)?;
        }
        out.rated_switches(sections);
        for lines in sections.records("IMPEDANCE CORRECTION") {
            out.tables.push(table(lines, revision)?);
        }
        out.identify_switched_shunts(revision);
        out.assume_codes();
        out.set_ratios();
        out.refuse_unknown_codes()?;
        Ok(out)
    }

    pub fn of(&self, section: &str) -> &[Entry<'a>] {
        self.sections.get(section).map_or(&[], Vec::as_slice)
    }

    pub fn of_mut(&mut self, section: &str) -> &mut [Entry<'a>] {
        self.sections.get_mut(section).map_or(&mut [], Vec::as_mut_slice)
    }

    /// The entries of a section, to which others may be added.
    pub fn entries(&mut self, section: &'static str) -> &mut Vec<Entry<'a>> {
        self.sections.entry(section).or_default()
    }

    /// Converts shunts in bus records of revisions up to 30 to fixed shunts.
    fn shunts_of_buses(&mut self, sections: &Sections<'a>, setting: &mut Setting<'_>) -> Result<()> {
        let shunts = self.sections.entry("FIXED SHUNT").or_default();
        for line in sections.records("BUS").filter_map(|lines| lines.first()) {
            let f = crate::input::psse_fields::bus_fields(line.text);
            let mut stated = [0.0, 0.0];
            for (value, at) in stated.iter_mut().zip([4, 5]) {
                let field = f.get(at).copied().unwrap_or("");
                if !unquoted(field).is_empty() && finite(field).is_none() {
                    return Err(not_finite(line.number, field));
                }
                *value = number(&f, at, 0.0);
            }
            if stated != [0.0, 0.0] {
                let empty = Line { text: "", ..*line };
                let bus = f.first().map_or("", |bus| unquoted(bus)).to_string();
                let mut shunt = Record::blank("FIXED SHUNT", empty, setting);
                for (name, value) in [("I", bus), ("GL", stated[0].to_string()), ("BL", stated[1].to_string())] {
                    shunt.set(name, value);
                }
                shunts.push(Entry {
                    head: shunt,
                    more: Vec::new(),
                });
            }
        }
        Ok(())
    }

    /// Sets ratings of switching devices in revision 36, which refer to a set of ratings.
    fn rated_switches(&mut self, sections: &Sections<'a>) {
        let mut sets: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for line in sections.of("SWITCHING DEVICE RATING SET") {
            let f = fields(line);
            let ratings = f.iter().skip(2).take(12).map(|f| unquoted(f));
            sets.insert(f.first().map_or("", |f| unquoted(f)), ratings.collect());
        }
        if sets.is_empty() {
            return;
        }
        let devices = sections.of("SYSTEM SWITCHING DEVICE").map(fields);
        let named: Vec<_> = devices
            .map(|f| f.get(4).and_then(|name| sets.get(unquoted(name))))
            .collect();
        for (entry, ratings) in self.of_mut("SYSTEM SWITCHING DEVICE").iter_mut().zip(named) {
            for (k, rating) in ratings.into_iter().flatten().enumerate() {
                if let Some(rating) = finite(rating) {
                    entry.head.set(&format!("RATE{}", k + 1), rating.into_owned());
                }
            }
        }
    }

    /// Assigns identifiers to switched shunts before revision 35, counted by bus.
    fn identify_switched_shunts(&mut self, revision: u32) {
        if revision >= 35 {
            return;
        }
        let mut count: BTreeMap<i64, usize> = BTreeMap::new();
        for entry in self.of_mut("SWITCHED SHUNT") {
            let count = count.entry(entry.head.whole("I")).or_default();
            *count += 1;
            entry.head.set("ID", count.to_string());
        }
    }

    /// Replaces the code 0 of some writers, which PSS/E does not have, by that for per-unit quantities.
    fn assume_codes(&mut self) {
        for Entry { head, .. } in self.sections.get_mut("TRANSFORMER").into_iter().flatten() {
            let mut assumed = false;
            for code in ["CW", "CZ", "CM"] {
                if head.number(code) == 0.0 {
                    head.set(code, "1".to_string());
                    assumed = true;
                }
            }
            self.assumed_codes += usize::from(assumed);
        }
    }

    /// Sets missing ratios of windings to the nominal one: in kV (`CW` 2) the base voltage of the bus, otherwise 1.
    fn set_ratios(&mut self) {
        let base_kv: BTreeMap<i64, String> = self
            .of("BUS")
            .iter()
            .map(|bus| (bus.head.whole("I"), bus.head.text("BASKV").to_string()))
            .collect();
        for Entry { head, more } in self.of_mut("TRANSFORMER") {
            let in_kv = head.whole("CW") == 2;
            for (winding, bus) in more.iter_mut().skip(1).zip(["I", "J", "K"]) {
                if winding.text("WINDV").is_empty() {
                    let nominal = base_kv.get(&head.whole(bus)).filter(|_| in_kv);
                    winding.set("WINDV", nominal.map_or("1".to_string(), String::clone));
                }
            }
        }
    }

    fn refuse_unknown_codes(&self) -> Result<()> {
        for bus in self.of("BUS") {
            bus.head.refuse_unless("IDE", 1..=4)?;
        }
        for transformer in self.of("TRANSFORMER") {
            let head = &transformer.head;
            head.refuse_unless("CW", 0..=3)?;
            head.refuse_unless("CZ", 0..=3)?;
            head.refuse_unless("CM", 0..=2)?;
            let three = head.whole("K") != 0;
            head.refuse_unless("STAT", if three { 0..=4 } else { 0..=1 })?;
        }
        for generator in self.of("GENERATOR") {
            generator.head.refuse_unless("WMOD", 0..=4)?;
        }
        Ok(())
    }

    /// The whole file with every field stated, without substations. `sections` supplies sections without columns here.
    pub fn written(&self, header: [&str; 3], sections: &Sections<'_>, base: &str) -> String {
        let h = fields(header[0]);
        // Nothing here depends on the frequency.
        let frequency = Some(number(&h, 5, 60.0)).filter(|hertz| *hertz > 0.0).unwrap_or(60.0);
        // The second comment line is omitted because the reader may mistake it for the end of a section.
        let mut out = format!("0,{base},{WRITTEN},0,0,{frequency}\n{}\n\n", header[1]);
        for line in sections.of("SYSTEM-WIDE").filter_map(solver) {
            out.push_str(&line);
        }
        let names = order(WRITTEN);
        let names: Vec<_> = names.iter().filter(|name| **name != "SYSTEM-WIDE").collect();
        out.push_str("0 / END OF SYSTEM-WIDE DATA, BEGIN BUS DATA\n");
        for (k, name) in names.iter().enumerate() {
            match **name {
                "IMPEDANCE CORRECTION" => self.tables.iter().for_each(|table| table.write(&mut out)),
                name => {
                    let lines = self
                        .of(name)
                        .iter()
                        .flat_map(|e| std::iter::once(&e.head).chain(&e.more));
                    for line in lines {
                        out.push_str(&line.written());
                        out.push('\n');
                    }
                }
            }
            match names.get(k + 1) {
                Some(next) => out.push_str(&format!("0 / END OF {name} DATA, BEGIN {next} DATA\n")),
                None => out.push_str(&format!("0 / END OF {name} DATA\n")),
            }
        }
        out.push_str("Q\n");
        out
    }
}

fn entry<'a>(section: &str, lines: &[Line<'a>], setting: &mut Setting<'_>) -> Result<Entry<'a>> {
    let [first, more @ ..] = lines else {
        return Err(EngineError::new("INPUT.PARSE", message!("psse.no_header")));
    };
    if first.text.starts_with(',') {
        let message = message!("psse.leading_comma", line = first.number);
        return Err(EngineError::new("INPUT.PARSE", message));
    }
    let head = Record::read(section, *first, setting)?;
    let rest: &[&str] = match section {
        "TRANSFORMER" if head.whole("K") == 0 => &["IMPEDANCES OF TWO WINDINGS", "WINDING", "SECOND OF TWO WINDINGS"],
        "TRANSFORMER" => &["IMPEDANCES", "WINDING", "WINDING", "WINDING"],
        "TWO-TERMINAL DC" => &["CONVERTER", "CONVERTER"],
        "VSC DC LINE" => &["VSC CONVERTER", "VSC CONVERTER"],
        _ => &[],
    };
    if more.len() < rest.len() {
        let message = message!("psse.record_cut", line = first.number);
        return Err(EngineError::new("INPUT.PARSE", message));
    }
    let more = rest
        .iter()
        .zip(more)
        .map(|(section, line)| Record::read(section, *line, setting));
    Ok(Entry {
        head,
        more: more.collect::<Result<_>>()?,
    })
}

/// Before revision 34, lines contain pairs, filled up with zeros; later, triples up to one of zeros.
fn table(lines: &[Line<'_>], revision: u32) -> Result<Table> {
    let mut values = Vec::new();
    for line in lines {
        let f = fields(line.text);
        for field in f.strip_suffix(&[""]).unwrap_or(&f) {
            let empty = unquoted(field).is_empty();
            let value = finite(field).and_then(|value| value.parse::<f64>().ok());
            values.push(match value {
                None if empty => 0.0,
                None => return Err(not_finite(line.number, field)),
                Some(value) => value,
            });
        }
    }
    let number = values.first().map_or(0, |number| *number as i64);
    let values = values.get(1..).unwrap_or_default();
    let points: Vec<[f64; 3]> = match revision {
        ..34 => {
            let pairs = values.chunks_exact(2).map(|pair| [pair[0], pair[1], 0.0]);
            pairs.filter(|point| *point != [0.0; 3]).collect()
        }
        _ => {
            let triples = values.chunks_exact(3).map(|point| [point[0], point[1], point[2]]);
            triples.take_while(|point| *point != [0.0; 3]).collect()
        }
    };
    Ok(Table { number, points })
}

impl Table {
    fn write(&self, out: &mut String) {
        out.push_str(&self.number.to_string());
        for [at, real, imaginary] in self.points.iter().chain([&[0.0; 3]]) {
            out.push_str(&format!(",{at:?},{real:?},{imaginary:?}"));
        }
        out.push('\n');
    }
}

/// Solver settings that the reader stores; others have no effect here.
fn solver(line: &str) -> Option<String> {
    const COPIED: [(&str, &[&str]); 3] = [
        ("GENERAL", &["THRSHZ"]),
        ("NEWTON", &["TOLN", "ITMXN"]),
        ("SOLVER", &["ACTAPS", "AREAIN", "PHSHFT", "DCTAPS", "SWSHNT"]),
    ];
    let f = fields(line);
    let keyword = f.first()?.to_ascii_uppercase();
    let (keyword, keys) = COPIED.iter().find(|(name, _)| *name == keyword)?;
    let is_copied = |field: &&&str| {
        let key = field.split('=').next().unwrap_or("").trim().to_ascii_uppercase();
        keys.contains(&key.as_str()) && field.contains('=')
    };
    let copied: Vec<&str> = f[1..].iter().filter(is_copied).copied().collect();
    (!copied.is_empty()).then(|| format!("{keyword}, {}\n", copied.join(", ")))
}
