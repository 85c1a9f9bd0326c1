//! The target of an assignment in a script, as far as it concerns the case `mpc`.

/// Left-hand side of an assignment.
#[derive(Debug, PartialEq)]
pub(crate) enum Target<'a> {
    /// `mpc.field = rhs`
    Field { field: &'a str, rhs: &'a str },
    /// `mpc.field(...) = rhs`, `mpc.field.sub = rhs`, `mpc.field{...} = rhs`, also with `+=`
    Part { field: &'a str, indexed: bool },
    /// `mpc = rhs` or `[..., mpc, ...] = rhs`
    Whole,
}

/// The identifier at the start of `text`; empty without one.
pub(crate) fn first_word(text: &str) -> &str {
    let end = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(text.len());
    &text[..end]
}

/// The target of an assignment that concerns `mpc`.
pub(crate) fn assignment_target(text: &str) -> Option<Target<'_>> {
    if text.starts_with('[') {
        let (left, _) = text.split_once(']')?;
        let names_mpc = left
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .any(|word| word == "mpc");
        return names_mpc.then_some(Target::Whole);
    }
    if first_word(text) != "mpc" {
        return None;
    }
    let rest = text["mpc".len()..].trim_start();
    if is_assignment(rest) || is_assignment(after_group(rest)) {
        return Some(Target::Whole);
    }
    let rest = rest.strip_prefix('.')?.trim_start();
    let field = first_word(rest);
    let tail = rest[field.len()..].trim_start();
    if field.is_empty() {
        // A dynamic field name, `mpc.(expression)`, may denote any table.
        return is_assignment(after_group(rest)).then_some(Target::Whole);
    }
    if is_assignment(tail) && tail.starts_with('=') {
        let rhs = tail.split_once('=').map_or("", |(_, right)| right).trim();
        return Some(Target::Field { field, rhs });
    }
    assigns_part(tail).then_some(Target::Part {
        field,
        indexed: tail.starts_with('(') && after_group(tail).len() < tail.len(),
    })
}

/// Whether the text after a name assigns to it or to a part of it: `(:, 3) = 1`, `.field = 1`, `{2} = 1`, `+= 1`.
pub(crate) fn assigns_part(tail: &str) -> bool {
    let mut end = tail;
    while end.starts_with(['(', '{', '.']) && !end.starts_with("./") && !end.starts_with(".*") {
        let next = end
            .strip_prefix('.')
            .map_or_else(|| after_group(end), |r| r[first_word(r).len()..].trim_start());
        if next.len() >= end.len() {
            break;
        }
        end = next;
    }
    is_assignment(end)
}

/// The assignment in `for i = 1:3 mpc.bus(i, 3) = 0;`, where the body follows the header without a separator.
pub(crate) fn assignment_in_header(text: &str) -> Option<Target<'_>> {
    text.match_indices("mpc").find_map(|(at, _)| {
        let bounded = text[..at].ends_with(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        bounded.then(|| assignment_target(&text[at..])).flatten()
    })
}

/// The text after the balanced bracket group at the start of `text`, or `text` itself without one.
fn after_group(text: &str) -> &str {
    if !text.starts_with(['(', '{']) {
        return text;
    }
    let (mut depth, mut quoted) = (0usize, false);
    for (i, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return text[i + 1..].trim_start();
                }
            }
            _ => {}
        }
    }
    text
}

/// `=`, or one of Octave's `+= -= *= /= ^=`, but not a comparison.
fn is_assignment(text: &str) -> bool {
    let rest = text.strip_prefix(['+', '-', '*', '/', '^']).unwrap_or(text);
    rest.starts_with('=') && !rest.starts_with("==")
}
