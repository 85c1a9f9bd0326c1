//! GO Competition, challenge 3: the data of a unit commitment that the network of its first interval omits.

use serde_json::{Map, Value};

use crate::analysis::Warning;
use crate::message;
use crate::message::amounts::mw;

/// Warnings with number and power of the omitted elements.
pub(super) fn warnings(document: &Map<String, Value>) -> Vec<Warning> {
    let network = document.get("network");
    let records = |section: &str| {
        network
            .and_then(|n| n.get(section))
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice)
    };
    let number = |record: &Value, name: &str| record.get(name).and_then(Value::as_f64).unwrap_or(0.0);
    let base = network
        .and_then(|n| n.pointer("/general/base_norm_mva"))
        .and_then(Value::as_f64)
        .unwrap_or(1.0);
    let mut out = Vec::new();
    let mut say = |count: usize, code, message| {
        if count > 0 {
            out.push(Warning::new(code, message));
        }
    };
    let devices = records("simple_dispatchable_device");
    let is_consumer = |device: &&Value| device.get("device_type").and_then(Value::as_str) == Some("consumer");
    let consumers: Vec<&Value> = devices.iter().filter(is_consumer).collect();
    let power: f64 = consumers
        .iter()
        .filter_map(|device| device.pointer("/initial_status/p")?.as_f64())
        .sum();
    let message = message!(
        "goc3.consumers",
        count = consumers.len(),
        power = mw(power.abs() * base)
    );
    say(consumers.len(), "INPUT.LEFT_OUT", message);
    let costs = ["on_cost", "startup_cost", "shutdown_cost"];
    let fixed = devices
        .iter()
        .filter(|device| costs.iter().any(|cost| number(device, cost) != 0.0))
        .count();
    say(
        fixed,
        "INPUT.LEFT_OUT",
        message!("goc3.commitment_costs", count = fixed),
    );
    let zones = records("active_zonal_reserve").len() + records("reactive_zonal_reserve").len();
    say(zones, "INPUT.LEFT_OUT", message!("goc3.reserves", count = zones));
    let of = |pointer: &str| {
        document
            .get("reliability")
            .and_then(|r| r.pointer(pointer))
            .and_then(Value::as_array)
            .map_or(0, Vec::len)
    };
    let contingencies = of("/contingency");
    say(
        contingencies,
        "INPUT.LEFT_OUT",
        message!("goc3.contingencies", count = contingencies),
    );
    let intervals = document
        .get("time_series_input")
        .and_then(|t| t.pointer("/general/time_periods"))
        .and_then(Value::as_u64)
        .map_or(1, |periods| periods as usize);
    say(
        intervals.saturating_sub(1),
        "INPUT.LEFT_OUT",
        message!("goc3.intervals", count = intervals.saturating_sub(1)),
    );
    let steps = |shunt: &&Value| number(shunt, "step_lb") != number(shunt, "step_ub");
    let shunts = records("shunt").iter().filter(steps).count();
    say(shunts, "INPUT.HELD", message!("goc3.shunts", count = shunts));
    let differ = |branch: &&Value, low: &str, high: &str| number(branch, low) != number(branch, high);
    let transformers = records("two_winding_transformer");
    let taps = transformers.iter().filter(|t| differ(t, "tm_lb", "tm_ub")).count();
    say(taps, "INPUT.HELD", message!("held.taps", count = taps));
    let angles = transformers.iter().filter(|t| differ(t, "ta_lb", "ta_ub")).count();
    say(angles, "INPUT.HELD", message!("held.angles", count = angles));
    out
}
