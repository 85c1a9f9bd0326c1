//! Hostile multiconductor input: coded errors, no panic, bounded work.

use crate::small::{feeder, refusal, with, FEEDER};
use wattbook_network::distribution::{ingest_distribution, inspect_distribution};
use wattbook_network::geo::apply_geo;
use wattbook_network::layout::layout_graph;
use wattbook_network::EngineError;

fn is_coded(e: &EngineError) {
    let known = ["INPUT.", "PHYSICS.", "MODULE."].iter().any(|p| e.code.starts_with(p));
    assert!(known && !e.message().is_empty(), "{e:?}");
    assert!(e.message().len() < 4000, "{}", e.message().len());
}

/// Reads a case and, where it is read, everything that follows from it.
fn survives(bytes: &[u8], format: &str, companions: &[(String, Vec<u8>)]) -> bool {
    match ingest_distribution(bytes, format, companions) {
        Ok(d) => {
            assert!(d.load_kw.is_finite() && d.gen_kw.is_finite());
            assert_eq!(layout_graph(&d.module_json).expect("a graph").len(), d.buses.len());
            assert_eq!(inspect_distribution(&d.module_json), Ok(d));
            true
        }
        Err(e) => {
            is_coded(&e);
            false
        }
    }
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

#[test]
fn truncated_and_mutated_scripts() {
    let whole = FEEDER.as_bytes();
    let read = (0..whole.len())
        .filter(|&end| survives(&whole[..end], "dss", &[]))
        .count();
    // A script has no end mark: a cut between two lines gives a smaller case, a cut before the first element none.
    assert!(read > 0 && read < whole.len(), "{read}");
    let mut random = Random(7);
    for _ in 0..3000 {
        let mut bytes = whole.to_vec();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes[at] = b"=.,()[]|!~ \n/@\"0-9e"[random.below(19)],
                2 => drop(bytes.drain(at..(at + 1 + random.below(30)).min(whole.len() - 40).max(at))),
                _ => {
                    let piece = whole[random.below(whole.len() - 20)..][..20].to_vec();
                    bytes.splice(at..at, piece);
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        survives(&bytes, "dss", &[]);
    }
}

#[test]
fn truncated_files_at_every_percent_and_random_bytes() {
    let mut random = Random(11);
    for length in [1, 10, 1000, 20_000] {
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        for format in ["dss", "bmopf-json", "pmd-json"] {
            assert!(!survives(&bytes, format, &[]));
        }
    }
    let Some(folder) = crate::data_folder::folder() else {
        return;
    };
    for (path, format) in [
        ("dss/123Bus/IEEE123Switches.dss", "dss"),
        ("pmd_validation/opendss/trans_3w_center_tap.dss", "dss"),
        ("dist_json/bmopf/ieee34.json", "bmopf-json"),
        ("dist_json/bmopf_2026-06/example_ieee13.json", "bmopf-json"),
        ("dist_json/pmd/ieee13.json", "pmd-json"),
    ] {
        let file = folder.join(path);
        let whole = std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        for percent in 0..100 {
            let read = survives(&whole[..whole.len() * percent / 100], format, &[]);
            assert!(!(read && format != "dss"), "{path} at {percent} %");
        }
        for _ in 0..40 {
            let mut bytes = whole.clone();
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
            survives(&bytes, format, &[]);
        }
    }
}

#[test]
fn numbers_that_are_none_name_their_element() {
    for (lines, element) in [
        ("New Load.huge bus1=far kv=0.4 kw=1e308", "load.huge"),
        ("New Generator.g bus1=far kv=0.4 kw=1e308", "generator.g"),
    ] {
        let e = refusal(lines);
        assert_eq!(
            (e.code, e.details.expect("details")["element"].as_str()),
            ("INPUT.NOT_FINITE", Some(element))
        );
    }
    for lines in [
        "New Load.nan bus1=far kv=0.4 kw=NaN",
        "New Line.nan bus1=far bus2=x length=nan",
        "New Line.inf bus1=far bus2=x length=1e400",
        "set frequency=nan",
        "set defaultbasefreq=-1",
        "New Load.a bus1=far kv=0.4 kw=9e304\nNew Load.b bus1=far kv=0.4 kw=9e304",
    ] {
        let text = FEEDER.replace("Solve\n", &format!("{lines}\n"));
        survives(text.as_bytes(), "dss", &[]);
    }
    for number in ["1e999", "\"NaN\"", "null", "{}", "[[]]", "-1e308"] {
        let text = format!(
            "{{\"bus\":{{\"a\":{{\"terminal_names\":[\"1\"]}},\"b\":{{\"terminal_names\":[\"1\"]}}}},\
             \"load\":{{\"l\":{{\"bus\":\"b\",\"terminal_map\":[\"1\"],\"configuration\":\"WYE\",\"p_nom\":[{number}],\"q_nom\":[0]}}}},\
             \"switch\":{{\"s\":{{\"bus_from\":\"a\",\"bus_to\":\"b\",\"terminal_map_from\":[\"1\"],\"terminal_map_to\":[\"1\"]}}}}}}"
        );
        survives(text.as_bytes(), "bmopf-json", &[]);
    }
}

#[test]
fn names_that_occur_twice_and_ends_that_do_not_exist() {
    let document = |buses: &str, load: &str| {
        format!(
            "{{\"bus\":{{{buses}}},\"load\":{{{load}}},\"switch\":{{\"s\":{{\"bus_from\":\"a\",\"bus_to\":\"b\",\
             \"terminal_map_from\":[\"1\"],\"terminal_map_to\":[\"1\"]}}}}}}"
        )
    };
    let refused = |text: String| {
        let e = ingest_distribution(text.as_bytes(), "bmopf-json", &[]).expect_err("refused");
        (
            e.code,
            e.details
                .map_or(String::new(), |d| d["element"].as_str().unwrap_or_default().to_owned()),
        )
    };
    let two = "\"a\":{\"terminal_names\":[\"1\"]},\"b\":{\"terminal_names\":[\"1\"]}";
    let load =
        "\"l\":{\"bus\":\"b\",\"terminal_map\":[\"1\"],\"configuration\":\"SINGLE_PHASE\",\"p_nom\":[1],\"q_nom\":[0]}";
    assert!(survives(document(two, load).as_bytes(), "bmopf-json", &[]));
    let twice = |text: String| assert_eq!(refused(text).0, "INPUT.DUPLICATE_ELEMENT");
    twice(document(&format!("{two},\"b\":{{\"terminal_names\":[\"2\"]}}"), load));
    twice(document(&format!("{two},\"B\":{{\"terminal_names\":[\"2\"]}}"), load));
    twice(document(two, &format!("{load},{load}")));
    twice(document(two, load).replacen('{', &format!("{{\"bus\":{{{two}}},"), 1));
    let nowhere = document(two, &load.replace("\"bus\":\"b\"", "\"bus\":\"c\""));
    assert_eq!(refused(nowhere), ("INPUT.UNKNOWN_BUS", "load.l".into()));
    let nowhere = document(two, load).replace("\"bus_to\":\"b\"", "\"bus_to\":\"zz\"");
    assert_eq!(refused(nowhere), ("INPUT.UNKNOWN_BUS", "switch.s".into()));
    // In a script the second `New` edits the first element, and the parser reports it.
    assert!(with("New Load.one kw=4")
        .warnings
        .iter()
        .any(|w| w.message().contains("duplicate")));
}

#[test]
fn scripts_that_include_themselves() {
    let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
    let refused = |main: &str, files: &[(String, Vec<u8>)]| {
        let e = ingest_distribution(main.as_bytes(), "dss", files).expect_err("a cycle");
        (e.code, e.message())
    };
    let head = "New Circuit.c bus1=a basekv=1\nNew Line.l bus1=a bus2=b\n";
    let one = [file("a.dss", "Redirect a.dss\nRedirect a.dss\n")];
    assert_eq!(
        refused(&format!("{head}Redirect a.dss"), &one).0,
        "INPUT.REDIRECT_CYCLE"
    );
    let two = [file("a.dss", "Redirect b.dss"), file("b.dss", "Compile x/../A.DSS")];
    assert_eq!(
        refused(&format!("{head}Redirect a.dss"), &two).0,
        "INPUT.REDIRECT_CYCLE"
    );
    let chain: Vec<_> = (0..200)
        .map(|k| file(&format!("{k}.dss"), &format!("Redirect {}.dss", k + 1)))
        .collect();
    assert_eq!(refused("Redirect 0.dss", &chain).0, "INPUT.REDIRECT_CYCLE");
    // Files that include one another without a cycle may still double at every step: 2^30 inclusions of one line.
    let mut steps: Vec<_> = (0..30)
        .map(|k| {
            file(
                &format!("{k}.dss"),
                &format!("Redirect {0}.dss\nRedirect {0}.dss\n", k + 1),
            )
        })
        .collect();
    steps.push(file("30.dss", "New Load.x bus1=b kw=1\n"));
    assert_eq!(
        refused(&format!("{head}Redirect 0.dss"), &steps).0,
        "INPUT.REDIRECT_CYCLE"
    );
    let escaping = refused(&format!("{head}Redirect ../../etc/passwd"), &[]);
    assert_eq!(escaping.0, "INPUT.COMPANION");
    assert_eq!(
        refused("var @f=a.dss\nRedirect @f", &[file("a.dss", head)]).0,
        "INPUT.COMPANION"
    );
    assert_eq!(
        refused(&format!("{head}Redirect a.dss"), &[file("a.dss", "\u{0}")]).0,
        "INPUT.COMPANION"
    );
    let twins = [file("a.dss", head), file("A.DSS", head)];
    assert_eq!(refused("Redirect a.dss", &twins).0, "INPUT.COMPANION");
}

#[test]
fn elements_that_copy_one_another_and_deep_documents() {
    for lines in [
        "New Line.a like=b\nNew Line.b like=a\nEdit Line.a like=a",
        "New Load.a like=a bus1=far",
        "New RegControl.a like=a transformer=a",
    ] {
        let text = FEEDER.replace("Solve\n", &format!("{lines}\n"));
        survives(text.as_bytes(), "dss", &[]);
    }
    for depth in [100, 10_000, 1_000_000] {
        let text = format!("{{\"bus\":{}{}}}", "{\"a\":".repeat(depth), "}".repeat(depth));
        for format in ["bmopf-json", "pmd-json"] {
            assert!(!survives(text.as_bytes(), format, &[]));
        }
        survives(
            format!("New Circuit.c\nNew Line.a r1={}", "(".repeat(depth)).as_bytes(),
            "dss",
            &[],
        );
    }
}

#[test]
fn large_and_packed_inputs() {
    let code = |bytes: &[u8], files: &[(String, Vec<u8>)]| match ingest_distribution(bytes, "dss", files) {
        Ok(_) => panic!("not refused"),
        Err(e) => e.code,
    };
    assert_eq!(code(&vec![0; 100 << 20], &[]), "INPUT.NO_EQUIPMENT");
    assert_eq!(code(&vec![b'\n'; 129 << 20], &[]), "INPUT.EMPTY");
    assert_eq!(code(&vec![b'x'; 129 << 20], &[]), "INPUT.TOO_LARGE");
    let half = |name: &str| (name.to_owned(), vec![b' '; 64 << 20]);
    assert_eq!(code(FEEDER.as_bytes(), &[half("a"), half("b")]), "INPUT.TOO_LARGE");
    assert_eq!(code(b"PK\x03\x04rest", &[]), "INPUT.PACKED");
    assert_eq!(code(b"\xff\xfeN\x00e\x00w\x00", &[]), "INPUT.ENCODING");
    // Latin-1 is taken as such.
    let named = FEEDER.replace("far", "f\u{e4}r");
    let latin1: Vec<u8> = named
        .chars()
        .map(|c| u8::try_from(u32::from(c)).expect("Latin-1"))
        .collect();
    let read = ingest_distribution(&latin1, "dss", &[]).expect("Latin-1");
    assert!(read.buses.iter().any(|b| b.id == "f\u{e4}r"));
}

#[test]
fn many_elements_stay_bounded() {
    let mut text = String::from("New Circuit.c bus1=b0 basekv=1\n");
    for k in 0..20_000 {
        text.push_str(&format!("New Line.l{k} bus1=b{k} bus2=b{} phases=1 switch=y\n", k + 1));
    }
    for k in 0..3000 {
        text.push_str(&format!("New RegControl.r{k} transformer=none\n"));
    }
    let d = feeder(&text).expect("a long feeder");
    assert_eq!((d.buses.len(), d.edges.len()), (20_001, 20_000));
    assert!(d.warnings.len() < 1100, "{}", d.warnings.len());
}

#[test]
fn modules_that_someone_changed() {
    let module = feeder(FEEDER).expect("the feeder").module_json;
    let mut random = Random(3);
    for _ in 0..400 {
        let mut bytes = module.clone().into_bytes();
        let at = random.below(bytes.len());
        let end = (at + random.below(12)).min(bytes.len());
        match random.below(3) {
            0 => bytes[at] = b"0123456789\"{}[],:enx"[random.below(20)],
            1 => drop(bytes.drain(at..end)),
            _ => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match inspect_distribution(&text) {
            Ok(d) => assert_eq!(inspect_distribution(&d.module_json), Ok(d)),
            Err(e) => is_coded(&e),
        }
        if let Err(e) = layout_graph(&text) {
            is_coded(&e);
        }
        if let Err(e) = apply_geo(&text, b"mid, 1, 2\nlv, 3, 4\n") {
            is_coded(&e);
        }
    }
    // Internal elements whose marks are taken away or pointed elsewhere.
    for (from, to) in [
        ("_pio_vsource_source_emf", "mid"),
        ("dss_external_contacts", "dss_other"),
        ("\"line.spare\"", "\"line.\""),
        ("_pio_open_line_spare_ports", "far"),
        (" Thevenin impedance", ""),
    ] {
        assert!(module.contains(from), "{from}");
        let text = module.replace(from, to);
        if let Err(e) = inspect_distribution(&text) {
            is_coded(&e);
        }
        if let Err(e) = layout_graph(&text) {
            is_coded(&e);
        }
    }
}
