//! The sections of a RAW file, by the names on their terminators or, for bare zeros, by their order.

use crate::input::psse_fields::{fields, number, unquoted};

/// Sections in the order of revisions 31 to 36, with the revisions that have each of them.
const ORDER: [(&str, std::ops::RangeInclusive<u32>); 27] = [
    ("SYSTEM-WIDE", 34..=36),
    ("BUS", 31..=36),
    ("LOAD", 31..=36),
    ("FIXED SHUNT", 31..=36),
    ("VOLTAGE DROOP CONTROL", 36..=36),
    ("GENERATOR", 31..=36),
    ("SWITCHING DEVICE RATING SET", 36..=36),
    ("BRANCH", 31..=36),
    ("SYSTEM SWITCHING DEVICE", 34..=36),
    ("TRANSFORMER", 31..=36),
    ("AREA", 31..=36),
    ("TWO-TERMINAL DC", 31..=36),
    ("VSC DC LINE", 31..=36),
    ("IMPEDANCE CORRECTION", 31..=36),
    ("MULTI-TERMINAL DC", 31..=36),
    ("MULTI-SECTION LINE", 31..=36),
    ("ZONE", 31..=36),
    ("INTER-AREA TRANSFER", 31..=36),
    ("OWNER", 31..=36),
    ("FACTS DEVICE", 31..=36),
    ("SWITCHED SHUNT", 31..=36),
    ("GNE", 32..=36),
    ("INDUCTION MACHINE", 33..=36),
    ("LOAD TYPE", 36..=36),
    ("INTERFACE", 36..=36),
    ("INTERFACE ELEMENT", 36..=36),
    ("SUBSTATION", 34..=36),
];
/// The order of revisions 29 and 30: no fixed shunts, switched shunts before impedance corrections, FACTS devices last.
const ORDER_30: [&str; 16] = [
    "BUS",
    "LOAD",
    "GENERATOR",
    "BRANCH",
    "TRANSFORMER",
    "AREA",
    "TWO-TERMINAL DC",
    "VSC DC LINE",
    "SWITCHED SHUNT",
    "IMPEDANCE CORRECTION",
    "MULTI-TERMINAL DC",
    "MULTI-SECTION LINE",
    "ZONE",
    "INTER-AREA TRANSFER",
    "OWNER",
    "FACTS DEVICE",
];
/// Alternative section names of writers.
const ALIASES: [(&str, &str); 17] = [
    ("GEN", "GENERATOR"),
    ("FIXED BUS SHUNT", "FIXED SHUNT"),
    ("NON-TRANSFORMER BRANCH", "BRANCH"),
    ("NON TRANSFORMER BRANCH", "BRANCH"),
    ("TRANSFORMER BRANCH", "TRANSFORMER"),
    ("AREA INTERCHANGE", "AREA"),
    ("TWO TERMINAL DC", "TWO-TERMINAL DC"),
    ("2-TERMINAL DC", "TWO-TERMINAL DC"),
    ("2 TERMINAL DC", "TWO-TERMINAL DC"),
    ("VSC DC", "VSC DC LINE"),
    ("VOLTAGE SOURCE CONVERTER", "VSC DC LINE"),
    ("TRANSFORMER IMPEDANCE CORRECTION", "IMPEDANCE CORRECTION"),
    ("FACTS", "FACTS DEVICE"),
    ("FACTS CONTROL DEVICE", "FACTS DEVICE"),
    ("GNE DEVICE", "GNE"),
    ("MULTI-SECTION LINE GROUP", "MULTI-SECTION LINE"),
    ("SYSTEM WIDE", "SYSTEM-WIDE"),
];
/// Sections that a file without a `Q` record may lack at its end, because many writers omit them.
const MAY_BE_MISSING: [&str; 3] = ["GNE", "INDUCTION MACHINE", "SUBSTATION"];

/// Names of the sections of a revision in their order.
pub(super) fn order(revision: u32) -> Vec<&'static str> {
    if revision <= 30 {
        return ORDER_30.to_vec();
    }
    let of_revision = ORDER.iter().filter(|(_, revisions)| revisions.contains(&revision));
    of_revision.map(|(name, _)| *name).collect()
}

/// A line with its number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub number: usize,
    pub text: &'a str,
}

/// A RAW file split into sections.
pub(super) struct Sections<'a> {
    /// Section names with their records in file order, each with its continuation lines; without comments and empty
    /// lines.
    pub records: Vec<(&'static str, Vec<Vec<Line<'a>>>)>,
    /// Whether a `Q` record or the terminator of the last section was found.
    pub complete: bool,
    /// The section in which the file ends.
    pub last: &'static str,
}

impl<'a> Sections<'a> {
    /// Records of a section; empty if the file has none.
    pub fn records<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b [Line<'a>]> + 'b {
        let chosen = self.records.iter().filter(move |(section, _)| *section == name);
        chosen.flat_map(|(_, records)| records.iter().map(Vec::as_slice))
    }

    /// Lines of a section.
    pub fn of<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'a str> + 'b {
        self.records(name).flatten().map(|line| line.text)
    }
}

/// The continuation of a record after its first line.
enum Rest {
    Lines(usize),
    /// A table of impedance corrections continues to a point of zeros. Contains the numbers since the last complete
    /// point.
    Points(Vec<f64>),
}

impl Rest {
    /// The continuation that the first line of a record requires.
    fn of(section: &str, f: &[&str], revision: u32) -> Self {
        let count = |at: usize| number(f, at, 0.0).clamp(0.0, 1e6) as usize;
        match section {
            "TRANSFORMER" => Self::Lines(if count(2) == 0 { 3 } else { 4 }),
            "TWO-TERMINAL DC" | "VSC DC LINE" => Self::Lines(2),
            "MULTI-TERMINAL DC" => Self::Lines((1..=3).map(count).sum()),
            "IMPEDANCE CORRECTION" if revision >= 34 => {
                let mut rest = Self::Points(Vec::new());
                rest.take(f.get(1..).unwrap_or_default());
                rest
            }
            _ => Self::Lines(0),
        }
    }

    fn is_over(&self) -> bool {
        matches!(self, Self::Lines(0))
    }

    /// Processes a continuation line of the record.
    fn take(&mut self, f: &[&str]) {
        match self {
            Self::Lines(count) => *count = count.saturating_sub(1),
            Self::Points(open) => {
                // A trailing comma continues on the next line. Invalid numbers are refused later.
                let stated = f.strip_suffix(&[""]).unwrap_or(f);
                open.extend((0..stated.len()).map(|at| match unquoted(stated[at]) {
                    "" => 0.0,
                    _ => number(stated, at, 1.0),
                }));
                let whole = open.len() / 3 * 3;
                if open[..whole]
                    .chunks(3)
                    .any(|point| point.iter().all(|value| *value == 0.0))
                {
                    *self = Self::Lines(0);
                } else {
                    open.drain(..whole);
                }
            }
        }
    }
}

/// Splits the part after the header, whose first line has the number `first`.
pub(super) fn split(body: &str, revision: u32, first: usize) -> Sections<'_> {
    let order = order(revision);
    let mut at = order.iter().position(|s| *s == "BUS").unwrap_or(0);
    let mut out = Sections {
        records: vec![(order[at], Vec::new())],
        complete: false,
        last: order[at],
    };
    let (mut announced, mut whole) = (true, false);
    let mut rest = Rest::Lines(0);
    for (row, text) in body.lines().enumerate() {
        let line = Line {
            number: first + row,
            text: text.trim(),
        };
        let text = line.text;
        if text.is_empty() || text.starts_with('@') {
            continue;
        }
        if text.eq_ignore_ascii_case("q") {
            out.complete = rest.is_over();
            return out;
        }
        let f = fields(text);
        // Inside a record, a zero with more fields after it is a resistance or a ratio.
        if !rest.is_over() && f != ["0"] {
            rest.take(&f);
            let records = out.records.last_mut().map(|(_, records)| records);
            if let Some(record) = records.and_then(|records| records.last_mut()) {
                record.push(line);
            }
            continue;
        }
        rest = Rest::Lines(0);
        let first = f.first().copied();
        let next = match first.is_some_and(|f| unquoted(f) == "0") {
            true => section_of(text, "BEGIN ").or_else(|| section_of(text, "START OF ")),
            false => None,
        };
        let leads_on = next.is_some_and(|name| name != "SUBSTATION");
        // Inside the substation section, terminators separate the parts of one substation.
        let nested =
            order[at] == "SUBSTATION" && !leads_on && !text.to_ascii_uppercase().contains("END OF SUBSTATION DATA");
        if first.is_none() && !nested {
            continue;
        }
        if (first != Some("0") && !leads_on) || nested {
            let system_wide = order[at] == "BUS" && revision >= 34 && is_keyword(text);
            let section = if system_wide { "SYSTEM-WIDE" } else { order[at] };
            rest = Rest::of(section, &f, revision);
            match out.records.last_mut().filter(|(name, _)| *name == section) {
                Some((_, records)) => records.push(vec![line]),
                None => out.records.push((section, vec![vec![line]])),
            }
            continue;
        }
        announced = next.is_some();
        whole = text == "0" || text.to_ascii_uppercase().ends_with(" DATA");
        let place = |name: &str| order.iter().position(|s| *s == name);
        let was_last = at + 1 == order.len();
        at = match (next.and_then(place), section_of(text, "END OF ").and_then(place)) {
            (Some(next), _) => next,
            (None, Some(ended)) => (ended + 1).min(order.len() - 1),
            (None, None) => (at + 1).min(order.len() - 1),
        };
        if !announced && was_last {
            (out.complete, out.last) = (true, "END");
            return out;
        }
        out.last = order[at];
        out.records.push((order[at], Vec::new()));
    }
    let closed = out.records.last().is_some_and(|(_, records)| records.is_empty());
    out.complete |= closed && !announced && whole && MAY_BE_MISSING.contains(&out.last) && revision >= 31;
    out
}

/// Whether the line begins with a keyword of the system-wide section, such as `GENERAL` or `RATING`.
fn is_keyword(line: &str) -> bool {
    let first = fields(line).first().map_or("", |f| unquoted(f));
    first.len() > 2 && first.bytes().all(|b| b.is_ascii_uppercase())
}

/// The canonical name of the section between `lead` and ` DATA` on a terminator.
fn section_of(line: &str, lead: &str) -> Option<&'static str> {
    let upper = line.to_ascii_uppercase();
    let rest = &upper[upper.find(lead)? + lead.len()..];
    let name = rest[..rest.find(" DATA")?].trim();
    let name = ALIASES
        .iter()
        .find(|(alias, _)| *alias == name)
        .map_or(name, |(_, to)| to);
    ORDER.iter().map(|(known, _)| *known).find(|known| *known == name)
}
