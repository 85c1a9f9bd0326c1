use super::*;
use crate::message::pieces::{piece, LONGEST};

fn refusal(message: &str) -> String {
    sentence(message_key!("reader.file", cause), message).english()
}

#[test]
fn rows_count_from_one() {
    for (message, sentence) in [
        (
            "could not parse `branch` row 0 value `abc` as f64",
            "Row 1 of `mpc.branch` holds `abc`, which is not a number.",
        ),
        (
            "malformed MATPOWER `gencost` row 2: expected at least 13 columns, got 10",
            "Row 3 of `mpc.gencost`: expected at least 13 columns, got 10.",
        ),
        (
            "decoded network fails validation: network read error: branch 0 references unknown bus 77",
            "Branch 1 refers to bus 77, which does not exist.",
        ),
        (
            "PowerWorld .aux read error: load references unknown bus 77",
            "A load refers to bus 77, which does not exist.",
        ),
    ] {
        assert_eq!(refusal(message), sentence);
    }
}

#[test]
fn json_errors_say_where_and_what() {
    for (message, sentence) in [
        (
            "egret JSON read error: EOF while parsing a list at line 1 column 2331",
            "Line 1, column 2331: the file ends inside a list: it is cut off.",
        ),
        (
            "PowerModels JSON read error: invalid type: string \"baseMVA\", expected struct Document at line 1 column 9",
            "Line 1, column 9: invalid type: string \"baseMVA\", expected an object.",
        ),
        (
            "invalid type: string \"usize\", expected usize at line 132 column 21",
            "Line 132, column 21: invalid type: string \"usize\", expected a whole number.",
        ),
        (
            "invalid type: floating point `1e+16`, expected f64",
            "The file cannot be read: invalid type: the number `1e+16`, expected a number.",
        ),
        (
            "invalid type: string \"a \\\"f64 map\", expected f64 at line 1 column 2",
            "Line 1, column 2: invalid type: string \"a \\\"f64 map\", expected a number.",
        ),
        (
            "data did not match any variant of untagged enum Wire at line 2 column 1",
            "Line 2, column 1: the value is none of the kinds that belong here.",
        ),
    ] {
        assert_eq!(refusal(message), sentence);
    }
}

#[test]
fn what_is_not_known_still_reads_as_a_sentence() {
    for (message, sentence) in [
        (
            "PSS/E .raw read error: header SBASE is not a number",
            "The file cannot be read: header SBASE is not a number.",
        ),
        ("baseMVA is missing", "The file cannot be read: `baseMVA` is missing."),
        (
            "`network` contains unknown field `a\u{7}b`",
            "The file cannot be read: `network` contains unknown field `ab`.",
        ),
        (
            "only these are decoded (see powerio/src/x.md)",
            "The file cannot be read: only these are decoded.",
        ),
        (
            "REQUEST.DIAGNOSTIC.INVALID_CODE: invalid diagnostic code `1d3`",
            "The file cannot be read: invalid diagnostic code `1d3`.",
        ),
        (
            "XIIDM XML emission failed: no single reference bus (BusType::Ref); it is omitted",
            "The file cannot be read: no single reference bus; it is omitted.",
        ),
        (
            "unqualified source property phas?",
            "The file cannot be read: unqualified source property phas?.",
        ),
        ("", "The file cannot be read: the reader gives no reason."),
    ] {
        assert_eq!(refusal(message), sentence);
    }
    let older = refusal(
        "unsupported stored module `pio-ir` version 1 written by powerio 0.9.0: this build reads `pio-ir` version 2",
    );
    assert!(
        older.starts_with("The module is a `pio-ir` of generation 1, written by powerio 0.9.0;"),
        "{older}"
    );
    assert_eq!(refusal(&"X".repeat(2000)).chars().count(), LONGEST + 1);
    let quoted = refusal(&format!(
        "invalid type: string \"{}\", expected struct Document",
        "\u{ff}".repeat(2000)
    ));
    assert!(
        quoted.ends_with("\u{2026}\", expected an object.") && quoted.chars().count() < 150,
        "{quoted}"
    );
    assert_eq!(piece(" 1\t2\u{0}34 ", 4), "1 23\u{2026}");
    assert_eq!(piece(" 1\t2\u{202e}3 ", 4), "1 23");
}
