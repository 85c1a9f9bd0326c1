//! Random combinations of every kind of edit: an edit and its inverse are the base case, the order of commits does not matter, and a case
//! with the edits in its file has the same results.

use crate::common::{data_case, grid, parse, Answer};
use serde_json::{json, Map, Value};
use wattbook_study::contract::ColumnName;
use wattbook_study::{materialize_module, Study};

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1u64 << 31) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() * n as f64) as usize).min(n - 1)
    }

    fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.next()
    }

    fn shuffled<T>(&mut self, mut items: Vec<T>) -> Vec<T> {
        for k in (1..items.len()).rev() {
            items.swap(k, self.below(k + 1));
        }
        items
    }
}

/// One field of one element: `rates`, `12`, and 5 MW; or `branches`, `12`, `x`, and 0.05.
#[derive(Clone, Debug)]
struct Edit {
    field: &'static str,
    key: String,
    name: Option<&'static str>,
    value: Value,
    /// The value of the case.
    inverse: Value,
}

/// The edits as the engine takes them, beside what they add.
fn joined(edits: &[Edit], added: &Value) -> Value {
    let mut all = Map::new();
    for edit in edits {
        let fields = all.entry(edit.field).or_insert_with(|| json!({}));
        match edit.name {
            None => fields[&edit.key] = edit.value.clone(),
            Some(name) => {
                let element = fields.as_object_mut().unwrap().entry(&edit.key).or_insert(json!({}));
                element[name] = edit.value.clone();
            }
        }
    }
    all.insert("added".into(), added.clone());
    Value::Object(all)
}

fn inverse(edits: &[Edit]) -> Vec<Edit> {
    let back = |edit: &Edit| Edit {
        value: edit.inverse.clone(),
        ..edit.clone()
    };
    edits.iter().map(back).collect()
}

struct Case {
    module: String,
    rows: Value,
    with_load: Vec<usize>,
}

impl Case {
    fn new(module: String) -> Self {
        let rows = parse(&module)["value"]["data"].clone();
        let loads = rows["loads"].as_array().unwrap().iter();
        let with_load = loads.filter(|load| load["p"].as_f64().unwrap() > 1.0);
        Self {
            with_load: with_load.map(|load| load["bus"].as_u64().unwrap() as usize).collect(),
            module,
            rows,
        }
    }

    fn count(&self, table: &str) -> usize {
        self.rows[table].as_array().unwrap().len()
    }

    fn number(&self, table: &str, row: usize, name: &str) -> f64 {
        self.rows[table][row][name].as_f64().unwrap()
    }

    fn open(&self, formulation: &str) -> Study {
        Study::create(&self.module, formulation, "{}").expect("a solvable case")
    }

    /// Edits of elements of the case, each field at most once.
    fn edits(&self, random: &mut Random) -> Vec<Edit> {
        let mut edits: Vec<Edit> = Vec::new();
        let mut put = |field, key: String, name, value: Value, inverse: Value| {
            let is_known = edits.iter().any(|e| e.field == field && e.key == key && e.name == name);
            if !is_known {
                edits.push(Edit {
                    field,
                    key,
                    name,
                    value,
                    inverse,
                });
            }
        };
        for _ in 0..6 {
            let bus = self.with_load[random.below(self.with_load.len())];
            put(
                "deltas",
                bus.to_string(),
                None,
                json!(random.between(-1.0, 4.0)),
                json!(0.0),
            );
            let row = random.below(self.count("branches"));
            let (key, rating) = ((row + 1).to_string(), self.number("branches", row, "rate_a"));
            let is_line = self.number("branches", row, "tap") == 0.0;
            match random.below(9) {
                0 => put("rates", key, None, json!(random.between(0.0, 40.0)), json!(0.0)),
                1 if rating > 0.0 => {
                    let value = json!(rating * random.between(0.9, 1.3));
                    put("branches", key, Some("rating"), value, json!(rating));
                }
                2 => {
                    let x = self.number("branches", row, "x");
                    put(
                        "branches",
                        key,
                        Some("x"),
                        json!(x * random.between(0.7, 1.4)),
                        json!(x),
                    );
                }
                3 if is_line => put(
                    "branches",
                    key,
                    Some("tap"),
                    json!(random.between(0.95, 1.05)),
                    json!(1.0),
                ),
                4 => {
                    let shift = self.number("branches", row, "shift");
                    put(
                        "branches",
                        key,
                        Some("shift"),
                        json!(random.between(-1.0, 1.0)),
                        json!(shift),
                    );
                }
                5 => put("branches", key, Some("status"), json!(false), json!(true)),
                _ => {}
            }
            let row = random.below(self.count("generators"));
            if self.rows["generators"][row]["in_service"] != json!(true) {
                continue;
            }
            let (key, most) = ((row + 1).to_string(), self.number("generators", row, "pmax"));
            match random.below(6) {
                0 => {
                    let value = json!(most * random.between(1.0, 1.2));
                    put("generators", key, Some("p_max"), value, json!(most));
                }
                1 => put(
                    "generators",
                    key,
                    Some("p_min"),
                    json!(0.0),
                    json!(self.number("generators", row, "pmin")),
                ),
                2 => put("generators", key, Some("status"), json!(false), json!(true)),
                _ => {}
            }
        }
        edits
    }

    /// One element of each kind, and an edit of each.
    fn added(&self, random: &mut Random) -> (Value, Vec<Edit>) {
        let mut bus = || self.rows["buses"][random.below(self.count("buses"))]["id"].clone();
        let (at, of, from) = (bus(), bus(), bus());
        let mut to = bus();
        while to == from {
            to = bus();
        }
        let added = json!({
            "branches": [
                { "name": "tie", "from": from, "to": to, "r": 0.002, "x": random.between(0.02, 0.1), "rating": 300.0 },
                { "name": "copy", "copy_of": random.below(self.count("branches")) + 1 },
            ],
            "generators": [
                { "name": "plant", "bus": at, "p_max": random.between(10.0, 200.0), "cost": random.between(0.0, 30.0) },
            ],
            "storage": [{ "name": "battery", "bus": of, "p": random.between(-9.0, 9.0), "p_discharge_max": 20.0 }],
            "loads": [{ "bus": of, "p": random.between(1.0, 10.0), "q": 1.0 }],
        });
        let edit = |field, key: &str, name, value| Edit {
            field,
            key: key.to_string(),
            name,
            value,
            inverse: Value::Null,
        };
        let edits = vec![
            edit("branches", "tie", Some("tap"), json!(0.99)),
            edit("rates", "tie", None, json!(random.between(-50.0, 50.0))),
            edit("storage", "battery", Some("p"), json!(random.between(-5.0, 5.0))),
            edit("generators", "plant", Some("p_max"), json!(random.between(50.0, 90.0))),
        ];
        (added, edits)
    }
}

fn cases() -> Vec<(&'static str, Case)> {
    let carolina = Some(("carolina", grid("carolina")));
    let case118 = data_case("pglib/pglib_opf_case118_ieee.m").map(|module| ("case118", module));
    let modules = carolina.into_iter().chain(case118);
    modules.map(|(name, module)| (name, Case::new(module))).collect()
}

/// The hash of a commit, or the code of its refusal.
fn committed(study: &mut Study, edits: &Value) -> Result<String, &'static str> {
    let text = edits.to_string();
    let reply = study.commit("x", text.as_str(), "");
    reply.map(|_| study.result_sha256()).map_err(|error| error.code)
}

/// An edit changes the result, and the same elements at the values of the case are the base case, bit for bit.
#[test]
fn an_edit_and_its_inverse_are_the_base_case() {
    let mut random = Random(1);
    for (name, case) in cases() {
        let mut study = case.open("dcopf");
        let (base, mut solved) = (study.result_sha256(), 0);
        for _ in 0..25 {
            let edits = case.edits(&mut random);
            let (added, of_added) = case.added(&mut random);
            let all: Vec<Edit> = edits.iter().cloned().chain(of_added).collect();
            let changed = committed(&mut study, &joined(&all, &added));
            solved += usize::from(changed.is_ok());
            assert_ne!(changed.as_deref(), Ok(base.as_str()), "{name} {edits:?}");
            let back = joined(&inverse(&edits), &json!({}));
            assert_eq!(
                committed(&mut study, &back).as_deref(),
                Ok(base.as_str()),
                "{name} {back}"
            );
        }
        assert!(solved >= 5, "{name}: {solved}");
    }
}

/// Edits that are committed one after the other, in any order and some of them taken back, end in the state of a single commit.
#[test]
fn commits_in_any_order_agree() {
    let mut random = Random(2);
    for (name, case) in cases() {
        let mut solved = 0;
        for _ in 0..6 {
            let (added, of_added) = case.added(&mut random);
            let edits: Vec<Edit> = case.edits(&mut random).into_iter().chain(of_added).collect();
            let wanted = committed(&mut case.open("dcopf"), &joined(&edits, &added));
            solved += usize::from(wanted.is_ok());
            let mut study = case.open("dcopf");
            for _ in 0..2 {
                let mut done: Vec<Edit> = Vec::new();
                let order = random.shuffled(edits.clone());
                for edit in &order {
                    done.push(edit.clone());
                    // A part of the edits need not have a solution; the state before stays then.
                    let before = study.result_sha256();
                    if committed(&mut study, &joined(&done, &added)).is_err() {
                        assert_eq!(study.result_sha256(), before);
                    }
                    if random.next() < 0.2 {
                        let _ = committed(&mut study, &json!({}));
                    }
                }
                assert_eq!(
                    committed(&mut study, &joined(&order, &added)),
                    wanted,
                    "{name} {order:?}"
                );
            }
        }
        assert!(solved >= 2, "{name}: {solved}");
    }
}

/// The module with the edits in it solves to the same bits, or is refused for the same reason. Changes of demand and ratings are reached
/// from the base case of the edited network, whose last digits a solve from scratch does not have: there costs and flows agree.
#[test]
fn a_case_written_with_the_edits_is_the_same() {
    let mut random = Random(3);
    for (name, case) in cases() {
        for (formulation, times) in [("dcopf", 8), ("dcpf", 3), ("acpf", 3)] {
            let mut study = case.open(formulation);
            let mut solved = 0;
            for k in 0..2 * times {
                let is_of_network = k % 2 == 0;
                let (added, of_added) = case.added(&mut random);
                let mut edits: Vec<Edit> = case.edits(&mut random).into_iter().chain(of_added).collect();
                if is_of_network {
                    edits.retain(|edit| edit.name.is_some());
                }
                let edits = joined(&edits, &added);
                let text = edits.to_string();
                let written = materialize_module(&case.module, text.as_str()).expect("a module");
                let own = Study::create(&written, formulation, "{}").map(|study| Answer::of(&study));
                match (study.commit("x", text.as_str(), "").map(Answer::from), own) {
                    (Ok(committed), Ok(own)) => {
                        solved += 1;
                        match is_of_network {
                            true => assert!(committed.bits() == own.bits(), "{name} {formulation} {edits}"),
                            false => agrees(&committed, &own, &format!("{name} {formulation} {edits}")),
                        }
                    }
                    (Err(a), Err(b)) => assert_eq!(a.code, b.code, "{name} {formulation} {edits}"),
                    (a, b) => panic!("{name} {formulation} {edits}: {:?} {:?}", a.is_ok(), b.is_ok()),
                }
            }
            assert!(solved > 0, "{name} {formulation}");
        }
    }
}

#[track_caller]
fn agrees(a: &Answer, b: &Answer, what: &str) {
    if let (Some(a), Some(b)) = (a.head["solution"]["objective"].as_f64(), b.head["objective"].as_f64()) {
        assert!((a - b).abs() <= 1e-9 * b.abs(), "{what}: {a} {b}");
    }
    // Dispatch need not be unique where costs are linear, and flows follow it; those of power flows are.
    if b.has(ColumnName::DispatchMw) && b.has(ColumnName::Lmp) {
        return;
    }
    for (a, b) in a.at(ColumnName::FlowMw).iter().zip(b.at(ColumnName::FlowMw)) {
        assert!((a - b).abs() <= 1e-5 || (a.is_nan() && b.is_nan()), "{what}: {a} {b}");
    }
}
