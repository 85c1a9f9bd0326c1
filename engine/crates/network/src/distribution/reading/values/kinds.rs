//! Kinds of values, and checks of values against them.

use super::numbers::{expression, number};
use super::variables::Variables;
use crate::distribution::script;
use crate::message;
use crate::message::{Message, Value};

/// The kind of value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Any text, such as a name or a file.
    Text,
    Number,
    Whole,
    /// A list, or a matrix with `|` between its rows.
    Numbers,
    /// A list of numbers, or a file that contains them.
    Shape,
    YesNo,
    PowerFactor,
    /// A number of seconds, or of the unit of the letter that follows it.
    Duration,
    /// One of these words, or a unique abbreviation.
    Words(&'static str),
    /// One of these words without abbreviation.
    Exactly(&'static str),
    ListOfWords(&'static str),
    WordOrWhole(&'static str),
}

const CONNECTIONS: &str = "wye|delta|y|ln|ll";
const CONNECTIONS_OF_AUTOTRANSFORMERS: &str = "wye|delta|series|y|ln|ll";
/// The units of the parser, which treats others as no unit.
const UNITS: &str = "none|mi|kft|km|m|ft|in|cm|mm|meter|miles|mile";
const MODES: &str =
    "snapshot|daily|yearly|m1|m2|m3|ld1|ld2|peakday|dutycycle|direct|mf|faultstudy|autoadd|dynamics|harmonic|harmonics\
    |harmonict|time|s|y|h|t|f";
const LINE_TYPES: &str = "oh|ug|ug_ts|ug_cn|swt_ldbrk|swt_fuse|swt_sect|swt_rec|swt_disc|swt_brk|swt_elbow|busbar";

/// The reason why a value is not of its kind.
pub(super) struct Fault {
    /// The faulty item of a list.
    pub item: Option<String>,
    pub need: Message,
}

impl Kind {
    /// The kind that a table denotes by a letter, by the name of a set of words, or by the words.
    pub fn named(code: &'static str) -> Self {
        match code {
            "n" => Self::Number,
            "i" => Self::Whole,
            "l" => Self::Numbers,
            "s" => Self::Shape,
            "b" => Self::YesNo,
            "pf" => Self::PowerFactor,
            "duration" => Self::Duration,
            "units" => Self::Exactly(UNITS),
            "conn" => Self::Words(CONNECTIONS),
            "conns" => Self::ListOfWords(CONNECTIONS),
            "auto" => Self::Words(CONNECTIONS_OF_AUTOTRANSFORMERS),
            "autos" => Self::ListOfWords(CONNECTIONS_OF_AUTOTRANSFORMERS),
            "states" => Self::ListOfWords("closed|open"),
            "phase" => Self::WordOrWhole("min|max|avg"),
            "linetype" => Self::Words(LINE_TYPES),
            "earth" => Self::Words("carson|fullcarson|deri"),
            "mode" => Self::Words(MODES),
            "lead" => Self::Words("lag|lead|ansi|euro"),
            "core" => Self::Words("shell|1-phase|3-leg|4-leg|5-leg|core-1-phase"),
            words => Self::Words(words),
        }
    }

    /// The fault of a value, if it is not of this kind; a `quoted` value is in brackets or quotes and may be an
    /// expression.
    pub fn fault(self, text: &str, quoted: bool, variables: &Variables) -> Option<Fault> {
        let is_number = |fits: &dyn Fn(f64) -> bool| number(text, quoted, variables).is_some_and(fits);
        let fits = match self {
            Self::Text => true,
            Self::Number => is_number(&|_| true),
            Self::Whole => is_number(&is_whole),
            Self::PowerFactor => is_number(&|v| v.abs() <= 1.0),
            Self::Duration => {
                let amount = text.strip_suffix(['s', 'S', 'm', 'M', 'h', 'H']).unwrap_or(text);
                number(amount, quoted, variables).is_some()
            }
            Self::YesNo => is_one_of(text, "yes|no|true|false"),
            Self::Words(words) => is_one_of(text, words),
            Self::Exactly(words) => words.split('|').any(|word| word.eq_ignore_ascii_case(text)),
            Self::WordOrWhole(words) => is_one_of(text, words) || is_number(&is_whole),
            Self::Shape if is_of_file(text) => true,
            Self::Numbers | Self::Shape => {
                let is_number = |text: &str, quoted| number(text, quoted, variables).is_some();
                return strange(text, variables, is_number).map(|item| self.in_list(item));
            }
            Self::ListOfWords(words) => {
                let item = strange(text, variables, |text, _| is_one_of(text, words));
                return item.map(|item| self.in_list(item));
            }
        };
        if fits {
            return None;
        }
        let is_of_numbers = matches!(self, Self::Number | Self::Whole | Self::PowerFactor);
        let is_several = quoted && is_of_numbers && text.trim().contains([' ', '\t', ',']);
        let need = match is_several && expression(text, variables).is_none() {
            true => message!("feeder.need_expression"),
            false => self.need(),
        };
        Some(Fault { item: None, need })
    }

    /// The fault of an item of a list, or of a list without items.
    fn in_list(self, item: Option<String>) -> Fault {
        let need = match self {
            Self::Numbers | Self::Shape if item.is_some() => message!("feeder.need_item"),
            _ => self.need(),
        };
        Fault { item, need }
    }

    /// The required kind, for messages.
    fn need(self) -> Message {
        match self {
            Self::Text | Self::Number => message!("feeder.need_number"),
            Self::Whole => message!("feeder.need_whole"),
            Self::Numbers | Self::Shape => message!("feeder.need_numbers"),
            Self::YesNo => message!("feeder.need_yes_no"),
            Self::PowerFactor => message!("feeder.need_power_factor"),
            Self::Duration => message!("feeder.need_duration"),
            Self::WordOrWhole(words) => message!("feeder.need_word_or_whole", words = list_of(words)),
            Self::Words(words) | Self::Exactly(words) | Self::ListOfWords(words) => {
                message!("feeder.need_word", words = list_of(words))
            }
        }
    }
}

fn list_of(words: &str) -> Value {
    Value::Text(words.split('|').collect::<Vec<_>>().join(", "))
}

fn is_whole(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() <= f64::from(i32::MAX)
}

/// Whether the text is one of the words or a unique abbreviation; surrounding blanks are not permitted because the
/// parser would compare them too.
fn is_one_of(text: &str, words: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let begin = words.split('|').filter(|word| word.starts_with(&text)).count();
    words.split('|').any(|word| word == text) || (begin == 1 && !text.is_empty())
}

/// Whether the text is a file reference inside the brackets of a list, such as `file=shape.csv`.
fn is_of_file(text: &str) -> bool {
    let Some((key, file)) = text.split_once('=') else {
        return false;
    };
    let known = ["file", "csvfile", "dblfile", "sngfile"];
    known.iter().any(|k| k.eq_ignore_ascii_case(key.trim())) && !file.trim().is_empty()
}

/// The fault of a list: its first unsuitable item, or that it is empty.
fn strange(text: &str, variables: &Variables, fits: impl Fn(&str, bool) -> bool) -> Option<Option<String>> {
    let mut empty = true;
    for (item, quoted) in script::items(text, true) {
        let (item, quoted) = variables.put_in(item, quoted);
        if item.is_empty() {
            continue;
        }
        if !fits(&item, quoted) {
            return Some(Some(item.into_owned()));
        }
        empty = false;
    }
    empty.then_some(None)
}

#[cfg(test)]
mod tests {
    use super::{Kind, Variables};

    fn fits(kind: &'static str, text: &str, quoted: bool) -> bool {
        Kind::named(kind).fault(text, quoted, &Variables::default()).is_none()
    }

    #[test]
    fn values_of_each_kind() {
        for (kind, good, bad) in [
            (
                "n",
                vec!["1e3", "-.5", "5.", "+5"],
                vec!["abc", "5kW", "--5", "5,5", "1e400", "nan"],
            ),
            ("i", vec!["3", "3.0", "-1"], vec!["three", "2.5", "1e12"]),
            (
                "l",
                vec!["1", "1 2,3", "1|2 3", "(8 2 /), 3"],
                vec!["1 x", "1;2", "|", ","],
            ),
            (
                "s",
                vec!["1 2", "file=a.csv", "DblFile = a"],
                vec!["file=", "name=a", "x"],
            ),
            (
                "b",
                vec!["y", "No", "TRUE", "f", "fal"],
                vec!["1", "0", "yep", "on", "maybe"],
            ),
            ("pf", vec!["1", "-0.9", "0"], vec!["5", "-1.01", "x"]),
            ("duration", vec!["1h", "15m", "900s", "900"], vec!["h", "1d", "1hm"]),
            (
                "conn",
                vec!["wye", "Y", "d", "delt", "LN", "ll"],
                vec!["wey", " d", "l", "star", "wyeg", "1"],
            ),
            ("conns", vec!["wye delta", "d, (y)", "ll"], vec!["wye wey", "wye, x"]),
            ("units", vec!["km", "NONE", "miles"], vec!["k", "feet", "me", "1"]),
            ("phase", vec!["2", "max", "mi"], vec!["m", "2.5", "x"]),
            ("states", vec!["open", "c", "close, o"], vec!["opened", "shut"]),
            ("variable|fixed", vec!["f", "VARIABLE"], vec!["fx", "free"]),
        ] {
            for text in good {
                assert!(fits(kind, text, false), "{kind} {text}");
            }
            for text in bad {
                assert!(!fits(kind, text, false), "{kind} {text}");
            }
            assert!(!fits(kind, "", false), "{kind}");
        }
    }

    #[test]
    fn expressions_are_numbers_in_brackets_alone() {
        assert!(fits("n", "8 1000 /", true) && !fits("n", "8 1000 /", false));
        assert!(fits("i", "2 1 +", true) && !fits("i", "2 4 /", true));
        assert!(fits("pf", "9 10 /", true) && !fits("pf", "10 9 /", true));
    }
}
