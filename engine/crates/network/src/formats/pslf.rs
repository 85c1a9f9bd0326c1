//! Checks and corrections around the reader of GE PSLF cases (`.epc`).
//!
//! The reader refuses the customary "-1" for "no tertiary bus", leaves transformer impedances on the transformer's own
//! base, and uses the loss factor as the phase shift. The first is rewritten before reading, the others are corrected
//! afterwards; transformers with an uncertain ratio or angle are refused.

use std::collections::HashMap;

use powerio::{BalancedNetwork, BusId};

use crate::analysis::Warning;
use crate::error::{EngineError, Result};
use crate::message;
use crate::message::amounts::mvar;
use crate::message::Message;

/// Sections of equipment with power that is not read.
const UNSUPPORTED: [&str; 3] = ["dc converter data", "dc bus data", "motor data"];

/// The columns of a two-winding transformer record.
#[derive(Debug)]
pub(super) struct Transformer {
    line: usize,
    in_service: bool,
    kind: f64,
    base_mva: f64,
    /// Columns of the second line: nominal kV of the windings, phase angle, ..., taps.
    second: Vec<f64>,
}

/// The text for the reader, and the transformers in their order.
///
/// # Errors
/// `INPUT.TRUNCATED` without the `end` line, `INPUT.BASE_MVA` for an invalid MVA base, `PHYSICS.UNSUPPORTED` for
/// motors, HVDC converters and three-winding transformers.
pub(super) fn prepare(text: &str) -> Result<(String, Vec<Transformer>)> {
    let mut out = String::with_capacity(text.len());
    let mut transformers: Vec<Transformer> = Vec::new();
    let (mut section, mut left, mut part) = (String::new(), 0usize, 0usize);
    let mut ended = false;
    for (number, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        ended |= trimmed.eq_ignore_ascii_case("end");
        refuse_base(trimmed, number + 1)?;
        if let Some((name, count)) = header(trimmed) {
            if count > 0 && UNSUPPORTED.contains(&name.as_str()) {
                let message = message!("pslf.unsupported", count = count, section = name);
                return Err(EngineError::new("PHYSICS.UNSUPPORTED", message));
            }
            (section, left, part) = (name, count, 0);
        } else if section == "transformer data" && left > 0 && !trimmed.is_empty() {
            match part {
                0 => {
                    let (record, rewritten) = first_line(line, number + 1)?;
                    transformers.push(record);
                    out.push_str(&rewritten);
                }
                1 => {
                    let numbers = tokens(line)
                        .into_iter()
                        .map(|(from, to)| line[from..to].parse().unwrap_or(f64::NAN));
                    if let Some(last) = transformers.last_mut() {
                        last.second = numbers.collect();
                    }
                    out.push_str(line);
                }
                _ => out.push_str(line),
            }
            out.push('\n');
            part = if trimmed.ends_with('/') { part + 1 } else { 0 };
            left -= usize::from(part == 0);
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    if !ended {
        return Err(EngineError::new("INPUT.TRUNCATED", message!("pslf.cut")));
    }
    Ok((out, transformers))
}

/// Refuses an invalid base, which the reader would replace by 100 MVA.
fn refuse_base(line: &str, number: usize) -> Result<()> {
    let mut words = line.split_whitespace();
    if !words.next().is_some_and(|word| word.eq_ignore_ascii_case("sbase")) {
        return Ok(());
    }
    let base = words.next().unwrap_or_default();
    if base.parse::<f64>().is_ok_and(|value| value > 0.0 && value.is_finite()) {
        return Ok(());
    }
    let message = message!("pslf.base", line = number, base = base);
    Err(EngineError::new("INPUT.BASE_MVA", message))
}

/// Corrects the transformers: impedances on the system base, no phase shift.
///
/// # Errors
/// `INPUT.TRANSFORMER` for one in service with an uncertain ratio or angle.
pub(super) fn correct(net: &mut BalancedNetwork, transformers: &[Transformer]) -> Result<()> {
    let system = net.base_mva();
    let kv: HashMap<usize, f64> = net.buses().iter().map(|b| (b.id.0, b.base_kv)).collect();
    let lines = net.branches().len().checked_sub(transformers.len());
    let lines = lines.ok_or_else(|| EngineError::new("INPUT.TABLE", message!("pslf.transformers_missing")))?;
    for (branch, t) in net.branches_mut()[lines..].iter_mut().zip(transformers) {
        if t.in_service {
            let ends = [branch.from.0, branch.to.0].map(|bus| kv.get(&bus).copied().unwrap_or(0.0));
            if let Some(why) = t.uncertain(ends) {
                let message = message!(
                    "pslf.transformer",
                    line = t.line,
                    from = branch.from.to_string(),
                    to = branch.to.to_string(),
                    why = why
                );
                return Err(EngineError::new("INPUT.TRANSFORMER", message));
            }
        }
        let scale = system / t.base_mva;
        (branch.r, branch.x, branch.shift) = (branch.r * scale, branch.x * scale, 0.0);
        branch.extras.remove("pslf_tbase");
    }
    Ok(())
}

impl Transformer {
    /// The reason why the ratio or angle of the record is uncertain.
    fn uncertain(&self, end_kv: [f64; 2]) -> Option<Message> {
        let at = |k: usize, default: f64| self.second.get(k).copied().unwrap_or(default);
        let is = |value: f64, expected: f64| (value - expected).abs() <= 1e-6 * expected.abs().max(1.0);
        if self.base_mva.is_nan() || self.base_mva <= 0.0 {
            return Some(message!("pslf.base_not_positive"));
        }
        if !is(at(3, 0.0), 0.0) || !is(at(2, 0.0), 0.0) || self.kind == 4.0 {
            return Some(message!("pslf.phase_shift"));
        }
        if !is(at(17, 1.0), 1.0) || !is(at(18, 1.0), 1.0) {
            return Some(message!("pslf.fixed_taps"));
        }
        // Zero means no nominal voltage, so that of the bus applies.
        let nominal = |k: usize, kv: f64| at(k, 0.0) == 0.0 || is(at(k, 0.0), kv);
        if !nominal(0, end_kv[0]) || !nominal(1, end_kv[1]) {
            return Some(message!("pslf.nominal_voltages"));
        }
        None
    }
}

/// Reads the first line of a transformer record and rewrites its tertiary bus.
fn first_line(line: &str, number: usize) -> Result<(Transformer, String)> {
    let spans = tokens(line);
    let colon = spans.iter().position(|(from, to)| &line[*from..*to] == ":");
    let right = colon.map_or(&[][..], |at| &spans[at + 1..]);
    let text = |k: usize| right.get(k).map_or("", |(from, to)| line[*from..*to].trim_matches('"'));
    let value = |k: usize| text(k).parse::<f64>().unwrap_or(0.0);
    let tertiary = value(9) > 0.0 || (17..=20).any(|k| value(k) != 0.0);
    let in_service = value(0) != 0.0;
    if tertiary {
        let message = message!("pslf.three_windings", line = number);
        return Err(EngineError::new("PHYSICS.UNSUPPORTED", message));
    }
    let record = Transformer {
        line: number,
        in_service,
        kind: value(1),
        base_mva: value(14),
        second: Vec::new(),
    };
    let rewritten = match right.get(9) {
        Some((from, to)) if text(9) == "-1" => format!("{}0{}", &line[..*from], &line[*to..]),
        _ => line.to_string(),
    };
    Ok((record, rewritten))
}

/// Name (`transformer data`) and count of a section header.
fn header(line: &str) -> Option<(String, usize)> {
    let lower = line.to_ascii_lowercase();
    let end = lower.find(" data")? + " data".len();
    let (_, rest) = lower[end..].split_once('[')?;
    let (count, _) = rest.split_once(']')?;
    Some((lower[..end].trim().to_string(), count.trim().parse().ok()?))
}

/// Byte spans of the tokens of a line: quoted strings, colons, and runs of other characters.
fn tokens(line: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let (mut start, mut quoted): (Option<usize>, bool) = (None, false);
    for (at, c) in line.char_indices() {
        let after = at + c.len_utf8();
        if c == '"' {
            quoted = !quoted;
            if quoted {
                start = Some(at);
            } else if let Some(from) = start.take() {
                out.push((from, after));
            }
        } else if !quoted && (c.is_whitespace() || c == ':') {
            out.extend(start.take().map(|from| (from, at)));
            if c == ':' {
                out.push((at, after));
            }
        } else if start.is_none() {
            start = Some(at);
        }
    }
    out.extend(start.map(|from| (from, line.len())));
    out
}

/// A record of a section: the tokens left and right of its colon, over all its lines.
pub(super) struct Record<'a> {
    section: String,
    line: usize,
    left: Vec<&'a str>,
    right: Vec<&'a str>,
    /// Number of tokens of `right` on the first line.
    first: usize,
}

impl<'a> Record<'a> {
    fn number(&self, at: usize) -> f64 {
        self.right.get(at).and_then(|text| text.parse().ok()).unwrap_or(0.0)
    }

    /// The bus of the record.
    fn bus(&self) -> Option<BusId> {
        self.left.first()?.parse().ok().map(BusId)
    }

    /// Tokens of the second line.
    fn second(&self) -> &[&'a str] {
        &self.right[self.first..]
    }
}

/// The records of all sections, in the order of the file.
pub(super) fn records(text: &str) -> Vec<Record<'_>> {
    let mut out: Vec<Record<'_>> = Vec::new();
    let (mut section, mut left, mut open) = (String::new(), 0_usize, false);
    for (number, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.eq_ignore_ascii_case("end") {
            break;
        }
        if let Some((name, count)) = header(trimmed) {
            (section, left, open) = (name, count, false);
            continue;
        }
        if left == 0 || trimmed.is_empty() {
            continue;
        }
        if !open {
            let section = section.clone();
            out.push(Record {
                section,
                line: number + 1,
                left: Vec::new(),
                right: Vec::new(),
                first: 0,
            });
        }
        let Some(record) = out.last_mut() else { continue };
        let is_first = !open;
        open = trimmed.ends_with('/');
        let body = trimmed.trim_end_matches('/');
        let mut behind_colon = !is_first;
        for (from, to) in tokens(body) {
            match (&body[from..to], behind_colon) {
                (":", _) => behind_colon = true,
                (token, false) => record.left.push(token),
                (token, true) => record.right.push(token),
            }
        }
        if is_first {
            record.first = record.right.len();
        }
        left -= usize::from(!open);
    }
    out
}

/// Sections without effect: names and groups, exchange schedules and owners; data that elements reference is read with
/// them.
const WITHOUT_EFFECT: [&str; 6] = [
    "area data",
    "zone data",
    "owner data",
    "transaction data",
    "z table data",
    "gcd data",
];
const READ: [&str; 7] = [
    "bus data",
    "branch data",
    "transformer data",
    "generator data",
    "load data",
    "shunt data",
    "svd data",
];

/// Corrects generators according to the file, and returns warnings about omitted data.
///
/// A generator controls the voltage of the bus that its record names by number, name and nominal voltage, at the
/// scheduled voltage of that bus; the reader uses the nominal voltage as the set-point.
///
/// # Errors
/// `INPUT.TABLE` if reader and checks count generators differently, `PHYSICS.UNSUPPORTED` for lines with several
/// sections.
pub(super) fn complete(net: &mut BalancedNetwork, records: &[Record<'_>]) -> Result<Vec<Warning>> {
    refuse_sections(records)?;
    let of = |section: &'static str| records.iter().filter(move |r| r.section == section);
    let scheduled: HashMap<BusId, f64> = of("bus data").filter_map(|r| Some((r.bus()?, r.number(1)))).collect();
    let stated = of("generator data").count();
    let read = net.generators().len();
    if stated != read {
        let message = message!("file.generator_records", stated = stated, read = read);
        return Err(EngineError::new("INPUT.TABLE", message));
    }
    for (unit, record) in net.generators_mut().iter_mut().zip(of("generator data")) {
        let is_named = record.right.get(2).is_some_and(|name| name.starts_with('"'));
        if !is_named {
            continue;
        }
        let regulated = BusId(record.number(1).max(0.0) as usize);
        let (bus, set_point) = match scheduled.get(&regulated) {
            Some(set_point) => (regulated, *set_point),
            None => (unit.bus, scheduled.get(&unit.bus).copied().unwrap_or(0.0)),
        };
        unit.regulated_bus = (bus != unit.bus).then_some(bus);
        if set_point > 0.0 {
            unit.vg = set_point;
        }
    }
    let mut warnings = Vec::new();
    let mut say = |count: usize, code, message| {
        if count > 0 {
            warnings.push(Warning::new(code, message));
        }
    };
    let live = |r: &&Record<'_>| r.number(0) != 0.0;
    let controlled = net
        .shunts()
        .iter()
        .filter(|s| s.in_service && s.extras.contains_key("pslf_device"));
    let (shunts, power) = controlled.fold((0, 0.0), |(count, power), shunt| (count + 1, power + shunt.b));
    say(
        shunts,
        "INPUT.HELD",
        message!("held.shunts", count = shunts, power = mvar(power)),
    );
    let transformers = || of("transformer data").filter(live);
    let taps = transformers()
        .filter(|r| !matches!(r.number(1) as i64, 0 | 1 | 11))
        .count();
    say(taps, "INPUT.HELD", message!("held.taps", count = taps));
    let tables = transformers().filter(|r| r.number(5) != 0.0).count();
    say(
        tables,
        "INPUT.LEFT_OUT",
        message!("pslf.impedance_tables", count = tables),
    );
    let value = |token: Option<&&str>| token.and_then(|t| t.parse::<f64>().ok()).unwrap_or(0.0);
    let magnetised = |r: &&Record<'_>| (4..=5).any(|k| value(r.second().get(k)) != 0.0);
    let cores = transformers().filter(magnetised).count();
    say(cores, "INPUT.LEFT_OUT", message!("pslf.magnetising", count = cores));
    // Area and zone, followed by three numbers (also for a generator) whose meaning is not published.
    let unknown =
        |r: &&Record<'_>, columns: std::ops::Range<usize>| columns.into_iter().any(|k| value(r.second().get(k)) != 0.0);
    let lines = of("branch data").filter(live).filter(|r| unknown(r, 2..5)).count();
    say(
        lines,
        "INPUT.FIELD_IGNORED",
        message!("pslf.second_line", count = lines, section = "branch data"),
    );
    let units = of("generator data").filter(live).filter(|r| unknown(r, 0..3)).count();
    say(
        units,
        "INPUT.FIELD_IGNORED",
        message!("pslf.second_line", count = units, section = "generator data"),
    );
    let mut left_out: Vec<(&str, usize)> = Vec::new();
    for record in records {
        let section = record.section.as_str();
        if READ.contains(&section) || WITHOUT_EFFECT.contains(&section) {
            continue;
        }
        match left_out.iter_mut().find(|(known, _)| *known == section) {
            Some((_, count)) => *count += 1,
            None => left_out.push((section, 1)),
        }
    }
    for (section, count) in left_out {
        say(
            count,
            "INPUT.LEFT_OUT",
            message!("pslf.section", count = count, section = section),
        );
    }
    Ok(warnings)
}

/// The text of the writer with the regulated buses of generators and their set-points. The writer puts the set-point in
/// kV in place of the nominal voltage of the regulated bus, and bus 1 for every regulated bus.
///
/// Of several set-points for one bus the first applies; the number of generators with another one is returned.
pub(crate) fn completed(text: &str, net: &BalancedNetwork) -> (String, usize) {
    let mut scheduled: HashMap<BusId, f64> = HashMap::new();
    let mut others = 0;
    for unit in net
        .generators()
        .iter()
        .filter(|unit| unit.vg.is_finite() && unit.vg > 0.0)
    {
        let first = *scheduled
            .entry(unit.regulated_bus.unwrap_or(unit.bus))
            .or_insert(unit.vg);
        others += usize::from(first != unit.vg);
    }
    let nominal: HashMap<BusId, f64> = net.buses().iter().map(|bus| (bus.id, bus.base_kv)).collect();
    let (mut buses, mut units) = (net.buses().iter(), net.generators().iter());
    let mut section = String::new();
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if let Some((name, _)) = header(line.trim()) {
            section = name;
        } else if let Some((left, right)) = line.rsplit_once(" : ") {
            let mut values: Vec<String> = right.split_whitespace().map(str::to_owned).collect();
            let set_point = match section.as_str() {
                "bus data" => buses.next().and_then(|bus| scheduled.get(&bus.id)),
                _ => None,
            };
            if let (Some(set_point), Some(column)) = (set_point, values.get_mut(1)) {
                *column = set_point.to_string();
            }
            let unit = match section.as_str() {
                "generator data" => units.next(),
                _ => None,
            };
            if let (Some(unit), Some(columns)) = (unit, values.get_mut(1..4)) {
                let bus = unit.regulated_bus.unwrap_or(unit.bus);
                let kv = nominal.get(&bus).copied().unwrap_or(0.0);
                columns.clone_from_slice(&[bus.to_string(), "\"\"".to_string(), kv.to_string()]);
            }
            out.push_str(&format!("{left} : {}\n", values.join(" ")));
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    (out, others)
}

/// Refuses sections of a line, which are in series between its ends and which the reader would make parallel branches.
fn refuse_sections(records: &[Record<'_>]) -> Result<()> {
    let mut seen: HashMap<[&str; 3], usize> = HashMap::new();
    for record in records.iter().filter(|r| r.section == "branch data") {
        let at = |k: usize| record.left.get(k).copied().unwrap_or("");
        let key = [at(0), at(3), at(6)];
        if at(6).starts_with('"') && seen.insert(key, record.line).is_some() {
            let message = message!("pslf.sections", line = record.line, from = key[0], to = key[1]);
            return Err(EngineError::new("PHYSICS.UNSUPPORTED", message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::formats::read;
    use powerio::PioValue;

    /// Two buses, a transformer on a base of 50 MVA without tertiary bus, a generator and a load.
    const EPC: &str = r#"title
TWO BUSES
!
solution parameters
sbase    100.0    system mva base
!
bus data  [    2]
       1 "FROM" 230.00  :  0 1.0 1.0   0.0  1    1 1.05 0.95
       2 "TO" 115.00  :  1 1.0 1.0   0.0  1    1 1.05 0.95
branch data  [    0]
transformer data  [    1]
       1 "FROM" 230.00       2 "TO" 115.00 "1 " "        " :  1  1   -1      "        " 000.00   0   -1      "        " 000.00   -1      "        " 000.00   1    1  50.0 0.01000 0.10000 0.00000 0.00000 0.00000 0.00000 /
230.00 115.00   0.00    0.0 0.00000 0.00000  100.0    0.0    0.0    0.0 0.500 1.5000 0.5100 1.5000 0.5100 0.00000 0.9500 1.0000 1.0000 1.0000
generator data  [    1]
       1 "FROM" 230.00 "1 " "        " :  1       1 "FROM" 230.00  1.00 1.00  1    1  100.00  200.0   5.0    0.0  100.0 -100.0  100.00 /
 0.0000 0.0000 0.0000
load data  [    1]
       2 "TO" 115.00 "1 " "        "  :  1   50.000   10.000    1.000    0.000    2.000    0.000  1    1
end
"#;

    fn code(text: &str) -> &'static str {
        read(text.as_bytes(), "pslf").expect_err("refused").code
    }

    #[test]
    fn a_transformer_without_tertiary_is_read_on_the_system_base() {
        let parsed = read(EPC.as_bytes(), "pslf").expect("read");
        let PioValue::BalancedNetwork(net) = parsed.value() else {
            panic!("no network")
        };
        let t = &net.branches()[0];
        assert_eq!((t.r, t.x, t.tap, t.shift, t.rate_a), (0.02, 0.2, 0.95, 0.0, 100.0));
        assert_eq!((net.loads()[0].p, net.generators()[0].pmin), (53.0, 5.0));
    }

    #[test]
    fn what_would_have_to_be_guessed_is_refused() {
        assert_eq!(
            code(&EPC.replace("0.00    0.0 0.00000", "0.00   30.0 0.00000")),
            "INPUT.TRANSFORMER"
        );
        assert_eq!(
            code(&EPC.replace("115.00   0.00", "110.00   0.00")),
            "INPUT.TRANSFORMER"
        );
        assert_eq!(
            code(&EPC.replace("0.9500 1.0000", "0.9500 1.0250")),
            "INPUT.TRANSFORMER"
        );
        assert_eq!(code(&EPC.replace("1    1  50.0", "1    1  0.0")), "INPUT.TRANSFORMER");
        assert_eq!(code(&EPC.replace("000.00   -1 ", "000.00   3 ")), "PHYSICS.UNSUPPORTED");
        assert_eq!(
            code(&EPC.replace("end\n", "motor data [ 1]\nend\n")),
            "PHYSICS.UNSUPPORTED"
        );
    }

    /// The record names the regulated bus by number, name and nominal voltage; the set-point is that bus's scheduled
    /// voltage.
    #[test]
    fn generators_hold_the_scheduled_voltage_of_the_bus_that_they_name() {
        let text = EPC.replace(
            "1 1.0 1.0   0.0  1    1 1.05 0.95\nbranch",
            "1 1.03 1.0   0.0  1    1 1.05 0.95\nbranch",
        );
        let unit = |text: &str| {
            let parsed = read(text.as_bytes(), "pslf").expect("read");
            let PioValue::BalancedNetwork(net) = parsed.value() else {
                panic!("no network")
            };
            (
                net.generators()[0].vg,
                net.generators()[0].regulated_bus.map(|bus| bus.0),
            )
        };
        assert_eq!(unit(&text), (1.0, None));
        let remote = text.replace(":  1       1 \"FROM\" 230.00", ":  1       2 \"TO\" 115.00");
        assert_eq!(unit(&remote), (1.03, Some(2)));
    }

    #[test]
    fn what_is_held_or_left_out_is_named() {
        let message = |text: &str| -> Vec<String> {
            let parsed = read(text.as_bytes(), "pslf").expect("read");
            let own = parsed
                .diagnostics()
                .iter()
                .filter(|d| d.code().starts_with("WATTBOOK.INPUT."));
            own.map(|d| d.message().to_string()).collect()
        };
        assert!(message(EPC).is_empty());
        let more = EPC
            .replace(":  1  1   -1 ", ":  1  2   -1 ")
            .replace("0.00    0.0 0.00000 0.00000  100.0", "0.00    0.0 0.00100 0.00000  100.0")
            .replace("end\n", "svd data  [  1]\n 2 \"TO\" 115.00 \"1 \" \"        \" :  1  2  2 \"TO\" 115.00  1  1  0.0  0.3  0.0 0.0 0.0 0.0 0.0\ninterface data [ 1]\n 1 \"East\" 0.0 0.0 400.0\nend\n");
        assert_eq!(
            message(&more),
            [
                "1 switched shunt is held at the 30.000 MVAr of the file; its control is not part of this model.",
                "The tap of 1 transformer with automatic control is held at the position of the file.",
                "The magnetising admittance of 1 transformer is left out: its base is not published.",
                "1 record of interface data is left out."
            ]
        );
    }

    #[test]
    fn a_cut_off_file_is_refused_wherever_it_is_cut() {
        for at in 1..EPC.len() - 4 {
            assert!(read(&EPC.as_bytes()[..at], "pslf").is_err(), "{at}");
        }
        assert_eq!(
            code(&EPC.replace("load data  [    1]", "load data  [    2]")),
            "INPUT.TABLE"
        );
    }
}
