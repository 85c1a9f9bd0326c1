//! Older and newer revisions, rewritten record by record in a layout that the reader knows.
//!
//! Layouts after the "Program Operation Manual" of PSS/E 29 to 36 and the files of these revisions in circulation; the
//! differences are few. Fields behind the last electrical one (owners, lengths, names) are cut off where they moved.

use super::fields::{comment, fields, number, unquoted};
use super::layout_34;
use super::sections::{order, Sections};
use super::substations::word_for_number;

/// Revision that a header states: in its third field, else (up to revision 30) in the comment `/ PSS/E-29.3`.
pub(super) fn revision(header: &str) -> Option<u32> {
    let stated = fields(header).get(2).map(|f| unquoted(f)).filter(|f| !f.is_empty());
    if let Some(stated) = stated {
        let value: f64 = stated.parse().ok()?;
        return (value.fract() == 0.0 && (1.0..1000.0).contains(&value)).then_some(value as u32);
    }
    let comment = comment(header);
    let tail = &comment[comment.find("E-")? + 2..];
    let digits: String = tail.chars().take_while(char::is_ascii_digit).take(3).collect();
    digits.parse().ok()
}

/// The whole file in the layout of revision 33 (from 33 and below) or 35, with every section named.
///
/// # Errors
/// The word that stands where a file with substations must have a number.
pub(super) fn rewrite(header: [&str; 3], sections: &Sections<'_>, revision: u32) -> Result<String, String> {
    let target = if revision <= 33 { 33 } else { 35 };
    let h = fields(header[0]);
    let frequency = h.get(5).map(|f| unquoted(f)).filter(|f| !f.is_empty()).unwrap_or("60");
    let base = h.get(1).copied().unwrap_or("");
    // Without the second comment line: the reader passes over it, but not where it reads like the end of a section.
    let mut out = format!("0,{base},{target},0,0,{frequency}\n{}\n\n", header[1]);
    let shunts: Vec<String> = match revision {
        ..=30 => sections.of("BUS").filter_map(shunt_of_bus_30).collect(),
        _ => Vec::new(),
    };
    let has_substations = sections.of("SUBSTATION").next().is_some();
    let names = order(target);
    for (k, name) in names.iter().enumerate() {
        let lines: Vec<&str> = match *name {
            // All out of service: `physics` refuses others.
            "VSC DC LINE" if sections.mix_dc_with_substations() => Vec::new(),
            _ => sections.of(name).collect(),
        };
        let records: Vec<String> = match revision {
            34 => layout_34::as_35(name, &lines),
            _ => lines.iter().filter_map(|line| record(name, line, revision)).collect(),
        };
        for record in records {
            if has_substations {
                if let Some(word) = word_for_number(name, &record) {
                    return Err(word.to_string());
                }
            }
            out.push_str(&record);
            out.push('\n');
        }
        if *name == "FIXED SHUNT" {
            shunts.iter().for_each(|s| out.push_str(s));
        }
        match names.get(k + 1) {
            Some(next) => out.push_str(&format!("0 / END OF {name} DATA, BEGIN {next} DATA\n")),
            None if *name == "SUBSTATION" => out.push_str("0 / END OF SUBSTATION DATA\n"),
            None => out.push_str(&format!("0 / END OF {name} DATA\n")),
        }
    }
    out.push_str("Q\n");
    Ok(out)
}

/// One record in the target layout; None where it has no place there.
fn record(section: &str, line: &str, revision: u32) -> Option<String> {
    let f = fields(line);
    let join = |parts: &[&str]| Some(parts.join(","));
    let first = |n: usize| join(&f[..f.len().min(n)]);
    match (section, revision) {
        // I, NAME, BASKV, IDE, GL, BL, AREA, ZONE, VM, VA, OWNER
        ("BUS", ..=30) if f.len() >= 10 => {
            let owner = f.get(10).copied().unwrap_or("1");
            join(&[f[0], f[1], f[2], f[3], f[6], f[7], owner, f[8], f[9]])
        }
        // The metered end is a sign on J, or moved; ST stays at its place.
        ("BRANCH", ..=31) if f.len() >= 2 => {
            let mut parts = f[..f.len().min(14)].to_vec();
            parts[1] = parts[1].trim_start_matches('-');
            join(&parts)
        }
        // ADJM and STAT came with the fixed shunts: before, the third field is VSWHI.
        ("SWITCHED SHUNT", 31) if f.get(2).is_some_and(|f| !f.contains('.')) => Some(line.to_string()),
        ("SWITCHED SHUNT", ..=31) if f.len() >= 3 => join(&[&f[..2], &["0", "1"], &f[2..]].concat()),
        ("SYSTEM-WIDE", 36..) if line.to_ascii_uppercase().starts_with("SWDRATNAM") => None,
        ("LOAD", 36..) => first(18),
        ("FIXED SHUNT", 36..) => first(5),
        ("GENERATOR", 36..) => first(30),
        ("BRANCH", 35..) => {
            let mut parts = f.clone();
            layout_34::with_status(&mut parts);
            parts.truncate(if revision == 35 { parts.len() } else { 24 });
            join(&parts)
        }
        // 'RATING SET NAME' replaced the twelve ratings.
        ("SYSTEM SWITCHING DEVICE", 36..) if f.len() >= 5 => join(&[&f[..4], &["0"; 12], &f[5..]].concat()),
        // NAME came between BINIT and the steps.
        ("SWITCHED SHUNT", 36..) if f.len() > 12 => join(&[&f[..12], &f[13..]].concat()),
        _ => Some(line.to_string()),
    }
}

/// The shunt of a bus record of revision 30 as a fixed shunt.
fn shunt_of_bus_30(line: &str) -> Option<String> {
    let f = fields(line);
    let stated = f.len() >= 10 && (number(&f, 4, 0.0) != 0.0 || number(&f, 5, 0.0) != 0.0);
    stated.then(|| format!("{},'1',1,{},{}\n", f[0], f[4], f[5]))
}
