//! Fences around the reader of GE PSLF cases (`.epc`).
//!
//! The reader refuses the customary "-1" for "no tertiary bus", leaves transformer impedances on the transformer's own base,
//! and takes the loss factor for the phase shift. Here the first is rewritten beforehand, the others are set right
//! afterwards; transformers whose ratio or angle would have to be guessed are refused.

use powerio::BalancedNetwork;

use crate::error::{EngineError, Result};
use crate::message;
use crate::message::Message;

/// Sections whose equipment carries power and is not read.
const UNSUPPORTED: [&str; 3] = ["dc converter data", "dc bus data", "motor data"];

/// The two-winding transformer of one record, as its columns state it.
#[derive(Debug)]
pub(super) struct Transformer {
    line: usize,
    in_service: bool,
    kind: f64,
    base_mva: f64,
    /// Columns of the second line: nominal kV of the windings, phase angle, ..., taps.
    second: Vec<f64>,
}

/// The text that the reader can read, and the transformers in their order.
///
/// # Errors
/// `INPUT.TRUNCATED` without the `end` line, `INPUT.BASE_MVA` for an MVA base that is no number, `PHYSICS.UNSUPPORTED` for motors, HVDC converters and three-winding
/// transformers.
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
                let said = message!("pslf.unsupported", count = count, section = name);
                return Err(EngineError::new("PHYSICS.UNSUPPORTED", said));
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

/// A base that is no number would be taken for 100 MVA.
fn refuse_base(line: &str, number: usize) -> Result<()> {
    let mut words = line.split_whitespace();
    if !words.next().is_some_and(|word| word.eq_ignore_ascii_case("sbase")) {
        return Ok(());
    }
    let base = words.next().unwrap_or_default();
    if base.parse::<f64>().is_ok_and(|value| value > 0.0 && value.is_finite()) {
        return Ok(());
    }
    let said = message!("pslf.base", line = number, base = base);
    Err(EngineError::new("INPUT.BASE_MVA", said))
}

/// Sets the transformers right: impedances on the system base, no phase shift.
///
/// # Errors
/// `INPUT.TRANSFORMER` for one in service whose ratio or angle is not certain.
pub(super) fn correct(net: &mut BalancedNetwork, transformers: &[Transformer]) -> Result<()> {
    let system = net.base_mva();
    let kv: std::collections::HashMap<usize, f64> = net.buses().iter().map(|b| (b.id.0, b.base_kv)).collect();
    let lines = net.branches().len().checked_sub(transformers.len());
    let lines = lines.ok_or_else(|| EngineError::new("INPUT.TABLE", message!("pslf.transformers_missing")))?;
    for (branch, t) in net.branches_mut()[lines..].iter_mut().zip(transformers) {
        if t.in_service {
            let ends = [branch.from.0, branch.to.0].map(|bus| kv.get(&bus).copied().unwrap_or(0.0));
            if let Some(why) = t.uncertain(ends) {
                let said = message!(
                    "pslf.transformer",
                    line = t.line,
                    from = branch.from.to_string(),
                    to = branch.to.to_string(),
                    why = why
                );
                return Err(EngineError::new("INPUT.TRANSFORMER", said));
            }
        }
        let scale = system / t.base_mva;
        (branch.r, branch.x, branch.shift) = (branch.r * scale, branch.x * scale, 0.0);
        branch.extras.remove("pslf_tbase");
    }
    Ok(())
}

impl Transformer {
    /// Why the ratio or the angle of the record would have to be guessed.
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
        // Zero states no nominal voltage: that of the bus holds.
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
        let said = message!("pslf.three_windings", line = number);
        return Err(EngineError::new("PHYSICS.UNSUPPORTED", said));
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
