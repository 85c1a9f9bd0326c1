//! Contingencies (`.con`), subsystems (`.sub`) and monitored elements (`.mon`) of PSS/E, with bus names as TARA has them.
//!
//! The manual of these files is not public; their grammar is that of public files and of public readers. Keywords may
//! have any letter case; `/`, `!` and `#` begin a comment, and so does the word `COM`.

mod contingencies;
mod monitored;
mod subsystems;

pub(super) use contingencies::read_contingencies;
pub(super) use monitored::read_monitored;
pub(super) use subsystems::Subsystems;

use super::{At, Kind};
use crate::error::EngineError;
use crate::message;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word<'a> {
    text: &'a str,
    is_quoted: bool,
}

/// The words of a line, read from the first to the last.
#[derive(Clone, Debug)]
struct Words<'a> {
    words: Vec<Word<'a>>,
    at: usize,
}

impl<'a> Words<'a> {
    /// Blanks and commas separate words. A quote ends where a separator, a comment or nothing follows, so that `'O'Hare'` is
    /// one word; an open quote extends to the end of the line.
    fn of(line: &'a str) -> Self {
        let mut words = Vec::new();
        let mut rest = line.trim_start_matches(is_separator);
        while let Some(first) = rest.chars().next() {
            if matches!(first, '/' | '\\') {
                break;
            }
            let (text, after, is_quoted) = match first {
                '\'' | '"' => {
                    let inner = &rest[1..];
                    let ends =
                        |after: &str| after.is_empty() || after.starts_with(is_separator) || after.starts_with('/');
                    let mut quotes = inner.match_indices(first).filter(|(at, _)| ends(&inner[at + 1..]));
                    match quotes.next() {
                        Some((at, _)) => (&inner[..at], &inner[at + 1..], true),
                        None => (inner, "", true),
                    }
                }
                _ => {
                    let (text, after) = rest.split_at(rest.find(is_separator).unwrap_or(rest.len()));
                    (text, after, false)
                }
            };
            words.push(Word {
                text: text.trim(),
                is_quoted,
            });
            rest = after.trim_start_matches(is_separator);
        }
        if matches!(line.trim_start().chars().next(), Some('!' | '#')) {
            words.clear();
        }
        if words
            .first()
            .is_some_and(|word| !word.is_quoted && word.text.eq_ignore_ascii_case("COM"))
        {
            words.clear();
        }
        Self { words, at: 0 }
    }

    fn is_over(&self) -> bool {
        self.at >= self.words.len()
    }

    fn word(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.at)?;
        self.at += 1;
        Some(word.text)
    }

    /// Whether the next word is one of these keywords, which is then taken.
    fn takes(&mut self, keywords: &[&str]) -> bool {
        let is_one = self.next_is(keywords);
        self.at += usize::from(is_one);
        is_one
    }

    fn next_is(&self, keywords: &[&str]) -> bool {
        let word = self.words.get(self.at).filter(|word| !word.is_quoted);
        word.is_some_and(|word| keywords.iter().any(|keyword| word.text.eq_ignore_ascii_case(keyword)))
    }

    /// The name or number of a bus, with or without the word `BUS` before it.
    fn bus(&mut self) -> Option<&'a str> {
        self.takes(&["BUS"]);
        self.word()
    }

    /// The circuit at the end of a statement, if there is one; `None` for anything else there.
    fn circuit(&mut self) -> Option<Option<&'a str>> {
        let circuit = match self.takes(&["CIRCUIT", "CKT", "CIRCUITS"]) {
            true => Some(self.word()?),
            false => None,
        };
        self.is_over().then_some(circuit)
    }

    fn number(&mut self) -> Option<f64> {
        self.word()?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    fn whole(&mut self) -> Option<u64> {
        self.word()?.parse().ok()
    }

    /// Whether the statement is `END`.
    fn is_end(&self) -> bool {
        self.words.len() == 1 && self.next_is(&["END"])
    }

    /// Whether a block of dispatch lines follows, which ends with `END`.
    fn opens_dispatch(&self) -> bool {
        let is_word = |at: usize, keyword| {
            let word = self.words.get(at).filter(|word| !word.is_quoted);
            word.is_some_and(|word| word.text.eq_ignore_ascii_case(keyword))
        };
        is_word(self.words.len().wrapping_sub(1), "DISPATCH") || (is_word(0, "DEFAULT") && is_word(1, "DISPATCH"))
    }
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// The statements of a text.
fn statements(text: &str) -> impl Iterator<Item = (At<'_>, Words<'_>)> {
    let lines = text.lines().enumerate().map(|(row, line)| {
        let at = At {
            line: row + 1,
            text: line,
        };
        (at, Words::of(line))
    });
    lines.filter(|(_, words)| !words.words.is_empty())
}

/// The kind of a text by its first statement.
pub(super) fn kind_of(text: &str) -> Option<Kind> {
    let (_, words) = statements(text).next()?;
    if words.next_is(&["CONTINGENCY", "SINGLE", "DOUBLE", "PARALLEL", "BUSDOUBLE"]) {
        Some(Kind::Contingencies)
    } else if words.next_is(&["MONITOR"]) {
        Some(Kind::Monitored)
    } else {
        words.next_is(&["SUBSYSTEM", "SYSTEM"]).then_some(Kind::Subsystems)
    }
}

fn cut(file: &str, line: usize) -> EngineError {
    EngineError::new("INPUT.TRUNCATED", message!("list.cut", file = file, line = line))
}

fn nested(file: &str, line: usize) -> EngineError {
    EngineError::new("INPUT.PARSE", message!("list.nested", file = file, line = line))
}
