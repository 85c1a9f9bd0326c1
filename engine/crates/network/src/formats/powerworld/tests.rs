use crate::formats::read;
use powerio::{BalancedNetwork, PioValue};

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
fn what_is_not_read_is_refused_or_told() {
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
    let charged = AUX
        .replace("LinePhase]", "LinePhase,LineG]")
        .replace("0 0.0\n 2", "0 0.0 0.5\n 2");
    let parsed = read(charged.replace("0.95 3.0\n", "0.95 3.0 0\n").as_bytes(), "powerworld").expect("read");
    assert!(parsed
        .diagnostics()
        .iter()
        .any(|d| d.code() == "WATTBOOK.INPUT.FIELD_IGNORED"));
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
