//! Damaged and random layers: an answer or a coded error, never a panic, in bounded time.

use wattbook_network::display::parse_display;
use wattbook_network::geo::{apply_geo, parse_layer};

const LAYER: &str = r#"{"type":"FeatureCollection","powerio_geo":{"space":"geographic","kind":"manual"},"features":[
{"type":"Feature","id":10,"properties":{"bus":[10,{"id":"20"}]},"geometry":{"type":"Point","coordinates":[-100.5,31.25]}},
{"type":"Feature","properties":{"from":10,"to":20},"geometry":{"type":"LineString","coordinates":[[-100.5,31.25],[-1e308,NaN]]}}]}"#;

/// A fixed sequence of bytes (xorshift).
fn noise(n: usize, mut state: u64) -> Vec<u8> {
    (0..n)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        })
        .collect()
}

#[test]
fn truncated_mutated_and_random_layers() {
    let module = crate::common::ingest(crate::common::CASE)
        .expect("the case")
        .module_json;
    let aux = "DATA (Bus, [Number,Latitude,Longitude])\n{\n 10 31.25 -100.5 \"a\n}\nDATA (Substation, [])\n{\n1 2\n}\n";
    let csv = "bus,lat,lon,\"a\"\"b\n10,31.25,-100.5,'x'\n20;1e308,NaN\n";
    for text in [LAYER, aux, csv] {
        for end in 0..text.len() {
            let _ = parse_layer(&text.as_bytes()[..end]);
        }
        for (k, byte) in noise(4 * text.len(), 7).into_iter().enumerate() {
            let mut bytes = text.as_bytes().to_vec();
            let n = bytes.len();
            bytes[k % n] = byte;
            let _ = parse_layer(&bytes);
        }
    }
    for seed in 1..200 {
        let mut bytes = noise(300, seed);
        assert!(apply_geo(&module, &bytes).is_err());
        bytes.iter_mut().for_each(|b| *b = 32 + *b % 95);
        let _ = apply_geo(&module, &bytes);
        assert!(parse_display(&bytes).is_err());
    }
}

#[test]
fn long_lines_and_many_records_end_soon() {
    let quotes = "\"".repeat(3_000_000);
    assert!(parse_layer(quotes.as_bytes()).is_err());
    let commas = format!("bus,lat,lon\n{}", ",".repeat(2_000_000));
    assert!(parse_layer(commas.as_bytes()).is_err());
    let braces = format!("Bus (Number,Latitude,Longitude)\n{}", "{\n}\n".repeat(200_000));
    assert!(parse_layer(braces.as_bytes()).is_err());
    let headers = format!("Bus (Number\n{}", "x (\n".repeat(200_000));
    assert!(parse_layer(headers.as_bytes()).is_err());
    let module = crate::common::ingest(crate::common::CASE)
        .expect("the case")
        .module_json;
    let mut rows = String::from("from,to,lat1,lon1,lat2,lon2\n");
    rows.extend((0..200_000).map(|k| format!("{},20,1,2,3,4\n", k % 40)));
    let report = apply_geo(&module, rows.as_bytes())
        .expect("pairs 10-20 and 30-20 exist")
        .report;
    assert_eq!((report.warnings.len(), report.matched_branches), (1000, 2));
    assert_eq!(report.warnings_left_out, report.unmatched_records - 1000);
}

#[test]
fn a_hostile_module_is_refused() {
    for module in ["", "{}", "[", "null"] {
        assert_eq!(
            apply_geo(module, LAYER.as_bytes()).expect_err("no module").code,
            "MODULE.INVALID"
        );
    }
}
