//! Bytes to module: encodings, identity, refusals by element, and no panic on any input.

mod common;

use common::{changed, ingest, refusal, CASE};
use wattbook_network::analysis::ElementKind;
use wattbook_network::{ingest_case, network_from_module};

#[test]
fn equal_bytes_give_equal_modules_and_the_module_gives_the_network() {
    let (a, b) = (ingest(CASE).expect("case"), ingest(CASE).expect("case"));
    assert_eq!((&a.module_json, &a.sha256), (&b.module_json, &b.sha256));
    assert_eq!(a.sha256.len(), 64);
    assert_eq!(network_from_module(&a.module_json).expect("module"), a.network);
    assert!(!a.has_coords);
    let other = ingest(&changed("	90	30	4", "	91	30	4")).expect("case");
    assert_ne!(a.sha256, other.sha256);
}

#[test]
fn text_that_is_not_utf8_is_taken_as_latin_1() {
    let mut bytes = CASE.replace("North", "Nord?st").into_bytes();
    let at = bytes.iter().position(|b| *b == b'?').expect("marker");
    bytes[at] = 0xf8;
    let case = ingest_case(&bytes, "matpower").expect("Latin-1");
    assert_eq!(case.network.buses[0].name.as_deref(), Some("Nord\u{f8}st"));
    let mut marked = vec![0xef, 0xbb, 0xbf];
    marked.extend_from_slice(CASE.as_bytes());
    assert_eq!(
        ingest_case(&marked, "matpower").expect("marked").network,
        ingest(CASE).expect("plain").network
    );
}

#[test]
fn what_is_no_case_is_refused_with_its_code() {
    for (bytes, code) in [
        (&b""[..], "INPUT.EMPTY"),
        (b" \n\t ", "INPUT.EMPTY"),
        (b"\xff\xfem\0p\0c\0", "INPUT.ENCODING"),
        (b"\0\0\0\0", "INPUT.ENCODING"),
        (b"hello", "INPUT.MISSING_TABLE"),
        (
            b"mpc.baseMVA = 1;\nmpc.bus = [];\nmpc.gen = [];\nmpc.branch = [];\n",
            "INPUT.EMPTY",
        ),
    ] {
        let error = ingest_case(bytes, "matpower").expect_err("no case");
        assert_eq!(error.code, code, "{error}");
    }
    for format in ["dss", "pwd", ""] {
        assert_eq!(
            ingest_case(CASE.as_bytes(), format).expect_err("format").code,
            "INPUT.FORMAT"
        );
    }
}

#[test]
fn conversions_are_carried_out_or_refused() {
    let converted = format!("{CASE}mpc.bus(:, [3, 4]) = mpc.bus(:, [3, 4]) / 1e3;\n");
    let bus = &ingest(&converted)
        .expect("the idiom of distribution cases")
        .network
        .buses[2];
    assert_eq!((bus.demand_pu, bus.demand_q_pu), (0.09 / 200.0, 0.03 / 200.0));
    for statement in [
        "mpc.bus(3, 3) = 7;\n",
        "mpc.gen(2, :) = [];\n",
        "mpc.bus(:, 3) = scaled(mpc.bus(:, 3));\n",
    ] {
        let error = refusal(&format!("{CASE}{statement}"));
        assert_eq!(error.code, "INPUT.MATPOWER_SCRIPT", "{statement}");
        assert!(
            error
                .message()
                .starts_with(&format!("Line {}:", CASE.lines().count() + 1)),
            "{error}"
        );
    }
}

#[test]
fn unsupported_equipment_is_refused_by_element() {
    let dcline = |status: u8| format!("{CASE}mpc.dcline = [\n10 20 {status} 10 9 0 0 1 1 0 20 0 0 0 0 0 0;\n];\n");
    let storage = |status: u8| format!("{CASE}mpc.storage = [\n20 0 0 5 10 1 1 0.9 0.9 9 -9 9 0 0 0 0 {status};\n];\n");
    let stored = |status: u8| ingest(&storage(status)).expect("a case").network.storages;
    assert!(stored(1)[0].in_service && !stored(0)[0].in_service);
    let lossless = storage(1).replace("0.9 0.9", "0.9 1.9");
    let error = refusal(&lossless);
    assert_eq!(error.code, "INPUT.STORAGE", "{error}");
    assert_eq!(error.element.map(|e| (e.kind, e.id)), Some((ElementKind::Storage, 1)));
    assert!(ingest(&lossless.replace("0 0 0 0 1;", "0 0 0 0 0;")).is_ok());
    let links = |text: &str| ingest(text).expect("a case").network.links;
    assert!(links(&dcline(1))[0].in_service && !links(&dcline(0))[0].in_service);
    let at_isolated = dcline(1).replace("10 20 1 10", "10 40 1 10");
    assert!(
        !links(&at_isolated)[0].in_service,
        "a link to an isolated bus is out of service"
    );
}

#[test]
fn modules_that_are_none_are_refused() {
    let module = ingest(CASE).expect("case").module_json;
    for text in [
        "",
        "{}",
        "[]",
        "null",
        "{\"schema\":\"pio-ir\",\"version\":1}",
        &module[..module.len() / 2],
    ] {
        assert_eq!(
            network_from_module(text).expect_err("no module").code,
            "MODULE.INVALID",
            "{:.40}",
            text
        );
    }
    let base = module.replacen("\"base_mva\": 200.0", "\"base_mva\": -1.0", 1);
    assert_eq!(network_from_module(&base).expect_err("base").code, "INPUT.BASE_MVA");
}

/// A deterministic sequence (SplitMix64), so that a failure can be repeated.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

#[test]
fn no_mutation_panics_and_what_is_read_is_sound() {
    const PIECES: [&str; 18] = [
        "[",
        "]",
        "{",
        "'",
        "%",
        "...",
        ";",
        "\n",
        "NaN",
        "-Inf",
        "1e999",
        "4294967296",
        "mpc.bus",
        "for",
        "end",
        "=",
        "%{",
        "-",
    ];
    let mut next = Sequence(3);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..4000 {
        let mut bytes = CASE.as_bytes().to_vec();
        for _ in 0..=next.below(3) {
            let at = next.below(bytes.len());
            match next.below(4) {
                0 => bytes[at] = next.below(256) as u8,
                1 => bytes.truncate(at + 1),
                2 => drop(bytes.drain(at..(at + 1 + next.below(30)).min(bytes.len()))),
                _ => drop(bytes.splice(at..at, PIECES[next.below(PIECES.len())].bytes())),
            }
            if bytes.is_empty() {
                bytes.push(b' ');
            }
        }
        match ingest_case(&bytes, "matpower") {
            Ok(case) => {
                read += 1;
                let net = case.network;
                assert!(net
                    .branches
                    .iter()
                    .all(|b| b.rating_pu > 0.0 && (b.is_rated() || b.rating_is_fallback)));
                assert!(net
                    .branches
                    .iter()
                    .all(|b| b.from < net.buses.len() && b.to < net.buses.len()));
                assert!(net.generators.iter().all(|g| !g.in_service
                    || (g.pmin_pu < f64::INFINITY && g.pmin_pu <= g.pmax_pu && g.pmax_pu > f64::NEG_INFINITY)));
            }
            Err(e) => {
                refused += 1;
                assert!(e.code.starts_with("INPUT.") || e.code == "PHYSICS.UNSUPPORTED", "{e}");
            }
        }
    }
    assert!(read > 200 && refused > 200, "{read} read, {refused} refused");
}
