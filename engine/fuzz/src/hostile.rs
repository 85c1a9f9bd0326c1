//! Constructed inputs: empty, packed, in another encoding, deeply nested, very long.

use crate::sequence::Sequence;

/// Every constructed input, with a name for the report. `seed` is a valid file of the format.
pub fn inputs(seed: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let mut next = Sequence::of("hostile", 0);
    let with = |head: &[u8]| [head, seed].concat();
    let text = String::from_utf8_lossy(seed);
    let utf16 = |order: fn(u16) -> [u8; 2], mark: [u8; 2]| {
        let units = text.encode_utf16().flat_map(order);
        mark.into_iter().chain(units).collect::<Vec<u8>>()
    };
    let deep = |open: &str, close: &str, n: usize| format!("{}{}", open.repeat(n), close.repeat(n)).into_bytes();
    let behind = |more: Vec<u8>| [seed, &more].concat();
    vec![
        ("empty", Vec::new()),
        ("white space", b" \t\r\n \x0c\n".to_vec()),
        ("byte order mark alone", b"\xef\xbb\xbf".to_vec()),
        ("byte order mark", with(b"\xef\xbb\xbf")),
        ("two byte order marks", with(b"\xef\xbb\xbf\xef\xbb\xbf")),
        ("UTF-16 little endian", utf16(u16::to_le_bytes, [0xff, 0xfe])),
        ("UTF-16 big endian", utf16(u16::to_be_bytes, [0xfe, 0xff])),
        ("Latin-1", with(b"\xe9\xa0\xff\n")),
        ("zip", with(b"PK\x03\x04\x14\0\0\0\x08\0")),
        ("gzip", with(b"\x1f\x8b\x08\0")),
        ("zeros", vec![0; 5000]),
        ("line ends CR LF", text.replace('\n', "\r\n").into_bytes()),
        ("line ends CR", text.replace('\n', "\r").into_bytes()),
        ("one line", text.replace('\n', " ").into_bytes()),
        ("noise", next.bytes(20_000)),
        (
            "printable noise",
            next.bytes(20_000).iter().map(|b| 32 + b % 95).collect(),
        ),
        (
            "lines of noise",
            next.bytes(50_000)
                .iter()
                .map(|b| b" \n,;0123456789.eE-'\"/{}[]()=ab"[*b as usize % 30])
                .collect(),
        ),
        ("upper case", text.to_uppercase().into_bytes()),
        ("deep arrays", deep("[", "]", 100_000)),
        ("deep objects", deep("{\"bus\":", "}", 30_000)),
        ("deep parentheses", deep("(", ")", 100_000)),
        ("deep braces by line", deep("{\n", "}\n", 50_000)),
        ("deep behind the file", behind(deep("(", ")", 50_000))),
        (
            "deep cells behind the file",
            behind([b"\nmpc.x = ".to_vec(), deep("{", "}", 50_000)].concat()),
        ),
        (
            "deep index",
            behind([b"\nmpc.bus".to_vec(), deep("(", ")", 20_000), b" = 1;\n".to_vec()].concat()),
        ),
        ("blocks", behind("for i = 1:2\n".repeat(5_000).into_bytes())),
        (
            "nested sections",
            behind("\nDATA (Bus, [BusNum,\n".repeat(5_000).into_bytes()),
        ),
        (
            "sub-sections",
            behind("\nDATA (Bus, [BusNum])\n{\n<SUBDATA X>\n".repeat(5_000).into_bytes()),
        ),
        ("redirects", "Redirect case.dss\n".repeat(2_000).into_bytes()),
        (
            "likes",
            "New Load.a like=a\nNew Line.b like=c\nNew Line.c like=b\n"
                .repeat(500)
                .into_bytes(),
        ),
        ("long name", behind(vec![b'a'; 100_000])),
        (
            "long number",
            behind([b"\nmpc.baseMVA = ".to_vec(), vec![b'9'; 300_000], b";\n".to_vec()].concat()),
        ),
        ("quotes", behind(b"'\" ".repeat(60_000))),
        ("commas", behind(b",".repeat(200_000))),
        ("blanks", behind([vec![b' '; 200_000], b"x".to_vec()].concat())),
        ("empty lines", behind(vec![b'\n'; 200_000])),
        ("many short lines", behind(b"1\n".repeat(60_000))),
        ("many headers", behind(b"x (\n".repeat(40_000))),
        (
            "many sections",
            behind("bus data [1]\nload data [0]\n".repeat(3_000).into_bytes()),
        ),
        ("file fifty times", seed.repeat(50)),
    ]
}
