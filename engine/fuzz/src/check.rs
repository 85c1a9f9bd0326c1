//! The guarantees of the entry points, as assertions: a panic here is a finding.

use wattbook_network::analysis::{AnalysisNetwork, Warning};
use wattbook_network::layout::layout_graph;
use wattbook_network::{
    classify_json, export_formats, export_module, ingest_json_drop, network_from_module, EngineError, Ingested,
    JsonDrop, JsonKind, ModulePayload,
};

/// Longest sentence, characters, that a dialog can show.
const LONGEST_SENTENCE: usize = 600;
/// Programmers' words that must not occur in a sentence, unless the file contains them itself.
const JARGON: [&str; 29] = [
    "Some(",
    ": None",
    "Ok(",
    "Err(",
    "Error {",
    "Error(",
    "panicked",
    "unwrap",
    "expected struct",
    "expected tuple",
    "expected enum",
    "a sequence",
    "a map",
    "ParseInt",
    "ParseFloat",
    "invalid float literal",
    "invalid digit found",
    "PhantomData",
    "untagged enum",
    "usize",
    "u64",
    "u32",
    "i64",
    "f64",
    "serde",
    " powerio",
    ".rs:",
    "\\u{",
    "RangeInclusive",
];
/// First segments of program paths, besides those of the reader and of this engine.
const PROGRAM: [&str; 5] = ["std", "core", "alloc", "serde", "serde_json"];
/// Prefixes of the codes of errors and warnings.
const CODES: [&str; 20] = [
    "INPUT.",
    "PHYSICS.",
    "MODULE.",
    "EXPORT.",
    "COST.",
    "RATING.",
    "GEO.",
    "LAYOUT.",
    "SOLVE.",
    "SENS.",
    "DELTA.",
    "RATE.",
    "BUS.",
    "BRANCH.",
    "EDIT.",
    "GENERATOR.",
    "REACTIVE.",
    "FORMULATION.",
    "PLAN.",
    "STUDY_FILE.",
];

/// Code of the form `INPUT.EMPTY`.
pub fn code(code: &str) {
    let plain = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_' || b == b'.';
    assert!(
        CODES.iter().any(|p| code.len() > p.len() && code.starts_with(p)) && code.bytes().all(plain),
        "code {code:?}"
    );
}

/// A sentence for users: it begins and ends like one, without control characters or jargon. A module may contain
/// sentences of its own.
pub fn sentence(text: &str, input: &[u8]) {
    let begins = text
        .chars()
        .next()
        .is_some_and(|c| !c.is_lowercase() && !c.is_whitespace());
    let stated = |word: &str| input.windows(word.len()).any(|w| w == word.as_bytes());
    assert!(
        begins && text.ends_with(['.', ')', '\u{2026}']) || stated(text),
        "no sentence: {text:?}"
    );
    visible(text);
    assert!(text.chars().count() <= LONGEST_SENTENCE, "too long: {text:?}");
    for word in JARGON {
        assert!(!text.contains(word) || stated(word.trim()), "{word:?} in: {text:?}");
    }
    // Names may contain colons too.
    for (at, _) in text.match_indices("::") {
        let word = text[..at].rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
        let word = word.unwrap_or_default();
        let is_ours = PROGRAM.contains(&word) || word.starts_with("powerio") || word.starts_with("wattbook");
        assert!(!is_ours || stated(word), "a path of the program in: {text:?}");
    }
}

/// Asserts that the text has no control characters and no invisible or direction-changing ones; a module may contain
/// line ends.
pub fn visible(text: &str) {
    if let Some(c) = text.chars().find(|c| is_hidden(*c)) {
        panic!("{c:?} in {:?}", text.chars().take(500).collect::<String>());
    }
}

fn is_hidden(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A refusal of input that programs write (requests, edits, plans, Study files): a known code, and one line that can be
/// shown. It may contain words of the JSON reader.
pub fn refusal(e: &EngineError, prefixes: &[&str]) {
    code(e.code);
    assert!(prefixes.iter().any(|p| e.code.starts_with(p)), "unexpected code: {e}");
    let message = e.message();
    visible(&message);
    assert!(!message.contains('\n'), "two lines: {e}");
    assert!(message.chars().count() <= LONGEST_SENTENCE, "too long: {message:?}");
    if let Some(details) = &e.details {
        visible(&details.to_string());
    }
}

/// An error of one of `prefixes`, with a sentence.
pub fn error(e: &EngineError, prefixes: &[&str], input: &[u8]) {
    code(e.code);
    assert!(prefixes.iter().any(|p| e.code.starts_with(p)), "unexpected code: {e}");
    sentence(&e.message(), input);
    assert!(!e.message().contains('\n'), "two lines: {e}");
    if let Some(details) = &e.details {
        visible(&details.to_string());
    }
}

/// Codes and sentences of warnings.
pub fn warnings(found: &[Warning], input: &[u8]) {
    for warning in found {
        code(warning.code);
        sentence(&warning.message(), input);
    }
}

/// Asserts that a network can be indexed and computed by solvers.
pub fn network(net: &AnalysisNetwork) {
    let n = net.buses.len();
    assert!(n > 0 && net.base_mva > 0.0 && net.base_mva.is_finite());
    assert!(net.n_canonical_buses <= n && net.n_canonical_branches <= net.branches.len());
    for b in &net.buses {
        let numbers = [
            b.base_kv,
            b.demand_pu,
            b.demand_q_pu,
            b.gs_pu,
            b.bs_pu,
            b.constant_current_pu[0],
            b.constant_current_pu[1],
            b.constant_impedance_pu[0],
            b.constant_impedance_pu[1],
            b.vmin_pu,
            b.vmax_pu,
        ];
        assert!(numbers.iter().all(|v| v.is_finite()), "{b:?}");
        assert!(
            b.lon_lat.is_none_or(|[x, y]| x.abs() <= 180.0 && y.abs() <= 90.0),
            "{b:?}"
        );
    }
    for b in &net.branches {
        let numbers = [
            b.r_pu,
            b.x_pu,
            b.shunt_from_pu[0],
            b.shunt_from_pu[1],
            b.shunt_to_pu[0],
            b.shunt_to_pu[1],
            b.tap,
            b.shift_rad,
            b.angle_min_rad,
            b.angle_max_rad,
        ];
        assert!(b.from < n && b.to < n && numbers.iter().all(|v| v.is_finite()), "{b:?}");
        assert!(
            b.rating_pu >= 0.0
                && (b.is_rated() || b.rating_is_fallback)
                && b.angle_min_rad <= b.angle_max_rad
                && b.tap != 0.0,
            "{b:?}"
        );
    }
    for g in &net.generators {
        assert!(
            g.bus < n && [g.pg_pu, g.qg_pu, g.vset_pu].iter().all(|v| v.is_finite()),
            "{g:?}"
        );
        // An infinite limit means no limit, and only in its own direction.
        let outward = g.pmin_pu < f64::INFINITY && g.pmax_pu > f64::NEG_INFINITY;
        assert!(!g.in_service || (g.pmin_pu <= g.pmax_pu && outward), "{g:?}");
    }
}

/// A case: its module reads to the same network and hash, classifies as a module, has a graph, and is exported to one
/// of the formats (chosen by its hash) or refused with a code.
pub fn case(case: &Ingested, input: &[u8]) {
    network(&case.network);
    warnings(&case.warnings, input);
    assert_eq!(case.sha256.len(), 64);
    let module = &case.module_json;
    visible(module);
    let names = case.network.buses.iter().filter_map(|b| b.name.as_ref());
    for name in names.chain([&case.network.name]) {
        visible(name);
        assert!(!name.contains('\n'), "a name of several lines: {name:?}");
    }
    let again = network_from_module(module).unwrap_or_else(|e| panic!("the module of the case is refused: {e}"));
    assert!(again == case.network, "the module gives another network");
    assert_eq!(classify_json(module.as_bytes()).kind, JsonKind::Module);
    match ingest_json_drop(module.as_bytes()) {
        Ok(JsonDrop::Module(ModulePayload::Balanced(dropped))) => {
            assert_eq!(dropped.sha256, case.sha256, "the module dropped has another hash");
            assert_eq!(dropped.warnings, case.warnings);
        }
        other => panic!(
            "the module dropped is {:?}",
            other.map_err(|e| e.to_string()).map(|_| "something else")
        ),
    }
    let graph = layout_graph(module).unwrap_or_else(|e| panic!("the module of the case has no graph: {e}"));
    assert_eq!(graph.len(), case.network.n_canonical_buses);
    let formats = export_formats();
    let chosen = usize::from_str_radix(&case.sha256[..4], 16).unwrap_or(0) % formats.len();
    export(module, formats[chosen].format, input);
}

/// Writes a module in one format.
pub fn export(module: &str, format: &str, input: &[u8]) {
    match export_module(module, format) {
        Ok(out) => {
            let (stem, extension) = out.file_name.rsplit_once('.').expect("a file name with an extension");
            assert!(
                !stem.is_empty() && !extension.is_empty() && out.file_name.is_ascii(),
                "{}",
                out.file_name
            );
            assert!(!out.bytes.is_empty(), "{format}: an empty file");
            warnings(&out.warnings, input);
        }
        Err(e) => error(&e, &["EXPORT.", "MODULE."], input),
    }
}
