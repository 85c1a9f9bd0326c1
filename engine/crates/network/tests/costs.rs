//! Assumed costs by fuel, by unit, from tables, and typical ones, and their mark in the module. Expected costs are
//! calculated by hand.

use wattbook_network::analysis::Cost;
use wattbook_network::costs::{
    assume_costs, fuels_of, is_cost_table, units_by_fuel, AssumedCosts, CostOf, GivenCost, TYPICAL,
};
use wattbook_network::{ingest_case, network_from_module, AnalysisNetwork};

/// Two units of 250 and 320 MW at base 100 MVA, without costs.
const BARE: &str = "function mpc = bare
mpc.version = '2';
mpc.baseMVA = 100;
mpc.bus = [
 1 3 0 0 0 0 1 1 0 230 1 1.1 0.9;
 2 1 90 0 0 0 1 1 0 230 1 1.1 0.9;
];
mpc.gen = [
 1 0 0 300 -300 1 100 1 250 10;
 2 0 0 300 -300 1 100 1 320 10;
];
mpc.branch = [
 1 2 0 0.1 0 100 100 100 0 0 1 -360 360;
];
";

fn bare() -> String {
    ingest_case(BARE.as_bytes(), "matpower").unwrap().module_json
}

fn given(of: CostOf, cost: [f64; 3]) -> GivenCost {
    GivenCost { of, cost, row: None }
}

/// Coefficients by generator, in MW.
fn costs(net: &AnalysisNetwork) -> Vec<[f64; 3]> {
    let base = net.base_mva;
    let numbers = |cost: &Cost| match cost {
        Cost::Quadratic { c2, c1, c0 } => [c2 / base / base, c1 / base, *c0],
        Cost::PiecewiseLinear { .. } => panic!("no piecewise linear cost was given"),
    };
    net.generators.iter().map(|unit| numbers(&unit.cost)).collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * b.abs().max(1.0)
}

#[test]
fn typical_costs_are_by_fuel_and_size() {
    let fuels = ["wind".to_owned(), "Hard coal".to_owned()];
    let module = assume_costs(&bare(), &AssumedCosts::Typical, &fuels).unwrap();
    let net = network_from_module(&module).unwrap();
    // Coal of 300 MW and more: 10.0 MMBtu/MWh at 2.5 $/MMBtu and 4.5 $/MWh are 29.50 $/MWh at half of the output.
    let [wind, coal] = costs(&net)[..] else { panic!() };
    assert_eq!(wind, [0.0, 0.0, 0.0]);
    assert!(close(2.0 * coal[0] * 160.0 + coal[1], 29.5), "{coal:?}");
    assert!(
        close(2.0 * coal[0] * 320.0, 2.95),
        "the marginal cost rises by a tenth: {coal:?}"
    );
    // Without fuels both count as gas, of 100 and of 300 MW: 8.5 x 3.5 + 3.5 = 33.25 and 7 x 3.5 + 2.5 = 27.
    let module = assume_costs(&bare(), &AssumedCosts::Typical, &[]).unwrap();
    let found = costs(&network_from_module(&module).unwrap());
    assert!(close(2.0 * found[0][0] * 125.0 + found[0][1], 33.25));
    assert!(close(2.0 * found[1][0] * 160.0 + found[1][1], 27.0));
    assert!(TYPICAL.iter().any(|one| one.fuel == "oil" && one.cost() == 170.0));
}

#[test]
fn the_module_says_first_that_costs_are_assumed() {
    let read = ingest_case(BARE.as_bytes(), "matpower").unwrap();
    assert_eq!(read.warnings[0].code, "COST.NO_TABLE");
    let one = AssumedCosts::Given(vec![given(CostOf::Generator(1), [0.0, 20.0, 0.0])]);
    let module = assume_costs(&read.module_json, &one, &[]).unwrap();
    let net = network_from_module(&module).unwrap();
    let codes: Vec<_> = net.warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["COST.ASSUMED", "COST.MISSING"]);
    let message = "The costs of 1 of 2 units are assumed: given by unit or fuel, not by the file.";
    assert_eq!(net.warnings[0].message(), message);
    assert_eq!(
        net.warnings[0].sentence.key, "costs.assumed_given",
        "it can be translated"
    );
    assert_eq!(costs(&net), [[0.0, 20.0, 0.0], [0.0, 0.0, 0.0]]);
    // The other unit still has no cost, so typical costs apply to it alone.
    let both = assume_costs(&module, &AssumedCosts::Typical, &[]).unwrap();
    let net = network_from_module(&both).unwrap();
    assert!(!net.warnings.iter().any(|w| w.code == "COST.MISSING"));
    assert_eq!(costs(&net)[0], [0.0, 20.0, 0.0]);
    let refused = assume_costs(&both, &AssumedCosts::Typical, &[]).unwrap_err();
    assert_eq!(refused.code, "COST.MALFORMED");
    // Equal costs give equal text.
    assert_eq!(module, assume_costs(&read.module_json, &one, &[]).unwrap());
}

#[test]
fn a_table_is_by_fuel_and_unit_in_any_order() {
    let fuels = ["coal".to_owned(), "ng".to_owned()];
    let table = |text: &str| AssumedCosts::Table(text.as_bytes().to_vec());
    let mixed = "# assumed\ngenerator,cost,cost_c2\n2,10,\nngx,40,0\n".replace("ngx", "gas");
    let module = assume_costs(&bare(), &table(&mixed), &fuels).unwrap();
    let found = costs(&network_from_module(&module).unwrap());
    assert_eq!(found, [[0.0, 0.0, 0.0], [0.0, 10.0, 0.0]], "a unit's own cost prevails");
    let comma = "fuel;cost_c1;cost_c2\ncoal;25,5;0\nNG;40;0,01\n";
    let module = assume_costs(&bare(), &table(comma), &fuels).unwrap();
    let found = costs(&network_from_module(&module).unwrap());
    assert!(
        close(found[0][1], 25.5) && close(found[1][0], 0.01) && close(found[1][1], 40.0),
        "{found:?}"
    );
    assert!(is_cost_table(comma.as_bytes()) && is_cost_table(mixed.as_bytes()));
    assert!(!is_cost_table(b"bus,lat,lon\n1,40,-80\n") && !is_cost_table(b"generator,p_max\n1,3\n"));
}

#[test]
fn what_is_no_cost_is_refused_by_its_row() {
    let fuels = ["coal".to_owned(), String::new()];
    let cases = [
        (
            "fuel,cost\ncoal,25\npeat,3\n",
            "COST.MALFORMED",
            "Row 3 of the costs: No unit of this case has the fuel peat: its fuels are coal.",
        ),
        (
            "generator,cost\n9,25\n",
            "GENERATOR.UNKNOWN",
            "Row 2 of the costs: There is no generator 9 in this case: its numbers go from 1 to 2.",
        ),
        (
            "generator,cost\n1,dear\n",
            "COST.MALFORMED",
            "Row 2 of the costs: The cost of 1 must be a number in $/MWh, not dear.",
        ),
        (
            "generator,cost,cost_c2\n1,3,-1\n",
            "COST.MALFORMED",
            "Row 2 of the costs: The cost of generator 1 is not convex: c2 is -1.",
        ),
        (
            "generator,cost\n1,3\n1,4\n",
            "COST.MALFORMED",
            "Row 3 of the costs: Row 2 gives the cost of 1 as well.",
        ),
        ("generator,cost\n1,1e12\n", "COST.MALFORMED", "the limit is"),
        ("name,price\n1,3\n", "COST.MALFORMED", "a column generator or fuel"),
        ("generator,cost\n", "COST.MALFORMED", "There is no cost"),
    ];
    for (text, code, message) in cases {
        let refused = assume_costs(&bare(), &AssumedCosts::Table(text.as_bytes().to_vec()), &fuels).unwrap_err();
        assert_eq!(refused.code, code, "{text}");
        assert!(refused.message().contains(message), "{text}: {}", refused.message());
    }
    let silent = AssumedCosts::Given(vec![given(CostOf::Fuel("coal".into()), [0.0, 1.0, 0.0])]);
    let refused = assume_costs(&bare(), &silent, &[]).unwrap_err();
    assert!(
        refused.message().contains("does not say the fuels"),
        "{}",
        refused.message()
    );
    let unknown = AssumedCosts::Given(vec![given(CostOf::Fuel("unknown".into()), [0.0, 7.0, 0.0])]);
    let module = assume_costs(&bare(), &unknown, &[]).unwrap();
    assert_eq!(costs(&network_from_module(&module).unwrap()), [[0.0, 7.0, 0.0]; 2]);
}

#[test]
fn fuels_come_from_the_file() {
    let file = format!("{BARE}mpc.genfuel = {{\n 'coal'; % old\n \"ng\";\n}};\n");
    let fuels = fuels_of(file.as_bytes(), "matpower");
    assert_eq!(fuels, ["coal", "ng"]);
    assert!(fuels_of(BARE.as_bytes(), "matpower").is_empty());
    let rows = units_by_fuel(&bare(), &fuels).unwrap();
    let numbers: Vec<_> = rows
        .iter()
        .map(|r| (&r.fuel[..], r.units, r.free, r.p_max_mw, r.typical))
        .collect();
    // Coal of 250 MW: 11 x 2.5 + 6 = 33.50; gas of 320 MW: 27.
    assert_eq!(numbers, [("ng", 1, 1, 320.0, 27.0), ("coal", 1, 1, 250.0, 33.5)]);
    let silent = units_by_fuel(&bare(), &[]).unwrap();
    assert_eq!((&silent[0].fuel[..], silent[0].units), ("unknown", 2));
    // (250 x 33.25 + 320 x 27) / 570
    assert!((silent[0].typical - 29.741_228).abs() < 1e-6);
}

#[test]
fn buses_of_a_module_say_the_fuels_of_their_thermal_units() {
    let of = |words: serde_json::Value| {
        let mut module: serde_json::Value = serde_json::from_str(&bare()).unwrap();
        let data = &mut module["value"]["data"];
        let bus = data["buses"][0]["id"].clone();
        for unit in data["generators"].as_array_mut().unwrap() {
            unit["bus"] = bus.clone();
            unit["energy_source"] = "thermal".into();
        }
        data["buses"][0]["extras"] = serde_json::json!({ "wattbook_energy_sources": words });
        let text = module.to_string();
        let sources: Vec<_> = network_from_module(&text)
            .unwrap()
            .generators
            .iter()
            .map(|g| g.energy_source)
            .collect();
        let rows = units_by_fuel(&text, &[]).unwrap();
        (sources, rows.iter().map(|row| row.fuel.clone()).collect::<Vec<_>>())
    };
    use wattbook_network::analysis::EnergySource::{Coal, Gas, Thermal};
    assert_eq!(
        of(serde_json::json!(["coal", "gas"])),
        (vec![Coal, Gas], vec!["gas".to_owned(), "coal".to_owned()])
    );
    assert_eq!(
        of(serde_json::json!(["coal", "wind"])).0,
        [Coal, Thermal],
        "the unit itself prevails"
    );
    // A unit came or went since: which word is whose is not known.
    assert_eq!(of(serde_json::json!(["coal"])).0, [Thermal, Thermal]);
}

fn unknown_fuels(module: &str) -> Vec<String> {
    let warnings = network_from_module(module).unwrap().warnings;
    let about = warnings.iter().filter(|w| w.code == "COST.FUEL_UNKNOWN");
    about.map(|w| w.message()).collect()
}

#[test]
fn units_of_unknown_fuel_that_get_the_cost_of_gas_are_listed() {
    let typical = |fuels: &[&str]| {
        let fuels: Vec<String> = fuels.iter().map(|word| (*word).to_owned()).collect();
        assume_costs(&bare(), &AssumedCosts::Typical, &fuels).unwrap()
    };
    assert_eq!(
        unknown_fuels(&typical(&[])),
        ["2 units of unknown fuel have the cost of gas: generator 1 and generator 2."]
    );
    assert_eq!(
        unknown_fuels(&typical(&["ccgt", "peat"])),
        ["1 unit of unknown fuel (peat) has the cost of gas: generator 2."]
    );
    assert!(unknown_fuels(&typical(&["ng", "hydro"])).is_empty());
    let one = AssumedCosts::Given(vec![given(CostOf::Generator(1), [0.0, 20.0, 0.0])]);
    let again = assume_costs(&typical(&[]), &one, &[]).unwrap();
    assert_eq!(
        unknown_fuels(&again),
        ["1 unit of unknown fuel has the cost of gas: generator 2."]
    );
    let other = AssumedCosts::Given(vec![given(CostOf::Generator(2), [0.0, 30.0, 0.0])]);
    assert!(unknown_fuels(&assume_costs(&again, &other, &[]).unwrap()).is_empty());
    // The words come from the first call alone.
    let two = AssumedCosts::Given(vec![given(CostOf::Generator(2), [0.0, 20.0, 0.0])]);
    assert_eq!(
        unknown_fuels(&assume_costs(&typical(&["turf", "peat"]), &two, &[]).unwrap()),
        ["1 unit of unknown fuel (turf) has the cost of gas: generator 1."]
    );
}

fn assumptions(module: &str) -> Vec<String> {
    let warnings = network_from_module(module).unwrap().warnings;
    let about = warnings.iter().filter(|w| w.code == "COST.ASSUMED");
    about.map(|w| w.message()).collect()
}

#[test]
fn units_that_are_priced_again_are_counted_once() {
    const TYPICAL: &str = "units are assumed: typical costs by fuel and size.";
    const GIVEN: &str = "units are assumed: given by unit or fuel, not by the file.";
    let unit = |id| AssumedCosts::Given(vec![given(CostOf::Generator(id), [0.0, 20.0, 0.0])]);
    let first = assume_costs(&bare(), &AssumedCosts::Typical, &[]).unwrap();
    assert_eq!(assumptions(&first), [format!("The costs of 2 of 2 {TYPICAL}")]);
    let one = assume_costs(&first, &unit(1), &[]).unwrap();
    assert_eq!(
        assumptions(&one),
        [
            format!("The costs of 1 of 2 {GIVEN}"),
            format!("The costs of 1 of 2 {TYPICAL}")
        ]
    );
    let again = assume_costs(&one, &unit(1), &[]).unwrap();
    assert_eq!(assumptions(&again), assumptions(&one));
    let both = assume_costs(&one, &unit(2), &[]).unwrap();
    assert_eq!(assumptions(&both), [format!("The costs of 2 of 2 {GIVEN}")]);
}

#[test]
fn warnings_of_earlier_versions_remain() {
    // They have no list of their units.
    let typical = assume_costs(&bare(), &AssumedCosts::Typical, &[]).unwrap();
    let mut module: serde_json::Value = serde_json::from_str(&typical).unwrap();
    for row in module["diagnostics"].as_array_mut().unwrap() {
        row.as_object_mut().unwrap().remove("details");
    }
    let one = AssumedCosts::Given(vec![given(CostOf::Generator(1), [0.0, 20.0, 0.0])]);
    let again = assume_costs(&module.to_string(), &one, &[]).unwrap();
    assert_eq!(unknown_fuels(&again), unknown_fuels(&typical));
    assert_eq!(assumptions(&again)[1..], assumptions(&typical)[..]);
}

#[test]
fn the_word_of_a_unit_prevails_over_the_fuel_that_it_stands_for() {
    let fuels = ["thermal".to_owned(), "gas".to_owned()];
    let of = |given: &[(CostOf, f64)]| {
        let rows = given
            .iter()
            .map(|(of, cost)| self::given(of.clone(), [0.0, *cost, 0.0]));
        let module = assume_costs(&bare(), &AssumedCosts::Given(rows.collect()), &fuels).unwrap();
        let found = costs(&network_from_module(&module).unwrap());
        ([found[0][1], found[1][1]], unknown_fuels(&module))
    };
    let fuel = |word: &str| CostOf::Fuel(word.into());
    let message = vec!["1 unit of unknown fuel (thermal) has the cost of gas: generator 1.".to_owned()];
    assert_eq!(of(&[(fuel("gas"), 30.0)]), ([30.0, 30.0], message));
    for given in [
        [(fuel("gas"), 30.0), (fuel("thermal"), 20.0)],
        [(fuel("thermal"), 20.0), (fuel("gas"), 30.0)],
        [(CostOf::Generator(1), 20.0), (fuel("gas"), 30.0)],
    ] {
        assert_eq!(of(&given), ([20.0, 30.0], Vec::new()), "{given:?}");
    }
}
