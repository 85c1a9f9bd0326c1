//! What the parser crates use of the crate `regex`, on `regex-lite`.
//!
//! They use it for the names that OpenDSS' `BatchEdit` selects: an ASCII expression without Unicode classes, matched against
//! ASCII names. The crate itself brings four matching engines and the tables of Unicode for that, a fifteenth of the engine's size
//! (docs/decisions/018-size-of-the-engine.md). On ASCII both give the same answers; set operations inside brackets
//! (`[a-z&&[^x]]`) are no expression here.

/// Expressions over bytes.
pub mod bytes {
    pub use regex_lite::Error;

    /// A compiled expression.
    #[derive(Clone, Debug)]
    pub struct Regex(regex_lite::Regex);

    impl Regex {
        /// Whether the expression matches anywhere in `name`; never in bytes that are no ASCII.
        pub fn is_match(&self, name: &[u8]) -> bool {
            name.is_ascii() && std::str::from_utf8(name).is_ok_and(|text| self.0.is_match(text))
        }
    }

    /// How an expression is compiled.
    #[derive(Debug)]
    pub struct RegexBuilder(regex_lite::RegexBuilder);

    impl RegexBuilder {
        /// For `pattern`, with `regex`'s defaults.
        pub fn new(pattern: &str) -> Self {
            Self(regex_lite::RegexBuilder::new(pattern))
        }

        /// Whether letters match both cases; ASCII letters only.
        pub fn case_insensitive(&mut self, yes: bool) -> &mut Self {
            self.0.case_insensitive(yes);
            self
        }

        /// Classes are those of ASCII either way.
        pub fn unicode(&mut self, _yes: bool) -> &mut Self {
            self
        }

        /// Greatest size of the compiled expression, bytes.
        pub fn size_limit(&mut self, bytes: usize) -> &mut Self {
            self.0.size_limit(bytes);
            self
        }

        /// There is no automaton that is built while matching, so nothing to limit.
        pub fn dfa_size_limit(&mut self, _bytes: usize) -> &mut Self {
            self
        }

        /// # Errors
        /// Where the pattern is no expression, or one beyond the limit.
        pub fn build(&self) -> Result<Regex, Error> {
            self.0.build().map(Regex)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::bytes::{Regex, RegexBuilder};

    fn expression(pattern: &str) -> Option<Regex> {
        RegexBuilder::new(pattern)
            .case_insensitive(true)
            .unicode(false)
            .size_limit(1 << 20)
            .dfa_size_limit(1 << 20)
            .build()
            .ok()
    }

    #[test]
    fn expressions_of_batch_edits() {
        for (pattern, name, matches) in [
            (".*", "load_671", true),
            ("^671", "671a", true),
            ("^671$", "671a", false),
            ("S67[15]", "s675c", true),
            ("a|b$", "zb", true),
            (r"\d{3}\.\w+", "line 632.x", true),
            (r"\bpv\b", "my pv 1", true),
            ("[[:alpha:]]x", "1x", false),
            ("(?-i)PV", "pv1", false),
            (".", "é", false),
        ] {
            let found = expression(pattern).expect(pattern).is_match(name.as_bytes());
            assert_eq!(found, matches, "{pattern} in {name}");
        }
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for pattern in ["(", "a{2", r"(a)\1", "(?=a)", "(?:(?:a{900}){900}){900}"] {
            assert!(expression(pattern).is_none(), "{pattern}");
        }
    }
}
