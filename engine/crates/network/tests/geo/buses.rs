//! Geographic layers on the four-bus case, one rule at a time.

use wattbook_network::analysis::CoordsKind;
use wattbook_network::geo::{apply_geo, parse_layer, to_geo_json, GeoApplied, Space, SpaceBasis};
use wattbook_network::{network_from_module, AnalysisNetwork};

pub(crate) fn case() -> String {
    crate::common::ingest(crate::common::CASE)
        .expect("the case")
        .module_json
}

pub(crate) fn apply(text: &str) -> GeoApplied {
    apply_geo(&case(), text.as_bytes()).unwrap_or_else(|e| panic!("{e} for {text}"))
}

pub(crate) fn network(applied: &GeoApplied) -> AnalysisNetwork {
    network_from_module(&applied.module_json).expect("a module")
}

/// Longitude and latitude by bus row.
fn places(text: &str) -> Vec<Option<[f64; 2]>> {
    network(&apply(text)).buses.iter().map(|b| b.lon_lat).collect()
}

pub(crate) fn code(text: &str) -> &'static str {
    apply_geo(&case(), text.as_bytes()).expect_err(text).code
}

pub(crate) const A: Option<[f64; 2]> = Some([-100.5, 31.25]);

const B: Option<[f64; 2]> = Some([-101.0, 32.0]);

#[test]
fn every_field_name_of_the_bus_table_is_read() {
    for id in [
        "bus_i",
        "bus",
        "bus_id",
        "bus number",
        "number",
        "id",
        "BUS_I",
        "Bus Number",
        "BusID",
    ] {
        for lat in ["lat", "latitude", "Lat", "LATITUDE"] {
            for lon in ["lon", "lng", "longitude", "Lng"] {
                let csv = format!("{id},{lat},{lon}\n10,31.25,-100.5\n20,32,-101\n");
                assert_eq!(places(&csv), [A, B, None, None], "{csv}");
            }
        }
        let json = format!("[{{\"{id}\":10,\"y\":31.25,\"x\":-100.5}},{{\"{id}\":\"20\",\"y\":\"32\",\"x\":-101}}]");
        assert_eq!(places(&json), [A, B, None, None], "{json}");
    }
}

#[test]
fn csv_with_byte_order_mark_semicolons_quotes_and_line_ends_of_windows() {
    let bom = "\u{feff}\"bus\",\"name\",\"lat\",\"lon\"\r\n\"10\",\"a, \"\"b\"\"\nc\",\"31.25\",\"-100.5\"\r\n\r\n'20','x',32,-101";
    assert_eq!(places(bom), [A, B, None, None]);
    assert_eq!(
        places("bus;lon;lat\n10;-100,5;31,25\n20;-101;32.0\n"),
        [A, B, None, None]
    );
    assert_eq!(
        places("bus\tlon\tlat\n10\t-100.5\t31.25\n20\t-101\t32\n"),
        [A, B, None, None]
    );
    let latin1 = b"bus,name,lat,lon\n10,M\xfcnchen,31.25,-100.5\n".as_slice();
    assert_eq!(apply_geo(&case(), latin1).expect("Latin-1").report.matched_buses, 1);
}

#[test]
fn a_headerless_list_of_bus_coordinates_is_accepted() {
    for list in [
        "10,-100.5,31.25\n20,-101,32\n",
        "// buses\n10 -100.5   31.25\n20\t-101 32 ! a comment\n",
        "10;-100,5;31,25\n20;-101;32\n",
        "NORTH, -100.5, 31.25\n20, -101, 32\n",
    ] {
        let applied = apply(list);
        let found: Vec<_> = network(&applied).buses.iter().map(|b| b.lon_lat).collect();
        assert_eq!(found, [A, B, None, None], "{list}");
        assert_eq!(
            (applied.report.basis, applied.report.warnings[0].code),
            (SpaceBasis::Inferred, "GEO.INFERRED")
        );
    }
}

#[test]
fn records_match_by_row_uid_and_by_name_in_any_letter_case() {
    assert_eq!(
        places("uid,lat,lon\nbuses:0,31.25,-100.5\nbuses:1,32,-101\n"),
        [A, B, None, None]
    );
    assert_eq!(places("id,lat,lon\nbuses:0,31.25,-100.5\n"), [A, None, None, None]);
    assert_eq!(
        places("bus_name,lat,lon\nnOrTh,31.25,-100.5\nbus [3],32,-101\n"),
        [A, None, B, None]
    );
    assert_eq!(places("bus,lat,lon\nnorth,31.25,-100.5\n"), [A, None, None, None]);
}

#[test]
fn an_ambiguous_name_and_a_contradiction_match_nothing() {
    let twice = crate::common::changed(
        "{'North'; ''; 'Bus [3]'; 'it''s'}",
        "{'North'; 'NORTH'; 'Bus [3]'; 'it''s'}",
    );
    let module = crate::common::ingest(&twice).expect("the case").module_json;
    let applied = apply_geo(&module, b"name,lat,lon\nnorth,1,60\nBus [3],2,61\n").expect("one matches");
    assert_eq!((applied.report.matched_buses, applied.report.unmatched_records), (1, 1));
    assert_eq!(applied.report.warnings[0].code, "GEO.AMBIGUOUS");
    let applied = apply("uid,id,lat,lon\nbuses:0,20,31,-100\nbuses:2,30,31.25,-100.5\n");
    assert_eq!(applied.report.warnings[0].code, "GEO.CONTRADICTION");
    assert_eq!(network(&applied).buses[2].lon_lat, A);
}

#[test]
fn counts_and_warnings_by_record() {
    let applied =
        apply("bus,lat,lon\n10,31.25,-100.5\n99,1,1\n20,abc,-101\n20,95,-101\n,1,1\n10,31.25,-100.5\n10,40,-100\n");
    let report = &applied.report;
    assert_eq!(
        (report.matched_buses, report.bus_records, report.unplaced_buses),
        (1, 4, 3)
    );
    assert_eq!(report.unmatched_records, 5);
    let reported: Vec<(usize, &str)> = report.warnings.iter().map(|w| (w.record, w.code)).collect();
    let expected = [
        (2, "GEO.UNMATCHED"),
        (3, "GEO.NO_COORDINATES"),
        (4, "GEO.OUT_OF_RANGE"),
        (5, "GEO.NO_KEY"),
        (7, "GEO.DUPLICATE"),
    ];
    assert_eq!(reported, expected);
    assert!(!network(&applied).has_coords());
}

#[test]
fn what_matches_nothing_or_holds_nothing_is_an_error() {
    assert_eq!(code("bus,lat,lon\n99,1,1\n"), "INPUT.GEO_NO_MATCH");
    assert_eq!(code("bus,lat,lon\n"), "INPUT.GEO_EMPTY");
    assert_eq!(code("bus,lat,lon\n10,,\n"), "INPUT.GEO_EMPTY");
    assert_eq!(code("bus,lat,lon\n10,nan,inf\n20,1e308,-1e308\n"), "INPUT.GEO_EMPTY");
    assert_eq!(code("apples,pears\n1,2\n"), "INPUT.GEO_FORMAT");
    assert_eq!(code("{\"a\":"), "INPUT.GEO_FORMAT");
    assert_eq!(code("{}"), "INPUT.GEO_EMPTY");
    assert_eq!(code(" \n"), "INPUT.EMPTY");
    assert_eq!(code("\u{0}\u{1}"), "INPUT.ENCODING");
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(code(&deep), "INPUT.GEO_FORMAT");
}

#[test]
fn geojson_points_lines_ids_and_nested_collections() {
    let layer = r#"{"type":"FeatureCollection","features":[
      {"type":"Feature","id":10,"properties":{},"geometry":{"type":"Point","coordinates":[-100.5,31.25,7]}},
      {"type":"FeatureCollection","features":[
        {"type":"Feature","properties":{"BUS_I":20},"geometry":{"type":"Point","coordinates":[-101,32]}},
        {"type":"Feature","properties":{"bus":[{"BUS_I":30},{"BUS_I":40}]},"geometry":{"type":"Point","coordinates":[-102,33]}}]},
      {"type":"Feature","id":20,"properties":{"FID":20},"geometry":{"type":"Point","coordinates":[0,0]}},
      {"type":"Feature","id":"1","properties":null,"geometry":{"type":"LineString","coordinates":[[-100.5,31.25],[-100.7,31.9],[-101,32]]}},
      {"type":"Feature","properties":{"From Bus":30,"To Bus":20},
       "geometry":{"type":"MultiLineString","coordinates":[[[-102,33],[-101.5,33]],[[-101.5,33],[-101,32]]]}},
      {"type":"Feature","properties":{"bus":1},"geometry":{"type":"Polygon","coordinates":[]}}
    ]}"#;
    let applied = apply(&format!("{{\"wrapped\":{{\"deeper\":[{layer}]}}}}"));
    let net = network(&applied);
    let found: Vec<_> = net.buses.iter().map(|b| b.lon_lat).collect();
    assert_eq!(found, [A, B, Some([-102.0, 33.0]), Some([-102.0, 33.0])]);
    assert_eq!(
        net.branches[0].route,
        Some(vec![[-100.5, 31.25], [-100.7, 31.9], [-101.0, 32.0]])
    );
    // Branch 2 runs from 20 to 30: its route is turned.
    assert_eq!(
        net.branches[1].route,
        Some(vec![[-101.0, 32.0], [-101.5, 33.0], [-102.0, 33.0]])
    );
    let report = &applied.report;
    assert_eq!(
        (report.matched_buses, report.matched_branches, report.unmatched_records),
        (4, 2, 2)
    );
    assert_eq!((report.space, report.basis), (Space::Geographic, SpaceBasis::Names));
}

#[test]
fn a_marker_says_what_the_coordinates_are() {
    let layer = |marker: &str| {
        format!(
            r#"{{"type":"FeatureCollection",{marker}"features":[{{"type":"Feature","properties":{{"bus":10}},
            "geometry":{{"type":"Point","coordinates":[12.5,41.5]}}}}]}}"#
        )
    };
    for (marker, space) in [
        ("\"powerio_geo_kind\":\"geographic\",", Space::Geographic),
        ("\"powerio_geo_kind\":\"projected\",", Space::Projected),
        ("\"wattbook_geo_kind\":\"drawing\",", Space::Drawing),
        ("\"powerio_geo\":{\"space\":\"diagram\"},", Space::Drawing),
        ("\"powerio_geo_kind\":\"unknown\",", Space::Unknown),
        ("\"crs\":\"EPSG:2193\",", Space::Projected),
        (
            "\"crs\":{\"properties\":{\"name\":\"urn:ogc:def:crs:OGC:1.3:CRS84\"}},",
            Space::Geographic,
        ),
        ("", Space::Geographic),
    ] {
        let applied = apply(&layer(marker));
        assert_eq!(applied.report.space, space, "{marker}");
        let on_map = network(&applied).buses[0].lon_lat.is_some();
        assert_eq!(on_map, space == Space::Geographic, "{marker}");
        assert_eq!(applied.drawing.is_some(), !on_map, "{marker}");
    }
    let marked = apply("bus,x,y,powerio_geo_kind\n10,1,2,geographic\n");
    assert_eq!(network(&marked).buses[0].lon_lat, Some([1.0, 2.0]));
}

#[test]
fn small_planar_coordinates_are_not_degrees() {
    for list in [
        "10,0,0.01\n20,0,-1.85\n30,0.88,-2.81\n",
        "bus,x,y\n10,0,0\n20,100,50\n",
        "10,200,400\n20,200,350\n",
        "10,12,18\n20,60,70\n",
    ] {
        let applied = apply(list);
        assert_eq!(
            (applied.report.space, applied.report.basis),
            (Space::Unknown, SpaceBasis::Nothing),
            "{list}"
        );
        assert!(network(&applied).buses.iter().all(|b| b.lon_lat.is_none()));
        assert!(applied.report.matched_buses >= 2);
    }
}

#[test]
fn a_drawing_never_replaces_the_map() {
    let mapped = apply("bus,lat,lon\n10,31.25,-100.5\n").module_json;
    let drawing = br#"{"powerio_geo_kind":"drawing","features":[{"type":"Feature","properties":{"bus":10},
        "geometry":{"type":"Point","coordinates":[5,6]}}]}"#;
    let applied = apply_geo(&mapped, drawing).expect("matched");
    assert_eq!(applied.module_json, mapped);
    assert_eq!(applied.drawing.expect("a drawing").buses, [(0, [5.0, 6.0])]);
    // In the other order the map replaces the drawing.
    let drawn = apply_geo(&case(), drawing).expect("matched").module_json;
    let applied = apply_geo(&drawn, b"bus,lat,lon\n20,32,-101\n").expect("matched");
    let found: Vec<_> = network(&applied).buses.iter().map(|b| b.lon_lat).collect();
    assert_eq!(found, [None, B, None, None]);
    assert!(applied.report.warnings.iter().any(|w| w.code == "GEO.REPLACED"));
}

#[test]
fn machines_are_not_buses() {
    let applied = apply("bus,GenID,lat,lon\n10,1,1,60\n20,,32,-101\n");
    assert_eq!(applied.report.warnings[0].code, "GEO.NOT_A_BUS");
    assert_eq!(applied.report.matched_buses, 1);
}

#[test]
fn a_written_layer_reads_back_to_the_bit() {
    let odd = [
        [-100.123_456_789_012_34, 31.000_000_000_000_004],
        [0.1 + 0.2, -1.0 / 3.0],
    ];
    let csv = format!(
        "bus,lat,lon\n10,{},{}\n20,{},{}\n",
        odd[0][1], odd[0][0], odd[1][1], odd[1][0]
    );
    let route = format!(
        "branch,lon1,lat1,lon2,lat2\n1,{},{},{},{}\n",
        odd[0][0], odd[0][1], odd[1][0], odd[1][1]
    );
    let module = apply_geo(&apply(&csv).module_json, route.as_bytes())
        .expect("matched")
        .module_json;
    let text = to_geo_json(&module).expect("positions");
    let again = apply(&text);
    let (first, second) = (network_from_module(&module).expect("a module"), network(&again));
    assert_eq!(first.buses, second.buses);
    assert_eq!(first.branches, second.branches);
    assert_eq!(second.coords_kind, Some(CoordsKind::File));
    assert_eq!(to_geo_json(&again.module_json).expect("positions"), text);
    assert_eq!(to_geo_json(&case()).expect_err("no positions").code, "INPUT.GEO_EMPTY");
    assert_eq!(parse_layer(text.as_bytes()).expect("a layer").space, Space::Geographic);
    // The parser's own reader understands the layer as well.
    let foreign = powerio::GeoLayer::parse(&text, Some("case.geo.json"))
        .expect("a layer")
        .layer;
    assert_eq!((foreign.space.token(), foreign.features.len()), ("geographic", 3));
}

#[test]
fn an_auxiliary_file_with_positions_alone_is_a_layer() {
    let data = "DATA (Bus, [Number,Latitude,Longitude])\n{\n 10\t31.25 -100.5\n 20 32 -101\n}\n";
    assert_eq!(places(data), [A, B, None, None]);
    let substations = "// comment\nSubstation (SubNum,\n SubName,Latitude,Longitude)\n{\n1 \"a \" 31.25 -100.5\n2 \"b\" \"\" \"\"\n}
Bus (Number,Name,SubNumber,Latitude,Longitude) {\n10 \"n\" 1 \"\" \"\"\n<SUBDATA X>\n 1 2 3\n</SUBDATA>\n20 \"\" 2 32 -101\n30 x 2 0 0\n}\n";
    assert_eq!(places(substations), [A, B, None, None]);
}
