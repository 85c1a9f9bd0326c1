//! Quotations of a file in a sentence, on one line and of limited length.

use super::visible::visible;

/// Longest sentence, characters, so that quotations do not fill the screen.
pub(crate) const LONGEST: usize = 500;

/// `text` on one line of limited length, without control characters.
pub(crate) fn clean(text: &str) -> String {
    let text = visible(text);
    let mut out: String = text.chars().take(LONGEST).collect();
    if text.chars().nth(LONGEST).is_some() {
        out.push('\u{2026}');
    }
    out
}

/// A quotation for a sentence: the first `most` characters.
pub(crate) fn piece(text: &str, most: usize) -> String {
    let text = visible(text.trim());
    let mut out: String = text.chars().take(most).collect();
    if text.chars().nth(most).is_some() {
        out.push('\u{2026}');
    }
    out
}
