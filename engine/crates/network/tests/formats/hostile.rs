//! Hostile input of every format: a coded error or a sound network, no panic, in bounded time.

use crate::common::{ingest, CASE};
use std::time::{Duration, Instant};
use wattbook_network::{
    classify_json, export_module, ingest_case, ingest_json_drop, EngineError, Ingested, JSON_FORMATS,
};

/// Longest that any one small input may take; generous, because tests share the machine.
const PATIENCE: Duration = Duration::from_secs(5);

const FORMATS: [&str; 4] = ["psse", "powerworld", "pslf", "pwb"];

/// Reads and checks that the answer is an error with a code or a network that solvers can index.
fn judged(bytes: &[u8], format: &str) -> Result<Ingested, EngineError> {
    let start = Instant::now();
    let result = ingest_case(bytes, format);
    assert!(start.elapsed() < PATIENCE, "{format}: {:?}", start.elapsed());
    match &result {
        Ok(case) => {
            let net = &case.network;
            assert!(net
                .branches
                .iter()
                .all(|b| b.rating_pu > 0.0 && (b.is_rated() || b.rating_is_fallback)));
            assert!(net
                .branches
                .iter()
                .all(|b| b.from < net.buses.len() && b.to < net.buses.len()));
            assert!(net
                .generators
                .iter()
                .all(|g| g.bus < net.buses.len() && !g.pmax_pu.is_nan()));
            assert!(net.buses.iter().all(|b| b.demand_pu.is_finite() && b.bs_pu.is_finite()));
        }
        Err(e) => assert!(
            e.code.starts_with("INPUT.") || e.code == "PHYSICS.UNSUPPORTED",
            "{format}: {e}"
        ),
    }
    result
}

/// The small case in a text format, as its writer states it.
fn written(format: &str) -> Vec<u8> {
    let text = match format {
        "pslf" => CASE.replace("0.98	-3", "0.98	0"),
        _ => CASE.to_string(),
    };
    export_module(&ingest(&text).expect("case").module_json, format)
        .expect("written")
        .bytes
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
fn empty_packed_and_foreign_bytes_are_refused_by_name() {
    for format in FORMATS
        .into_iter()
        .chain(["ieee-cdf", "ucte", "xiidm", "text"])
        .chain(JSON_FORMATS)
    {
        for (bytes, codes) in [
            (&b""[..], &["INPUT.EMPTY"][..]),
            (b" \r\n ", &["INPUT.EMPTY"]),
            (b"PK\x03\x04rest", &["INPUT.PACKED"]),
            (b"\x1f\x8b\x08", &["INPUT.PACKED"]),
            (&[0; 5000], &["INPUT.EMPTY", "INPUT.ENCODING"]),
        ] {
            let code = judged(bytes, format).expect_err("refused").code;
            assert!(codes.contains(&code), "{format}: {code}");
        }
        assert!(
            judged(b"hello", format).is_err() && judged(CASE.as_bytes(), format).is_err(),
            "{format}"
        );
    }
}

#[test]
fn positions_without_equipment_are_no_case() {
    let text = "DATA (BUS, [BusNum,Latitude,Longitude])\n{\n1 40 -80\n2 41 -81\n}\n";
    let error = judged(text.as_bytes(), "powerworld").expect_err("no network");
    assert_eq!(error.code, "INPUT.NO_EQUIPMENT");
    assert!(error.message().contains("as a geographic layer"), "{error}");
}

#[test]
fn random_bytes_and_mutations_never_panic() {
    const PIECES: [&str; 16] = [
        "0",
        "-1",
        "1e308",
        "-1e999",
        "NaN",
        "Inf",
        "4294967296",
        "'",
        "\"",
        "/",
        ",",
        "\n",
        "Q",
        "}",
        "{",
        "0 / END OF BUS DATA",
    ];
    let mut next = Sequence(7);
    for format in [
        "psse",
        "powerworld",
        "pslf",
        "powermodels-json",
        "egret-json",
        "pandapower-json",
    ] {
        let original = written(format);
        assert!(judged(&original, format).is_ok(), "{format}");
        let (mut read, mut refused) = (0, 0);
        for _ in 0..600 {
            let mut bytes = original.clone();
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
            match judged(&bytes, format) {
                Ok(_) => read += 1,
                Err(_) => refused += 1,
            }
        }
        assert!(refused > 100 && read > 0, "{format}: {read} read, {refused} refused");
        let noise: Vec<u8> = (0..20_000).map(|_| next.below(256) as u8).collect();
        assert!(judged(&noise, format).is_err() && judged(&noise, "pwb").is_err());
    }
}

#[test]
fn a_text_file_cut_at_every_percent_is_refused_or_whole() {
    for format in [
        "psse",
        "psse35",
        "pslf",
        "powermodels-json",
        "egret-json",
        "pandapower-json",
    ] {
        let bytes = written(format);
        let reader = format.trim_end_matches("35");
        let whole = judged(&bytes, reader).expect("read").network;
        for percent in 1..100 {
            // A truncated file that is read has lost nothing: the end of a comment, or the `Q` after the last section.
            if let Ok(case) = judged(&bytes[..bytes.len() * percent / 100], reader) {
                assert!(case.network == whole, "{format} at {percent} %");
            }
        }
    }
    // An .aux file has no end mark: cut between two of its sections, it looks complete.
    let bytes = written("powerworld");
    let text = String::from_utf8(bytes).expect("text");
    for percent in 1..100 {
        let end = (0..=text.len() * percent / 100)
            .rev()
            .find(|at| text.is_char_boundary(*at));
        let cut = &text[..end.expect("the beginning is a boundary")];
        let between = cut.trim_end().ends_with('}');
        assert!(between || judged(cut.as_bytes(), "powerworld").is_err(), "{percent} %");
    }
}

#[test]
fn numbers_no_network_can_have_are_refused() {
    let raw = String::from_utf8(written("psse")).expect("text");
    let first_load = raw.find("BEGIN LOAD DATA").expect("section");
    for number in ["NaN", "1e999", "-Inf", "1e308,1e308,1e308"] {
        let changed = format!("{}{}", &raw[..first_load], raw[first_load..].replacen("90", number, 1));
        assert_ne!(changed, raw);
        let result = judged(changed.as_bytes(), "psse");
        assert!(result.is_err(), "{number}");
    }
    let bus_line = raw.lines().nth(3).expect("first bus");
    let doubled = raw.replacen(bus_line, &format!("{bus_line}\n{bus_line}"), 1);
    let code = judged(doubled.as_bytes(), "psse").expect_err("twice").code;
    assert!(["INPUT.DUPLICATE_BUS", "INPUT.PARSE"].contains(&code), "{code}");
}

#[test]
fn deep_and_odd_json_is_unknown_or_refused() {
    let deep = |open: &str, close: &str, n: usize| format!("{}{}", open.repeat(n), close.repeat(n));
    let nested = deep("[", "]", 100_000);
    for text in [
        nested.clone(),
        deep("{\"bus\":", "}", 50_000),
        format!("{{\"bus\":{nested},\"branch\":{{\"1\":{{}}}}}}"),
        "{\"bus\":".to_string(),
        "[]".into(),
        "null".into(),
        "1e999".into(),
        "\"bus\"".into(),
    ] {
        assert_eq!(classify_json(text.as_bytes()).format, None);
        assert!(ingest_json_drop(text.as_bytes()).is_ok());
        for format in JSON_FORMATS {
            assert!(judged(text.as_bytes(), format).is_err());
        }
    }
}

/// One file of each format from the data folder, cut at every percent; the binary format, which takes longest, at every
/// tenth.
#[test]
fn real_files_cut_anywhere_are_refused_or_whole() {
    let Some(folder) = crate::data::folder() else { return };
    for (name, format) in [
        ("raw/powsybl/IEEE_14_bus.raw", "psse"),
        ("raw/interpss/PSSEV30_GuideSample.raw", "psse"),
        ("raw/interpss/ieee9_v36.raw", "psse"),
        ("raw/powsybl/IEEE_14_bus_rev35.rawx", "psse-rawx"),
        ("epc/Sample18Bus.epc", "pslf"),
        ("aux/ieee14.AUX", "powerworld"),
        ("rts_gmlc/RTS-GMLC.PWB", "pwb"),
        ("case_json/egret_case30.json", "egret-json"),
        ("case_json/opfdataset_example_0.json", "opfdata-json"),
        ("case_json/pandapower_example.json", "pandapower-json"),
        ("case_json/goc3_small.json", "goc3-json"),
    ] {
        let Ok(bytes) = std::fs::read(folder.join(name)) else {
            println!("skipped: {name}");
            continue;
        };
        let whole = judged(&bytes, format).ok().map(|case| case.network);
        let mut read = 0;
        for percent in (1..100).step_by(if format == "pwb" { 10 } else { 1 }) {
            let cut = &bytes[..bytes.len() * percent / 100];
            if let Ok(case) = judged(cut, format) {
                read += 1;
                assert!(whole.as_ref() == Some(&case.network), "{name} at {percent} %");
            }
        }
        println!("{name}: {read} cut files have lost nothing");
    }
}
