//! Modules that no MATPOWER file produces: switches, three-winding transformers, uids and coordinates.

mod common;

use common::{ingest, CASE};
use powerio::network::LoadVoltageModel;
use powerio::{
    BalancedNetwork, BusId, CoordinateSpace, CoordsKind, Destination, EmittedOutput, Impedance, Location, PioModule,
    PioValue, Source, Switch, Transformer3W, Winding,
};
use wattbook_network::analysis::{self, AnalysisNetwork, Warning};
use wattbook_network::{export_module, ingest_case, network_from_module, EngineError};

/// The small case, changed in the parser's model and read back through its module text.
fn through_module(change: impl FnOnce(&mut BalancedNetwork)) -> Result<AnalysisNetwork, EngineError> {
    network_from_module(&module_of(change))
}

/// The module text of the small case, changed in the parser's model.
fn module_of(change: impl FnOnce(&mut BalancedNetwork)) -> String {
    let source =
        Source::from_memory("case.module.json", ingest(CASE).expect("case").module_json.into_bytes()).expect("source");
    let mut module: PioModule<PioValue> = powerio::deserialize(source).expect("module");
    if let PioValue::BalancedNetwork(net) = module.value_mut() {
        change(net);
    }
    let emitted = powerio::serialize(&module, Destination::memory("case").expect("memory")).expect("text");
    let EmittedOutput::Memory { artifacts } = emitted.into_output() else {
        panic!("not in memory")
    };
    let bytes = artifacts.into_iter().next().expect("artifact").into_bytes();
    String::from_utf8(bytes).expect("UTF-8")
}

/// Between buses 10, 20 and 30, with a tap, a rating and a magnetising shunt.
fn transformer() -> Transformer3W {
    let z = |r, x| Impedance::new(r, x, 100.0);
    let mut windings = [10, 20, 30].map(|bus| Winding::new(BusId(bus)));
    windings[1].tap = 0.95;
    for (winding, rate) in windings.iter_mut().zip([90.0, 60.0, 40.0]) {
        winding.rate_a = rate;
    }
    let mut t = Transformer3W::new(windings, [z(0.012, 0.12), z(0.014, 0.14), z(0.01, 0.10)]);
    (t.mag_g, t.mag_b) = (0.001, -0.02);
    t
}

#[test]
fn switches_are_branches_without_impedance_behind_the_others() {
    let with = |closed| {
        let read = through_module(|net| {
            let mut switch = Switch::new(BusId(10), BusId(30), closed);
            (switch.thermal_rating, switch.uid) = (Some(60.0), Some("coupler".into()));
            net.switches_mut().push(switch);
        });
        read.expect("a case")
    };
    let rows = through_module(|_| {}).expect("a case").branches.len();
    for closed in [true, false] {
        let net = with(closed);
        assert_eq!((net.branches.len(), net.n_canonical_branches), (rows + 1, rows + 1));
        let switch = &net.branches[rows];
        assert_eq!(
            (switch.r_pu, switch.x_pu, switch.in_service, switch.is_switch),
            (0.0, 0.0, closed, true)
        );
        assert_eq!(switch.rating_pu, 60.0 / net.base_mva);
        assert_eq!(switch.uid.as_deref(), Some("coupler"));
    }
}

#[test]
fn three_winding_transformers_become_rows_that_cannot_be_edited() {
    let net = through_module(|net| {
        let mut out = transformer();
        out.in_service = false;
        net.transformers_3w_mut().extend([out, transformer()]);
        let space = CoordinateSpace::Geographic { crs: None };
        *net.geo_mut() = Some(powerio::GeoMeta { space, kind: None });
        // The first winding's bus has no position.
        for (bus, x) in net.buses_mut().iter_mut().zip([None, Some(-99.0), Some(-98.0)]) {
            bus.location = x.map(|x| Location { x, y: 31.0, kind: None });
        }
    })
    .expect("lowered");
    assert_eq!((net.n_canonical_buses, net.n_canonical_branches), (4, 4));
    assert_eq!(
        (net.buses.len(), net.branches.len()),
        (5, 7),
        "only the one in service is lowered"
    );
    let star = &net.buses[4];
    assert_eq!(
        (star.id, star.editable, star.gs_pu, star.bs_pu),
        (41, false, 0.001, -0.02)
    );
    assert_eq!(star.lon_lat, Some([-99.0, 31.0]), "where a winding stands");
    let legs = &net.branches[4..];
    assert_eq!(
        legs.iter()
            .map(|b| (b.id, b.from, b.to, b.editable))
            .collect::<Vec<_>>(),
        [(5, 0, 4, false), (6, 1, 4, false), (7, 2, 4, false)]
    );
    // z1 = (z12 + z31 - z23) / 2 and cyclic, from pairs 1-2, 2-3, 3-1.
    for (leg, (r, x)) in legs.iter().zip([(0.004, 0.04), (0.008, 0.08), (0.006, 0.06)]) {
        assert!(
            (leg.r_pu - r).abs() < 1e-15 && (leg.x_pu - x).abs() < 1e-15,
            "{} {}",
            leg.r_pu,
            leg.x_pu
        );
    }
    assert_eq!(
        (legs[1].tap, legs[2].rating_pu, legs[2].rating_is_fallback),
        (0.95, 0.2, false)
    );
}

#[test]
fn formats_without_three_windings_get_their_stars() {
    let module = module_of(|net| {
        let mut out = transformer();
        out.in_service = false;
        net.transformers_3w_mut().extend([out, transformer()]);
        // PSLF cannot state the shift of this one.
        net.branches_mut().iter_mut().for_each(|branch| branch.shift = 0.0);
    });
    let wanted = network_from_module(&module).expect("lowered");
    let mut read = 0;
    for format in [
        "matpower",
        "powermodels-json",
        "pandapower-json",
        "egret-json",
        "pslf",
        "surge-json",
    ] {
        let file = export_module(&module, format).unwrap_or_else(|e| panic!("{format}: {e}"));
        let reported: Vec<String> = file
            .warnings
            .iter()
            .map(Warning::message)
            .filter(|m| m.contains("hree-winding"))
            .collect();
        let sentence = "Three-winding transformers in service, written as stars of two-winding ones at new buses from 41 upwards: 1. Out of service and omitted: 1.";
        assert_eq!(reported, [sentence], "{format}");
        if format == "surge-json" {
            continue; // written only
        }
        let token = if format == "pslf" { "pslf" } else { format };
        let again = ingest_case(&file.bytes, token).unwrap_or_else(|e| panic!("{format}: {e}"));
        let net = network_from_module(&again.module_json).expect("a network");
        let star = |n: &AnalysisNetwork| {
            let at = |row: usize| n.buses[row].id;
            let mut legs: Vec<String> = n
                .branches
                .iter()
                .filter(|b| [at(b.from), at(b.to)].contains(&41))
                .map(|b| {
                    let other = at(b.from).min(at(b.to));
                    format!(
                        "{other} {:.9} {:.9} {:.9}",
                        b.r_pu,
                        b.x_pu,
                        if b.rating_is_fallback { 0.0 } else { b.rating_pu }
                    )
                })
                .collect();
            legs.sort();
            let bus = n
                .buses
                .iter()
                .find(|b| b.id == 41)
                .map(|b| format!("{:.9} {:.9}", b.gs_pu, b.bs_pu));
            (legs, bus)
        };
        assert_eq!(star(&net), star(&wanted), "{format}");
        assert_eq!(
            (net.buses.len(), net.branches.len()),
            (wanted.buses.len(), wanted.branches.len()),
            "{format}"
        );
        read += 1;
    }
    assert_eq!(read, 5);
}

#[test]
fn uids_are_published_where_the_source_carries_them() {
    let net = through_module(|net| {
        net.buses_mut()[0].uid = Some("substation-a".into());
        net.buses_mut()[1].uid = Some("77".into());
        net.branches_mut()[0].uid = Some("line-1".into());
    })
    .expect("network");
    assert_eq!(net.buses[0].uid.as_deref(), Some("substation-a"));
    assert_eq!(net.buses[1].uid, None, "digits alone would be taken for an original id");
    assert_eq!(net.branches[0].uid.as_deref(), Some("line-1"));
    assert!(
        net.branches[1].uid.is_none() && net.generators.iter().all(|g| g.uid.is_none()),
        "invented ones are not"
    );
}

#[test]
fn coordinates_count_only_in_geographic_space() {
    let place = |net: &mut BalancedNetwork, space: CoordinateSpace, kind| {
        *net.geo_mut() = Some(powerio::GeoMeta { space, kind });
        for (k, bus) in net.buses_mut().iter_mut().enumerate() {
            bus.location = (k < 3).then_some(Location {
                x: -100.0 - k as f64,
                y: 31.5,
                kind: None,
            });
        }
    };
    let net = through_module(|net| {
        place(
            net,
            CoordinateSpace::Geographic { crs: None },
            Some(CoordsKind::Synthetic),
        )
    });
    let net = net.expect("network");
    assert_eq!(net.buses[1].lon_lat, Some([-101.0, 31.5]));
    assert_eq!(net.coords_kind, Some(analysis::CoordsKind::Synthetic));
    assert!(net.has_coords(), "the isolated bus without a position takes no part");
    let drawing = through_module(|net| place(net, CoordinateSpace::Diagram { canvas: None }, None)).expect("network");
    assert!(drawing.buses.iter().all(|b| b.lon_lat.is_none()) && drawing.coords_kind.is_none());
}

/// A model of the parser that no reader produces: integer exponents are constant current and impedance, others are
/// named.
#[test]
fn exponents_of_loads_are_modelled_or_named() {
    let with = |gamma_p: f64, gamma_q: f64| {
        let changed = through_module(|net| {
            let load = net.loads_mut().iter_mut().find(|load| load.p > 0.0).expect("a load");
            load.voltage_model = Some(LoadVoltageModel::Exponential {
                p: load.p,
                q: load.q,
                v_nom: None,
                gamma_p,
                gamma_q,
            });
        })
        .expect("a network");
        let codes: Vec<_> = changed.warnings.iter().map(|w| w.code).collect();
        let depends = |of: fn(&analysis::Bus) -> [f64; 2]| changed.buses.iter().any(|bus| of(bus) != [0.0; 2]);
        (
            codes.contains(&"INPUT.FIELD_IGNORED"),
            depends(|bus| bus.constant_current_pu),
            depends(|bus| bus.constant_impedance_pu),
        )
    };
    assert_eq!(with(1.0, 2.0), (false, true, true));
    assert_eq!(with(0.0, 0.0), (false, false, false));
    assert_eq!(with(1.3, 2.0), (true, false, true));
}
