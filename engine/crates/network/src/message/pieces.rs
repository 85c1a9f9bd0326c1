//! Pieces of a file in a sentence: in one line, of bounded length.

use super::visible::visible;

/// Longest sentence, characters: pieces of a file must not fill the screen.
pub(crate) const LONGEST: usize = 500;

/// `text` in one line and of bounded length, without control characters.
pub(crate) fn clean(text: &str) -> String {
    let text = visible(text);
    let mut out: String = text.chars().take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        out.push('\u{2026}');
    }
    out
}

/// A piece of a file to be quoted in a sentence: its first `most` characters.
pub(crate) fn piece(text: &str, most: usize) -> String {
    let text = visible(text.trim());
    let mut out: String = text.chars().take(most).collect();
    if text.chars().nth(most).is_some() {
        out.push('\u{2026}');
    }
    out
}
