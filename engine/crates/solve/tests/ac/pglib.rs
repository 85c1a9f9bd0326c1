//! AC power flow of the PGLib typ files of the data folder with the dispatch of the DC OPF, distributed slack and set-points of
//! 1.03 pu: every file solves and is certified, with reactive limits and without.

use wattbook_network::ingest_case;
use wattbook_solve::ac::{AcCertificate, AcData, AcModel, AcOptions, ReactiveLimits, SlackRule, Start};
use wattbook_solve::dc::{Convention, DcData, DcModel, DcOptimizer, DualActiveSet};

/// All typ files there are.
const TYP: usize = 66;

#[test]
fn every_typ_file_solves() {
    let Some(data) = crate::common::data_folder() else {
        return;
    };
    let mut files: Vec<_> = std::fs::read_dir(data.join("pglib"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "m"))
        .collect();
    files.sort();
    let (mut harmonic, mut within_limits, mut steps) = (0, 0, Vec::new());
    for path in &files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = std::fs::read(path).expect("a readable file");
        let network = ingest_case(&bytes, "matpower")
            .unwrap_or_else(|e| panic!("{name}: {e}"))
            .network;
        let dc = DcModel::new(&network, Convention::Service).unwrap_or_else(|e| panic!("{name}: {e}"));
        let optimum = DualActiveSet.optimum(&dc, &DcData::base(&network), None);
        let mut data = AcData::base(&network);
        data.output = optimum.unwrap_or_else(|e| panic!("{name}: {e}")).dispatch;
        for (set_point, g) in data.set_point.iter_mut().zip(&network.generators) {
            *set_point = f64::min(1.03, network.buses[g.bus].vmax_pu);
        }
        let model = AcModel::new(&network).unwrap_or_else(|e| panic!("{name}: {e}"));
        for reactive_limits in [false, true] {
            let options = AcOptions {
                slack: SlackRule::Distributed,
                reactive_limits,
                only_stored_start: false,
            };
            let s = model.solve(&data, options).unwrap_or_else(|e| panic!("{name}: {e}"));
            let certificate = AcCertificate::new(&network, &s);
            assert!(certificate.holds(), "{name}: {certificate:?}");
            if !reactive_limits {
                harmonic += usize::from(s.start == Start::Harmonic);
                steps.push(s.steps);
            }
            within_limits += usize::from(matches!(s.reactive_limits, ReactiveLimits::Kept { .. }));
        }
    }
    steps.sort_unstable();
    println!(
        "{} files solved ({harmonic} from the harmonic start, most steps {:?}), reactive limits enforced in {within_limits}; skipped: {} that are not there",
        files.len(),
        steps.last(),
        TYP - files.len().min(TYP)
    );
    // A solution within the limits need not exist in every case.
    assert!(within_limits * 10 >= files.len() * 8);
}
