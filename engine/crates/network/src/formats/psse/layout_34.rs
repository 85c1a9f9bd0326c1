//! Records of revision 34 in the layout of revision 35.
//!
//! The reader takes the positions of substations and their terminals from a table of revision 35 columns whatever the file
//! states, and so misreads switched shunts of revision 34. Revision 35 is the same but for a few columns: it states the node of
//! a regulated bus behind that bus and not at the end of the record, and gives switched shunts identifiers and their steps
//! statuses. ("Program Operation Manual" of PSS/E 34 and 35; the column headings that PSS/E 34 itself writes into its files.)

use std::collections::BTreeMap;

use super::fields::{fields, number, unquoted};

/// The records of one section.
pub(super) fn as_35(section: &str, lines: &[&str]) -> Vec<String> {
    let mut lines = lines.iter().copied();
    let mut out = Vec::with_capacity(lines.len());
    let mut shunts: BTreeMap<&str, usize> = BTreeMap::new();
    while let Some(line) = lines.next() {
        let mut f = fields(line);
        match section {
            "LOAD" => f.truncate(17),
            // NREG from behind WPF; BASLOD came before the owners.
            "GENERATOR" => {
                moved(&mut f, 28, 8);
                if f.len() > 19 {
                    f.insert(19, "0");
                }
            }
            "SWITCHED SHUNT" => {
                let bus = f.first().copied().unwrap_or("");
                let count = shunts.entry(bus).or_default();
                *count += 1;
                out.push(switched_shunt(&f, *count));
                continue;
            }
            "BRANCH" => with_status(&mut f),
            "FACTS DEVICE" => moved(&mut f, 21, 20),
            "TRANSFORMER" => {
                out.push(f.join(","));
                out.extend(lines.next().map(str::to_string));
                let windings = if number(&f, 2, 0.0) == 0.0 { 2 } else { 3 };
                push_moved(&mut out, lines.by_ref().take(windings), 26, 17);
                continue;
            }
            "TWO-TERMINAL DC" => {
                out.push(line.to_string());
                push_moved(&mut out, lines.by_ref().take(2), 17, 13);
                continue;
            }
            "VSC DC LINE" => {
                out.push(line.to_string());
                push_moved(&mut out, lines.by_ref().take(2), 15, 14);
                continue;
            }
            // The only switched shunt of a bus needs no identifier, where revision 35 counts them.
            "SUBSTATION" if f.len() == 3 && unquoted(f[2]) == "S" => f.push("'1'"),
            _ => {
                out.push(line.to_string());
                continue;
            }
        }
        out.push(f.join(","));
    }
    out
}

/// A branch record with a name that ends before its status, which is then 1: the reader would take the ratings for another
/// layout without a name.
pub(super) fn with_status(f: &mut Vec<&str>) {
    const STATUS: usize = 23;
    if (7..=STATUS).contains(&f.len()) && f[6].starts_with(['\'', '"']) {
        f.resize(STATUS, "");
        f.push("1");
    }
}

/// Takes field `from`, 0 where the record has none, and puts it at `to`. Records that end before are the same in both.
fn moved(f: &mut Vec<&str>, from: usize, to: usize) {
    let field = if f.len() > from { f.remove(from) } else { "0" };
    if f.len() > to {
        f.insert(to, field);
    }
}

fn push_moved<'a>(out: &mut Vec<String>, lines: impl Iterator<Item = &'a str>, from: usize, to: usize) {
    for line in lines {
        let mut f = fields(line);
        moved(&mut f, from, to);
        out.push(f.join(","));
    }
}

/// `I, MODSW, ADJM, ST, VSWHI, VSWLO, SWREG, RMPCT, RMIDNT, BINIT, N1, B1 ... N8, B8, NREG` as `I, ID, MODSW, ADJM, ST, VSWHI,
/// VSWLO, SWREG, NREG, RMPCT, RMIDNT, BINIT, S1, N1, B1 ...`.
fn switched_shunt(f: &[&str], count: usize) -> String {
    let id = format!("'{count}'");
    let mut f = f.to_vec();
    f.truncate(27);
    moved(&mut f, 26, 7);
    let mut out: Vec<&str> = Vec::with_capacity(f.len() + 10);
    out.extend(f.first());
    out.push(&id);
    out.extend(f.iter().skip(1).take(10));
    for step in f.get(11..).unwrap_or_default().chunks(2) {
        out.push("1");
        out.extend(step);
    }
    out.join(",")
}
