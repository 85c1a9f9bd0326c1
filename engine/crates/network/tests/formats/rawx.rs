//! RAWX: the network of the RAW file with the same records, and refusals by line.

use crate::data;
use wattbook_network::{classify_json, ingest_case, JsonKind};

const RAWX: &str = include_str!("../../../../fuzz/seeds/every_table.rawx");

/// PowSyBl's IEEE 14-bus case in both forms.
#[test]
fn both_forms_of_a_published_case_are_one_network() {
    let Some(folder) = data::folder() else { return };
    let read = |name: &str, format: &str| {
        let bytes = std::fs::read(folder.join("raw/powsybl").join(name)).expect("the file");
        ingest_case(&bytes, format).unwrap_or_else(|e| panic!("{e}")).network
    };
    let [raw, rawx] = [
        read("IEEE_14_bus_rev35.raw", "psse"),
        read("IEEE_14_bus_rev35.rawx", "psse-rawx"),
    ];
    assert_eq!((raw.buses.len(), raw.branches.len(), raw.generators.len()), (14, 20, 5));
    assert_eq!(raw.buses, rawx.buses);
    assert_eq!(raw.branches, rawx.branches);
    assert_eq!(raw.generators, rawx.generators);
}

#[test]
fn documents_are_recognised_by_their_content() {
    let class = classify_json(RAWX.as_bytes());
    assert_eq!((class.kind, class.format), (JsonKind::Transmission, Some("psse-rawx")));
}

#[test]
fn tables_and_columns_without_a_record_of_raw_are_named() {
    let further = r#""network": {"storage": {"fields": ["ibus"], "data": [[1], [2]]}, "#;
    let text = RAWX
        .replacen("\"network\": {", further, 1)
        .replacen("\"baskv\"", "\"basekv\"", 1);
    let read = ingest_case(text.as_bytes(), "psse-rawx").expect("a case");
    let messages: Vec<String> = read.warnings.iter().map(|warning| warning.message()).collect();
    for words in [
        "2 records are left out: `storage`.",
        "4 values are not part of this model: `bus.basekv`.",
    ] {
        assert!(
            messages.iter().any(|message| message == words),
            "{words}: {messages:#?}"
        );
    }
}

#[test]
fn rows_that_cannot_be_read_are_refused_by_line() {
    let line = |words: &str| RAWX.lines().position(|line| line.contains(words)).expect(words) + 1;
    let generator = line("\"generator\"") + 1;
    let row = RAWX.lines().nth(generator - 1).expect("a row");
    let longer = row.replacen('[', "[1, ", 1);
    let word = row.replacen("110", "\"x\"", 1);
    let cut = &RAWX[..RAWX.len() / 2];
    for (text, code, message) in [
        (
            RAWX.replacen(row, &longer, 1),
            "INPUT.PARSE",
            format!("Line {generator}: the row of table `generator` has 31 values"),
        ),
        (
            RAWX.replacen(row, &word, 1),
            "INPUT.PARSE",
            format!("Line {generator}: `x` is not a finite number."),
        ),
        (
            RAWX.replacen("\"caseid\"", "\"case\"", 1),
            "INPUT.PARSE",
            "The document has no `network`".into(),
        ),
        (
            RAWX.replacen("1, 35, 100.0", "1, 34, 100.0", 1),
            "INPUT.REVISION",
            "states revision 34".into(),
        ),
        (cut.into(), "INPUT.PARSE", "it is cut off".into()),
        (
            RAWX.replacen(
                "\"facts\"",
                "\"gne\": {\"fields\": [\"name\"], \"data\": [[\"User\"]]}, \"facts\"",
                1,
            ),
            "PHYSICS.UNSUPPORTED",
            "`User`".into(),
        ),
    ] {
        assert_ne!(text, RAWX, "{message}");
        let error = ingest_case(text.as_bytes(), "psse-rawx")
            .map(|_| ())
            .expect_err(&message);
        assert_eq!(error.code, code, "{error}");
        assert!(error.message().contains(&message), "{error}");
    }
}
