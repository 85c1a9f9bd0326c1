//! The sections of a RAW file, found by the names on their terminators or, where these are bare zeros, by their order.

use super::fields::{fields, unquoted};

/// Sections in the order that revisions 31 to 36 write them; each entry says which revisions have it.
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
/// The same for revisions 29 and 30: no fixed shunts, switched shunts before the impedance corrections, FACTS devices last.
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
/// What writers also call a section.
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
/// A file without a `Q` record may end before these, because many writers leave them out.
const MAY_BE_MISSING: [&str; 3] = ["GNE", "INDUCTION MACHINE", "SUBSTATION"];

/// Names of the sections of a revision in the order in which its files hold them.
pub(super) fn order(revision: u32) -> Vec<&'static str> {
    if revision <= 30 {
        return ORDER_30.to_vec();
    }
    let of_revision = ORDER.iter().filter(|(_, revisions)| revisions.contains(&revision));
    of_revision.map(|(name, _)| *name).collect()
}

/// A RAW file taken apart.
pub(super) struct Sections<'a> {
    /// Section name and its record lines, in file order; comment and empty lines are left out.
    pub records: Vec<(&'static str, Vec<&'a str>)>,
    /// Every section with records was announced by its name, so that the reader finds them all by itself.
    pub all_named: bool,
    /// A `Q` record, or the terminator of the last section, was seen.
    pub complete: bool,
    /// The section in which the file ends.
    pub last: &'static str,
}

impl<'a> Sections<'a> {
    /// Record lines of a section; empty where the file has none.
    pub fn of<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'a str> + 'b {
        let chosen = self.records.iter().filter(move |(section, _)| *section == name);
        chosen.flat_map(|(_, lines)| lines.iter().copied())
    }

    /// The reader takes all DC lines of a file with substations for two-terminal ones, and then misses records of those.
    pub fn mix_dc_with_substations(&self) -> bool {
        ["SUBSTATION", "TWO-TERMINAL DC", "VSC DC LINE"]
            .iter()
            .all(|section| self.of(section).next().is_some())
    }
}

/// Takes the part behind the three header lines apart.
pub(super) fn split<'a>(body: &'a str, revision: u32) -> Sections<'a> {
    let order = order(revision);
    let mut at = order.iter().position(|s| *s == "BUS").unwrap_or(0);
    let mut out = Sections {
        records: vec![(order[at], Vec::new())],
        all_named: true,
        complete: false,
        last: order[at],
    };
    let (mut announced, mut whole) = (true, false);
    for line in body.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('@') {
            continue;
        }
        if line.eq_ignore_ascii_case("q") {
            out.complete = true;
            return out;
        }
        let first = fields(line).first().copied();
        let next = match first.is_some_and(|f| unquoted(f) == "0") {
            true => section_of(line, "BEGIN ").or_else(|| section_of(line, "START OF ")),
            false => None,
        };
        let leads_on = next.is_some_and(|name| name != "SUBSTATION");
        // Inside the substation section, terminators separate the parts of one substation.
        let nested =
            order[at] == "SUBSTATION" && !leads_on && !line.to_ascii_uppercase().contains("END OF SUBSTATION DATA");
        if first.is_none() && !nested {
            continue;
        }
        if (first != Some("0") && !leads_on) || nested {
            out.all_named &= announced;
            let system_wide = order[at] == "BUS" && revision >= 34 && is_keyword(line);
            let section = if system_wide { "SYSTEM-WIDE" } else { order[at] };
            match out.records.last_mut().filter(|(name, _)| *name == section) {
                Some((_, lines)) => lines.push(line),
                None => out.records.push((section, vec![line])),
            }
            continue;
        }
        announced = next.is_some();
        whole = line == "0" || line.to_ascii_uppercase().ends_with(" DATA");
        out.all_named &= next.is_none_or(|name| order.contains(&name) && line_has(line, name));
        let place = |name: &str| order.iter().position(|s| *s == name);
        let was_last = at + 1 == order.len();
        at = match (next.and_then(place), section_of(line, "END OF ").and_then(place)) {
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
    let closed = out.records.last().is_some_and(|(_, lines)| lines.is_empty());
    out.complete |= closed && !announced && whole && MAY_BE_MISSING.contains(&out.last) && revision >= 31;
    out
}

/// `GENERAL`, `RATING` and the other keywords that lead the records of the system-wide section.
fn is_keyword(line: &str) -> bool {
    let first = fields(line).first().map_or("", |f| unquoted(f));
    first.len() > 2 && first.bytes().all(|b| b.is_ascii_uppercase())
}

/// The terminator announces the section by its canonical name, which the reader knows.
fn line_has(line: &str, name: &str) -> bool {
    let upper = line.to_ascii_uppercase();
    ["BEGIN", "START OF"]
        .iter()
        .any(|lead| upper.contains(&format!("{lead} {name} DATA")))
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
