use crate::formats::read;
use powerio::{BalancedNetwork, BranchCharging, BusId, BusType, LoadVoltageModel, PioValue};

/// Three buses with a shunt on one, a line, a transformer marked as older files do, and its regulation section.
const AUX: &str = "// made by hand
DATA (BUS, [BusNum,BusName,BusNomVolt,BusPUVolt,BusAngle,BusG:1,BusB:1,
   AreaNum,ZoneNum,SubNum,BusSlack])
{
 1 \"One // not a comment\" 345.0 1.0 0.0 0.0 0.0 1 1 \"\" \"YES\"
 2 \"Two\" 345.0 1.0 0.0 1.5 19.0 1 1 \"\" \"NO \" // a comment
 3 \"Three\" 138.0 1.0 0.0 0.0 0.0 1 1 \"\" \"NO \"
}
DATA (LOAD, [BusNum,LoadID,LoadStatus,LoadSMW,LoadSMVR])
{
 2 \"1 \" \"Closed\" 100.0 50.0
}
DATA (GEN, [BusNum,GenID,GenStatus,GenMW,GenMVR,GenMWMin,GenMWMax])
{
 1 \"1\" \"Closed\" 100.0 0.0 0.0 200.0
}
DATA (BRANCH, [BusNum,BusNum:1,LineCircuit,LineStatus,LineR,LineX,LineC,LineAMVA,LineXfmr,LineTap,LinePhase])
{
 1 2 \" 1\" \"Closed\" 0.01 0.1 0.02 100.0 \"NO\" 1.0 0.0
 2 3 \" 1\" \"Closed\" 0.0 0.2 0.0 80.0 \"YES\" 0.95 3.0
}
";

fn network(text: &str) -> BalancedNetwork {
    match read(text.as_bytes(), "powerworld").expect("read").value() {
        PioValue::BalancedNetwork(net) => net.clone(),
        _ => panic!("no network"),
    }
}

fn code(text: &str) -> &'static str {
    read(text.as_bytes(), "powerworld").expect_err("refused").code
}

#[test]
fn taps_shunts_and_base_of_older_files_are_read() {
    let net = network(AUX);
    assert_eq!((net.buses().len(), net.loads()[0].p, net.base_mva()), (3, 100.0, 100.0));
    assert_eq!(
        (
            net.shunts().len(),
            net.shunts()[0].bus.0,
            net.shunts()[0].g,
            net.shunts()[0].b
        ),
        (1, 2, 1.5, 19.0)
    );
    let taps: Vec<(f64, f64)> = net.branches().iter().map(|b| (b.tap, b.shift)).collect();
    assert_eq!(taps, [(0.0, 0.0), (0.95, 3.0)]);
    let section = AUX.replace("\"YES\" 0.95", "\"\" 0.95")
        + "DATA (TRANSFORMER, [BusNum,BusNum:1,LineCircuit,LineXFType])\n{\n 2 3 \" 1\" \"Fixed\"\n}\n";
    assert_eq!(network(&section).branches()[1].tap, 0.95);
    let options =
        format!("{AUX}DATA (Sim_Solution_Options_Value, [VariableName,ValueField])\n{{\n\"MVABase\" \"50\"\n}}\n");
    assert_eq!(network(&options).base_mva(), 50.0);
}

#[test]
fn three_winding_transformers_are_read_by_their_legs_or_refused() {
    let record = "DATA (3WXFORMER, [BusNum3W,BusNum3W:1,BusNum3W:2,BusNum3W:3,LineCircuit])\n{\n1 2 3 9 \"1\"\n}\n";
    assert_eq!(code(&format!("{AUX}{record}")), "PHYSICS.UNSUPPORTED");
    let legs = AUX
        .replace("DATA (LOAD", "DATA (BUS, [BusNum])\n{\n9\n}\nDATA (LOAD")
        .replace(" 0.95 3.0\n", " 0.95 3.0\n 1 9 1 \"Closed\" 0 0.1 0 1 \"YES\" 1 0\n 2 9 1 \"Closed\" 0 0.1 0 1 \"YES\" 1 0\n 3 9 1 \"Closed\" 0 0.1 0 1 \"YES\" 1 0\n");
    assert_eq!(network(&format!("{legs}{record}")).branches().len(), 5);
    let legs = legs.replace("\"Closed\" 0 0.1 ", "\"Closed\" 0.000 0.100 ");
    // Legs of 0.1 each: pairs of 0.2, or within the rounding of two decimals.
    let stated = |x: [&str; 3]| {
        let fields = "BusNum3W:3,R3W,R3W:1,R3W:2,X3W,X3W:1,X3W:2";
        format!(
            "{legs}DATA (3WXFORMER, [{fields}])\n{{\n9 0.00 0.00 0.00 {} {} {}\n}}\n",
            x[0], x[1], x[2]
        )
    };
    for x in [["0.20", "0.20", "0.20"], ["0.21", "0.20", "0.20"]] {
        let parsed = read(stated(x).as_bytes(), "powerworld").expect("read");
        let codes: Vec<&str> = parsed.diagnostics().iter().map(|d| d.code()).collect();
        assert_eq!(
            codes,
            ["WATTBOOK.INPUT.STAR_IN_FILE", "WATTBOOK.COST.NOT_IN_FORMAT"],
            "nothing is dropped"
        );
    }
    for x in [["0.23", "0.20", "0.20"], ["0.40", "0.40", "0.40"]] {
        let refused = read(stated(x).as_bytes(), "powerworld").expect_err("other legs");
        assert!(refused.message().contains("at its star bus 9"), "{refused}");
    }
    // Legs of different size, written in another order than the windings.
    let legs = legs
        .replace("1 9 1 \"Closed\" 0.000 0.100", "1 9 1 \"Closed\" 0.000 -0.005")
        .replace("2 9 1 \"Closed\" 0.000 0.100", "2 9 1 \"Closed\" 0.000 0.025");
    let record = "DATA (3WXFORMER, [BusNum3W:3,R3W,R3W:1,R3W:2,X3W,X3W:1,X3W:2])\n{\n9 0 0 0 0.125 0.095 0.020\n}\n";
    assert_eq!(network(&format!("{legs}{record}")).branches().len(), 5);
}

#[test]
fn unread_data_are_refused_or_named() {
    assert_eq!(
        code(&format!("{AUX}DATA (DCTransmissionLine, [BusNum])\n{{\n1\n}}\n")),
        "PHYSICS.UNSUPPORTED"
    );
    let capacitor = AUX
        .replace("LinePhase]", "LinePhase,SeriesCapStatus]")
        .replace("0 0.0\n 2", "0 0.0 \"Bypassed\"\n 2");
    assert_eq!(
        code(&capacitor.replace("0.95 3.0\n", "0.95 3.0 \"Not Bypassed\"\n")),
        "PHYSICS.UNSUPPORTED"
    );
}

#[test]
fn a_file_cut_inside_a_section_is_refused() {
    let ends: Vec<usize> = AUX.match_indices("}\n").map(|(at, _)| at + 1).collect();
    for at in (20..AUX.len()).filter(|at| AUX.is_char_boundary(*at)) {
        let complete = ends.iter().any(|end| at == *end || at == *end + 1);
        assert_eq!(read(&AUX.as_bytes()[..at], "powerworld").is_ok(), complete, "{at}");
    }
}

#[test]
fn the_fuel_price_multiplies_the_curve_and_not_the_fixed_cost() {
    let text = AUX.replace(
        "GenMWMax])",
        "GenMWMax,GenCostModel,GenFuelCost,GenFixedCost,GenIOB,GenIOC,GenIOD,GenVariableOM])",
    );
    let text = text.replace("0.0 200.0\n", "0.0 200.0 \"Cubic\" 2.0 300.0 8.0 0.25 0 1.5\n");
    let net = network(&text);
    let cost = net.generators()[0].cost.as_ref().expect("cost");
    assert_eq!(cost.coeffs, [0.0, 0.5, 17.5, 300.0]);
}

/// Codes without prefix and messages of the warnings of this crate.
fn warnings_of(text: &str) -> Vec<(String, String)> {
    let parsed = read(text.as_bytes(), "powerworld").expect("read");
    let own = parsed.diagnostics().iter().filter_map(|d| {
        let code = d.code().strip_prefix("WATTBOOK.")?;
        Some((code.to_string(), d.message().to_string()))
    });
    own.collect()
}

/// The units of the case with other fields.
fn with_units(fields: &str, values: &str) -> String {
    AUX.replace("GenMWMax])", &format!("GenMWMax,{fields}])"))
        .replace("0.0 200.0\n", &format!("0.0 200.0 {values}\n"))
}

/// 10 $/MWh to 50 MW, then 20, from the fixed cost on; shift and multiplier make it 2 (price + 1) $/MWh.
#[test]
fn bid_curves_are_costs() {
    let bids = "\n<SUBDATA BidCurve>\n//MW Price\n0 10\n50 20\n</SUBDATA>";
    let curve = |values: &str| {
        let net = network(&with_units(
            "GenCostModel,GenFixedCost,GenCostMultiplier,GenCostShift",
            values,
        ));
        net.generators()[0]
            .cost
            .clone()
            .map(|cost| (cost.model, cost.ncost, cost.coeffs))
    };
    let plain = curve(&format!("\"Piecewise Linear\" 0 1 0{bids}"));
    assert_eq!(plain, Some((1, 3, vec![0.0, 0.0, 50.0, 500.0, 200.0, 3500.0])));
    let shifted = curve(&format!("\"Piecewise Linear\" 100 2 1{bids}"));
    assert_eq!(shifted, Some((1, 3, vec![0.0, 200.0, 50.0, 1300.0, 200.0, 7600.0])));
    assert_eq!(curve("\"Piecewise Linear\" 0 1 0"), None);
    assert_eq!(curve("\"None\" 0 1 0"), None);
    let warned = warnings_of(&with_units("GenIOB,GenIOC", "10 0.01"));
    assert_eq!(warned[0].0, "INPUT.LEFT_OUT");
    assert!(warned[0]
        .1
        .starts_with("The cost coefficients of 1 generator are left out"));
    assert_eq!(warned.len(), 1, "and no warning states that the file has no costs");
}

#[test]
fn loads_have_their_parts_and_what_generates_behind_the_meter_is_subtracted() {
    let text = AUX
        .replace(
            "LoadSMW,LoadSMVR]",
            "LoadSMW,LoadSMVR,LoadIMW,LoadIMVR,LoadZMW,LoadZMVR,DistStatus,DistMWInput,DistMvarInput]",
        )
        .replace("100.0 50.0\n", "100.0 50.0 20 10 8 4 \"Closed\" 5 1\n");
    let load = network(&text).loads()[0].clone();
    assert_eq!((load.p, load.q), (123.0, 63.0));
    let Some(LoadVoltageModel::Zip {
        p_constant_power,
        q_constant_power,
        p_constant_current,
        q_constant_current,
        p_constant_impedance,
        q_constant_impedance,
        ..
    }) = load.voltage_model.clone()
    else {
        panic!("a load that depends on voltage")
    };
    let active = [p_constant_power, p_constant_current, p_constant_impedance];
    let reactive = [q_constant_power, q_constant_current, q_constant_impedance];
    assert_eq!((active, reactive), ([95.0, 20.0, 8.0], [49.0, 10.0, 4.0]));
    let open = network(&text.replace("\"Closed\" 5 1", "\"Open\" 5 1"));
    assert_eq!(open.loads()[0].p, 128.0);
}

/// G and C in equal halves; shunts and the magnetising admittance of the from bus are on the line side of the tap.
#[test]
fn shunts_of_branches_stand_at_their_ends() {
    let text = AUX
        .replace("LinePhase]", "LinePhase,LineG,LineShuntMW,LineShuntMVR,LineShuntMW:1,LineShuntMVR:1,XfrmerMagnetizingG,XfrmerMagnetizingB]")
        .replace("\"NO\" 1.0 0.0\n", "\"NO\" 1.0 0.0 0.002 1 2 3 4 0 0\n")
        .replace("0.95 3.0\n", "0.95 3.0 0 0 0 0 0 0.001 -0.01\n");
    let net = network(&text);
    let ends = |row: usize| {
        let ends: BranchCharging = net.branches()[row].charging.expect("shunts by end");
        [ends.g_fr, ends.b_fr, ends.g_to, ends.b_to]
    };
    let near = |found: [f64; 4], expected: [f64; 4]| found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 1e-15);
    assert!(near(ends(0), [0.011, 0.03, 0.031, 0.05]), "{:?}", ends(0));
    let square = 0.95 * 0.95;
    assert!(
        near(ends(1), [0.001 * square, -0.01 * square, 0.0, 0.0]),
        "{:?}",
        ends(1)
    );
    assert!(warnings_of(&text).iter().all(|(code, _)| code == "COST.NOT_IN_FORMAT"));
}

/// Values on a base of 1000 MVA, from a public test case that states both; and on other nominal voltages.
#[test]
fn transformers_on_a_base_of_their_own_are_converted() {
    let section = |kv: &str| {
        let row = AUX.find("DATA (BRANCH").expect("branches");
        format!(
            "{}DATA (BRANCH, [BusNum,BusNum:1,LineCircuit,LineStatus,BranchDeviceType,XFMVABase,XFNominalKV,XFNominalKV:1,LineR:1,LineX:1,LineC:1,LineTap:1,XFFixedTap])\n{{\n2 3 1 \"Closed\" \"Transformer\" 1000 {kv} 0.022 0.2756 0.4 0.962 1\n}}\n",
            &AUX[..row]
        )
    };
    let branch = network(&section("345 138")).branches()[0].clone();
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(near(branch.r, 0.0022) && near(branch.x, 0.02756) && near(branch.b, 4.0) && near(branch.tap, 0.962));
    let branch = network(&section("362.25 144.9")).branches()[0].clone();
    assert!(near(branch.x, 0.02756 * 1.05 * 1.05) && near(branch.tap, 0.962));
    assert_eq!(
        code(&section("345 138").replace("0.962 1\n", "0.962 1.05\n")),
        "INPUT.TRANSFORMER"
    );
}

/// 1.978 at 25 degrees and 1 at zero: 1.5868 at 15 degrees.
#[test]
fn correction_tables_scale_the_impedance() {
    let table = "DATA (XFCORRECTION, [XFCorTableNum,XFCorTableName,XFCorTap,XFCorFactor,XFCorTap:1,XFCorFactor:1,XFCorTap:2,XFCorFactor:2])\n{\n 1 \"G\" -25.0 1.978 0.0 1.0 25.0 1.978\n}\n";
    let text = AUX
        .replace("LinePhase]", "LinePhase,LineXFType,XFTableNum]")
        .replace("\"NO\" 1.0 0.0\n", "\"NO\" 1.0 0.0 \"\" 0\n");
    let at = |row: &str| network(&(text.replace("0.95 3.0\n", row) + table)).branches()[1].x;
    assert!((at("0.95 15.0 \"Phase\" 1\n") - 0.2 * 1.5868).abs() < 1e-12);
    assert!((at("0.95 40.0 \"Phase\" 1\n") - 0.2 * 1.978).abs() < 1e-12);
    assert!((at("0.95 15.0 \"LTC\" 1\n") - 0.2 * (1.0 + 0.978 * 0.95 / 25.0)).abs() < 1e-12);
    assert_eq!(
        code(&(text.replace("0.95 3.0\n", "0.95 3.0 \"Phase\" 2\n") + table)),
        "INPUT.TRANSFORMER"
    );
}

#[test]
fn units_hold_the_bus_that_the_file_names_or_none() {
    let net = network(&with_units("GenRegNum,GenAVRAble", "2 \"YES\""));
    assert_eq!(net.generators()[0].regulated_bus, Some(BusId(2)));
    assert_eq!(
        network(&with_units("GenRegNum,GenAVRAble", "1 \"YES\"")).generators()[0].regulated_bus,
        None
    );
    assert_eq!(
        code(&with_units("GenRegNum,GenAVRAble", "9 \"YES\"")),
        "INPUT.UNKNOWN_BUS"
    );
    let kind = |values: &str| {
        let text = with_units("GenAVRAble", values).replace("1 1 \"\" \"YES\"", "1 1 \"\" \"NO\"");
        network(&text).buses()[0].kind
    };
    assert_eq!((kind("\"YES\""), kind("\"NO\"")), (BusType::Pv, BusType::Pq));
}

#[test]
fn fixed_controls_have_one_warning_per_kind() {
    let text = AUX
        .replace("LineXfmr,LineTap,LinePhase]", "LineXfmr,LineTap,LinePhase,LineXFType,XFAuto]")
        .replace("\"NO\" 1.0 0.0\n", "\"NO\" 1.0 0.0 \"\" \"\"\n")
        .replace("0.95 3.0\n", "0.95 3.0 \"LTC\" \"Yes\"\n")
        + "DATA (SHUNT, [BusNum,ShuntID,SSStatus,SSCMode,SSNMVR])\n{\n2 1 Closed Discrete 30\n3 1 Closed Continuous 12\n3 2 Closed Fixed 5\n}\n";
    let held: Vec<String> = warnings_of(&text)
        .into_iter()
        .filter(|(code, _)| code == "INPUT.HELD")
        .map(|(_, message)| message)
        .collect();
    assert_eq!(
        held,
        [
            "The tap of 1 transformer with automatic control is held at the position of the file.",
            "2 switched shunts are held at the 42.000 MVAr of the file; their controls are not part of this model."
        ]
    );
}

/// Simulator accepts field names in any letter case; the reader accepts only one.
#[test]
fn names_of_fields_are_taken_in_any_letter_case_and_numbers_in_unknown_ones_are_named() {
    let shouted = AUX
        .replace("LoadSMW,LoadSMVR", "LOADSMW,loadsmvr")
        .replace("GenMWMax", "GENMWMAX")
        .replace("AreaNum,ZoneNum,SubNum", "areanum,ZONENUM,SubNum");
    assert_ne!(shouted, AUX);
    let (read, expected) = (network(&shouted), network(AUX));
    assert_eq!((read.loads()[0].p, read.loads()[0].q), (100.0, 50.0));
    assert_eq!(read.generators()[0].pmax, 200.0);
    let areas = |net: &BalancedNetwork| net.buses().iter().map(|bus| (bus.area, bus.zone)).collect::<Vec<_>>();
    assert_eq!(areas(&read), areas(&expected));
    let warned = warnings_of(&with_units("GenNewThing,PVMonGenMW", "3 4"));
    assert_eq!(
        warned[0],
        (
            "INPUT.FIELD_IGNORED".to_string(),
            "1 value is not part of this model: `gen.GenNewThing`.".to_string()
        )
    );
}
