//! Every balanced file of the data folder that is not MATPOWER, with what must become of it.
//!
//! The counts of the RAW files were checked against an independent count of their records.

#[path = "common/data.rs"]
mod data;

use wattbook_network::{
    classify_json, format_of, ingest_case, ingest_json_drop, network_from_module, JsonDrop, JsonKind,
};
use Expected::{Read, Refused};

enum Expected {
    /// Canonical buses, branches (three-winding transformers are none) and generators.
    Read(usize, usize, usize),
    /// Code and reason.
    Refused(&'static str, &'static str),
}

#[rustfmt::skip]
const FILES: [(&str, Expected); 90] = [
    ("activsg200/ACTIVSg200.RAW", Read(200, 245, 49)),
    ("activsg200/ACTIVSg200.aux", Read(200, 246, 49)),
    ("activsg200/ACTIVSg200.pwb", Read(200, 246, 49)),
    ("activsg2000/ACTIVSg2000.RAW", Read(2000, 3206, 544)),
    ("activsg500/SouthCarolina500.RAW", Read(500, 597, 90)),
    ("aux/B5R.aux", Read(6, 8, 2)),
    ("aux/RTS-GMLC-GIC_Bus.aux", Refused("INPUT.NO_EQUIPMENT", "positions of buses only, no equipment")),
    ("aux/SixBusTestCase.aux", Read(22, 23, 2)),
    ("aux/SixBusTestCase_v2_xfmCorrTable.aux", Read(22, 23, 2)),
    ("aux/SixBus_2WPsXfr.aux", Read(5, 5, 2)),
    ("aux/ctg_sample.AUX", Refused("INPUT.PARSE", "contingencies only, and malformed")),
    ("aux/ieee14.AUX", Read(18, 24, 5)),
    ("aux/rts_gmlc_gic_pnw_bus_coords.aux", Refused("INPUT.NO_EQUIPMENT", "positions of buses only, no equipment")),
    ("case_json/egret_case14.json", Read(14, 20, 5)),
    ("case_json/egret_case30.json", Read(30, 41, 6)),
    ("case_json/egret_case9.json", Read(9, 9, 3)),
    ("case_json/egret_dcline3.json", Refused("PHYSICS.UNSUPPORTED", "HVDC in service")),
    ("case_json/goc3_small.json", Refused("INPUT.PARSE", "lacks the MVA base that the format requires")),
    ("case_json/opfdataset_example_0.json", Read(14, 20, 5)),
    ("case_json/pandapower_example.json", Refused("PHYSICS.UNSUPPORTED", "bus-to-bus switches, which the reader leaves out")),
    ("epc/Sample18Bus.epc", Read(18, 24, 4)),
    ("epc/ps_xfr_2bus.epc", Refused("INPUT.TRANSFORMER", "a phase shifter whose 30 stands in the column of a nominal voltage")),
    ("epc/shunt_2bus.epc", Read(2, 1, 1)),
    ("new_england250/BaseCase.RAW", Read(250, 339, 42)),
    ("new_england250/New_England_Base_Case.PWB", Read(250, 339, 42)),
    ("raw/interpss/IEEE39bus_v30.raw", Read(39, 46, 10)),
    ("raw/interpss/Kundur_2area_LCC_HVDC.raw", Refused("PHYSICS.UNSUPPORTED", "line-commutated HVDC in service")),
    ("raw/interpss/Kundur_2area_vschvdc_remotebus_v35.raw", Refused("PHYSICS.UNSUPPORTED", "VSC HVDC in service")),
    ("raw/interpss/PSSEV30_GuideSample.raw", Read(23, 34, 6)),
    ("raw/interpss/Texas2k_series24_case1_2016summerPeak_v36.RAW", Read(2000, 3220, 544)),
    ("raw/interpss/ieee9_v31.raw", Read(9, 9, 3)),
    ("raw/interpss/ieee9_v32.raw", Read(9, 9, 3)),
    ("raw/interpss/ieee9_v33.raw", Read(9, 9, 3)),
    ("raw/interpss/ieee9_v34.raw", Read(9, 9, 3)),
    ("raw/interpss/ieee9_v35.raw", Read(9, 9, 3)),
    ("raw/interpss/ieee9_v36.raw", Read(9, 9, 3)),
    ("raw/interpss/sample_v33.raw", Refused("PHYSICS.UNSUPPORTED", "induction machines in service")),
    ("raw/powermodels/case0.raw", Refused("INPUT.REVISION", "no network: a test of the record syntax, header without revision")),
    ("raw/powermodels/case14.raw", Read(14, 20, 5)),
    ("raw/powermodels/case24.raw", Read(24, 38, 33)),
    ("raw/powermodels/case3.raw", Read(3, 3, 5)),
    ("raw/powermodels/case30.raw", Read(30, 41, 6)),
    ("raw/powermodels/case3_2wtf_vmon0.raw", Read(3, 2, 1)),
    ("raw/powermodels/case4_3wtf_vnom0_cw2.raw", Read(3, 0, 1)),
    ("raw/powermodels/case4_3wtf_vnom0_cw3.raw", Read(3, 0, 1)),
    ("raw/powermodels/case5.raw", Read(5, 9, 5)),
    ("raw/powermodels/case5_alc.raw", Read(5, 7, 5)),
    ("raw/powermodels/case73.raw", Read(73, 120, 99)),
    ("raw/powermodels/case7_tplgy.raw", Refused("PHYSICS.UNSUPPORTED", "HVDC in service")),
    ("raw/powermodels/frankenstein_00.raw", Read(4, 3, 3)),
    ("raw/powermodels/frankenstein_00_2.raw", Read(4, 3, 3)),
    ("raw/powermodels/frankenstein_20.raw", Read(6, 3, 4)),
    ("raw/powermodels/frankenstein_70.raw", Refused("PHYSICS.UNSUPPORTED", "series FACTS device in service")),
    ("raw/powermodels/parser_test_a.raw", Refused("INPUT.NO_EQUIPMENT", "two buses and nothing else (an early Q record)")),
    ("raw/powermodels/parser_test_b.raw", Refused("INPUT.PARSE", "a transformer between buses that do not exist")),
    ("raw/powermodels/parser_test_c.raw", Refused("INPUT.PARSE", "no buses")),
    ("raw/powermodels/parser_test_d.raw", Refused("INPUT.REVISION", "header without revision")),
    ("raw/powermodels/parser_test_defaults.raw", Refused("INPUT.REVISION", "empty header")),
    ("raw/powermodels/parser_test_e.raw", Refused("INPUT.PARSE", "no buses")),
    ("raw/powermodels/parser_test_f.raw", Refused("INPUT.PARSE", "no buses")),
    ("raw/powermodels/parser_test_g.raw", Refused("INPUT.PARSE", "no buses")),
    ("raw/powermodels/parser_test_h.raw", Refused("PHYSICS.UNSUPPORTED", "a user-written network element")),
    ("raw/powermodels/parser_test_i.raw", Refused("INPUT.NO_EQUIPMENT", "two buses and nothing else")),
    ("raw/powermodels/parser_test_j.raw", Refused("INPUT.PARSE", "text where a number must stand")),
    ("raw/powermodels/three_winding_mag_test.raw", Read(3, 0, 2)),
    ("raw/powermodels/three_winding_test.raw", Read(3, 0, 2)),
    ("raw/powermodels/two-terminal-hvdc_test.raw", Refused("PHYSICS.UNSUPPORTED", "HVDC in service")),
    ("raw/powermodels/two_winding_mag_test.raw", Read(2, 1, 2)),
    ("raw/powermodels/vsc-hvdc_test.raw", Refused("PHYSICS.UNSUPPORTED", "HVDC in service")),
    ("raw/powsybl/ExampleVersion32.raw", Read(8, 8, 1)),
    ("raw/powsybl/IEEE_118_bus.raw", Read(118, 186, 54)),
    ("raw/powsybl/IEEE_14_bus.raw", Read(14, 20, 5)),
    ("raw/powsybl/IEEE_14_bus_delimiter.raw", Read(14, 20, 5)),
    ("raw/powsybl/IEEE_14_bus_rev35.raw", Read(14, 20, 5)),
    ("raw/powsybl/IEEE_14_isolated_buses.raw", Read(16, 21, 6)),
    ("raw/powsybl/IEEE_24_bus.raw", Read(24, 38, 11)),
    ("raw/powsybl/IEEE_57_bus.raw", Read(57, 80, 7)),
    ("raw/powsybl/RawCaseWithSpecialCharacters.raw", Read(7, 4, 4)),
    ("raw/powsybl/SwitchedShunt.raw", Read(7, 4, 4)),
    ("raw/powsybl/ThreeMIB_T3W_phase.raw", Read(7, 4, 4)),
    ("raw/powsybl/five_bus_nodeBreaker_rev35.raw", Read(5, 2, 1)),
    ("raw/powsybl/twoTerminalDc.raw", Refused("PHYSICS.UNSUPPORTED", "HVDC in service")),
    ("raw/powsybl/uiuc-150bus.RAW", Read(150, 217, 27)),
    ("raw/powsybl/version-not-supported.raw", Refused("INPUT.TRUNCATED", "ends inside the bus data")),
    ("raw/sienna/case14_with_pst3w.raw", Refused("PHYSICS.UNSUPPORTED", "HVDC in service")),
    ("raw/sienna/case16_all_components.raw", Refused("PHYSICS.UNSUPPORTED", "HVDC in service")),
    ("raw/sienna/isolated_bus_test.raw", Read(16, 20, 6)),
    ("raw/sienna/synthetic_data_v29.raw", Refused("PHYSICS.UNSUPPORTED", "multi-terminal HVDC in service")),
    ("raw/sienna/synthetic_data_v30.raw", Refused("INPUT.PARSE", "an excerpt: equipment at buses that it does not hold")),
    ("rts_gmlc/RTS-GMLC.PWB", Refused("INPUT.IMPLAUSIBLE", "every load reads 100 MW, and its MW as Mvar")),
];

#[test]
fn every_file_is_read_or_refused_for_its_reason() {
    let Some(folder) = data::folder() else { return };
    let (mut read, mut refused, mut skipped) = (0, 0, 0);
    let mut wrong = Vec::new();
    for (name, expected) in &FILES {
        let Ok(bytes) = std::fs::read(folder.join(name)) else {
            skipped += 1;
            continue;
        };
        let format = format_of(name).or(classify_json(&bytes).format).unwrap_or_default();
        match (ingest_case(&bytes, format), expected) {
            (Ok(case), Read(buses, branches, generators)) => {
                read += 1;
                let net = &case.network;
                let counts = (net.n_canonical_buses, net.n_canonical_branches, net.generators.len());
                if counts != (*buses, *branches, *generators) {
                    wrong.push(format!("{name}: {counts:?}"));
                }
                match network_from_module(&case.module_json) {
                    Ok(again) if again == *net => {}
                    other => wrong.push(format!("{name}: its module reads otherwise: {:?}", other.err())),
                }
                let told = net.warnings.iter().filter(|w| w.code.starts_with("COST.")).count();
                if told > 1 {
                    wrong.push(format!("{name}: {told} warnings about costs"));
                }
            }
            (Err(e), Refused(code, _)) if e.code == *code => refused += 1,
            (Ok(_), Refused(code, reason)) => wrong.push(format!("{name}: read, not refused with {code}: {reason}")),
            (Err(e), _) => wrong.push(format!("{name}: {e}")),
        }
    }
    println!(
        "{read} read, {refused} refused as expected, {skipped} skipped of {} files",
        FILES.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_names_every_file_of_its_formats() {
    let Some(folder) = data::folder() else { return };
    let mut missing = Vec::new();
    let mut paths = data::files(&folder, &["raw", "aux", "pwb", "epc"]);
    paths.extend(data::files(&folder.join("case_json"), &["json"]));
    for path in paths {
        let name = path
            .strip_prefix(&folder)
            .expect("below")
            .to_string_lossy()
            .replace('\\', "/");
        if FILES.iter().all(|(known, _)| *known != name) && !name.ends_with("retired_bare_model_case30.json") {
            missing.push(name);
        }
    }
    assert!(missing.is_empty(), "not in the table: {missing:?}");
}

#[test]
fn json_documents_are_classified_by_their_content() {
    let Some(folder) = data::folder() else { return };
    let expected = [
        ("case_json/egret_case9.json", JsonKind::Transmission, Some("egret-json")),
        (
            "case_json/pandapower_example.json",
            JsonKind::Transmission,
            Some("pandapower-json"),
        ),
        (
            "case_json/opfdataset_example_0.json",
            JsonKind::Transmission,
            Some("opfdata-json"),
        ),
        ("case_json/goc3_small.json", JsonKind::Transmission, Some("goc3-json")),
        ("case_json/retired_bare_model_case30.json", JsonKind::Unknown, None),
        (
            "dist_json/bmopf/4bus_dy.json",
            JsonKind::Distribution,
            Some("bmopf-json"),
        ),
        (
            "dist_json/bmopf/ieee34.json",
            JsonKind::Distribution,
            Some("bmopf-json"),
        ),
        (
            "dist_json/bmopf_2026-06/example_ieee13.json",
            JsonKind::Distribution,
            Some("bmopf-json"),
        ),
        ("dist_json/bmopf/draft_bmopf_schema.json", JsonKind::Unknown, None),
        ("dist_json/pmd/ieee13.json", JsonKind::Distribution, Some("pmd-json")),
        ("activsg500/case_ACTIVSg500_exago.json", JsonKind::Unknown, None),
        ("rts_gmlc/bus.geojson", JsonKind::Unknown, None),
        ("raw/powsybl/IEEE_14_bus_rev35.rawx", JsonKind::Unknown, None),
    ];
    for (name, kind, format) in expected {
        let Ok(bytes) = std::fs::read(folder.join(name)) else {
            println!("skipped: {name}");
            continue;
        };
        let class = classify_json(&bytes);
        assert_eq!((class.kind, class.format), (kind, format), "{name}");
        if kind == JsonKind::Unknown {
            assert!(matches!(ingest_json_drop(&bytes), Ok(JsonDrop::Unknown)), "{name}");
        }
    }
}
