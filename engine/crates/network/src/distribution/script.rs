//! The lines of an OpenDSS script, as far as they must be understood before parsing.
//!
//! Tokens end at blanks, commas and equal signs; `( " ' [ {` open a token that ends at the matching sign; `!` and `//` begin a
//! comment. A line begins with a command, which may be abbreviated, or with `Class.Name.Property=value`. (OpenDSS manual,
//! "Parser" and "Command syntax"; the reference is ParserDel in the OpenDSS sources.)

use std::ops::Range;

/// One parameter of a line, as byte ranges into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Param {
    /// Name, before the equal sign.
    pub name: Option<Range<usize>>,
    /// The value without its quotation marks.
    pub value: Range<usize>,
    /// The value with its quotation marks.
    pub quoted: Range<usize>,
}

/// The relevant commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    New,
    Edit,
    More,
    BatchEdit,
    Select,
    Set,
    Solve,
    Var,
    Clear,
    Redirect,
    Compile,
    BusCoords,
    LatLongCoords,
    Other,
}

/// Shortest form of each command that OpenDSS resolves to it: a word is first compared exactly, then as the beginning
/// of a command, of which the first one counts.
const VERBS: [(&str, usize, Verb); 14] = [
    ("new", 1, Verb::New),
    ("edit", 1, Verb::Edit),
    ("more", 2, Verb::More),
    ("select", 1, Verb::Select),
    ("solve", 2, Verb::Solve),
    ("set", 3, Verb::Set),
    ("compile", 1, Verb::Compile),
    ("redirect", 3, Verb::Redirect),
    ("clear", 3, Verb::Clear),
    ("clearall", 8, Verb::Clear),
    ("buscoords", 3, Verb::BusCoords),
    ("latlongcoords", 2, Verb::LatLongCoords),
    ("batchedit", 2, Verb::BatchEdit),
    ("var", 3, Verb::Var),
];

/// The command for a word.
pub(super) fn verb(word: &str) -> Verb {
    let word = word.to_ascii_lowercase();
    if matches!(word.as_str(), "m" | "~") {
        return Verb::More;
    }
    VERBS
        .iter()
        .find(|(name, shortest, _)| word.len() >= *shortest && name.starts_with(word.as_str()))
        .map_or(Verb::Other, |(_, _, verb)| *verb)
}

/// The lines of a script, with whether each lies inside a block comment (`/*` at the start of a line, up to a line with
/// `*/`).
pub(super) fn lines(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut inside = false;
    text.lines().map(move |line| {
        let begins = !inside && line.trim_start().starts_with("/*");
        let comment = inside || begins;
        inside = comment && !line.contains("*/");
        (line, !comment)
    })
}

/// The parameters of a line.
pub(super) fn params(line: &str) -> Vec<Param> {
    let mut scan = Scan::new(line, false);
    let mut out = Vec::new();
    while let Some(token) = scan.token() {
        if !token.equals {
            out.push(Param {
                name: None,
                value: token.inner,
                quoted: token.outer,
            });
            continue;
        }
        let value = scan.token();
        let end = scan.at;
        let (inner, outer) = value.map_or((end..end, end..end), |v| (v.inner, v.outer));
        out.push(Param {
            name: Some(token.inner),
            value: inner,
            quoted: outer,
        });
    }
    out
}

/// The items of a list or expression, with whether each is in brackets or quotes; `|` ends the rows of a matrix.
pub(super) fn items(text: &str, rows: bool) -> impl Iterator<Item = (&str, bool)> {
    let mut scan = Scan::new(text, rows);
    std::iter::from_fn(move || {
        let token = scan.token()?;
        let quoted = token.inner != token.outer;
        Some((&text[token.inner], quoted))
    })
}

/// Whether the value of a parameter is missing, so that the name of the next one is in its place, followed by an equal
/// sign.
pub(super) fn is_name_of_next(line: &str, param: &Param) -> bool {
    param.name.is_some()
        && line[param.quoted.end..]
            .trim_start_matches([' ', '\t'])
            .starts_with('=')
}

struct Token {
    inner: Range<usize>,
    outer: Range<usize>,
    /// Whether an equal sign follows.
    equals: bool,
}

struct Scan<'a> {
    line: &'a [u8],
    at: usize,
    /// Whether `|` separates as a comma does.
    rows: bool,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str, rows: bool) -> Self {
        let line = text.as_bytes();
        let mut scan = Self { line, at: 0, rows };
        scan.blanks();
        scan
    }

    fn is_separator(&self) -> bool {
        b",=".contains(&self.line[self.at]) || (self.rows && self.line[self.at] == b'|')
    }

    fn blanks(&mut self) {
        while matches!(self.line.get(self.at), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    fn comment(&self) -> bool {
        self.line[self.at..].starts_with(b"!") || self.line[self.at..].starts_with(b"//")
    }

    fn token(&mut self) -> Option<Token> {
        const OPEN: &[u8] = b"(\"'[{";
        const CLOSE: &[u8] = b")\"']}";
        let first = *self.line.get(self.at)?;
        let start = self.at;
        let inner = match OPEN.iter().position(|&o| o == first) {
            Some(kind) => {
                let length = self.line[start + 1..].iter().position(|&b| b == CLOSE[kind]);
                let end = length.map_or(self.line.len(), |n| start + 1 + n);
                self.at = (end + 1).min(self.line.len());
                start + 1..end
            }
            None => {
                while self.at < self.line.len()
                    && !self.comment()
                    && !b" \t".contains(&self.line[self.at])
                    && !self.is_separator()
                {
                    self.at += 1;
                }
                start..self.at
            }
        };
        let outer = start..self.at;
        self.blanks();
        let mut equals = false;
        if self.at < self.line.len() {
            if self.comment() {
                self.at = self.line.len();
            } else if self.is_separator() {
                equals = self.line[self.at] == b'=';
                self.at += 1;
            }
        }
        self.blanks();
        Some(Token { inner, outer, equals })
    }
}

/// A text as one quoted value, or `None` if it contains every closing mark.
pub(super) fn quote(text: &str) -> Option<String> {
    [('"', '"'), ('(', ')'), ('[', ']'), ('{', '}'), ('\'', '\'')]
        .into_iter()
        .find(|(_, close)| !text.contains(*close))
        .map(|(open, close)| format!("{open}{text}{close}"))
}

#[cfg(test)]
mod tests {
    use super::{lines, params, quote, verb, Verb};

    fn parsed(line: &str) -> Vec<(&str, &str)> {
        let found = params(line).into_iter();
        found
            .map(|p| (p.name.map_or("", |n| &line[n]), &line[p.value]))
            .collect()
    }

    #[test]
    fn parameters_end_where_opendss_ends_them() {
        assert_eq!(
            parsed("New Line.a bus1 = x.1.2, linecode=(a b), r=[1 | 2] ! bus2=c"),
            [
                ("", "New"),
                ("", "Line.a"),
                ("bus1", "x.1.2"),
                ("linecode", "a b"),
                ("r", "1 | 2")
            ]
        );
        assert_eq!(
            parsed("redirect 'a file.dss' // no"),
            [("", "redirect"), ("", "a file.dss")]
        );
        assert_eq!(parsed("Load.x.kw=(1 2 +)"), [("Load.x.kw", "1 2 +")]);
        assert_eq!(parsed("~ (open"), [("", "~"), ("", "open")]);
        assert_eq!(parsed("set mode="), [("", "set"), ("mode", "")]);
        assert_eq!(parsed(" \t"), []);
        assert_eq!(parsed("! all"), [("", "")]);
    }

    #[test]
    fn abbreviated_commands() {
        let found = [
            "red",
            "re",
            "CO",
            "cl",
            "cle",
            "bu",
            "BUS",
            "se",
            "Set",
            "n",
            "~",
            "M",
            "la",
            "redirects",
        ]
        .map(verb);
        let meant = [
            Verb::Redirect,
            Verb::Other,
            Verb::Compile,
            Verb::Other,
            Verb::Clear,
            Verb::Other,
            Verb::BusCoords,
            Verb::Select,
            Verb::Set,
            Verb::New,
            Verb::More,
            Verb::More,
            Verb::LatLongCoords,
            Verb::Other,
        ];
        assert_eq!(found, meant);
    }

    #[test]
    fn block_comments_and_quotes() {
        let text = "a\n /* b\nc */ d\ne\n/* f */\ng";
        let live: Vec<&str> = lines(text).filter(|l| l.1).map(|l| l.0).collect();
        assert_eq!(live, ["a", "e", "g"]);
        assert_eq!(quote("a b").as_deref(), Some("\"a b\""));
        assert_eq!(quote("a\"b)").as_deref(), Some("[a\"b)]"));
        assert_eq!(quote("\")]}'"), None);
    }
}
