//! Every MATPOWER file of the data folder is read, or refused for the reason its contents give.
//!
//! Where the data folder is absent the test says so.

#[path = "common/data.rs"]
mod data;

use wattbook_network::{ingest_case, network_from_module};

/// Files that must be refused, with the code.
const REFUSED: [(&str, &str); 5] = [
    ("RTS_GMLC.m", "PHYSICS.UNSUPPORTED"),
    ("case_RTS_GMLC.m", "PHYSICS.UNSUPPORTED"),
    ("t_case9_dcline.m", "PHYSICS.UNSUPPORTED"),
    ("t_case9_pf.m", "INPUT.MISSING_TABLE"),
    ("t_case9_opf.m", "INPUT.MISSING_TABLE"),
];

#[test]
fn every_matpower_file_is_read_or_refused_for_its_reason() {
    let Some(folder) = data::folder() else { return };
    let paths = data::files(&folder, &["m"]);
    let (mut read, mut refused) = (0, 0);
    let mut wrong = Vec::new();
    for path in &paths {
        let name = path
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default();
        let bytes = std::fs::read(path).expect("file of the data folder");
        let expected = REFUSED.iter().find(|(n, _)| *n == name).map(|(_, code)| *code);
        match (ingest_case(&bytes, "matpower"), expected) {
            (Ok(case), None) => {
                read += 1;
                match network_from_module(&case.module_json) {
                    Ok(again) if again == case.network => {}
                    Ok(_) => wrong.push(format!("{name}: the module reads as a different network")),
                    Err(e) => wrong.push(format!("{name}: its module is refused: {e}")),
                }
                let bad = case
                    .network
                    .branches
                    .iter()
                    .find(|b| !(b.rating_pu > 0.0 && b.rating_pu.is_finite()));
                wrong.extend(bad.map(|b| format!("{name}: branch {} rated {}", b.id, b.rating_pu)));
            }
            (Err(e), Some(code)) if e.code == code => refused += 1,
            (Ok(_), Some(code)) => wrong.push(format!("{name}: read, but should be refused with {code}")),
            (Err(e), _) => wrong.push(format!("{name}: {e}")),
        }
    }
    println!("{read} read, {refused} refused as expected, of {} files", paths.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(!paths.is_empty(), "the data folder has no .m files");
}
