//! The revision of a header.

use crate::input::psse_fields::{comment, fields, unquoted};

/// Revision of a header: from its third field (`33.7` is 33), otherwise from its comment, where PSS/E and other writers
/// put it in many forms: `/ PSS/E-29.3`, `/ PSS(R)E 30`, `/PSS®E 30`, `/ PSS(tm)E-30`, `/PSS E 30`, `created by
/// rawd30`.
pub(super) fn revision(header: &str) -> Option<u32> {
    let stated = fields(header).get(2).map(|f| unquoted(f)).filter(|f| !f.is_empty());
    if let Some(stated) = stated {
        let value: f64 = stated.parse().ok()?;
        return (1.0..1000.0).contains(&value).then_some(value as u32);
    }
    let comment = comment(header).to_uppercase();
    program(&comment).or_else(|| number(behind(&comment, "RAWD")?))
}

/// The number after the program name: `PSS`, an optional registration mark, `E`, and an optional hyphen, blank and `V`.
fn program(comment: &str) -> Option<u32> {
    let mark = behind(comment, "PSS")?.trim_start_matches(['/', '-', ' ', '(', ')', '®', '™', 'R', 'T', 'M']);
    number(mark.strip_prefix('E')?.trim_start_matches(['-', ' ', 'V']))
}

fn behind<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    Some(&text[text.find(word)? + word.len()..])
}

fn number(text: &str) -> Option<u32> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).take(3).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::revision;

    #[test]
    fn headers_state_revisions_in_many_ways() {
        for header in [
            "0,   100.00          / PSS/E-30.0    TUE, MAY 11 2004  13:26",
            "0,   100.00          / PSS(R)E 30 RAW created by rawd30  FRI, FEB 14 2025  21:09",
            "0    100 /PSS\u{ae}E 30      Wed Feb 17 11:29:28 2021",
            "0,   100.00          / PSS(tm)E-30 RAW created      Thu, Feb 20 2025 14:03",
            "0, 100.0 /PSS E 30",
            "0, 100.0 / PSS/E 30",
            "0, 100.0 / pss\u{2122}e-v30",
            "0, 100.0 / made by RAWD30",
            "0, 100.0, 30 / PSS(R)E-33",
            "0, 100.0, 30.7",
            "0 100.00 30.0 0 0 60.0 / UW ARCHIVE",
        ] {
            assert_eq!(revision(header), Some(30), "{header}");
        }
        for header in [
            "0, 100.0",
            "0, 100.0 / THE 30 BUSES",
            "0, 100.0 / FEB 30",
            "0, 100.0, new",
            "0, 100.0 / PSSE",
        ] {
            assert_eq!(revision(header), None, "{header}");
        }
    }
}
