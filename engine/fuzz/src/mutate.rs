//! Mutations along the structure of case files: lines, columns, numbers, names, brackets.

use crate::sequence::Sequence;

/// Longest result, bytes, which bounds repeating mutations.
const LONGEST: usize = 200_000;

/// Replacements of a token: numbers at and beyond the limits, words, other kinds of JSON values, unbalanced brackets.
const TOKENS: [&str; 44] = [
    "0",
    "-1",
    "1",
    "2",
    "3",
    "0.5",
    "-0.0",
    "1e308",
    "-1e308",
    "1e999",
    "-1e999",
    "1e-320",
    "NaN",
    "nan",
    "Inf",
    "-Inf",
    "Infinity",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "-9223372036854775809",
    "99999999999999999999999999999999999999",
    "1e15",
    "0x10",
    "1.2.3",
    "1,5",
    "1d3",
    "null",
    "true",
    "{}",
    "[]",
    "\"\"",
    "\"x\"",
    "''",
    "'",
    "\"",
    "\u{e9}",
    "\u{1F50C}",
    "]",
    ")",
    "}",
    "%",
    "/",
];
/// Parts of the formats that change how the rest is read.
const PIECES: [&str; 38] = [
    "\n",
    "\r",
    "\r\n",
    "\t",
    ",",
    ";",
    "...",
    "\nQ\n",
    "\n0 / END OF BUS DATA, BEGIN LOAD DATA\n",
    "\n0\n",
    "\n}\n",
    "\n{\n",
    "DATA (Bus, [BusNum])\n{\n",
    "<SUBDATA X>\n",
    "</SUBDATA>\n",
    "SCRIPT\n{\n",
    "// ",
    "!",
    "end\n",
    "\nend\n",
    "%{\n",
    "%}\n",
    "mpc.bus = [",
    "mpc.bus(:, 3) = mpc.bus(:, 3) / 1e3;\n",
    "for i = 1:3 mpc.bus(i, 3) = 0; end\n",
    "];\n",
    "bus data [99999999999]\n",
    "transformer data [ 3]\n",
    "{\"bus\":",
    "\"bus\":{},",
    "\n~ ",
    "\nNew Line.x like=x\n",
    "\nRedirect loop.dss\n",
    "\nRedirect self.dss\n",
    "\nRedirect deep/a.dss\n",
    "\nCompile none.dss\n",
    "@!",
    "\u{0}",
];

/// A mutated copy of `seed`: one to four changes, occasionally many. `others` are spliced in.
pub fn mutated(seed: &[u8], others: &[&[u8]], next: &mut Sequence) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    let changes = match next.below(12) {
        0 => 8 + next.below(24),
        n => 1 + n % 4,
    };
    for _ in 0..changes {
        change(&mut bytes, others, next);
        bytes.truncate(LONGEST);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, others: &[&[u8]], next: &mut Sequence) {
    let at = next.below(bytes.len());
    match next.below(20) {
        0 => flip(bytes, at, next),
        1 => bytes.truncate(at),
        2 => drop(bytes.drain(at..(at + 1 + next.below(40)).min(bytes.len()))),
        3 => insert(bytes, at, next.pick(&PIECES).as_bytes()),
        4..=7 => replace_token(bytes, next),
        8 => token_from_elsewhere(bytes, next),
        9 => with_lines(bytes, next, |lines, next| {
            let copy = lines[next.below(lines.len())].clone();
            lines.insert(next.below(lines.len()), copy);
        }),
        10 => with_lines(bytes, next, |lines, next| drop(lines.remove(next.below(lines.len())))),
        11 => with_lines(bytes, next, |lines, next| {
            let (a, b) = (next.below(lines.len()), next.below(lines.len()));
            lines.swap(a, b);
        }),
        12 => with_lines(bytes, next, |lines, next| first_of_another_line(lines, next)),
        13 => with_lines(bytes, next, |lines, next| swap_columns(lines, next)),
        14 => with_lines(bytes, next, |lines, next| {
            let line = lines[next.below(lines.len())].clone();
            let (at, times) = (next.below(lines.len()), 1 + next.below(60));
            lines.splice(at..at, std::iter::repeat_n(line, times));
        }),
        15 => nest(bytes, at, next),
        16 => {
            let other = next.pick(others);
            let from = next.below(other.len());
            let to = (from + next.below(200)).min(other.len());
            insert(bytes, at, &other[from..to]);
        }
        17 => {
            let to = (at + next.below(300)).min(bytes.len());
            let copy = bytes[at..to].to_vec();
            insert(bytes, next.below(bytes.len()), &copy);
        }
        18 => {
            let noise_length = 1 + next.below(16);
            let noise = next.bytes(noise_length);
            insert(bytes, at, &noise);
        }
        _ => scale_number(bytes, next),
    }
}

fn flip(bytes: &mut [u8], at: usize, next: &mut Sequence) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << next.below(8);
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

/// Spans of numbers, words and quoted texts.
fn tokens(bytes: &[u8]) -> Vec<(usize, usize)> {
    let is_sign = |b: u8| {
        matches!(
            b,
            b',' | b';' | b':' | b'[' | b']' | b'(' | b')' | b'{' | b'}' | b'=' | b'|'
        )
    };
    let separates = |b: u8| b.is_ascii_whitespace() || is_sign(b) || matches!(b, b'"' | b'\'' | b'/' | b'<' | b'>');
    let mut out = Vec::new();
    let mut start = None;
    for (at, &byte) in bytes.iter().enumerate() {
        match (separates(byte), start) {
            (true, Some(from)) => {
                out.push((from, at));
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    out.extend(start.map(|from| (from, bytes.len())));
    out
}

fn replace_token(bytes: &mut Vec<u8>, next: &mut Sequence) {
    let spans = tokens(bytes);
    if !spans.is_empty() {
        let &(from, to) = next.pick(&spans);
        bytes.splice(from..to, next.pick(&TOKENS).bytes());
    }
}

/// Replaces a token by the text of another: duplicate numbers, wrong references, cycles.
fn token_from_elsewhere(bytes: &mut Vec<u8>, next: &mut Sequence) {
    let spans = tokens(bytes);
    if !spans.is_empty() {
        let (&(from, to), &(a, b)) = (next.pick(&spans), next.pick(&spans));
        let text = bytes[a..b].to_vec();
        bytes.splice(from..to, text);
    }
}

/// Changes the sign or magnitude of a number.
fn scale_number(bytes: &mut Vec<u8>, next: &mut Sequence) {
    let numeric: Vec<(usize, usize)> = tokens(bytes)
        .into_iter()
        .filter(|&(from, _)| bytes[from].is_ascii_digit() || bytes[from] == b'-')
        .collect();
    if numeric.is_empty() {
        return;
    }
    let &(from, to) = next.pick(&numeric);
    match next.below(3) {
        0 => insert(bytes, from, b"-"),
        1 => insert(
            bytes,
            to,
            next.pick(&["e9", "e300", "e-300", "000000000", ".5"]).as_bytes(),
        ),
        _ => drop(bytes.drain(from..to)),
    }
}

fn with_lines(bytes: &mut Vec<u8>, next: &mut Sequence, edit: impl Fn(&mut Vec<Vec<u8>>, &mut Sequence)) {
    let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    if !lines.is_empty() {
        edit(&mut lines, next);
        *bytes = lines.concat();
    }
}

/// Replaces the first token of a line by that of another: a duplicate id.
fn first_of_another_line(lines: &mut [Vec<u8>], next: &mut Sequence) {
    let (source, target) = (next.below(lines.len()), next.below(lines.len()));
    let first = |line: &[u8]| tokens(line).first().copied();
    if let (Some((a, b)), Some((from, to))) = (first(&lines[source]), first(&lines[target])) {
        let id = lines[source][a..b].to_vec();
        lines[target].splice(from..to, id);
    }
}

fn swap_columns(lines: &mut [Vec<u8>], next: &mut Sequence) {
    let at = next.below(lines.len());
    let line = &mut lines[at];
    let spans = tokens(line);
    if spans.len() < 2 {
        return;
    }
    let k = next.below(spans.len() - 1);
    let ((a, b), (c, d)) = (spans[k], spans[k + 1]);
    let swapped = [&line[..a], &line[c..d], &line[b..c], &line[a..b], &line[d..]].concat();
    *line = swapped;
}

/// Opens brackets or quotes many times, with or without closing them.
fn nest(bytes: &mut Vec<u8>, at: usize, next: &mut Sequence) {
    let (open, close) = *next.pick(&[
        ("[", "]"),
        ("(", ")"),
        ("{", "}"),
        ("{\"a\":", "}"),
        ("[[", "]]"),
        ("-", ""),
        ("%{\n", "%}\n"),
    ]);
    let depth = *next.pick(&[3, 100, 127, 128, 129, 2000]);
    let middle = if next.below(2) == 0 { "1" } else { "" };
    let closed = if next.below(2) == 0 {
        close.repeat(depth)
    } else {
        String::new()
    };
    insert(bytes, at, format!("{}{middle}{closed}", open.repeat(depth)).as_bytes());
}
